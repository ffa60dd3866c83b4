//! Claude Code: one JSONL file a session, one row a message block, the tree in `parentUuid`.
//!
//! The file is read in its own order, since compaction cuts the tree and old versions leave parents out; the
//! tree only tells where the person rewrote a prompt. Human words stand in more places than `user` rows:
//! in rejections of tool calls, in answers to the agent's questions, in prompts queued while it worked, behind
//! slash commands and in `#` notes. Forms by version: reference notes, section 1.

mod fields;

use std::borrow::Cow;
use std::io::Read;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};

use self::fields::{Block, Fields};
use super::draft::{Draft, Record, texts, time};
use super::envelope::{self, Rejection};
use super::json::{Malformed, Value};
use super::lines::each_row;
use super::{Host, Manner, Reading, Speaker, Turn, cut};
use crate::error::Result;

/// Reads one file.
pub(super) fn read(reader: impl Read + Send, path: &Path, modified: DateTime<Utc>) -> Result<Reading> {
    let (mut draft, mut problems) = (Draft::default(), Vec::new());
    each_row(reader, path, &mut problems, parse, |line, row: Row| take(&mut draft, line, row))?;
    Ok(Reading { sessions: vec![draft.finish(Host::ClaudeCode, path, modified)], problems })
}

/// What a line gives.
#[derive(Default)]
struct Row {
    turns: Vec<Turn>,
    uuid: Option<String>,
    parent: Option<String>,
    session: Option<String>,
    cwd: Option<String>,
    time: Option<DateTime<Utc>>,
}

fn take(draft: &mut Draft, line: u32, row: Row) {
    draft.id = draft.id.take().or(row.session);
    draft.cwd = draft.cwd.take().or(row.cwd.map(PathBuf::from));
    draft.started = draft.started.or(row.time);
    if row.turns.is_empty() || row.uuid.is_some_and(|uuid| !draft.is_new(&uuid)) {
        return;
    }
    for mut turn in row.turns {
        turn.line = line;
        let is_prompt = turn.speaker == Speaker::Human && turn.manner == Manner::Plain;
        draft.push_prompt(row.parent.as_deref().filter(|_| is_prompt), turn);
    }
}

fn parse(line: &[u8]) -> std::result::Result<Option<Row>, Malformed> {
    let fields = Fields::of(line)?;
    let owned = |value: Value<'_>| value.text().map(Cow::into_owned);
    let mut row = Row { session: owned(fields.session), cwd: owned(fields.cwd), ..Row::default() };
    let kind = fields.kind.text().unwrap_or_default();
    if !matches!(&*kind, "user" | "assistant" | "system" | "attachment") {
        row.time = time(fields.time);
        return Ok(Some(row));
    }
    row.time = time(fields.time);
    row.uuid = owned(fields.uuid);
    row.parent = owned(fields.parent);
    let record = Record { id: row.uuid.as_deref(), time: row.time };
    row.turns = match &*kind {
        "user" => user_turns(&fields, record),
        "assistant" => agent_turns(&fields, record),
        "system" => notice_turns(&fields, record),
        _ => queued_turns(&fields, record),
    };
    Ok(Some(row))
}

fn user_turns(fields: &Fields<'_>, record: Record<'_>) -> Vec<Turn> {
    let results = fields.blocks.iter().filter(|block| block.kind.inside() == b"tool_result");
    let mut turns: Vec<Turn> = Vec::new();
    if !fields.is_sidechain.is_true() {
        turns.extend(results.clone().map(|block| result_turn(block, fields.answers, record)));
    }
    let mut parts: Vec<Cow<'_, str>> = Vec::new();
    parts.extend(fields.text.text_up_to(cut::HUMAN));
    parts.extend(fields.blocks.iter().filter_map(|block| block.text.text_up_to(cut::HUMAN)));
    let is_injected = results.count() > 0
        || [fields.is_meta, fields.is_sidechain, fields.is_summary, fields.is_hidden].into_iter().any(Value::is_true)
        || is_sent_by_machine(fields.prompt_source, fields.origin);
    if is_injected {
        turns.extend(parts.first().map(|part| record.injected(injected_manner(part), part)));
        return turns;
    }
    let is_queued = fields.prompt_source.inside() == b"queued";
    let manner = if is_queued { Manner::Queued } else { Manner::Plain };
    turns.extend(prompt_turns(&parts, manner, record));
    turns
}

