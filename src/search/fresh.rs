//! Keeping the index true to the folders, without reading what has not changed.
//!
//! A folder whose own time stands still holds the same names as before. So a fresh index costs two looks at folders, and
//! one look at each of at most [`LOOKS`] files: a store of more is looked through in turns, a part with each search. A
//! file that another hand rewrote in place is therefore noticed at once in a store of that size, and later in a larger
//! one; every file that came, left or was renamed is noticed at once in any.
//!
//! A time is trusted only once it is older than a file system's clock is coarse; what was written a moment ago is looked
//! at again.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rayon::prelude::*;
use rusqlite::{Transaction, TransactionBehavior};

use super::index::{Index, Known, put, remove, set};
use super::lexicon::Lexicon;
use super::page::{self, Page};
use crate::error::{Error, Result};
use crate::memory::Kind;

/// So many files are looked at (not read) in one search. Ten thousand looks take some ten milliseconds.
const LOOKS: i64 = 20_000;

/// Where times come in whole seconds, the file system's clock may be as coarse as this (FAT).
const COARSE: Duration = Duration::from_secs(2);

/// Elsewhere it ticks at least this often.
const FINE: Duration = Duration::from_millis(50);

/// Files are read in blocks of so many, so that a large store does not stand in memory as a whole.
const BLOCK: usize = 4096;

/// What changed since the index was made.
#[derive(Debug, Default)]
struct Changes {
    /// Files that are new or may have changed.
    read: Vec<String>,
    /// Files that are gone.
    gone: Vec<String>,
    /// What to note: the folders' times, where the next look begins.
    notes: Vec<(String, String)>,
}

/// Brings the index up to date with the folders.
///
/// # Errors
/// A folder that cannot be listed; the outer result is SQLite's.
pub(super) fn freshen(index: &Index, root: &Path, lexicon: &Lexicon) -> rusqlite::Result<Result<()>> {
    match changes(index, root)? {
        Ok(changes) if changes.is_nothing() => Ok(Ok(())),
        Err(error) => Ok(Err(error)),
        Ok(_) => {
            let change = Transaction::new_unchecked(&index.db, TransactionBehavior::Immediate)?;
            // Another process may have done a part of it while we waited.
            let changes = match changes(index, root)? {
                Ok(changes) => changes,
                Err(error) => return Ok(Err(error)),
            };
            changes.carry_out(&change, root, lexicon)?;
            change.commit()?;
            Ok(Ok(()))
        }
    }
}

/// Reads these files anew, whatever the index knows of them.
pub(super) fn reread(index: &Index, root: &Path, files: Vec<String>, lexicon: &Lexicon) -> rusqlite::Result<()> {
    let change = Transaction::new_unchecked(&index.db, TransactionBehavior::Immediate)?;
    Changes { read: files, ..Changes::default() }.carry_out(&change, root, lexicon)?;
    change.commit()
}

fn changes(index: &Index, root: &Path) -> rusqlite::Result<Result<Changes>> {
    let mut changes = Changes::default();
    let mut listed = Vec::new();
    for kind in Kind::ALL {
        let folder = kind.folder();
        let now = SystemTime::now();
        let state = state(&root.join(folder), now);
        if state.is_empty() || index.text(folder)?.as_ref() != Some(&state) {
            match names(root, kind) {
                Ok(names) => listed.push((folder, names)),
                Err(error) => return Ok(Err(error)),
            }
            changes.notes.push((folder.to_owned(), state));
        }
    }
    if listed.is_empty() {
        let begin: i64 = index.text("turn")?.and_then(|number| number.parse().ok()).unwrap_or(0);
        let known = index.known(begin, LOOKS)?;
        // A store that is looked through in one turn always begins at its beginning.
        let is_all = begin == 0 && i64::try_from(known.len()).unwrap_or(0) < LOOKS;
        if !is_all {
            let next = known.get(usize::try_from(LOOKS - 1).unwrap_or(0)).map_or(0, |known| known.number);
            changes.notes.push(("turn".to_owned(), next.to_string()));
        }
        changes.look(root, known);
        return Ok(Ok(changes));
    }
    let mut known: HashMap<String, Known> = HashMap::new();
    known.extend(index.known(0, i64::MAX)?.into_iter().map(|known| (known.file.clone(), known)));
    let mut there = Vec::new();
    for (folder, names) in &listed {
        for name in names {
            let file = format!("{folder}/{name}");
            match known.remove(&file) {
                Some(known) => there.push(known),
                None => changes.read.push(file),
            }
        }
    }
    let is_listed = |file: &str| listed.iter().any(|(folder, _)| file.split('/').next() == Some(*folder));
    let (gone, others): (Vec<Known>, Vec<Known>) = known.into_values().partition(|known| is_listed(&known.file));
    changes.gone.extend(gone.into_iter().map(|known| known.file));
    there.extend(others);
    there.truncate(usize::try_from(LOOKS).unwrap_or(usize::MAX));
    changes.look(root, there);
    Ok(Ok(changes))
}

