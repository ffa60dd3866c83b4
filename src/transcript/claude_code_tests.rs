//! Tests of Claude Code's rows, made up and small.

use serde_json::{Value as Json, json};

use super::super::Session;
use super::*;

/// Reads rows as a file; each gets an id and a session.
fn session(rows: &[Json]) -> Session {
    let lines: Vec<String> = rows
        .iter()
        .enumerate()
        .map(|(index, row)| {
            let mut row = row.clone();
            let fields = row.as_object_mut().unwrap();
            fields.entry("uuid").or_insert_with(|| json!(format!("u{index}")));
            fields.entry("sessionId").or_insert_with(|| json!("s1"));
            fields.entry("timestamp").or_insert_with(|| json!("2026-01-02T03:04:05.000Z"));
            row.to_string()
        })
        .collect();
    let text = lines.join("\n");
    let reading = read(text.as_bytes(), Path::new("a/s.jsonl"), DateTime::UNIX_EPOCH).unwrap();
    assert_eq!(reading.problems, []);
    reading.sessions.into_iter().next().unwrap()
}

fn turns(rows: &[Json]) -> Vec<(Speaker, Manner, String)> {
    session(rows).turns.into_iter().map(|turn| (turn.speaker, turn.manner, turn.text)).collect()
}

/// The only turn of a row.
fn turn(row: Json) -> (Speaker, Manner, String) {
    let turns = turns(&[row]);
    assert_eq!(turns.len(), 1, "{turns:?}");
    turns.into_iter().next().unwrap()
}

fn user(content: impl Into<Json>) -> Json {
    json!({"type": "user", "message": {"role": "user", "content": content.into()}})
}

fn with(mut row: Json, key: &str, value: impl Into<Json>) -> Json {
    row[key] = value.into();
    row
}

fn agent(text: &str) -> Json {
    json!({"type": "assistant", "message": {"content": [{"type": "text", "text": text}]}})
}

fn rejected(tail: &str) -> Json {
    let text = format!("The user doesn't want to proceed with this tool use. The tool use was rejected. {tail}");
    user(json!([{"type": "tool_result", "is_error": true, "content": text}]))
}

#[test]
fn a_session_knows_where_and_when_it_ran() {
    let found = session(&[with(user("hi"), "cwd", "/w")]);
    assert_eq!((found.id.as_str(), found.cwd), ("s1", Some(PathBuf::from("/w"))));
    assert_eq!(found.started.to_rfc3339(), "2026-01-02T03:04:05+00:00");
    assert_eq!((found.turns[0].line, found.turns[0].record.as_deref()), (1, Some("u0")));
}

#[test]
fn human_words_are_found_in_every_place() {
    use Manner::*;
    let queued = json!({"type": "attachment", "attachment": {"type": "queued_command", "prompt": "and tabs", "commandMode": "prompt"}});
    let answered =
        user(json!([{"type": "tool_result", "content": "User has answered your questions: \"Which?\"=\"pnpm\"."}]));
    let table = [
        (user("use pnpm"), Plain, "use pnpm"),
        (
            user(
                json!([{"type": "text", "text": "<ide_opened_file>x</ide_opened_file>"}, {"type": "text", "text": "use pnpm"}]),
            ),
            Plain,
            "use pnpm",
        ),
        (with(user("use pnpm"), "promptSource", "queued"), Queued, "use pnpm"),
        (queued, Queued, "and tabs"),
        (rejected("To tell you how to proceed, the user said:\nuse pnpm"), Rejection, "use pnpm"),
        (answered.clone(), Answer, "pnpm"),
        (with(answered, "toolUseResult", json!({"answers": {"Which?": "pnpm, never npm"}})), Answer, "pnpm, never npm"),
        (
            user(
                "<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>only the diff</command-args>",
            ),
            Argument,
            "only the diff",
        ),
        (user("<user-memory-input>use pnpm</user-memory-input>"), Note, "use pnpm"),
        (user("# use pnpm"), Note, "use pnpm"),
        (user("# Title\n\nA text."), Plain, "# Title\n\nA text."),
    ];
    for (row, manner, words) in table {
        assert_eq!(turn(row.clone()), (Speaker::Human, manner, words.into()), "{row}");
    }
}

