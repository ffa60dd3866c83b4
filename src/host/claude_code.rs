//! Claude Code: `~/.claude`, or `CLAUDE_CONFIG_DIR`.

use std::path::PathBuf;

use super::{Moment, Places};

/// Its home.
pub(super) fn home(places: &Places) -> PathBuf {
    places.folder("CLAUDE_CONFIG_DIR", ".claude")
}

/// `projects/<project>/<session>.jsonl`.
pub(super) fn transcripts(places: &Places) -> Vec<PathBuf> {
    vec![home(places).join("projects")]
}

/// What an event of its hooks means.
pub(super) fn moment(event: &str) -> Option<Moment> {
    match event {
        "SessionEnd" | "PreCompact" => Some(Moment::End),
        "Stop" | "PostCompact" => Some(Moment::Turn),
        "SessionStart" => Some(Moment::CatchUp),
        _ => None,
    }
}
