//! Events as a list of steps on the disk, each of which is atomic.
//!
//! The order makes a crash harmless: the ledger says what will be done (full texts included) before a folder is
//! touched, and `done` after it. Killed before the ledger's lines are whole, nothing has happened; killed after that, the next
//! run does the rest, for every step can be done twice.

use std::collections::BTreeMap;
use std::path::Path;

use chrono::{DateTime, Utc};

use super::disk;
use super::ledger::{self, Did, Event, Page};
use super::view::View;
use crate::error::{Error, ErrorKind, Result};
use crate::memory::Kind;

/// One atomic change on the disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// Keeps personal memory out of commits.
    Ignore,
    /// Cuts a torn last line off the ledger.
    Cut(u64),
    /// Appends lines to the ledger.
    Append(Vec<u8>),
    /// Writes a file, or puts a new text in the place of the one it replaces.
    Write(Page),
    /// Removes a file that still is as it was.
    Remove(Page),
    /// Makes the names in the folders last.
    Sync,
}

/// Does one step.
pub(crate) fn perform(root: &Path, step: &Step) -> Result<()> {
    match step {
        Step::Ignore if root.join(".gitignore").exists() => Ok(()),
        Step::Ignore => disk::write(root, ".gitignore", "*\n", None),
        Step::Cut(whole) => disk::cut(root, *whole),
        Step::Append(lines) => disk::append(root, lines),
        Step::Write(page) => disk::write(root, &page.file, &page.text, page.replaces.as_deref()),
        Step::Remove(page) => disk::remove(root, &page.file, &page.sha),
        Step::Sync => {
            disk::tidy(root)?;
            for kind in Kind::ALL {
                disk::sync_folder(&root.join(kind.folder()))?;
            }
            disk::sync_folder(root)
        }
    }
}

/// What events come to in the folders: a file written and removed again is never seen. New files come before
/// removals, so that whoever reads meanwhile finds both rather than none.
pub(crate) fn net(events: &[Event]) -> Vec<Step> {
    /// The checksum of the text before these events, and the page in the end.
    type Fate<'a> = (Option<&'a str>, Option<&'a Page>);
    let mut fates: BTreeMap<&str, (Fate<'_>, &Page)> = BTreeMap::new();
    // What a hand deleted is gone already.
    for event in events.iter().filter(|event| event.event != Did::Deleted) {
        for page in &event.writes {
            let first = (page.replaces.as_deref(), None);
            let (fate, last) = fates.entry(&page.file).or_insert((first, page));
            (fate.1, *last) = (Some(page), page);
        }
        for page in &event.removes {
            let first = (Some(page.sha.as_str()), None);
            let (fate, last) = fates.entry(&page.file).or_insert((first, page));
            (fate.1, *last) = (None, page);
        }
    }
    let mut writes = Vec::new();
    let mut removes = Vec::new();
    for ((before, after), last) in fates.into_values() {
        match (before, after) {
            (before, Some(page)) => {
                writes.push(Step::Write(Page { replaces: before.map(str::to_owned), ..page.clone() }))
            }
            (Some(before), None) => removes.push(Step::Remove(Page { sha: before.to_owned(), ..last.clone() })),
            (None, None) => {}
        }
    }
    writes.append(&mut removes);
    writes
}

/// All steps that carry out these events, what a crash left undone first; none if there is nothing to do.
pub(crate) fn steps(view: &View, events: &[Event], now: DateTime<Utc>) -> Result<Vec<Step>> {
    let undone = view.ledger.done < view.ledger.events.len();
    if events.is_empty() && !undone {
        return Ok(Vec::new());
    }
    let mut steps = Vec::new();
    if !view.has_ledger {
        steps.push(Step::Ignore);
    }
    if view.ledger_size > view.ledger.whole {
        steps.push(Step::Cut(view.ledger.whole));
    }
    if view.ledger.open {
        steps.push(Step::Append(b"\n".to_vec()));
    }
    let done = lines(&[Event::new(Did::Done, now)])?;
    if undone {
        steps.extend(view.redo.iter().cloned());
        steps.push(Step::Sync);
        steps.push(Step::Append(done.clone()));
    }
    if !events.is_empty() {
        steps.push(Step::Append(lines(events)?));
        steps.extend(net(events));
        steps.push(Step::Sync);
        steps.push(Step::Append(done));
    }
    Ok(steps)
}

fn lines(events: &[Event]) -> Result<Vec<u8>> {
    ledger::lines(events).map_err(|e| Error::new(ErrorKind::Store, "an event cannot be written").because(e))
}
