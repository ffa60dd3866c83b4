//! Claude Code: `~/.claude`, or `CLAUDE_CONFIG_DIR`.

use std::path::PathBuf;

use super::Places;

/// Its home.
pub(super) fn home(places: &Places) -> PathBuf {
    places.folder("CLAUDE_CONFIG_DIR", ".claude")
}

/// `projects/<project>/<session>.jsonl`.
pub(super) fn transcripts(places: &Places) -> Vec<PathBuf> {
    vec![home(places).join("projects")]
}
