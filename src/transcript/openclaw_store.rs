//! OpenClaw's database, from 2026.7 on: one SQLite file an agent, many sessions in it.
//!
//! Each row of `transcript_events` holds the same JSON as a line of the JSONL form. The database is opened
//! read-only and never as immutable: OpenClaw may be writing, and its last rows stand in the write-ahead log.
//! Only `transcript_events` is needed; the tables that name a session's key are used where they exist.

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use chrono::{DateTime, Utc};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};

use super::openclaw::{self, Rows, parse};
use super::{Reading, Session};
use crate::error::{Error, ErrorKind, Problem, Result};

/// How long a writer is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

/// Reads every session of the database in which a person may speak.
pub(super) fn read(path: &Path, modified: DateTime<Utc>) -> Result<Reading> {
    let broken = |error: rusqlite::Error| {
        Error::new(ErrorKind::Transcript, "could not read the database").at(path).because(error)
    };
    let store = open(path).map_err(broken)?;
    if columns(&store, "transcript_events").map_err(broken)?.is_empty() {
        let message = "this SQLite database has no `transcript_events`, so it is none of OpenClaw's";
        return Err(Error::new(ErrorKind::UnknownFormat, message).at(path));
    }
    sessions(&store, path, modified).map_err(broken)
}

pub(super) fn open(path: &Path) -> rusqlite::Result<Connection> {
    let escaped = path.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let store = Connection::open_with_flags(format!("file:{escaped}?mode=ro"), flags)?;
    store.busy_timeout(PATIENCE)?;
    Ok(store)
}

fn sessions(store: &Connection, path: &Path, modified: DateTime<Utc>) -> rusqlite::Result<Reading> {
    let (keys, has_zstd) = (keys(store)?, has_column(store, "transcript_events", "event_zstd")?);
    let mut reading = Reading::default();
    let mut list = store.prepare("SELECT DISTINCT session_id FROM transcript_events ORDER BY session_id")?;
    let ids = list.query_map([], |row| row.get::<_, String>(0))?.collect::<rusqlite::Result<Vec<_>>>()?;
    for id in ids {
        if keys.get(&id).is_none_or(|key| !is_machine_key(key)) {
            let session = session(store, &id, has_zstd, path, modified, &mut reading.problems)?;
            reading.sessions.push(session);
        }
    }
    archives(store, path, modified, &mut reading)?;
    Ok(reading)
}

/// Sessions that were reset or deleted, kept as one JSONL text each.
fn archives(store: &Connection, path: &Path, modified: DateTime<Utc>, reading: &mut Reading) -> rusqlite::Result<()> {
    const TABLE: &str = "session_transcript_archives";
    if !has_column(store, TABLE, "archive_blob")? || !has_column(store, TABLE, "encoding")? {
        return Ok(());
    }
    let sql =
        format!("SELECT session_id, session_key, encoding, archive_blob FROM {TABLE} ORDER BY session_id, generation");
    let mut select = store.prepare(&sql)?;
    let mut found = select.query([])?;
    while let Some(row) = found.next()? {
        let id: String = row.get(0)?;
        let key: Option<String> = row.get(1)?;
        if key.is_some_and(|key| is_machine_key(&key)) {
            continue;
        }
        let encoding: Option<String> = row.get(2)?;
        let what = match row.get_ref(3)? {
            ValueRef::Text(text) | ValueRef::Blob(text) if encoding.as_deref() == Some("identity") => {
                match openclaw::read(text, path, modified) {
                    Ok(archive) => {
                        reading.sessions.extend(archive.sessions);
                        reading.problems.extend(archive.problems);
                        continue;
                    }
                    Err(error) => error.to_string(),
                }
            }
            ValueRef::Null => continue,
            _ => "its archive is stored compressed, which is not read".to_owned(),
        };
        let what = format!("session {id}: {what}");
        reading.problems.push(Problem { path: path.to_path_buf(), line: None, what });
    }
    Ok(())
}

fn session(
    store: &Connection,
    id: &str,
    has_zstd: bool,
    path: &Path,
    modified: DateTime<Utc>,
    problems: &mut Vec<Problem>,
) -> rusqlite::Result<Session> {
    let mut rows = Rows::default();
    rows.name(id);
    let mut select =
        store.prepare_cached("SELECT seq, event_json FROM transcript_events WHERE session_id = ?1 ORDER BY seq")?;
    let mut found = select.query([id])?;
    while let Some(row) = found.next()? {
        let line = u32::try_from(row.get::<_, i64>(0)?.saturating_add(1)).unwrap_or(u32::MAX);
        let what = match row.get_ref(1)? {
            ValueRef::Text(json) | ValueRef::Blob(json) => match parse(json) {
                Ok(Some(row)) => {
                    rows.take(line, row);
                    continue;
                }
                Ok(None) => continue,
                Err(_) => "this row is no valid JSON",
            },
            _ if has_zstd => "this row is stored compressed, which is not read",
            _ => "this row holds no JSON",
        };
        problems.push(Problem { path: path.to_path_buf(), line: Some(line), what: format!("session {id}: {what}") });
    }
    Ok(rows.finish(path, modified))
}

/// The key of each session, where a table tells it: `session_windows` from schema 14 on, `sessions` before.
fn keys(store: &Connection) -> rusqlite::Result<HashMap<String, String>> {
    let mut keys = HashMap::new();
    for table in ["session_windows", "sessions"] {
        if !has_column(store, table, "session_key")? || !has_column(store, table, "session_id")? {
            continue;
        }
        let sql = format!("SELECT session_id, session_key FROM {table} WHERE session_key IS NOT NULL");
        let mut list = store.prepare(&sql)?;
        let pairs = list.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))?;
        for pair in pairs {
            let (id, key) = pair?;
            keys.entry(id).or_insert(key);
        }
    }
    Ok(keys)
}

/// Whether a session with this key belongs to a machine: a cron job, a sub-agent, a web hook, a heartbeat.
#[must_use]
pub fn is_machine_key(key: &str) -> bool {
    let mut parts = key.split(':');
    parts.any(|part| matches!(part, "cron" | "subagent" | "hook" | "heartbeat") || part.starts_with("model-run"))
}

fn has_column(store: &Connection, table: &str, column: &str) -> rusqlite::Result<bool> {
    Ok(columns(store, table)?.iter().any(|name| name == column))
}

/// The columns of a table, none where there is no such table.
pub(super) fn columns(store: &Connection, table: &str) -> rusqlite::Result<Vec<String>> {
    let mut list = store.prepare("SELECT name FROM pragma_table_info(?1)")?;
    list.query_map([table], |row| row.get(0))?.collect()
}

#[cfg(test)]
#[path = "openclaw_store_tests.rs"]
mod tests;
