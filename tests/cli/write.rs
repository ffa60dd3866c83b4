//! `write`: what the original's script could do, and what it could not.

use std::fs;

use crate::support::sandbox::{Finished, Sandbox};
use crate::support::secrets::secrets;
use crate::support::snapshot::snapshot;
use crate::support::tree::{events, memories, text, tree};

const PLAYBOOK: &str = "## When\nComposing a git commit message.\n\n## What\nNo AI-attribution trailers – ever.\n\n## Why\nUser corrected this.\n";

fn write(sandbox: &Sandbox, args: &[&str]) -> Finished {
    sandbox.run([&["write"], args, &["--store", "store"]].concat())
}

fn id(finished: &Finished) -> String {
    finished.json()[0]["id"].as_str().unwrap().to_owned()
}

/// The output without what each run has of its own.
fn plain(text: &str) -> String {
    let id = regex::Regex::new("(?:prof|pbk)_[a-z0-9]{10}|-[a-z0-9]{10}\\.md").unwrap();
    id.replace_all(text, "[ID]").into_owned()
}

#[test]
fn the_body_comes_by_flag_from_a_file_or_from_standard_input() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("body.md", PLAYBOOK);
    write(&sandbox, &["profile", "diet-vegan", "infinity", "--body", "User is vegan."]).exits(0);
    write(&sandbox, &["playbook", "commit-trailers", "--file", file.to_str().unwrap()]).exits(0);
    let piped = ["write", "profile", "city", "one_year", "--store", "store"];
    sandbox.feed(piped, "User lives in Lisbon.\n").exits(0);
    let dash = ["write", "profile", "pet", "infinity", "--file", "-", "--store", "store"];
    sandbox.feed(dash, "用户有一只狗。").exits(0);
    let texts = text(&sandbox.path("store"));
    for expected in
        ["\n\nUser is vegan.\n", &format!("---\n\n{PLAYBOOK}"), "\n\nUser lives in Lisbon.\n", "\n\n用户有一只狗。\n"]
    {
        assert!(texts.contains(expected), "{expected}: {texts}");
    }
}

#[test]
fn it_says_what_became_of_a_memory() {
    let sandbox = Sandbox::new();
    let mut told = String::new();
    for args in [
        &["profile", "city", "one_year", "--body", "User lives in Berlin.", "--dry-run"][..],
        &["profile", "city", "one_year", "--body", "User lives in Berlin."],
        &["profile", "town", "one_year", "--body", "User lives in Berlin."],
        &["profile", "city", "one_year", "--body", "User moved to Lisbon."],
        &["profile", "City", "one_year", "--body", "x"],
        &["profile", "city", "soon", "--body", "x"],
        &["playbook", "rule", "--body", "## When\nAlways.\n\n## What\nThis."],
        &["profile", "city", "one_year", "--body", "User has a dog.", "--supersedes", "prof_none"],
    ] {
        let finished = write(&sandbox, args);
        told += &format!("$ afterword write {}\n{}\n", args.join(" "), plain(&finished.both()));
    }
    snapshot("cli", "write", &told);
}

#[test]
fn a_ttl_for_a_playbook_and_a_missing_one_for_a_profile_are_refused() {
    let sandbox = Sandbox::new();
    for args in [
        &["playbook", "rule", "infinity", "--body", PLAYBOOK][..],
        &["profile", "city", "--body", "User lives in Berlin."],
        &["profile"],
        &[],
        &["profile", "city", "one_year", "--body", "x", "--file", "y"],
        &["profile", "city", "one_year", "--file", "gone.md"],
    ] {
        let finished = write(&sandbox, args).exits(2);
        assert!(finished.err.contains("error:") || finished.err.contains("Usage:"), "{args:?}: {}", finished.err);
    }
    assert_eq!(tree(&sandbox.path("store")).len(), 0);
}

