//! `extract`: where it reads from, where it writes to, what it tells programs.

use std::fs;

use crate::support::sandbox::Sandbox;
use crate::support::sessions::{saying, session_in, ward};
use crate::support::tree::{memories, text, tree};

#[test]
fn a_file_becomes_profiles_and_playbooks() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("ward.jsonl", ward().jsonl());
    sandbox.extract(&[&file]).exits(0);
    let memories = memories(&sandbox.path("store"));
    let folders: Vec<_> = memories.keys().map(|name| name.split('/').next().unwrap()).collect();
    assert_eq!(folders, ["playbooks", "profiles"], "{memories:?}");
    let text = text(&sandbox.path("store"));
    assert!(text.contains("User is a nurse."), "{text}");
    assert!(text.contains("## When\n") && text.contains("## What\n") && text.contains("## Why\n"), "{text}");
    assert!(text.contains("markdown"), "{text}");
}

#[test]
fn a_folder_a_stream_and_a_database_teach_the_same_as_the_file() {
    let sandbox = Sandbox::new();
    let script = ward();
    let file = sandbox.write("sessions/deep/ward.jsonl", script.jsonl());
    sandbox.write("sessions/notes.txt", "no transcript");
    let database = sandbox.path("openclaw-agent.sqlite");
    script.database(&database);
    let from = |source: &str| {
        let store = sandbox.path("none");
        let args = ["extract", "--format", "jsonl", "--dry-run", "--store", store.to_str().unwrap(), source];
        let finished = if source == "-" { sandbox.feed(args, script.jsonl()) } else { sandbox.run(args) };
        finished.exits(0).bodies("create")
    };
    let bodies = from(file.to_str().unwrap());
    assert_eq!(bodies.len(), 2, "{bodies:?}");
    assert_eq!(from("sessions"), bodies);
    assert_eq!(from("-"), bodies);
    assert_eq!(from(database.to_str().unwrap()), bodies);
}

#[test]
fn a_dry_run_says_everything_and_writes_nothing() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("ward.jsonl", ward().jsonl());
    let before = tree(&sandbox.path(""));
    let finished = sandbox.run(["extract", "--dry-run", file.to_str().unwrap()]).exits(0);
    assert_eq!(tree(&sandbox.path("")), before);
    // For every memory the quote, the line and what confirmed it.
    for said in [
        "said on line 2: “I'm a nurse.”",
        "corrected on line 8: “No, we never use CSV here",
        "approved on line 12: “Perfect, that's exactly right.”",
        "nothing was written",
    ] {
        assert!(finished.out.contains(said), "{said} is missing in\n{}", finished.out);
    }
}

#[test]
fn programs_read_one_object_a_decision() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("ward.jsonl", ward().jsonl());
    let args = ["extract", "--format", "jsonl", "--dry-run", "--store", "none", file.to_str().unwrap()];
    let records = sandbox.run(args).exits(0).json();
    let (summary, decisions) = records.split_last().unwrap();
    assert_eq!(summary["summary"]["created"], 2);
    assert_eq!(summary["summary"]["human_turns"], 4);
    let told: Vec<_> = decisions
        .iter()
        .map(|d| {
            let lines: Vec<_> = d["evidence"].as_array().unwrap().iter().map(|e| e["line"].as_u64().unwrap()).collect();
            let word = |field: &str| d[field].as_str().unwrap().to_owned();
            (word("op"), word("kind"), word("ttl"), word("confirm"), lines)
        })
        .collect();
    let want = |kind: &str, ttl: &str, confirm: &str, lines: &[u64]| {
        ("create".to_owned(), kind.to_owned(), ttl.to_owned(), confirm.to_owned(), lines.to_vec())
    };
    assert_eq!(told, [want("profile", "one_year", "none", &[2]), want("playbook", "infinity", "explicit", &[8, 12]),]);
}

#[test]
fn the_store_that_is_named_wins_over_the_environment_and_that_over_the_workspace() {
    let sandbox = Sandbox::new();
    let workspace = sandbox.path("workspace");
    fs::create_dir(&workspace).unwrap();
    let said = session_in("s", "2026-02-03T10:00:00Z", &workspace).says("I prefer short answers.");
    let file = sandbox.write("s.jsonl", said.jsonl());
    let learned = |store: &str| memories(&sandbox.path(store)).len();

    let mut named = sandbox.command(["extract", "--store", "named", file.to_str().unwrap()]);
    sandbox.finish(named.env("AFTERWORD_STORE", "by-env").output().unwrap()).exits(0);
    assert_eq!([learned("named"), learned("by-env"), learned("workspace/.reflexio")], [1, 0, 0]);

    let mut by_env = sandbox.command(["extract", file.to_str().unwrap()]);
    sandbox.finish(by_env.env("AFTERWORD_STORE", "by-env").output().unwrap()).exits(0);
    assert_eq!([learned("by-env"), learned("workspace/.reflexio")], [1, 0]);

    sandbox.run(["extract", file.to_str().unwrap()]).exits(0);
    assert_eq!([learned("workspace/.reflexio"), learned("home/.reflexio")], [1, 0]);
}

#[test]
fn a_coding_session_goes_to_its_git_root_and_one_without_a_folder_goes_home() {
    let sandbox = Sandbox::new();
    fs::create_dir_all(sandbox.path("project/.git")).unwrap();
    fs::create_dir_all(sandbox.path("project/src")).unwrap();
    let row = serde_json::json!({
        "type": "user", "uuid": "u1", "sessionId": "c1", "timestamp": "2026-02-03T10:00:00.000Z",
        "cwd": sandbox.path("project/src"), "version": "2.1.0", "isSidechain": false, "userType": "external",
        "message": {"role": "user", "content": "I prefer short answers."},
    });
    let coding = sandbox.write("coding.jsonl", format!("{row}\n"));
    let homeless = saying("h", "2026-02-03T11:00:00Z", "I'm a nurse.");
    let homeless = sandbox.write("homeless.jsonl", homeless.jsonl());
    let files = [coding.to_str().unwrap(), homeless.to_str().unwrap()];
    sandbox.run(["extract", files[0], files[1]]).exits(0);
    assert!(text(&sandbox.path("project/.reflexio")).contains("short answers"));
    assert!(text(&sandbox.path("home/.reflexio")).contains("is a nurse"));
    assert_eq!(memories(&sandbox.path("project/.reflexio")).len(), 1);
    assert_eq!(memories(&sandbox.path("home/.reflexio")).len(), 1);
}

#[test]
fn a_session_that_teaches_nothing_leaves_no_folder() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("s.jsonl", saying("s", "2026-02-03T10:00:00Z", "List the files.").jsonl());
    let finished = sandbox.extract(&[&file]).exits(0);
    assert!(finished.out.contains("nothing to learn"), "{}", finished.out);
    assert!(!sandbox.path("store").exists());
}
