//! A memory as the page shows it: its words, where they come from, what it took the place of, how it left.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use chrono::{DateTime, NaiveDate, Utc};

use super::Project;
use super::eyes::{Eyes, day, language};
use super::line::{Line, lines};
use crate::explain::{Archive, End, Number, Said, Status, because, capital};
use crate::memory::{Confirmation, Id, Kind, Sections};
use crate::reconcile::Op;

/// A memory.
pub(super) struct Card {
    /// Where links lead to; an id may be in more than one store.
    pub(super) anchor: String,
    pub(super) project: String,
    pub(super) kind: Kind,
    pub(super) class: Option<&'static str>,
    /// Whether it is active, or what became of it.
    pub(super) status: Status,
    /// When it was first said.
    pub(super) created: DateTime<Utc>,
    pub(super) date: NaiveDate,
    pub(super) minute: String,
    pub(super) language: &'static str,
    /// The situation that a playbook is for.
    pub(super) when: String,
    /// What a profile says, or a playbook's rule.
    pub(super) what: String,
    /// A playbook's reason.
    pub(super) why: String,
    /// Its last day.
    pub(super) until: Option<String>,
    pub(super) edited: bool,
    /// The text before the person edited it.
    pub(super) written: Option<String>,
    pub(super) said: Vec<Statement>,
    /// Everything it took the place of, and what that had taken the place of, the newest first.
    pub(super) chain: Vec<Link>,
    pub(super) end: Option<Farewell>,
    pub(super) id: String,
    pub(super) file: Option<String>,
}

/// Something that was said for a memory.
pub(super) struct Statement {
    /// What it did.
    pub(super) word: &'static str,
    pub(super) date: NaiveDate,
    pub(super) minute: String,
    pub(super) run: Option<String>,
    pub(super) lines: Vec<Line>,
    /// The judgement, as the end of "because it …".
    pub(super) because: Option<String>,
}

/// Another memory.
pub(super) struct Link {
    /// Where it stands in the page; `None` if nothing is known of it but its id.
    pub(super) anchor: Option<String>,
    pub(super) id: String,
    pub(super) text: String,
    pub(super) language: &'static str,
    pub(super) day: Option<String>,
}

/// How a memory left.
pub(super) struct Farewell {
    pub(super) word: String,
    pub(super) day: Option<String>,
    pub(super) by: Option<Link>,
    pub(super) lines: Vec<Line>,
    pub(super) reason: String,
}

impl Card {
    pub(super) fn is_active(&self) -> bool {
        self.status == Status::Active
    }

    /// Under which filter it stands, in the script's words.
    pub(super) fn state(&self) -> &'static str {
        if self.is_active() { "now" } else { "history" }
    }

    pub(super) fn kind_word(&self) -> String {
        capital(self.kind.word())
    }

    /// How many lines it comes from.
    pub(super) fn heard(&self) -> usize {
        self.said.iter().map(|said| said.lines.len()).sum()
    }
}

/// All memories there ever were in a store; `at` is the store's number in the page.
pub(super) fn cards(at: usize, project: &Project, eyes: &Eyes<'_>) -> Vec<Card> {
    let archive = &project.archive;
    let numbers = archive.memories();
    let by_id = numbers.iter().map(|&number| (archive.entry(number).id, number)).collect();
    let shelf = Shelf { at, name: eyes.text(&project.name), archive, by_id, eyes };
    numbers.into_iter().map(|number| shelf.card(number)).collect()
}

/// A store whose memories are put on cards.
struct Shelf<'a> {
    at: usize,
    name: String,
    archive: &'a Archive,
    by_id: HashMap<Id, Number>,
    eyes: &'a Eyes<'a>,
}

impl Shelf<'_> {
    fn card(&self, number: Number) -> Card {
        let eyes = self.eyes;
        let why = self.archive.why(number);
        let memory = why.memory;
        let sections = match memory.kind {
            Kind::Playbook => Sections::of(&memory.body),
            Kind::Profile => Sections { what: memory.body, ..Sections::default() },
        };
        Card {
            anchor: self.anchor(&memory.id),
            project: self.name.clone(),
            kind: memory.kind,
            class: memory.class.filter(|_| memory.kind == Kind::Profile).map(|class| class.word()),
            status: memory.status,
            created: memory.created,
            date: eyes.date(memory.created),
            minute: eyes.minute(memory.created),
            language: language(&sections.what),
            when: eyes.text(&sections.when),
            what: eyes.text(&sections.what),
            why: eyes.text(&sections.why),
            until: memory.expires.map(day),
            edited: memory.edited,
            written: why.written.map(|text| eyes.text(&text)),
            said: why.said.iter().map(|said| self.statement(said)).collect(),
            chain: self.chain(&memory.supersedes),
            end: why.end.map(|end| self.farewell(&end)),
            id: memory.id.to_string(),
            file: memory.file.map(|file| eyes.text(&file)),
        }
    }

    fn anchor(&self, id: &Id) -> String {
        format!("m{}-{id}", self.at)
    }

    fn statement(&self, said: &Said) -> Statement {
        Statement {
            word: if said.op == Op::Confirm { "Said again" } else { "Learned" },
            date: self.eyes.date(said.said_at),
            minute: self.eyes.minute(said.said_at),
            run: said.run.map(|run| run.to_string()),
            lines: lines(&said.evidence, said.confirm, self.eyes),
            because: (!said.judged.is_empty()).then(|| self.eyes.text(&because(&said.judged))),
        }
    }

    /// What a memory took the place of, back to the first. Hands may have made a circle of it, which ends where it closes.
    fn chain(&self, supersedes: &[Id]) -> Vec<Link> {
        let mut seen = HashSet::new();
        let mut older: Vec<(Option<DateTime<Utc>>, Id)> = Vec::new();
        let mut next = supersedes.to_vec();
        while let Some(id) = next.pop() {
            if !seen.insert(id.clone()) {
                continue;
            }
            let entry = self.by_id.get(&id).map(|&number| self.archive.entry(number));
            older.push((entry.as_ref().map(|entry| entry.created), id));
            next.extend(entry.map(|entry| entry.supersedes).unwrap_or_default());
        }
        older.sort_by_key(|(created, _)| Reverse(*created));
        older.iter().map(|(_, id)| self.link(id)).collect()
    }

    fn link(&self, id: &Id) -> Link {
        let entry = self.by_id.get(id).map(|&number| self.archive.entry(number));
        let text = entry.as_ref().map_or_else(String::new, |entry| self.eyes.text(&entry.headline));
        Link {
            anchor: entry.as_ref().map(|_| self.anchor(id)),
            id: id.to_string(),
            language: language(&text),
            text,
            day: entry.map(|entry| day(self.eyes.date(entry.created))),
        }
    }

    fn farewell(&self, end: &End) -> Farewell {
        // The words that brought in what took its place stand there.
        let own = if end.by.is_none() { end.evidence.as_slice() } else { &[] };
        Farewell {
            word: capital(end.how.word()),
            day: end.at.map(|at| day(self.eyes.date(at))),
            by: end.by.as_ref().map(|by| self.link(&by.id)),
            lines: lines(own, Confirmation::None, self.eyes),
            reason: self.eyes.text(&end.reason),
        }
    }
}
