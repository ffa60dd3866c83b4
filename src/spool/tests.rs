//! What the spool is held to.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use tempfile::TempDir;

use super::*;
use crate::host::Places;
use crate::transcript::Host;

pub(super) fn spool() -> (TempDir, Spool) {
    let folder = tempfile::tempdir().unwrap();
    let spool = Spool::at(&folder.path().join("state"));
    (folder, spool)
}

pub(super) fn note(event: &str, session: &str, at: DateTime<Utc>) -> Note {
    let places = Places { home: "/home/mira".into(), vars: BTreeMap::new() };
    let payload = format!(r#"{{"hook_event_name": "{event}", "session_id": "{session}"}}"#);
    Note::of(Host::ClaudeCode, payload.as_bytes(), &places, at).unwrap()
}

fn at() -> DateTime<Utc> {
    "2026-02-03T10:00:00Z".parse().unwrap()
}

#[test]
fn what_was_added_is_there_in_the_order_of_time_until_it_is_removed() {
    let (_folder, spool) = spool();
    assert_eq!(spool.notes().unwrap(), []);
    let notes: Vec<_> =
        ["c", "a", "b"].iter().zip([0, 1, 1]).map(|(id, s)| note("Stop", id, at() + TimeDelta::seconds(s))).collect();
    notes.iter().for_each(|note| spool.add(note).unwrap());
    let kept = spool.notes().unwrap();
    assert_eq!(kept.iter().map(|kept| &kept.note).collect::<Vec<_>>(), notes.iter().collect::<Vec<_>>());
    spool.remove(&kept[0].name).unwrap();
    spool.remove(&kept[0].name).unwrap();
    let again = Note { tries: 3, ..notes[1].clone() };
    spool.replace(&kept[1].name, &again).unwrap();
    assert_eq!(spool.notes().unwrap().into_iter().map(|kept| kept.note).collect::<Vec<_>>(), [again, notes[2].clone()]);
}

#[test]
fn a_broken_note_is_moved_aside_and_one_in_the_making_is_none() {
    let (folder, spool) = spool();
    spool.add(&note("Stop", "a", at())).unwrap();
    for (name, text) in [("0-torn.json", "{\"host\":"), ("1-later.json", "{\"host\": \"unheard-of\"}"), (".x.tmp", "{")]
    {
        fs::write(folder.path().join("state/spool").join(name), text).unwrap();
    }
    assert_eq!(spool.notes().unwrap().len(), 1);
    spool.sort_out();
    assert_eq!(spool.failed(), 2);
    assert_eq!(spool.notes().unwrap().len(), 1);
}

#[test]
fn one_has_the_lock_at_a_time() {
    let (_folder, spool) = spool();
    spool.add(&note("Stop", "a", at())).unwrap();
    let lock = spool.try_lock().unwrap();
    assert!(lock.is_some() && spool.try_lock().unwrap().is_none());
    drop(lock);
    assert!(spool.try_lock().unwrap().is_some());
}

#[test]
fn the_log_turns_over_and_its_lines_stay_lines() {
    let (_folder, spool) = spool();
    spool.log(at(), "a\nb\u{1b}[31m");
    assert_eq!(fs::read_to_string(spool.log_path()).unwrap(), "2026-02-03T10:00:00Z a b [31m\n");
    fs::write(spool.log_path(), "x".repeat(2 << 20)).unwrap();
    spool.turn_log();
    spool.log(at(), "new");
    assert_eq!(fs::read_to_string(spool.log_path()).unwrap().lines().count(), 1);
    assert_eq!(fs::metadata(spool.log_path().with_extension("log.1")).unwrap().len(), 2 << 20);
}

#[test]
fn the_last_run_is_remembered_and_how_far_a_folder_was_caught_up_with() {
    let (_folder, spool) = spool();
    let day = TimeDelta::hours(24);
    let folders = [PathBuf::from("/a"), PathBuf::from("/b")];
    assert_eq!(spool.since(Host::Codex, &folders, at()), at() - day);
    let last = |how, time| Last {
        at: time,
        event: "Stop".into(),
        how,
        told: "1 new".into(),
        first: time,
        caught_up: BTreeMap::new(),
    };
    spool.tell_last(Host::Codex, last(How::Done, at()), folders[..1].to_vec(), at()).unwrap();
    spool.tell_last(Host::Codex, last(How::Failed, at() + day), Vec::new(), at() + day).unwrap();
    let told = spool.last(Host::Codex).unwrap();
    assert_eq!((told.at, told.how, told.first), (at() + day, How::Failed, at()));
    let slack = TimeDelta::seconds(2);
    assert_eq!(spool.since(Host::Codex, &folders[..1], at()), at() - slack);
    // A folder that was never looked through is caught up with from the first run on.
    assert_eq!(spool.since(Host::Codex, &folders, at()), at() - day - slack);
    assert_eq!(spool.last(Host::Gemini), None);
}

#[cfg(unix)]
#[test]
fn only_the_person_may_look_into_it() {
    use std::os::unix::fs::PermissionsExt;
    let (folder, spool) = spool();
    spool.add(&note("Stop", "a", at())).unwrap();
    for part in ["state", "state/spool"] {
        assert_eq!(fs::metadata(folder.path().join(part)).unwrap().permissions().mode() & 0o777, 0o700);
    }
}
