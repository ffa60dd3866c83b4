//! Tests of conversations from anywhere.

use super::*;

const CHAT: &str = r#"{"id":"o1","messages":[{"role":"system","content":"Obey."},{"role":"user","content":[{"type":"text","text":"use pnpm"},{"type":"image_url"}]},{"role":"assistant","content":null,"tool_calls":[{"function":{"name":"edit","arguments":"{\"path\":\"a.py\"}"}}]},{"role":"tool","content":"ok"},{"role":"assistant","content":"Done."}]}"#;

const SHARED: &str = r#"[{"conversations":[{"from":"human","value":"hi"},{"from":"gpt","value":"Hello."},{"from":"system","value":"Obey."}]},{"other":1}]"#;

fn told(session: &Session) -> Vec<(u32, Speaker, &str)> {
    session.turns.iter().map(|turn| (turn.line, turn.speaker, turn.text.as_str())).collect()
}

#[test]
fn a_whole_file_counts_messages() {
    let reading = read_whole(CHAT.as_bytes(), Path::new("c.json"), DateTime::UNIX_EPOCH).unwrap();
    assert_eq!((reading.sessions[0].id.as_str(), reading.sessions[0].host), ("o1", Host::Openai));
    let want = [
        (1, Speaker::Injected, "Obey."),
        (2, Speaker::Human, "use pnpm"),
        (3, Speaker::Agent, "edit a.py"),
        (4, Speaker::Tool, "ok"),
        (5, Speaker::Agent, "Done."),
    ];
    assert_eq!(told(&reading.sessions[0]), want);
}

#[test]
fn lines_are_conversations_or_messages() {
    let text = format!("{CHAT}\n{{\"role\":\"user\",\"content\":\"a\"}}\n{{\"role\":\"assistant\",\"content\":\"b\"}}");
    let reading = read_lines(text.as_bytes(), Path::new("c.jsonl"), DateTime::UNIX_EPOCH).unwrap();
    assert!(reading.sessions[0].turns.iter().all(|turn| turn.line == 1));
    assert_eq!(told(&reading.sessions[1]), [(2, Speaker::Human, "a"), (3, Speaker::Agent, "b")]);
}

#[test]
fn sharegpt_lists_give_a_session_each_and_name_what_is_none() {
    let reading = read_whole(SHARED.as_bytes(), Path::new("c.json"), DateTime::UNIX_EPOCH).unwrap();
    assert_eq!((reading.sessions.len(), reading.sessions[0].id.as_str()), (1, "c#1"));
    assert_eq!(reading.sessions[0].host, Host::Sharegpt);
    assert_eq!(reading.problems.len(), 1);
}

#[test]
fn a_torn_file_is_an_error_with_its_name() {
    let error = read_whole(&b"{\"messages\":["[..], Path::new("c.json"), DateTime::UNIX_EPOCH).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Transcript);
    assert!(error.to_string().starts_with("c.json: "));
}

#[test]
fn a_file_without_conversations_is_of_an_unknown_format() {
    for text in ["[]", "{\"role\":[]}", "[{\"role\":3}]"] {
        let error = read_whole(text.as_bytes(), Path::new("c.json"), DateTime::UNIX_EPOCH).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnknownFormat, "{text}");
    }
}

#[test]
fn the_name_tells_a_file_of_one_line_from_lines() {
    let lines = |name: &str| {
        let found = super::super::read_stream(CHAT.as_bytes(), Path::new(name), DateTime::UNIX_EPOCH).unwrap();
        found.sessions[0].turns[1].line
    };
    assert_eq!((lines("c.json"), lines("c.jsonl"), lines("-")), (2, 1, 1));
}
