//! `review`: what waits, listed, accepted, turned down.

use serde_json::Value;

use crate::support::sandbox::Sandbox;
use crate::support::sessions::session;
use crate::support::snapshot::snapshot;
use crate::support::tree::{memories, text, tree};

/// A session that ends before the person has confirmed what they corrected.
fn unconfirmed() -> Sandbox {
    let sandbox = Sandbox::new();
    let script = session("ward", "2026-02-03T10:00:00Z")
        .says("Write the weekly report, please.")
        .runs("write report.csv")
        .answers("Done: the report is in report.csv.")
        .says("No, we never use CSV here, always write reports as markdown, because the office reads them on paper.");
    let transcript = sandbox.write("ward.jsonl", script.jsonl());
    sandbox.extract(&[&transcript]).exits(0);
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
    let sandbox = unconfirmed();
    let list = sandbox.run(["review", "--store", "store"]).exits(0);
    snapshot("cli", "review", &list.out);
    assert!(listed(&sandbox)[0]["draft"].as_str().unwrap().contains("## What\n"));
}

#[test]
fn what_is_accepted_becomes_a_playbook() {
    let sandbox = unconfirmed();
    let id = only(&sandbox);
    let before = tree(&sandbox.path("store"));
    let accept = ["review", "--accept", &id, "--store", "store"];
    sandbox.run([&accept[..], &["--dry-run"]].concat()).exits(0);
    assert_eq!(tree(&sandbox.path("store")), before);
    sandbox.run(accept).exits(0);
    let text = text(&sandbox.path("store"));
    assert!(text.contains("type: playbook") && text.contains("always write reports as markdown"), "{text}");
    assert_eq!(listed(&sandbox).len(), 0);
    let finished = sandbox.run(accept).exits(2);
    assert!(finished.err.contains("nothing that waits is called"), "{}", finished.err);
}

#[test]
fn what_is_rejected_is_not_asked_about_again_whatever_is_read_again() {
    let sandbox = unconfirmed();
    let id = only(&sandbox);
    sandbox.run(["review", "--reject", &id, "--store", "store"]).exits(0);
    assert_eq!(listed(&sandbox).len(), 0);
    // The same session, now with the approval that was missing.
    let longer = std::fs::read_to_string(sandbox.path("ward.jsonl")).unwrap();
    let more = session("ward", "2026-02-03T10:04:00Z")
        .runs("write report.md")
        .answers("You're right, sorry. The report is in report.md now.")
        .says("Perfect, that's exactly right.")
        .answers("Glad to hear it.")
        .jsonl();
    let more = more.split_once('\n').unwrap().1.replace("\"id\":\"ward-", "\"id\":\"ward-1");
    let transcript = sandbox.write("ward.jsonl", longer + &more);
    sandbox.extract(&[&transcript]).exits(0);
    assert_eq!((memories(&sandbox.path("store")).len(), listed(&sandbox).len()), (0, 0));
}

#[test]
fn without_the_rejection_the_longer_session_teaches_it() {
    let sandbox = unconfirmed();
    let longer = crate::support::sessions::ward();
    let transcript = sandbox.write("other.jsonl", longer.jsonl());
    sandbox.extract(&[&transcript]).exits(0);
    assert!(text(&sandbox.path("store")).contains("type: playbook"));
}
