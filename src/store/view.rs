//! The store as it stands: folders and ledger read together into what reconciling needs.
//!
//! What a crashed run had decided but not done is seen as if it were done, so that a look before and a look after
//! the repair are the same.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use chrono::{DateTime, Utc};

use super::disk::{self, Found};
use super::ledger::{self, Did, Event, Ledger, Page, checksum};
use super::markdown::{self, Document};
use super::steps::{Step, net};
use crate::error::{Problem, Result};
use crate::memory::{Id, Kind, Ttl};
use crate::reconcile::{Forgotten, Gone, Hand, Held, Known, Moment, Parting, Place, place};

/// The store, read.
#[derive(Debug, Default)]
pub(crate) struct View {
    pub(crate) known: Known,
    /// The files of the memories that are there, with their texts.
    pub(crate) pages: HashMap<Id, Page>,
    pub(crate) ledger: Ledger,
    /// The ledger's size; more than `ledger.whole` if its last line is torn.
    pub(crate) ledger_size: u64,
    /// Whether there is a ledger at all.
    pub(crate) has_ledger: bool,
    /// What a crashed run left undone.
    pub(crate) redo: Vec<Step>,
}

/// Reads the store without touching it. A store that is not there is an empty one.
pub(crate) fn look(root: &Path) -> Result<View> {
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
    for kind in [Kind::Profile, Kind::Playbook] {
        for (file, found) in disk::pages(root, kind, &mut view.known.problems)? {
            files.insert(file, (kind, found));
        }
    }
    let undone = view.ledger.events.get(view.ledger.done..).unwrap_or_default();
    view.redo = net(undone);
    view.redo.retain(|step| overlay(&mut files, step));

    let mut tracks = Tracks::default();
    for event in &view.ledger.events {
        tracks.follow(event, &mut view.known);
    }
    for (file, (kind, found)) in files {
        tracks.settle(root, &file, kind, found, &mut view);
    }
    tracks.part(&mut view.known);
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

fn kind_of(page: &Page) -> Kind {
    if page.file.starts_with(Kind::Playbook.folder()) { Kind::Playbook } else { Kind::Profile }
}

/// What the ledger knows of one memory.
#[derive(Debug, Default)]
struct Track {
    /// Its file and text as last written or removed; none for a memory of another program that was only confirmed.
    page: Option<Page>,
    said: Option<Moment>,
    places: BTreeSet<Place>,
    /// The statement that took it out of the store.
    left: Option<Moment>,
    /// Whether a file of it was found.
    found: bool,
}

#[derive(Debug, Default)]
struct Tracks {
    by_id: BTreeMap<Id, Track>,
    by_file: HashMap<String, Id>,
}

impl Tracks {
    fn follow(&mut self, event: &Event, known: &mut Known) {
        known.seen.extend(event.print.clone());
        let moment = event.said_at.map(|time| Moment::new(time, &event.evidence));
        if let (Did::Forget, Some(body), Some(said)) = (event.event, &event.body, &moment) {
            known.forgotten.push(Forgotten { body: body.clone(), said: said.clone() });
        }
        for page in &event.removes {
            let track = self.track(&page.id);
            track.page = Some(page.clone());
            track.left.clone_from(&moment);
        }
        for page in &event.writes {
            self.by_file.insert(page.file.clone(), page.id.clone());
            let track = self.track(&page.id);
            track.page = Some(page.clone());
            track.left = None;
        }
        if let (Some(id), true) = (&event.id, matches!(event.event, Did::Create | Did::Supersede | Did::Confirm)) {
            let track = self.track(id);
            track.places.extend(event.evidence.iter().map(place));
            track.said = track.said.take().max(moment);
        }
    }

    fn track(&mut self, id: &Id) -> &mut Track {
        self.by_id.entry(id.clone()).or_default()
    }

    /// Puts a file of the store on record.
    fn settle(&mut self, root: &Path, file: &str, kind: Kind, found: Found, view: &mut View) {
        let name = file.rsplit('/').next().unwrap_or(file).trim_end_matches(".md");
        let suffix = name.rsplit('-').next().unwrap_or(name);
        view.known.taken.insert(suffix.to_owned());
        let text = found.text.unwrap_or_default();
        let document = match markdown::parse(&text, kind, name, found.modified) {
            Ok(document) => document,
            Err(what) => {
                view.known.problems.push(Problem { path: root.join(file), line: None, what });
                // A memory whose file someone broke is still that memory; any other broken file is none.
                let Some(id) = self.by_file.get(file) else {
                    return;
                };
                broken(id.clone(), kind, &text, found.modified)
            }
        };
        let id = document.id.clone();
        let track = self.by_id.get_mut(&id);
        let written = track.as_ref().and_then(|track| track.page.as_ref());
        let edited = written.is_some_and(|page| plain(&page.text) != plain(&text));
        let before = written.filter(|_| edited).map(body_of);
        let mut said = Moment { time: document.created, session: String::new(), line: 0 };
        let mut places = BTreeSet::new();
        if let Some(track) = track {
            track.found = true;
            places.clone_from(&track.places);
            said = track.said.clone().unwrap_or(said);
        }
        if edited {
            said.time = said.time.max(found.modified);
        }
        view.known.taken.insert(id.suffix().to_owned());
        view.known.held.push(Held {
            id: id.clone(),
            kind,
            file: file.to_owned(),
            body: document.body,
            written: before,
            created: document.created,
            ttl: document.ttl,
            said,
            supersedes: document.supersedes,
            places,
            hand: if edited { Hand::Edited } else { Hand::Untouched },
        });
        view.pages.insert(id.clone(), Page::new(id, file.to_owned(), text));
    }

    /// What was tracked and has no file has left.
    fn part(self, known: &mut Known) {
        for (id, track) in self.by_id {
            known.taken.insert(id.suffix().to_owned());
            let (false, Some(page)) = (track.found, &track.page) else {
                continue;
            };
            known.gone.push(Gone {
                kind: kind_of(page),
                body: body_of(page),
                said: track.said.clone().unwrap_or_else(|| Moment {
                    time: DateTime::UNIX_EPOCH,
                    session: String::new(),
                    line: 0,
                }),
                places: track.places,
                parting: track.left.map_or(Parting::Deleted, Parting::Said),
                id,
            });
        }
    }
}

fn broken(id: Id, kind: Kind, text: &str, modified: DateTime<Utc>) -> Document {
    Document {
        kind,
        id,
        created: modified,
        ttl: Ttl::Infinity,
        expires: None,
        supersedes: Vec::new(),
        body: markdown::trim(text).to_owned(),
    }
}

/// A text without what editors and git change by themselves.
fn plain(text: &str) -> String {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.replace("\r\n", "\n")
}

fn body_of(page: &Page) -> String {
    markdown::parse(&page.text, kind_of(page), page.id.as_str(), DateTime::UNIX_EPOCH)
        .map_or_else(|_| page.text.clone(), |document| document.body)
}
