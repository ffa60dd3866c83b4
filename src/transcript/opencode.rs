//! opencode: messages of parts, in a database, in a tree of files or in one exported JSON.
//!
//! What the person typed is the text parts of a `user` message that are neither `synthetic` (file contents,
//! reminders, "Continue if you have next steps") nor `ignored`. A line is the 1-based position of the message
//! in its session. Sessions with a parent are sub-agents', in which no person speaks.

use std::borrow::Cow;
use std::io::Read;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};

use super::draft::{Draft, Record, time};
use super::envelope::{self, Rejection};
use super::json::{Cursor, Malformed, Value};
use super::{Host, Manner, Reading, Session, Turn, claude_code, cut, whole};
use crate::error::{Error, ErrorKind, Result};

/// Reads a session as `opencode export` prints it: `{info, messages: [{info, parts}]}`.
pub(super) fn read_export(reader: impl Read, path: &Path, modified: DateTime<Utc>) -> Result<Reading> {
    let bytes = whole::bytes(reader, path)?;
    let value = Cursor::new(&bytes).value().map_err(|Malformed| {
        let message = "this file is no valid JSON, or was cut off";
        Error::new(ErrorKind::Transcript, message).at(path)
    })?;
    let mut rows = Rows::of(value.get("info"));
    for message in value.get("messages").items() {
        let info = message.get("info");
        let id = info.get("id").text();
        rows.take(id.as_deref().unwrap_or_default(), info, &message.get("parts").items());
    }
    Ok(Reading { sessions: rows.finish(path, modified).into_iter().collect(), problems: Vec::new() })
}

/// The messages of one session, taken in their order.
#[derive(Default)]
pub(super) struct Rows {
    pub(super) draft: Draft,
    /// The message from which on the person took everything back.
    pub(super) reverted_at: Option<String>,
    pub(super) is_of_machine: bool,
    position: u32,
    revert: Option<usize>,
}

impl Rows {
    /// A session as its JSON tells it.
    pub(super) fn of(info: Value<'_>) -> Self {
        let owned = |value: Value<'_>| value.text().map(Cow::into_owned);
        let mut rows = Self::default();
        rows.draft.id = owned(info.get("id"));
        rows.draft.cwd = owned(info.get("directory")).map(PathBuf::from);
        rows.draft.started = time(info.get("time").get("created"));
        rows.reverted_at = owned(info.get("revert").get("messageID"));
        rows.is_of_machine = info.get("parentID").is_some();
        rows
    }

    /// The next message: its id, its JSON and that of its parts.
    pub(super) fn take(&mut self, id: &str, info: Value<'_>, parts: &[Value<'_>]) {
        self.position = self.position.saturating_add(1);
        if self.reverted_at.as_deref() == Some(id) {
            self.revert = Some(self.draft.turns.len());
        }
        let record = Record { id: Some(id).filter(|id| !id.is_empty()), time: time(info.get("time").get("created")) };
        let turns = match info.get("role").inside() {
            b"user" => user_turns(parts, record),
            b"assistant" => agent_turns(info, parts, record),
            _ => Vec::new(),
        };
        let line = self.position;
        let turns = turns.into_iter().map(|turn| Turn { line, ..turn });
        self.draft.turns.extend(turns);
    }

    /// The session; `None` where it is a sub-agent's.
    pub(super) fn finish(mut self, path: &Path, modified: DateTime<Utc>) -> Option<Session> {
        if let Some(index) = self.revert {
            self.draft.take_back(index, None);
        }
        (!self.is_of_machine).then(|| self.draft.finish(Host::Opencode, path, modified))
    }
}

fn user_turns(parts: &[Value<'_>], record: Record<'_>) -> Vec<Turn> {
    let is_typed = |part: &&Value<'_>| {
        part.get("type").inside() == b"text" && !part.get("synthetic").is_true() && !part.get("ignored").is_true()
    };
    let typed = parts.iter().filter(is_typed);
    let words: Vec<String> = typed
        .filter_map(|part| part.get("text").text_up_to(cut::HUMAN))
        .map(|text| envelope::strip(Host::Opencode, &unquoted(&text)))
        .filter(|stripped| !stripped.machine)
        .map(|stripped| stripped.words)
        .collect();
    if !words.is_empty() {
        return vec![record.human(Manner::Plain, &words.join("\n"))];
    }
    let told = parts.first().map(|part| {
        let text = part.get("text").text_up_to(cut::INJECTED);
        text.or_else(|| part.get("type").text()).unwrap_or_default()
    });
    told.map(|text| record.injected(Manner::Plain, &text)).into_iter().collect()
}

