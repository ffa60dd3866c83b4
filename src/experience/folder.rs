//! The home on disk: read as a whole, written as a whole.
//!
//! ```text
//! lock → finish what a crash left → read → (pure work) → nothing changed meanwhile? → journal → files → journal gone
//! ```
//! The journal holds every file as it was and as it will be. Killed at any moment, the old state or the new one stands
//! after the next run. A file that a person changed since keeps their words, and gets what is new beside them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::ErrorKind as Cause;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::home::Home;
use super::index::{self, Beat};
use super::lesson::Event;
use super::page::Page;
use super::rejoin::joined;
use super::sync::Synced;
use crate::disk::{self, Privacy};
use crate::error::{Error, ErrorKind, Problem, Result};
use crate::store::ledger::checksum;

/// The home's folder, in the person's home folder (seed).
pub const FOLDER: &str = "learn-from-experience";
/// What is the program's own in it.
const HIDDEN: &str = ".afterword";
/// Everything that happened, a line each.
pub(super) const LOG: &str = ".afterword/log.jsonl";
/// The folders that hold pages.
const FOLDERS: [&str; 3] = ["projects", "domains", "archive"];
/// So often a run begins anew because a person saved a page meanwhile.
const TRIES: usize = 3;

/// Whether the home was switched on.
#[must_use]
pub fn is_on(root: &Path) -> bool {
    root.is_dir()
}

/// The home as it was read.
#[derive(Debug, Default)]
pub struct Read {
    /// Its pages and its log.
    pub home: Home,
    /// What was synced where.
    pub synced: Synced,
    /// What could not be read; it is left alone.
    pub problems: Vec<Problem>,
    /// The bytes of every file, by its path in the home.
    files: BTreeMap<String, String>,
    /// How many events stand in the log file.
    logged: usize,
}

/// Reads the home, and writes nothing.
///
/// # Errors
/// If its folders cannot be listed. A page that is not UTF-8 is a problem.
pub fn look(root: &Path) -> Result<Read> {
    let mut read = Read::default();
    for name in names(root)? {
        let path = root.join(&name);
        let text = match disk::read(&path) {
            Ok(bytes) => {
                bytes.map(String::from_utf8).transpose().map_err(|_| "it is not UTF-8; it is left alone".to_owned())
            }
            Err(error) => Err(error.to_string()),
        };
        match text {
            Ok(Some(text)) => {
                read.home.pages.insert(name.clone(), Page::new(text.clone()));
                read.files.insert(name, text);
            }
            Ok(None) => {}
            Err(what) => {
                read.problems.push(Problem { path, line: None, what });
                read.home.closed.insert(name);
            }
        }
    }
    read.home.log = read.log(root)?;
    read.logged = read.home.log.len();
    read.synced = Synced::read(&hidden(root))?;
    Ok(read)
}

impl Read {
    /// The events of the log; a line that is not understood stays in the file.
    fn log(&mut self, root: &Path) -> Result<Vec<Event>> {
        let path = root.join(LOG);
        let Some(bytes) = disk::read(&path)? else {
            return Ok(Vec::new());
        };
        let text = String::from_utf8(bytes)
            .map_err(|e| Error::new(ErrorKind::Store, "the log is not UTF-8").at(&path).because(e))?;
        let mut events = Vec::new();
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            match serde_json::from_str(line) {
                Ok(event) => events.push(event),
                Err(error) => {
                    let what = format!("a line of the log is not understood, and passed over: {error}");
                    self.problems.push(Problem { path: path.clone(), line: Some(number), what });
                }
            }
        }
        self.files.insert(LOG.to_owned(), text);
        Ok(events)
    }

    /// The files that are to change, with their new texts.
    fn changes(&self) -> Vec<Entry> {
        let mut texts: BTreeMap<String, String> =
            self.home.pages.iter().map(|(name, page)| (name.clone(), page.text().to_owned())).collect();
        let old = self.files.get(LOG).map_or("", String::as_str);
        let torn = if old.is_empty() || old.ends_with('\n') { "" } else { "\n" };
        let new = self.home.log.iter().skip(self.logged).filter_map(|event| serde_json::to_string(event).ok());
        let new: String = new.map(|line| line + "\n").collect();
        if !new.is_empty() {
            texts.insert(LOG.to_owned(), format!("{old}{torn}{new}"));
        }
        let changed = texts.into_iter().filter(|(name, text)| self.files.get(name) != Some(text));
        changed
            .map(|(name, after)| {
                let base = self.files.get(&name).cloned();
                Entry { name, before: base.as_deref().map(checksum), base: base.unwrap_or_default(), after }
            })
            .collect()
    }
}

/// Changes the home: `work` is given what was read, and again if a person saved a page meanwhile. Gives what `work`
/// gave, and the problems.
///
/// # Errors
/// If the home cannot be read or written, or a page keeps changing.
pub fn change<T>(root: &Path, mut work: impl FnMut(&mut Read) -> T) -> Result<(T, Vec<Problem>)> {
    let _lock = hold(&hidden(root))?;
    finish(root)?;
    for _ in 0..TRIES {
        let mut read = look(root)?;
        let given = work(&mut read);
        index::refresh(&mut read.home, &read.synced);
        let changes = read.changes();
        let is_still =
            |entry: &Entry| Ok::<_, Error>(disk::read(&root.join(&entry.name))?.map(checksum) == entry.before);
        if !changes.iter().map(is_still).collect::<Result<Vec<_>>>()?.contains(&false) {
            commit(root, changes)?;
            return Ok((given, read.problems));
        }
    }
    Err(Error::new(ErrorKind::Store, "its pages keep changing while they are read; run it again later").at(root))
}

