//! The formats beyond the main ones: which of them a file has, and the reader for it.
//!
//! Asked before the main formats, and only by marks that none of those has.

use std::borrow::Cow;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use chrono::{DateTime, Utc};

use super::json::{Cursor, Value};
use super::{
    Reading, aider, codebuddy, copilot, cursor, cursor_export, exports, gemini, opencode, opencode_store,
    opencode_text, prompt_log, screen, specstory,
};
use crate::error::Result;

/// A format that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Specstory,
    CursorExport,
    CursorLines,
    CursorText,
    OpencodeExport,
    OpencodeTree,
    OpencodeLog,
    OpencodeText,
    GeminiLines,
    GeminiFile,
    Aider,
    Codebuddy,
    Chatgpt,
    ClaudeAi,
    Copilot,
    ClaudePrompts,
    CodexPrompts,
    ClaudeScreen,
}

/// Lines at the beginning of a text that may hold its mark.
const MARK_LINES: usize = 400;

/// Bytes of a text that are looked at when a folder is searched.
const TEXT_HEAD: u64 = 64 << 10;

/// Rows of JSONL that are looked at.
const ROWS: usize = 50;

/// Tells the format from the beginning of a file.
pub(super) fn sniff(head: &[u8]) -> Option<Kind> {
    let start = head.trim_ascii_start();
    // Text may begin with `[`, but no text with `{"`.
    if matches!(start.first(), Some(b'{' | b'[')) {
        return sniff_json(start);
    }
    sniff_text(head)
}

/// Reads a file of this format.
pub(super) fn read(kind: Kind, reader: impl Read + Send, path: &Path, modified: DateTime<Utc>) -> Result<Reading> {
    match kind {
        Kind::Specstory => specstory::read(reader, path, modified),
        Kind::CursorExport => cursor_export::read(reader, path, modified),
        Kind::CursorLines => cursor::read_lines(reader, path, modified),
        Kind::CursorText => cursor::read_text(reader, path, modified),
        Kind::OpencodeExport => opencode::read_export(reader, path, modified),
        Kind::OpencodeTree => opencode_store::read_tree(reader, path, modified),
        Kind::OpencodeLog => opencode::read_log(reader, path, modified),
        Kind::OpencodeText => opencode_text::read(reader, path, modified),
        Kind::GeminiLines => gemini::read_lines(reader, path, modified),
        Kind::GeminiFile => gemini::read_whole(reader, path, modified),
        Kind::Aider => aider::read(reader, path, modified),
        Kind::Codebuddy => codebuddy::read(reader, path, modified),
        Kind::Chatgpt => exports::read_chatgpt(reader, path, modified),
        Kind::ClaudeAi => exports::read_claude_ai(reader, path, modified),
        Kind::Copilot => copilot::read(reader, path, modified),
        Kind::ClaudePrompts => prompt_log::read_claude_code(reader, path, modified),
        Kind::CodexPrompts => prompt_log::read_codex(reader, path, modified),
        Kind::ClaudeScreen => screen::read(reader, path, modified),
    }
}

/// Whether a file begins like a transcript that is a text.
pub(super) fn is_text(path: &Path) -> bool {
    let mut head = Vec::new();
    let beginning = File::open(path).and_then(|file| file.take(TEXT_HEAD).read_to_end(&mut head));
    let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&head);
    beginning.is_ok() && sniff_text(text).is_some()
}

fn sniff_json(start: &[u8]) -> Option<Kind> {
    let mut keys = Keys::default();
    let mut cursor = Cursor::new(start);
    // A value that is cut off still tells what stands before the cut.
    if start.first() == Some(&b'[') {
        let mut is_first = true;
        let _ = cursor.array(|at| if std::mem::take(&mut is_first) { keys.take(at) } else { at.skip() });
        return keys.listed();
    }
    let _ = keys.take(&mut cursor);
    keys.whole().or_else(|| {
        let rows = start.split(|&byte| byte == b'\n').take(ROWS);
        rows.filter_map(|row| {
            let mut keys = Keys::default();
            let _ = keys.take(&mut Cursor::new(row));
            keys.row()
        })
        .next()
    })
}

/// The top-level keys of a JSON object, as far as it can be read.
#[derive(Default)]
struct Keys<'a> {
    kind: Value<'a>,
    time: Value<'a>,
    names: Vec<(&'a [u8], u8)>,
}

impl<'a> Keys<'a> {
    fn take(&mut self, cursor: &mut Cursor<'a>) -> std::result::Result<(), super::json::Malformed> {
        cursor.object(|key, at| {
            let begins = at.peek().unwrap_or_default();
            self.names.push((key, begins));
            match key {
                b"type" => self.kind = at.value()?,
                b"timestamp" => self.time = at.value()?,
                _ => at.skip()?,
            }
            Ok(())
        })
    }

    fn has(&self, name: &str) -> bool {
        self.names.iter().any(|(key, _)| *key == name.as_bytes())
    }

