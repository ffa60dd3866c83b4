//! Tests of the database, made in a folder of its own.

use super::super::{Manner, Speaker};
use super::*;

/// A database with the tables of schema 14 and these `(session, seq, row)`.
fn store(folder: &Path, rows: &[(&str, i64, Option<&str>)]) -> std::path::PathBuf {
    let path = folder.join("open claw#1?.sqlite");
    let store = Connection::open(&path).unwrap();
    store
        .execute_batch(
            "CREATE TABLE transcript_events(session_id TEXT, seq INTEGER, event_json TEXT, event_zstd BLOB, PRIMARY KEY(session_id, seq));
             CREATE TABLE session_windows(session_id TEXT PRIMARY KEY, session_key TEXT);
             INSERT INTO session_windows VALUES ('c', 'cron:5c0f'), ('s', 'agent:main:subagent:7'), ('a', 'agent:main:main');",
        )
        .unwrap();
    for (session, seq, json) in rows {
        store.execute("INSERT INTO transcript_events VALUES (?1, ?2, ?3, NULL)", (session, seq, json)).unwrap();
    }
    path
}

const HELLO: &str =
    r#"{"type":"message","id":"m1","timestamp":"2026-01-02T03:04:05Z","message":{"role":"user","content":"use pnpm"}}"#;

#[test]
fn rows_are_turns_and_their_line_is_one_more_than_seq() {
    let folder = tempfile::tempdir().unwrap();
    let reset = r#"{"type":"reset","id":"r1","reason":"reset"}"#;
    let path = store(folder.path(), &[("a", 3, Some(reset)), ("a", 1, Some(HELLO)), ("b", 0, Some(HELLO))]);
    let reading = read(&path, DateTime::UNIX_EPOCH).unwrap();
    let ids: Vec<_> = reading.sessions.iter().map(|session| session.id.as_str()).collect();
    assert_eq!(ids, ["a", "b"]);
    let turns = &reading.sessions[0].turns;
    assert_eq!((turns[0].speaker, turns[0].line, turns[0].text.as_str()), (Speaker::Human, 2, "use pnpm"));
    assert_eq!((turns[1].manner, turns[1].line), (Manner::Boundary, 4));
}

#[test]
fn sessions_of_machines_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = store(folder.path(), &[("a", 0, Some(HELLO)), ("c", 0, Some(HELLO)), ("s", 0, Some(HELLO))]);
    let reading = read(&path, DateTime::UNIX_EPOCH).unwrap();
    assert_eq!(reading.sessions.len(), 1);
}

#[test]
fn bad_and_compressed_rows_are_problems() {
    let folder = tempfile::tempdir().unwrap();
    let path = store(folder.path(), &[("a", 0, Some("{torn")), ("a", 1, None), ("a", 2, Some(HELLO))]);
    let reading = read(&path, DateTime::UNIX_EPOCH).unwrap();
    let lines: Vec<_> = reading.problems.iter().map(|problem| problem.line).collect();
    assert_eq!((lines, reading.sessions[0].turns.len()), (vec![Some(1), Some(2)], 1));
}

#[test]
fn another_programs_database_is_an_unknown_format() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other.db");
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE t(x)").unwrap();
    let error = super::super::read(&path).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnknownFormat);
}

#[test]
fn rows_in_the_write_ahead_log_are_seen() {
    let folder = tempfile::tempdir().unwrap();
    let path = store(folder.path(), &[]);
    let writer = Connection::open(&path).unwrap();
    writer.execute_batch("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0").unwrap();
    writer.execute("INSERT INTO transcript_events VALUES ('a', 0, ?1, NULL)", [HELLO]).unwrap();
    assert_eq!(read(&path, DateTime::UNIX_EPOCH).unwrap().sessions.len(), 1);
}

#[test]
fn archives_are_read_unless_compressed() {
    let folder = tempfile::tempdir().unwrap();
    let path = store(folder.path(), &[]);
    let writer = Connection::open(&path).unwrap();
    writer
        .execute_batch("CREATE TABLE session_transcript_archives(session_id TEXT, generation INTEGER, session_key TEXT, encoding TEXT, archive_blob BLOB)")
        .unwrap();
    let header = r#"{"type":"session","version":4,"id":"old","timestamp":"2026-01-01T00:00:00Z"}"#;
    let text = format!("{header}\n{HELLO}\n");
    for (id, key, encoding) in
        [("old", "agent:main:main", "identity"), ("z", "agent:main:main", "zstd"), ("c", "cron:1", "identity")]
    {
        let sql = "INSERT INTO session_transcript_archives VALUES (?1, 0, ?2, ?3, ?4)";
        writer.execute(sql, (id, key, encoding, text.as_bytes())).unwrap();
    }
    let reading = read(&path, DateTime::UNIX_EPOCH).unwrap();
    assert_eq!((reading.sessions.len(), reading.sessions[0].id.as_str()), (1, "old"));
    assert_eq!((reading.problems.len(), reading.sessions[0].turns.len()), (1, 1));
}
