//! Cursor: agent transcripts and chats below `~/.cursor`.

use std::path::PathBuf;

use super::Places;

/// `projects/<project>/agent-transcripts` and the chats' databases.
pub(super) fn transcripts(places: &Places) -> Vec<PathBuf> {
    ["projects", "chats"].map(|folder| places.home.join(".cursor").join(folder)).to_vec()
}
