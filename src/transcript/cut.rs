//! How much of a text is kept.

/// Bytes of one human turn that are kept; nobody types more, and a paste is not learned from.
pub(super) const HUMAN: usize = 64 << 10;
/// Bytes of one agent turn that are kept.
pub(super) const AGENT: usize = 16 << 10;
/// Bytes of a tool's result that are kept.
pub(super) const RESULT: usize = 300;
/// Bytes of a tool call's arguments that are kept.
pub(super) const ARGUMENTS: usize = 200;
/// Bytes of an injected text that are kept, for `trace`.
pub(super) const INJECTED: usize = 200;

/// The beginning of `text`, at most `limit` bytes, cut at a character.
pub(super) fn clip(text: &str, limit: usize) -> &str {
    text.get(..text.floor_char_boundary(limit)).unwrap_or(text)
}
