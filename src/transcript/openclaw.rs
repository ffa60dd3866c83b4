//! OpenClaw, and pi, whose session format it took over: JSONL, one file a session.
//!
//! The same rows stand in OpenClaw's database, see [`super::openclaw_store`]; both containers share [`parse`]
//! and [`Rows`]. Rows are read in their own order: a strict walk from the last row to the root would lose one
//! human row in thirteen, since gateway messages branch off by themselves.

use std::borrow::Cow;
use std::io::Read;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};

use super::draft::{Draft, Record, time};
use super::json::{Cursor, Malformed, Value};
use super::lines::each_row;
use super::{Host, Manner, Reading, Session, Speaker, Turn, cut, envelope};
use crate::error::Result;

/// Reads one file.
pub(super) fn read(reader: impl Read + Send, path: &Path, modified: DateTime<Utc>) -> Result<Reading> {
    let (mut rows, mut problems) = (Rows::default(), Vec::new());
    each_row(reader, path, &mut problems, parse, |line, row| rows.take(line, row))?;
    Ok(Reading { sessions: vec![rows.finish(path, modified)], problems })
}

/// The rows of one session, taken in their order.
#[derive(Default)]
pub(super) struct Rows {
    draft: Draft,
    is_dream: bool,
}

/// What a row gives.
pub(super) struct Row {
    what: What,
    id: Option<String>,
    parent: Option<String>,
    time: Option<DateTime<Utc>>,
}

enum What {
    Header {
        cwd: Option<String>,
    },
    Turns(Vec<Turn>),
    /// The person went back to the row with this id.
    BackTo(String),
    /// The session is one of OpenClaw's own, in which nobody speaks.
    Dream,
}

impl Rows {
    pub(super) fn take(&mut self, line: u32, row: Row) {
        self.draft.started = self.draft.started.or(row.time);
        match row.what {
            What::Header { cwd } => {
                self.draft.id = self.draft.id.take().or(row.id);
                self.draft.cwd = self.draft.cwd.take().or(cwd.map(PathBuf::from));
            }
            What::Dream => self.is_dream = true,
            What::BackTo(record) => {
                let found = self.draft.turns.iter().rposition(|turn| turn.record.as_ref() == Some(&record));
                if let Some(index) = found {
                    self.draft.push_rollback_to(index + 1, row.time);
                }
            }
            What::Turns(turns) => {
                if turns.is_empty() || row.id.is_some_and(|id| !self.draft.is_new(&id)) {
                    return;
                }
                for (index, mut turn) in turns.into_iter().enumerate() {
                    turn.line = line;
                    let is_prompt = turn.speaker == Speaker::Human && index == 0;
                    self.draft.push_prompt(row.parent.as_deref().filter(|_| is_prompt), turn);
                }
            }
        }
    }

    pub(super) fn finish(mut self, path: &Path, modified: DateTime<Utc>) -> Session {
        if self.is_dream {
            for turn in self.draft.turns.iter_mut().filter(|turn| turn.speaker == Speaker::Human) {
                turn.speaker = Speaker::Injected;
                turn.manner = Manner::Plain;
            }
        }
        self.draft.finish(Host::Openclaw, path, modified)
    }

    /// Sets the session's id where the container knows it.
    pub(super) fn name(&mut self, id: &str) {
        self.draft.id = Some(id.to_owned());
    }
}

/// The fields of a row that are looked at.
#[derive(Default)]
struct Fields<'a> {
    kind: Value<'a>,
    id: Value<'a>,
    parent: Value<'a>,
    time: Value<'a>,
    cwd: Value<'a>,
    custom: Value<'a>,
    data: Value<'a>,
    target: Value<'a>,
    append_mode: Value<'a>,
    message: Message<'a>,
}

/// The fields of a message that are looked at.
#[derive(Default)]
struct Message<'a> {
    role: Value<'a>,
    /// The content where it is a string.
    text: Value<'a>,
    /// The content where it is a list.
    blocks: Vec<Block<'a>>,
    provenance: Value<'a>,
    provider: Value<'a>,
    model: Value<'a>,
    stop_reason: Value<'a>,
    error: Value<'a>,
    is_error: Value<'a>,
    /// The status in the details of a tool's result.
    status: Value<'a>,
    command: Value<'a>,
    output: Value<'a>,
}

/// One block of a message's content; a string in the place of one is its text.
#[derive(Default)]
struct Block<'a> {
    kind: Value<'a>,
    text: Value<'a>,
    name: Value<'a>,
    arguments: Value<'a>,
}

