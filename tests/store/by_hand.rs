//! What a person did to the files stays.

use std::fs;
use std::path::PathBuf;

use crate::support::sandbox::Sandbox;
use crate::support::sessions::saying;
use crate::support::tree::memories;

fn learned(sandbox: &Sandbox) -> (PathBuf, PathBuf) {
    let said = saying("s", "2026-02-04T10:00:00Z", "I prefer short answers.");
    let transcript = sandbox.write("s.jsonl", said.jsonl());
    sandbox.extract(&[&transcript]).exits(0);
    let memories = memories(&sandbox.path("store"));
    let (name, _) = memories.first_key_value().unwrap();
    (transcript, sandbox.path("store").join(name))
}

/// The same said again, in another session.
fn again(sandbox: &Sandbox) -> PathBuf {
    let said = saying("t", "2026-03-04T10:00:00Z", "I prefer short answers.");
    sandbox.write("t.jsonl", said.jsonl())
}

#[test]
fn a_deleted_memory_stays_away() {
    let sandbox = Sandbox::new();
    let (transcript, memory) = learned(&sandbox);
    fs::remove_file(&memory).unwrap();
    sandbox.extract(&[&transcript]).exits(0);
    assert_eq!(memories(&sandbox.path("store")).len(), 0);
    sandbox.extract(&[&again(&sandbox)]).exits(0);
    assert_eq!(memories(&sandbox.path("store")).len(), 0);
}

#[test]
fn the_ledger_keeps_the_text_of_what_was_deleted() {
    let sandbox = Sandbox::new();
    let (_, memory) = learned(&sandbox);
    let text = fs::read_to_string(&memory).unwrap();
    fs::remove_file(&memory).unwrap();
    let ledger = fs::read_to_string(sandbox.path("store/.ledger/ledger.jsonl")).unwrap();
    assert!(ledger.contains(&serde_json::to_string(&text).unwrap()));
}

#[test]
fn an_edited_memory_stays_as_it_was_edited() {
    let sandbox = Sandbox::new();
    let (transcript, memory) = learned(&sandbox);
    let edited = fs::read_to_string(&memory).unwrap().replace("short answers", "short answers before noon");
    fs::write(&memory, &edited).unwrap();
    for source in [&transcript, &again(&sandbox)] {
        sandbox.extract(&[source]).exits(0);
        assert_eq!(fs::read_to_string(&memory).unwrap(), edited);
        assert_eq!(memories(&sandbox.path("store")).len(), 1);
    }
}

#[test]
fn files_of_others_in_the_store_are_left_alone() {
    let sandbox = Sandbox::new();
    let notes = sandbox.write("store/profiles/notes.txt", "mine");
    let strange = sandbox.write("store/profiles/strange.md", "no front matter\n");
    let said = saying("s", "2026-02-04T10:00:00Z", "I prefer short answers.");
    let transcript = sandbox.write("s.jsonl", said.jsonl());
    let finished = sandbox.extract(&[&transcript]).exits(1);
    assert!(finished.err.contains("profiles/strange.md"), "{}", finished.err);
    assert_eq!(fs::read_to_string(notes).unwrap(), "mine");
    assert_eq!(fs::read_to_string(strange).unwrap(), "no front matter\n");
}

#[test]
fn personal_memory_is_kept_out_of_commits_until_the_person_wants_it_there() {
    let sandbox = Sandbox::new();
    let (_, _) = learned(&sandbox);
    let ignore = sandbox.path("store/.gitignore");
    assert_eq!(fs::read_to_string(&ignore).unwrap(), "*\n");
    fs::remove_file(&ignore).unwrap();
    let more = saying("u", "2026-03-04T10:00:00Z", "I'm a nurse.");
    let more = sandbox.write("u.jsonl", more.jsonl());
    sandbox.extract(&[&more]).exits(0);
    assert_eq!(memories(&sandbox.path("store")).len(), 2);
    assert!(!ignore.exists());
}
