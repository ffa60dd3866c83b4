//! What stands in several files counts once, in one run or in two.

use super::sessions::{claude, kept, spoken};
use crate::support::sandbox::Sandbox;

/// A session, and a fork of it that repeats its rows and goes on.
fn pair(sandbox: &Sandbox) -> [(&'static str, String); 2] {
    let talk =
        ["I'm a nurse.", "Good morning!", "My timezone is Europe/Lisbon.", "Noted.", "I live in Porto.", "Noted."];
    let cwd = sandbox.path("nowhere");
    [("a", spoken("a", &cwd, 9, &talk[..4])), ("b", spoken("b", &cwd, 9, &talk))]
}

fn replay(sandbox: &Sandbox) -> [u64; 3] {
    let records = sandbox.run(["replay", "--format", "jsonl"]).exits(0).json();
    let summary = &records[records.len() - 1]["summary"];
    ["created", "confirmed", "human_turns"].map(|key| summary[key].as_u64().unwrap())
}

#[test]
fn a_fork_adds_only_what_is_new_in_it() {
    let at_once = Sandbox::new();
    for (name, text) in pair(&at_once) {
        at_once.write(&claude(name), text);
    }
    assert_eq!(replay(&at_once), [3, 0, 3]);

    let in_two_runs = Sandbox::new();
    for ((name, text), expected) in pair(&in_two_runs).into_iter().zip([[2, 0, 2], [1, 0, 1]]) {
        in_two_runs.write(&claude(name), text);
        assert_eq!(replay(&in_two_runs), expected, "{name}");
    }
    assert_eq!(kept(&in_two_runs), kept(&at_once));
}

#[test]
fn the_fork_yields_when_the_original_comes_to_light_later() {
    let sandbox = Sandbox::new();
    let [original, fork] = pair(&sandbox);
    sandbox.write(&claude(fork.0), fork.1);
    assert_eq!(replay(&sandbox), [3, 0, 3]);
    sandbox.write(&claude(original.0), original.1);
    // Both are read: the original for the first time, the fork again, of which two turns are copies now. What they taught
    // is taken to the original's account, as if both had been there from the start.
    assert_eq!(replay(&sandbox)[2], 3);
    let at_once = Sandbox::new();
    for (name, text) in pair(&at_once) {
        at_once.write(&claude(name), text);
    }
    replay(&at_once);
    assert_eq!((kept(&sandbox).len(), kept(&sandbox)), (3, kept(&at_once)));
    assert_eq!(replay(&sandbox), [0, 0, 0]);
}
