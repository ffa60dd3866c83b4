//! Cursor's agent transcripts: JSONL of messages, or the plain text of older versions. Neither has times.
//!
//! What the person typed stands inside `<user_query>`; what stands around it was attached by the editor.

use std::borrow::Cow;
use std::io::Read;
use std::path::Path;

use chrono::{DateTime, Utc};

use super::draft::{Draft, Record, texts};
use super::further::query;
use super::json::{Cursor, Malformed, Value};
use super::lines::each_row;
use super::{Host, Manner, Reading, Turn, cut, whole};
use crate::error::Result;

/// Reads a JSONL transcript.
pub(super) fn read_lines(reader: impl Read + Send, path: &Path, modified: DateTime<Utc>) -> Result<Reading> {
    let (mut draft, mut problems) = (Draft::default(), Vec::new());
    draft.id = name(path);
    each_row(reader, path, &mut problems, parse, |line, turns: Vec<Turn>| {
        let turns = turns.into_iter().map(|turn| Turn { line, ..turn });
        draft.turns.extend(turns);
    })?;
    Ok(Reading { sessions: vec![draft.finish(Host::Cursor, path, modified)], problems })
}

/// The session's id is the file's name.
fn name(path: &Path) -> Option<String> {
    Some(path.file_stem()?.to_string_lossy().into_owned())
}

const RECORD: Record<'static> = Record { id: None, time: None };

fn parse(line: &[u8]) -> std::result::Result<Option<Vec<Turn>>, Malformed> {
    let mut cursor = Cursor::new(line);
    let value = cursor.value()?;
    if !cursor.at_end() {
        return Err(Malformed);
    }
    if value.get("type").inside() == b"turn_ended" {
        let status = value.get("status").text().unwrap_or_default();
        let is_stopped = matches!(&*status, "aborted" | "cancelled" | "canceled");
        let turn = is_stopped.then(|| RECORD.injected(Manner::Interrupt, &status));
        return Ok(turn.map(|turn| vec![turn]));
    }
    let content = value.get("message").get("content");
    Ok(Some(message_turns(value.get("role").inside(), content, RECORD)))
}

/// The turns of a message with text and tool blocks, as Cursor's JSONL and its `store.db` have them.
pub(super) fn message_turns(role: &[u8], content: Value<'_>, record: Record<'_>) -> Vec<Turn> {
    let mut turns = Vec::new();
    let blocks = content.items();
    let results = blocks.iter().filter(|block| matches!(block.get("type").inside(), b"tool_result" | b"tool-result"));
    for block in results {
        let text = texts(block.get("content"), cut::RESULT).join("\n");
        let whole = block.get("result").text_up_to(cut::RESULT);
        turns.push(record.result(Manner::Plain, &whole.unwrap_or(Cow::Owned(text))));
    }
    let said = |limit| {
        let is_text = |block: &&Value<'_>| block.get("type").inside() == b"text";
        let parts = blocks.iter().filter(is_text);
        let mut words: Vec<_> = parts.filter_map(|block| block.get("text").text_up_to(limit)).collect();
        words.extend(content.text_up_to(limit));
        words.join("\n")
    };
    match role {
        b"user" => {
            let text = said(cut::HUMAN);
            if !text.trim().is_empty() {
                turns.push(prompt(&text, record));
            }
        }
        b"assistant" => {
            let text = said(cut::AGENT);
            if !text.trim().is_empty() {
                turns.push(record.agent(Manner::Plain, &text));
            }
            for block in &blocks {
                if matches!(block.get("type").inside(), b"tool_use" | b"tool_call" | b"tool-call") {
                    let name = block.get("name").text();
                    let name = name.or_else(|| block.get("toolName").text());
                    let input = block.get("input");
                    let input = if input.is_some() { input } else { block.get("args") };
                    turns.push(record.call(&name.unwrap_or_default(), input));
                }
            }
        }
        _ => {}
    }
    turns
}

pub(super) fn prompt(text: &str, record: Record<'_>) -> Turn {
    record.prompt(Host::Cursor, &query(text))
}

/// Reads a text transcript: blocks under `user:` and `assistant:`, in the latter `[Tool call] name` and
/// `[Tool result] name` with indented arguments.
pub(super) fn read_text(reader: impl Read, path: &Path, modified: DateTime<Utc>) -> Result<Reading> {
    let text = whole::text(reader, path)?;
    let mut draft = Draft::default();
    draft.id = name(path);
    let blocks = whole::blocks(&text, |line| match line.text.trim_end() {
        "user:" => Some(true),
        "assistant:" => Some(false),
        _ => None,
    });
    for block in &blocks {
        let line = block.line;
        if block.header {
            let said = cut::clip(block.text.trim(), cut::HUMAN);
            if !said.is_empty() {
                let turn = prompt(said, RECORD);
                draft.turns.push(Turn { line, ..turn });
            }
            continue;
        }
        let mut words = String::new();
        for part in block.text.lines() {
            if let Some(name) = part.strip_prefix("[Tool call] ") {
                let turn = RECORD.agent(Manner::Call, name);
                draft.turns.push(Turn { line, ..turn });
            } else if !part.starts_with("[Tool result]")
                && !part.starts_with("[Thinking]")
                && !part.starts_with("  ")
                && words.len() < cut::AGENT
            {
                words.push_str(part);
                words.push('\n');
            }
        }
        if !words.trim().is_empty() {
            let turn = RECORD.agent(Manner::Plain, &words);
            draft.turns.push(Turn { line, ..turn });
        }
    }
    Ok(Reading { sessions: vec![draft.finish(Host::Cursor, path, modified)], problems: Vec::new() })
}

#[cfg(test)]
#[path = "cursor_tests.rs"]
mod tests;
