//! Changes that the person asks for by name: sweep, forget, undo. Each is one event of the ledger, like all others.

use std::path::Path;

use chrono::{DateTime, NaiveDate, Utc};

use super::ledger::{Did, Event, Page};
use super::view::{View, look};
use super::{Written, changes, commit, disk, markdown};
use crate::error::{Error, ErrorKind, Result};
use crate::memory::{Id, Kind};
use crate::reconcile::{Batch, Memory, Origin, plan};

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

/// Takes back what last brought a memory in or made it leave: what left by that comes back, what came leaves.
///
/// A TTL that grew stays grown; a memory that is there again already is left alone.
///
/// # Errors
/// If nothing is known of such a memory, or as for [`sweep`].
pub fn undo(root: &Path, id: &Id, now: DateTime<Utc>) -> Result<Vec<Written>> {
    amend(root, now, |view| {
        let plan = plan(&view.known, Batch::default());
        let act = plan.memories.iter().rev().filter(|memory| memory.id == *id).find_map(|memory| memory.act);
        let act = act.and_then(|act| plan.acts.get(act)).ok_or_else(|| unknown(id))?;
        let mut event = Event::new(Did::Undo, now);
        event.said_at = Some(now);
        event.id = Some(id.clone());
        event.reason = "taken back".into();
        let memories = |numbers: &[usize]| -> Vec<&Memory> {
            let mut memories: Vec<_> = numbers.iter().filter_map(|&at| plan.memories.get(at)).collect();
            memories.dedup_by_key(|memory| &memory.id);
            memories
        };
        let away = memories(&act.left).into_iter().filter(|memory| !view.pages.contains_key(&memory.id));
        event.writes = away.filter_map(|memory| former(view, memory)).collect();
        let came = memories(&act.came);
        event.removes = came.iter().filter_map(|memory| view.pages.get(&memory.id).cloned()).collect();
        Ok(event)
    })
}

/// The file of a memory that left, as it was, or as it would have been.
fn former(view: &View, memory: &Memory) -> Option<Page> {
    let page = view.former.get(&memory.id).map(|page| Page { replaces: None, ..page.clone() });
    page.or_else(|| match &memory.origin {
        Origin::Said(slug) => Some(changes::page(memory, slug, view)),
        Origin::Found => None,
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
