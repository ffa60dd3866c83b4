//! The spool: what hooks were told, until a worker has learned from it.
//!
//! ```text
//! <state>/spool/<time>-<process>.json   one note each, written whole or not at all
//! <state>/failed/…                      notes that were tried too often
//! <state>/last/<host>.json              how the last run went, for `doctor`
//! <state>/upkeep.json                   when which store was put in order
//! <state>/recalled/<session>            which memories a session was told of
//! <state>/worker.lock                   one worker at a time
//! <state>/afterword.log, .log.1         what was done; no word of any session
//! ```
//!
//! A hook only adds a note. It may be killed right after, and so may the worker: a note leaves the spool when its
//! memories are in the store, not before, and whoever comes next ([`work()`]) takes up what was left.

mod last;
mod log;
mod recalled;
mod upkeep;
mod work;

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind as Cause, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

pub use last::{How, Last};
pub use recalled::Recalled;
pub use work::{Job, work};

use crate::error::{Error, ErrorKind, Result};
use crate::host::Note;

/// So many names are tried for a note. Two hooks share one only if their process numbers do, in two containers.
const NAMES: u32 = 100;

/// What the names of files in the making end with.
const IN_THE_MAKING: &str = ".tmp";

/// The spool in a state folder.
#[derive(Debug, Clone)]
pub struct Spool {
    state: PathBuf,
}

/// A note in the spool, with its file's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// The name of its file.
    pub name: String,
    /// What it says.
    pub note: Note,
}

/// The right to work, held until dropped or until the process ends, however it ends.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

impl Spool {
    /// The spool in this state folder ([`crate::host::Places::state`]), which need not exist.
    #[must_use]
    pub fn at(state: &Path) -> Self {
        Self { state: state.to_path_buf() }
    }

    /// Adds a note: when this returns, no killed process can lose it. The worker, which starts at once, syncs it: that
    /// takes longer than all the rest, and the host waits. What a power cut takes in these milliseconds is caught up
    /// with when the next session starts.
    ///
    /// # Errors
    /// If the state folder cannot be made or written.
    pub fn add(&self, note: &Note) -> Result<()> {
        let folder = self.folder();
        if !folder.is_dir() {
            make(&folder)?;
        }
        let text = text(note, &folder)?;
        let failed = |error| Error::io("write a note in", &folder, error);
        let time = note.at.timestamp_micros();
        for number in 0..NAMES {
            let name = format!("{time:018}-{}-{number}.json", std::process::id());
            let making = self.making(&folder, &text).map_err(failed)?;
            match making.persist_noclobber(folder.join(name)) {
                Ok(_) => return Ok(()),
                Err(error) if error.error.kind() == Cause::AlreadyExists => {}
                Err(error) => return Err(failed(error.error)),
            }
        }
        Err(Error::new(ErrorKind::Io, "could not find a free name for a note").at(&folder))
    }

