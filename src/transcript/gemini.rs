//! Gemini CLI: JSONL of messages since 0.40, one JSON before, and checkpoints (bare lists of contents).
//!
//! A row with a known id replaces that message; `{"$set": {"messages": […]}}` repeats all of them after a resume;
//! `{"$rewindTo": id}` takes everything from that message on back. A message keeps the line it was first seen on.

use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};

use super::draft::{Draft, Record, texts, time};
use super::further::owned;
use super::json::{Cursor, Malformed, Value};
use super::lines::each_row;
use super::{Host, Manner, Reading, Speaker, Turn, cut, whole};
use crate::error::{Error, ErrorKind, Result};

/// Reads a JSONL file.
pub(super) fn read_lines(reader: impl Read + Send, path: &Path, modified: DateTime<Utc>) -> Result<Reading> {
    let (mut chat, mut problems) = (Chat::default(), Vec::new());
    each_row(reader, path, &mut problems, parse, |line, row: Row| chat.take(line, row))?;
    Ok(chat.reading(path, modified, problems))
}

/// Reads a file that is one JSON value; a line is the message's place in it.
pub(super) fn read_whole(reader: impl Read, path: &Path, modified: DateTime<Utc>) -> Result<Reading> {
    let bytes = whole::bytes(reader, path)?;
    let value = Cursor::new(&bytes).value().map_err(|Malformed| {
        let message = "this file is no valid JSON, or was cut off";
        Error::new(ErrorKind::Transcript, message).at(path)
    })?;
    let mut chat = Chat::default();
    let list = if value.is_array() { value } else { value.get("messages") };
    let mut row = Row::of(value);
    row.messages.clear();
    chat.take(1, row);
    for (line, item) in (1..).zip(list.items()) {
        let messages = vec![Message::of(item)];
        chat.take(line, Row { messages, ..Row::default() });
    }
    Ok(chat.reading(path, modified, Vec::new()))
}

/// What a row tells.
#[derive(Default)]
struct Row {
    session: Option<String>,
    started: Option<DateTime<Utc>>,
    cwd: Option<String>,
    is_of_machine: bool,
    messages: Vec<Message>,
    rewind: Option<String>,
}

struct Message {
    id: Option<String>,
    turns: Vec<Turn>,
    /// The workspace folder, where it is told to the model.
    cwd: Option<String>,
}

/// The messages of one file.
#[derive(Default)]
struct Chat {
    draft: Draft,
    places: HashMap<String, usize>,
    messages: Vec<(u32, Vec<Turn>)>,
    is_of_machine: bool,
}

impl Chat {
    fn take(&mut self, line: u32, row: Row) {
        let draft = &mut self.draft;
        draft.id = draft.id.take().or(row.session);
        draft.started = draft.started.or(row.started);
        draft.cwd = draft.cwd.take().or(row.cwd.map(PathBuf::from));
        self.is_of_machine |= row.is_of_machine;
        for message in row.messages {
            self.draft.cwd = self.draft.cwd.take().or(message.cwd.map(PathBuf::from));
            let known = message.id.as_ref().and_then(|id| self.places.get(id));
            if let Some(known) = known.and_then(|&place| self.messages.get_mut(place)) {
                // A resume repeats every message with the time of the resume; it was said when it was first there.
                let said = known.1.iter().filter_map(|turn| turn.time).min();
                let turns = message.turns.into_iter();
                known.1 = turns.map(|turn| Turn { time: said.into_iter().chain(turn.time).min(), ..turn }).collect();
                continue;
            }
            if let Some(id) = message.id {
                self.places.insert(id, self.messages.len());
            }
            self.messages.push((line, message.turns));
        }
        if let Some(place) = row.rewind.and_then(|id| self.places.get(&id).copied()) {
            self.rewind(place);
        }
    }

    fn rewind(&mut self, place: usize) {
        let mut gone = Draft::default();
        let last = self.messages.last().and_then(|(_, turns)| turns.last());
        let time = last.and_then(|turn| turn.time);
        for (line, turns) in self.messages.split_off(place) {
            let turns = turns.into_iter().map(|turn| Turn { line, ..turn });
            gone.turns.extend(turns);
        }
        gone.take_back(0, time);
        // One by one, so that each keeps its own line.
        let turns = gone.turns.into_iter();
        self.messages.extend(turns.map(|turn| (turn.line, vec![turn])));
        self.places.retain(|_, known| *known < place);
    }

    fn reading(mut self, path: &Path, modified: DateTime<Utc>, problems: Vec<crate::error::Problem>) -> Reading {
        for (line, turns) in std::mem::take(&mut self.messages) {
            let turns = turns.into_iter().map(|turn| Turn { line, ..turn });
            self.draft.turns.extend(turns);
        }
        if self.is_of_machine {
            for turn in &mut self.draft.turns {
                if turn.speaker == Speaker::Human {
                    turn.speaker = Speaker::Injected;
                }
            }
        }
        Reading { sessions: vec![self.draft.finish(Host::Gemini, path, modified)], problems }
    }
}

