//! The ledger followed event by event: what was said, what was written, and what hands did in between.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::{DateTime, Utc};

use super::ledger::{Did, Event, Page};
use super::markdown::{self, Document};
use super::view::plain;
use crate::memory::{Candidate, Id, Intent, Kind, Slug, Ttl};
use crate::reconcile::{Command, Found, Hand, Known, Moment, Place, Position, Rejection, place};

/// What the ledger knows of one memory.
#[derive(Debug, Default)]
pub(crate) struct Track {
    /// Its file and text as a program last wrote them.
    pub(crate) base: Option<Page>,
    /// Its file and text as the ledger last saw them.
    pub(crate) last: Option<Page>,
    /// Whether it should have a file.
    pub(crate) there: bool,
    /// Whether a statement wrote it.
    pub(crate) ours: bool,
    /// Its number among the memories that were found, as it was found last.
    pub(crate) life: Option<usize>,
    /// Where the ledger tells first that a hand edited what a program wrote.
    pub(crate) edited: Option<Position>,
    /// The text that the person's hand gave it, and its number among the memories that were found.
    pub(crate) edit: Option<(String, usize)>,
    /// The statement that first confirmed it, where the ledger tells of no file.
    pub(crate) met: Option<Position>,
    /// The last statement of it.
    pub(crate) said: Option<Moment>,
    /// The last command that named it.
    pub(crate) bidden: Option<Moment>,
    /// The places of its evidence.
    pub(crate) places: BTreeSet<Place>,
    /// Whether a file of it was seen.
    pub(crate) seen: bool,
    /// Where the ledger tells that a hand deleted it, if nothing brought it back since.
    pub(crate) gone: Option<Position>,
}

impl Track {
    /// The last statement or command that named it.
    pub(crate) fn named(&self) -> Option<&Moment> {
        self.said.as_ref().max(self.bidden.as_ref())
    }
}

/// Whether the run of an event stands, or was taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stands {
    Yes,
    No,
}

/// What the ledger knows of all memories.
#[derive(Debug, Default)]
pub(crate) struct Tracks {
    pub(crate) by_id: BTreeMap<Id, Track>,
    pub(crate) by_file: HashMap<String, Id>,
    /// Memories that no candidate accounts for.
    pub(crate) found: Vec<Found>,
    /// Every candidate that came, and when.
    pub(crate) told: Vec<(Candidate, Position, Stands)>,
}

impl Tracks {
    /// Follows the event that stands at `position`, from 1. `stands` tells whether its run does, or was taken back: what
    /// it did to the files it did in either case.
    pub(crate) fn follow(&mut self, event: &Event, position: Position, stands: Stands, known: &mut Known) {
        let heard = if stands == Stands::Yes { &mut known.heard } else { &mut known.unheard };
        heard.extend(event.heard.clone());
        self.hand(event, position);
        match self.candidate(event) {
            Some(candidate) => {
                self.confirm(event, position);
                if stands == Stands::Yes
                    && Self::is_odd(event, &candidate)
                    && let Some(page) = event.writes.first()
                {
                    // Its id is not the one that its words give: it stands for itself.
                    let life = self.live(&document(page, candidate.said_at), position, Hand::Untouched);
                    self.track(&page.id).life = Some(life);
                } else {
                    self.told.push((candidate, position, stands));
                }
            }
            None if event.event == Did::Consolidate => {
                self.made(event, position, stands);
                known.commands.extend(self.command(event, position).filter(|_| stands == Stands::Yes));
            }
            None if matches!(event.event, Did::Forget | Did::Sweep | Did::Undo) && event.run.is_none() => {
                known.commands.extend(self.command(event, position).filter(|_| stands == Stands::Yes));
            }
            None if event.event == Did::Reject && stands == Stands::Yes => {
                known.rejections.extend(rejected(event, position));
            }
            None => {}
        }
        self.files(event, position);
        if event.event == Did::Deleted {
            event.removes.iter().for_each(|page| self.track(&page.id).gone = Some(position));
        } else if stands == Stands::Yes {
            event.writes.iter().for_each(|page| self.track(&page.id).gone = None);
        }
    }

