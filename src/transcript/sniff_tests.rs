//! Tests of which format is told from which beginning.

use super::*;

#[test]
fn content_decides() {
    let bookkeeping = "{\"type\":\"summary\",\"summary\":\"x\",\"leafUuid\":\"l\"}\n".repeat(300);
    let claude = r#"{"type":"user","uuid":"u","sessionId":"s","message":{"role":"user","content":"hi"}}"#;
    let table = [
        ("".to_owned(), Format::Empty),
        ("\u{feff}\r\n".to_owned(), Format::Empty),
        ("SQLite format 3\0...".to_owned(), Format::Sqlite),
        (format!("\u{feff}{claude}"), Format::ClaudeCode),
        (format!("{bookkeeping}{claude}"), Format::ClaudeCode),
        (bookkeeping.clone(), Format::ClaudeCode),
        (r#"{"type":"user","timestamp":"t","message":{"content":"hi"}}"#.to_owned(), Format::ClaudeCode),
        (format!("broken\n{claude}"), Format::ClaudeCode),
        (r#"{"type":"session","version":4,"id":"s","timestamp":"t"}"#.to_owned(), Format::Openclaw),
        (r#"{"type":"message","timestamp":"t","message":{"role":"user","content":[]}}"#.to_owned(), Format::Openclaw),
        (r#"{"timestamp":"t","type":"session_meta","payload":{"id":"s"}}"#.to_owned(), Format::Codex),
        (r#"{"id":"s","timestamp":"t","instructions":null}"#.to_owned(), Format::Codex),
        (r#"{"messages":[{"role":"user","content":"a"}]}"#.to_owned(), Format::MessageLines),
        ("{\n  \"messages\": [\n{\"role\": \"user\"}]}".to_owned(), Format::MessageFile),
        ("[{\"conversations\": []}]".to_owned(), Format::MessageFile),
        ("[\n{\"role\":\"user\",\"content\":\"a\"}\n]".to_owned(), Format::MessageFile),
        (
            "{\"role\":\"user\",\"content\":\"a\"}\n{\"role\":\"assistant\",\"content\":\"b\"}".to_owned(),
            Format::MessageLines,
        ),
    ];
    for (text, want) in table {
        assert_eq!(sniff(text.as_bytes()), want, "{}", text.get(..80).unwrap_or(&text));
    }
}

#[test]
fn what_is_not_understood_is_told_so() {
    let table = ["# notes", "[[[[[[[[", "{\"a\":1}", "\u{28}\u{b5}"];
    for text in table {
        assert!(matches!(sniff(text.as_bytes()), Format::Unknown(_)), "{text}");
    }
}

#[test]
fn a_long_first_row_is_known_by_its_beginning() {
    let row = format!(
        "{{\"timestamp\":\"t\",\"type\":\"session_meta\",\"payload\":{{\"instructions\":\"{}",
        "x".repeat(HEAD)
    );
    assert_eq!(sniff(&row.as_bytes()[..HEAD]), Format::Codex);
}
