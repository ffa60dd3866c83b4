//! Changes that the person asks for by name: sweep, forget, undo. Each is one event of the ledger, like all others.
//!
//! An undo of one memory is a command at its time, as `forget` is: it holds whatever is said of the time before it. An
//! undo of a run makes the store what it would be had the run not been; its statements stay known, so that reading the
//! same sessions again brings nothing back.

use std::collections::BTreeSet;
use std::path::Path;

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};

use super::ledger::{Did, Event, Page};
use super::runs::{Run, RunName, runs};
use super::view::{View, look, look_as_if};
use super::{Written, changes, commit, disk, markdown};
use crate::error::{Error, ErrorKind, Result};
use crate::memory::{Id, Kind};
use crate::reconcile::{Act, Batch, Command, Hand, Known, Moment, NOT_YET, Plan, Standing, plan};

/// What the person asks of the store by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish<'a> {
    /// Remove the profiles whose last day is before this one. A newer statement may bring them back, a replay may not.
    Sweep(NaiveDate),
    /// Remove these memories. [`Wish::Undo`] brings them back, and so does a newer statement.
    Forget(&'a [Id], &'a str),
    /// Take back what last brought this memory in or made it leave: what left by that comes back, what came leaves. A file
    /// that was deleted by hand comes back. A TTL that grew stays grown.
    Undo(&'a Id),
    /// Take back everything that a run did, to the byte. The undo is a run itself, and can be taken back too.
    UndoRun(RunName),
}

/// What came of a wish.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Amended {
    /// The run that did it; `None` if there was nothing to do, or nothing was written.
    pub run: Option<RunName>,
    /// The files that came, with their texts.
    pub came: Vec<Page>,
    /// The files that left, as they were.
    pub left: Vec<Page>,
    /// The files that changed on the disk.
    pub written: Vec<Written>,
}

/// What would come of a wish; writes nothing.
///
/// # Errors
/// If what is named is not there, or the store is not made of plain folders that may be read.
pub fn foresee(root: &Path, wish: Wish<'_>, now: DateTime<Utc>) -> Result<Amended> {
    let _lock = disk::lock_to_read(root);
    let (_, event) = decide(root, wish, now)?;
    Ok(Amended { came: event.writes, left: event.removes, ..Amended::default() })
}

/// Does what the person wishes.
///
/// # Errors
/// If what is named is not there, or the store is not made of plain folders that may be read and written.
pub fn amend(root: &Path, wish: Wish<'_>, now: DateTime<Utc>) -> Result<Amended> {
    let idle = |event: &Event| event.writes.is_empty() && event.removes.is_empty() && event.run.is_none();
    if idle(&decide(root, wish, now)?.1) {
        return Ok(Amended::default());
    }
    let _lock = disk::lock_to_write(root)?;
    let (view, event) = decide(root, wish, now)?;
    if idle(&event) {
        return Ok(Amended::default());
    }
    let written = commit(root, &view, &view.after_hands(vec![event.clone()]), now)?;
    let run = RunName(runs(&view.ledger.events).len() + 1);
    Ok(Amended { run: Some(run), came: event.writes, left: event.removes, written })
}

/// [`Wish::Sweep`].
///
/// # Errors
/// As for [`amend`].
pub fn sweep(root: &Path, today: NaiveDate, now: DateTime<Utc>) -> Result<Vec<Written>> {
    amend(root, Wish::Sweep(today), now).map(|amended| amended.written)
}

/// [`Wish::Forget`].
///
/// # Errors
/// As for [`amend`].
pub fn forget(root: &Path, ids: &[Id], reason: &str, now: DateTime<Utc>) -> Result<Vec<Written>> {
    amend(root, Wish::Forget(ids, reason), now).map(|amended| amended.written)
}

/// [`Wish::Undo`].
///
/// # Errors
/// As for [`amend`].
pub fn undo(root: &Path, id: &Id, now: DateTime<Utc>) -> Result<Vec<Written>> {
    amend(root, Wish::Undo(id), now).map(|amended| amended.written)
}

/// [`Wish::UndoRun`].
///
/// # Errors
/// As for [`amend`].
pub fn undo_run(root: &Path, run: RunName, now: DateTime<Utc>) -> Result<Vec<Written>> {
    amend(root, Wish::UndoRun(run), now).map(|amended| amended.written)
}

