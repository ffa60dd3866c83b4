//! SQLite: whose database a file is, and the reader for it.

use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use rusqlite::Connection;

use super::{Reading, cursor_store, openclaw_store, opencode_store};
use crate::error::{Error, ErrorKind, Result};

/// Whether a file is named like one of the databases that hold many sessions.
#[must_use]
pub fn is_database(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "db" || ending == "sqlite" || ending == "vscdb")
}

/// The write-ahead log beside a database: its last rows stand there, and it changes when the database does.
#[must_use]
pub fn log_beside(path: &Path) -> Option<PathBuf> {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    is_database(path).then(|| PathBuf::from(log))
}

/// Reads every session of a database.
pub(super) fn read(path: &Path, modified: DateTime<Utc>) -> Result<Reading> {
    let broken = |error: rusqlite::Error| {
        Error::new(ErrorKind::Transcript, "could not read the database").at(path).because(error)
    };
    let store = openclaw_store::open(path).map_err(broken)?;
    let tables = tables(&store).map_err(broken)?;
    let has = |names: &[&str]| {
        let is_there = |name: &&str| tables.iter().any(|table| table == name);
        names.iter().all(is_there)
    };
    if has(&["session", "message", "part"]) {
        return opencode_store::read(&store, path, modified).map_err(broken);
    }
    if has(&["blobs", "meta"]) {
        return cursor_store::read_chat(&store, path, modified).map_err(broken);
    }
    if has(&["cursorDiskKV"]) {
        return cursor_store::read_composers(&store, path, modified).map_err(broken);
    }
    drop(store);
    openclaw_store::read(path, modified)
}

fn tables(store: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut list = store.prepare("SELECT name FROM sqlite_master WHERE type = 'table'")?;
    list.query_map([], |row| row.get(0))?.collect()
}

/// The columns of a table, none where there is no such table.
pub(super) fn columns(store: &Connection, table: &str) -> rusqlite::Result<Vec<String>> {
    openclaw_store::columns(store, table)
}
