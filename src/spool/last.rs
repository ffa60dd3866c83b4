//! How the last run for each host went, and up to when its transcripts were caught up with.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use super::{Spool, make};
use crate::error::{Error, ErrorKind, Result};
use crate::transcript::Host;

/// How far back the first catch-up of all looks: to a session that was going on when the hook was installed. What is
/// older is for `replay`.
const FIRST_LOOK: TimeDelta = TimeDelta::hours(24);

/// So many folders are remembered; one that was forgotten is caught up with from the host's first run on.
const MOST_FOLDERS: usize = 200;

/// The last run for a host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Last {
    /// When it ended.
    pub at: DateTime<Utc>,
    /// The event that it was for, as the host names it.
    pub event: String,
    /// How it ended.
    pub how: How,
    /// What was learned, in numbers, or the error.
    pub told: String,
    /// When the first run of all ended.
    pub first: DateTime<Utc>,
    /// For each folder that was caught up with, when that began.
    #[serde(default)]
    pub caught_up: BTreeMap<PathBuf, DateTime<Utc>>,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum How {
    /// Everything there was to learn is in the store.
    Done,
    /// It could not be done; it is tried again, a few times.
    Failed,
    /// There was no transcript.
    Missing,
}

impl Last {
    /// From when on the files of a folder are to be caught up with.
    fn since(&self, folder: &PathBuf) -> DateTime<Utc> {
        // File times are coarse on some disks.
        const SLACK: TimeDelta = TimeDelta::seconds(2);
        self.caught_up.get(folder).copied().unwrap_or(self.first - FIRST_LOOK) - SLACK
    }
}

impl Spool {
    /// How the last run for a host went; `None` if there was none.
    #[must_use]
    pub fn last(&self, host: Host) -> Option<Last> {
        serde_json::from_slice(&fs::read(self.last_path(host)).ok()?).ok()
    }

    /// From when on the files of these folders are to be caught up with.
    pub(crate) fn since(&self, host: Host, folders: &[PathBuf], now: DateTime<Utc>) -> DateTime<Utc> {
        match self.last(host) {
            Some(last) => folders.iter().map(|folder| last.since(folder)).min().unwrap_or(now),
            None => now - FIRST_LOOK,
        }
    }

    /// Notes how a run went, and the folders that were caught up with.
    pub(crate) fn tell_last(&self, host: Host, last: Last, folders: Vec<PathBuf>, began: DateTime<Utc>) -> Result<()> {
        let mut last = match self.last(host) {
            Some(earlier) => Last { first: earlier.first, caught_up: earlier.caught_up, ..last },
            None => last,
        };
        last.caught_up.extend(folders.into_iter().filter(|folder| folder.to_str().is_some()).map(|f| (f, began)));
        while last.caught_up.len() > MOST_FOLDERS {
            let oldest = last.caught_up.iter().min_by_key(|(_, time)| **time).map(|(folder, _)| folder.clone());
            last.caught_up.remove(&oldest.unwrap_or_default());
        }
        let path = self.last_path(host);
        make(&self.state.join("last"))?;
        let text = serde_json::to_vec_pretty(&last)
            .map_err(|e| Error::new(ErrorKind::Io, "could not put the last run into words").at(&path).because(e))?;
        self.write(&path, &text).map_err(|e| Error::io("write", &path, e))
    }

    fn last_path(&self, host: Host) -> PathBuf {
        self.state.join("last").join(format!("{}.json", host.name()))
    }
}
