//! Everything that happened to a memory, event by event.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use serde::Serialize;

use super::{Archive, Entry, Number};
use crate::memory::{Evidence, Id};
use crate::store::ledger::{Did, Event, Page};
use crate::store::{Change, RunName};

/// A memory, and everything that happened to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct History {
    /// The memory.
    pub memory: Entry,
    /// What happened, in the order in which the ledger tells of it.
    pub happened: Vec<Happened>,
}

/// One thing that happened to a memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Happened {
    /// The run in which it did.
    pub run: Option<RunName>,
    /// When the program did it.
    pub at: DateTime<Utc>,
    /// What was done.
    pub event: Did,
    /// When that was said, where something was said.
    pub said_at: Option<DateTime<Utc>>,
    /// What it did to the file; `None` if the file stayed as it was.
    pub change: Option<Change>,
    /// The file.
    pub file: Option<String>,
    /// Its text after that, or as it left.
    pub text: Option<String>,
    /// Why, as the ledger has it.
    pub reason: String,
    /// The lines in which it was said.
    pub evidence: Vec<Evidence>,
    /// Whether its run was taken back, and that stands.
    pub taken_back: bool,
}

impl Archive {
    /// Everything that happened to a memory.
    #[must_use]
    pub fn history(&self, number: Number) -> History {
        let memory = self.entry(number);
        let statements: BTreeSet<usize> =
            self.statements[number].iter().map(|&told| self.past.known.told[told].arrived).collect();
        // The memory may have had another id before something older came to light.
        let mut ids = BTreeSet::from([&memory.id]);
        ids.extend(statements.iter().filter_map(|&position| self.event(position)?.id.as_ref()));
        let events = (1..).zip(&self.past.events);
        let about = events.filter(|(position, event)| statements.contains(position) || is_about(event, &ids));
        let happened = about.map(|(_, event)| self.happened(event, &ids)).collect();
        History { memory, happened }
    }

    fn happened(&self, event: &Event, ids: &BTreeSet<&Id>) -> Happened {
        let of = |pages: &[Page]| pages.iter().find(|page| ids.contains(&page.id)).cloned();
        let (written, removed) = (of(&event.writes), of(&event.removes));
        let change = match (&written, &removed) {
            (Some(page), _) if page.replaces.is_some() => Some(Change::Rewritten),
            (Some(_), _) => Some(Change::Created),
            (None, Some(_)) => Some(Change::Removed),
            (None, None) => None,
        };
        let page = written.or(removed).or_else(|| event.found.clone());
        let run = self.run_of(event);
        Happened {
            run: run.map(|run| run.name),
            at: event.at,
            event: event.event,
            said_at: event.said_at.filter(|_| !event.evidence.is_empty()),
            change,
            file: page.as_ref().map(|page| page.file.clone()),
            text: page.map(|page| page.text),
            reason: event.reason.clone(),
            evidence: event.evidence.clone(),
            taken_back: run.is_some_and(|run| run.taken_back),
        }
    }
}

fn is_about(event: &Event, ids: &BTreeSet<&Id>) -> bool {
    let pages = event.writes.iter().chain(&event.removes).chain(&event.found);
    event.id.iter().chain(pages.map(|page| &page.id)).any(|id| ids.contains(id))
}
