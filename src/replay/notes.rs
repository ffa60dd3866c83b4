//! Notes: which files were read to their end, and what of their turns must be known to tell copies later.
//!
//! ```text
//! <state>/replay/lock             one replay at a time
//! <state>/replay/<edition>.jsonl  a line for each file, appended when its memories are safe
//! ```
//!
//! An edition is a version of this program with its rules, and the store that was named: where one of them is another,
//! nothing counts as read. All of it can be deleted at any time: then everything is read again, and teaches nothing new.
//! A torn last line, of a run that was killed, costs itself.

use std::collections::{HashMap, HashSet};
use std::fs::{self, OpenOptions, TryLockError};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::files::{File, Stamp};
use crate::error::{Error, Result};
use crate::rules::Rules;
use crate::transcript::{Copies, Sketch};

/// What was noted, and where more goes.
pub(super) struct Notes {
    files: HashMap<u64, Entry>,
    disk: Option<Disk>,
}

/// The open file; the lock goes with it.
struct Disk {
    path: PathBuf,
    file: fs::File,
    _lock: fs::File,
}

/// What is noted of a file.
#[derive(Serialize, Deserialize)]
struct Entry {
    /// Its path, for people.
    path: String,
    /// Its path, hashed: not every path is text.
    place: u64,
    #[serde(flatten)]
    stamp: Stamp,
    sessions: Vec<Sketch>,
}

/// A file that was read, for the notes.
pub(super) struct Taken {
    file: File,
    pub(super) sketches: Vec<Sketch>,
    /// Whether all of its sessions were learned from.
    pub(super) is_whole: bool,
}

impl Taken {
    pub(super) fn new(file: File) -> Self {
        Self { file, sketches: Vec::new(), is_whole: true }
    }
}

