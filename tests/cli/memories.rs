//! `list`, `show`, `why`, `history`, `undo`, `forget`, `sweep`: what a person does with what is remembered.

use std::fs;

use serde_json::Value;

use crate::support::sandbox::{Finished, Sandbox};
use crate::support::sessions::{saying, session, ward};
use crate::support::tree::{memories, tree};

/// A sandbox whose `store` learned from the ward, and then that the nurse is a doctor now.
fn lived_in() -> Sandbox {
    let sandbox = Sandbox::new();
    let ward = sandbox.write("ward.jsonl", ward().jsonl());
    sandbox.extract(&[&ward]).exits(0);
    sandbox
}

fn run(sandbox: &Sandbox, args: &[&str]) -> Finished {
    sandbox.run([args, &["--store", "store"]].concat())
}

fn json(sandbox: &Sandbox, args: &[&str]) -> Vec<Value> {
    run(sandbox, &[args, &["--format", "jsonl"]].concat()).exits(0).json()
}

/// The id of the memory whose text holds these words.
fn id_of(sandbox: &Sandbox, words: &str) -> String {
    let listed = json(sandbox, &["list", "--all"]);
    let found = listed.iter().find(|entry| entry["body"].as_str().unwrap().contains(words));
    found.unwrap_or_else(|| panic!("{words} is not in {listed:?}"))["id"].as_str().unwrap().to_owned()
}

