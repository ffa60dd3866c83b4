//! `trace`: the triggers, the scores and the state of each episode, turn by turn.

use serde_json::Value;

use crate::support::sandbox::Sandbox;
use crate::support::sessions::ward;

fn trace(args: &[&str]) -> crate::support::sandbox::Finished {
    let sandbox = Sandbox::new();
    let file = sandbox.write("ward.jsonl", ward().jsonl());
    sandbox.run([&["trace", file.to_str().unwrap()], args].concat()).exits(0)
}

#[test]
fn a_correction_shows_its_triggers_its_score_and_its_episode() {
    let shown = trace(&["--line", "8"]).out;
    for part in [
        "     8 human    No, we never use CSV here",
        "en.correction.",
        "correction: yes ",
        "(bar ",
        "lesson: yes ",
        "episode of line 8: corrected, not yet adjusted",
    ] {
        assert!(shown.contains(part), "{part} is missing in\n{shown}");
    }
    assert!(!shown.contains("is a nurse"), "another line is shown:\n{shown}");
}

#[test]
fn the_approval_closes_the_episode() {
    let shown = trace(&["--line", "12"]).out;
    assert!(shown.contains("episode of line 8: confirmed (explicit)"), "{shown}");
}

#[test]
fn programs_read_one_object_a_turn() {
    let records = trace(&["--format", "jsonl"]).json();
    let told: Vec<_> = records
        .iter()
        .map(|r| (r["line"].as_u64().unwrap(), r["speaker"].as_str().unwrap(), r["acts"].clone()))
        .collect();
    let acts = |acts: &[&str]| Value::from(acts.to_vec());
    let want = [
        (2, "human", acts(&["fact"])),
        (3, "agent", acts(&[])),
        (4, "human", acts(&[])),
        (5, "agent", acts(&[])),
        (6, "tool", acts(&[])),
        (7, "agent", acts(&[])),
    ];
    assert_eq!(told[..6], want);
    let correction = &records[6];
    assert!(correction["acts"].as_array().unwrap().contains(&Value::from("correction")));
    let judged = &correction["judged"];
    assert!(judged["triggers"].as_array().unwrap().iter().all(|t| t["id"].is_string() && t["strength"].is_number()));
    assert!(judged["correction"]["total"].as_f64().unwrap() > 0.0);
    assert_eq!(judged["episodes"][0]["corrections"][0], 8);
}
