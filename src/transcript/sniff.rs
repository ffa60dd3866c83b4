//! Which format a file has: its content decides, its name is not asked.
//!
//! Looks at the beginning only. Claude Code may put hundreds of bookkeeping rows in front of the first turn,
//! so rows that only hint at a format are looked past as long as there are more.

use super::further;
use super::json::{Cursor, Value};
use super::packed::Packing;

/// Bytes at the beginning that are looked at.
pub(super) const HEAD: usize = 256 << 10;

/// Rows that are looked at before a hint is taken for the answer.
const ROWS: usize = 400;

/// The container and format of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Empty,
    ClaudeCode,
    Codex,
    Openclaw,
    Sqlite,
    MessageLines,
    MessageFile,
    /// Compressed; what is inside tells the format.
    Packed(Packing),
    /// One of the formats in [`further`].
    Further(further::Kind),
    /// Nothing that is understood; what it looks like, to complete "this is …".
    Unknown(&'static str),
}

/// What one row says about the format.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Vote {
    Surely(Format),
    Perhaps(Format),
    Nothing,
}

/// Tells the format from the first [`HEAD`] bytes.
pub(super) fn sniff(head: &[u8]) -> Format {
    let magic: [(&[u8], Format); 4] = [
        (b"SQLite format 3\0", Format::Sqlite),
        (b"\x28\xB5\x2F\xFD", Format::Packed(Packing::Zstd)),
        (b"\x1F\x8B", Format::Packed(Packing::Gzip)),
        (b"PK\x03\x04", Format::Packed(Packing::Zip)),
    ];
    if let Some((_, format)) = magic.iter().find(|(start, _)| head.starts_with(start)) {
        return *format;
    }
    let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    if text.trim_ascii().is_empty() {
        return Format::Empty;
    }
    if let Some(kind) = further::sniff(text) {
        return Format::Further(kind);
    }
    if let Some(format) = whole_file(text) {
        return format;
    }
    let mut hint = None;
    let rows = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).filter(|row| !row.is_empty());
    for row in rows.take(ROWS) {
        match vote(row) {
            Vote::Surely(format) => return format,
            Vote::Perhaps(format) => hint = hint.or(Some(format)),
            Vote::Nothing => {}
        }
    }
    hint.unwrap_or(Format::Unknown("no transcript that is known"))
}

/// A JSON value over several lines, or a list: exports, not rows.
fn whole_file(text: &[u8]) -> Option<Format> {
    let start = text.trim_ascii_start();
    let first_row = start.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let is_whole_row = Cursor::new(first_row).skip().is_ok();
    let is_list = start.first() == Some(&b'[');
    if start.first() != Some(&b'{') && !is_list {
        return None;
    }
    // A first row that was cut off costs itself: what follows are rows of their own.
    let mut others = start.split(|&byte| byte == b'\n').skip(1).map(<[u8]>::trim_ascii).take(4);
    if !is_list && others.any(|row| matches!(vote(row), Vote::Surely(_)) && Cursor::new(row).skip().is_ok()) {
        return None;
    }
    let has_more_rows = start.get(first_row.len()..).is_some_and(|rest| !rest.trim_ascii().is_empty());
    if is_whole_row && (has_more_rows || !is_list) {
        return None;
    }
    // The beginning of a long first row may be all there is to see: rows of a known form are rows.
    if !is_list && matches!(vote(first_row), Vote::Surely(_)) && first_row.len() > 1 {
        return None;
    }
    let beginning = start.get(..4096).unwrap_or(start);
    let has = |key: &str| memchr::memmem::find(beginning, key.as_bytes()).is_some();
    let is_messages = has("\"messages\"") || has("\"conversations\"") || has("\"role\"");
    let is_other = has("\"mapping\"") || has("\"chat_messages\"") || has("\"projectHash\"") || has("\"ses_");
    (is_messages && !is_other).then_some(Format::MessageFile)
}