/// `opencode run "a b"` stores the words between double quotes, with those inside them escaped.
fn unquoted(text: &str) -> Cow<'_, str> {
    let inside = text.trim().strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    match inside {
        Some(inside) if !inside.replace("\\\"", "").contains('"') => Cow::Owned(inside.replace("\\\"", "\"")),
        _ => Cow::Borrowed(text),
    }
}

fn agent_turns(info: Value<'_>, parts: &[Value<'_>], record: Record<'_>) -> Vec<Turn> {
    let is_summary = info.get("summary").is_true();
    let mut turns = Vec::new();
    for part in parts {
        match part.get("type").inside() {
            b"text" if !part.get("synthetic").is_true() => {
                let text = part.get("text").text_up_to(cut::AGENT).unwrap_or_default();
                turns.push(if is_summary {
                    record.injected(Manner::Plain, &text)
                } else {
                    record.agent(Manner::Plain, &text)
                });
            }
            b"tool" => {
                let name = part.get("tool").text().unwrap_or_default();
                turns.push(record.call(&name, part.get("state").get("input")));
                turns.extend(result_turn(part.get("state"), record));
            }
            _ => {}
        }
    }
    turns.retain(|turn| !turn.text.is_empty());
    let error = info.get("error");
    if error.get("name").inside() == b"MessageAbortedError" {
        turns.push(record.injected(Manner::Interrupt, "aborted by the person"));
    } else if error.is_some() {
        let told = error.get("data").get("message").text_up_to(cut::RESULT);
        let name = error.get("name").text();
        let text = told.or(name).unwrap_or(Cow::Borrowed("failed"));
        turns.push(record.agent(Manner::Failed, &text));
    }
    turns
}

/// What became of a tool call; `None` while it runs.
fn result_turn(state: Value<'_>, record: Record<'_>) -> Option<Turn> {
    if state.get("status").inside() == b"error" {
        let error = state.get("error").text_up_to(cut::HUMAN).unwrap_or_default();
        return Some(match envelope::rejection(&error) {
            Some(Rejection::Words(words)) => record.human(Manner::Rejection, &words),
            Some(Rejection::Silent) => record.injected(Manner::Rejection, &error),
            None => record.result(Manner::Failed, &error),
        });
    }
    let output = state.get("output").text_up_to(cut::HUMAN)?;
    if let Some(pairs) = envelope::answers(&output) {
        let words = claude_code::answer_words(Value::default(), pairs);
        if !words.is_empty() {
            return Some(record.human(Manner::Answer, &words));
        }
    }
    let code = state.get("metadata").get("exit").number();
    let manner = if code.is_some_and(|code| code != 0.0) { Manner::Failed } else { Manner::Plain };
    Some(record.result(manner, &output))
}

/// Reads oh-my-opencode's log of a session: prompts and tools, one JSONL row each, without the agent's words.
pub(super) fn read_log(reader: impl Read + Send, path: &Path, modified: DateTime<Utc>) -> Result<Reading> {
    let (mut draft, mut problems) = (Draft::default(), Vec::new());
    super::lines::each_row(reader, path, &mut problems, log_row, |line, turn: Turn| {
        draft.turns.push(Turn { line, ..turn });
    })?;
    Ok(Reading { sessions: vec![draft.finish(Host::Opencode, path, modified)], problems })
}

fn log_row(line: &[u8]) -> std::result::Result<Option<Turn>, Malformed> {
    let row = Cursor::new(line).value()?;
    let record = Record { id: None, time: time(row.get("timestamp")) };
    Ok(match row.get("type").inside() {
        b"user" => {
            let text = row.get("content").text_up_to(cut::HUMAN).unwrap_or_default();
            Some(record.prompt(Host::Opencode, &unquoted(&text)))
        }
        b"tool_use" => {
            let name = row.get("tool_name").text().unwrap_or_default();
            Some(record.call(&name, row.get("tool_input")))
        }
        b"tool_result" => {
            let output = row.get("tool_output");
            let text = output.text_up_to(cut::RESULT).or_else(|| output.get("output").text_up_to(cut::RESULT));
            Some(record.result(Manner::Plain, &text.unwrap_or_default()))
        }
        _ => None,
    })
}

#[cfg(test)]
#[path = "opencode_tests.rs"]
mod tests;
