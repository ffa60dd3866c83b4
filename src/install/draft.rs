//! The host's files as they would be: changes are tried here, one step after the other, before anything is written.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::edits::{Done, Edit, remember};
use super::record::{Entry, Record, backups, decoded, refusal};
use super::{Change, Step};
use crate::disk::{self, Privacy};
use crate::error::Result;
use crate::store::ledger::checksum;
use crate::transcript::Host;

/// The files that were looked at, as they are and as they would be.
#[derive(Debug, Clone)]
pub struct Draft {
    host: Host,
    state: PathBuf,
    record: Record,
    pages: BTreeMap<PathBuf, Page>,
    folders: Vec<PathBuf>,
}

#[derive(Debug, Clone)]
struct Page {
    /// On disk.
    disk: Option<Vec<u8>>,
    /// Without anything of ours: what `uninstall` restores.
    base: Option<Vec<u8>>,
    /// With the changes.
    now: Option<Vec<u8>>,
    edits: Vec<Done>,
}

/// What a step would do to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The file.
    pub path: PathBuf,
    /// Its text; none if it is not there.
    pub before: Option<String>,
    /// The text it gets; none if it is removed.
    pub after: Option<String>,
}

impl Draft {
    /// The host's files as they are, with what an earlier `install` wrote down.
    ///
    /// # Errors
    /// The record cannot be read.
    pub fn open(host: Host, state: &Path) -> Result<Self> {
        let record = Record::read(state, host)?.unwrap_or_default();
        Ok(Self { host, state: state.to_path_buf(), record, pages: BTreeMap::new(), folders: Vec::new() })
    }

    /// The draft with a step done, and what that changes. No difference means that it was in place.
    ///
    /// # Errors
    /// A file is broken, read-only, or holds something else where our entry should stand.
    pub fn with(&self, step: &Step) -> Result<(Self, Vec<Difference>)> {
        let mut draft = self.clone();
        let mut touched = Vec::new();
        for change in &step.changes {
            match change {
                Change::Edits { path, edits } => {
                    draft.edit(path, edits)?;
                    touched.push(path);
                }
                Change::Whole { path, text } => {
                    let page = draft.page(path, &[])?;
                    page.now = Some(text.clone().into_bytes());
                    touched.push(path);
                }
                Change::Folder { path } => draft.folders.push(path.clone()),
            }
        }
        let differences =
            touched.into_iter().filter_map(|path| difference(path, self.pages.get(path), draft.pages.get(path)?));
        let mut differences: Vec<Difference> = differences.collect();
        differences.dedup();
        for changed in &differences {
            disk::check_writable(&changed.path)?;
        }
        Ok((draft, differences))
    }

    fn edit(&mut self, path: &Path, edits: &[Edit]) -> Result<()> {
        let page = self.page(path, edits)?;
        for edit in edits {
            let bytes = page.now.clone().unwrap_or_else(|| edit.blank().into());
            let text = decoded(path, &bytes)?;
            if let Some((text, done)) = edit.apply(text).map_err(|fault| refusal(path, text, &fault))? {
                page.now = Some(text.into_bytes());
                remember(&mut page.edits, done);
            }
        }
        Ok(())
    }

    fn page(&mut self, path: &Path, edits: &[Edit]) -> Result<&mut Page> {
        if !self.pages.contains_key(path) {
            let disk = disk::read(path)?;
            let entry = self.record.entry(path);
            let base = match (entry, &disk) {
                (Some(entry), _) => entry.restored(disk.as_deref())?.bytes,
                (None, Some(bytes)) => Some(without_marked(path, bytes, edits)?),
                (None, None) => None,
            };
            let edits = entry.map(|entry| entry.edits.clone()).unwrap_or_default();
            let page = Page { now: disk.clone(), disk, base, edits };
            self.pages.insert(path.to_path_buf(), page);
        }
        Ok(self.pages.entry(path.to_path_buf()).or_insert_with(|| Page {
            disk: None,
            base: None,
            now: None,
            edits: Vec::new(),
        }))
    }

    /// Writes what the steps came to: first the backups and the record, then the files.
    ///
    /// # Errors
    /// Something cannot be written. What was written before that is in the record, and `uninstall` takes it out.
    pub fn commit(self) -> Result<()> {
        let folder = backups(&self.state, self.host);
        let mut record = self.record;
        let mut folders = Vec::new();
        for (path, page) in &self.pages {
            let Some(now) = page.now.as_deref().filter(|now| page.base.as_deref() != Some(*now)) else {
                continue;
            };
            let backup = match &page.base {
                Some(bytes) => {
                    let backup = folder.join(checksum(bytes));
                    disk::make_folder(&folder, Privacy::Own)?;
                    disk::write(&backup, bytes, Privacy::Own)?;
                    Some(backup)
                }
                None => None,
            };
            let before = page.base.as_deref().map(checksum);
            let entry = Entry { path: path.clone(), before, after: checksum(now), backup, edits: page.edits.clone() };
            record.files.retain(|old| old.path != *path);
            record.files.push(entry);
            folders.extend(disk::missing_folders(path));
        }
        for made in &self.folders {
            folders.extend(disk::missing_folders(&made.join("x")));
        }
        for made in folders {
            if !record.folders.contains(&made) {
                record.folders.push(made);
            }
        }
        record.write(&self.state, self.host)?;
        for made in &self.folders {
            disk::make_folder(made, Privacy::Usual)?;
        }
        for (path, page) in &self.pages {
            if let Some(now) = page.now.as_deref().filter(|now| page.disk.as_deref() != Some(*now)) {
                if let Some(above) = path.parent() {
                    disk::make_folder(above, Privacy::Usual)?;
                }
                disk::write(path, now, Privacy::Usual)?;
            }
        }
        Ok(())
    }
}

/// A file without entries that carry our mark, though no record tells of them: the state folder was lost, or they were
/// put in by hand.
fn without_marked(path: &Path, bytes: &[u8], edits: &[Edit]) -> Result<Vec<u8>> {
    if !edits.iter().any(|edit| matches!(edit, Edit::Append { mark: Some(_), .. })) {
        return Ok(bytes.to_vec());
    }
    let mut text = decoded(path, bytes)?.to_owned();
    for edit in edits {
        if matches!(edit, Edit::Append { mark: Some(_), .. }) {
            let done = Done { edit: edit.clone(), made: Vec::new(), before: None };
            text = done.undo(&text).map_err(|fault| refusal(path, &text, &fault))?;
        }
    }
    Ok(text.into_bytes())
}

fn difference(path: &Path, old: Option<&Page>, new: &Page) -> Option<Difference> {
    let before = old.map_or(&new.disk, |page| &page.now);
    let text = |bytes: &Option<Vec<u8>>| bytes.as_ref().map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    (*before != new.now).then(|| Difference { path: path.to_path_buf(), before: text(before), after: text(&new.now) })
}