/// Reads a row; `None` for those that say nothing about the conversation.
pub(super) fn parse(line: &[u8]) -> std::result::Result<Option<Row>, Malformed> {
    let fields = fields(line)?;
    let owned = |value: Value<'_>| value.text().map(Cow::into_owned);
    let id = owned(fields.id);
    let at = time(fields.time);
    let record = Record { id: id.as_deref(), time: at };
    let what = match fields.kind.inside() {
        b"session" => What::Header { cwd: owned(fields.cwd) },
        b"message" => What::Turns(message_turns(&fields.message, record)),
        b"reset" => What::Turns(vec![record.injected(Manner::Boundary, "reset")]),
        b"leaf" if fields.append_mode.inside() != b"side" => match owned(fields.target) {
            Some(target) => What::BackTo(target),
            None => return Ok(None),
        },
        b"custom" => match custom(&fields, record) {
            Some(what) => what,
            None => return Ok(None),
        },
        _ => return Ok(None),
    };
    Ok(Some(Row { what, parent: owned(fields.parent), time: at, id }))
}

fn fields(line: &[u8]) -> std::result::Result<Fields<'_>, Malformed> {
    let mut found = Fields::default();
    let mut cursor = Cursor::new(line);
    cursor.object(|key, at| {
        let field = match key {
            b"type" => &mut found.kind,
            b"id" => &mut found.id,
            b"parentId" => &mut found.parent,
            b"timestamp" => &mut found.time,
            b"cwd" => &mut found.cwd,
            b"customType" => &mut found.custom,
            b"data" => &mut found.data,
            b"targetId" => &mut found.target,
            b"appendMode" => &mut found.append_mode,
            b"message" => return found.message.take(at),
            _ => return at.skip(),
        };
        *field = at.value()?;
        Ok(())
    })?;
    if cursor.at_end() { Ok(found) } else { Err(Malformed) }
}

fn custom(fields: &Fields<'_>, record: Record<'_>) -> Option<What> {
    match fields.custom.inside() {
        b"openclaw:prompt-error" => {
            let error = fields.data.get("error").text_up_to(cut::RESULT).unwrap_or_default();
            Some(What::Turns(vec![record.agent(Manner::Failed, &error)]))
        }
        b"openclaw:bootstrap-context:full" => {
            let run = fields.data.get("runId");
            run.inside().starts_with(b"dreaming-narrative-").then_some(What::Dream)
        }
        _ => None,
    }
}

impl<'a> Message<'a> {
    /// Steps into a message, in the pass over its row.
    fn take(&mut self, at: &mut Cursor<'a>) -> std::result::Result<(), Malformed> {
        at.object(|key, at| {
            let field = match key {
                b"role" => &mut self.role,
                b"content" => return self.take_content(at),
                b"provenance" => &mut self.provenance,
                b"provider" => &mut self.provider,
                b"model" => &mut self.model,
                b"stopReason" => &mut self.stop_reason,
                b"errorMessage" => &mut self.error,
                b"isError" => &mut self.is_error,
                b"details" => {
                    return at.object(|key, at| match key {
                        b"status" => at.value().map(|value| self.status = value),
                        _ => at.skip(),
                    });
                }
                b"command" => &mut self.command,
                b"output" => &mut self.output,
                _ => return at.skip(),
            };
            *field = at.value()?;
            Ok(())
        })
    }

    fn take_content(&mut self, at: &mut Cursor<'a>) -> std::result::Result<(), Malformed> {
        self.blocks.clear();
        self.text = Value::default();
        if at.peek() != Some(b'[') {
            self.text = at.value()?;
            return Ok(());
        }
        at.array(|at| {
            self.blocks.push(Block::at(at)?);
            Ok(())
        })
    }

    /// The texts in it, each up to `limit` bytes, in lines of their own.
    fn texts(&self, limit: usize) -> String {
        let blocks = self.blocks.iter().map(|block| block.text);
        let texts = std::iter::once(self.text).chain(blocks).filter_map(|text| text.text_up_to(limit));
        let mut all = String::new();
        for (index, text) in texts.enumerate() {
            if index > 0 {
                all.push('\n');
            }
            all.push_str(&text);
        }
        all
    }
}

impl<'a> Block<'a> {
    fn at(at: &mut Cursor<'a>) -> std::result::Result<Self, Malformed> {
        let mut block = Self::default();
        if at.peek() == Some(b'"') {
            block.text = at.value()?;
            return Ok(block);
        }
        at.object(|key, at| {
            let field = match key {
                b"type" => &mut block.kind,
                b"text" => &mut block.text,
                b"name" => &mut block.name,
                b"arguments" => &mut block.arguments,
                _ => return at.skip(),
            };
            *field = at.value()?;
            Ok(())
        })?;
        Ok(block)
    }