    fn hand(&mut self, event: &Event, position: Position) {
        let (Some(page), Some(said)) = (&event.found, event.said_at) else {
            return;
        };
        self.by_file.insert(page.file.clone(), page.id.clone());
        let track = self.track(&page.id);
        track.last = Some(page.clone());
        (track.there, track.gone) = (true, None);
        let edited_before = track.edit.take();
        let since = track.met.map_or(position, |met| met.min(position));
        let is_edited = event.event == Did::Edited;
        let is_back = is_edited && track.base.as_ref().is_some_and(|base| plain(&base.text) == plain(&page.text));
        track.edited = track.edited.filter(|_| is_edited && !is_back);
        if let Some((_, life)) = edited_before {
            self.found[life].until = Some(position);
        }
        if is_back {
            return;
        }
        let hand = if is_edited { Hand::Edited } else { Hand::Untouched };
        let life = self.live(&Document { created: said, ..document(page, said) }, since, hand);
        let track = self.track(&page.id);
        if is_edited {
            track.edit = Some((page.text.clone(), life));
            track.edited = track.edited.or(Some(position));
        } else {
            track.base = Some(page.clone());
            track.life = Some(life);
        }
    }

    /// Puts a memory that no candidate accounts for on record.
    pub(crate) fn live(&mut self, document: &Document, since: Position, hand: Hand) -> usize {
        self.found.push(Found {
            id: document.id.clone(),
            kind: document.kind,
            body: document.body.clone(),
            said: Moment::at(document.created),
            ttl: document.ttl,
            expires: document.expires,
            since,
            until: None,
            hand,
            noticed: 0,
            edited: None,
        });
        self.found.len() - 1
    }

    fn confirm(&mut self, event: &Event, position: Position) {
        let (Some(id), true) = (&event.id, matches!(event.event, Did::Create | Did::Supersede | Did::Confirm)) else {
            return;
        };
        let said = event.said_at.map(|time| Moment::new(time, &event.evidence));
        let confirmed = event.event == Did::Confirm;
        let track = self.track(id);
        track.places.extend(event.evidence.iter().map(place));
        track.said = track.said.take().max(said);
        track.ours |= !confirmed;
        if confirmed && !track.ours && track.base.is_none() {
            track.met = track.met.or(Some(position - 1));
        }
    }

    /// The candidate an event tells of. Ledgers of the first version leave out what a file says.
    fn candidate(&self, event: &Event) -> Option<Candidate> {
        event.print.as_ref()?;
        let intent = match (event.intent, event.event) {
            (Some(intent), _) => intent,
            (None, Did::Create | Did::Confirm | Did::Supersede | Did::Skip) => Intent::Keep,
            (None, Did::Pending) => Intent::Pending,
            (None, Did::Forget) => Intent::Forget,
            (None, _) => return None,
        };
        let id = event.id.as_ref();
        let own = event.writes.iter().find(|page| Some(&page.id) == id);
        let page = || own.or_else(|| self.by_id.get(id?)?.base.as_ref());
        let body = event.body.clone().or_else(|| Some(markdown::body(&page()?.text)))?;
        let named = || {
            let name = page()?.file.rsplit('/').next()?;
            Slug::new(name.rsplit_once('-')?.0)
        };
        let slug = event.slug.as_deref().and_then(Slug::new).or_else(named).or_else(|| Slug::new("memory"))?;
        Some(Candidate {
            intent,
            kind: event.kind?,
            class: event.class?,
            slug,
            ttl: event.ttl?,
            confirm: event.confirm?,
            body,
            said_at: event.said_at?,
            replaces: event.replaces.clone(),
            evidence: event.evidence.clone(),
            reason: event.judged.clone().unwrap_or_else(|| event.reason.clone()),
        })
    }

    /// Whether a new memory has an id that its words cannot have given it, not even where the same line said the same
    /// more than once.
    fn is_odd(event: &Event, candidate: &Candidate) -> bool {
        let given = |seed| Id::derive(candidate.kind, &candidate.body, candidate.evidence.first(), seed);
        let new = matches!(event.event, Did::Create | Did::Supersede) && !event.writes.is_empty();
        new && !(0..8).any(|seed| event.id.as_ref() == Some(&given(seed)))
    }

    /// Puts on record what consolidating made: no candidate accounts for it.
    fn made(&mut self, event: &Event, position: Position, stands: Stands) {
        for page in &event.writes {
            if stands == Stands::No {
                // Nothing accounts for it, and it is no stranger either when its file leaves.
                self.track(&page.id).ours = true;
                continue;
            }
            let life = self.live(&document(page, event.at), position, Hand::Untouched);
            self.track(&page.id).life = Some(life);
        }
    }

