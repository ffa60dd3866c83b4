//! Logs of prompts alone: `history.jsonl` of Claude Code and of Codex. Human words without what was answered.

use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};

use super::draft::{Draft, Record, time};
use super::further::owned;
use super::json::{Cursor, Malformed, Value};
use super::lines::each_row;
use super::{Host, Manner, Reading, Turn, cut};
use crate::error::Result;

/// Reads Claude Code's log: `{display, pastedContents, timestamp, project, sessionId?}`; a session is a session
/// id, in old rows a project.
pub(super) fn read_claude_code(reader: impl Read + Send, path: &Path, modified: DateTime<Utc>) -> Result<Reading> {
    read(reader, path, modified, Host::ClaudeCode, |row| {
        let project = owned(row.get("project"));
        let at = time(row.get("timestamp"));
        let text = row.get("display").text_up_to(cut::HUMAN)?.into_owned();
        let record = Record { id: None, time: at };
        let turn = match text.trim().strip_prefix('/') {
            None => record.prompt(Host::ClaudeCode, &text),
            Some(command) => match command.split_once(char::is_whitespace) {
                Some((_, words)) => record.human(Manner::Argument, words.trim()),
                None => record.injected(Manner::Plain, &text),
            },
        };
        Some(Prompt { session: owned(row.get("sessionId")).or_else(|| project.clone())?, project, turn })
    })
}

/// Reads Codex' log: `{session_id, ts, text}`, the time in seconds.
pub(super) fn read_codex(reader: impl Read + Send, path: &Path, modified: DateTime<Utc>) -> Result<Reading> {
    read(reader, path, modified, Host::Codex, |row| {
        #[allow(clippy::cast_possible_truncation, reason = "seconds since 1970")]
        let at = row.get("ts").number().and_then(|seconds| DateTime::from_timestamp(seconds as i64, 0));
        let text = row.get("text").text_up_to(cut::HUMAN)?;
        let record = Record { id: None, time: at };
        Some(Prompt { session: owned(row.get("session_id"))?, project: None, turn: record.prompt(Host::Codex, &text) })
    })
}

struct Prompt {
    session: String,
    project: Option<String>,
    turn: Turn,
}

fn read(
    reader: impl Read + Send,
    path: &Path,
    modified: DateTime<Utc>,
    host: Host,
    prompt: impl Fn(Value<'_>) -> Option<Prompt> + Sync,
) -> Result<Reading> {
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut drafts: Vec<Draft> = Vec::new();
    let mut problems = Vec::new();
    let parse = |line: &[u8]| -> std::result::Result<Option<Prompt>, Malformed> {
        let mut cursor = Cursor::new(line);
        let row = cursor.value()?;
        if cursor.at_end() { Ok(prompt(row)) } else { Err(Malformed) }
    };
    each_row(reader, path, &mut problems, parse, |line, row: Prompt| {
        let place = *places.entry(row.session.clone()).or_insert(drafts.len());
        if place == drafts.len() {
            let mut draft = Draft::default();
            draft.id = Some(row.session);
            draft.cwd = row.project.map(PathBuf::from);
            drafts.push(draft);
        }
        if let Some(draft) = drafts.get_mut(place) {
            draft.turns.push(Turn { line, ..row.turn });
        }
    })?;
    let sessions = drafts.into_iter().map(|draft| draft.finish(host, path, modified)).collect();
    Ok(Reading { sessions, problems })
}

#[cfg(test)]
mod tests {
    use super::super::Speaker;
    use super::*;

    #[test]
    fn prompts_are_sorted_into_sessions() {
        let claude = concat!(
            r#"{"display":"use tabs","pastedContents":{},"timestamp":1764460800000,"project":"/w","sessionId":"a"}"#,
            "\n",
            r#"{"display":"/model","pastedContents":{},"timestamp":1764460801000,"project":"/w","sessionId":"a"}"#,
            "\n",
            r#"{"display":"/review the api","pastedContents":{},"timestamp":1764460802000,"project":"/v"}"#,
        );
        let codex = concat!(
            r#"{"session_id":"a","ts":1764460800,"text":"use tabs"}"#,
            "\n",
            r#"{"session_id":"/v","ts":1764460801,"text":"the api"}"#,
        );
        let path = Path::new("history.jsonl");
        let claude = read_claude_code(claude.as_bytes(), path, DateTime::UNIX_EPOCH).unwrap();
        let codex = read_codex(codex.as_bytes(), path, DateTime::UNIX_EPOCH).unwrap();
        for (reading, host) in [(claude, Host::ClaudeCode), (codex, Host::Codex)] {
            let humans: Vec<_> = reading
                .sessions
                .iter()
                .flat_map(|session| session.turns.iter().map(move |turn| (session, turn)))
                .filter(|(_, turn)| turn.speaker == Speaker::Human)
                .map(|(session, turn)| (session.host, session.id.as_str(), turn.text.as_str()))
                .collect();
            assert_eq!(humans, [(host, "a", "use tabs"), (host, "/v", "the api")]);
            let started = reading.sessions[0].started.timestamp();
            assert_eq!(started, 1_764_460_800);
        }
    }
}
