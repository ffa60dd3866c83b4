//! `try classify|redact|compare`: one stage, on lines from standard input.

use serde_json::{Value, json};

use crate::support::sandbox::{Finished, Sandbox};
use crate::support::secrets::secrets;

fn lines(stage: &str, items: &[Value]) -> Finished {
    let input: String = items.iter().map(|item| format!("{item}\n")).collect();
    Sandbox::new().feed(["try", stage, "--format", "jsonl"], input).exits(0)
}

#[test]
fn classify_tells_the_acts_and_whether_to_learn() {
    let items = [
        json!({"id": "a", "text": "I prefer short answers."}),
        json!({"id": 2, "assistant": "Done: I wrote report.csv.", "text": "No, not a CSV, write it as markdown instead."}),
        json!({"id": "c", "text": "What if I preferred long answers?"}),
    ];
    let records = lines("classify", &items).json();
    let ids: Vec<_> = records.iter().map(|r| r["id"].clone()).collect();
    assert_eq!(ids, [json!("a"), json!(2), json!("c")]);
    let learn: Vec<_> = records.iter().map(|r| r["learn"].as_bool().unwrap()).collect();
    assert_eq!(learn, [true, true, false], "{records:?}");
    assert_eq!(records[0]["acts"], json!(["preference"]));
    assert!(records[1]["acts"].as_array().unwrap().contains(&json!("correction")));
}

#[test]
fn classify_refuses_to_learn_a_secret() {
    let text = format!("Remember that I always use the key {}.", secrets()[0]);
    let records = lines("classify", &[json!({"id": 1, "text": text})]).json();
    assert_eq!(records[0]["learn"], false);
}

#[test]
fn redact_takes_every_secret_out_and_names_its_kind() {
    for secret in secrets() {
        let finished = lines("redact", &[json!({"id": 1, "text": format!("it is {secret}, keep it")})]);
        assert!(!finished.out.contains(&secret), "{}", finished.out);
        let record = &finished.json()[0];
        assert_eq!(record["found"].as_array().unwrap().len(), 1);
        let text = record["text"].as_str().unwrap();
        assert!(text.starts_with("it is [redacted:") && text.ends_with("], keep it"), "{text}");
    }
    let plain = lines("redact", &[json!({"id": 1, "text": "tea at four"})]).json();
    assert_eq!(plain, [json!({"id": 1, "text": "tea at four", "found": []})]);
}

#[test]
fn compare_tells_same_from_contrary_from_other() {
    let pair = |id: u8, existing: &str, new: &str| json!({"id": id, "existing": existing, "new": new});
    let records = lines(
        "compare",
        &[
            pair(1, "User prefers short answers.", "User prefers short answers."),
            pair(2, "User's timezone is Europe/Berlin.", "User's timezone is Asia/Tokyo."),
            pair(3, "User prefers short answers.", "User is a nurse."),
            pair(4, "用户喜欢深色模式。", "用户不喜欢深色模式。"),
        ],
    )
    .json();
    let decisions: Vec<_> = records.iter().map(|r| r["decision"].as_str().unwrap()).collect();
    assert_eq!(decisions, ["duplicate", "supersede", "distinct", "supersede"]);
}

#[test]
fn people_type_plain_lines() {
    let sandbox = Sandbox::new();
    let finished = sandbox.feed(["try", "classify"], "I prefer short answers.\nList the files.\n").exits(0);
    let lines: Vec<_> = finished.out.lines().collect();
    assert_eq!(lines.len(), 2);
    assert!(lines[0].contains("preference") && lines[0].contains("worth learning"), "{lines:?}");
    assert_eq!(lines[1], "nothing");
}

#[test]
fn a_line_that_is_no_item_is_named() {
    let sandbox = Sandbox::new();
    let finished = sandbox.feed(
        ["try", "compare", "--format", "jsonl"],
        "{\"existing\": \"a\", \"new\": \"b\"}\n{\"existing\": \"a\"}\n",
    );
    assert_eq!(finished.code, Some(2));
    assert!(finished.err.contains("<stdin>:2: "), "{}", finished.err);
    assert_eq!(finished.out.lines().count(), 1);
}
