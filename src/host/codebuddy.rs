//! CodeBuddy Code: `~/.codebuddy`, or `CODEBUDDY_CONFIG_DIR`; WorkBuddy beside it.

use std::path::PathBuf;

use super::{Moment, Places};

/// Its home.
pub(super) fn home(places: &Places) -> PathBuf {
    places.folder("CODEBUDDY_CONFIG_DIR", ".codebuddy")
}

/// `projects/<project>/<session>.jsonl`, of both products.
pub(super) fn transcripts(places: &Places) -> Vec<PathBuf> {
    vec![home(places).join("projects"), places.home.join(".workbuddy/projects")]
}

/// What an event of its hooks means: they are those of Claude Code.
pub(super) fn moment(event: &str) -> Option<Moment> {
    super::claude_code::moment(event)
}
