//! Tests of OpenClaw's rows, made up and small.

use serde_json::{Value as Json, json};

use super::*;

fn session(rows: &[Json]) -> Session {
    let text = rows.iter().map(Json::to_string).collect::<Vec<_>>().join("\n");
    let reading = read(text.as_bytes(), Path::new("s.jsonl.reset.2026"), DateTime::UNIX_EPOCH).unwrap();
    assert_eq!(reading.problems, []);
    reading.sessions.into_iter().next().unwrap()
}

fn turns(rows: &[Json]) -> Vec<(Speaker, Manner, String)> {
    session(rows).turns.into_iter().map(|turn| (turn.speaker, turn.manner, turn.text)).collect()
}

fn row(id: &str, message: Json) -> Json {
    json!({"type": "message", "id": id, "parentId": null, "timestamp": "2026-03-20T08:01:02Z", "message": message})
}

fn user(id: &str, text: &str) -> Json {
    row(id, json!({"role": "user", "content": [{"type": "text", "text": text}]}))
}

fn agent(id: &str, text: &str) -> Json {
    row(id, json!({"role": "assistant", "content": [{"type": "text", "text": text}], "stopReason": "stop"}))
}

#[test]
fn the_header_names_the_session_and_old_rows_need_no_ids() {
    let header = json!({"type": "session", "version": 3, "id": "s1", "timestamp": "2026-03-20T08:00:00Z", "cwd": "/w"});
    let found = session(&[header, json!({"type": "message", "message": {"role": "user", "content": "hi"}})]);
    assert_eq!((found.id.as_str(), found.cwd, found.turns[0].line), ("s1", Some("/w".into()), 2));
    assert_eq!(session(&[user("1", "hi")]).id, "s");
}

#[test]
fn a_retry_after_a_failed_answer_is_injected() {
    let failed =
        row("2", json!({"role": "assistant", "content": [], "stopReason": "error", "errorMessage": "overloaded"}));
    let found =
        turns(&[user("1", "use pnpm"), failed, user("3", "use pnpm"), agent("4", "Done."), user("5", "use pnpm")]);
    let want = [
        (Speaker::Human, Manner::Plain, "use pnpm"),
        (Speaker::Agent, Manner::Failed, "overloaded"),
        (Speaker::Injected, Manner::Copy, "use pnpm"),
        (Speaker::Agent, Manner::Plain, "Done."),
        (Speaker::Human, Manner::Plain, "use pnpm"),
    ];
    assert_eq!(found, want.map(|(speaker, manner, text)| (speaker, manner, text.to_owned())));
}

#[test]
fn directions_for_delivery_are_no_words() {
    let table = [
        ("[[reply_to_current]] Done.", "Done."),
        ("[[reply_to:12]]Done.\nMEDIA:/a/b.png", "Done."),
        ("Done.\n\nHEARTBEAT_OK", "Done."),
    ];
    for (text, words) in table {
        assert_eq!(turns(&[agent("1", text)])[0].2, words, "{text}");
    }
    for silence in ["NO_REPLY", "no_reply", "HEARTBEAT_OK", "MEDIA:/a/b.png"] {
        assert_eq!(turns(&[agent("1", silence)]), [], "{silence}");
    }
}

#[test]
fn a_queue_gives_several_turns_of_one_line() {
    let bundle = "[Queued messages while agent was busy]\n\n---\nQueued #1\nuse tabs\n---\nQueued #2\n[Fri 2026-03-20 09:29 GMT+8] and pnpm";
    let found = session(&[user("1", bundle)]).turns;
    let words: Vec<_> = found.iter().map(|turn| (turn.manner, turn.text.as_str(), turn.line)).collect();
    assert_eq!(words, [(Manner::Queued, "use tabs", 1), (Manner::Queued, "and pnpm", 1)]);
}

#[test]
fn machines_in_the_place_of_the_person_are_injected() {
    let provenance = row("1", json!({"role": "user", "content": "do it", "provenance": {"kind": "inter_session"}}));
    let dream = json!({"type": "custom", "id": "0", "customType": "openclaw:bootstrap-context:full", "data": {"runId": "dreaming-narrative-1"}});
    for rows in [vec![provenance], vec![user("1", "[cron:1 x] do it")], vec![dream, user("1", "do it")]] {
        assert_eq!(turns(&rows).last().unwrap().0, Speaker::Injected, "{rows:?}");
    }
}

#[test]
fn resets_end_and_leaves_roll_back() {
    let reset = json!({"type": "reset", "id": "9", "reason": "reset"});
    assert_eq!(turns(&[user("1", "a"), reset])[1].1, Manner::Boundary);
    let leaf = json!({"type": "leaf", "id": "9", "targetId": "2"});
    let found = turns(&[user("1", "a"), agent("2", "b"), user("3", "c"), agent("4", "d"), leaf]);
    assert_eq!(found[4], (Speaker::Injected, Manner::Rollback, "1 turn rolled back".into()));
}

#[test]
fn results_tell_their_errors() {
    let result = |fields: Json| {
        let mut message = json!({"role": "toolResult", "content": [{"type": "text", "text": "out"}]});
        message.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        turns(&[row("1", message)])[0].1
    };
    assert_eq!(result(json!({"isError": false})), Manner::Plain);
    assert_eq!(result(json!({"isError": true})), Manner::Failed);
    assert_eq!(result(json!({"details": {"status": "error"}})), Manner::Failed);
    assert_eq!(result(json!({"content": "{ \"status\": \"error\" }"})), Manner::Failed);
}

#[test]
fn calls_name_the_tool_and_its_command() {
    let call = row(
        "1",
        json!({"role": "assistant", "content": [{"type": "toolCall", "name": "exec", "arguments": {"command": "ls"}}]}),
    );
    assert_eq!(turns(&[call]), [(Speaker::Agent, Manner::Call, "exec ls".into())]);
}