/// The prompt in the parts of a message; one injected turn where no part holds words of the person.
fn prompt_turns(parts: &[Cow<'_, str>], manner: Manner, record: Record<'_>) -> Option<Turn> {
    let mut words: Vec<String> = Vec::new();
    let mut injected = None;
    for part in parts {
        let turn = part_turn(part, manner, record);
        if turn.speaker != Speaker::Human {
            injected = injected.or(Some(turn));
        } else if turn.manner == manner {
            words.push(turn.text);
        } else {
            return Some(turn);
        }
    }
    if words.is_empty() { injected } else { Some(record.human(manner, &words.join("\n"))) }
}

pub(super) fn part_turn(part: &str, manner: Manner, record: Record<'_>) -> Turn {
    if envelope::is_interrupt(part) {
        return record.injected(Manner::Interrupt, part);
    }
    let start = part.trim_start();
    if start.starts_with("<command-name>") || start.starts_with("<command-message>") {
        let arguments = between(part, "<command-args>", "</command-args>").unwrap_or_default();
        return match () {
            () if is_clear(part) => record.injected(Manner::Boundary, part),
            () if arguments.is_empty() => record.injected(Manner::Plain, part),
            () => record.human(Manner::Argument, arguments),
        };
    }
    if let Some(note) = between(part, "<user-memory-input>", "</user-memory-input>") {
        return record.human(Manner::Note, note);
    }
    let stripped = envelope::strip(Host::ClaudeCode, part);
    match stripped.words.strip_prefix("# ") {
        _ if stripped.machine => record.injected(Manner::Plain, part),
        Some(note) if !note.contains('\n') => record.human(Manner::Note, note.trim()),
        _ => record.human(manner, &stripped.words),
    }
}

fn result_turn(block: &Block<'_>, answers: Value<'_>, record: Record<'_>) -> Turn {
    let limit = if block.is_error.is_true() { cut::HUMAN } else { cut::RESULT };
    let text = texts(block.content, limit).join("\n");
    if block.is_error.is_true() {
        return match envelope::rejection(&text) {
            Some(Rejection::Words(words)) => record.human(Manner::Rejection, &words),
            Some(Rejection::Silent) => record.injected(Manner::Rejection, &text),
            None => record.result(Manner::Failed, &text),
        };
    }
    if envelope::answers(&text).is_some() {
        let whole = texts(block.content, cut::HUMAN).join("\n");
        let words = answer_words(answers, envelope::answers(&whole).unwrap_or_default());
        if !words.is_empty() {
            return record.human(Manner::Answer, &words);
        }
    }
    record.result(Manner::Plain, &text)
}

/// The answers of the person, one a line: from the structured result, else from `"question"="answer"` pairs.
pub(super) fn answer_words(answers: Value<'_>, text: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    let _ = answers.cursor().object(|_, at| {
        let value = at.value()?;
        words.extend(value.text().map(Cow::into_owned));
        words.extend(value.items().into_iter().filter_map(Value::text).map(Cow::into_owned));
        Ok(())
    });
    if words.is_empty() {
        let after_each = text.split("\"=\"").skip(1);
        words.extend(after_each.filter_map(|rest| rest.split('"').next()).map(str::to_owned));
    }
    words.join("\n").trim().to_owned()
}

fn agent_turns(fields: &Fields<'_>, record: Record<'_>) -> Vec<Turn> {
    if fields.is_sidechain.is_true() {
        return Vec::new();
    }
    // Claude Code's own texts: errors, and a fixed line where nothing was asked.
    let is_local = fields.is_api_error.is_true() || fields.model.inside() == b"<synthetic>";
    let manner = if is_local { Manner::Failed } else { Manner::Plain };
    let mut turns = Vec::new();
    turns.extend(fields.text.text_up_to(cut::AGENT).map(|text| record.agent(manner, &text)));
    for block in &fields.blocks {
        match block.kind.inside() {
            b"text" => turns.extend(block.text.text_up_to(cut::AGENT).map(|text| record.agent(manner, &text))),
            b"tool_use" => turns.push(record.call(&block.name.text().unwrap_or_default(), block.input)),
            _ => {}
        }
    }
    turns.retain(|turn| {
        let says_nothing = is_local && turn.text == "No response requested.";
        !turn.text.is_empty() && !says_nothing
    });
    turns
}

/// System rows: a failed request, and slash commands where the version writes them here.
fn notice_turns(fields: &Fields<'_>, record: Record<'_>) -> Vec<Turn> {
    let text = fields.notice.text_up_to(cut::HUMAN).unwrap_or_default();
    match fields.subtype.inside() {
        b"api_error" => vec![record.agent(Manner::Failed, &text)],
        b"local_command" if text.trim_start().starts_with("<command-") => {
            vec![part_turn(&text, Manner::Plain, record)]
        }
        _ => Vec::new(),
    }
}

/// A prompt typed while the agent worked; it stands in no `user` row.
fn queued_turns(fields: &Fields<'_>, record: Record<'_>) -> Vec<Turn> {
    let attachment = fields.attachment;
    if attachment.get("type").inside() != b"queued_command" || fields.is_sidechain.is_true() {
        return Vec::new();
    }
    let parts: Vec<_> = texts(attachment.get("prompt"), cut::HUMAN).into_iter().map(Cow::Owned).collect();
    let mode = attachment.get("commandMode");
    let is_typed = !mode.is_some() || mode.inside() == b"prompt";
    if !is_typed || fields.is_meta.is_true() || is_sent_by_machine(Value::default(), attachment.get("origin")) {
        return parts.first().map(|part| record.injected(Manner::Plain, part)).into_iter().collect();
    }
    prompt_turns(&parts, Manner::Queued, record).into_iter().collect()
}

/// What versions from 2.1.2xx on say themselves about who wrote a prompt; older ones say nothing.
fn is_sent_by_machine(source: Value<'_>, origin: Value<'_>) -> bool {
    let kind = origin.get("kind");
    source.inside() == b"system" || (kind.is_some() && kind.inside() != b"human")
}

fn injected_manner(text: &str) -> Manner {
    if envelope::is_interrupt(text) { Manner::Interrupt } else { Manner::Plain }
}

fn is_clear(command: &str) -> bool {
    between(command, "<command-name>", "</command-name>").is_some_and(|name| name.trim_start_matches('/') == "clear")
}

fn between<'a>(text: &'a str, open: &str, close: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(open)?;
    rest.split_once(close).map(|(inside, _)| inside.trim())
}

#[cfg(test)]
#[path = "claude_code_tests.rs"]
mod tests;
