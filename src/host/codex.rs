//! Codex CLI: `~/.codex`, or `CODEX_HOME`.

use std::path::PathBuf;

use super::Places;

/// Its home.
pub(super) fn home(places: &Places) -> PathBuf {
    places.folder("CODEX_HOME", ".codex")
}

/// `sessions/<year>/<month>/<day>/rollout-*.jsonl`, and what was archived.
pub(super) fn transcripts(places: &Places) -> Vec<PathBuf> {
    vec![home(places).join("sessions"), home(places).join("archived_sessions")]
}
