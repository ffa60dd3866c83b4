//! The store as reconciling sees it: what is there, what has left and why, and what the ledger has seen.

use std::collections::{BTreeSet, HashSet};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::error::Problem;
use crate::memory::{Candidate, Evidence, Id, Intent, Kind, Ttl};
use crate::text::fold::fold;

/// When something was said, with session and line to decide between equal times. The order is that of time.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Moment {
    /// The time.
    pub time: DateTime<Utc>,
    /// The session's id.
    pub session: String,
    /// 1-based source line.
    pub line: u32,
}

impl Moment {
    /// The moment of a statement with this evidence, the deciding line first.
    #[must_use]
    pub fn new(time: DateTime<Utc>, evidence: &[Evidence]) -> Self {
        let first = evidence.first();
        Self {
            time,
            session: first.map_or(String::new(), |evidence| evidence.session.clone()),
            line: first.map_or(0, |evidence| evidence.line),
        }
    }

    /// The moment of a candidate.
    #[must_use]
    pub fn of(candidate: &Candidate) -> Self {
        Self::new(candidate.said_at, &candidate.evidence)
    }
}

/// A line of a session: host, session, 1-based line.
pub type Place = (String, String, u32);

/// Where an evidence stands.
#[must_use]
pub fn place(evidence: &Evidence) -> Place {
    (evidence.host.clone(), evidence.session.clone(), evidence.line)
}

/// What makes a candidate the same one again: intent, kind, folded body and the place of its first evidence, hashed.
#[must_use]
pub fn fingerprint(candidate: &Candidate) -> String {
    let mut hash = Sha256::new();
    let intent = match candidate.intent {
        Intent::Keep => "keep",
        Intent::Pending => "pending",
        Intent::Forget => "forget",
    };
    let mut parts = vec![intent.to_owned(), candidate.kind.word().to_owned(), fold(candidate.body.trim())];
    if let Some(first) = candidate.evidence.first() {
        parts.push(first.host.clone());
        parts.push(first.session.clone());
        parts.push(first.line.to_string());
    }
    for part in parts {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

/// Who may change a memory's file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hand {
    /// It stands as it was written by a program.
    Untouched,
    /// The person edited it: it is never rewritten, superseded or doubled.
    Edited,
}

/// A memory that is in the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// Its id.
    pub id: Id,
    /// Profile or playbook.
    pub kind: Kind,
    /// Its file, relative to the store, with `/`.
    pub file: String,
    /// The text as it stands in the file, without front matter.
    pub body: String,
    /// The text as it was written, where the person edited it since.
    pub written: Option<String>,
    /// When it was first said, as the front matter tells.
    pub created: DateTime<Utc>,
    /// How long it lives.
    pub ttl: Ttl,
    /// The last statement of it; for an edited one at least the time of the edit.
    pub said: Moment,
    /// The ids it took the place of.
    pub supersedes: Vec<Id>,
    /// The places of its evidence that the ledger knows.
    pub places: BTreeSet<Place>,
    /// Whether the person edited it.
    pub hand: Hand,
}

/// Why a memory is no longer in the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Parting {
    /// The person deleted its file: never written again.
    Deleted,
    /// A statement of that moment superseded it or asked to forget it: only a newer statement brings it back.
    Said(Moment),
}

/// A memory that was in the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gone {
    /// Its id.
    pub id: Id,
    /// Profile or playbook.
    pub kind: Kind,
    /// Its text, without front matter.
    pub body: String,
    /// The last statement of it.
    pub said: Moment,
    /// The places of its evidence.
    pub places: BTreeSet<Place>,
    /// Why it left.
    pub parting: Parting,
}

/// Something the person asked to forget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forgotten {
    /// What should be forgotten, in their words.
    pub body: String,
    /// When they asked.
    pub said: Moment,
}

/// The store as reconciling sees it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Known {
    /// The memories that are there, in the order of their files.
    pub held: Vec<Held>,
    /// The memories that left, in the order in which they did.
    pub gone: Vec<Gone>,
    /// What was asked to be forgotten.
    pub forgotten: Vec<Forgotten>,
    /// The [`fingerprint`]s of all candidates that the ledger tells of.
    pub seen: HashSet<String>,
    /// The suffixes of all ids and file names ever used.
    pub taken: HashSet<String>,
    /// Files and ledger lines that could not be understood; they are left alone.
    pub problems: Vec<Problem>,
}
