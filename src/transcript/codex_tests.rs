//! Tests of Codex' rows, made up and small.

use serde_json::{Value as Json, json};

use super::super::Session;
use super::*;

fn session(rows: &[Json]) -> Session {
    let text = rows.iter().map(Json::to_string).collect::<Vec<_>>().join("\n");
    let reading = read(text.as_bytes(), Path::new("rollout-1.jsonl"), DateTime::UNIX_EPOCH).unwrap();
    assert_eq!(reading.problems, []);
    reading.sessions.into_iter().next().unwrap()
}

fn turns(rows: &[Json]) -> Vec<(Speaker, Manner, String)> {
    session(rows).turns.into_iter().map(|turn| (turn.speaker, turn.manner, turn.text)).collect()
}

fn row(kind: &str, payload: Json) -> Json {
    json!({"timestamp": "2026-01-02T03:04:05Z", "type": kind, "payload": payload})
}

fn item(role: &str, text: &str) -> Json {
    row("response_item", json!({"type": "message", "role": role, "content": [{"type": "input_text", "text": text}]}))
}

fn event(text: &str) -> Json {
    row("event_msg", json!({"type": "user_message", "message": text, "kind": "plain"}))
}

fn proven(text: &str, source: &str) -> Json {
    let mut row = item("user", text);
    row["payload"]["internal_chat_message_metadata_passthrough"] =
        json!({"content_item_metadata": [{"provenance": {"type": source}}]});
    row
}

fn human(rows: &[Json]) -> Vec<(u32, String)> {
    let turns = session(rows).turns.into_iter();
    turns.filter(|turn| turn.speaker == Speaker::Human).map(|turn| (turn.line, turn.text)).collect()
}

#[test]
fn the_first_meta_names_the_session() {
    let meta = |id: &str| row("session_meta", json!({"id": id, "cwd": "/w", "timestamp": "2026-01-01T00:00:00Z"}));
    let found = session(&[meta("new"), meta("old"), event("hi")]);
    assert_eq!(
        (found.id.as_str(), found.cwd, found.started.to_rfc3339().as_str()),
        ("new", Some("/w".into()), "2026-01-01T00:00:00+00:00")
    );
}

#[test]
fn words_count_once_whichever_rows_hold_them() {
    let old =
        [item("user", "<environment_context>\n</environment_context>"), item("user", "use pnpm"), event("use pnpm")];
    assert_eq!(human(&old), [(3, "use pnpm".into())]);
    let new = [proven("<x>", "harness"), proven("use pnpm", "user"), item("user", "of no one")];
    assert_eq!(human(&new), [(2, "use pnpm".into())]);
    let mut item_of_both = proven("use pnpm", "user");
    item_of_both["payload"]["id"] = json!("msg_1");
    assert_eq!(human(&[item_of_both, event("use pnpm")]), [(2, "use pnpm".into())]);
    let middle = [item("user", "use pnpm"), item("assistant", "Done.")];
    assert_eq!(human(&middle), [(1, "use pnpm".into())]);
}

#[test]
fn bare_rows_are_items() {
    let rows = [
        json!({"id": "s1", "timestamp": "2025-06-10T09:00:00Z", "instructions": "x"}),
        json!({"record_type": "state"}),
        json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": "use git mv"}]}),
    ];
    assert_eq!(human(&rows), [(3, "use git mv".into())]);
    assert_eq!(session(&rows).id, "s1");
}

#[test]
fn whole_sessions_of_sub_agents_are_injected() {
    for source in [json!({"subagent": {"thread_spawn": {}}}), json!("review")] {
        let meta = row("session_meta", json!({"id": "a", "source": source}));
        assert_eq!(human(&[meta, event("explore")]), []);
    }
}

#[test]
fn rollbacks_aborts_and_rejections_are_marked() {
    let rows = [
        event("a"),
        row("event_msg", json!({"type": "thread_rolled_back", "num_turns": 2})),
        row("event_msg", json!({"type": "turn_aborted", "reason": "interrupted"})),
        row(
            "response_item",
            json!({"type": "function_call_output", "output": "{\"output\":\"exec command rejected by user\",\"metadata\":{\"exit_code\":1}}"}),
        ),
        row("response_item", json!({"type": "function_call_output", "output": "Exit code: 1\nno"})),
        row("response_item", json!({"type": "function_call_output", "output": "Exit code: 0\nyes"})),
    ];
    let found: Vec<_> = turns(&rows).into_iter().map(|turn| (turn.0, turn.1)).collect();
    let want = [
        (Speaker::Human, Manner::Withdrawn),
        (Speaker::Injected, Manner::Rollback),
        (Speaker::Injected, Manner::Interrupt),
        (Speaker::Injected, Manner::Rejection),
        (Speaker::Tool, Manner::Failed),
        (Speaker::Tool, Manner::Plain),
    ];
    assert_eq!(found, want);
}

#[test]
fn of_an_expanded_prompt_only_the_input_is_the_persons() {
    let expanded = |input: &str| format!("## User Input\n\n```text\n{input}\n```\n\nYou **MUST** obey.");
    assert_eq!(human(&[event(&expanded("use pnpm"))]), [(1, "use pnpm".into())]);
    assert_eq!(human(&[event(&expanded(""))]), []);
}

#[test]
fn a_summary_before_a_compaction_is_not_the_agents_word() {
    let compacted =
        row("compacted", json!({"message": "Another model summed up: likes tabs.", "replacement_history": []}));
    let found = turns(&[item("assistant", "likes tabs."), compacted]);
    assert_eq!(found[0].0, Speaker::Injected);
}

#[test]
fn calls_show_the_command() {
    let call = |arguments: &str| {
        row("response_item", json!({"type": "function_call", "name": "shell", "arguments": arguments}))
    };
    let found = turns(&[call("{\"command\":[\"git\",\"mv\"]}"), call("{\"cmd\":\"ls\"}")]);
    assert_eq!((found[0].2.as_str(), found[1].2.as_str()), ("shell git mv", "shell ls"));
}

#[test]
fn an_interrupt_told_twice_is_one() {
    let rows = [
        item("user", "<turn_aborted>\nx\n</turn_aborted>"),
        row("event_msg", json!({"type": "turn_aborted", "reason": "interrupted"})),
    ];
    let manners: Vec<_> = turns(&rows).into_iter().map(|turn| turn.1).collect();
    assert_eq!(manners, [Manner::Interrupt, Manner::Plain]);
}