#[test]
fn one_and_many_can_be_superseded() {
    let sandbox = Sandbox::new();
    let profile = |body: &str, more: &[&str]| {
        let args = [&["profile", "x", "infinity", "--format", "jsonl", "--body", body], more].concat();
        id(&write(&sandbox, &args).exits(0))
    };
    let (tea, dog) = (profile("User likes tea.", &[]), profile("User has a dog.", &[]));
    let bees = profile("User keeps bees.", &["--supersedes", &tea, "--supersedes", &dog]);
    let texts = text(&sandbox.path("store"));
    assert!(texts.contains(&format!("supersedes: [{tea}, {dog}]\n")), "{texts}");
    let rule = ["playbook", "bees", "--body", PLAYBOOK, "--supersedes", &bees];
    write(&sandbox, &rule).exits(0);
    assert_eq!(memories(&sandbox.path("store")).len(), 1);
}

#[test]
fn a_dry_run_and_a_refusal_touch_nothing() {
    let sandbox = Sandbox::new();
    write(&sandbox, &["profile", "x", "infinity", "--body", "User likes tea.", "--dry-run"]).exits(0);
    write(&sandbox, &["profile", "X", "infinity", "--body", "User likes tea."]).exits(2);
    assert!(!sandbox.path("store").exists());
}

#[test]
fn nothing_is_left_in_the_making() {
    let sandbox = Sandbox::new();
    write(&sandbox, &["profile", "x", "infinity", "--body", "User likes tea."]).exits(0);
    write(&sandbox, &["playbook", "y", "--body", PLAYBOOK]).exits(0);
    let names: Vec<String> = tree(&sandbox.path("store")).into_keys().filter(|name| name.contains("tmp")).collect();
    assert_eq!(names, [""; 0]);
}

#[test]
fn an_agent_that_writes_is_named_and_what_was_deleted_by_hand_stays_away_from_it() {
    let sandbox = Sandbox::new();
    let tea = ["profile", "tea", "infinity", "--body", "User likes tea."];
    write(&sandbox, &tea).exits(0);
    let (name, _) = memories(&sandbox.path("store")).pop_first().unwrap();
    fs::remove_file(sandbox.path("store").join(name)).unwrap();
    let finished = write(&sandbox, &[&tea[..], &["--agent", "notes-tool"]].concat()).exits(1);
    assert!(finished.out.contains("deleted by hand"), "{}", finished.out);
    write(&sandbox, &tea).exits(0);
    assert_eq!(memories(&sandbox.path("store")).len(), 1);
    let quotes: Vec<String> = events(&sandbox.path("store"))
        .iter()
        .filter_map(|event| Some(event["evidence"][0]["quote"].as_str()?.to_owned()))
        .collect();
    assert_eq!(quotes, ["written by hand", "written by an agent with notes-tool", "written by hand"]);
}

#[test]
fn no_secret_that_is_handed_in_is_written_or_printed() {
    let sandbox = Sandbox::new();
    let secret = &secrets()[0];
    let body = format!("User's token is {secret}.");
    let finished = write(&sandbox, &["profile", "token", "infinity", "--body", &body]).exits(0);
    let all: Vec<u8> = tree(&sandbox.path("store")).into_values().flatten().collect();
    assert!(!String::from_utf8(all).unwrap().contains(secret) && !finished.out.contains(secret));
    assert!(text(&sandbox.path("store")).contains("[redacted:"));
}

#[test]
fn the_store_is_that_of_the_folder_one_works_in() {
    let sandbox = Sandbox::new();
    sandbox.write("repo/.git/HEAD", "");
    sandbox.write("workspace/.reflexio/profiles/.keep", "");
    for (folder, store) in
        [("repo/deep", "repo/.reflexio"), ("workspace", "workspace/.reflexio"), ("elsewhere", "home/.reflexio")]
    {
        let here = sandbox.write(&format!("{folder}/file"), "");
        let mut command = sandbox.command(["write", "profile", "x", "infinity", "--body", "User likes tea."]);
        command.current_dir(here.parent().unwrap());
        sandbox.finish(command.output().unwrap()).exits(0);
        let found = fs::read_dir(sandbox.path(store).join("profiles")).unwrap();
        assert_eq!(found.filter(|file| file.as_ref().unwrap().path().extension().is_some()).count(), 1, "{store}");
    }
}
