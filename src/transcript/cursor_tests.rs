//! What the reader of cursor is held to, on small made-up transcripts.

use rusqlite::Connection;

use super::super::{Speaker, read as read_file};
use super::*;

fn seen(reading: &Reading) -> Vec<(u32, Speaker, Manner, &str)> {
    reading.sessions[0].turns.iter().map(|turn| (turn.line, turn.speaker, turn.manner, turn.text.as_str())).collect()
}

#[test]
fn only_queries_are_the_persons_words() {
    let rows = concat!(
        r#"{"role":"user","message":{"content":[{"type":"text","text":"<attached_files>\nx\n</attached_files>\n<user_query>\nuse tabs\n</user_query>"}]}}"#,
        "\n",
        r#"{"role":"assistant","message":{"content":[{"type":"text","text":"Yes."},{"type":"tool_use","name":"Shell","input":{"command":"ls"}}]}}"#,
        "\n",
        r#"{"role":"user","message":{"content":[{"type":"tool_result","content":[{"type":"text","text":"a"}]}]}}"#,
        "\n",
        r#"{"role":"user","message":{"content":[{"type":"text","text":"<user_info>\nlinux\n</user_info>"}]}}"#,
        "\n",
        r#"{"type":"turn_ended","status":"aborted"}"#,
    );
    let reading = read_lines(rows.as_bytes(), Path::new("7f.jsonl"), DateTime::UNIX_EPOCH).unwrap();
    assert_eq!(
        seen(&reading),
        [
            (1, Speaker::Human, Manner::Plain, "use tabs"),
            (2, Speaker::Agent, Manner::Plain, "Yes."),
            (2, Speaker::Agent, Manner::Call, "Shell ls"),
            (3, Speaker::Tool, Manner::Plain, "a"),
            (4, Speaker::Injected, Manner::Plain, "<user_info>\nlinux\n</user_info>"),
            (5, Speaker::Injected, Manner::Interrupt, "aborted"),
        ]
    );
    assert_eq!(reading.sessions[0].id, "7f");
}

#[test]
fn text_transcripts_split_at_roles() {
    let text = "user:\n<user_query>\nuse tabs\n</user_query>\n\nassistant:\n[Thinking] hm\n[Tool call] edit_file\n  path: a\n[Tool result] edit_file\nDone.\n";
    let reading = read_text(text.as_bytes(), Path::new("t.txt"), DateTime::UNIX_EPOCH).unwrap();
    assert_eq!(
        seen(&reading),
        [
            (1, Speaker::Human, Manner::Plain, "use tabs"),
            (6, Speaker::Agent, Manner::Call, "edit_file"),
            (6, Speaker::Agent, Manner::Plain, "Done."),
        ]
    );
}

#[test]
fn the_editors_database_lists_its_bubbles() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.vscdb");
    let store = Connection::open(&path).unwrap();
    store
        .execute_batch(
            r#"CREATE TABLE ItemTable(key TEXT, value BLOB); CREATE TABLE cursorDiskKV(key TEXT, value BLOB);
            INSERT INTO cursorDiskKV VALUES('composerData:c1', '{"createdAt":1764460800000,"fullConversationHeadersOnly":[{"bubbleId":"b1"},{"bubbleId":"b2"}]}');
            INSERT INTO cursorDiskKV VALUES('bubbleId:c1:b1', '{"bubbleId":"b1","type":1,"text":"use tabs"}');
            INSERT INTO cursorDiskKV VALUES('bubbleId:c1:b2', '{"bubbleId":"b2","type":2,"text":"","toolFormerData":{"name":"run","rawArgs":"{\"command\":\"ls\"}","userDecision":"rejected"}}');"#,
        )
        .unwrap();
    drop(store);
    let reading = read_file(&path).unwrap();
    assert_eq!(
        seen(&reading),
        [
            (1, Speaker::Human, Manner::Plain, "use tabs"),
            (2, Speaker::Agent, Manner::Call, "run ls"),
            (2, Speaker::Injected, Manner::Rejection, "rejected by the person"),
        ]
    );
    assert_eq!(reading.sessions[0].id, "c1");
}

#[test]
fn a_chat_database_is_read_from_its_root() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let store = Connection::open(&path).unwrap();
    let about = r#"{"agentId":"a1","createdAt":1764460800000,"latestRootBlobId":"root"}"#;
    let hex: String = about.bytes().map(|byte| format!("{byte:02x}")).collect();
    let mut root = vec![0x0A, 0x20];
    root.extend([0xAB; 32]);
    store.execute_batch("CREATE TABLE blobs(id TEXT, data BLOB); CREATE TABLE meta(key TEXT, value TEXT);").unwrap();
    store.execute("INSERT INTO meta VALUES('0', ?1)", [hex]).unwrap();
    store.execute("INSERT INTO blobs VALUES('root', ?1)", [root]).unwrap();
    let message = r#"{"role":"user","content":[{"type":"text","text":"use tabs"}]}"#;
    store.execute("INSERT INTO blobs VALUES(?1, ?2)", ("ab".repeat(32), message.as_bytes())).unwrap();
    drop(store);
    let reading = read_file(&path).unwrap();
    assert_eq!(seen(&reading), [(1, Speaker::Human, Manner::Plain, "use tabs")]);
}