fn vote(row: &[u8]) -> Vote {
    let keys = Keys::of(row);
    let kind = keys.kind.inside();
    if keys.payload && keys.time.is_string() {
        return Vote::Surely(Format::Codex);
    }
    if keys.is_other_export {
        return Vote::Surely(Format::Unknown("an export of another program, in a form that is not known"));
    }
    if keys.messages {
        return Vote::Surely(Format::MessageLines);
    }
    if matches!(kind, b"message" | b"function_call" | b"function_call_result")
        && keys.time.number().is_some()
        && keys.session
    {
        return Vote::Surely(Format::Unknown("a CodeBuddy transcript, in a form that is not known"));
    }
    match kind {
        b"session" if keys.id => Vote::Surely(Format::Openclaw),
        b"message" if keys.message_object && !keys.uuid => Vote::Surely(Format::Openclaw),
        b"user" | b"assistant" if keys.uuid && keys.message_object => Vote::Surely(Format::ClaudeCode),
        b"attachment" | b"progress" | b"system" if keys.uuid && keys.session => Vote::Surely(Format::ClaudeCode),
        // Cut down copies leave out the ids.
        b"user" | b"assistant" if keys.message_object && keys.time.is_string() => Vote::Perhaps(Format::ClaudeCode),
        b"summary" if keys.leaf => Vote::Perhaps(Format::ClaudeCode),
        b"queue-operation"
        | b"permission-mode"
        | b"mode"
        | b"ai-title"
        | b"custom-title"
        | b"last-prompt"
        | b"agent-name"
        | b"pr-link"
        | b"file-history-snapshot"
            if keys.session || keys.message_id =>
        {
            Vote::Perhaps(Format::ClaudeCode)
        }
        b"message" | b"reasoning" if keys.content && !keys.session => Vote::Perhaps(Format::Codex),
        b"function_call" | b"function_call_output" if !keys.session => Vote::Perhaps(Format::Codex),
        b"" if keys.record_type || (keys.id && keys.time.is_string() && keys.instructions) => {
            Vote::Surely(Format::Codex)
        }
        b"" if keys.role && keys.content && !keys.message_object => Vote::Perhaps(Format::MessageLines),
        _ => Vote::Nothing,
    }
}

/// Which top-level keys a row has, as far as it can be read: the head may cut it.
#[derive(Default)]
struct Keys<'a> {
    kind: Value<'a>,
    time: Value<'a>,
    id: bool,
    uuid: bool,
    session: bool,
    payload: bool,
    message_object: bool,
    messages: bool,
    /// Keys of exports that have `messages` too: Gemini, opencode, ChatGPT, Claude.ai.
    is_other_export: bool,
    message_id: bool,
    leaf: bool,
    role: bool,
    content: bool,
    record_type: bool,
    instructions: bool,
}

impl<'a> Keys<'a> {
    fn of(row: &'a [u8]) -> Self {
        let mut keys = Self::default();
        // A row that is cut off still tells what stands before the cut.
        let _ = Cursor::new(row).object(|key, at| {
            match key {
                b"type" => keys.kind = at.value()?,
                b"timestamp" => keys.time = at.value()?,
                b"id" => keys.id = at.value()?.is_string(),
                b"uuid" => keys.uuid = at.value()?.is_string(),
                b"sessionId" => keys.session = at.value()?.is_string(),
                _ => {
                    let starts = at.peek();
                    match key {
                        b"payload" => keys.payload = starts == Some(b'{'),
                        b"message" => keys.message_object = starts == Some(b'{'),
                        b"messages" | b"conversations" => keys.messages = starts == Some(b'['),
                        b"projectHash" | b"info" | b"mapping" | b"chat_messages" => keys.is_other_export = true,
                        b"messageId" => keys.message_id = true,
                        b"leafUuid" => keys.leaf = true,
                        b"role" => keys.role = starts == Some(b'"'),
                        b"content" => keys.content = true,
                        b"record_type" => keys.record_type = true,
                        b"instructions" | b"git" => keys.instructions = true,
                        _ => {}
                    }
                    at.skip()?;
                }
            }
            Ok(())
        });
        keys
    }
}

#[cfg(test)]
#[path = "sniff_tests.rs"]
mod tests;