/// The store, and the event that a wish comes to, a run of its own.
fn decide(root: &Path, wish: Wish<'_>, now: DateTime<Utc>) -> Result<(View, Event)> {
    let view = look(root)?;
    let at = free_time(&view, now);
    let event = |did: Did, reason: &str| Event { said_at: Some(now), reason: reason.to_owned(), ..Event::new(did, at) };
    let event = match wish {
        Wish::Sweep(today) => leaving(&view, expired(&view, today), event(Did::Sweep, "expired")),
        Wish::Forget(ids, reason) => {
            let page = |id: &Id| view.pages.get(id).cloned().ok_or_else(|| unknown(id));
            leaving(&view, ids.iter().map(page).collect::<Result<_>>()?, event(Did::Forget, reason))
        }
        Wish::Undo(id) => taken_back(&view, id, event(Did::Undo, "taken back"))?,
        Wish::UndoRun(name) => {
            let runs = runs(&view.ledger.events);
            let run = runs.iter().find(|run| run.name == name).ok_or_else(|| no_run(name, runs.len()))?;
            if run.taken_back {
                return Err(taken_back_already(run, &runs));
            }
            let event = Event { said_at: None, run: Some(run.at), ..event(Did::Undo, &format!("{name} taken back")) };
            return without(root, event);
        }
    };
    Ok((view, event))
}

/// Fills in what leaves. A clock that was behind must not let the command come before what it is about was last said or named.
fn leaving(view: &View, removes: Vec<Page>, event: Event) -> Event {
    let Plan { memories, .. } = plan(&view.known, Batch::default());
    let ids: BTreeSet<&Id> = removes.iter().map(|page| &page.id).collect();
    let said = memories.iter().filter(|memory| ids.contains(&memory.id)).map(|memory| memory.named);
    let said_at = event.said_at.max(said.max().map(just_after));
    Event { said_at, removes, ..event }
}

fn just_after(time: DateTime<Utc>) -> DateTime<Utc> {
    time + TimeDelta::nanoseconds(1)
}

/// Now, or the first moment after it that no run of the ledger has: a clock may stand still, or be set back.
pub(super) fn free_time(view: &View, now: DateTime<Utc>) -> DateTime<Utc> {
    let mut at = now;
    while view.ledger.events.iter().any(|event| event.at == at) {
        at += TimeDelta::nanoseconds(1);
    }
    at
}

fn expired(view: &View, today: NaiveDate) -> Vec<Page> {
    let profiles = view.known.held.iter().filter(|held| held.kind == Kind::Profile);
    let pages = profiles.filter_map(|held| Some((held, view.pages.get(&held.id)?)));
    let expired = pages.filter(|(held, page)| {
        let read = markdown::parse(&page.text, held.kind, page.id.as_str(), held.created);
        read.ok().and_then(|document| document.expires).is_some_and(|last| last < today)
    });
    expired.map(|(_, page)| page.clone()).collect()
}

/// Fills in what takes back the last change to a memory.
fn taken_back(view: &View, id: &Id, event: Event) -> Result<Event> {
    let Plan { memories, acts, .. } = plan(&view.known, Batch::default());
    let such = |at: &usize| memories.get(*at).is_some_and(|memory| memory.id == *id);
    let there = |at: &usize| memories.get(*at).is_some_and(|memory| memory.standing != Standing::Gone);
    let numbers = || (0..memories.len()).rev().filter(such);
    let at = numbers().find(there).or_else(|| numbers().next()).ok_or_else(|| unknown(id))?;
    let act = memories[at].act.and_then(|act| acts.get(act)).cloned().unwrap_or_default();
    let by_hand = memories[at].standing == Standing::Gone && !act.left.contains(&at);
    let act = if by_hand { Act { left: vec![at], came: Vec::new(), ..act } } else { act };
    let ids = |numbers: &[usize]| -> BTreeSet<Id> {
        numbers.iter().filter_map(|&at| Some(memories.get(at)?.id.clone())).collect()
    };
    let (back, away) = (ids(&act.left), ids(&act.came));
    // A clock that was behind must not let it come before what it takes back, nor what that was about.
    let concerned = act.left.iter().chain(&act.came).filter_map(|&at| memories.get(at));
    let last = concerned.map(|memory| memory.named).fold(act.said, DateTime::max);
    let said_at = event.said_at.max(Some(just_after(last)));
    let event = Event { id: Some(id.clone()), said_at, ..event };
    let mut known = view.known.clone();
    let from_hand: &[Id] = if by_hand { std::slice::from_ref(id) } else { &[] };
    from_hand.iter().for_each(|id| not_deleted(&mut known, id, view));
    Ok(with_consequences(view, &known, Change { back: &back, away: &away, from_hand }, event))
}

