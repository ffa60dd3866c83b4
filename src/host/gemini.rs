//! Gemini CLI: `~/.gemini`.

use std::path::PathBuf;

use super::Places;

/// Its home.
pub(super) fn home(places: &Places) -> PathBuf {
    places.home.join(".gemini")
}

/// `tmp/<project>/chats/session-*.jsonl`.
pub(super) fn transcripts(places: &Places) -> Vec<PathBuf> {
    vec![home(places).join("tmp")]
}
