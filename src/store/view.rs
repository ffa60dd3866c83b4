//! The store as it stands: folders and ledger read together into what reconciling needs.
//!
//! What a crashed run had decided but not done is seen as if it were done, so that a look before and a look after
//! the repair are the same.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use chrono::{DateTime, Utc};
use rayon::prelude::*;

use super::disk::{self, Found};
use super::ledger::{self, Did, Event, Ledger, Page, checksum};
use super::markdown::{self, Document};
use super::runs::taken_back;
use super::steps::{Step, net};
use super::track::{Stands, Tracks, broken, document, kind_of};
use crate::error::{Problem, Result};
use crate::memory::{Id, Kind};
use crate::reconcile::{self, Hand, Held, JUST_NOW, Known, Moment, Told};

/// The store, read.
#[derive(Debug, Default)]
pub(crate) struct View {
    pub(crate) known: Known,
    /// The files of the memories that are there, with their texts.
    pub(crate) pages: HashMap<Id, Page>,
    /// Those of them that the person did not edit.
    pub(crate) owned: HashSet<Id>,
    /// The files of the memories that were there, as they were last.
    pub(crate) former: HashMap<Id, Page>,
    /// Those of them that left with a text that the person had edited.
    pub(crate) edited_before: HashSet<Id>,
    /// The last statement or command that named each memory.
    pub(crate) named: HashMap<Id, Moment>,
    /// What hands did, as far as the ledger does not tell of it yet; the times are those of the files.
    pub(crate) unnoted: Vec<Event>,
    pub(crate) ledger: Ledger,
    /// The ledger's size; more than `ledger.whole` if its last line is torn.
    pub(crate) ledger_size: u64,
    /// Whether there is a ledger at all.
    pub(crate) has_ledger: bool,
    /// What a crashed run left undone.
    pub(crate) redo: Vec<Step>,
}

impl View {
    /// When a command holds that is given at `time` and names these memories: a clock that was behind must not let it miss
    /// what it names, nor come before an earlier command.
    pub(crate) fn moment<'a>(&self, time: DateTime<Utc>, named: impl Iterator<Item = &'a Id>) -> Moment {
        let last = named.filter_map(|id| self.named.get(id)).max();
        Moment::at(time).max(last.cloned().unwrap_or_else(|| Moment::at(time)))
    }

    /// The events of a run, behind notes of what hands did before it.
    pub(crate) fn after_hands(&self, events: Vec<Event>) -> Vec<Event> {
        let Some(at) = events.first().map(|event| event.at) else {
            return events;
        };
        let hands = self.unnoted.iter().map(|note| Event { at, ..note.clone() });
        hands.chain(events).collect()
    }
}

/// Reads the store without touching it. A store that is not there is an empty one.
pub(crate) fn look(root: &Path) -> Result<View> {
    look_as_if(root, None)
}

/// [`look`], as if a run had been taken back, or its taking back had been.
pub(crate) fn look_as_if(root: &Path, undo: Option<&Event>) -> Result<View> {
    let mut view = View::default();
    if !disk::check(root)? {
        return Ok(view);
    }
    if let Some(bytes) = disk::bytes(&disk::ledger_path(root))? {
        view.has_ledger = true;
        view.ledger_size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        view.ledger = ledger::read(&bytes);
        let path = disk::ledger_path(root);
        view.known.problems.extend(view.ledger.broken.iter().map(|&line| Problem {
            path: path.clone(),
            line: Some(line),
            what: "it is no event of the ledger, and is passed over".into(),
        }));
    }
    let mut files = BTreeMap::new();
    for kind in Kind::ALL {
        for (file, found) in disk::pages(root, kind, &mut view.known.problems)? {
            files.insert(file, (kind, found));
        }
    }
    let undone = view.ledger.events.get(view.ledger.done..).unwrap_or_default();
    view.redo = net(undone);
    view.redo.retain(|step| overlay(&mut files, step));

    let mut tracks = Tracks::default();
    let gone = taken_back(view.ledger.events.iter().chain(undo));
    for (position, event) in (1..).zip(&view.ledger.events) {
        let stands = if gone.contains(&event.at) { Stands::No } else { Stands::Yes };
        tracks.follow(event, position, stands, &mut view.known);
    }
    let told = std::mem::take(&mut tracks.told);
    let tell = |(candidate, position, stands)| {
        let taken_back = stands == Stands::No;
        Told { taken_back, ..Told::new(candidate, position) }
    };
    view.known.told = told.into_par_iter().map(tell).collect();
    for (file, (kind, found)) in files {
        settle(&mut tracks, root, &file, kind, found, &mut view);
    }
    part(tracks, &mut view);
    Ok(view)
}

