//! Codex CLI: `~/.codex`, or `CODEX_HOME`.

use std::path::PathBuf;

use super::{Moment, Places};

/// Its home.
pub(super) fn home(places: &Places) -> PathBuf {
    places.folder("CODEX_HOME", ".codex")
}

/// `sessions/<year>/<month>/<day>/rollout-*.jsonl`, and what was archived.
pub(super) fn transcripts(places: &Places) -> Vec<PathBuf> {
    vec![home(places).join("sessions"), home(places).join("archived_sessions")]
}

/// What an event of its hooks, or of its older `notify`, means. Its screen ends without a word, so each turn counts.
pub(super) fn moment(event: &str) -> Option<Moment> {
    match event {
        "SessionEnd" | "PreCompact" => Some(Moment::End),
        "Stop" | "Interrupt" | "PostCompact" | "agent-turn-complete" => Some(Moment::Turn),
        "SessionStart" => Some(Moment::CatchUp),
        _ => None,
    }
}
