//! What is found, in which order, and what is left out.

use super::sessions::{claude, furnished, home_store, kept, openclaw, put, spoken};
use crate::support::sandbox::Sandbox;
use crate::support::sessions::{SAID, saying, ward};
use crate::support::tree::{memories, text};

#[test]
fn every_host_s_sessions_are_learned_from_and_summed_up() {
    let sandbox = furnished();
    let harbour = sandbox.path("harbour");
    std::fs::create_dir_all(harbour.join(".git")).unwrap();
    sandbox.write(&claude("c"), spoken("c", &harbour.join("src"), 9, &["We always deploy with Nomad.", "Noted."]));
    std::fs::create_dir_all(harbour.join("src")).unwrap();
    let finished = sandbox.run(["replay"]).exits(0);
    assert_eq!(kept(&sandbox).len(), SAID.len(), "{}", finished.out);
    assert_eq!(memories(&harbour.join(".reflexio")).len(), 1, "{}", finished.out);
    let lines: Vec<&str> = finished.out.lines().collect();
    assert_eq!(lines[0], "openclaw");
    assert!(lines[1].starts_with("  /nowhere/at/all ") && lines[1].ends_with("8 sessions, 8 human turns: 8 new"));
    assert_eq!(lines[2], "claude-code");
    assert!(lines[3].starts_with("  [DIR]/harbour ") && lines[3].ends_with("1 session, 1 human turn: 1 new"));
    assert_eq!(lines[4], "all  9 sessions, 9 human turns: 9 new");
    assert!(lines[5].starts_with("9 files, 0.0 MB in "), "{}", lines[5]);
    assert_eq!(finished.err, "reading 9 files, 1 MB\n");
}

#[test]
fn programs_read_each_decision_the_groups_and_the_sum() {
    let sandbox = furnished();
    let finished = sandbox.run(["replay", "--format", "jsonl"]).exits(0);
    let records = finished.json();
    assert_eq!(finished.bodies("create").len(), SAID.len());
    let group = &records[records.len() - 2];
    assert_eq!((&group["host"], &group["sessions"]), (&"openclaw".into(), &8.into()));
    let summary = &records[records.len() - 1]["summary"];
    assert_eq!((&summary["files"], &summary["created"], &summary["unchanged"]), (&8.into(), &8.into(), &0.into()));
    assert_eq!(finished.err, "");
}

#[test]
fn sessions_are_taken_in_the_order_of_time_whatever_their_names() {
    let sandbox = Sandbox::new();
    let tab = |n: &str| format!("My timezone is {n}.");
    put(
        &sandbox,
        &[
            ("c", saying("first", "2026-01-01T10:00:00Z", &tab("Europe/Lisbon"))),
            ("a", saying("second", "2026-01-02T10:00:00Z", &tab("Europe/Rome"))),
            ("b", saying("third", "2026-01-03T10:00:00Z", &tab("Asia/Tokyo"))),
        ],
    );
    let finished = sandbox.run(["replay", "--format", "jsonl"]).exits(0);
    let said: Vec<_> =
        finished.json().iter().filter_map(|r| Some(r["evidence"][0]["session"].as_str()?.to_owned())).collect();
    assert_eq!(said, ["first", "second", "third"]);
    assert_eq!(kept(&sandbox).len(), 1);
    assert!(text(&home_store(&sandbox)).contains("Asia/Tokyo"));
}

#[test]
fn only_what_is_asked_for_is_learned_from_and_the_rest_stays_to_be_read() {
    for (wish, expected) in [
        (["--since", "2026-02-05"], 4),
        (["--since", "2026-02-05T10:00:01Z"], 3),
        (["--host", "codex"], 0),
        (["--host", "openclaw"], 8),
        (["--project", "/nowhere"], 8),
        (["--project", "all"], 8),
        (["--project", "/elsewhere/at"], 0),
    ] {
        let sandbox = furnished();
        std::fs::create_dir_all(sandbox.path("home/.codex/sessions")).unwrap();
        let finished = sandbox.run(["replay"].iter().chain(&wish));
        assert_eq!(kept(&sandbox).len(), expected, "{wish:?}\n{}", finished.both());
        sandbox.run(["replay"]).exits(0);
        assert_eq!(kept(&sandbox).len(), SAID.len(), "{wish:?}");
    }
}

#[test]
fn a_wish_that_cannot_be_understood_is_an_error() {
    let sandbox = furnished();
    sandbox.run(["replay", "--since", "yesterday"]).exits(2);
    sandbox.run(["replay", "--host", "eliza"]).exits(2);
    sandbox.run(["replay", "--jobs", "0"]).exits(2);
    assert!(kept(&sandbox).is_empty());
}

#[test]
fn what_is_broken_costs_itself_and_what_is_no_transcript_nothing() {
    let sandbox = furnished();
    sandbox.write(&openclaw("torn"), format!("{}{{\"type\":\"mess", ward().jsonl()));
    sandbox.write(&openclaw("stranger"), "{\"theme\":\"dark\"}\n");
    sandbox.write("home/.openclaw/agents/main/agent/openclaw-agent.sqlite", b"SQLite format 3\0nonsense");
    let finished = sandbox.run(["replay"]).exits(1);
    assert!(finished.err.contains("torn.jsonl:14: "), "{}", finished.err);
    assert!(finished.err.contains("openclaw-agent.sqlite: could not read the database"), "{}", finished.err);
    assert!(!finished.err.contains("stranger"), "{}", finished.err);
    // Of the ward: that she is a nurse is known, the reports are new.
    assert_eq!(kept(&sandbox).len(), SAID.len() + 1);
    // A folder that was named is another matter: there the stranger is told about.
    let named = sandbox.run(["replay", "home/.openclaw", "--store", "other"]).exits(1);
    assert!(named.err.contains("stranger.jsonl: is no transcript"), "{}", named.err);
}

#[test]
fn where_there_is_nothing_it_says_so() {
    let sandbox = Sandbox::new();
    let finished = sandbox.run(["replay"]).exits(2);
    assert!(finished.out.contains("No transcripts were found"), "{}", finished.both());
    sandbox.run(["replay", "nowhere"]).exits(2);
}

#[test]
fn a_dry_run_writes_nothing_and_shows_what_a_run_would_do() {
    let sandbox = furnished();
    put(&sandbox, &[("again", saying("again", "2026-02-20T10:00:00Z", SAID[0]))]);
    let finished = sandbox.run(["replay", "--dry-run"]).exits(0);
    assert!(finished.out.contains("new       profile  User prefers short answers."), "{}", finished.out);
    assert!(finished.out.contains("8 new, 1 known already (dry run: nothing was written)"), "{}", finished.out);
    assert!(kept(&sandbox).is_empty());
    assert!(!sandbox.path("home/.local").exists());
}
