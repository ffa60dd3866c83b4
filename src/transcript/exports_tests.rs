//! What the reader of exports is held to, on small made-up transcripts.

use super::super::Speaker;
use super::*;

fn seen(reading: &Reading) -> Vec<(u32, Speaker, Manner, &str)> {
    reading.sessions[0].turns.iter().map(|turn| (turn.line, turn.speaker, turn.manner, turn.text.as_str())).collect()
}

fn node(id: &str, parent: &str, message: &str) -> String {
    format!(r#""{id}":{{"id":"{id}","parent":"{parent}","message":{message}}}"#)
}

#[test]
fn chatgpt_is_read_along_the_live_branch() {
    let said = |role: &str, parts: &str| {
        format!(
            r#"{{"author":{{"role":"{role}"}},"create_time":1764460801.5,"recipient":"all","content":{{"content_type":"text","parts":[{parts}]}},"metadata":{{}}}}"#
        )
    };
    let nodes = [
        node("r", "r", "null"),
        node(
            "c",
            "r",
            r#"{"author":{"role":"user"},"content":{"content_type":"user_editable_context","user_instructions":"x"},"metadata":{"is_visually_hidden_from_conversation":true}}"#,
        ),
        node("u", "c", &said("user", r#"{"asset_pointer":"f"},"look""#)),
        node("a", "u", &said("assistant", r#""I see.""#)),
        node("v", "a", &said("user", r#""gone""#)),
        node("w", "a", &said("user", r#""shorter""#)),
    ];
    let json =
        format!(r#"[{{"id":"c1","create_time":1764460800,"current_node":"w","mapping":{{{}}}}}]"#, nodes.join(","));
    let reading = read_chatgpt(json.as_bytes(), Path::new("c.json"), DateTime::UNIX_EPOCH).unwrap();
    assert_eq!(
        seen(&reading)[1..],
        [
            (2, Speaker::Human, Manner::Plain, "look"),
            (3, Speaker::Agent, Manner::Plain, "I see."),
            (4, Speaker::Human, Manner::Plain, "shorter"),
        ]
    );
    assert_eq!(seen(&reading)[0].1, Speaker::Injected);
    let time = reading.sessions[0].turns[1].time.unwrap();
    assert_eq!(time.timestamp_millis(), 1_764_460_801_500);
}

#[test]
fn claude_ai_leaves_attachments_out_and_marks_rewritten_prompts() {
    let json = r#"[{"uuid":"c","created_at":"2026-01-01T00:00:00.000000Z","chat_messages":[
        {"uuid":"1","sender":"human","parent_message_uuid":"0","content":[{"type":"text","text":"sum up"}],"attachments":[{"extracted_content":"I prefer tables"}]},
        {"uuid":"2","sender":"human","parent_message_uuid":"0","text":"sum it up","content":[]},
        {"uuid":"3","sender":"assistant","parent_message_uuid":"2","content":[{"type":"tool_use","name":"search","input":{"query":"q"}},{"type":"text","text":"Here."}]}]}]"#;
    let reading = read_claude_ai(json.as_bytes(), Path::new("c.json"), DateTime::UNIX_EPOCH).unwrap();
    assert_eq!(
        seen(&reading),
        [
            (1, Speaker::Human, Manner::Withdrawn, "sum up"),
            (1, Speaker::Injected, Manner::Rollback, "1 turn rolled back"),
            (2, Speaker::Human, Manner::Plain, "sum it up"),
            (3, Speaker::Agent, Manner::Plain, "Here."),
            (3, Speaker::Agent, Manner::Call, "search q"),
        ]
    );
}

#[test]
fn a_file_cut_off_is_an_error() {
    let error =
        read_claude_ai(br#"[{"chat_messages":["#.as_slice(), Path::new("c.json"), DateTime::UNIX_EPOCH).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Transcript);
}
