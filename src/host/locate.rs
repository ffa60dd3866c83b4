//! Which files a note is about.

use std::fs;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};

use super::{Note, Places, openclaw, opencode, transcripts};
use crate::transcript::{self, Host};

/// So many files that changed are looked through at once; `replay` reads them all.
const MOST_FILES: usize = 50;

/// So many bytes at most.
const MOST_BYTES: u64 = 256 << 20;

/// The session's id that a note is about, where that can be told.
#[must_use]
pub fn session(note: &Note, places: &Places) -> Option<String> {
    match note.host {
        Host::Openclaw => openclaw::session(note, places),
        _ => note.session.clone(),
    }
}

/// The files and databases in which the session of a note lies; none if there is nothing (yet).
#[must_use]
pub fn locate(note: &Note, places: &Places) -> Vec<PathBuf> {
    match note.host {
        Host::Openclaw => openclaw::find(note, places),
        Host::Opencode => {
            let home = note.home.clone().unwrap_or_else(|| opencode::home(places));
            opencode::find(&home, note.session.as_deref())
        }
        _ => named(note).or_else(|| searched(note, places)).unwrap_or_default(),
    }
}

/// The file that the host named. CodeBuddy may name a text beside the transcript.
fn named(note: &Note) -> Option<Vec<PathBuf>> {
    let path = note.transcript.clone()?;
    let path = if is_text(&path) { path.with_extension("jsonl") } else { path };
    path.is_file().then(|| vec![path])
}

fn is_text(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("txt"))
}

/// The files with the session's id in their name. Gemini CLI puts only the beginning of it there.
fn searched(note: &Note, places: &Places) -> Option<Vec<PathBuf>> {
    let id = note.session.as_deref()?;
    let part = match note.host {
        Host::Gemini => id.get(..8).unwrap_or(id),
        _ => id,
    };
    let has_it = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().contains(part));
    let found: Vec<PathBuf> = roots(note, places).iter().flat_map(|root| below(root)).filter(has_it).collect();
    (!found.is_empty()).then_some(found)
}

/// Where the host of a note keeps transcripts: as its hook saw it.
fn roots(note: &Note, places: &Places) -> Vec<PathBuf> {
    let here = transcripts(note.host, places);
    let Some(home) = note.home.as_deref().filter(|home| !here.iter().any(|root| root.starts_with(home))) else {
        return here;
    };
    let parts = ["projects", "sessions", "archived_sessions", "tmp", "agents"].map(|part| home.join(part));
    let elsewhere: Vec<PathBuf> = match note.host {
        Host::Opencode => vec![home.to_path_buf()],
        _ => parts.into_iter().filter(|part| part.is_dir()).collect(),
    };
    if elsewhere.is_empty() { here } else { elsewhere }
}

/// The transcripts below a folder; a folder that cannot be listed has none.
fn below(root: &Path) -> Vec<PathBuf> {
    transcript::discover(root).unwrap_or_default().into_iter().filter(|path| path.is_file()).collect()
}

/// The folder in which the host keeps the transcripts of the note's project and of no other, where it does so.
#[must_use]
pub fn project(note: &Note) -> Option<&Path> {
    let has_projects = matches!(note.host, Host::ClaudeCode | Host::Codebuddy | Host::Gemini);
    note.transcript.as_deref().and_then(Path::parent).filter(|_| has_projects)
}

/// The folders that a catch-up looks through: those of the project, where each has one and the hook named it; else all
/// that the host has.
#[must_use]
pub fn neighbourhood(note: &Note, places: &Places) -> Vec<PathBuf> {
    match project(note).filter(|folder| folder.is_dir()) {
        Some(project) => vec![project.to_path_buf()],
        None => roots(note, places),
    }
}

/// The files below these folders that changed since then, the newest ones if they are many; and how many were left.
#[must_use]
pub fn changed(folders: &[PathBuf], since: DateTime<Utc>) -> (Vec<PathBuf>, usize) {
    let mut files: Vec<(DateTime<Utc>, u64, PathBuf)> = Vec::new();
    for path in folders.iter().flat_map(|folder| below(folder)) {
        if let Some((modified, length)) = stamp(&path).filter(|(modified, _)| *modified >= since) {
            files.push((modified, length, path));
        }
    }
    files.sort_by(|one, other| other.cmp(one));
    let all = files.len();
    let mut bytes = 0;
    let within = files.into_iter().take(MOST_FILES).take_while(|(_, length, _)| {
        bytes += length;
        bytes <= MOST_BYTES
    });
    let files: Vec<PathBuf> = within.map(|(_, _, path)| path).collect();
    let left = all - files.len();
    (files, left)
}

/// When a file was last written to, and its length; of a database with what is not in its main file yet.
#[must_use]
pub fn stamp(path: &Path) -> Option<(DateTime<Utc>, u64)> {
    let of = |path: &Path| {
        let about = fs::metadata(path).ok()?;
        Some((DateTime::from(about.modified().ok()?), about.len()))
    };
    let (modified, length) = of(path)?;
    let Some(log) = transcript::log_beside(path) else {
        return Some((modified, length));
    };
    let (later, more) = of(&log).unwrap_or((modified, 0));
    Some((modified.max(later), length + more))
}

#[cfg(test)]
#[path = "locate_tests.rs"]
mod tests;