/// Sees a step as done, if it can still be: what the person changed since the crash stays theirs.
fn overlay(files: &mut BTreeMap<String, (Kind, Found)>, step: &Step) -> bool {
    let sum = |file: &str| {
        let (_, found) = files.get(file)?;
        Some(found.text.as_deref().map_or(String::new(), checksum))
    };
    match step {
        Step::Write(page) if sum(&page.file) == page.replaces => {
            let found = Found { text: Some(page.text.clone()), modified: DateTime::UNIX_EPOCH };
            files.insert(page.file.clone(), (kind_of(page), found));
            true
        }
        Step::Remove(page) if sum(&page.file).as_ref() == Some(&page.sha) => {
            files.remove(&page.file);
            true
        }
        _ => false,
    }
}

/// Puts a file of the store on record.
fn settle(tracks: &mut Tracks, root: &Path, file: &str, kind: Kind, found: Found, view: &mut View) {
    let name = file.rsplit('/').next().unwrap_or(file).trim_end_matches(".md");
    let text = found.text.unwrap_or_default();
    let document = match markdown::parse(&text, kind, name, found.modified) {
        Ok(document) => document,
        Err(what) => {
            view.known.problems.push(Problem { path: root.join(file), line: None, what });
            // A memory whose file someone broke is still that memory; any other broken file is none.
            let suffix = name.rsplit('-').next().unwrap_or(name);
            let Some(id) = tracks.of_file(file, kind, suffix) else {
                view.known.taken.insert(suffix.to_owned());
                return;
            };
            broken(id, kind, &text, found.modified)
        }
    };
    let id = document.id.clone();
    let page = Page::new(id.clone(), file.to_owned(), text);
    let stance = tracks.stance(&page, &document, found.modified);
    if !tracks.track(&id).ours {
        let suffix = name.rsplit('-').next().unwrap_or(name);
        view.known.taken.extend([suffix.to_owned(), id.suffix().to_owned()]);
    }
    let track = tracks.track(&id);
    let mut said = track.said.clone().unwrap_or_else(|| Moment::at(document.created));
    let edited = matches!(stance, Stance::Edited(_));
    if edited {
        said.time = said.time.max(found.modified);
        track.said = Some(said.clone());
    }
    view.known.held.push(Held {
        id: id.clone(),
        kind,
        file: file.to_owned(),
        written: track.base.as_ref().filter(|_| edited).map(|base| markdown::body(&base.text)),
        body: document.body,
        created: document.created,
        ttl: document.ttl,
        expires: document.expires,
        said,
        supersedes: document.supersedes,
        places: track.places.clone(),
        hand: if edited { Hand::Edited } else { Hand::Untouched },
    });
    match stance {
        Stance::Copy => return,
        Stance::Owned(note) => {
            view.owned.insert(id.clone());
            view.unnoted.extend(note.map(|note| *note));
        }
        Stance::Found(note) => {
            view.owned.insert(id.clone());
            view.unnoted.push(*note);
        }
        Stance::Edited(note) => view.unnoted.extend(note.map(|note| *note)),
    }
    view.pages.insert(id, page);
}

/// How a file stands to what the ledger tells.
enum Stance {
    /// Another file is the memory already.
    Copy,
    /// As it was written; the event that notes it, if what is noted is that a hand had edited it.
    Owned(Option<Box<Event>>),
    /// The person edited it; the event that notes it, if none does yet.
    Edited(Option<Box<Event>>),
    /// Another hand wrote it; the event that notes it.
    Found(Box<Event>),
}