    /// Whether the key is there with a value that begins so (`{`, `[`, `"`).
    fn holds(&self, name: &str, begins: u8) -> bool {
        self.names.iter().any(|(key, byte)| *key == name.as_bytes() && *byte == begins)
    }

    /// A file that is one object.
    fn whole(&self) -> Option<Kind> {
        match () {
            () if self.holds("mapping", b'{') && self.has("current_node") => Some(Kind::Chatgpt),
            () if self.holds("mapping", b'{') && self.has("create_time") => Some(Kind::Chatgpt),
            () if self.holds("chat_messages", b'[') => Some(Kind::ClaudeAi),
            () if self.holds("info", b'{') && self.holds("messages", b'[') => Some(Kind::OpencodeExport),
            () if self.holds("messages", b'[') && self.has("projectHash") => Some(Kind::GeminiFile),
            () if self.has("projectHash") && self.has("startTime") => Some(Kind::GeminiLines),
            () if self.has("projectID") && self.has("directory") && self.holds("time", b'{') => {
                Some(Kind::OpencodeTree)
            }
            () => None,
        }
    }

    /// The first item of a file that is a list.
    fn listed(&self) -> Option<Kind> {
        match () {
            () if self.holds("mapping", b'{') => Some(Kind::Chatgpt),
            () if self.holds("chat_messages", b'[') => Some(Kind::ClaudeAi),
            () if self.has("role") && self.holds("parts", b'[') => Some(Kind::GeminiFile),
            () => None,
        }
    }

    /// A row of JSONL.
    fn row(&self) -> Option<Kind> {
        let kind = self.kind.inside();
        match () {
            () if kind.contains(&b'.') && self.holds("data", b'{') => Some(Kind::Copilot),
            () if self.time.number().is_some()
                && self.has("sessionId")
                && self.has("id")
                && !self.has("uuid")
                && !self.kind.inside().is_empty() =>
            {
                Some(Kind::Codebuddy)
            }
            () if self.has("role") && self.holds("message", b'{') && !self.has("uuid") && kind.is_empty() => {
                Some(Kind::CursorLines)
            }
            () if matches!(kind, b"user" | b"tool_use" | b"tool_result")
                && self.has("timestamp")
                && (self.has("content") || self.has("tool_name"))
                && !self.has("message")
                && !self.has("uuid")
                && !self.has("id") =>
            {
                Some(Kind::OpencodeLog)
            }
            () if self.has("display") && self.has("timestamp") && self.has("project") => Some(Kind::ClaudePrompts),
            () if self.has("session_id") && self.has("ts") && self.has("text") => Some(Kind::CodexPrompts),
            () if kind.is_empty() && (self.has("$set") || self.has("$rewindTo")) => Some(Kind::GeminiLines),
            () => None,
        }
    }
}

fn sniff_text(head: &[u8]) -> Option<Kind> {
    let text = String::from_utf8_lossy(head);
    let (mut has_prompt, mut has_answer, mut is_screen) = (false, false, false);
    let (mut has_user, mut has_query) = (false, false);
    let lines = text.lines().map(str::trim_end).filter(|line| !line.is_empty());
    for (index, line) in lines.take(MARK_LINES).enumerate() {
        let is_early = index < 6;
        let is_title = index == 0 && line.trim_start_matches('#').starts_with(" SpecStory");
        if is_title
            || is_early && line.starts_with("<!-- Generated by SpecStory")
            || line.starts_with("_**User") && line.ends_with("**_")
        {
            return Some(Kind::Specstory);
        }
        if is_early && line.starts_with("_Exported on ") && line.contains(" from Cursor (") {
            return Some(Kind::CursorExport);
        }
        if is_early && line.starts_with(opencode_text::MARK) {
            return Some(Kind::OpencodeText);
        }
        if line.starts_with(aider::RUN) {
            return Some(Kind::Aider);
        }
        has_user |= index == 0 && line == "user:";
        has_query |= has_user && line.trim_start().starts_with("<user_query>");
        if has_user && (has_query || line == "assistant:") {
            return Some(Kind::CursorText);
        }
        let opens = |marks: &[&str]| marks.iter().any(|mark| line.starts_with(mark));
        has_prompt |= opens(&screen::PROMPTS);
        has_answer |= has_prompt && opens(&screen::ANSWERS);
        is_screen |= line.contains("Claude Code v") || line.trim_start().starts_with('⎿');
        if has_answer && is_screen {
            return Some(Kind::ClaudeScreen);
        }
    }
    None
}

/// A string of its own.
pub(super) fn owned(value: Value<'_>) -> Option<String> {
    value.text().map(Cow::into_owned)
}

/// What stands inside `<user_query>`, where there is any; else the whole text.
pub(super) fn query(text: &str) -> Cow<'_, str> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some((_, after)) = rest.split_once("<user_query>") {
        let (inside, after) = after.split_once("</user_query>").unwrap_or((after, ""));
        words.push(inside.trim());
        rest = after;
    }
    if words.is_empty() { Cow::Borrowed(text) } else { Cow::Owned(words.join("\n")) }
}

#[cfg(test)]
#[path = "further_tests.rs"]
mod tests;
