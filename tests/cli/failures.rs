//! What goes wrong: exit codes, and messages that name the place, the cause and a way out.

use crate::support::sandbox::Sandbox;
use crate::support::sessions::saying;
use crate::support::snapshot::snapshot;
use crate::support::tree::text;

#[test]
fn a_missing_file_is_named_and_ends_with_2() {
    let finished = Sandbox::new().run(["extract", "--store", "store", "gone.jsonl"]).exits(2);
    snapshot("cli", "missing-file", &finished.both());
}

#[test]
fn a_strange_file_is_told_what_would_be_understood() {
    let sandbox = Sandbox::new();
    sandbox.write("poem.txt", "Roses are red.\nViolets are blue.\n");
    let finished = sandbox.run(["extract", "--store", "store", "poem.txt"]).exits(1);
    snapshot("cli", "unknown-format", &finished.both());
}

#[test]
fn a_broken_line_costs_that_line_only() {
    let sandbox = Sandbox::new();
    let rows = saying("s", "2026-02-03T10:00:00Z", "I'm a nurse.").jsonl();
    let torn = rows.replacen('\n', "\n{\"type\":\"message\",\"id\":\n", 1);
    let file = sandbox.write("torn.jsonl", torn);
    let finished = sandbox.extract(&[&file]).exits(1);
    assert!(finished.err.contains("torn.jsonl:2: "), "{}", finished.err);
    assert!(text(&sandbox.path("store")).contains("is a nurse"));
}

#[test]
fn one_missing_source_among_good_ones_ends_with_1() {
    let sandbox = Sandbox::new();
    let rows = saying("s", "2026-02-03T10:00:00Z", "I'm a nurse.").jsonl();
    let file = sandbox.write("s.jsonl", rows);
    let gone = sandbox.path("gone.jsonl");
    let finished = sandbox.extract(&[&gone, &file]).exits(1);
    assert!(finished.err.contains("gone.jsonl") && finished.err.contains("hint:"), "{}", finished.err);
    assert!(text(&sandbox.path("store")).contains("is a nurse"));
}

#[test]
fn what_cannot_be_asked_ends_with_2() {
    let sandbox = Sandbox::new();
    for args in [
        &["extract"][..],
        &["conjure"],
        &["trace", "--line", "many", "x"],
        &["rules", "explain", "no.such.trigger"],
        &["--format", "xml", "demo"],
        &["--rules", "no/such/folder", "rules", "list"],
    ] {
        let finished = sandbox.run(args).exits(2);
        assert!(finished.err.contains("error:"), "{args:?}: {}", finished.err);
        assert_eq!(finished.out, "", "{args:?}");
    }
}

#[test]
fn a_store_that_is_a_file_is_left_alone() {
    let sandbox = Sandbox::new();
    sandbox.write("store", "my diary");
    let rows = saying("s", "2026-02-03T10:00:00Z", "I'm a nurse.").jsonl();
    let file = sandbox.write("s.jsonl", rows);
    let finished = sandbox.extract(&[&file]).exits(2);
    assert!(finished.err.contains("[DIR]/store") && finished.err.contains("hint:"), "{}", finished.err);
    assert_eq!(std::fs::read_to_string(sandbox.path("store")).unwrap(), "my diary");
}

#[test]
fn a_broken_rule_file_is_named() {
    let sandbox = Sandbox::new();
    sandbox.write("rules/house.toml", "language = \"en\"\nact = \"shouting\"\n");
    let finished = sandbox.run(["--rules", "rules", "rules", "check"]).exits(2);
    assert!(finished.err.contains("rules/house.toml"), "{}", finished.err);
}
