//! Changes that the person asks for by name: sweep, forget, undo. Each is one event of the ledger, like all others.

use std::path::Path;

use chrono::{DateTime, NaiveDate, Utc};

use super::ledger::{Did, Event, Page};
use super::view::{View, look};
use super::{Written, commit, disk, markdown};
use crate::error::{Error, ErrorKind, Result};
use crate::memory::{Id, Kind};

/// Removes the profiles whose last day is before `today`. A newer statement may bring them back, a replay may not.
///
/// # Errors
/// If the store is not made of plain folders that may be read and written.
pub fn sweep(root: &Path, today: NaiveDate, now: DateTime<Utc>) -> Result<Vec<Written>> {
    amend(root, now, |view| {
        let mut event = Event::new(Did::Sweep, now);
        event.said_at = Some(now);
        event.reason = "expired".into();
        for held in view.known.held.iter().filter(|held| held.kind == Kind::Profile) {
            let Some(page) = view.pages.get(&held.id) else {
                continue;
            };
            let read = markdown::parse(&page.text, held.kind, page.id.as_str(), held.created);
            let last = read.ok().and_then(|document| document.expires);
            if last.is_some_and(|last| last < today) {
                event.removes.push(page.clone());
            }
        }
        Ok(event)
    })
}

/// Removes memories by id; [`undo`] brings them back, and so does a newer statement.
///
/// # Errors
/// If there is no such memory, or as for [`sweep`].
pub fn forget(root: &Path, ids: &[Id], reason: &str, now: DateTime<Utc>) -> Result<Vec<Written>> {
    amend(root, now, |view| {
        let mut event = Event::new(Did::Forget, now);
        event.said_at = Some(now);
        event.reason = reason.into();
        for id in ids {
            event.removes.push(view.pages.get(id).cloned().ok_or_else(|| unknown(id))?);
        }
        Ok(event)
    })
}

/// Takes back the last event that wrote or removed a memory: what left comes back, what came leaves.
///
/// A TTL that grew stays grown; a memory that is there again already is left alone.
///
/// # Errors
/// If the ledger knows of no such event, or as for [`sweep`].
pub fn undo(root: &Path, id: &Id, now: DateTime<Utc>) -> Result<Vec<Written>> {
    amend(root, now, |view| {
        let names = |pages: &[Page]| pages.iter().any(|page| page.id == *id && page.replaces.is_none());
        let mut last = view.ledger.events.iter().rev();
        let last = last.find(|event| names(&event.writes) || names(&event.removes));
        let last = last.ok_or_else(|| unknown(id))?;
        let mut event = Event::new(Did::Undo, now);
        event.said_at = Some(now);
        event.id = Some(id.clone());
        event.reason = "taken back".into();
        let back = last.removes.iter().filter(|page| !view.pages.contains_key(&page.id));
        event.writes = back.cloned().collect();
        let came = last.writes.iter().filter(|page| page.replaces.is_none());
        event.removes = came.filter_map(|page| view.pages.get(&page.id).cloned()).collect();
        Ok(event)
    })
}

fn unknown(id: &Id) -> Error {
    Error::new(ErrorKind::Store, format!("there is no memory {id}"))
}

fn amend(root: &Path, now: DateTime<Utc>, decide: impl Fn(&View) -> Result<Event>) -> Result<Vec<Written>> {
    let idle = |event: &Event| event.writes.is_empty() && event.removes.is_empty();
    if idle(&decide(&look(root)?)?) {
        return Ok(Vec::new());
    }
    let _lock = disk::lock_to_write(root)?;
    let view = look(root)?;
    let event = decide(&view)?;
    if idle(&event) {
        return Ok(Vec::new());
    }
    commit(root, &view, &[event], now)
}