/// Fills in what follows from bringing some memories back and taking others away: what comes back makes related memories
/// leave, and the command must not come before what was last said of those either.
fn with_consequences(view: &View, known: &Known, change: Change<'_>, event: Event) -> Event {
    let Change { back, away, from_hand } = change;
    let mut said = view.moment(event.said_at.unwrap_or(event.at), back.iter().chain(away));
    loop {
        let removes = away.iter().filter_map(|id| view.pages.get(id).cloned()).collect();
        let mut event = Event { removes, said_at: Some(said.time), ..event.clone() };
        let mut known = known.clone();
        let ids = |ids: &BTreeSet<Id>| ids.iter().cloned().collect();
        let (from_hand, made) = (from_hand.to_vec(), Vec::new());
        let (back_ids, away_ids, arrived) = (ids(back), ids(away), NOT_YET);
        known.commands.push(Command { said: said.clone(), back: back_ids, from_hand, away: away_ids, made, arrived });
        let plan = plan(&known, Batch::default());
        let end = plan.acts.iter().map(|act| act.said).max().unwrap_or(said.time);
        let is_back = |id: &Id| plan.memories.iter().any(|m| m.id == *id && m.standing != Standing::Gone);
        if said.time < end && !back.iter().all(is_back) {
            // What was said by a clock that was ahead stands against it.
            said = Moment::at(just_after(end));
            continue;
        }
        changes::bring_in_line(view, &plan, &mut event);
        let touched: BTreeSet<&Id> = event.writes.iter().chain(&event.removes).map(|page| &page.id).collect();
        let later = view.moment(said.time, touched.into_iter());
        // Each time it names more of what was said later, of which there is only so much.
        if later <= said {
            return event;
        }
        said = Moment::at(just_after(later.time));
    }
}

/// What is to come back, of that what only a hand had made leave, and what is to leave.
#[derive(Clone, Copy)]
struct Change<'a> {
    back: &'a BTreeSet<Id>,
    from_hand: &'a [Id],
    away: &'a BTreeSet<Id>,
}

/// Takes a deletion by hand for none.
fn not_deleted(known: &mut Known, id: &Id, view: &View) {
    let hand = if view.edited_before.contains(id) { Hand::Edited } else { Hand::Untouched };
    let found = known.found.iter_mut().chain(known.hands.get_mut(id)).filter(|found| found.id == *id);
    found.filter(|found| found.hand == Hand::Deleted).for_each(|found| found.hand = hand);
}

/// Fills in what the folders change by when an undo of a run is in force.
fn without(root: &Path, mut event: Event) -> Result<(View, Event)> {
    let mut view = look_as_if(root, Some(&event))?;
    // What stands as the run wrote it is the run's, though a hand may have edited it before.
    let of_run = view.ledger.events.iter().filter(|of| Some(of.at) == event.run).flat_map(|of| &of.writes);
    let as_written = of_run.filter(|page| view.pages.get(&page.id).is_some_and(|there| there.text == page.text));
    view.owned.extend(as_written.map(|page| page.id.clone()).collect::<Vec<_>>());
    let plan = plan(&view.known, Batch::default());
    changes::bring_in_line(&view, &plan, &mut event);
    Ok((view, event))
}

fn unknown(id: &Id) -> Error {
    Error::new(ErrorKind::Name, format!("there is no memory {id}"))
}

fn no_run(name: RunName, runs: usize) -> Error {
    let what = match runs {
        0 => "nothing was done to this store yet".to_owned(),
        _ => format!("there is no run {name}; the last one is {}", RunName(runs)),
    };
    Error::new(ErrorKind::Name, what)
}

fn taken_back_already(run: &Run, runs: &[Run]) -> Error {
    let by = runs.iter().rev().find(|by| by.takes_back == Some(run.name) && !by.taken_back);
    let by = by.map_or(String::new(), |by| format!(" by {0}; `undo {0}` lets it stand again", by.name));
    Error::new(ErrorKind::Name, format!("{} is taken back already{by}", run.name))
}
