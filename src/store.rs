//! The store on disk, `.reflexio/`: the only place that writes memories.
//!
//! ```text
//! profiles/<slug>-<suffix>.md     one fact a file, in the seed's format
//! playbooks/<slug>-<suffix>.md    one procedure a file
//! .ledger/ledger.jsonl            everything that was ever done, with full texts
//! .ledger/lock                    one writer at a time
//! .gitignore                      written once, when the ledger is begun
//! ```
//!
//! [`apply`] takes the lock, reads, plans ([`crate::reconcile::plan()`]) and writes, so that of two processes at once
//! neither loses what the other wrote. A crash at any point leaves a store that the next run completes: see the order
//! of things in `steps`. A run that learns nothing new writes nothing, not even a folder.
//!
//! What the folders hold depends on what was said and when, and on what hands did to the files; never on the order in
//! which sessions were read. The ledger holds every candidate in full, those that changed nothing too; each run lays all
//! of them down in the order of time, and carries out what that comes to:
//!
//! | | |
//! |---|---|
//! | an older statement comes late | the files become what they would be had it come in time: `supersedes`, first day, name and TTL |
//! | a session was read midway, and now further | what only the shorter reading proposed is withdrawn, see [`Extent`] |
//! | a file was edited or deleted by hand | it stays so, whatever comes |
//! | a memory of another program | speaks to those statements only that come after it was found |
//! | `forget`, `sweep`, `undo` | hold whatever is said of the time before them |
//! | `consolidate` | the same; what it made stands beside the statements as a memory of another hand does |
//! | a pending correction was turned down | what was said until then does not bring it in |
//!
//! Architecture invariant: only `disk` touches the disk; nothing here decides what a statement means.

mod amend;
mod archive;
mod changes;
mod consolidate;
mod disk;
mod import;
pub mod ledger;
pub mod markdown;
mod pending;
mod place;
mod runs;
mod steps;
mod track;
mod view;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use serde::Serialize;

use crate::error::{Problem, Result};
use crate::memory::Id;
#[cfg(doc)]
use crate::reconcile::Extent;
use crate::reconcile::{Batch, Known, Plan, plan};
pub use amend::{Amended, Wish, amend, foresee, forget, sweep, undo, undo_run};
pub use archive::export;
pub(crate) use archive::{Files, pack, unpacked};
use changes::events;
pub use consolidate::{Consolidated, Dress, consolidate, consolidation};
pub(crate) use disk::{HIDDEN, check};
pub use import::{Import, Imported, import, import_preview};
use ledger::{Event, Page};
pub use pending::{Open, pending, reject, waiting};
pub use place::{Stores, git_root};
pub use runs::{Run, RunName, Touched, runs};
use steps::{Step, perform, steps};
use view::{View, look};

/// What a run did, or would do.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// The decision on each candidate.
    pub plan: Plan,
    /// The run under which the ledger tells of it; `None` for [`preview`], and if there was nothing to tell.
    pub run: Option<RunName>,
    /// The files that changed; none for [`preview`].
    pub written: Vec<Written>,
    /// What could not be understood in the store; it was left alone.
    pub problems: Vec<Problem>,
}

/// A file that changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Written {
    /// The file.
    pub path: PathBuf,
    /// What happened to it.
    pub change: Change,
}

/// What happened to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// It is new.
    Created,
    /// Its text changed.
    Rewritten,
    /// It left; its text is in the ledger.
    Removed,
}

/// Reads the store at `root`; one that is not there is empty. Writes nothing.
///
/// # Errors
/// If the store is not made of plain folders that may be read. A broken file is a problem, not an error.
pub fn read(root: &Path) -> Result<Known> {
    let _lock = disk::lock_to_read(root);
    Ok(look(root)?.known)
}

/// The ledger's events, the oldest first; a torn or unknown line is passed over.
///
/// # Errors
/// As for [`read`].
pub fn history(root: &Path) -> Result<Vec<Event>> {
    let _lock = disk::lock_to_read(root);
    Ok(look(root)?.ledger.events)
}

/// The store with its past.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Past {
    /// What it holds, and what was said.
    pub known: Known,
    /// The ledger's events, the oldest first; the position of what was said counts them from 1.
    pub events: Vec<Event>,
    /// The files of all memories there ever were, as they are or were last.
    pub pages: HashMap<Id, Page>,
}

/// Reads the store at `root` with its past. Writes nothing.
///
/// # Errors
/// As for [`read`].
pub fn past(root: &Path) -> Result<Past> {
    let _lock = disk::lock_to_read(root);
    let View { known, ledger, mut former, pages, .. } = look(root)?;
    former.extend(pages);
    Ok(Past { known, events: ledger.events, pages: former })
}

/// Decides on a batch without touching anything.
///
/// # Errors
/// As for [`read`].
pub fn preview(root: &Path, batch: impl Into<Batch>) -> Result<Outcome> {
    let _lock = disk::lock_to_read(root);
    let view = look(root)?;
    Ok(outcome(plan(&view.known, batch), view, Vec::new()))
}

/// Reconciles a batch with the store at `root` and writes what is new, making the store if need be. `now` goes to the
/// ledger only: the files depend on what was said.
///
/// A batch may be candidates alone; where it also names the sessions that were read, what an earlier, shorter reading of
/// them proposed and this one does not is withdrawn.
///
/// # Errors
/// If the store is not made of plain folders that may be read and written. What was decided by then is completed by the
/// next run.
pub fn apply(root: &Path, batch: impl Into<Batch>, now: DateTime<Utc>) -> Result<Outcome> {
    let batch = batch.into();
    if !disk::is_ours(root) {
        // Nothing of ours is there yet, and nothing to write must leave it so.
        let view = look(root)?;
        let plan = plan(&view.known, batch.clone());
        if !plan.writes() {
            return Ok(outcome(plan, view, Vec::new()));
        }
    }
    disk::check(root)?;
    let _lock = disk::lock_to_write(root)?;
    let view = look(root)?;
    let plan = plan(&view.known, batch);
    let events = events(&view, &plan, now);
    let written = commit(root, &view, &events, now)?;
    let run = (!events.is_empty()).then(|| runs::name_at(&view.ledger.events, now));
    Ok(Outcome { run, ..outcome(plan, view, written) })
}

/// Carries out events that were decided on under the lock.
fn commit(root: &Path, view: &View, events: &[Event], now: DateTime<Utc>) -> Result<Vec<Written>> {
    let mut written = Vec::new();
    for step in steps(view, events, now)? {
        perform(root, &step)?;
        written.extend(tell(root, &step));
    }
    Ok(written)
}

fn outcome(plan: Plan, view: View, written: Vec<Written>) -> Outcome {
    Outcome { plan, run: None, written, problems: view.known.problems }
}

fn tell(root: &Path, step: &Step) -> Option<Written> {
    let (page, change) = match step {
        Step::Write(page) if page.replaces.is_some() => (page, Change::Rewritten),
        Step::Write(page) => (page, Change::Created),
        Step::Remove(page) => (page, Change::Removed),
        _ => return None,
    };
    Some(Written { path: root.join(&page.file), change })
}

#[cfg(test)]
mod tests;
