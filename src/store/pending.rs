//! What the ledger holds that waits for the person's word.

use std::path::Path;

use chrono::{DateTime, Utc};
use serde::Serialize;

use super::amend::free_time;
use super::ledger::{Did, Event};
use super::view::{View, look};
use super::{commit, disk};
use crate::error::{Error, ErrorKind, Result};
use crate::memory::{Candidate, Evidence, Id, Intent, Kind};
use crate::reconcile::{Known, pending as corrections, unclear};

/// Something that waits for the person's word.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Open {
    /// The name to call it by; no memory has it yet.
    pub id: Id,
    /// [`Intent::Pending`] for a correction that was never confirmed, [`Intent::Forget`] for a wish to forget that
    /// named nothing, or could mean more than one memory.
    pub intent: Intent,
    /// What kind of memory it would become.
    pub kind: Kind,
    /// What was said.
    pub body: String,
    /// When.
    pub said_at: DateTime<Utc>,
    /// The memories that a wish to forget could mean, of those that are there.
    pub could_mean: Vec<Id>,
    /// The lines it comes from.
    pub evidence: Vec<Evidence>,
    /// Why it waits.
    pub reason: String,
}

/// Everything in the store at `root` that waits, in the order of time.
///
/// # Errors
/// As for [`super::read`].
pub fn pending(root: &Path) -> Result<Vec<Open>> {
    let _lock = disk::lock_to_read(root);
    Ok(waiting(&look(root)?.known))
}

/// Turns down what waits under this id: it is not asked about again, and not learned from what was said until `now`.
/// `words` is the text that it would have been kept with.
///
/// # Errors
/// If nothing of this id waits, or the store is not made of plain folders that may be read and written.
pub fn reject(root: &Path, id: &Id, words: &str, now: DateTime<Utc>) -> Result<()> {
    let find = |view: &View| {
        let unknown = || Error::new(ErrorKind::Usage, format!("nothing that waits is called {id}"));
        waiting(&view.known).into_iter().find(|open| open.id == *id).ok_or_else(unknown)
    };
    find(&look(root)?)?;
    let _lock = disk::lock_to_write(root)?;
    let view = look(root)?;
    let open = find(&view)?;
    let now = free_time(&view, now);
    let event = Event {
        id: Some(open.id),
        intent: Some(open.intent),
        kind: Some(open.kind),
        body: Some(words.to_owned()),
        said_at: Some(now),
        evidence: open.evidence,
        reason: "the person turned it down".into(),
        ..Event::new(Did::Reject, now)
    };
    commit(root, &view, &view.after_hands(vec![event]), now)?;
    Ok(())
}

/// What waits, of everything that is known, in the order of time.
#[must_use]
pub fn waiting(known: &Known) -> Vec<Open> {
    let mut open: Vec<Open> = corrections(known).into_iter().map(|one| of(one, &one.reason, Vec::new())).collect();
    open.extend(unclear(known).into_iter().map(|one| of(one.wish, &one.reason, one.could_mean)));
    open.retain(|open| known.rejections.iter().all(|rejection| rejection.id != open.id));
    open.sort_by(|one, other| (one.said_at, &one.id).cmp(&(other.said_at, &other.id)));
    open.dedup_by(|one, other| one.id == other.id);
    open
}

fn of(candidate: &Candidate, reason: &str, could_mean: Vec<Id>) -> Open {
    Open {
        id: Id::derive(candidate.kind, &candidate.body, candidate.evidence.first(), 0),
        intent: candidate.intent,
        kind: candidate.kind,
        body: candidate.body.clone(),
        said_at: candidate.said_at,
        could_mean,
        evidence: candidate.evidence.clone(),
        reason: reason.to_owned(),
    }
}
