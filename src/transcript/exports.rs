//! What ChatGPT and Claude.ai hand out: one JSON list of all conversations.
//!
//! ChatGPT's is a tree of which only the branch to `current_node` is read; Claude.ai's a list, in which a second
//! prompt under the same parent means that the first was rewritten. A line is the message's place in its
//! conversation.

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

use chrono::{DateTime, Utc};

use super::draft::{Draft, Record, time};
use super::further::owned;
use super::json::{Cursor, Malformed, Value};
use super::{Host, Manner, Reading, Session, Turn, cut, whole};
use crate::error::{Error, ErrorKind, Result};

/// Reads ChatGPT's `conversations.json`, or one conversation of it.
pub(super) fn read_chatgpt(reader: impl Read, path: &Path, modified: DateTime<Utc>) -> Result<Reading> {
    read(reader, path, |conversation| chatgpt(conversation).finish(Host::Chatgpt, path, modified))
}

/// Reads Claude.ai's `conversations.json`, or one conversation of it.
pub(super) fn read_claude_ai(reader: impl Read, path: &Path, modified: DateTime<Utc>) -> Result<Reading> {
    read(reader, path, |conversation| claude_ai(conversation).finish(Host::ClaudeAi, path, modified))
}

fn read(reader: impl Read, path: &Path, session: impl Fn(Value<'_>) -> Session) -> Result<Reading> {
    let bytes = whole::bytes(reader, path)?;
    let value = Cursor::new(&bytes).value().map_err(|Malformed| {
        let message = "this file is no valid JSON, or was cut off";
        Error::new(ErrorKind::Transcript, message).at(path)
    })?;
    let sessions =
        if value.is_array() { value.items().into_iter().map(session).collect() } else { vec![session(value)] };
    Ok(Reading { sessions, problems: Vec::new() })
}

fn chatgpt(conversation: Value<'_>) -> Draft {
    let mut draft = Draft::default();
    let id = owned(conversation.get("conversation_id"));
    draft.id = id.or_else(|| owned(conversation.get("id")));
    draft.started = seconds(conversation.get("create_time"));
    let mut nodes: HashMap<Vec<u8>, Value<'_>> = HashMap::new();
    let _ = conversation.get("mapping").cursor().object(|key, at| {
        nodes.insert(key.to_vec(), at.value()?);
        Ok(())
    });
    let mut branch = Vec::new();
    let mut place = conversation.get("current_node");
    // Taken out of the map, so that a circle ends.
    while let Some(node) = nodes.remove(place.inside()) {
        branch.push(node.get("message"));
        place = node.get("parent");
    }
    let messages = branch.into_iter().rev().filter(|message| message.is_some());
    for (line, message) in (1..).zip(messages) {
        let turn = chatgpt_turn(message);
        draft.turns.extend(turn.map(|turn| Turn { line, ..turn }));
    }
    draft
}

fn chatgpt_turn(message: Value<'_>) -> Option<Turn> {
    let id = owned(message.get("id"));
    let record = Record { id: id.as_deref(), time: seconds(message.get("create_time")) };
    let content = message.get("content");
    let kind = content.get("content_type");
    let is_hidden = message.get("metadata").get("is_visually_hidden_from_conversation").is_true();
    let text = |limit: usize| {
        let parts = content.get("parts").items().into_iter();
        let said: Vec<_> = parts.filter_map(|part| part.text_up_to(limit)).collect();
        said.join("\n")
    };
    match message.get("author").get("role").inside() {
        b"user" if is_hidden || kind.inside() == b"user_editable_context" => {
            Some(record.injected(Manner::Plain, "the person's standing instructions"))
        }
        b"user" => {
            let text = text(cut::HUMAN);
            (!text.trim().is_empty()).then(|| record.prompt(Host::Chatgpt, &text))
        }
        b"assistant" => {
            let recipient = message.get("recipient").text().unwrap_or_default();
            if !matches!(&*recipient, "" | "all") {
                let input = content.get("text");
                return Some(record.call(&recipient, input));
            }
            let is_said = matches!(kind.inside(), b"text" | b"multimodal_text");
            let text = text(cut::AGENT);
            (is_said && !text.trim().is_empty()).then(|| record.agent(Manner::Plain, &text))
        }
        b"tool" if !is_hidden => Some(record.result(Manner::Plain, &text(cut::RESULT))),
        _ => None,
    }
}

/// A time in seconds since 1970, with a fraction.
fn seconds(value: Value<'_>) -> Option<DateTime<Utc>> {
    #[allow(clippy::cast_possible_truncation, reason = "milliseconds; out of range gives no time")]
    value
        .number()
        .filter(|seconds| *seconds > 0.0)
        .and_then(|seconds| DateTime::from_timestamp_millis((seconds * 1000.0).round() as i64))
}

fn claude_ai(conversation: Value<'_>) -> Draft {
    let mut draft = Draft::default();
    draft.id = owned(conversation.get("uuid"));
    draft.started = time(conversation.get("created_at"));
    for (line, message) in (1..).zip(conversation.get("chat_messages").items()) {
        let id = owned(message.get("uuid"));
        let record = Record { id: id.as_deref(), time: time(message.get("created_at")) };
        match message.get("sender").inside() {
            b"human" => {
                let text = said(message, cut::HUMAN);
                if !text.trim().is_empty() {
                    let turn = record.prompt(Host::ClaudeAi, &text);
                    let parent = owned(message.get("parent_message_uuid"));
                    draft.push_prompt(parent.as_deref(), Turn { line, ..turn });
                }
            }
            b"assistant" => {
                let turns = claude_ai_turns(message, record).into_iter();
                draft.turns.extend(turns.map(|turn| Turn { line, ..turn }));
            }
            _ => {}
        }
    }
    draft
}

/// The text blocks of a message; the top-level text where there are none. Attachments are no speech.
fn said(message: Value<'_>, limit: usize) -> String {
    let blocks = message.get("content").items().into_iter();
    let texts = blocks.filter(|block| block.get("type").inside() == b"text");
    let words: Vec<_> = texts.filter_map(|block| block.get("text").text_up_to(limit)).collect();
    if words.is_empty() {
        let text = message.get("text").text_up_to(limit);
        return text.unwrap_or_default().into_owned();
    }
    words.join("\n")
}

fn claude_ai_turns(message: Value<'_>, record: Record<'_>) -> Vec<Turn> {
    let text = said(message, cut::AGENT);
    let mut turns = Vec::new();
    if !text.trim().is_empty() {
        turns.push(record.agent(Manner::Plain, &text));
    }
    for block in message.get("content").items() {
        match block.get("type").inside() {
            b"tool_use" => {
                let name = block.get("name").text().unwrap_or_default();
                turns.push(record.call(&name, block.get("input")));
            }
            b"tool_result" => {
                let text = super::draft::texts(block.get("content"), cut::RESULT).join("\n");
                let manner = if block.get("is_error").is_true() { Manner::Failed } else { Manner::Plain };
                turns.push(record.result(manner, &text));
            }
            _ => {}
        }
    }
    turns
}

#[cfg(test)]
#[path = "exports_tests.rs"]
mod tests;
