//! A replay run again: what has not changed is passed over, and nothing is learned twice.

use std::fs;

use super::sessions::{furnished, home_store, kept, openclaw, put};
use crate::support::sandbox::{Finished, Sandbox};
use crate::support::sessions::{SAID, saying, session, ward};
use crate::support::tree::tree;

fn summary(finished: &Finished) -> [u64; 4] {
    let records = finished.json();
    let summary = &records[records.len() - 1]["summary"];
    ["files", "unchanged", "created", "confirmed"].map(|key| summary[key].as_u64().unwrap())
}

fn replay(sandbox: &Sandbox) -> [u64; 4] {
    summary(&sandbox.run(["replay", "--format", "jsonl"]).exits(0))
}

#[test]
fn files_that_did_not_change_are_passed_over() {
    let sandbox = furnished();
    assert_eq!(replay(&sandbox), [8, 0, 8, 0]);
    let before = tree(&home_store(&sandbox));
    assert_eq!(replay(&sandbox), [0, 8, 0, 0]);
    assert_eq!(tree(&home_store(&sandbox)), before);
    let told = sandbox.run(["replay"]).exits(0).out;
    assert!(told.contains("8 passed over, unchanged since the last time"), "{told}");
}

#[test]
fn without_its_notes_it_reads_everything_and_changes_no_byte() {
    let sandbox = furnished();
    put(&sandbox, &[("ward", ward())]);
    replay(&sandbox);
    let before = tree(&home_store(&sandbox));
    fs::remove_dir_all(sandbox.path("home/.local/state/afterword")).unwrap();
    let [files, unchanged, created, _] = replay(&sandbox);
    assert_eq!([files, unchanged, created], [9, 0, 0]);
    assert_eq!(tree(&home_store(&sandbox)), before);
    // The same by wish, and with notes that are broken.
    assert_eq!(summary(&sandbox.run(["replay", "--again", "--format", "jsonl"]).exits(0))[..3], [9, 0, 0]);
    for (name, _) in tree(&sandbox.path("home/.local/state/afterword")) {
        sandbox.write(&format!("home/.local/state/afterword/{name}"), b"\xff{\n{\"path\":1}");
    }
    assert_eq!(replay(&sandbox)[..3], [9, 0, 0]);
    assert_eq!(replay(&sandbox)[..2], [0, 9]);
    assert_eq!(tree(&home_store(&sandbox)), before);
}

#[test]
fn a_session_that_went_on_is_read_again() {
    let sandbox = furnished();
    let begun = session("on", "2026-02-20T10:00:00Z").says("My cat is called Miso.").answers("Noted.");
    put(&sandbox, &[("on", begun.clone())]);
    assert_eq!(replay(&sandbox), [9, 0, 9, 0]);
    put(&sandbox, &[("on", begun.says("I live in Porto.").answers("Noted."))]);
    let [files, unchanged, created, _] = replay(&sandbox);
    assert_eq!([files, unchanged, created], [1, 8, 1]);
    assert_eq!(kept(&sandbox).len(), SAID.len() + 2);
}

#[test]
fn what_was_read_for_one_store_is_not_read_for_another() {
    let sandbox = furnished();
    replay(&sandbox);
    sandbox.run(["replay", "--store", "other"]).exits(0);
    assert_eq!(crate::support::tree::memories(&sandbox.path("other")), kept(&sandbox));
}

#[test]
fn a_store_that_cannot_be_written_is_filled_the_next_time() {
    let sandbox = furnished();
    sandbox.write("home/.reflexio", "in the way");
    sandbox.run(["replay"]).exits(1);
    fs::remove_file(home_store(&sandbox)).unwrap();
    assert_eq!(replay(&sandbox), [8, 0, 8, 0]);
}

#[test]
fn rows_in_the_write_ahead_log_of_a_database_are_seen() {
    let sandbox = Sandbox::new();
    let path = sandbox.write("home/.openclaw/agents/main/agent/openclaw-agent.sqlite", "");
    saying("one", "2026-02-01T10:00:00Z", SAID[0]).database(&path);
    assert_eq!(replay(&sandbox), [1, 0, 1, 0]);
    let store = rusqlite::Connection::open(&path).unwrap();
    store.pragma_update(None, "journal_mode", "WAL").unwrap();
    replay(&sandbox);
    assert_eq!(replay(&sandbox)[..2], [0, 1]);
    let row = r#"{"type":"message","id":"x","timestamp":"2026-02-02T10:00:00.000Z","message":{"role":"user","content":[{"type":"text","text":"I'm a nurse."}]}}"#;
    store.execute("INSERT INTO transcript_events VALUES ('two', 0, ?1, 0)", [row]).unwrap();
    let [files, unchanged, created, _] = replay(&sandbox);
    assert_eq!([files, unchanged, created], [1, 0, 1]);
    assert!(!sandbox.path(&openclaw("none")).exists());
}
