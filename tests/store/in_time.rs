//! The time of the statement decides, not that of the run.

use crate::support::sandbox::Sandbox;
use crate::support::sessions::saying;
use crate::support::tree::{events, memories, text};

#[test]
fn a_newer_value_takes_the_place_of_the_older() {
    let sandbox = Sandbox::new();
    let old = saying("old", "2026-02-04T10:00:00Z", "My timezone is Europe/Berlin.");
    let new = saying("new", "2026-02-05T10:00:00Z", "My timezone is Asia/Tokyo.");
    let old = sandbox.write("old.jsonl", old.jsonl());
    let new = sandbox.write("new.jsonl", new.jsonl());
    sandbox.extract(&[&old]).exits(0);
    let (replaced, _) = memories(&sandbox.path("store")).pop_first().unwrap();
    let id = replaced.trim_end_matches(".md").rsplit('-').next().unwrap().to_owned();
    sandbox.extract(&[&new]).exits(0);
    let text = text(&sandbox.path("store"));
    assert_eq!(memories(&sandbox.path("store")).len(), 1, "{text}");
    assert!(text.contains("Asia/Tokyo"), "{text}");
    assert!(text.contains(&format!("supersedes: [prof_{id}]")), "{text}");
}

#[test]
fn an_older_value_that_is_read_later_does_not_come_back() {
    let sandbox = Sandbox::new();
    let old = saying("old", "2026-02-04T10:00:00Z", "My timezone is Europe/Berlin.");
    let new = saying("new", "2026-02-05T10:00:00Z", "My timezone is Asia/Tokyo.");
    let old = sandbox.write("old.jsonl", old.jsonl());
    let new = sandbox.write("new.jsonl", new.jsonl());
    sandbox.extract(&[&new]).exits(0);
    sandbox.extract(&[&old]).exits(0);
    let late = memories(&sandbox.path("store"));
    assert_eq!(late.len(), 1, "{late:?}");
    // The newer one tells that it took the place of the older, as if the two had come in time.
    let (_, text) = late.first_key_value().unwrap();
    assert!(text.contains("Asia/Tokyo") && text.contains("supersedes: [prof_"), "{text}");
    let sources = [old.to_str().unwrap(), new.to_str().unwrap()];
    sandbox.run([&["extract", "--store", "in-time"][..], &sources].concat()).exits(0);
    assert_eq!(memories(&sandbox.path("in-time")), late);
}

#[test]
fn what_the_person_asks_to_forget_leaves_and_its_text_stays_in_the_ledger() {
    let sandbox = Sandbox::new();
    let said = saying("a", "2026-02-04T10:00:00Z", "I prefer short answers.");
    let forget = saying("b", "2026-02-05T10:00:00Z", "Forget that I prefer short answers.");
    let said = sandbox.write("a.jsonl", said.jsonl());
    let forget = sandbox.write("b.jsonl", forget.jsonl());
    sandbox.extract(&[&said]).exits(0);
    assert_eq!(memories(&sandbox.path("store")).len(), 1);
    sandbox.extract(&[&forget]).exits(0);
    assert_eq!(memories(&sandbox.path("store")).len(), 0);
    let events = events(&sandbox.path("store"));
    let last = events.last().unwrap();
    assert_eq!(last["event"], "forget");
    assert!(last["removes"][0]["text"].as_str().unwrap().contains("short answers"));
    // Replaying the first session does not bring it back.
    sandbox.extract(&[&said]).exits(0);
    assert_eq!(memories(&sandbox.path("store")).len(), 0);
}
