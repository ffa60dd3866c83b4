//! What the reader of opencode is held to, on small made-up transcripts.

use std::fs;

use rusqlite::Connection;

use super::super::{Speaker, opencode_store, read as read_file};
use super::*;

/// Id, JSON and parts of the messages of one small session.
const MESSAGES: [(&str, &str, &[&str]); 6] = [
    (
        "m1",
        r#"{"id":"m1","role":"user","time":{"created":1764460801000}}"#,
        &[
            r#"{"type":"text","text":"\"Use \\\"strict\\\" mode\""}"#,
            r#"{"type":"text","text":"Called the Read tool","synthetic":true}"#,
        ],
    ),
    (
        "m2",
        r#"{"id":"m2","role":"assistant","time":{"created":1764460802000}}"#,
        &[
            r#"{"type":"text","text":"I will."}"#,
            r#"{"type":"tool","tool":"edit","state":{"status":"error","input":{"filePath":"a.ts"},"error":"The user rejected permission to use this specific tool call with the following feedback: only in src"}}"#,
            r#"{"type":"tool","tool":"bash","state":{"status":"completed","input":{"command":"tsc"},"output":"1 error","metadata":{"exit":2}}}"#,
        ],
    ),
    ("m3", r#"{"id":"m3","role":"user","time":{"created":1764460803000}}"#, &[r#"{"type":"compaction","auto":true}"#]),
    (
        "m4",
        r#"{"id":"m4","role":"assistant","summary":true,"time":{"created":1764460804000},"error":{"name":"MessageAbortedError"}}"#,
        &[r#"{"type":"text","text":"Summary."}"#],
    ),
    ("m5", r#"{"id":"m5","role":"user","time":{"created":1764460805000}}"#, &[r#"{"type":"text","text":"undo me"}"#]),
    (
        "m6",
        r#"{"id":"m6","role":"assistant","time":{"created":1764460806000},"error":{"name":"APIError","data":{"message":"overloaded"}}}"#,
        &[],
    ),
];

fn expected() -> Vec<(u32, Speaker, Manner, String)> {
    [
        (1, Speaker::Human, Manner::Plain, "Use \"strict\" mode"),
        (2, Speaker::Agent, Manner::Plain, "I will."),
        (2, Speaker::Agent, Manner::Call, "edit a.ts"),
        (2, Speaker::Human, Manner::Rejection, "only in src"),
        (2, Speaker::Agent, Manner::Call, "bash tsc"),
        (2, Speaker::Tool, Manner::Failed, "1 error"),
        (3, Speaker::Injected, Manner::Plain, "compaction"),
        (4, Speaker::Injected, Manner::Plain, "Summary."),
        (4, Speaker::Injected, Manner::Interrupt, "aborted by the person"),
        (5, Speaker::Injected, Manner::Plain, "undo me"),
        (6, Speaker::Agent, Manner::Failed, "overloaded"),
        (6, Speaker::Injected, Manner::Rollback, "1 turn rolled back"),
    ]
    .map(|(line, speaker, manner, text)| (line, speaker, manner, text.to_owned()))
    .to_vec()
}

fn turns(session: &Session) -> Vec<(u32, Speaker, Manner, String)> {
    let turns = session.turns.iter();
    turns.map(|turn| (turn.line, turn.speaker, turn.manner, turn.text.clone())).collect()
}

#[test]
fn an_export_is_read_by_its_parts() {
    let messages: Vec<_> =
        MESSAGES.iter().map(|(_, info, parts)| format!(r#"{{"info":{info},"parts":[{}]}}"#, parts.join(","))).collect();
    let json = format!(
        r#"{{"info":{{"id":"ses_1","directory":"/w","revert":{{"messageID":"m5"}},"time":{{"created":1764460800000}}}},"messages":[{}]}}"#,
        messages.join(",")
    );
    let reading = read_export(json.as_bytes(), Path::new("e.json"), DateTime::UNIX_EPOCH).unwrap();
    let session = &reading.sessions[0];
    assert_eq!(turns(session), expected());
    assert_eq!((session.id.as_str(), session.cwd.as_deref()), ("ses_1", Some(Path::new("/w"))));
}

#[test]
fn a_database_gives_the_same_and_leaves_sub_agents_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("opencode.db");
    let store = Connection::open(&path).unwrap();
    store
        .execute_batch(
            "CREATE TABLE session(id TEXT, parent_id TEXT, directory TEXT, revert TEXT, time_created INTEGER);
             CREATE TABLE message(id TEXT, session_id TEXT, time_created INTEGER, data TEXT);
             CREATE TABLE part(id TEXT, message_id TEXT, time_created INTEGER, data TEXT);
             INSERT INTO session VALUES('ses_1', NULL, '/w', '{\"messageID\":\"m5\"}', 1764460800000);
             INSERT INTO session VALUES('ses_2', 'ses_1', '/w', NULL, 1764460800000);
             INSERT INTO message VALUES('x', 'ses_2', 1, '{\"role\":\"user\"}');",
        )
        .unwrap();
    for (place, (id, info, parts)) in (0_i64..).zip(MESSAGES) {
        let insert = "INSERT INTO message VALUES(?1, 'ses_1', ?2, ?3)";
        store.execute(insert, (id, place, info)).unwrap();
        for (number, part) in (0_i64..).zip(parts) {
            let insert = "INSERT INTO part VALUES(?1, ?2, ?3, ?4)";
            store.execute(insert, (format!("p{number}"), id, number, part)).unwrap();
        }
    }
    drop(store);
    let reading = read_file(&path).unwrap();
    assert_eq!(reading.sessions.len(), 1);
    assert_eq!(turns(&reading.sessions[0]), expected());
    assert_eq!(reading.sessions[0].started.timestamp_millis(), 1_764_460_800_000);
}

#[test]
fn a_tree_is_read_from_the_session_file() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        path
    };
    let session = place("storage/session/p/ses_1.json");
    let json = r#"{"id":"ses_1","projectID":"p","directory":"/w","revert":{"messageID":"m5"},"time":{"created":1}}"#;
    fs::write(&session, json).unwrap();
    for (id, info, parts) in MESSAGES {
        fs::write(place(&format!("storage/message/ses_1/{id}.json")), info).unwrap();
        for (number, part) in parts.iter().enumerate() {
            let name = format!("storage/part/{id}/prt_{number}.json");
            fs::write(place(&name), part).unwrap();
        }
    }
    let reading = read_file(&session).unwrap();
    assert_eq!(turns(&reading.sessions[0]), expected());
    fs::remove_dir_all(folder.path().join("storage/message")).unwrap();
    let file = fs::File::open(&session).unwrap();
    let reading = opencode_store::read_tree(file, &session, DateTime::UNIX_EPOCH).unwrap();
    assert_eq!(reading.problems.len(), 1);
}

#[test]
fn quotes_around_the_whole_prompt_are_the_shells() {
    let cases = [
        (r#""a b""#, "a b"),
        (r#""a" and "b""#, r#""a" and "b""#),
        (r#""say \"hi\"""#, r#"say "hi""#),
        ("plain", "plain"),
    ];
    for (text, words) in cases {
        assert_eq!(unquoted(text), words);
    }
}

#[test]
fn a_log_of_oh_my_opencode_loses_its_modes() {
    let rows = concat!(
        r#"{"type":"user","timestamp":"2026-01-01T00:00:00Z","content":"[search-mode]\nSearch all.\n\n---\n\nfind it"}"#,
        "\n",
        r#"{"type":"tool_use","timestamp":"2026-01-01T00:00:01Z","tool_name":"grep","tool_input":{"pattern":"x"}}"#,
        "\n",
        r#"{"type":"user","timestamp":"2026-01-01T00:00:02Z","content":"[SYSTEM REMINDER - TODO]\ncontinue"}"#,
    );
    let reading = read_log(rows.as_bytes(), Path::new("l.jsonl"), DateTime::UNIX_EPOCH).unwrap();
    let seen: Vec<_> = reading.sessions[0].turns.iter().map(|turn| (turn.speaker, turn.text.as_str())).collect();
    assert_eq!(seen[0], (Speaker::Human, "find it"));
    assert_eq!(seen[1].0, Speaker::Agent);
    assert_eq!(seen[2].0, Speaker::Injected);
}
