//! `review`: what waits, listed, accepted, turned down.

use serde_json::Value;

use crate::support::sandbox::Sandbox;
use crate::support::sessions::{Script, session};
use crate::support::snapshot::snapshot;
use crate::support::tree::{memories, text, tree};

/// A session that ends before the person has confirmed what they corrected.
fn unconfirmed() -> Script {
    session("ward", "2026-02-03T10:00:00Z")
        .says("Write the weekly report, please.")
        .answers("Done: the report is in report.csv.")
        .says("No, use markdown instead of CSV for reports.")
}

/// The same session, which went on.
fn confirmed() -> Script {
    unconfirmed()
        .answers("You're right, sorry. The report is in report.md now.")
        .says("Perfect, that's exactly right.")
        .answers("Glad to hear it.")
}

fn learn(sandbox: &Sandbox, script: &Script) {
    let transcript = sandbox.write("ward.jsonl", script.jsonl());
    sandbox.extract(&[&transcript]).exits(0);
}

fn with_one_that_waits() -> Sandbox {
    let sandbox = Sandbox::new();
    learn(&sandbox, &unconfirmed());
    sandbox
}

fn listed(sandbox: &Sandbox) -> Vec<Value> {
    sandbox.run(["review", "--list", "--format", "jsonl", "--store", "store"]).exits(0).json()
}

fn only(sandbox: &Sandbox) -> String {
    let listed = listed(sandbox);
    assert_eq!(listed.len(), 1, "{listed:?}");
    listed[0]["id"].as_str().unwrap().to_owned()
}

#[test]
fn what_waits_is_listed_with_where_it_was_said() {
    let sandbox = with_one_that_waits();
    let list = sandbox.run(["review", "--store", "store"]).exits(0);
    snapshot("cli", "review", &list.out);
    assert!(listed(&sandbox)[0]["draft"].as_str().unwrap().contains("## What\nUse markdown instead of CSV"));
}

#[test]
fn what_is_accepted_becomes_a_playbook_once() {
    let sandbox = with_one_that_waits();
    let id = only(&sandbox);
    let before = tree(&sandbox.path("store"));
    let accept = ["review", "--accept", &id, "--store", "store"];
    sandbox.run([&accept[..], &["--dry-run"]].concat()).exits(0);
    assert_eq!(tree(&sandbox.path("store")), before);
    sandbox.run(accept).exits(0);
    let texts = text(&sandbox.path("store"));
    assert!(texts.contains("type: playbook") && texts.contains("Use markdown instead of CSV"), "{texts}");
    assert_eq!(listed(&sandbox).len(), 0);
    let finished = sandbox.run(accept).exits(2);
    assert!(finished.err.contains("nothing that waits is called"), "{}", finished.err);
    learn(&sandbox, &confirmed());
    assert_eq!(memories(&sandbox.path("store")).len(), 1);
}

#[test]
fn what_is_rejected_is_not_asked_about_again_whatever_is_read_again() {
    let sandbox = with_one_that_waits();
    let id = only(&sandbox);
    sandbox.run(["review", "--reject", &id, "--store", "store"]).exits(0);
    learn(&sandbox, &unconfirmed());
    learn(&sandbox, &confirmed());
    assert_eq!((memories(&sandbox.path("store")).len(), listed(&sandbox).len()), (0, 0));
}

#[test]
fn what_a_longer_session_confirms_waits_no_longer() {
    let sandbox = with_one_that_waits();
    learn(&sandbox, &confirmed());
    assert_eq!((memories(&sandbox.path("store")).len(), listed(&sandbox).len()), (1, 0));
}

#[test]
fn an_unknown_name_stops_it_before_anything_is_done() {
    let sandbox = with_one_that_waits();
    let id = only(&sandbox);
    let before = tree(&sandbox.path("store"));
    sandbox.run(["review", "--accept", &id, "--reject", "pbk_nowhere", "--store", "store"]).exits(2);
    assert_eq!(tree(&sandbox.path("store")), before);
}
