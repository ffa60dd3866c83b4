//! One memory, as it is listed.

use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;

use super::{Archive, Number};
use crate::memory::{Class, Confirmation, Id, Intent, Kind, Ttl, headline};
use crate::reconcile::{Cause, Origin, Standing};
use crate::store::ledger::Did;
use crate::store::markdown;

/// A memory that is in the store or was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// Its id.
    pub id: Id,
    /// Profile or playbook.
    pub kind: Kind,
    /// Its class; `None` where another hand wrote it.
    pub class: Option<Class>,
    /// Whether it is in force, or why not.
    pub status: Status,
    /// Its topic, as in the file's name.
    pub slug: String,
    /// Its file in the store, with `/`, or the one it had; `None` if it never had one.
    pub file: Option<String>,
    /// What it says, in one line.
    pub headline: String,
    /// Its text without front matter: what the file says now, or said last.
    pub body: String,
    /// When it was first said.
    pub created: DateTime<Utc>,
    /// How long it lives.
    pub ttl: Ttl,
    /// Its last day; `None` for ever.
    pub expires: Option<NaiveDate>,
    /// How it was confirmed.
    pub confirm: Confirmation,
    /// Whether the person edited it by hand.
    pub edited: bool,
    /// The memories it took the place of.
    pub supersedes: Vec<Id>,
}

/// Whether a memory is in force, or why not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It is in the store.
    Active,
    /// Its last day is over; it may still be in the folder, or have been swept.
    Expired,
    /// A newer statement took its place.
    Superseded,
    /// The person asked to forget it.
    Forgotten,
    /// What brought it in was taken back.
    TakenBack,
    /// Its file was deleted by hand.
    Deleted,
}

impl Status {
    /// The word for people.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Expired => "expired",
            Self::Superseded => "superseded",
            Self::Forgotten => "forgotten",
            Self::TakenBack => "taken back",
            Self::Deleted => "deleted by hand",
        }
    }
}

impl Archive {
    /// One memory, as it is listed.
    #[must_use]
    pub fn entry(&self, number: Number) -> Entry {
        let memory = &self.account.memories[number];
        let there = memory.standing != Standing::Gone;
        let held = self.held(&memory.id).filter(|_| there);
        let page = self.past.pages.get(&memory.id);
        let file = held.map(|held| held.file.clone()).or_else(|| page.map(|page| page.file.clone()));
        let last = || page.map_or_else(|| memory.body.clone(), |page| markdown::body(&page.text));
        let body = held.map_or_else(last, |held| held.body.clone());
        let statements = &self.statements[number];
        let said = |told: &usize| &self.past.known.told[*told].candidate;
        let slug = match &memory.origin {
            Origin::Said(slug) => slug.as_str().to_owned(),
            Origin::Found => file.as_deref().map_or_else(String::new, |file| slug_of(file).to_owned()),
        };
        Entry {
            id: memory.id.clone(),
            kind: memory.kind,
            class: statements.first().map(|told| said(told).class),
            status: self.status(number, held.map_or(memory.expires, |held| held.expires)),
            slug,
            file,
            headline: headline(memory.kind, &body),
            body,
            created: held.map_or(memory.created, |held| held.created),
            ttl: held.map_or(memory.ttl, |held| held.ttl),
            expires: held.map_or(memory.expires, |held| held.expires),
            confirm: statements.iter().map(|told| said(told).confirm).max().unwrap_or(Confirmation::None),
            edited: memory.standing == Standing::Edited,
            supersedes: held.map_or(&memory.supersedes, |held| &held.supersedes).clone(),
        }
    }

    fn status(&self, number: Number, expires: Option<NaiveDate>) -> Status {
        if self.account.memories[number].standing != Standing::Gone {
            let over = expires.is_some_and(|last| last < self.today);
            return if over { Status::Expired } else { Status::Active };
        }
        match self.last_act(number) {
            Some((Cause::Statement(told), true)) => match &self.past.known.told[told] {
                told if told.taken_back => Status::TakenBack,
                told if told.candidate.intent == Intent::Forget => Status::Forgotten,
                _ => Status::Superseded,
            },
            Some((Cause::Command(position), true)) => match self.event(position).map(|event| event.event) {
                Some(Did::Sweep) => Status::Expired,
                Some(Did::Forget) => Status::Forgotten,
                Some(Did::Consolidate) => Status::Superseded,
                _ => Status::TakenBack,
            },
            _ => Status::Deleted,
        }
    }
}

/// The topic in a file's name: the name without its suffix.
fn slug_of(file: &str) -> &str {
    let name = file.rsplit('/').next().unwrap_or(file).trim_end_matches(".md");
    name.rsplit_once('-').map_or(name, |(slug, _)| slug)
}
