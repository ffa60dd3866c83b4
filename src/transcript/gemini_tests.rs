//! What the reader of gemini is held to, on small made-up transcripts.

use super::*;

fn turns(reading: &Reading) -> Vec<(u32, Speaker, Manner, &str)> {
    reading.sessions[0].turns.iter().map(|turn| (turn.line, turn.speaker, turn.manner, turn.text.as_str())).collect()
}

const HEADER: &str = r#"{"sessionId":"s","projectHash":"h","startTime":"2026-01-01T00:00:00Z","kind":"main"}"#;

#[test]
fn rows_replace_repeat_and_rewind() {
    let rows = [
        HEADER,
        r#"{"$set":{"messages":[{"id":"0","type":"user","content":[{"text":"<session_context>\nhi\n- **Workspace Directories:**\n  - /home/a/w\n</session_context>"}]}]}}"#,
        r#"{"id":"1","timestamp":"2026-01-01T00:00:01Z","type":"user","content":[{"text":"write it"}]}"#,
        r#"{"id":"2","type":"gemini","content":"part"}"#,
        r#"{"id":"2","type":"gemini","content":"whole","toolCalls":[{"name":"write_file","args":{"file_path":"a"},"status":"cancelled"},{"name":"run","args":{"command":"ls"},"status":"error","resultDisplay":"no"}]}"#,
        r#"{"id":"r","type":"user","content":[{"functionResponse":{"response":{"output":"x"}}}]}"#,
        HEADER,
        r#"{"$set":{"messages":[{"id":"1","timestamp":"2026-01-01T00:00:01Z","type":"user","content":[{"text":"write it"}]}]}}"#,
        r#"{"id":"3","type":"user","content":"never mind"}"#,
        r#"{"$rewindTo":"3"}"#,
        r#"{"id":"4","type":"info","content":"Request cancelled."}"#,
        r#"{"id":"5","type":"user","content":"/stats"}"#,
        r#"{"id":"6","type":"user","content":"/home/a/x is wrong\n--- Content from referenced files ---\nI prefer tabs"}"#,
    ];
    let reading = read_lines(rows.join("\n").as_bytes(), Path::new("g.jsonl"), DateTime::UNIX_EPOCH).unwrap();
    let found = turns(&reading);
    assert_eq!(found[0].1, Speaker::Injected);
    assert_eq!(
        found[1..],
        [
            (3, Speaker::Human, Manner::Plain, "write it"),
            (4, Speaker::Agent, Manner::Plain, "whole"),
            (4, Speaker::Agent, Manner::Call, "write_file a"),
            (4, Speaker::Injected, Manner::Rejection, "cancelled by the person"),
            (4, Speaker::Agent, Manner::Call, "run ls"),
            (4, Speaker::Tool, Manner::Failed, "no"),
            (9, Speaker::Injected, Manner::Plain, "never mind"),
            (9, Speaker::Injected, Manner::Rollback, "1 turn rolled back"),
            (11, Speaker::Injected, Manner::Interrupt, "Request cancelled."),
            (12, Speaker::Injected, Manner::Plain, "/stats"),
            (13, Speaker::Human, Manner::Plain, "/home/a/x is wrong"),
        ]
    );
    assert_eq!(reading.sessions[0].cwd.as_deref(), Some(Path::new("/home/a/w")));
}

#[test]
fn whole_files_and_checkpoints_count_messages() {
    let cases = [
        r#"{"sessionId":"s","projectHash":"h","messages":[{"type":"info","content":"x"},{"type":"user","content":"expanded","displayContent":"hi"}]}"#,
        r#"[{"role":"model","parts":[{"text":"hello"}]},{"role":"user","parts":[{"text":"hi"}]}]"#,
    ];
    for json in cases {
        let reading = read_whole(json.as_bytes(), Path::new("g.json"), DateTime::UNIX_EPOCH).unwrap();
        assert_eq!(turns(&reading).last(), Some(&(2, Speaker::Human, Manner::Plain, "hi")), "{json}");
    }
}

#[test]
fn nobody_speaks_in_a_sub_agents_file() {
    let header = HEADER.replace("main", "subagent");
    let rows = format!("{header}\n{}", r#"{"id":"1","type":"user","content":"do it"}"#);
    let reading = read_lines(rows.as_bytes(), Path::new("g.jsonl"), DateTime::UNIX_EPOCH).unwrap();
    assert_eq!(turns(&reading)[0].1, Speaker::Injected);
}

#[test]
fn a_message_that_a_resume_repeats_keeps_its_time() {
    let rows = [
        HEADER,
        r#"{"id":"1","timestamp":"2026-02-03T10:00:00Z","type":"user","content":"hi"}"#,
        r#"{"$set":{"messages":[{"id":"1","timestamp":"2026-02-03T11:00:00Z","type":"user","content":"hi"}]}}"#,
        r#"{"id":"2","timestamp":"2026-02-03T11:00:01Z","type":"user","content":"more"}"#,
    ];
    let reading = read_lines(rows.join("\n").as_bytes(), Path::new("g.jsonl"), DateTime::UNIX_EPOCH).unwrap();
    let times: Vec<_> = reading.sessions[0].turns.iter().map(|turn| turn.time.unwrap().to_rfc3339()).collect();
    assert_eq!(times, ["2026-02-03T10:00:00+00:00", "2026-02-03T11:00:01+00:00"]);
}
