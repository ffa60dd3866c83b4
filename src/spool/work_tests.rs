//! What the worker is held to: when it begins, what it does when something fails.

use std::collections::BTreeMap;
use std::fs;

use super::super::tests::{note, spool};
use super::*;

/// Works off the spool with a `learn` that answers in turn; gives the sessions that it was asked to learn from.
fn worked(spool: &Spool, home: &std::path::Path, answers: &[std::result::Result<&str, &str>]) -> Vec<String> {
    let places = Places { home: home.to_path_buf(), vars: BTreeMap::new() };
    let mut asked = Vec::new();
    work(spool, &places, Utc::now, |job| {
        let answer = answers[asked.len()];
        asked.push(job.note.session.clone().unwrap_or_default());
        match answer {
            Ok(told) => Ok(told.to_owned()),
            Err("panic") => panic!("on purpose"),
            Err(why) => Err(why.to_owned()),
        }
    })
    .unwrap();
    asked
}

fn add(spool: &Spool, event: &str, session: &str, transcript: Option<&std::path::Path>) {
    let note = Note { transcript: transcript.map(PathBuf::from), ..note(event, session, Utc::now()) };
    spool.add(&note).unwrap();
}

#[test]
fn a_turn_waits_for_a_pause_and_an_end_only_for_the_transcript() {
    let at = Utc::now();
    let kept =
        |event: &str, seconds| Kept { name: String::new(), note: note(event, "a", at + TimeDelta::seconds(seconds)) };
    let after = |notes: &[Kept]| due(notes).map(|due| (due - at).num_milliseconds());
    assert_eq!(after(&[kept("Stop", 0)]), Some(2000));
    assert_eq!(after(&[kept("Stop", 0), kept("Stop", 1)]), Some(3000));
    assert_eq!(after(&(0..60).map(|second| kept("Stop", second)).collect::<Vec<_>>()), Some(20_000));
    assert_eq!(after(&[kept("Stop", 0), kept("SessionEnd", 1), kept("Stop", 1)]), Some(300));
    assert_eq!(after(&[kept("SessionStart", 0)]), None);
}

#[test]
fn notes_of_one_session_are_one_work_and_leave_together() {
    let (folder, spool) = spool();
    let transcript = folder.path().join("a.jsonl");
    fs::write(&transcript, "{}").unwrap();
    for _ in 0..10 {
        add(&spool, "Stop", "a", Some(&transcript));
    }
    add(&spool, "SessionEnd", "a", Some(&transcript));
    add(&spool, "SessionEnd", "b", Some(&transcript));
    assert_eq!(worked(&spool, folder.path(), &[Ok("1 new"), Ok("1 new")]), ["a", "b"]);
    assert_eq!(spool.notes().unwrap(), []);
    let last = spool.last(crate::transcript::Host::ClaudeCode).unwrap();
    assert_eq!((last.how, last.told.as_str()), (How::Done, "1 new"));
}

#[test]
fn what_fails_is_tried_once_more_then_left_and_after_some_runs_moved_aside() {
    let (folder, spool) = spool();
    let transcript = folder.path().join("a.jsonl");
    fs::write(&transcript, "{}").unwrap();
    add(&spool, "SessionEnd", "bad", Some(&transcript));
    add(&spool, "SessionEnd", "good", Some(&transcript));
    // What failed does not keep the others waiting.
    assert_eq!(worked(&spool, folder.path(), &[Err("no room"), Ok("1 new"), Err("panic")]), ["bad", "good", "bad"]);
    assert_eq!(spool.notes().unwrap().iter().map(|kept| kept.note.tries).collect::<Vec<_>>(), [2]);
    let log = fs::read_to_string(spool.log_path()).unwrap();
    assert!(log.contains("bad: no room; it is tried once more") && log.contains("it panicked; it is left"), "{log}");

    worked(&spool, folder.path(), &[Err("no room"), Err("no room")]);
    assert_eq!((spool.notes().unwrap().len(), spool.failed()), (1, 0));
    worked(&spool, folder.path(), &[Err("no room"), Err("no room")]);
    assert_eq!((spool.notes().unwrap().len(), spool.failed()), (0, 1));
    assert!(fs::read_to_string(spool.log_path()).unwrap().contains("tried too often"));
}

#[test]
fn a_transcript_that_never_comes_is_given_up() {
    let (folder, spool) = spool();
    add(&spool, "SessionEnd", "never", Some(&folder.path().join("never.jsonl")));
    assert_eq!(worked(&spool, folder.path(), &[]), [""; 0]);
    assert_eq!((spool.notes().unwrap().len(), spool.failed()), (0, 0));
    assert!(fs::read_to_string(spool.log_path()).unwrap().contains("never: there is no transcript"));
}

#[test]
fn a_transcript_that_is_being_written_is_waited_for() {
    let (folder, spool) = spool();
    let transcript = folder.path().join("a.jsonl");
    fs::write(&transcript, "x").unwrap();
    add(&spool, "SessionEnd", "a", Some(&transcript));
    let writer = std::thread::spawn({
        let transcript = transcript.clone();
        move || {
            for length in 2..10 {
                fs::write(&transcript, "x".repeat(length)).unwrap();
                std::thread::sleep(Duration::from_millis(100));
            }
        }
    });
    let places = Places { home: folder.path().to_path_buf(), vars: BTreeMap::new() };
    let mut read = 0;
    work(&spool, &places, Utc::now, |job| {
        read = fs::read(&job.files[0]).unwrap().len();
        Ok(String::new())
    })
    .unwrap();
    writer.join().unwrap();
    assert_eq!(read, 9);
}

#[test]
fn a_second_worker_leaves_the_work_to_the_first() {
    let (folder, spool) = spool();
    let transcript = folder.path().join("a.jsonl");
    fs::write(&transcript, "{}").unwrap();
    add(&spool, "SessionEnd", "a", Some(&transcript));
    let lock = spool.try_lock().unwrap();
    assert_eq!(worked(&spool, folder.path(), &[]), [""; 0]);
    drop(lock);
    assert_eq!(worked(&spool, folder.path(), &[Ok("")]), ["a"]);
}

#[test]
fn a_note_from_a_clock_that_was_put_back_is_not_waited_for() {
    let (folder, spool) = spool();
    let transcript = folder.path().join("a.jsonl");
    fs::write(&transcript, "{}").unwrap();
    let later = Utc::now() + TimeDelta::days(1);
    spool.add(&Note { transcript: Some(transcript), ..note("Stop", "a", later) }).unwrap();
    assert_eq!(worked(&spool, folder.path(), &[Ok("")]), ["a"]);
}
