//! What holds for any bytes.

use proptest::prelude::*;

use super::*;

/// The beginnings of every format, to be torn and mixed.
const ROWS: [&str; 6] = [
    r#"{"type":"user","uuid":"u","sessionId":"s","parentUuid":"u","message":{"role":"user","content":"use pnpm"}}"#,
    r#"{"type":"assistant","uuid":"v","message":{"content":[{"type":"tool_use","name":"Bash","input":{"command":"ls"}}]}}"#,
    r#"{"timestamp":"2026-01-01T00:00:00Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"text":"a"}]}}"#,
    r#"{"timestamp":"2026-01-01T00:00:00Z","type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":9e99}}"#,
    r#"{"type":"message","id":"i","message":{"role":"user","content":"[Fri 2026-03-20 09:29 GMT+8] a"}}"#,
    r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":null}]}"#,
];

proptest! {
    #[test]
    fn torn_and_mixed_rows_never_panic(picks in prop::collection::vec((0..ROWS.len(), 0_usize..140, any::<u8>()), 0..20)) {
        let mut bytes = Vec::new();
        for (row, place, byte) in picks {
            let mut row = ROWS[row].as_bytes().to_vec();
            let place = place % row.len();
            if byte < 60 { row.truncate(place) } else if byte < 200 { row[place] = byte }
            bytes.extend(row);
            bytes.push(b'\n');
        }
        if let Ok(reading) = read_stream(&bytes[..], Path::new("any.jsonl"), DateTime::UNIX_EPOCH) {
            let lines = u32::try_from(bytes.split(|&byte| byte == b'\n').count()).unwrap();
            for turn in reading.sessions.iter().flat_map(|session| &session.turns) {
                prop_assert!((1..=lines).contains(&turn.line));
                prop_assert!(turn.speaker != Speaker::Human || !turn.text.trim().is_empty());
            }
        }
    }
}
