//! `rules list|check|explain`, with the built-in rules and with a house rule.

use crate::support::sandbox::Sandbox;
use crate::support::sessions::saying;
use crate::support::tree::text;

const HOUSE: &str = r#"
language = "en"
act = "preference"

[[trigger]]
id = "en.preference.ahoy"
phrases = ["ahoy"]
strength = 6.0
why = "At sea everything after ahoy is an order."
examples = ["ahoy, tea at four sharp"]
counter = ["hello there"]
"#;

#[test]
fn the_list_has_every_trigger_with_its_act() {
    let records = Sandbox::new().run(["rules", "list", "--format", "jsonl"]).exits(0).json();
    let count = Sandbox::new().run(["rules", "list"]).exits(0).out.lines().count();
    assert_eq!(records.len(), count);
    for act in ["correction", "confirmation", "preference", "fact", "config", "constraint", "forget", "undo"] {
        for language in ["en", "zh"] {
            let there = records.iter().any(|r| r["act"] == act && r["language"] == language);
            assert!(there, "{language} has no {act}");
        }
    }
}

#[test]
fn the_built_in_rules_pass_their_own_test() {
    let finished = Sandbox::new().run(["rules", "check"]).exits(0);
    assert!(finished.out.contains(" 0 faults"), "{}", finished.out);
}

#[test]
fn a_house_rule_is_read_tested_explained_and_used() {
    let sandbox = Sandbox::new();
    sandbox.write("house/sea.toml", HOUSE);
    let explained = sandbox.run(["--rules", "house", "rules", "explain", "en.preference.ahoy"]).exits(0);
    for part in ["At sea everything", "house/sea.toml", "ahoy, tea at four sharp", "hello there"] {
        assert!(explained.out.contains(part), "{part}: {}", explained.out);
    }
    let said = saying("s", "2026-02-03T10:00:00Z", "Ahoy, tea at four sharp on the foredeck.");
    let file = sandbox.write("s.jsonl", said.jsonl());
    let args = ["extract", "--store", "store", file.to_str().unwrap()];
    sandbox.run(args).exits(0);
    assert!(!text(&sandbox.path("store")).contains("foredeck"), "learned without the rule");
    let mut command = sandbox.command(args);
    sandbox.finish(command.env("AFTERWORD_RULES", "house").output().unwrap()).exits(0);
    assert!(text(&sandbox.path("store")).contains("foredeck"));
}

#[test]
fn a_house_rule_that_does_not_do_what_it_says_is_a_fault() {
    let sandbox = Sandbox::new();
    sandbox.write("house/sea.toml", HOUSE.replace("ahoy, tea", "tea"));
    let finished = sandbox.run(["--rules", "house", "rules", "check"]).exits(1);
    assert!(finished.out.contains("en.preference.ahoy: does not fire"), "{}", finished.out);
}
