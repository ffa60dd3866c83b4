//! CodeBuddy Code: `~/.codebuddy`, or `CODEBUDDY_CONFIG_DIR`; WorkBuddy beside it.

use std::path::PathBuf;

use super::Places;

/// Its home.
pub(super) fn home(places: &Places) -> PathBuf {
    places.folder("CODEBUDDY_CONFIG_DIR", ".codebuddy")
}

/// `projects/<project>/<session>.jsonl`, of both products.
pub(super) fn transcripts(places: &Places) -> Vec<PathBuf> {
    vec![home(places).join("projects"), places.home.join(".workbuddy/projects")]
}
