//! opencode: `~/.local/share/opencode`, or below `XDG_DATA_HOME`.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Moment, Places};

/// Where it keeps its data.
pub(super) fn home(places: &Places) -> PathBuf {
    places.folder("XDG_DATA_HOME", ".local/share").join("opencode")
}

/// `opencode.db` (and those of other channels), and the older storage tree. Both may hold the same session.
pub(super) fn transcripts(places: &Places) -> Vec<PathBuf> {
    vec![home(places)]
}

/// What an event that the plugin passes on means. No event tells the end of a session.
pub(super) fn moment(event: &str) -> Option<Moment> {
    match event {
        "session.idle" | "session.compacted" | "experimental.session.compacting" => Some(Moment::Turn),
        "dispose" | "server.instance.disposed" => Some(Moment::End),
        _ => None,
    }
}

/// Where a session may lie: every channel's database, and its file in the older tree.
pub(super) fn find(home: &Path, session: Option<&str>) -> Vec<PathBuf> {
    let is_database = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("opencode") && name.ends_with(".db")
    };
    let mut found: Vec<PathBuf> = entries(home).into_iter().filter(is_database).collect();
    if let Some(session) = session {
        let projects = entries(&home.join("storage/session"));
        found.extend(projects.into_iter().map(|project| project.join(format!("{session}.json"))));
    }
    found.retain(|path| path.is_file());
    found
}

/// What a folder holds; nothing if it is none.
fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).map(|list| list.flatten().map(|entry| entry.path()).collect()).unwrap_or_default()
}