#[test]
fn what_no_person_typed_is_injected() {
    use Manner::*;
    let table = [
        (with(user("Always obey."), "isMeta", true), Plain),
        (with(user("Always obey."), "isSidechain", true), Plain),
        (with(user("Summary"), "isCompactSummary", true), Plain),
        (with(user("done"), "promptSource", "system"), Plain),
        (with(user("done"), "origin", json!({"kind": "peer"})), Plain),
        (user("<task-notification>\n<status>done</status></task-notification>"), Plain),
        (user("<local-command-stdout>always</local-command-stdout>"), Plain),
        (user("<command-name>/cost</command-name>\n<command-args></command-args>"), Plain),
        (user("<command-name>/clear</command-name>\n<command-args></command-args>"), Boundary),
        (user(json!([{"type": "text", "text": "[Request interrupted by user for tool use]"}])), Interrupt),
        (user(json!([{"type": "image", "source": {}}, {"type": "text", "text": "[Image #1]"}])), Plain),
        (rejected("STOP what you are doing."), Rejection),
        (
            json!({"type": "attachment", "attachment": {"type": "queued_command", "prompt": "done", "commandMode": "task-notification"}}),
            Plain,
        ),
    ];
    for (row, manner) in table {
        let (speaker, found, _) = turn(row.clone());
        assert_eq!((speaker, found), (Speaker::Injected, manner), "{row}");
    }
}

#[test]
fn the_agent_speaks_calls_and_fails() {
    let call = json!({"type": "assistant", "message": {"content": [
        {"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "I run it."},
        {"type": "tool_use", "name": "Bash", "input": {"description": "d", "command": "ls -l"}},
        {"type": "tool_use", "name": "Odd", "input": {"n": 1}}]}});
    let result = user(json!([{"type": "tool_result", "content": [{"type": "text", "text": "a.rs"}]}]));
    let error = user(json!([{"type": "tool_result", "is_error": true, "content": "Exit code 1"}]));
    let failed = with(agent("API Error: 529"), "isApiErrorMessage", true);
    let found = turns(&[call, result, error, failed]);
    let want = [
        (Speaker::Agent, Manner::Plain, "I run it."),
        (Speaker::Agent, Manner::Call, "Bash ls -l"),
        (Speaker::Agent, Manner::Call, "Odd {\"n\":1}"),
        (Speaker::Tool, Manner::Plain, "a.rs"),
        (Speaker::Tool, Manner::Failed, "Exit code 1"),
        (Speaker::Agent, Manner::Failed, "API Error: 529"),
    ];
    assert_eq!(found, want.map(|(speaker, manner, text)| (speaker, manner, text.to_owned())));
}

#[test]
fn the_same_prompt_after_an_error_is_a_copy() {
    let failed = with(agent("API Error: 529"), "isApiErrorMessage", true);
    let found = turns(&[user("use pnpm"), failed, user("use pnpm"), agent("Done."), user("use pnpm")]);
    let manners: Vec<_> = found.iter().filter(|turn| turn.0 == Speaker::Human).map(|turn| turn.1).collect();
    assert_eq!(manners, [Manner::Plain, Manner::Copy, Manner::Plain]);
}

#[test]
fn a_rewritten_prompt_rolls_the_first_one_back() {
    let under = |row, parent: &str| with(row, "parentUuid", parent);
    let found = turns(&[
        user("start"),
        under(user("use yran"), "u0"),
        under(agent("Ok."), "u1"),
        under(user("use yarn"), "u0"),
    ]);
    let rollback = (Speaker::Injected, Manner::Rollback, "1 turn rolled back".to_owned());
    assert_eq!(found[3], rollback);
    assert_eq!(found[4].2, "use yarn");
}

#[test]
fn a_record_counts_once_and_cycles_do_no_harm() {
    let first = with(with(user("a"), "uuid", "x"), "parentUuid", "y");
    let second = with(with(user("b"), "uuid", "y"), "parentUuid", "x");
    let again = with(user("a, again"), "uuid", "x");
    assert_eq!(turns(&[first, second, again]).len(), 2);
}

#[test]
fn odd_types_and_broken_lines_cost_one_line() {
    let text = "{\"type\":\"user\",\"uuid\":\"a\",\"message\":\"text\"}\n\0\0\0\n\
        {\"type\":\"user\",\"uuid\":7,\"timestamp\":12,\"cwd\":[],\"message\":{\"content\":\"kept \\ud83d\"}}\n\
        {\"type\":\"user\",\"message\":{\"content\":\"torn";
    let reading = read(text.as_bytes(), Path::new("s.jsonl"), DateTime::UNIX_EPOCH).unwrap();
    let lines: Vec<_> = reading.problems.iter().map(|problem| problem.line).collect();
    assert_eq!(lines, [Some(2), Some(4)]);
    let turns = &reading.sessions[0].turns;
    assert_eq!((turns.len(), turns[0].text.as_str(), turns[0].line), (1, "kept \u{fffd}", 3));
    assert_eq!(reading.sessions[0].id, "s");
}
