//! CodeBuddy Code: Claude Code's ways in the shape of OpenAI's agent items, one JSONL file a session.
//!
//! `providerData` says what the client put there itself. Rejections carry Claude Code's sentences; an interrupt is
//! an assistant message that was never sent to the model.

use std::io::Read;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};

use super::draft::{Draft, Record, texts, time};
use super::envelope::{self, Rejection};
use super::further::{owned, query};
use super::json::{Cursor, Malformed, Value};
use super::lines::each_row;
use super::{Host, Manner, Reading, Speaker, Turn, claude_code, cut};
use crate::error::Result;

/// Reads one file.
pub(super) fn read(reader: impl Read + Send, path: &Path, modified: DateTime<Utc>) -> Result<Reading> {
    let (mut draft, mut problems) = (Draft::default(), Vec::new());
    each_row(reader, path, &mut problems, parse, |line, row: Row| {
        draft.id = draft.id.take().or(row.session);
        draft.cwd = draft.cwd.take().or(row.cwd.map(PathBuf::from));
        draft.started = draft.started.or(row.time);
        let Some(turn) = row.turn else { return };
        if row.id.is_some_and(|id| !draft.is_new(&id)) {
            return;
        }
        let is_prompt = turn.speaker == Speaker::Human && turn.manner == Manner::Plain;
        let parent = row.parent.filter(|_| is_prompt);
        draft.push_prompt(parent.as_deref(), Turn { line, ..turn });
    })?;
    Ok(Reading { sessions: vec![draft.finish(Host::Codebuddy, path, modified)], problems })
}

struct Row {
    id: Option<String>,
    parent: Option<String>,
    session: Option<String>,
    cwd: Option<String>,
    time: Option<DateTime<Utc>>,
    turn: Option<Turn>,
}

fn parse(line: &[u8]) -> std::result::Result<Option<Row>, Malformed> {
    let mut cursor = Cursor::new(line);
    let value = cursor.value()?;
    if !cursor.at_end() {
        return Err(Malformed);
    }
    let (id, time) = (owned(value.get("id")), time(value.get("timestamp")));
    let record = Record { id: id.as_deref(), time };
    let turn = match value.get("type").inside() {
        b"message" => message(value, record),
        b"function_call" => {
            let name = value.get("name").text().unwrap_or_default();
            Some(record.call(&name, value.get("arguments")))
        }
        b"function_call_result" => Some(result(value, record)),
        _ => None,
    };
    Ok(Some(Row {
        turn,
        parent: owned(value.get("parentId")),
        session: owned(value.get("sessionId")),
        cwd: owned(value.get("cwd")),
        id,
        time,
    }))
}

fn message(value: Value<'_>, record: Record<'_>) -> Option<Turn> {
    const OWN: [&str; 7] = [
        "isMeta",
        "skipRun",
        "isCompactInternal",
        "isCompacted",
        "isSummary",
        "isCompactSummary",
        "isSessionSeparator",
    ];
    let about = value.get("providerData");
    let text = |limit| texts(value.get("content"), limit).join("\n");
    match value.get("role").inside() {
        b"user" => {
            let text = text(cut::HUMAN);
            if OWN.iter().any(|flag| about.get(flag).is_true()) {
                return Some(record.injected(Manner::Plain, &text));
            }
            let stripped = envelope::strip(Host::Codebuddy, &query(&text));
            Some(if stripped.machine {
                record.injected(Manner::Plain, &text)
            } else {
                claude_code::part_turn(&stripped.words, Manner::Plain, record)
            })
        }
        b"assistant" => {
            let text = text(cut::AGENT);
            let is_interrupt = about.get("skipRun").is_true()
                && matches!(text.as_str(), "Interrupted by user" | "Task was interrupted by user");
            match () {
                () if is_interrupt => Some(record.injected(Manner::Interrupt, &text)),
                () if text.trim().is_empty() => None,
                () => Some(record.agent(Manner::Plain, &text)),
            }
        }
        _ if about.get("isSessionSeparator").is_true() => Some(record.injected(Manner::Boundary, &text(cut::INJECTED))),
        _ => None,
    }
}

fn result(value: Value<'_>, record: Record<'_>) -> Turn {
    let output = value.get("output");
    let text = output.text_up_to(cut::HUMAN).or_else(|| output.get("text").text_up_to(cut::HUMAN)).unwrap_or_default();
    match envelope::rejection(&text) {
        Some(Rejection::Words(words)) => return record.human(Manner::Rejection, &words),
        Some(Rejection::Silent) => return record.injected(Manner::Rejection, &text),
        None => {}
    }
    if let Some(pairs) = envelope::answers(&text) {
        let words = claude_code::answer_words(Value::default(), pairs);
        if !words.is_empty() {
            return record.human(Manner::Answer, &words);
        }
    }
    let manner = if value.get("status").inside() == b"failed" { Manner::Failed } else { Manner::Plain };
    record.result(manner, &text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_client_wrote_itself_is_marked() {
        let row = |rest: &str| format!(r#"{{"timestamp":1764460807000,"sessionId":"s","cwd":"/w",{rest}}}"#);
        let rows = [
            row(
                r#""id":"1","type":"message","role":"user","content":[{"type":"input_text","text":"<system-reminder>\nx\n</system-reminder>\n<user_query>\nadd it\n</user_query>"}]"#,
            ),
            row(r#""id":"2","type":"function_call","callId":"c","name":"Bash","arguments":"{\"command\":\"ls\"}""#),
            row(
                r#""id":"3","type":"function_call_result","status":"failed","output":{"type":"text","text":"The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nnot here"}"#,
            ),
            row(
                r#""id":"4","type":"message","role":"user","content":"Stop hook feedback:\n- x","providerData":{"isMeta":true}"#,
            ),
            row(
                r#""id":"5","type":"message","role":"assistant","content":[{"type":"output_text","text":"Interrupted by user"}],"providerData":{"skipRun":true}"#,
            ),
            row(
                r#""id":"6","type":"message","role":"system","content":"sep","providerData":{"isSessionSeparator":true}"#,
            ),
            row(
                r#""id":"7","type":"message","role":"user","content":"<command-message>x</command-message>\n<command-name>/init</command-name>""#,
            ),
            row(r#""id":"1","type":"message","role":"user","content":"copied""#),
        ];
        let text = rows.join("\n");
        let reading = read(text.as_bytes(), Path::new("c.jsonl"), DateTime::UNIX_EPOCH).unwrap();
        let seen: Vec<_> =
            reading.sessions[0].turns.iter().map(|turn| (turn.line, turn.speaker, turn.manner)).collect();
        assert_eq!(
            seen,
            [
                (1, Speaker::Human, Manner::Plain),
                (2, Speaker::Agent, Manner::Call),
                (3, Speaker::Human, Manner::Rejection),
                (4, Speaker::Injected, Manner::Plain),
                (5, Speaker::Injected, Manner::Interrupt),
                (6, Speaker::Injected, Manner::Boundary),
                (7, Speaker::Injected, Manner::Plain),
            ]
        );
        assert_eq!(reading.sessions[0].turns[0].text, "add it");
        assert_eq!(reading.sessions[0].turns[2].text, "not here");
    }
}