    /// What it says or calls, in the agent's message.
    fn turn(&self, manner: Manner, record: Record<'_>) -> Option<Turn> {
        match self.kind.inside() {
            b"text" => {
                let text = self.text.text_up_to(cut::AGENT).unwrap_or_default();
                spoken(&text).map(|words| record.agent(manner, &words))
            }
            b"toolCall" => Some(record.call(&self.name.text().unwrap_or_default(), self.arguments)),
            _ => None,
        }
    }
}

fn message_turns(message: &Message<'_>, record: Record<'_>) -> Vec<Turn> {
    match message.role.inside() {
        b"user" => user_turns(message, record),
        b"assistant" => agent_turns(message, record),
        b"toolResult" => vec![result_turn(message, record)],
        b"bashExecution" => {
            let command = message.command.text_up_to(cut::ARGUMENTS).unwrap_or_default();
            let output = message.output.text_up_to(cut::RESULT).unwrap_or_default();
            vec![record.result(Manner::Plain, &format!("{command}\n{output}"))]
        }
        _ => Vec::new(),
    }
}

fn user_turns(message: &Message<'_>, record: Record<'_>) -> Vec<Turn> {
    let text = message.texts(cut::HUMAN);
    let kind = message.provenance.get("kind");
    if matches!(kind.inside(), b"inter_session" | b"internal_system") {
        return vec![record.injected(Manner::Plain, &text)];
    }
    let parts = envelope::split_queued(&text);
    let manner = if parts.len() > 1 { Manner::Queued } else { Manner::Plain };
    let turns = parts.into_iter().map(|part| {
        let stripped = envelope::strip(Host::Openclaw, part);
        if stripped.machine { record.injected(Manner::Plain, part) } else { record.human(manner, &stripped.words) }
    });
    turns.collect()
}

fn agent_turns(message: &Message<'_>, record: Record<'_>) -> Vec<Turn> {
    // Errors and aborts that the gateway tells the person, not the model's words.
    if message.provider.inside() == b"openclaw" && message.model.inside() == b"gateway-injected" {
        return Vec::new();
    }
    let is_failed = matches!(message.stop_reason.inside(), b"error" | b"aborted");
    let manner = if is_failed { Manner::Failed } else { Manner::Plain };
    let mut turns = Vec::new();
    let text = message.text.text_up_to(cut::AGENT);
    turns.extend(text.and_then(|text| spoken(&text)).map(|words| record.agent(manner, &words)));
    turns.extend(message.blocks.iter().filter_map(|block| block.turn(manner, record)));
    if is_failed && turns.is_empty() {
        turns.push(record.agent(Manner::Failed, &message.error.text_up_to(cut::RESULT).unwrap_or_default()));
    }
    turns
}

fn result_turn(message: &Message<'_>, record: Record<'_>) -> Turn {
    let text = message.texts(cut::RESULT);
    let says_error = message.status.inside() == b"error"
        || text.trim_start_matches(' ').starts_with('{') && text.replace(' ', "").starts_with("{\"status\":\"error\"")
        || text.starts_with("{\n  \"status\": \"error\"");
    let is_failed = message.is_error.is_true() || says_error;
    record.result(if is_failed { Manner::Failed } else { Manner::Plain }, &text)
}

/// The agent's words without OpenClaw's directions for delivery; `None` where it chose to say nothing.
fn spoken(text: &str) -> Option<String> {
    let mut words = Cow::Borrowed(text);
    if text.contains("MEDIA:") || text.contains('\r') {
        let lines = text.lines().filter(|line| !line.trim_start().starts_with("MEDIA:"));
        words = Cow::Owned(lines.collect::<Vec<_>>().join("\n"));
    }
    while words.contains("[[reply_to") {
        let Some((before, after)) = without_direction(&words) else { break };
        words = Cow::Owned(format!("{before}{after}"));
    }
    let mut words = words.trim();
    for token in ["HEARTBEAT_OK", "NO_REPLY", "no_reply"] {
        words = words.strip_suffix(token).unwrap_or(words).trim_end();
    }
    (!words.is_empty()).then(|| words.to_owned())
}

/// What stands before and behind a direction whom the answer goes to.
fn without_direction(words: &str) -> Option<(&str, &str)> {
    let (before, rest) = words.split_once("[[reply_to")?;
    let (_, after) = rest.split_once("]]")?;
    Some((before, after.trim_start()))
}

#[cfg(test)]
#[path = "openclaw_tests.rs"]
mod tests;