impl Tracks {
    fn stance(&mut self, page: &Page, document: &Document, modified: DateTime<chrono::Utc>) -> Stance {
        let track = self.track(&page.id);
        if std::mem::replace(&mut track.seen, true) {
            return Stance::Copy;
        }
        let note = |did: Did, said| {
            let kind = Some(document.kind);
            let event = Event::new(did, said);
            Event { id: Some(page.id.clone()), kind, said_at: Some(said), found: Some(page.clone()), ..event }
        };
        let Some(base) = track.base.as_ref().filter(|_| track.there) else {
            // Nothing tells of it, or it had left and was put back.
            let since = track.met.unwrap_or(JUST_NOW);
            let life = self.live(document, since, Hand::Untouched);
            self.track(&page.id).life = Some(life);
            return Stance::Found(Box::new(note(Did::Found, document.created)));
        };
        let untouched = plain(&base.text) == plain(&page.text);
        let edit = track.edit.clone();
        let noted = edit.as_ref().is_some_and(|(text, _)| !untouched && plain(text) == plain(&page.text));
        let edited_on = edit.filter(|_| !noted).map(|(_, life)| &mut self.found[life]);
        if untouched {
            let back = edited_on.map(|found| {
                found.until = Some(JUST_NOW);
                Box::new(note(Did::Edited, document.created.max(modified)))
            });
            return Stance::Owned(back);
        }
        if let Some(found) = edited_on {
            found.until = Some(JUST_NOW);
        }
        let mut event = None;
        if !noted {
            let said = document.created.max(modified);
            let edited = Document { created: said, ..document.clone() };
            self.live(&edited, JUST_NOW, Hand::Edited);
            event = Some(Box::new(note(Did::Edited, said)));
        }
        Stance::Edited(event)
    }
}

/// Puts on record what hands did to the memories that the ledger tells of.
fn part(mut tracks: Tracks, view: &mut View) {
    for (id, track) in &tracks.by_id {
        view.named.extend(track.named().map(|named| (id.clone(), named.clone())));
        if let Some(last) = &track.last {
            view.former.insert(id.clone(), last.clone());
            let is_away = !(track.there && track.seen);
            if is_away && track.base.as_ref().is_some_and(|base| plain(&base.text) != plain(&last.text)) {
                view.edited_before.insert(id.clone());
            }
        }
        let (hand, noticed) = match (track.there, track.seen) {
            (true, false) => (Hand::Deleted, JUST_NOW),
            (false, true) => (Hand::Untouched, 0),
            _ if track.gone.is_some() => (Hand::Deleted, track.gone.unwrap_or(JUST_NOW)),
            (true, true) if !view.owned.contains(id) => (Hand::Edited, track.edited.unwrap_or(JUST_NOW)),
            (false, false) if view.edited_before.contains(id) => (Hand::Edited, track.edited.unwrap_or(JUST_NOW)),
            _ => (Hand::Untouched, 0),
        };
        if let Some(last) = track.last.as_ref().filter(|_| track.there && !track.seen) {
            let (id, kind, removes) = (Some(id.clone()), Some(kind_of(last)), vec![last.clone()]);
            let event = Event::new(Did::Deleted, DateTime::UNIX_EPOCH);
            view.unnoted.push(Event { id, kind, removes, reason: "by hand".to_owned(), ..event });
        }
        let edited = match hand {
            Hand::Edited => Some(noticed),
            _ => track.edited,
        };
        let Some(base) = track.base.as_ref().filter(|_| hand != Hand::Untouched) else {
            continue;
        };
        let lives = track.life.into_iter().chain(track.edit.as_ref().map(|(_, life)| *life));
        for life in lives {
            let found = &mut tracks.found[life];
            (found.hand, found.noticed, found.edited) = (hand, noticed, edited);
        }
        if track.life.is_none() {
            let written = document(base, DateTime::UNIX_EPOCH);
            let said = track.said.clone().unwrap_or_else(|| Moment::at(written.created));
            let found = reconcile::Found {
                id: id.clone(),
                kind: written.kind,
                body: written.body,
                said,
                ttl: written.ttl,
                expires: written.expires,
                since: 0,
                until: None,
                hand,
                noticed,
                edited,
            };
            view.known.hands.insert(id.clone(), found);
        }
    }
    view.known.found = tracks.found;
}

/// A text without what editors and git change by themselves.
pub(crate) fn plain(text: &str) -> String {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.replace("\r\n", "\n")
}
