//! Which files there are, what tells whether they changed, and the order in which they are read.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use chrono::{DateTime, Utc};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::batches::{Bounds, batches};
use super::project::Wanted;
use crate::error::{Error, Result};
use crate::transcript::{self, Copies, Glance, Hand, Session};

/// Where to look for transcripts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A folder or database in which an installed product keeps its sessions.
    Home(PathBuf),
    /// A file or folder that was named.
    Named(PathBuf),
}

/// How a file was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// In a product's home.
    Home,
    /// In a folder that was named.
    Folder,
    /// It was named itself.
    Named,
}

/// A file that may be a transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct File {
    pub(super) path: PathBuf,
    pub(super) origin: Origin,
    pub(super) stamp: Stamp,
}

/// What changes when a file does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stamp {
    /// Bytes.
    pub(super) size: u64,
    /// Nanoseconds since 1970.
    pub(super) modified: u64,
    /// Bytes of the write-ahead log beside a database, whose last rows stand there.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) log: u64,
    /// Its time, as above.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) log_modified: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature serde asks for")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) files: Vec<File>,
    pub(super) errors: Vec<Error>,
}

/// Every file below the sources that may hold a session that is wanted, each once.
pub(super) fn find(sources: &[Source], wanted: &Wanted) -> Found {
    let mut found = Found::default();
    let mut seen = HashSet::new();
    for source in sources {
        let (root, inside) = match source {
            Source::Home(root) => (root, Origin::Home),
            Source::Named(root) => (root, Origin::Folder),
        };
        // A home may stand under a second name.
        if !seen.insert(fs::canonicalize(root).unwrap_or_else(|_| root.clone())) {
            continue;
        }
        let paths = match transcript::discover(root) {
            Ok(paths) => paths,
            Err(error) => {
                found.errors.push(error);
                continue;
            }
        };
        let origin =
            if inside == Origin::Folder && paths.as_slice() == [root.clone()] { Origin::Named } else { inside };
        let stamped: Vec<_> = paths.into_par_iter().map(|path| (stamp(&path), path)).collect();
        for (stamp, path) in stamped {
            match stamp {
                Ok(stamp) if wanted.may_be_in(stamp.changed()) => found.files.push(File { path, origin, stamp }),
                Ok(_) => {}
                Err(error) => found.errors.push(error),
            }
        }
    }
    // A folder and a file in it may both have been named.
    found.files.sort_by(|a, b| a.path.cmp(&b.path));
    found.files.dedup_by(|a, b| a.path == b.path);
    found
}

fn stamp(path: &Path) -> Result<Stamp> {
    let about = fs::metadata(path).map_err(|error| Error::io("look at", path, error))?;
    // An empty one says nothing; whoever reads a database may leave one behind.
    let log = transcript::log_beside(path).and_then(|log| fs::metadata(log).ok()).filter(|about| about.len() > 0);
    Ok(Stamp {
        size: about.len(),
        modified: nanoseconds(&about),
        log: log.as_ref().map_or(0, fs::Metadata::len),
        log_modified: log.as_ref().map_or(0, nanoseconds),
    })
}

fn nanoseconds(about: &fs::Metadata) -> u64 {
    let since = about.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.map_or(0, |since| u64::try_from(since.as_nanos()).unwrap_or(u64::MAX))
}

impl Stamp {
    /// When it was last written to.
    fn changed(self) -> DateTime<Utc> {
        DateTime::from_timestamp_nanos(i64::try_from(self.modified.max(self.log_modified)).unwrap_or(i64::MAX))
    }
}

/// Files in the order in which they are to be read, and those that cannot be.
#[derive(Debug, Default)]
pub(super) struct Queue {
    pub(super) files: Vec<File>,
    /// Files that cannot be read, or are no transcripts.
    pub(super) errors: Vec<(File, Error)>,
}

/// A file's place in the order: what was written down at second hand comes last, then time and id decide.
type Turn = (Hand, DateTime<Utc>, String);

/// Puts files in the order of time.
///
/// A file with one session stands where it began. One that may hold many is read, and stands where the last of them
/// began; `copies` is told of them beforehand. So whenever a session is judged, all that began before it are known.
pub(super) fn in_time(files: Vec<File>, bounds: Bounds, copies: &mut Copies) -> Queue {
    let looked: Vec<_> = files.into_par_iter().map(|file| (transcript::glance(&file.path), file)).collect();
    let mut queue = Queue::default();
    let mut ordered: Vec<(Turn, File)> = Vec::new();
    let mut hidden = Vec::new();
    for (looked, file) in looked {
        match looked {
            Ok(Glance::One { host, started, id }) => ordered.push(((Hand::of(host), started, id), file)),
            Ok(Glance::Hidden) => hidden.push(file),
            Err(error) => queue.errors.push((file, error)),
        }
    }
    for batch in batches(hidden, bounds) {
        let read: Vec<_> = batch.into_par_iter().map(|file| (transcript::read(&file.path), file)).collect();
        for (reading, file) in read {
            match reading {
                Ok(reading) => {
                    let turns = reading.sessions.iter().map(|one| (Hand::of(one.host), one.started, one.id.clone()));
                    let last = turns.max().unwrap_or((Hand::First, DateTime::UNIX_EPOCH, String::new()));
                    ordered.push((last, file));
                    for (session, nth) in numbered(reading.sessions) {
                        copies.note(&session, nth);
                    }
                }
                Err(error) => queue.errors.push((file, error)),
            }
        }
    }
    ordered.sort_by(|(turn, file), (other, another)| turn.cmp(other).then_with(|| file.path.cmp(&another.path)));
    queue.files = ordered.into_iter().map(|(_, file)| file).collect();
    queue
}

/// The sessions of one source, each with its number among those that have its id.
pub(super) fn numbered(sessions: Vec<Session>) -> Vec<(Session, u32)> {
    let mut of_id: HashMap<String, u32> = HashMap::new();
    let numbered = sessions.into_iter().map(|session| {
        let next = of_id.entry(session.id.clone()).or_default();
        let nth = *next;
        *next += 1;
        (session, nth)
    });
    numbered.collect()
}