/// The lock of the home with this hidden folder: one run at a time changes the home, and keeps the record of the sync.
pub(super) fn hold(hidden: &Path) -> Result<fs::File> {
    disk::make_folder(hidden, Privacy::Own)?;
    disk::lock(&hidden.join("lock"))
}

/// Makes the home with its first pages; what is there stays as it is.
///
/// # Errors
/// If it cannot be written.
pub fn set_up(root: &Path) -> Result<Vec<Problem>> {
    for folder in FOLDERS {
        disk::make_folder(&root.join(folder), Privacy::Usual)?;
    }
    let ((), problems) = change(root, |read| {
        for (name, text) in index::FIRST_PAGES {
            if !read.home.closed.contains(name) {
                read.home.pages.entry(name.to_owned()).or_insert_with(|| Page::new(text));
            }
        }
        if !read.home.pages.contains_key(index::STATE) {
            index::beat(&mut read.home, &Beat::default());
        }
    })?;
    Ok(problems)
}

/// One file of a change.
#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    name: String,
    /// Its checksum; none if it is not there.
    before: Option<String>,
    /// Its text, for when a person saves it before the change is carried out.
    #[serde(default)]
    base: String,
    after: String,
}

fn commit(root: &Path, changes: Vec<Entry>) -> Result<()> {
    if changes.is_empty() {
        return Ok(());
    }
    let journal = journal(root);
    let text = serde_json::to_vec(&changes)
        .map_err(|e| Error::new(ErrorKind::Store, "the journal cannot be written").at(&journal).because(e))?;
    disk::write(&journal, &text, Privacy::Own)?;
    finish(root)
}

/// Carries out the journal, if there is one.
fn finish(root: &Path) -> Result<()> {
    let journal = journal(root);
    let Some(bytes) = disk::read(&journal)? else {
        return Ok(());
    };
    // It is written in one step: what cannot be read is not ours.
    let changes: Vec<Entry> = serde_json::from_slice(&bytes)
        .map_err(|e| Error::new(ErrorKind::Store, "the journal is broken; move it away").at(&journal).because(e))?;
    for entry in changes.iter().filter(|entry| is_inside(&entry.name)) {
        carry_out(root, entry)?;
    }
    disk::remove(&journal)
}

/// Brings one file to what it is to become. What a person saved meanwhile stays, with what is new in ours: the log tells
/// of it, and it would pass for taken out by them.
fn carry_out(root: &Path, Entry { name, before, base, after }: &Entry) -> Result<()> {
    let path = root.join(name);
    disk::make_folder(path.parent().unwrap_or(root), Privacy::Usual)?;
    let privacy = if name.starts_with(HIDDEN) { Privacy::Own } else { Privacy::Usual };
    for _ in 0..TRIES {
        let now = disk::read(&path)?;
        let text = match &now {
            _ if now.as_ref().map(checksum) == *before => after.clone(),
            Some(now) => match str::from_utf8(now) {
                Ok(theirs) if theirs != after => joined(name, theirs, base, after),
                _ => return Ok(()),
            },
            // Somebody took the whole file away.
            None => return Ok(()),
        };
        if disk::replace(&path, now.as_deref(), text.as_bytes(), privacy)? {
            return Ok(());
        }
    }
    Err(Error::new(ErrorKind::Store, "it keeps changing while it is written; run it again later").at(&path))
}

/// Whether a name leads to a place in the home.
fn is_inside(name: &str) -> bool {
    Path::new(name).components().all(|part| matches!(part, std::path::Component::Normal(_)))
}

/// The program's own folder in the home: log, journal, lock, record of the sync, backups.
#[must_use]
pub fn hidden(root: &Path) -> PathBuf {
    root.join(HIDDEN)
}

fn journal(root: &Path) -> PathBuf {
    hidden(root).join("journal.json")
}

/// Whether a path in the home is that of a page.
pub(super) fn is_page(name: &str) -> bool {
    let file = match name.split_once('/') {
        Some((folder, file)) if FOLDERS.contains(&folder) => file,
        Some(_) => return false,
        None => name,
    };
    is_inside(file) && !file.contains(['/', '\\', ':', '\0']) && file.ends_with(".md") && !file.starts_with('.')
}

/// The pages' paths in the home.
fn names(root: &Path) -> Result<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for folder in std::iter::once("").chain(FOLDERS) {
        let path = root.join(folder);
        let entries = match fs::read_dir(&path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == Cause::NotFound => continue,
            Err(error) => return Err(Error::io("list the folder", &path, error)),
        };
        for entry in entries {
            let entry = entry.map_err(|e| Error::io("list the folder", &path, e))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.ends_with(".md") && !name.starts_with('.') && entry.path().is_file() {
                names.insert(if folder.is_empty() { name } else { format!("{folder}/{name}") });
            }
        }
    }
    Ok(names)
}

#[cfg(test)]
#[path = "folder_tests.rs"]
mod tests;
