//! Taking out what was installed: the old bytes where nobody touched a file since, else only what is ours.

use std::path::{Path, PathBuf};

use super::draft::Difference;
use super::record::{self, Record, backups};
use crate::disk::{self, Privacy};
use crate::error::Result;
use crate::transcript::Host;

/// What an uninstallation will do.
#[derive(Debug)]
pub struct Removal {
    host: Host,
    state: PathBuf,
    record: Record,
    files: Vec<Outgoing>,
}

#[derive(Debug)]
struct Outgoing {
    path: PathBuf,
    now: Option<Vec<u8>>,
    bytes: Option<Vec<u8>>,
    copy: Option<PathBuf>,
}

/// What it takes to take out what was installed for a host; `None` if nothing was.
///
/// # Errors
/// A file is broken or read-only, or a backup is gone. Then nothing is changed at all.
pub fn removal(host: Host, state: &Path) -> Result<Option<Removal>> {
    let Some(record) = Record::read(state, host)? else {
        return Ok(None);
    };
    let mut files = Vec::new();
    for entry in &record.files {
        let now = disk::read(&entry.path)?;
        let restored = entry.restored(now.as_deref())?;
        if now != restored.bytes {
            disk::check_writable(&entry.path)?;
        }
        let name = entry.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let copy = restored.keeps_copy.then(|| state.join("kept").join(host.name()).join(name));
        files.push(Outgoing { path: entry.path.clone(), now, bytes: restored.bytes, copy });
    }
    Ok(Some(Removal { host, state: state.to_path_buf(), record, files }))
}

impl Removal {
    /// What changes.
    #[must_use]
    pub fn differences(&self) -> Vec<Difference> {
        let text = |bytes: &Option<Vec<u8>>| bytes.as_ref().map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        let changed = self.files.iter().filter(|file| file.now != file.bytes);
        changed
            .map(|file| Difference { path: file.path.clone(), before: text(&file.now), after: text(&file.bytes) })
            .collect()
    }

    /// Files of ours that the person has changed, and where a copy of them is kept.
    #[must_use]
    pub fn copies(&self) -> Vec<(&Path, &Path)> {
        self.files.iter().filter_map(|file| Some((file.path.as_path(), file.copy.as_deref()?))).collect()
    }

    /// Does it. The record and the backups go last, so that a crash can be made good by doing it again.
    ///
    /// # Errors
    /// Something cannot be written or removed.
    pub fn commit(self) -> Result<()> {
        for file in &self.files {
            if let (Some(copy), Some(now)) = (&file.copy, &file.now) {
                disk::make_folder(copy.parent().unwrap_or(&self.state), Privacy::Own)?;
                disk::write(copy, now, Privacy::Own)?;
            }
            match &file.bytes {
                Some(bytes) if file.now.as_ref() != Some(bytes) => disk::write(&file.path, bytes, Privacy::Usual)?,
                Some(_) => {}
                None => disk::remove(&file.path)?,
            }
        }
        // Outermost first is how they were made: what lies deepest has to go first.
        let mut folders = self.record.folders.clone();
        folders.sort_by_key(|folder| std::cmp::Reverse(folder.components().count()));
        for folder in &folders {
            disk::remove_if_empty(folder);
        }
        disk::remove(&record::path(&self.state, self.host))?;
        let backups = backups(&self.state, self.host);
        for entry in &self.record.files {
            if let Some(backup) = &entry.backup {
                disk::remove(backup)?;
            }
        }
        for folder in [backups.as_path(), &self.state.join("backups"), &self.state.join("installed"), &self.state] {
            disk::remove_if_empty(folder);
        }
        Ok(())
    }
}
