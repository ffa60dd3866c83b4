//! Why a memory is there: the words, what confirmed them, what it replaced, and how it left.

use chrono::{DateTime, Utc};
use serde::Serialize;

use super::{Archive, Entry, Number, Status};
use crate::memory::{Candidate, Confirmation, Evidence, Id, Role, headline};
use crate::reconcile::{Cause, Op, Standing};
use crate::store::RunName;
use crate::store::ledger::{Did, Event};

/// Why a memory is there, or no longer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Why {
    /// The memory.
    pub memory: Entry,
    /// Everything that was said for it, in the order of time; empty where another hand wrote it.
    pub said: Vec<Said>,
    /// What it took the place of.
    pub supersedes: Vec<Other>,
    /// The text as it was written, where the person edited it since.
    pub written: Option<String>,
    /// How it left; `None` while it is in the store.
    pub end: Option<End>,
}

/// One statement of a memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Said {
    /// What it did: it made the memory, or confirmed it.
    pub op: Op,
    /// When it was said.
    pub said_at: DateTime<Utc>,
    /// The run that learned it.
    pub run: Option<RunName>,
    /// How the judgement came about, with the score and its bar.
    pub judged: String,
    /// How it was confirmed.
    pub confirm: Confirmation,
    /// The lines and their words, the deciding one first; each with the triggers that fired and what they weighed.
    pub evidence: Vec<Evidence>,
}

/// Another memory, named.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Other {
    /// Its id.
    pub id: Id,
    /// What it says, in one line; empty if nothing is known of it but its id.
    pub headline: String,
}

/// How a memory left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct End {
    /// The way.
    pub how: Status,
    /// When that was said or asked for; `None` for what a hand did.
    pub at: Option<DateTime<Utc>>,
    /// The run that carried it out.
    pub run: Option<RunName>,
    /// What took its place.
    pub by: Option<Other>,
    /// The lines in which the person said so.
    pub evidence: Vec<Evidence>,
    /// Why, as the ledger has it.
    pub reason: String,
}

impl Archive {
    /// Why a memory is there, or no longer.
    #[must_use]
    pub fn why(&self, number: Number) -> Why {
        let memory = self.entry(number);
        let held = self.held(&memory.id).filter(|_| memory.edited);
        Why {
            said: self.statements[number].iter().map(|&told| self.said(told)).collect(),
            supersedes: memory.supersedes.iter().map(|id| self.named(id)).collect(),
            written: held.and_then(|held| held.written.clone()),
            end: self.end(number, memory.status),
            memory,
        }
    }

    fn said(&self, told: usize) -> Said {
        let statement = &self.account.statements[told];
        let told = &self.past.known.told[told];
        let Candidate { said_at, reason, confirm, evidence, .. } = told.candidate.clone();
        Said { op: statement.op, said_at, run: self.run_at(told.arrived), judged: reason, confirm, evidence }
    }

    fn end(&self, number: Number, how: Status) -> Option<End> {
        if self.account.memories[number].standing != Standing::Gone {
            return None;
        }
        let by_hand =
            End { how, at: None, run: None, by: None, evidence: Vec::new(), reason: "its file is gone".to_owned() };
        let end = match self.last_act(number) {
            Some((Cause::Statement(told), true)) if self.past.known.told[told].taken_back => {
                let undo = self.undo_of(self.past.known.told[told].arrived);
                let run = undo.and_then(|event| Some(self.run_of(event)?.name));
                let reason = undo.map_or_else(|| "taken back".to_owned(), |event| event.reason.clone());
                End { at: undo.map(|event| event.at), run, reason, ..by_hand }
            }
            Some((Cause::Statement(told), true)) => {
                let statement = &self.account.statements[told];
                let Said { said_at, run, judged, evidence, .. } = self.said(told);
                let by = statement.memory.map(|by| self.other(by));
                End { how, at: Some(said_at), run, by, evidence, reason: judged }
            }
            Some((Cause::Command(position), true)) => {
                let event = self.event(position);
                let reason = event.map_or_else(String::new, |event| event.reason.clone());
                End { at: event.map(|event| event.at), run: self.run_at(position), reason, ..by_hand }
            }
            _ => by_hand,
        };
        Some(end)
    }

    /// The undo that took back the run of the event at a position.
    fn undo_of(&self, position: usize) -> Option<&Event> {
        let run = self.event(position)?.at;
        self.past.events.iter().rev().find(|event| event.event == Did::Undo && event.run == Some(run))
    }

    fn other(&self, number: Number) -> Other {
        let entry = self.entry(number);
        Other { id: entry.id, headline: entry.headline }
    }

    /// A memory by its id, even if the ledger has nothing but its last file.
    #[must_use]
    pub fn named(&self, id: &Id) -> Other {
        let memories = &self.account.memories;
        let known = memories.iter().rev().find(|memory| memory.id == *id);
        let headline = known.map_or_else(String::new, |memory| headline(memory.kind, &memory.body));
        Other { id: id.clone(), headline }
    }
}

/// What the person did in a line, in one word or two; `confirm` is how the statement that it belongs to was confirmed.
#[must_use]
pub fn deed(role: Role, confirm: Confirmation) -> &'static str {
    match (role, confirm) {
        (Role::Statement, _) => "stated",
        (Role::Correction, _) => "corrected",
        (Role::Confirmation, Confirmation::Explicit) => "approved",
        (Role::Confirmation, _) => "went on",
    }
}

/// A judgement as the end of "because it …".
#[must_use]
pub fn because(judged: &str) -> String {
    if judged.starts_with("states") { judged.to_owned() } else { format!("was a {judged}") }
}

/// A word at the beginning of a sentence.
#[must_use]
pub fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
