//! Folders, files and the lock: every touch of the disk, each atomic and synced.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind as Cause, Write};
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use rayon::prelude::*;

use super::ledger::checksum;
use crate::error::{Error, ErrorKind, Problem, Result};
use crate::memory::Kind;

/// The hidden folder of the ledger and the lock.
pub(crate) const HIDDEN: &str = ".ledger";

/// What the names of files in the making start with; a crash may leave one behind.
const IN_THE_MAKING: &str = ".afterword-";

/// The ledger's path.
pub(crate) fn ledger_path(root: &Path) -> PathBuf {
    root.join(HIDDEN).join("ledger.jsonl")
}

fn lock_path(root: &Path) -> PathBuf {
    root.join(HIDDEN).join("lock")
}

/// Whether the store is there. Refuses a store that is not made of plain folders: a link could lead the writes, or
/// the reads that end up in the ledger, to any place on the machine.
pub(crate) fn check(root: &Path) -> Result<bool> {
    let parts =
        [root.to_path_buf(), root.join(HIDDEN), root.join(Kind::Profile.folder()), root.join(Kind::Playbook.folder())];
    for part in &parts {
        if let Some(found) = stat(part)? {
            let wrong = |what: &str| Err(Error::new(ErrorKind::Store, what).at(part));
            if found.is_symlink() {
                return wrong("a symbolic link stands where a folder of the store should be");
            }
            if !found.is_dir() {
                return wrong("a file stands where a folder of the store should be");
            }
        }
    }
    for file in [ledger_path(root), lock_path(root)] {
        if stat(&file)?.is_some_and(|found| !found.is_file()) {
            let what = "something other than a plain file stands where the store keeps one";
            return Err(Error::new(ErrorKind::Store, what).at(&file));
        }
    }
    Ok(stat(root)?.is_some())
}

fn stat(path: &Path) -> Result<Option<fs::Metadata>> {
    match fs::symlink_metadata(path) {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == Cause::NotFound => Ok(None),
        // A file on the way: the store cannot be there.
        Err(error) => Err(Error::io("look at the store", path, error)),
    }
}

/// The lock of a store, held until dropped.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

/// Waits until no other process writes; `None` if the store has no lock, or none that may be read.
pub(crate) fn lock_to_read(root: &Path) -> Option<Lock> {
    let file = File::open(lock_path(root)).ok()?;
    file.lock_shared().ok()?;
    Some(Lock { _file: file })
}

/// Whether the store has ever been written by this program.
pub(crate) fn is_ours(root: &Path) -> bool {
    lock_path(root).exists() || ledger_path(root).exists()
}

/// Makes the store's folders where they are missing, and waits until no other process reads or writes.
pub(crate) fn lock_to_write(root: &Path) -> Result<Lock> {
    let hidden = root.join(HIDDEN);
    if !hidden.exists() {
        fs::create_dir_all(&hidden).map_err(|e| Error::io("make the folder", &hidden, e))?;
        sync_folder(root)?;
    }
    let path = lock_path(root);
    let file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .map_err(|e| Error::io("open the lock", &path, e))?;
    file.lock().map_err(|e| Error::io("take the lock", &path, e))?;
    Ok(Lock { _file: file })
}

/// The bytes of a file, none if it is not there.
pub(crate) fn bytes(path: &Path) -> Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == Cause::NotFound => Ok(None),
        Err(error) => Err(Error::io("read", path, error)),
    }
}

/// A markdown file of the store as it stands on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    /// Its text; `None` if it is not UTF-8 or cannot be read.
    pub(crate) text: Option<String>,
    pub(crate) modified: DateTime<Utc>,
}

/// The markdown files of one folder by their path in the store, in the order of their names.
pub(crate) fn pages(root: &Path, kind: Kind, problems: &mut Vec<Problem>) -> Result<Vec<(String, Found)>> {
    let folder = root.join(kind.folder());
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == Cause::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Error::io("list the folder", &folder, error)),
    };
    let mut plain = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|e| Error::io("list the folder", &folder, e))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !name.ends_with(".md") || name.starts_with('.') {
            continue;
        }
        let path = entry.path();
        let found = entry.metadata().map_err(|e| Error::io("look at", &path, e))?;
        if !found.is_file() {
            let what = "it is no plain file, and is passed over".into();
            problems.push(Problem { path, line: None, what });
            continue;
        }
        let modified = found.modified().map_or(DateTime::UNIX_EPOCH, DateTime::from);
        plain.push((format!("{}/{name}", kind.folder()), path, modified));
    }
    let read: Vec<_> =
        plain.into_par_iter().map(|(file, path, modified)| (text(&path), file, path, modified)).collect();
    let mut pages = Vec::with_capacity(read.len());
    for (text, file, path, modified) in read {
        let text = text.map_err(|what| problems.push(Problem { path, line: None, what })).ok();
        pages.push((file, Found { text, modified }));
    }
    pages.sort_by(|one, other| one.0.cmp(&other.0));
    Ok(pages)
}