impl Changes {
    /// Whether only notes would be written that say nothing new.
    fn is_nothing(&self) -> bool {
        self.read.is_empty() && self.gone.is_empty() && self.notes.iter().all(|(_, value)| value.is_empty())
    }

    /// Looks at files, without reading them.
    fn look(&mut self, root: &Path, known: Vec<Known>) {
        let changed = |known: Known| (page::stamp(&root.join(&known.file)) != Some(known.stamp)).then_some(known.file);
        let changed: Vec<String> = known.into_par_iter().filter_map(changed).collect();
        self.read.extend(changed);
    }

    fn carry_out(self, change: &Transaction<'_>, root: &Path, lexicon: &Lexicon) -> rusqlite::Result<()> {
        for file in &self.gone {
            remove(change, file)?;
        }
        let mut files = self.read;
        files.sort();
        let now = SystemTime::now();
        for block in files.chunks(BLOCK) {
            let read = |file: &String| {
                let mut page = page::read(root, file);
                if let Some(page) = page.as_mut().filter(|page| !is_settled(page.stamp.0, now)) {
                    page.stamp.0 = 0;
                }
                let fields =
                    page.as_ref().and_then(|page| page.content.as_ref().ok()).map(|content| content.fields(lexicon));
                (page, fields.unwrap_or_default())
            };
            let pages: Vec<(Option<Page>, [String; 4])> = block.par_iter().map(read).collect();
            for (file, (page, fields)) in block.iter().zip(&pages) {
                match page {
                    Some(page) => put(change, page, fields)?,
                    None => remove(change, file)?,
                }
            }
        }
        self.notes.iter().try_for_each(|(key, value)| set(change, key, value))
    }
}

/// What a folder's time says, as it is noted; empty where it cannot be trusted yet. A folder that is not there is so for
/// as long as it is not there.
fn state(folder: &Path, now: SystemTime) -> String {
    let Ok(modified) = fs::metadata(folder).and_then(|found| found.modified()) else {
        return "none".to_owned();
    };
    let modified = nanoseconds(modified);
    if is_settled(modified, now) { modified.to_string() } else { String::new() }
}

/// Whether something that was written at `time` (nanoseconds since 1970) would have another time if it were written now.
fn is_settled(time: i64, now: SystemTime) -> bool {
    let tick = if time % 1_000_000_000 == 0 { COARSE } else { FINE };
    time < nanoseconds(now - tick)
}

fn nanoseconds(time: SystemTime) -> i64 {
    i64::try_from(time.duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos()).unwrap_or(i64::MAX)
}

/// The names of the markdown files in a folder.
fn names(root: &Path, kind: Kind) -> Result<Vec<String>> {
    let folder = root.join(kind.folder());
    let failed = |error| Error::io("list the folder", &folder, error);
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(failed(error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_plain = entry.file_type().is_ok_and(|what| what.is_file());
        if is_plain && name.ends_with(".md") && !name.starts_with('.') {
            names.push(name);
        }
    }
    Ok(names)
}
