//! Consolidating the store: one event for each group of memories that is put together, which `undo` takes back.
//!
//! Left alone are memories that the person edited, or brought back with `undo`, and profiles that have expired.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use chrono::{DateTime, Utc};

use super::amend::free_time;
use super::ledger::{Did, Event, Page};
use super::markdown::{self, Document};
use super::view::{View, look};
use super::{Written, commit, disk};
use crate::error::Result;
use crate::memory::{Evidence, Id, Kind, Slug, Ttl};
use crate::reconcile::{self, Batch, Fact, Held, Merge, plan};

/// How the text of a fact becomes one that may be written.
#[derive(Clone, Copy)]
pub struct Dress<'a> {
    /// Takes out secrets and what could act in a later prompt: other hands may have written the sources.
    pub clean: &'a dyn Fn(&str) -> String,
    /// The topic of a text, for the name of its file.
    pub topic: &'a dyn Fn(&str) -> Slug,
}

/// What consolidating did, or would do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Consolidated {
    /// Every group of memories that is put together.
    pub merges: Vec<Merge>,
    /// The ids of what takes their place, in the order of the merges and their facts.
    pub made: Vec<Id>,
    /// The files that changed; none for [`consolidation`].
    pub written: Vec<Written>,
}

/// Puts together the memories of the store at `root` that say the same or contradict each other, see
/// [`reconcile::consolidate`]. A second run finds nothing to do.
///
/// # Errors
/// If the store is not made of plain folders that may be read and written.
pub fn consolidate(root: &Path, dress: Dress<'_>, now: DateTime<Utc>) -> Result<Consolidated> {
    if merges(&look(root)?, now).is_empty() {
        return Ok(Consolidated::default());
    }
    let _lock = disk::lock_to_write(root)?;
    let view = look(root)?;
    let now = free_time(&view, now);
    let (events, consolidated) = events(&view, dress, now);
    if events.is_empty() {
        return Ok(consolidated);
    }
    let events = view.after_hands(events);
    Ok(Consolidated { written: commit(root, &view, &events, now)?, ..consolidated })
}

/// What [`consolidate`] would do; writes nothing.
///
/// # Errors
/// As for [`super::read`].
pub fn consolidation(root: &Path, dress: Dress<'_>, now: DateTime<Utc>) -> Result<Consolidated> {
    let _lock = disk::lock_to_read(root);
    Ok(events(&look(root)?, dress, now).1)
}

fn merges(view: &View, now: DateTime<Utc>) -> Vec<Merge> {
    let today = now.date_naive();
    let undone = view.ledger.events.iter().filter(|event| event.event == Did::Undo);
    let theirs: HashSet<&Id> = undone.flat_map(|event| &event.writes).map(|page| &page.id).collect();
    let may = |held: &&Held| {
        let is_file = view.pages.get(&held.id).is_some_and(|page| page.file == held.file);
        let lives = held.expires.is_none_or(|last| last >= today);
        is_file && lives && view.owned.contains(&held.id) && !theirs.contains(&held.id)
    };
    reconcile::consolidate(&view.known.held.iter().filter(may).collect::<Vec<_>>())
}

fn events(view: &View, dress: Dress<'_>, now: DateTime<Utc>) -> (Vec<Event>, Consolidated) {
    let merges = merges(view, now);
    if merges.is_empty() {
        return (Vec::new(), Consolidated::default());
    }
    let mut evidence: HashMap<Id, Vec<Evidence>> = HashMap::new();
    for memory in plan(&view.known, Batch::default()).memories {
        evidence.entry(memory.id).or_default().extend(memory.evidence);
    }
    let mut taken = HashSet::new();
    let mut made = Vec::new();
    let mut events = Vec::new();
    for merge in &merges {
        let mut event = Event::new(Did::Consolidate, now);
        event.said_at = Some(now);
        event.kind = Some(merge.kind);
        event.reason = "they say the same, or the newest says otherwise".into();
        event.writes = merge.facts.iter().map(|fact| page(merge.kind, fact, view, dress, &mut taken)).collect();
        event.removes = merge.sources.iter().filter_map(|id| view.pages.get(id).cloned()).collect();
        event.evidence = merge.sources.iter().filter_map(|id| evidence.get(id)).flatten().cloned().collect();
        if let [only] = event.writes.as_slice() {
            event.id = Some(only.id.clone());
        }
        made.extend(event.writes.iter().map(|page| page.id.clone()));
        events.push(event);
    }
    (events, Consolidated { merges, made, written: Vec::new() })
}

fn page(kind: Kind, fact: &Fact, view: &View, dress: Dress<'_>, taken: &mut HashSet<Id>) -> Page {
    let body = (dress.clean)(&fact.body);
    let topic = fact.topic.as_ref().and_then(|id| topic(view.pages.get(id)?));
    let slug = topic.unwrap_or_else(|| (dress.topic)(&body));
    let known = |id: &Id| view.pages.contains_key(id) || view.former.contains_key(id);
    let mut seed = 0;
    let mut id = Id::derive(kind, &body, None, seed);
    while known(&id) || view.known.taken.contains(id.suffix()) || !taken.insert(id.clone()) {
        seed += 1;
        id = Id::derive(kind, &body, None, seed);
    }
    let text = markdown::render(&Document {
        kind,
        id: id.clone(),
        created: fact.created,
        ttl: if kind == Kind::Profile { fact.ttl } else { Ttl::Infinity },
        expires: fact.expires,
        supersedes: fact.sources.clone(),
        body,
    });
    let file = format!("{}/{slug}-{}.md", kind.folder(), id.suffix());
    Page::new(id, file, text)
}

/// The topic in the name of a memory's file.
fn topic(page: &Page) -> Option<Slug> {
    let name = page.file.rsplit('/').next()?.trim_end_matches(".md");
    Slug::new(name.rsplit_once('-')?.0)
}
