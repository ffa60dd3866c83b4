//! Cursor's databases: `store.db` of one agent chat, and the editor's `state.vscdb` with all composers.
//!
//! `store.db` has content-addressed blobs: the root (named in `meta`) lists the ids of the messages, each a
//! JSON of role and content. `state.vscdb` has `composerData:<id>` rows that list the bubbles, which stand in
//! the same row (before 2025) or under `bubbleId:<composer>:<bubble>`.

use std::path::Path;

use chrono::{DateTime, Utc};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension};

use super::cursor::{message_turns, prompt};
use super::draft::{Draft, Record, time};
use super::further::owned;
use super::json::{Cursor, Value};
use super::{Host, Manner, Reading, Turn, cut};

/// Reads the chat in a `store.db`.
pub(super) fn read_chat(store: &Connection, path: &Path, modified: DateTime<Utc>) -> rusqlite::Result<Reading> {
    let about: Option<String> =
        store.query_row("SELECT value FROM meta WHERE key = '0'", [], |row| row.get(0)).optional()?;
    let about = about.map(|hex| from_hex(&hex)).unwrap_or_default();
    let about = Cursor::new(&about).value().unwrap_or_default();
    let mut draft = Draft::default();
    draft.id = owned(about.get("agentId"));
    draft.started = time(about.get("createdAt"));
    let mut select = store.prepare("SELECT data FROM blobs WHERE id = ?1")?;
    let mut blob = |id: &str| -> rusqlite::Result<Vec<u8>> {
        let found = select.query_row([id], |row| bytes(row, 0)).optional()?;
        Ok(found.unwrap_or_default())
    };
    let root = about.get("latestRootBlobId").text().unwrap_or_default();
    let root = blob(&root)?;
    for (line, id) in (1..).zip(listed(&root)) {
        let data = blob(&id)?;
        let message = Cursor::new(&data).value().unwrap_or_default();
        let record = Record { id: Some(&id), time: None };
        let turns = message_turns(message.get("role").inside(), message.get("content"), record);
        draft.turns.extend(turns.into_iter().map(|turn| Turn { line, ..turn }));
    }
    Ok(Reading { sessions: vec![draft.finish(Host::Cursor, path, modified)], problems: Vec::new() })
}

/// The ids in a root blob: fields of 32 bytes with the number 1, as Protocol Buffers write them.
fn listed(mut root: &[u8]) -> Vec<String> {
    let mut ids = Vec::new();
    while let Some((id, rest)) = root.strip_prefix(&[0x0A, 0x20]).and_then(|rest| rest.split_at_checked(32)) {
        ids.push(id.iter().map(|byte| format!("{byte:02x}")).collect());
        root = rest;
    }
    ids
}

fn from_hex(text: &str) -> Vec<u8> {
    let digits: Vec<u32> = text.chars().filter_map(|c| c.to_digit(16)).collect();
    digits
        .chunks_exact(2)
        .filter_map(|pair| u8::try_from(pair.iter().fold(0, |sum, digit| sum * 16 + digit)).ok())
        .collect()
}

fn bytes(row: &rusqlite::Row<'_>, column: usize) -> rusqlite::Result<Vec<u8>> {
    Ok(match row.get_ref(column)? {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes.to_vec(),
        _ => Vec::new(),
    })
}

/// Reads every composer in a `state.vscdb`.
pub(super) fn read_composers(store: &Connection, path: &Path, modified: DateTime<Utc>) -> rusqlite::Result<Reading> {
    let mut list = store
        .prepare("SELECT key FROM cursorDiskKV WHERE key >= 'composerData:' AND key < 'composerData;' ORDER BY key")?;
    let keys: Vec<String> = list.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    let mut select = store.prepare("SELECT value FROM cursorDiskKV WHERE key = ?1")?;
    let mut value = |key: &str| -> rusqlite::Result<Vec<u8>> {
        let found = select.query_row([key], |row| bytes(row, 0)).optional()?;
        Ok(found.unwrap_or_default())
    };
    let mut reading = Reading::default();
    for key in keys {
        let data = value(&key)?;
        let composer = Cursor::new(&data).value().unwrap_or_default();
        let id = key.trim_start_matches("composerData:").to_owned();
        let mut draft = Draft::default();
        draft.started = time(composer.get("createdAt"));
        let inline = composer.get("conversation").items();
        let headers = composer.get("fullConversationHeadersOnly").items();
        for (line, bubble) in (1..).zip(inline) {
            take_bubble(&mut draft, line, bubble);
        }
        for (line, header) in (1..).zip(headers) {
            let bubble = header.get("bubbleId").text().unwrap_or_default();
            let data = value(&format!("bubbleId:{id}:{bubble}"))?;
            take_bubble(&mut draft, line, Cursor::new(&data).value().unwrap_or_default());
        }
        draft.id = Some(id);
        if !draft.turns.is_empty() {
            let session = draft.finish(Host::Cursor, path, modified);
            reading.sessions.push(session);
        }
    }
    Ok(reading)
}

/// A bubble: type 1 is the person's, 2 the agent's, which may be a tool call.
fn take_bubble(draft: &mut Draft, line: u32, bubble: Value<'_>) {
    let id = owned(bubble.get("bubbleId"));
    let record = Record { id: id.as_deref(), time: time(bubble.get("createdAt")) };
    let text = bubble.get("text").text_up_to(cut::HUMAN);
    let text = text.filter(|text| !text.trim().is_empty());
    let mut turns = Vec::new();
    match (bubble.get("type").number(), text) {
        (Some(1.0), Some(text)) => turns.push(prompt(&text, record)),
        (Some(2.0), text) => {
            turns.extend(text.map(|text| record.agent(Manner::Plain, &text)));
            let tool = bubble.get("toolFormerData");
            if tool.get("name").is_some() {
                let name = tool.get("name").text().unwrap_or_default();
                let input = tool.get("rawArgs");
                let input = if input.is_some() { input } else { tool.get("params") };
                turns.push(record.call(&name, input));
                if tool.get("userDecision").inside() == b"rejected" {
                    turns.push(record.injected(Manner::Rejection, "rejected by the person"));
                }
            }
        }
        _ => {}
    }
    draft.turns.extend(turns.into_iter().map(|turn| Turn { line, ..turn }));
}
