//! What was installed, written down before it is done: so that it can be taken out again, also after a crash.
//!
//! `<state>/installed/<host>.json` names every file with its checksum before and after; the bytes before lie in
//! `<state>/backups/<host>/`, under their checksum, readable by their owner alone.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::edits::Done;
use super::json::{Fault, line_of, parse};
use crate::disk::{self, Privacy};
use crate::error::{Error, ErrorKind, Result};
use crate::store::ledger::checksum;
use crate::transcript::Host;

/// What was done to a host.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Record {
    /// The files.
    pub files: Vec<Entry>,
    /// The folders that were made, outermost first.
    pub folders: Vec<PathBuf>,
}

/// One file that was created or changed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Entry {
    /// Where it is.
    pub path: PathBuf,
    /// Its checksum before, none if it was not there.
    pub before: Option<String>,
    /// Its checksum after.
    pub after: String,
    /// Its backup in the state folder.
    pub backup: Option<PathBuf>,
    /// The changes inside it; none where the whole file is ours.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<Done>,
}

/// What a file becomes when the change is taken out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Restored {
    /// Its bytes, none if it is to go.
    pub(super) bytes: Option<Vec<u8>>,
    /// Whether the person's changes to a file that was ours would be lost, so that a copy has to be kept.
    pub(super) keeps_copy: bool,
}

/// Where the record of a host lies.
pub(super) fn path(state: &Path, host: Host) -> PathBuf {
    state.join("installed").join(format!("{}.json", host.name()))
}

/// Where the backups for a host lie.
pub(super) fn backups(state: &Path, host: Host) -> PathBuf {
    state.join("backups").join(host.name())
}

impl Record {
    /// The record of a host, none if nothing was installed.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn read(state: &Path, host: Host) -> Result<Option<Self>> {
        let path = path(state, host);
        let Some(bytes) = disk::read(&path)? else {
            return Ok(None);
        };
        let wrong = |e: serde_json::Error| {
            Error::new(ErrorKind::Host, "the record of what was installed is broken").at(&path).because(e)
        };
        serde_json::from_slice(&bytes).map(Some).map_err(wrong)
    }

    pub(super) fn write(&self, state: &Path, host: Host) -> Result<()> {
        let path = path(state, host);
        disk::make_folder(path.parent().unwrap_or(state), Privacy::Own)?;
        let failed = |e: serde_json::Error| {
            Error::new(ErrorKind::Host, "the record could not be put into words").at(&path).because(e)
        };
        let text = serde_json::to_string_pretty(self).map_err(failed)?;
        disk::write(&path, format!("{text}\n").as_bytes(), Privacy::Own)
    }

    /// The entry of a file.
    pub(super) fn entry(&self, path: &Path) -> Option<&Entry> {
        self.files.iter().find(|entry| entry.path == path)
    }
}

impl Entry {
    /// What the file becomes without our changes, given what it is now: its old bytes if nobody touched it since, else
    /// what the person made of it without what is ours.
    pub(super) fn restored(&self, now: Option<&[u8]>) -> Result<Restored> {
        let plain = |bytes| Ok(Restored { bytes, keeps_copy: false });
        let Some(now) = now else {
            // The person removed it.
            return plain(None);
        };
        let sum = checksum(now);
        if self.before.as_ref() == Some(&sum) {
            return plain(Some(now.to_vec()));
        }
        let old = || -> Result<Option<Vec<u8>>> {
            let Some(backup) = &self.backup else {
                return Ok(None);
            };
            let missing = || Error::new(ErrorKind::Host, "the backup that `install` made is gone").at(backup);
            let bytes = disk::read(backup)?.ok_or_else(missing)?;
            if self.before.as_ref() != Some(&checksum(&bytes)) {
                return Err(Error::new(ErrorKind::Host, "the backup that `install` made was changed").at(backup));
            }
            Ok(Some(bytes))
        };
        if sum == self.after {
            return plain(old()?);
        }
        if self.edits.is_empty() {
            return Ok(Restored { bytes: old()?, keeps_copy: true });
        }
        let mut text = decoded(&self.path, now)?.to_owned();
        for done in self.edits.iter().rev() {
            text = done.undo(&text).map_err(|fault| refusal(&self.path, &text, &fault))?;
        }
        // Of a file that was made for our entry alone, an empty object would be left.
        let nothing_left = match parse(&text) {
            Ok(root) => {
                root.items().is_empty()
                    && text.trim_start_matches('\u{feff}').split_whitespace().collect::<String>() == "{}"
            }
            Err(_) => text.trim().is_empty(),
        };
        plain(if self.before.is_none() && nothing_left { None } else { Some(text.into_bytes()) })
    }
}

/// The text of a file.
pub(super) fn decoded<'b>(path: &Path, bytes: &'b [u8]) -> Result<&'b str> {
    std::str::from_utf8(bytes).map_err(|error| {
        let good = bytes.get(..error.valid_up_to()).and_then(|good| std::str::from_utf8(good).ok()).unwrap_or_default();
        refusal(path, good, &Fault { at: good.len(), what: "it is not UTF-8".into() })
    })
}

/// The error for a file that cannot be edited.
pub(super) fn refusal(path: &Path, text: &str, fault: &Fault) -> Error {
    Error::new(ErrorKind::Host, fault.what.clone()).at(path).on_line(line_of(text, fault.at))
}
