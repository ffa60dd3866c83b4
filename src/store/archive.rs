//! A store as one zip file: its memories and its ledger. The same store gives the same bytes.
//!
//! Reading one trusts nothing in it: only the names that this program writes count, nothing is unpacked under a name of
//! the archive's choosing, and sizes are those of what comes out, not those that the archive claims.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs::File;
use std::io::{Cursor, Read, Write};
use std::path::{Path, PathBuf};

use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use super::disk;
use crate::error::{Error, ErrorKind, Problem, Result};
use crate::memory::Kind;

/// The ledger's name in an archive, which is its path in the store.
pub(super) const LEDGER: &str = ".ledger/ledger.jsonl";

/// An archive may be so large, in bytes.
const MOST_PACKED: u64 = 256 << 20;

/// So many bytes may come out of it in all: a store of 100,000 memories has some 60 MB, its ledger twice that.
const MOST_UNPACKED: u64 = 1 << 30;

/// So many bytes may come out of one memory.
const MOST_OF_ONE: u64 = 1 << 20;

/// Writes the store at `root` into a new zip file; how many memories are in it.
///
/// # Errors
/// [`ErrorKind::Usage`] if the store is empty or there is a file of that name; else if the store cannot be read or
/// the file cannot be written.
pub fn export(root: &Path, to: &Path) -> Result<usize> {
    let _lock = disk::lock_to_read(root);
    let mut files = Files::new();
    if disk::check(root)? {
        for kind in Kind::ALL {
            let pages = disk::pages(root, kind, &mut Vec::new())?;
            let texts = pages.into_iter().filter_map(|(file, found)| Some((file, found.text?.into_bytes())));
            files.extend(texts);
        }
    }
    let memories = files.len();
    files.extend(disk::bytes(&disk::ledger_path(root))?.map(|bytes| (LEDGER.to_owned(), bytes)));
    if files.is_empty() {
        return Err(Error::new(ErrorKind::Usage, "there is no memory to export").at(root));
    }
    pack(&files, to)?;
    Ok(memories)
}

/// Writes files into a new zip file; one that is there is not overwritten.
pub(crate) fn pack(files: &Files, to: &Path) -> Result<()> {
    let failed = |error: ZipError| Error::new(ErrorKind::Io, "could not pack the files").at(to).because(error);
    disk::new_file(to, &packed(files).map_err(failed)?)
}

fn packed(files: &Files) -> std::result::Result<Vec<u8>, ZipError> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    // Without a time of its own, and readable by the person only where the unpacker minds.
    let options = SimpleFileOptions::default().unix_permissions(0o600);
    for (name, bytes) in files {
        zip.start_file(name.as_str(), options)?;
        zip.write_all(bytes)?;
    }
    Ok(zip.finish()?.into_inner())
}

/// Files by their names in a store.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// How large a file of a name may be that is taken from an archive, in bytes; `None` for one that is not wanted.
pub(crate) type Most = fn(&str) -> Option<u64>;

/// The files of an archive of a store, and what was passed over.
///
/// # Errors
/// As for [`unpacked`].
pub(super) fn unpacked_store(archive: &Path) -> Result<(Files, Vec<Problem>)> {
    unpacked(archive, most)
}

/// The files of an archive, and what was passed over.
///
/// # Errors
/// If it cannot be read, is no zip file, or too much comes out of it.
pub(crate) fn unpacked(archive: &Path, most: Most) -> Result<(Files, Vec<Problem>)> {
    let failed = |error| Error::io("read the archive", archive, error);
    let broken = |error: ZipError| Error::new(ErrorKind::Usage, "this is no zip file").at(archive).because(error);
    let bomb = |what: &str| Error::new(ErrorKind::Usage, format!("{what}: no store is that large")).at(archive);
    let file = File::open(archive).map_err(failed)?;
    let mut bytes = Vec::new();
    file.take(MOST_PACKED + 1).read_to_end(&mut bytes).map_err(failed)?;
    if size(&bytes) > MOST_PACKED {
        return Err(bomb("the archive is too large"));
    }
    let mut zip = ZipArchive::new(Cursor::new(bytes)).map_err(broken)?;
    let (mut files, mut problems, mut total) = (Files::new(), Vec::new(), 0);
    for index in 0..zip.len() {
        let entry = zip.by_index(index).map_err(broken)?;
        let name = entry.name().map(|name| name.to_string()).unwrap_or_default();
        let Some(most) = most(&name).filter(|_| entry.is_file()) else {
            if !entry.is_dir() {
                problems.push(passed_over(archive, &name, "it is no file that belongs here"));
            }
            continue;
        };
        let mut text = Vec::new();
        if let Err(error) = entry.take(most + 1).read_to_end(&mut text) {
            problems.push(passed_over(archive, &name, &format!("it cannot be unpacked: {error}")));
            continue;
        }
        total += size(&text);
        if total > MOST_UNPACKED {
            return Err(bomb("too much comes out of it"));
        }
        if size(&text) > most {
            problems.push(passed_over(archive, &name, "it is too large for a memory"));
            continue;
        }
        match files.entry(name) {
            Entry::Vacant(free) => drop(free.insert(text)),
            Entry::Occupied(taken) => problems.push(passed_over(archive, taken.key(), "it is there twice")),
        }
    }
    Ok((files, problems))
}

fn size(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}

/// How large a file of that name may be; `None` if no store has one.
fn most(name: &str) -> Option<u64> {
    if name == LEDGER {
        return Some(MOST_UNPACKED);
    }
    let (folder, file) = name.split_once('/')?;
    let known = Kind::ALL.iter().any(|kind| kind.folder() == folder);
    let plain = !file.starts_with('.') && file.ends_with(".md") && file.len() > 3 && file.len() <= 200;
    let harmless = !file.contains(['/', '\\', ':', '\0']) && !file.chars().any(char::is_control);
    (known && plain && harmless).then_some(MOST_OF_ONE)
}

fn passed_over(archive: &Path, name: &str, why: &str) -> Problem {
    let path: PathBuf = archive.join(name.trim_start_matches(['/', '\\']));
    Problem { path, line: None, what: format!("{why}, and is passed over") }
}
