//! Gemini CLI: `~/.gemini`.

use std::path::PathBuf;

use super::{Moment, Places};

/// Its home.
pub(super) fn home(places: &Places) -> PathBuf {
    places.home.join(".gemini")
}

/// `tmp/<project>/chats/session-*.jsonl`.
pub(super) fn transcripts(places: &Places) -> Vec<PathBuf> {
    vec![home(places).join("tmp")]
}

/// What an event of its hooks means. `PreCompress` comes before every call of the model, compressed or not.
pub(super) fn moment(event: &str) -> Option<Moment> {
    match event {
        "SessionEnd" => Some(Moment::End),
        "PreCompress" | "AfterAgent" => Some(Moment::Turn),
        "SessionStart" => Some(Moment::CatchUp),
        _ => None,
    }
}