    fn command(&mut self, event: &Event, arrived: Position) -> Option<Command> {
        let ids = |pages: &[Page]| -> Vec<Id> { pages.iter().map(|page| page.id.clone()).collect() };
        // What was only written again was not named.
        let came = || event.writes.iter().filter(|page| page.replaces.is_none()).map(|page| page.id.clone()).collect();
        let (said, away) = (Moment::at(event.said_at?), ids(&event.removes));
        let (back, made) = match event.event {
            Did::Consolidate => (Vec::new(), ids(&event.writes)),
            _ => (came(), Vec::new()),
        };
        let is_gone =
            |id: &&Id| event.event == Did::Undo && self.by_id.get(id).is_some_and(|track| track.gone.is_some());
        let from_hand = back.iter().filter(is_gone).cloned().collect();
        let command = Command { said, back, from_hand, away, made, arrived };
        let named = command.back.iter().chain(&command.away).filter_map(|id| self.by_id.get(id));
        // See [`super::view::View::moment`].
        let said = named.filter_map(Track::named).max().cloned();
        let said = said.map_or(command.said.clone(), |said| said.max(command.said.clone()));
        for id in command.back.iter().chain(&command.away).chain(&command.made) {
            self.track(id).bidden = Some(said.clone());
        }
        Some(Command { said, ..command })
    }

    fn files(&mut self, event: &Event, position: Position) {
        for page in &event.removes {
            let stranger = self.by_id.get(&page.id).is_none_or(|track| !track.ours && track.life.is_none());
            if stranger {
                let said = document(page, DateTime::UNIX_EPOCH);
                let since = self.track(&page.id).met.unwrap_or(position - 1);
                let life = self.live(&said, since, Hand::Untouched);
                self.track(&page.id).life = Some(life);
            }
            let track = self.track(&page.id);
            track.last = Some(page.clone());
            track.there = false;
        }
        for page in &event.writes {
            self.by_file.insert(page.file.clone(), page.id.clone());
            let track = self.track(&page.id);
            // What comes back as it left may have been edited by hand before it did.
            let as_it_left = event.event == Did::Undo && track.last.as_ref().is_some_and(|last| last.text == page.text);
            track.last = Some(page.clone());
            track.there = true;
            if !as_it_left {
                track.edited = None;
                track.base = Some(page.clone());
                track.ours |= track.life.is_none() && matches!(event.event, Did::Revise | Did::Undo);
            }
        }
    }

    /// The memory that a file is which cannot be read: the one that was there, else the one that its name tells of.
    pub(crate) fn of_file(&self, file: &str, kind: Kind, suffix: &str) -> Option<Id> {
        let by_name = || {
            let id = Id::parse(&format!("{}_{suffix}", kind.prefix()))?;
            self.by_id.get(&id).filter(|track| track.there).map(|_| id)
        };
        self.by_file.get(file).cloned().or_else(by_name)
    }

    pub(crate) fn track(&mut self, id: &Id) -> &mut Track {
        self.by_id.entry(id.clone()).or_default()
    }
}

/// What the person turned down.
fn rejected(event: &Event, position: Position) -> Option<Rejection> {
    Some(Rejection {
        id: event.id.clone()?,
        intent: event.intent?,
        body: event.body.clone()?,
        said: Moment::at(event.said_at?),
        places: event.evidence.iter().map(place).collect(),
        since: position,
    })
}

/// A page of the ledger, understood; one that is broken is all body, said at `otherwise`.
pub(crate) fn document(page: &Page, otherwise: DateTime<Utc>) -> Document {
    let kind = kind_of(page);
    let name = page.file.rsplit('/').next().unwrap_or(&page.file).trim_end_matches(".md");
    let read = markdown::parse(&page.text, kind, name, otherwise).ok();
    let document = read.unwrap_or_else(|| broken(page.id.clone(), kind, &page.text, otherwise));
    Document { id: page.id.clone(), ..document }
}

/// What a file is taken for whose front matter cannot be read.
pub(crate) fn broken(id: Id, kind: Kind, text: &str, created: DateTime<Utc>) -> Document {
    Document {
        kind,
        id,
        created,
        ttl: Ttl::Infinity,
        expires: None,
        supersedes: Vec::new(),
        body: markdown::trim(text).to_owned(),
    }
}

pub(crate) fn kind_of(page: &Page) -> Kind {
    if page.file.starts_with(Kind::Playbook.folder()) { Kind::Playbook } else { Kind::Profile }
}