/// The name of the edition that these rules and the named store make.
pub(super) fn edition(rules: &Rules, store: Option<&Path>) -> String {
    let mut hasher = DefaultHasher::new();
    env!("CARGO_PKG_VERSION").hash(&mut hasher);
    for entry in rules.triggers().iter().map(|trigger| &trigger.entry) {
        (&entry.id, &entry.phrases, &entry.pattern, &entry.unless, entry.strength.to_bits()).hash(&mut hasher);
        format!("{:?}", (entry.act, entry.position, &entry.after, &entry.not_after)).hash(&mut hasher);
    }
    format!("{:?}", rules.weights()).hash(&mut hasher);
    store.map(|store| std::path::absolute(store).unwrap_or_else(|_| store.to_path_buf())).hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

impl Notes {
    /// Reads the notes; writes nothing and waits for nobody.
    pub(super) fn peek(state: &Path, edition: &str) -> Self {
        let lines = fs::read(path(state, edition)).unwrap_or_default();
        Self { files: entries(&lines).0, disk: None }
    }

    /// Takes the lock, calling `wait` if another replay has it, and reads the notes.
    pub(super) fn open(state: &Path, edition: &str, wait: impl FnOnce()) -> Result<Self> {
        let folder = state.join("replay");
        fs::create_dir_all(&folder).map_err(|error| Error::io("make the folder", &folder, error))?;
        let lock = lock(&folder.join("lock"), wait)?;
        let path = path(state, edition);
        let failed = |error| Error::io("open the notes", &path, error);
        let lines = fs::read(&path).unwrap_or_default();
        let (files, dead) = entries(&lines);
        let file = OpenOptions::new().create(true).append(true).open(&path).map_err(failed)?;
        let mut notes = Self { files, disk: Some(Disk { path, file, _lock: lock }) };
        if dead > notes.files.len() {
            notes.rewrite()?;
        } else if lines.last().is_some_and(|&last| last != b'\n') {
            notes.append(b"\n")?;
        }
        Ok(notes)
    }

    /// Tells `copies` of every session that was read, whether or not it is still there, but for those of `changed` files:
    /// they will be read again.
    pub(super) fn recall(&self, changed: &[File], copies: &mut Copies) {
        let changed: HashSet<u64> = changed.iter().map(|file| place(&file.path)).collect();
        let standing = self.files.values().filter(|entry| !changed.contains(&entry.place));
        standing.flat_map(|entry| &entry.sessions).for_each(|sketch| copies.recall(sketch));
    }

    /// Whether the file was read and has not changed since.
    pub(super) fn knows(&self, file: &File) -> bool {
        self.files.get(&place(&file.path)).is_some_and(|entry| entry.stamp == file.stamp)
    }

    /// Whether what was learned from a file that has not changed is what would be learned from it now: it is not if one
    /// of its turns turned out to be a copy, or none.
    pub(super) fn agree(&self, file: &File, copies: &Copies) -> bool {
        let entry = self.files.get(&place(&file.path));
        entry.is_none_or(|entry| entry.sessions.iter().all(|sketch| copies.agree(sketch)))
    }

    /// Forgets all of it.
    pub(super) fn forget(&mut self) -> Result<()> {
        self.files.clear();
        self.rewrite()
    }

    /// Notes the files of a batch whose memories are safe.
    pub(super) fn add(&mut self, taken: Vec<Taken>) -> Result<()> {
        let mut lines = Vec::new();
        for taken in taken.into_iter().filter(|taken| taken.is_whole) {
            let path = taken.file.path.to_string_lossy().into_owned();
            let (place, stamp) = (place(&taken.file.path), taken.file.stamp);
            let entry = Entry { path, place, stamp, sessions: taken.sketches };
            lines.extend(line(&entry));
            self.files.insert(place, entry);
        }
        self.append(&lines)
    }

    fn append(&mut self, lines: &[u8]) -> Result<()> {
        let Some(disk) = &mut self.disk else { return Ok(()) };
        disk.file.write_all(lines).map_err(|error| Error::io("write the notes", &disk.path, error))
    }

    /// Writes the file anew, without the lines that later ones replaced.
    fn rewrite(&mut self) -> Result<()> {
        let Some(disk) = &mut self.disk else { return Ok(()) };
        let failed = |error| Error::io("write the notes", &disk.path, error);
        let folder = disk.path.parent().unwrap_or(Path::new("."));
        let mut making = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
        for entry in self.files.values() {
            making.write_all(&line(entry)).map_err(failed)?;
        }
        making.persist(&disk.path).map_err(|error| failed(error.error))?;
        disk.file = OpenOptions::new().append(true).open(&disk.path).map_err(failed)?;
        Ok(())
    }
}

fn lock(path: &Path, wait: impl FnOnce()) -> Result<fs::File> {
    let failed = |error| Error::io("take the lock", path, error);
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            wait();
            file.lock().map_err(failed)?;
        }
        Err(TryLockError::Error(error)) => return Err(failed(error)),
    }
    Ok(file)
}

fn path(state: &Path, edition: &str) -> PathBuf {
    state.join("replay").join(format!("{edition}.jsonl"))
}

fn place(path: &Path) -> u64 {
    let mut hasher = DefaultHasher::new();
    path.hash(&mut hasher);
    hasher.finish()
}

/// The entries in these lines, the last one for each file, and how many lines are no use.
fn entries(lines: &[u8]) -> (HashMap<u64, Entry>, usize) {
    let mut files = HashMap::new();
    let mut dead = 0;
    for line in lines.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
        match serde_json::from_slice::<Entry>(line) {
            Ok(entry) => dead += usize::from(files.insert(entry.place, entry).is_some()),
            Err(_) => dead += 1,
        }
    }
    (files, dead)
}

/// An entry as a line; an entry has nothing that JSON could not hold.
fn line(entry: &Entry) -> Vec<u8> {
    let mut line = serde_json::to_vec(entry).unwrap_or_default();
    line.push(b'\n');
    line
}
