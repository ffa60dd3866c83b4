//! GitHub Copilot CLI: `events.jsonl`, one event a row (`{type, data, id, timestamp, parentId}`).
//!
//! `user.message` holds what was typed in `content` and what the model saw in `transformedContent`. Events with a
//! `parentToolCallId` or `agentId` are a sub-agent's.

use std::io::Read;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};

use super::draft::{Draft, Record, time};
use super::envelope::{self, Rejection};
use super::further::owned;
use super::json::{Cursor, Malformed, Value};
use super::lines::each_row;
use super::{Host, Manner, Reading, Turn, cut};
use crate::error::Result;

/// Reads one file.
pub(super) fn read(reader: impl Read + Send, path: &Path, modified: DateTime<Utc>) -> Result<Reading> {
    let (mut draft, mut problems) = (Draft::default(), Vec::new());
    each_row(reader, path, &mut problems, parse, |line, row: Row| {
        draft.id = draft.id.take().or(row.session);
        draft.cwd = draft.cwd.take().or(row.cwd.map(PathBuf::from));
        draft.started = draft.started.or(row.time);
        if row.rewinds {
            draft.push_rollback_of(1, line, row.time);
        }
        let turns = row.turns.into_iter().map(|turn| Turn { line, ..turn });
        draft.turns.extend(turns);
    })?;
    Ok(Reading { sessions: vec![draft.finish(Host::Copilot, path, modified)], problems })
}

#[derive(Default)]
struct Row {
    session: Option<String>,
    cwd: Option<String>,
    time: Option<DateTime<Utc>>,
    turns: Vec<Turn>,
    /// Whether the person took the last turn back.
    rewinds: bool,
}

fn parse(line: &[u8]) -> std::result::Result<Option<Row>, Malformed> {
    let mut cursor = Cursor::new(line);
    let event = cursor.value()?;
    if !cursor.at_end() {
        return Err(Malformed);
    }
    let data = event.get("data");
    if data.get("parentToolCallId").is_some() || event.get("agentId").is_some() {
        return Ok(None);
    }
    let (id, time) = (owned(event.get("id")), time(event.get("timestamp")));
    let record = Record { id: id.as_deref(), time };
    let mut row = Row { time, ..Row::default() };
    match event.get("type").inside() {
        b"session.start" | b"session.resume" => {
            row.session = owned(data.get("sessionId"));
            row.cwd = owned(data.get("context").get("cwd"));
        }
        b"user.message" => row.turns.push(prompt(data, record)),
        b"assistant.message" => row.turns = agent_turns(data, record),
        b"tool.execution_complete" => row.turns.push(result(data, record)),
        b"abort" => {
            let reason = data.get("reason").text().unwrap_or_default();
            row.turns.push(record.injected(Manner::Interrupt, &reason));
        }
        b"session.snapshot_rewind" => row.rewinds = true,
        b"session.error" => {
            let text = data.get("message").text_up_to(cut::RESULT);
            let text = text.unwrap_or_default();
            row.turns.push(record.agent(Manner::Failed, &text));
        }
        _ => {}
    }
    Ok(Some(row))
}

fn prompt(data: Value<'_>, record: Record<'_>) -> Turn {
    let text = data.get("content").text_up_to(cut::HUMAN);
    let text = text.unwrap_or_default();
    let source = data.get("source").text().unwrap_or_default();
    let is_machine = source == "system"
        || ["skill-", "agent-"].iter().any(|start| source.starts_with(start))
        || data.get("isAutopilotContinuation").is_true();
    if is_machine {
        return record.injected(Manner::Plain, &text);
    }
    record.prompt(Host::Copilot, &text)
}

fn agent_turns(data: Value<'_>, record: Record<'_>) -> Vec<Turn> {
    let text = data.get("content").text_up_to(cut::AGENT);
    let said = text.filter(|text| !text.trim().is_empty());
    let mut turns: Vec<_> = said.map(|text| record.agent(Manner::Plain, &text)).into_iter().collect();
    for call in data.get("toolRequests").items() {
        let name = call.get("name").text().unwrap_or_default();
        turns.push(record.call(&name, call.get("arguments")));
    }
    turns
}

fn result(data: Value<'_>, record: Record<'_>) -> Turn {
    let error = data.get("error");
    let text = data
        .get("result")
        .get("content")
        .text_up_to(cut::HUMAN)
        .or_else(|| error.get("message").text_up_to(cut::HUMAN))
        .unwrap_or_default();
    let is_done = data.get("success").is_true();
    let is_refused = matches!(error.get("code").inside(), b"denied" | b"rejected");
    match envelope::rejection(&text).filter(|_| !is_done) {
        Some(Rejection::Words(words)) => record.human(Manner::Rejection, &words),
        Some(Rejection::Silent) => record.injected(Manner::Rejection, &text),
        None if is_refused => record.injected(Manner::Rejection, &text),
        None if is_done => record.result(Manner::Plain, &text),
        None => record.result(Manner::Failed, &text),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Speaker;
    use super::*;

    #[test]
    fn events_become_turns() {
        let rows = [
            r#"{"type":"session.start","data":{"sessionId":"s","context":{"cwd":"/w"}},"id":"1","timestamp":"2026-01-01T00:00:00Z"}"#,
            r#"{"type":"user.message","data":{"content":"list","transformedContent":"list at noon"},"id":"2"}"#,
            r#"{"type":"user.message","data":{"content":"body","source":"skill-x"},"id":"3"}"#,
            r#"{"type":"assistant.message","data":{"content":"","toolRequests":[{"name":"bash","arguments":{"command":"ls"}}]},"id":"4"}"#,
            r#"{"type":"tool.execution_complete","data":{"success":false,"error":{"code":"rejected","message":"refused"}},"id":"5"}"#,
            r#"{"type":"tool.execution_complete","data":{"success":false,"error":{"code":"denied","message":"The user rejected this tool call. User feedback: use make"}},"id":"8"}"#,
            r#"{"type":"assistant.message","data":{"content":"aside","parentToolCallId":"t"},"id":"6"}"#,
            r#"{"type":"abort","data":{"reason":"user initiated"},"id":"7"}"#,
        ];
        let text = rows.join("\n");
        let reading = read(text.as_bytes(), Path::new("e.jsonl"), DateTime::UNIX_EPOCH).unwrap();
        let seen: Vec<_> = reading.sessions[0]
            .turns
            .iter()
            .map(|turn| (turn.line, turn.speaker, turn.manner, turn.text.as_str()))
            .collect();
        assert_eq!(
            seen,
            [
                (2, Speaker::Human, Manner::Plain, "list"),
                (3, Speaker::Injected, Manner::Plain, "body"),
                (4, Speaker::Agent, Manner::Call, "bash ls"),
                (5, Speaker::Injected, Manner::Rejection, "refused"),
                (6, Speaker::Human, Manner::Rejection, "use make"),
                (8, Speaker::Injected, Manner::Interrupt, "user initiated"),
            ]
        );
        assert_eq!(reading.sessions[0].cwd.as_deref(), Some(Path::new("/w")));
    }
}
