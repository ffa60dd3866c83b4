//! Where opencode keeps its sessions: a database since 1.2, a tree of JSON files before.
//!
//! Tree: `storage/session/<project>/<session>.json`, `storage/message/<session>/*.json`,
//! `storage/part/<message>/*.json`; the session's file is the one that is read, the others belong to it.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};

use super::draft::time;
use super::json::{Cursor, Value};
use super::opencode::Rows;
use super::{Reading, database, whole};
use crate::error::{Problem, Result};

/// Reads every session of a database in which a person may speak.
pub(super) fn read(store: &Connection, path: &Path, modified: DateTime<Utc>) -> rusqlite::Result<Reading> {
    let known = database::columns(store, "session")?;
    let column = |name: &'static str| {
        if known.iter().any(|known| known == name) { name } else { "NULL" }
    };
    let sql = format!(
        "SELECT id, {}, {}, {}, {} FROM session ORDER BY 5, id",
        column("parent_id"),
        column("directory"),
        column("revert"),
        column("time_created"),
    );
    let mut list = store.prepare(&sql)?;
    let sessions: Vec<_> = list
        .query_map([], |row| {
            let mut rows = Rows::default();
            rows.draft.id = row.get(0)?;
            rows.is_of_machine = row.get::<_, Option<String>>(1)?.is_some();
            rows.draft.cwd = row.get::<_, Option<String>>(2)?.map(PathBuf::from);
            rows.reverted_at = row.get::<_, Option<String>>(3)?.and_then(|revert| {
                let revert = Cursor::new(revert.as_bytes()).value().ok()?;
                Some(revert.get("messageID").text()?.into_owned())
            });
            rows.draft.started = row.get::<_, Option<i64>>(4)?.and_then(DateTime::from_timestamp_millis);
            Ok(rows)
        })?
        .collect::<rusqlite::Result<_>>()?;
    let mut reading = Reading::default();
    for rows in sessions.into_iter().filter(|rows| !rows.is_of_machine) {
        let rows = messages(store, rows)?;
        reading.sessions.extend(rows.finish(path, modified));
    }
    Ok(reading)
}

fn messages(store: &Connection, mut rows: Rows) -> rusqlite::Result<Rows> {
    let mut select =
        store.prepare_cached("SELECT id, data FROM message WHERE session_id = ?1 ORDER BY time_created, id")?;
    let mut select_parts =
        store.prepare_cached("SELECT data FROM part WHERE message_id = ?1 ORDER BY time_created, id")?;
    let id = rows.draft.id.clone();
    let mut found = select.query([id])?;
    while let Some(row) = found.next()? {
        let id: String = row.get(0)?;
        let info = json(row, 1)?;
        let parts: Vec<Vec<u8>> =
            select_parts.query_map([&id], |row| json(row, 0))?.collect::<rusqlite::Result<_>>()?;
        let parts: Vec<Value<'_>> = parts.iter().map(|part| value(part)).collect();
        rows.take(&id, value(&info), &parts);
    }
    Ok(rows)
}

fn json(row: &Row<'_>, column: usize) -> rusqlite::Result<Vec<u8>> {
    Ok(match row.get_ref(column)? {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes.to_vec(),
        _ => Vec::new(),
    })
}

/// A value that is empty where the JSON is broken.
fn value(bytes: &[u8]) -> Value<'_> {
    Cursor::new(bytes).value().unwrap_or_default()
}

/// Reads a session of the tree from its own file.
pub(super) fn read_tree(reader: impl Read, path: &Path, modified: DateTime<Utc>) -> Result<Reading> {
    let bytes = whole::bytes(reader, path)?;
    let mut rows = Rows::of(value(&bytes));
    let mut reading = Reading::default();
    let mut problem = |path: &Path, what: String| {
        reading.problems.push(Problem { path: path.to_path_buf(), line: None, what });
    };
    let storage = path.ancestors().nth(3).unwrap_or(path);
    let id = rows.draft.id.clone().unwrap_or_default();
    let id = if is_name(&id) { id } else { String::new() };
    let folder = storage.join("message").join(&id);
    let mut messages: Vec<(Option<DateTime<Utc>>, String, Vec<u8>)> = Vec::new();
    for file in files(&folder) {
        match contents(&file) {
            Ok(bytes) => {
                let info = value(&bytes);
                let id = info.get("id").text().unwrap_or_default().into_owned();
                if is_name(&id) {
                    messages.push((time(info.get("time").get("created")), id, bytes));
                }
            }
            Err(error) => problem(&file, error.to_string()),
        }
    }
    if messages.is_empty() {
        problem(path, "there are no messages beside this session".to_owned());
    }
    messages.sort();
    let loose = loose_parts(&storage.join("part"));
    for (_, id, info) in &messages {
        let mut parts = Vec::new();
        for file in files(&storage.join("part").join(id)) {
            match contents(&file) {
                Ok(bytes) => parts.push(bytes),
                Err(error) => problem(&file, error.to_string()),
            }
        }
        let parts = parts.iter().chain(loose.get(id).into_iter().flatten());
        let parts: Vec<Value<'_>> = parts.map(|part| value(part)).collect();
        rows.take(id, value(info), &parts);
    }
    reading.sessions.extend(rows.finish(path, modified));
    Ok(reading)
}

/// Whether an id can be the name of a folder, and of none but its own.
fn is_name(id: &str) -> bool {
    !id.is_empty() && !id.starts_with('.') && !id.contains(['/', '\\', ':'])
}

/// Parts of the oldest versions, all in one folder, by message.
fn loose_parts(folder: &Path) -> HashMap<String, Vec<Vec<u8>>> {
    let mut parts: HashMap<String, Vec<Vec<u8>>> = HashMap::new();
    for bytes in files(folder).iter().filter_map(|file| contents(file).ok()) {
        if let Some(message) = value(&bytes).get("messageID").text() {
            let message = message.into_owned();
            parts.entry(message).or_default().push(bytes);
        }
    }
    parts
}

/// The JSON files of a folder by name, none where there is no such folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(list) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut files: Vec<_> = list
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .collect();
    files.sort();
    files
}

fn contents(file: &Path) -> Result<Vec<u8>> {
    let opened = File::open(file).map_err(|error| crate::error::Error::io("open the transcript", file, error))?;
    whole::bytes(opened, file)
}
