//! A plan as a list of steps on the disk, each of which is atomic.
//!
//! The order makes a crash harmless: the ledger says what will be done (full texts included) before a folder is
//! touched, and `done` after it. Killed before the ledger's lines are whole, nothing has happened; killed after that, the next
//! run does the rest, for every step can be done twice.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use chrono::{DateTime, Utc};

use super::disk;
use super::ledger::{self, Did, Event, Page};
use super::markdown::{self, Document};
use super::view::View;
use crate::error::{Error, ErrorKind, Result};
use crate::memory::{Candidate, Id, Kind, Ttl};
use crate::reconcile::{Decision, Op, Plan, fingerprint, place};

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
            for kind in [Kind::Profile, Kind::Playbook] {
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
    for event in events {
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

/// The ledger's lines for what is new in a plan.
pub(crate) fn events(view: &View, plan: &Plan, now: DateTime<Utc>) -> Vec<Event> {
    let mut pages = view.pages.clone();
    let mut places: HashMap<&Id, _> = HashMap::new();
    for held in &view.known.held {
        places.insert(&held.id, held.places.clone());
    }
    let mut events = Vec::new();
    for decision in plan.decisions.iter().filter(|decision| decision.new) {
        let mut event = event(decision, now);
        match decision.op {
            Op::Create | Op::Supersede => {
                event.writes.extend(page(decision));
                event.removes = take(&mut pages, &decision.of);
            }
            Op::Forget => event.removes = take(&mut pages, &decision.of),
            Op::Confirm => {
                if let Some(known) = decision.id.as_ref().and_then(|id| places.get_mut(id)) {
                    event.evidence.retain(|evidence| known.insert(place(evidence)));
                }
                let page = decision.id.as_ref().and_then(|id| pages.get(id));
                event.writes.extend(page.and_then(|page| longer(page, &decision.candidate)));
            }
            Op::Pending | Op::Skip => {}
        }
        for page in &event.writes {
            pages.insert(page.id.clone(), page.clone());
        }
        if let (Some(id), Op::Create | Op::Supersede) = (&decision.id, decision.op) {
            let evidence = decision.candidate.evidence.iter().map(place).collect();
            places.insert(id, evidence);
        }
        events.push(event);
    }
    events
}

fn take(pages: &mut HashMap<Id, Page>, of: &[Id]) -> Vec<Page> {
    let taken = of.iter().filter_map(|id| pages.remove(id));
    taken.map(|page| Page { replaces: None, ..page }).collect()
}

fn event(decision: &Decision, now: DateTime<Utc>) -> Event {
    let candidate = &decision.candidate;
    let (did, body) = match decision.op {
        Op::Create => (Did::Create, None),
        Op::Supersede => (Did::Supersede, None),
        Op::Confirm => (Did::Confirm, None),
        Op::Forget => (Did::Forget, Some(candidate.body.clone())),
        Op::Pending | Op::Skip => (Did::Pending, Some(candidate.body.clone())),
    };
    Event {
        id: decision.id.clone(),
        kind: Some(candidate.kind),
        class: Some(candidate.class),
        ttl: Some(candidate.ttl),
        confirm: Some(candidate.confirm),
        said_at: Some(candidate.said_at),
        print: Some(fingerprint(candidate)),
        body,
        evidence: candidate.evidence.clone(),
        reason: decision.reason.clone(),
        ..Event::new(did, now)
    }
}

/// The file of a new memory.
fn page(decision: &Decision) -> Option<Page> {
    let candidate = &decision.candidate;
    let id = decision.id.clone()?;
    let ttl = match candidate.kind {
        Kind::Profile => candidate.ttl,
        Kind::Playbook => Ttl::Infinity,
    };
    let text = markdown::render(&Document {
        kind: candidate.kind,
        id: id.clone(),
        created: candidate.said_at,
        ttl,
        expires: ttl.expiry(candidate.said_at),
        supersedes: decision.of.clone(),
        body: candidate.body.clone(),
    });
    let file = format!("{}/{}-{}.md", candidate.kind.folder(), candidate.slug, id.suffix());
    Some(Page::new(id, file, text))
}

/// The file of a profile that lives longer because it was said again: the more lasting TTL, the later last day.
///
/// A file that is not to the letter what this program writes keeps its front matter as it is.
fn longer(page: &Page, candidate: &Candidate) -> Option<Page> {
    let old = markdown::parse(&page.text, Kind::Profile, page.id.as_str(), candidate.said_at).ok()?;
    if candidate.kind != Kind::Profile || markdown::render(&old) != page.text {
        return None;
    }
    let mut new = old.clone();
    new.ttl = old.ttl.max(candidate.ttl);
    // `None` is for ever on either side.
    let last = |day: chrono::NaiveDate| Some(day.max(candidate.ttl.expiry(candidate.said_at)?));
    new.expires = old.expires.and_then(last);
    if new == old {
        return None;
    }
    let text = markdown::render(&new);
    Some(Page { replaces: Some(page.sha.clone()), ..Page::new(page.id.clone(), page.file.clone(), text) })
}
