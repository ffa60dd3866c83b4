//! opencode: `~/.local/share/opencode`, or below `XDG_DATA_HOME`.

use std::path::PathBuf;

use super::Places;

/// Where it keeps its data.
pub(super) fn home(places: &Places) -> PathBuf {
    places.folder("XDG_DATA_HOME", ".local/share").join("opencode")
}

/// `opencode.db` (and those of other channels), and the older storage tree. Both may hold the same session.
pub(super) fn transcripts(places: &Places) -> Vec<PathBuf> {
    vec![home(places)]
}
