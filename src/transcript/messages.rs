//! Conversations from anywhere: OpenAI's messages and ShareGPT's turns, as JSONL or as one JSON file.
//!
//! No times and no ids of single messages; the file's modification time stands in. In JSONL a line holds one
//! conversation (or, in plain logs, one message of the only conversation) and is the line of its turns; in a
//! whole file the line is the message's place in its conversation.

use std::io::Read;
use std::path::Path;

use chrono::{DateTime, Utc};

use super::draft::{Draft, Record, stem, texts};
use super::json::{Cursor, Malformed, Value};
use super::lines::each_row;
use super::{Host, Manner, Reading, Session, Speaker, Turn, cut, envelope};
use crate::error::{Error, ErrorKind, Problem, Result};

/// The largest whole-file JSON that is read, in bytes: it has to be held in memory.
const LARGEST_FILE: usize = 96 << 20;

/// Reads a file with a conversation, or a message, on each line.
pub(super) fn read_lines(reader: impl Read + Send, path: &Path, modified: DateTime<Utc>) -> Result<Reading> {
    let mut reading = Reading::default();
    let mut log = Draft::default();
    each_row(reader, path, &mut reading.problems, parse, |line, row| match row {
        Row::Conversation(mut found) => {
            found.turns.iter_mut().for_each(|turn| turn.line = line);
            let place = format!("{}#{line}", stem(path));
            reading.sessions.push(found.session(place, path, modified));
        }
        Row::Message(turns) => log.turns.extend(turns.into_iter().map(|turn| Turn { line, ..turn })),
    })?;
    if !log.turns.is_empty() {
        reading.sessions.push(log.finish(Host::Openai, path, modified));
    }
    Ok(reading)
}

/// Reads a file that is one JSON value: a conversation, or a list of them. One that turns out to have more
/// values is read as lines.
pub(super) fn read_whole(reader: impl Read, path: &Path, modified: DateTime<Utc>) -> Result<Reading> {
    let mut bytes = Vec::new();
    let limit = LARGEST_FILE as u64 + 1;
    reader.take(limit).read_to_end(&mut bytes).map_err(|error| Error::io("read the transcript", path, error))?;
    let broken = |message: &str| Error::new(ErrorKind::Transcript, message).at(path);
    if bytes.len() > LARGEST_FILE {
        let message = format!("a JSON file of more than {} MiB; JSONL can be of any size", LARGEST_FILE >> 20);
        return Err(broken(&message));
    }
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
    let mut cursor = Cursor::new(text);
    let value = cursor.value().map_err(|Malformed| broken("this file is no valid JSON, or was cut off"))?;
    if !cursor.at_end() {
        return read_lines(text, path, modified);
    }
    let mut reading = Reading::default();
    if let Some(found) = conversation(value) {
        let session = found.session(stem(path), path, modified);
        reading.sessions.push(session);
        return Ok(reading);
    }
    for (number, item) in (1..).zip(value.items()) {
        if let Some(found) = conversation(item) {
            let place = format!("{}#{number}", stem(path));
            reading.sessions.push(found.session(place, path, modified));
        } else {
            let (path, what) = (path.to_path_buf(), format!("item {number} holds no conversation"));
            reading.problems.push(Problem { path, line: None, what });
        }
    }
    if reading.sessions.is_empty() {
        let message = "this JSON file holds no conversation";
        return Err(Error::new(ErrorKind::UnknownFormat, message).at(path));
    }
    Ok(reading)
}

enum Row {
    Conversation(Conversation),
    Message(Vec<Turn>),
}

struct Conversation {
    host: Host,
    id: Option<String>,
    turns: Vec<Turn>,
}

impl Conversation {
    fn session(self, place: String, path: &Path, modified: DateTime<Utc>) -> Session {
        let mut draft = Draft::default();
        draft.id = self.id.or(Some(place));
        draft.turns = self.turns;
        draft.finish(self.host, path, modified)
    }
}

