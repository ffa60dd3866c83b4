//! `consolidate`, `stats` and `digest`, on a store that another program wrote.

use crate::support::sandbox::Sandbox;
use crate::support::snapshot::snapshot;
use crate::support::tree::{memories, tree};

/// A store as the original would have left it.
pub(crate) fn of_another_program() -> Sandbox {
    let sandbox = Sandbox::new();
    let profiles = [
        ("a1b0", "2026-01-02", "infinity", "never", "User prefers concise answers."),
        ("c2d0", "2026-01-03", "one_year", "2999-01-03", "User likes short responses."),
        ("e3f0", "2026-01-04", "infinity", "never", "User lives in San Francisco. User has a dog."),
        ("g4h0", "2026-01-05", "one_year", "2999-01-05", "User moved to Austin."),
        ("i5j0", "2026-01-06", "infinity", "never", "User is allergic to peanuts."),
    ];
    for (id, day, ttl, expires, body) in profiles {
        let front = format!("type: profile\nid: prof_{id}\ncreated: {day}T10:00:00Z\nttl: {ttl}\nexpires: {expires}");
        sandbox.write(&format!("store/profiles/topic-{id}.md"), format!("---\n{front}\n---\n\n{body}\n"));
    }
    for (id, when, why) in [
        ("k6l0", "Composing a commit message.", "It is read on a phone."),
        ("m7n0", "Writing commit messages.", "User said so."),
    ] {
        let front = format!("type: playbook\nid: pbk_{id}\ncreated: 2026-01-07T10:00:00Z");
        let body = format!("## When\n{when}\n\n## What\nKeep it short.\n\n## Why\n{why}");
        sandbox.write(&format!("store/playbooks/commit-{id}.md"), format!("---\n{front}\n---\n\n{body}\n"));
    }
    sandbox
}

#[test]
fn the_plan_is_shown_and_carried_out_once() {
    let sandbox = of_another_program();
    let before = tree(&sandbox.path("store"));
    let plan = sandbox.run(["consolidate", "--store", "store", "--dry-run"]).exits(0);
    assert_eq!(tree(&sandbox.path("store")), before);
    let done = sandbox.run(["consolidate", "--store", "store"]).exits(0);
    assert_eq!(plan.out.replace(" (dry run: nothing was written)", ""), done.out);
    let again = sandbox.run(["consolidate", "--store", "store"]).exits(0);
    let texts: Vec<String> =
        memories(&sandbox.path("store")).into_iter().map(|(name, text)| format!("{name}\n{text}")).collect();
    let told = format!("{}\n{}\n{}", plan.out, again.out, texts.join("\n"));
    snapshot("cli", "consolidate", &told);
}

#[test]
fn programs_read_one_object_a_group() {
    let sandbox = of_another_program();
    let records = sandbox.run(["consolidate", "--store", "store", "--format", "jsonl"]).exits(0).json();
    assert_eq!(records.len(), 4);
    assert_eq!(records[0]["removed"], serde_json::json!(["prof_a1b0", "prof_c2d0"]));
    assert_eq!(records[0]["written"][0]["supersedes"], records[0]["removed"]);
    assert_eq!(records[3]["summary"], serde_json::json!({ "removed": 6, "written": 4 }));
}

#[test]
fn what_was_learned_after_it_meets_the_result() {
    let sandbox = of_another_program();
    sandbox.run(["consolidate", "--store", "store"]).exits(0);
    let before = memories(&sandbox.path("store")).len();
    let write = |body: &str| {
        let args = ["write", "profile", "x", "infinity", "--format", "jsonl", "--store", "store", "--body", body];
        sandbox.run(args).exits(0).json()[0]["op"].clone()
    };
    assert_eq!(write("User prefers concise answers."), "confirm");
    assert_eq!(write("User moved to Lisbon."), "supersede");
    assert_eq!(memories(&sandbox.path("store")).len(), before);
    sandbox.run(["consolidate", "--store", "store"]).exits(0);
    assert_eq!(memories(&sandbox.path("store")).len(), before);
}

#[test]
fn stats_and_digest_tell_of_a_store() {
    let sandbox = of_another_program();
    sandbox.run(["consolidate", "--store", "store"]).exits(0);
    let stats = sandbox.run(["stats", "--store", "store"]).exits(0);
    let digest = sandbox.run(["digest", "--store", "store"]).exits(0);
    let (title, told) = digest.out.split_once('\n').unwrap();
    assert!(title.starts_with("# Memory from 20"), "{title}");
    snapshot("cli", "stats", &format!("{}\n{told}", stats.out));
    let stats = &sandbox.run(["stats", "--store", "store", "--format", "jsonl"]).exits(0).json()[0];
    assert_eq!((&stats["profiles"], &stats["done"]["consolidate"]), (&4.into(), &3.into()));
    let digest = &sandbox.run(["digest", "--since", "4w", "--store", "store", "--format", "jsonl"]).exits(0).json()[0];
    assert_eq!(digest["consolidated"].as_array().unwrap().len(), 4);
}

#[test]
fn a_store_that_is_not_there_has_nothing_to_tell() {
    let sandbox = Sandbox::new();
    for command in ["consolidate", "stats", "digest", "review"] {
        sandbox.run([command, "--store", "store"]).exits(0);
    }
    sandbox.run(["digest", "--store", "store", "--since", "yesterday"]).exits(2);
    assert!(!sandbox.path("store").exists());
}