#[test]
fn list_tells_what_is_remembered_and_filters_it() {
    let sandbox = lived_in();
    let listed = run(&sandbox, &["list"]).exits(0).out;
    assert!(listed.contains("User is a nurse.") && listed.contains("2 memories in store"), "{listed}");
    let bodies = |args: &[&str]| -> Vec<String> {
        let listed = json(&sandbox, &[&["list"], args].concat());
        listed.iter().map(|entry| entry["headline"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(bodies(&["--kind", "profile"]), ["User is a nurse."]);
    assert_eq!(bodies(&["--class", "fact"]), ["User is a nurse."]);
    assert_eq!(bodies(&["--class", "preference"]), [""; 0]);
    assert_eq!(bodies(&["NURSE", "user"]), ["User is a nurse."]);
    assert_eq!(bodies(&["--sort", "expiry"]).first().unwrap(), "User is a nurse.");
    assert_eq!(bodies(&["--sort", "slug"]).len(), 2);
}

#[test]
fn list_tells_expired_and_pending_apart_from_what_is_active() {
    let sandbox = Sandbox::new();
    let day = saying("a", "2026-02-04T10:00:00Z", "This week I'm on call, so keep answers short.");
    let pending = session("b", "2026-02-05T10:00:00Z")
        .says("Write the weekly report, please.")
        .runs("write report.csv")
        .answers("Done: the report is in report.csv.")
        .says("No, we never use CSV here, always write reports as markdown.");
    let files = [sandbox.write("a.jsonl", day.jsonl()), sandbox.write("b.jsonl", pending.jsonl())];
    sandbox.extract(&[&files[0], &files[1]]).exits(0);
    fs::create_dir_all(sandbox.path("store/profiles")).unwrap();
    let text = "---\ntype: profile\nid: prof_ab12\ncreated: 2026-01-01T00:00:00Z\nttl: one_day\nexpires: 2026-01-02\n---\n\nUser is on call.\n";
    fs::write(sandbox.path("store/profiles/on-call-ab12.md"), text).unwrap();
    let active = json(&sandbox, &["list"]);
    assert!(active.iter().all(|entry| entry["status"] == "active"), "{active:?}");
    let expired = json(&sandbox, &["list", "--expired"]);
    assert!(expired.iter().any(|entry| entry["id"] == "prof_ab12"), "{expired:?}");
    run(&sandbox, &["sweep"]).exits(0);
    assert_eq!(json(&sandbox, &["list", "--expired"]), expired, "swept, it is still listed as expired");
    assert!(run(&sandbox, &["list"]).exits(0).out.contains("(`--expired`)"));
}

#[test]
fn what_waits_is_the_same_for_list_and_review_and_goes_with_a_word_or_with_its_run() {
    let sandbox = Sandbox::new();
    let waiting = session("c", "2026-02-06T10:00:00Z")
        .says("Write the weekly report, please.")
        .answers("Done: the report is in report.csv.")
        .says("No, use markdown instead of CSV for reports.");
    let file = sandbox.write("c.jsonl", waiting.jsonl());
    let ids = |command: &[&str]| -> Vec<Value> {
        json(&sandbox, command).into_iter().map(|open| open["id"].clone()).collect()
    };
    sandbox.extract(&[&file]).exits(0);
    let listed = ids(&["list", "--pending"]);
    assert_eq!((listed.len(), &listed), (1, &ids(&["review", "--list"])));
    run(&sandbox, &["undo"]).exits(0);
    assert_eq!((ids(&["list", "--pending"]).len(), ids(&["review", "--list"]).len()), (0, 0), "its run was taken back");
    run(&sandbox, &["undo"]).exits(0);
    assert_eq!(ids(&["list", "--pending"]), listed);
    run(&sandbox, &["review", "--reject", listed[0].as_str().unwrap()]).exits(0);
    assert_eq!((ids(&["list", "--pending"]).len(), ids(&["review", "--list"]).len()), (0, 0));
    assert_eq!(json(&sandbox, &["list", "--all"]), [Value::Null; 0], "what was turned down never was a memory");
}

#[test]
fn a_memory_is_called_by_its_id_its_beginning_its_slug_or_its_file() {
    let sandbox = lived_in();
    let id = id_of(&sandbox, "is a nurse");
    let file = memories(&sandbox.path("store")).into_keys().find(|name| name.starts_with("profiles/")).unwrap();
    let text = fs::read_to_string(sandbox.path("store").join(&file)).unwrap();
    let (stem, suffix) = (file.trim_start_matches("profiles/").trim_end_matches(".md"), id.trim_start_matches("prof_"));
    let slug = stem.rsplit_once('-').unwrap().0;
    for name in [id.as_str(), &id[..9], suffix, &suffix[..5], slug, stem, &file, &format!("store/{file}")] {
        let shown = run(&sandbox, &["show", name]).exits(0).out;
        assert!(shown.ends_with(&text), "{name}: {shown}");
    }
    let none = run(&sandbox, &["show", "no-such-thing"]).exits(2);
    assert!(none.err.contains("no memory `no-such-thing`") && none.err.contains("list --all"), "{}", none.err);
    // Every id begins so.
    sandbox
        .extract(&[&sandbox.write("t.jsonl", saying("t", "2026-02-09T10:00:00Z", "I'm allergic to peanuts.").jsonl())]);
    let several = run(&sandbox, &["show", "prof_"]).exits(2);
    assert!(several.err.contains("could be 2 memories"), "{}", several.err);
}

#[test]
fn why_tells_the_words_the_line_the_confirmation_and_the_triggers() {
    let sandbox = lived_in();
    let id = id_of(&sandbox, "markdown");
    let why = run(&sandbox, &["why", &id]).exits(0).out;
    for told in [
        "corrected: “No, we never use CSV here",
        "openclaw session ward, line 8",
        "approved: “Perfect, that's exactly right.”",
        "explicit approval; teaches with",
        "en.correction.",
        "(r1)",
    ] {
        assert!(why.contains(told), "{told} is missing in\n{why}");
    }
    let record = &json(&sandbox, &["why", &id])[0];
    let evidence = record["said"][0]["evidence"].as_array().unwrap();
    assert!(evidence.iter().all(|one| one["grounds"].as_array().is_some_and(|grounds| !grounds.is_empty())));
    assert_eq!(record["end"], Value::Null);
}

#[test]
fn why_and_history_tell_what_took_the_place_of_what() {
    let sandbox = Sandbox::new();
    let one = saying("a", "2026-02-04T10:00:00Z", "My timezone is Europe/Lisbon.");
    let other = saying("b", "2026-03-04T10:00:00Z", "My timezone is Asia/Tokyo.");
    sandbox.extract(&[&sandbox.write("a.jsonl", one.jsonl())]).exits(0);
    sandbox.extract(&[&sandbox.write("b.jsonl", other.jsonl())]).exits(0);
    let (old, new) = (id_of(&sandbox, "Lisbon"), id_of(&sandbox, "Tokyo"));
    let why = run(&sandbox, &["why", &old]).exits(0).out;
    assert!(why.contains("Superseded 2026-03-04") && why.contains(&new), "{why}");
    let why = run(&sandbox, &["why", &new]).exits(0).out;
    assert!(why.contains("It took the place of") && why.contains(&old), "{why}");
    let history = run(&sandbox, &["history", &old]).exits(0).out;
    let (made, replaced) = (history.find("\nmade ").unwrap(), history.find("\nreplaced ").unwrap());
    assert!(made < replaced && history.contains("(r1)") && history.contains("(r2)"), "{history}");
    let runs = run(&sandbox, &["history"]).exits(0).out;
    assert!(runs.contains("1 new\n") && runs.contains("1 new, 1 removed\n"), "{runs}");
}

#[test]
fn undo_takes_back_the_last_run_and_an_undo_of_it_too() {
    let sandbox = lived_in();
    let learned = memories(&sandbox.path("store"));
    let told = run(&sandbox, &["undo", "--dry-run"]).exits(0).out;
    assert!(told.contains("User is a nurse.") && told.contains("Nothing was written"), "{told}");
    assert_eq!(memories(&sandbox.path("store")), learned);
    let told = run(&sandbox, &["undo"]).exits(0).out;
    assert!(told.contains("Took back r1; `afterword undo r2 --store store` takes that back"), "{told}");
    assert!(memories(&sandbox.path("store")).is_empty());
    sandbox.extract(&[&sandbox.path("ward.jsonl")]).exits(0);
    assert!(memories(&sandbox.path("store")).is_empty(), "read again, it stays taken back");
    run(&sandbox, &["undo", "r2"]).exits(0);
    assert_eq!(memories(&sandbox.path("store")), learned);
    let none = run(&sandbox, &["undo", "r99"]).exits(2);
    assert!(none.err.contains("there is no run r99; the last one is r3"), "{}", none.err);
}

#[test]
fn extract_tells_how_its_run_is_taken_back() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("ward.jsonl", ward().jsonl());
    let told = sandbox.extract(&[&file]).exits(0).out;
    assert!(told.contains("`afterword undo r1 --store [DIR]/store` takes it back"), "{told}");
    let args = ["extract", "--format", "jsonl", "--store", "other", file.to_str().unwrap()];
    let records = sandbox.run(args).exits(0).json();
    assert_eq!(records.last().unwrap()["summary"]["runs"][0]["run"], "r1");
}

#[test]
fn forget_asks_and_needs_a_yes_where_nobody_can_be_asked() {
    let sandbox = lived_in();
    let before = tree(&sandbox.path("store"));
    let refused = run(&sandbox, &["forget", "nurse"]).exits(2);
    assert!(refused.err.contains("nobody can be asked") && refused.err.contains("`--yes`"), "{}", refused.err);
    let shown = run(&sandbox, &["forget", "that", "I", "am", "a", "nurse", "--dry-run"]).exits(0).out;
    assert!(shown.contains("User is a nurse.") && shown.contains("Nothing was written"), "{shown}");
    assert_eq!(tree(&sandbox.path("store")), before);
    let done = run(&sandbox, &["forget", "nurse", "--yes"]).exits(0).out;
    assert!(done.contains("Forgot 1 memory"), "{done}");
    assert_eq!(memories(&sandbox.path("store")).len(), 1);
    sandbox.extract(&[&sandbox.path("ward.jsonl")]).exits(0);
    assert_eq!(memories(&sandbox.path("store")).len(), 1, "replayed, it stays forgotten");
    let id = id_of(&sandbox, "is a nurse");
    let gone = run(&sandbox, &["forget", &id, "--yes"]).exits(2);
    assert!(gone.err.contains("no longer in the store: forgotten"), "{}", gone.err);
    run(&sandbox, &["undo", &id]).exits(0);
    assert_eq!(memories(&sandbox.path("store")).len(), 2);
    run(&sandbox, &["forget", "what", "nobody", "said", "--yes"]).exits(2);
}

#[test]
fn a_request_in_a_session_that_could_mean_several_is_listed_as_pending() {
    let sandbox = Sandbox::new();
    let said = session("a", "2026-02-04T10:00:00Z")
        .says("I prefer short answers in German.")
        .answers("Noted.")
        .says("I prefer short answers with examples for statistics.")
        .answers("Noted.");
    sandbox.extract(&[&sandbox.write("a.jsonl", said.jsonl())]).exits(0);
    let before = memories(&sandbox.path("store"));
    assert_eq!(before.len(), 2, "{before:?}");
    let forget = saying("b", "2026-02-05T10:00:00Z", "Forget that I prefer short answers.");
    sandbox.extract(&[&sandbox.write("b.jsonl", forget.jsonl())]).exits(0);
    assert_eq!(memories(&sandbox.path("store")), before);
    let pending = json(&sandbox, &["list", "--pending"]);
    assert_eq!(pending[0]["intent"], "forget");
    assert_eq!(pending[0]["could_mean"].as_array().unwrap().len(), 2);
    assert!(run(&sandbox, &["list", "--pending"]).exits(0).out.contains("forget?"));
}

#[test]
fn sweep_shows_first_and_removes_what_is_over() {
    let sandbox = lived_in();
    let text = "---\ntype: profile\nid: prof_ab12\ncreated: 2026-01-01T00:00:00Z\nttl: one_day\nexpires: 2026-01-02\n---\n\nUser is on call.\n";
    fs::write(sandbox.path("store/profiles/on-call-ab12.md"), text).unwrap();
    let before = tree(&sandbox.path("store"));
    let shown = run(&sandbox, &["sweep", "--dry-run"]).exits(0).out;
    assert!(shown.contains("User is on call.") && shown.contains("Nothing was written"), "{shown}");
    assert_eq!(tree(&sandbox.path("store")), before);
    let done = run(&sandbox, &["sweep"]).exits(0).out;
    assert!(done.contains("1 memory has expired; `afterword undo"), "{done}");
    assert!(!sandbox.path("store/profiles/on-call-ab12.md").exists());
    assert!(run(&sandbox, &["why", "prof_ab12"]).exits(0).out.contains("Expired"));
    assert!(run(&sandbox, &["sweep"]).exits(0).out.contains("No memory has expired"));
}

#[test]
fn without_a_name_the_nearest_store_upwards_is_meant() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("ward.jsonl", ward().jsonl());
    sandbox.run(["extract", "--store", "project/.reflexio", file.to_str().unwrap()]).exits(0);
    fs::create_dir_all(sandbox.path("project/src/deep")).unwrap();
    let mut inside = sandbox.command(["list", "--format", "jsonl"]);
    let inside = sandbox.finish(inside.current_dir(sandbox.path("project/src/deep")).output().unwrap()).exits(0);
    assert_eq!(inside.json().len(), 2);
    assert!(sandbox.run(["list"]).exits(0).out.contains("0 memories in [DIR]/home/.reflexio"));
}