fn parse(line: &[u8]) -> std::result::Result<Option<Row>, Malformed> {
    let mut cursor = Cursor::new(line);
    let value = cursor.value()?;
    if !cursor.at_end() {
        return Err(Malformed);
    }
    Ok(Some(Row::of(value)))
}

impl Row {
    fn of(value: Value<'_>) -> Self {
        let set = value.get("$set");
        let listed = set.get("messages").items();
        let messages = if value.get("type").is_string() {
            vec![Message::of(value)]
        } else {
            listed.into_iter().map(Message::of).collect()
        };
        Self {
            session: owned(value.get("sessionId")),
            started: time(value.get("startTime")),
            cwd: value.get("directories").items().first().and_then(|folder| owned(*folder)),
            is_of_machine: value.get("kind").inside() == b"subagent",
            messages,
            rewind: owned(value.get("$rewindTo")),
        }
    }
}

impl Message {
    fn of(value: Value<'_>) -> Self {
        let id = owned(value.get("id"));
        let record = Record { id: id.as_deref(), time: time(value.get("timestamp")) };
        let role = value.get("type");
        let role = if role.is_string() { role } else { value.get("role") };
        let content = value.get("content");
        let content = if content.is_some() { content } else { value.get("parts") };
        let mut cwd = None;
        let turns = match role.inside() {
            b"user" => {
                let text = texts(content, cut::HUMAN).join("\n");
                cwd = workspace(&text);
                let shown = texts(value.get("displayContent"), cut::HUMAN).join("\n");
                user_turn(&text, &shown, record).into_iter().collect()
            }
            b"gemini" | b"model" => agent_turns(value, content, record),
            b"info" => notice(&texts(content, cut::RESULT).join("\n"), record).into_iter().collect(),
            b"error" => {
                vec![record.agent(Manner::Failed, &texts(content, cut::RESULT).join("\n"))]
            }
            _ => Vec::new(),
        };
        Self { id, turns, cwd }
    }
}

/// The first workspace folder in the `<session_context>` that opens a session.
fn workspace(text: &str) -> Option<String> {
    let context = text.trim_start().strip_prefix("<session_context>")?.split_once("Workspace Directories:")?.1;
    let line = context.lines().nth(1)?;
    line.trim().strip_prefix("- ").map(|folder| folder.trim().to_owned())
}

/// The person's words; where files were expanded into them, what the screen showed. Rows without text are
/// tool results, which stand in the agent's message too.
fn user_turn(text: &str, shown: &str, record: Record<'_>) -> Option<Turn> {
    let text = if shown.trim().is_empty() { text } else { shown };
    if text.trim().is_empty() {
        return None;
    }
    Some(if is_command(text.trim()) { record.injected(Manner::Plain, text) } else { record.prompt(Host::Gemini, text) })
}

/// Whether the text only steers the client: `/stats`, `?`. A path is none.
fn is_command(text: &str) -> bool {
    let name = text.strip_prefix('/').and_then(|rest| rest.split_whitespace().next());
    text == "?" || name.is_some_and(|name| name.chars().all(|c| c.is_alphanumeric() || c == '-'))
}

fn agent_turns(value: Value<'_>, content: Value<'_>, record: Record<'_>) -> Vec<Turn> {
    let text = texts(content, cut::AGENT).join("\n");
    let mut turns = Vec::new();
    if !text.trim().is_empty() {
        turns.push(record.agent(Manner::Plain, &text));
    }
    for call in value.get("toolCalls").items() {
        let name = call.get("name").text().unwrap_or_default();
        turns.push(record.call(&name, call.get("args")));
        turns.extend(result_turn(call, record));
    }
    turns
}

fn result_turn(call: Value<'_>, record: Record<'_>) -> Option<Turn> {
    let shown = call.get("resultDisplay").text_up_to(cut::RESULT);
    let results = call.get("result").items();
    let response = results.first().map(|result| result.get("functionResponse").get("response"));
    let returned = response.and_then(|response| {
        let output = response.get("output").text_up_to(cut::RESULT);
        output.or_else(|| response.get("error").text_up_to(cut::RESULT))
    });
    let text = returned.or(shown).unwrap_or_default();
    match call.get("status").inside() {
        b"success" => Some(record.result(Manner::Plain, &text)),
        b"error" => Some(record.result(Manner::Failed, &text)),
        b"cancelled" => {
            let text = if text.is_empty() { "cancelled by the person" } else { &text };
            Some(record.injected(Manner::Rejection, text))
        }
        _ => None,
    }
}

fn notice(text: &str, record: Record<'_>) -> Option<Turn> {
    text.starts_with("Request cancelled").then(|| record.injected(Manner::Interrupt, text))
}

#[cfg(test)]
#[path = "gemini_tests.rs"]
mod tests;
