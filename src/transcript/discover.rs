//! Which files of a folder may be transcripts.

use std::fs;
use std::path::{Path, PathBuf};

use super::further;
use crate::error::{Error, Result};

/// The files to read for `path`: a file is itself, a folder all files in it, at any depth, that may be
/// transcripts, sorted by name.
///
/// Archives of OpenClaw (`.jsonl.reset.<time>`, `.deleted.`, `.bak.`) count. Left out are copies
/// (`*.checkpoint.<uuid>.jsonl`), indexes, logs of prompts and trajectories, which repeat what stands elsewhere.
/// Markdown and text count if they begin like a transcript.
///
/// # Errors
/// If `path` does not exist or a folder cannot be listed.
pub fn discover(path: &Path) -> Result<Vec<PathBuf>> {
    let about = fs::metadata(path).map_err(|error| Error::io("find", path, error))?;
    if !about.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let mut files = Vec::new();
    let mut folders = vec![path.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let Ok(list) = fs::read_dir(&folder) else {
            // Named as a source of its own: reading it tells why, and costs only itself.
            files.push(folder);
            continue;
        };
        for entry in list.flatten() {
            // Links are followed to files only: one to a folder may lead in a circle.
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            let path = entry.path();
            if kind.is_dir() {
                folders.push(path);
            } else if may_be_transcript(&entry.file_name().to_string_lossy().to_ascii_lowercase())
                && path.is_file()
                && (!is_prose(&path) || further::is_text(&path))
            {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Whether a file with this (lower-case) name is worth a look.
fn may_be_transcript(name: &str) -> bool {
    const NEVER: [&str; 6] =
        ["sessions.json", "session_index.jsonl", "history.jsonl", "settings.json", "package.json", "trajectory.jsonl"];
    // Messages and parts of opencode's storage tree belong to a session's file.
    let is_part = name.starts_with("msg_") || name.starts_with("prt_");
    let is_copy = name.contains(".checkpoint.") || name.contains(".trajectory.") || name.ends_with(".meta.json");
    let is_archive = [".jsonl.reset.", ".jsonl.deleted.", ".jsonl.bak."].iter().any(|mark| name.contains(mark));
    let has_ending = [".jsonl", ".json", ".sqlite", ".db", ".vscdb", ".md", ".txt", ".zip", ".zst", ".gz"]
        .iter()
        .any(|ending| name.ends_with(ending));
    !NEVER.contains(&name) && !is_part && !is_copy && (is_archive || has_ending)
}

/// Whether the file is a text, of which few are transcripts: only a look inside tells.
fn is_prose(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("md") || ending.eq_ignore_ascii_case("txt"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_are_read_and_copies_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let wanted = [
            "a.jsonl",
            "b.jsonl.reset.2026-03-12T01-32-14.266Z",
            "sub/.aider.chat.history.md",
            "sub/c.json",
            "sub/d.sqlite",
            "x.jsonl.deleted.2026-03-12T01-32-14.266Z",
        ];
        let others = [
            "a.checkpoint.0f0e.jsonl",
            "sessions.json",
            "notes.md",
            "a.jsonl.lock",
            "s.trajectory.jsonl",
            "history.jsonl",
            "msg_1.json",
        ];
        let history = folder.path().join("sub/.aider.chat.history.md");
        fs::create_dir(folder.path().join("sub")).unwrap();
        for name in wanted.iter().chain(&others) {
            fs::write(folder.path().join(name), "{}").unwrap();
        }
        fs::write(history, "\n# aider chat started at 2026-01-01 00:00:00\n").unwrap();
        let found = discover(folder.path()).unwrap();
        let names: Vec<_> =
            found.iter().map(|path| path.strip_prefix(folder.path()).unwrap().to_str().unwrap()).collect();
        assert_eq!(names, wanted);
        assert_eq!(discover(&found[0]).unwrap(), [found[0].clone()]);
        assert!(discover(&folder.path().join("none")).is_err());
    }
}
