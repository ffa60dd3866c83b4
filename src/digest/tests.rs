//! A week of a made-up store.

use std::collections::BTreeMap;
use std::path::Path;

use super::*;
use crate::dictate::{Author, Draft, dictate};
use crate::redact::Redactor;
use crate::store;

fn at(day: u32) -> DateTime<Utc> {
    format!("2026-03-{day:02}T09:00:00Z").parse().unwrap()
}

fn write(root: &Path, day: u32, ttl: &str, body: &str) -> Id {
    let draft = Draft { kind: Kind::Profile, slug: "x", ttl: Some(ttl), body, supersedes: &[], author: Author::Person };
    let outcome = dictate(&draft, root, Redactor::builtin(), at(day)).unwrap();
    outcome.plan.decisions[0].id.clone().unwrap()
}

fn told(root: &Path, since: u32, now: u32) -> Digest {
    let known = store::read(root).unwrap();
    digest(&known, &store::history(root).unwrap(), &store::pending(root).unwrap(), at(since), at(now))
}

fn a_week() -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join(".reflexio");
    write(&root, 1, "infinity", "User lives in Berlin.");
    write(&root, 2, "one_day", "User is on call.");
    let tea = write(&root, 8, "infinity", "User likes tea.");
    write(&root, 9, "infinity", "User moved to Lisbon.");
    write(&root, 9, "one_week", "User has a cold.");
    store::sweep(&root, at(10).date_naive(), at(10)).unwrap();
    store::forget(&root, &[tea], "asked", at(11)).unwrap();
    (folder, root)
}

#[test]
fn a_digest_tells_what_was_learned_replaced_expired_and_forgotten() {
    let (_folder, root) = a_week();
    assert_eq!(
        told(&root, 7, 14).markdown(),
        "# Memory from 2026-03-07 to 2026-03-14\n\n## Learned\n\n- User has a cold.\n\n## Replaced\n\n\
         - User moved to Lisbon. (before: User lives in Berlin.)\n\n## Expired\n\n- User is on call.\n\n## Forgotten\n\n\
         - User likes tea.\n\n## Expires soon\n\n- 2026-03-16: User has a cold."
    );
}

#[test]
fn a_week_without_events_says_so() {
    let (_folder, root) = a_week();
    assert!(told(&root, 20, 27).markdown().ends_with("\n\nNothing happened."));
    assert!(told(Path::new("/nowhere/at/all"), 1, 2).markdown().ends_with("Nothing happened."));
}

#[test]
fn a_playbook_is_told_by_situation_and_rule() {
    let body = "## When\nComposing a commit message.\n\n## What\nKeep it\nshort.\n\n## Why\nSaid.";
    assert_eq!(in_one_line(Kind::Playbook, body), "Composing a commit message. → Keep it short.");
    assert_eq!(in_one_line(Kind::Playbook, "no\nsections"), "no sections");
}

#[test]
fn stats_count_what_is_there_and_what_was_done() {
    let (_folder, root) = a_week();
    let known = store::read(&root).unwrap();
    let stats = stats(&known, &store::history(&root).unwrap(), 0, at(14).date_naive());
    assert_eq!((stats.profiles, stats.playbooks, stats.expiring, stats.expired), (2, 0, 1, 0));
    assert_eq!(stats.by_ttl, BTreeMap::from([("infinity", 1), ("one_week", 1)]));
    let done: Vec<(&str, usize)> = stats.done.iter().map(|(word, count)| (word.as_str(), *count)).collect();
    assert_eq!(done, [("create", 4), ("forget", 1), ("supersede", 1), ("sweep", 1)]);
    assert_eq!((stats.oldest, stats.newest, stats.written), (Some(at(9)), Some(at(9)), Some(at(11))));
    assert_eq!(stats.sessions, 0, "nothing was said in a session");
}
