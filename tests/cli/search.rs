//! `search`, as it is typed.

use crate::support::sandbox::Sandbox;
use crate::support::snapshot::snapshot;

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write(
        "store/profiles/tea-aaaaaaaa.md",
        "---\ntype: profile\nid: prof_aaaaaaaa\ncreated: 2026-03-01T09:00:00Z\nttl: infinity\nexpires: never\n---\n\nUser drinks green tea.\n",
    );
    sandbox.write(
        "store/playbooks/commits-bbbbbbbb.md",
        "---\ntype: playbook\nid: pbk_bbbbbbbb\ncreated: 2026-03-02T09:00:00Z\n---\n\n## When\nComposing a commit message.\n\n## What\nDO write it in English.\u{1b}[31m\n\n## Why\nIt was asked for.\n",
    );
    sandbox
}

#[test]
fn a_hit_is_shown_with_its_words_marked() {
    let sandbox = sandbox();
    let found = sandbox.run(["search", "--store", "store", "--color", "always", "write", "a", "commit"]).exits(0);
    assert!(!found.out.contains("\u{1b}[31m"), "a control sequence of a file reached the terminal");
    snapshot("cli", "search", &found.out.replace('\u{1b}', "ESC"));
}

#[test]
fn programs_read_one_object_a_line() {
    let sandbox = sandbox();
    let found = sandbox.run(["search", "--store", "store", "--format", "jsonl", "喝什么茶"]).exits(0).json();
    assert_eq!(found.len(), 1);
    assert_eq!(
        (&found[0]["id"], &found[0]["matched"]),
        (&"prof_aaaaaaaa".into(), &serde_json::json!(["drinks", "tea"]))
    );
    let record: Vec<&String> = found[0].as_object().unwrap().keys().collect();
    assert_eq!(record, ["body", "created", "expires", "file", "id", "kind", "matched", "score"]);
}

#[test]
fn nothing_that_fits_is_said_and_is_no_failure() {
    let sandbox = sandbox();
    assert_eq!(sandbox.run(["search", "--store", "store", "moon landing"]).exits(0).out, "Nothing fits.\n");
    assert_eq!(sandbox.run(["search", "--store", "store", "--format", "jsonl", "moon landing"]).exits(0).out, "");
    assert_eq!(
        sandbox.run(["search", "--store", "store", "--kind", "profile", "commit"]).exits(0).out,
        "Nothing fits.\n"
    );
}