/// The text of a file, else what is wrong with it.
fn text(path: &Path) -> std::result::Result<String, String> {
    match fs::read(path) {
        Ok(bytes) => String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned()),
        Err(error) => Err(format!("it cannot be read: {error}")),
    }
}

/// Writes a new file, or puts a new text in the place of the one with the checksum `replaces`.
///
/// A file that holds the text already is left alone; one that holds anything else is never overwritten.
pub(crate) fn write(root: &Path, file: &str, text: &str, replaces: Option<&str>) -> Result<()> {
    let path = root.join(file);
    let there = bytes(&path)?;
    if there.as_deref() == Some(text.as_bytes()) {
        return Ok(());
    }
    let sum = there.as_deref().map(|bytes| checksum(String::from_utf8_lossy(bytes).as_bytes()));
    if sum.as_deref() != replaces && sum.is_some() {
        let what = "it changed while the store was being written, and is left alone";
        return Err(Error::new(ErrorKind::Store, what).at(&path));
    }
    let folder = path.parent().unwrap_or(root);
    fs::create_dir_all(folder).map_err(|e| Error::io("make the folder", folder, e))?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(IN_THE_MAKING).suffix(".tmp");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let failed = |e| Error::io("write", &path, e);
    let mut making = builder.tempfile_in(folder).map_err(failed)?;
    making.write_all(text.as_bytes()).map_err(failed)?;
    making.as_file().sync_all().map_err(failed)?;
    let persisted = if replaces.is_some() { making.persist(&path) } else { making.persist_noclobber(&path) };
    persisted.map_err(|e| failed(e.error))?;
    Ok(())
}

/// Writes a new file anywhere, whole or not at all; one that is there is not overwritten.
pub(crate) fn new_file(path: &Path, bytes: &[u8]) -> Result<()> {
    let failed = |e| Error::io("write", path, e);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut making = tempfile::Builder::new().prefix(IN_THE_MAKING).tempfile_in(folder).map_err(failed)?;
    making.write_all(bytes).map_err(failed)?;
    making.as_file().sync_all().map_err(failed)?;
    match making.persist_noclobber(path) {
        Ok(_) => sync_folder(folder),
        Err(error) if error.error.kind() == Cause::AlreadyExists => {
            Err(Error::new(ErrorKind::Usage, "there is such a file already; name another").at(path))
        }
        Err(error) => Err(failed(error.error)),
    }
}

/// Removes a file that still holds the text with this checksum.
pub(crate) fn remove(root: &Path, file: &str, sha: &str) -> Result<()> {
    let path = root.join(file);
    let Some(there) = bytes(&path)? else {
        return Ok(());
    };
    if checksum(String::from_utf8_lossy(&there).as_bytes()) != sha {
        return Ok(());
    }
    fs::remove_file(&path).map_err(|e| Error::io("remove", &path, e))
}

/// Appends to the ledger, and syncs it.
pub(crate) fn append(root: &Path, lines: &[u8]) -> Result<()> {
    let path = ledger_path(root);
    let failed = |e| Error::io("write the ledger", &path, e);
    let fresh = !path.exists();
    let mut file = OpenOptions::new().create(true).append(true).open(&path).map_err(failed)?;
    file.write_all(lines).map_err(failed)?;
    file.sync_all().map_err(failed)?;
    if fresh {
        sync_folder(&root.join(HIDDEN))?;
    }
    Ok(())
}

/// Cuts a torn last line off the ledger.
pub(crate) fn cut(root: &Path, whole: u64) -> Result<()> {
    let path = ledger_path(root);
    let failed = |e| Error::io("mend the ledger", &path, e);
    let file = OpenOptions::new().write(true).open(&path).map_err(failed)?;
    file.set_len(whole).map_err(failed)?;
    file.sync_all().map_err(failed)
}

/// Removes what crashed runs left in the making.
pub(crate) fn tidy(root: &Path) -> Result<()> {
    for folder in ["", HIDDEN, Kind::Profile.folder(), Kind::Playbook.folder()] {
        let Ok(entries) = fs::read_dir(root.join(folder)) else {
            continue;
        };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.starts_with(IN_THE_MAKING) && name.ends_with(".tmp") {
                let path = entry.path();
                fs::remove_file(&path).map_err(|e| Error::io("remove", &path, e))?;
            }
        }
    }
    Ok(())
}

/// Makes the names in a folder last. Windows cannot open folders, and needs no such sync.
pub(crate) fn sync_folder(folder: &Path) -> Result<()> {
    if cfg!(windows) || !folder.exists() {
        return Ok(());
    }
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(|e| Error::io("sync the folder", folder, e))
}