fn parse(line: &[u8]) -> std::result::Result<Option<Row>, Malformed> {
    let mut cursor = Cursor::new(line);
    let value = cursor.value()?;
    if !cursor.at_end() {
        return Err(Malformed);
    }
    let message = || value.get("role").is_string().then(|| Row::Message(openai_turns(value)));
    Ok(conversation(value).map(Row::Conversation).or_else(message))
}

/// The conversation in a value: `{messages}`, `{conversations}`, or a bare list of messages.
fn conversation(value: Value<'_>) -> Option<Conversation> {
    let id = value.get("id").text().map(|id| id.into_owned());
    let (messages, exchanges) = (value.get("messages"), value.get("conversations"));
    if messages.is_array() {
        return Some(from_messages(Host::Openai, id, messages, openai_turns));
    }
    if exchanges.is_array() {
        return Some(from_messages(Host::Sharegpt, id, exchanges, sharegpt_turns));
    }
    let is_list = value.items().first().is_some_and(|first| first.get("role").is_string());
    is_list.then(|| from_messages(Host::Openai, None, value, openai_turns))
}

fn from_messages(host: Host, id: Option<String>, list: Value<'_>, turns: fn(Value<'_>) -> Vec<Turn>) -> Conversation {
    let numbered = (1_u32..).zip(list.items());
    let turns = numbered.flat_map(|(line, message)| turns(message).into_iter().map(move |turn| Turn { line, ..turn }));
    Conversation { host, id, turns: turns.collect() }
}

/// What a message has neither of.
const RECORD: Record<'static> = Record { id: None, time: None };

fn openai_turns(message: Value<'_>) -> Vec<Turn> {
    let content = message.get("content");
    match message.get("role").inside() {
        b"user" | b"human" => prompt(Host::Openai, &texts(content, cut::HUMAN).join("\n")),
        b"assistant" => {
            let mut turns = answer(&texts(content, cut::AGENT).join("\n"));
            for call in message.get("tool_calls").items() {
                let function = call.get("function");
                turns.push(RECORD.call(&function.get("name").text().unwrap_or_default(), function.get("arguments")));
            }
            turns
        }
        b"tool" | b"function" => {
            vec![RECORD.result(Manner::Plain, &texts(content, cut::RESULT).join("\n"))]
        }
        _ => injected(&texts(content, cut::INJECTED).join("\n")),
    }
}

fn sharegpt_turns(message: Value<'_>) -> Vec<Turn> {
    let text = |limit| texts(message.get("value"), limit).join("\n");
    match message.get("from").inside() {
        b"human" | b"user" => prompt(Host::Sharegpt, &text(cut::HUMAN)),
        b"gpt" | b"assistant" | b"chatgpt" | b"bard" | b"bing" => answer(&text(cut::AGENT)),
        b"function_call" => vec![Turn {
            speaker: Speaker::Agent,
            manner: Manner::Call,
            ..RECORD.result(Manner::Plain, &text(cut::ARGUMENTS))
        }],
        b"tool" | b"observation" => vec![RECORD.result(Manner::Plain, &text(cut::RESULT))],
        _ => injected(&text(cut::INJECTED)),
    }
}

fn prompt(host: Host, text: &str) -> Vec<Turn> {
    let stripped = envelope::strip(host, text);
    if stripped.machine {
        return injected(text);
    }
    vec![RECORD.human(Manner::Plain, &stripped.words)]
}

fn answer(text: &str) -> Vec<Turn> {
    if text.trim().is_empty() { Vec::new() } else { vec![RECORD.agent(Manner::Plain, text)] }
}

fn injected(text: &str) -> Vec<Turn> {
    if text.trim().is_empty() { Vec::new() } else { vec![RECORD.injected(Manner::Plain, text)] }
}

#[cfg(test)]
#[path = "messages_tests.rs"]
mod tests;