    /// The notes, the oldest first. What cannot be read is none.
    ///
    /// # Errors
    /// If the folder is there and cannot be listed.
    pub fn notes(&self) -> Result<Vec<Kept>> {
        let folder = self.folder();
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == Cause::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(Error::io("list the folder", &folder, error)),
        };
        let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
        let mut notes: Vec<Kept> = names.filter_map(|name| Some(Kept { note: self.note(&name)?, name })).collect();
        notes.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(notes)
    }

    fn note(&self, name: &str) -> Option<Note> {
        let bytes = fs::read(self.folder().join(name)).ok().filter(|_| is_note(name))?;
        serde_json::from_slice(&bytes).ok()
    }

    /// Moves aside what is named like a note and can be read by nobody; what cannot be moved either stays where it is.
    pub(crate) fn sort_out(&self) {
        for entry in fs::read_dir(self.folder()).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            // One that another worker has just done is gone, and not broken.
            if is_note(&name) && entry.path().exists() && self.note(&name).is_none() {
                let _ = self.set_aside(&name);
            }
        }
    }

    /// How many notes were tried too often and moved aside.
    #[must_use]
    pub fn failed(&self) -> usize {
        fs::read_dir(self.state.join("failed")).map_or(0, |list| list.flatten().count())
    }

    /// Puts another text in the place of a note.
    pub(crate) fn replace(&self, name: &str, note: &Note) -> Result<()> {
        let path = self.folder().join(name);
        let text = text(note, &path)?;
        self.write(&path, &text).map_err(|e| Error::io("write", &path, e))
    }

    /// Removes a note whose work is done.
    pub(crate) fn remove(&self, name: &str) -> Result<()> {
        let path = self.folder().join(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != Cause::NotFound => Err(Error::io("remove", &path, error)),
            _ => Ok(()),
        }
    }

    /// Moves a note out of the spool, to where it can be looked at.
    pub(crate) fn set_aside(&self, name: &str) -> Result<()> {
        let failed = self.state.join("failed");
        make(&failed)?;
        let path = self.folder().join(name);
        match fs::rename(&path, failed.join(name)) {
            Err(error) if error.kind() != Cause::NotFound => Err(Error::io("move aside", &path, error)),
            _ => Ok(()),
        }
    }

    /// The right to work, unless somebody else has it.
    pub(crate) fn try_lock(&self) -> Result<Option<Lock>> {
        let path = self.state.join("worker.lock");
        let opened = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        let file = opened.map_err(|e| Error::io("open the lock", &path, e))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Lock { _file: file })),
            Err(fs::TryLockError::WouldBlock) => Ok(None),
            Err(fs::TryLockError::Error(error)) => Err(Error::io("take the lock", &path, error)),
        }
    }

    /// Makes the notes last, and their names. Windows cannot open folders, and needs no such sync.
    pub(crate) fn sync(&self) {
        let folder = self.folder();
        let notes = fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path());
        for path in notes.chain(cfg!(unix).then_some(folder)) {
            // What cannot be synced, or is just being done by another worker, goes its way as well as it can.
            let _ = File::open(path).and_then(|file| file.sync_all());
        }
    }

    /// Removes what killed processes left in the making.
    pub(crate) fn tidy(&self) {
        const OLD: std::time::Duration = std::time::Duration::from_secs(60);
        for entry in fs::read_dir(self.folder()).into_iter().flatten().flatten() {
            let age = entry.metadata().and_then(|about| about.modified()).map(|time| time.elapsed());
            let is_old = age.is_ok_and(|age| age.is_ok_and(|age| age > OLD));
            if is_old && entry.file_name().to_string_lossy().ends_with(IN_THE_MAKING) {
                // The next worker tries again.
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    fn folder(&self) -> PathBuf {
        self.state.join("spool")
    }

    /// Writes a file whole or not at all, its content synced.
    fn write(&self, path: &Path, text: &[u8]) -> std::io::Result<()> {
        let making = self.making(path.parent().unwrap_or(&self.state), text)?;
        making.as_file().sync_all()?;
        making.persist(path).map_err(|failed| failed.error)?;
        Ok(())
    }

    /// A file with this text, under a name that counts for nothing.
    fn making(&self, folder: &Path, text: &[u8]) -> std::io::Result<NamedTempFile> {
        let mut making = tempfile::Builder::new().suffix(IN_THE_MAKING).tempfile_in(folder)?;
        making.write_all(text)?;
        Ok(making)
    }
}

/// Whether a file is named like a note, and not one in the making.
fn is_note(name: &str) -> bool {
    name.ends_with(".json")
}

fn text(note: &Note, at: &Path) -> Result<Vec<u8>> {
    serde_json::to_vec(note)
        .map_err(|e| Error::new(ErrorKind::Io, "could not put the note into words").at(at).because(e))
}

/// Makes a folder that only the person may look into: paths tell what somebody works on.
fn make(folder: &Path) -> Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(|e| Error::io("make the folder", folder, e))
}

#[cfg(test)]
#[path = "spool/tests.rs"]
mod tests;
