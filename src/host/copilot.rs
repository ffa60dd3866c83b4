//! GitHub Copilot CLI: `~/.copilot`.

use std::path::PathBuf;

use super::Places;

/// `session-state/<id>/events.jsonl`, and the older places.
pub(super) fn transcripts(places: &Places) -> Vec<PathBuf> {
    ["session-state", "history-session-state"].map(|folder| places.home.join(".copilot").join(folder)).to_vec()
}
