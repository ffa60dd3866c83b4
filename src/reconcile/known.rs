//! What reconciling starts from: everything that was ever said, what hands did to the store, and what stands there.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::heard::{Extent, Heard};
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

    /// A time that no session tells of.
    #[must_use]
    pub fn at(time: DateTime<Utc>) -> Self {
        Self::new(time, &[])
    }
}

/// A line of a session: host, session, 1-based line.
pub type Place = (String, String, u32);

/// Where an evidence stands.
#[must_use]
pub fn place(evidence: &Evidence) -> Place {
    (evidence.host.clone(), evidence.session.clone(), evidence.line)
}

/// What makes a candidate the same statement again: intent, kind, folded body and the place of its first evidence,
/// hashed.
#[must_use]
pub fn fingerprint(candidate: &Candidate) -> String {
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
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    short(hash)
}

/// What makes a candidate the same to the last field, hashed: two readings of a session may give the same statement
/// with more evidence. The grounds of a judgement only explain it, and older ledgers do not have them.
#[must_use]
pub fn identity(candidate: &Candidate) -> String {
    let mut plain = Cow::Borrowed(candidate);
    if candidate.evidence.iter().any(|evidence| !evidence.grounds.is_empty()) {
        plain.to_mut().evidence.iter_mut().for_each(|evidence| evidence.grounds.clear());
    }
    short(Sha256::new().chain_update(serde_json::to_vec(&plain).unwrap_or_default()))
}

fn short(hash: Sha256) -> String {
    let halves = hash.finalize().into_iter().take(16).flat_map(|byte| [byte >> 4, byte & 15]);
    halves.filter_map(|half| char::from_digit(half.into(), 16)).collect()
}

/// What the person's hand did to a memory's file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hand {
    /// Nothing: it stands as it was written by a program.
    Untouched,
    /// They edited it: it is never rewritten, superseded or doubled.
    Edited,
    /// They deleted it: its content is never written again.
    Deleted,
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
    /// Its last day; `None` for ever.
    pub expires: Option<NaiveDate>,
    /// The last statement of it; for an edited one at least the time of the edit.
    pub said: Moment,
    /// The ids it took the place of.
    pub supersedes: Vec<Id>,
    /// The places of its evidence that the ledger knows under this id.
    pub places: BTreeSet<Place>,
    /// Whether the person edited it.
    pub hand: Hand,
}

/// Where something stands in the ledger: the number of its event, from 1. What stands further on came later.
pub type Position = usize;

/// The position of a candidate that the ledger does not tell of yet.
pub const NOT_YET: Position = Position::MAX;

/// The position of a memory that the ledger does not tell of yet: before everything that comes now.
pub const JUST_NOW: Position = NOT_YET - 1;

/// A candidate that came to the store at some time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// The candidate.
    pub candidate: Candidate,
    /// When it came.
    pub arrived: Position,
    /// Its [`identity`].
    pub print: String,
    /// Whether the run that brought it was taken back: it stays known, and has no effect.
    pub taken_back: bool,
}

impl Told {
    /// A candidate that came at `arrived`.
    #[must_use]
    pub fn new(candidate: Candidate, arrived: Position) -> Self {
        Self { print: identity(&candidate), candidate, arrived, taken_back: false }
    }
}

/// A memory that no candidate accounts for: a person or another program wrote it, or edited what was written.
///
/// It speaks to those candidates only that come after it was found: what the person did to one file must never change
/// what was decided about others before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Its id.
    pub id: Id,
    /// Profile or playbook.
    pub kind: Kind,
    /// Its text, without front matter.
    pub body: String,
    /// When it was written, as far as one can tell.
    pub said: Moment,
    /// How long it lives.
    pub ttl: Ttl,
    /// Its last day; `None` for ever.
    pub expires: Option<NaiveDate>,
    /// When it was found.
    pub since: Position,
    /// When the hand that had edited it so edited it on, or back: to what came later it does not speak.
    pub until: Option<Position>,
    /// What the person's hand did to it.
    pub hand: Hand,
    /// When that was noticed.
    pub noticed: Position,
    /// When it was noticed that a hand had edited it, if one did before it left or was deleted too.
    pub edited: Option<Position>,
}

/// What the person turned down before it had a file: it is not learned from what was said until then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    /// The name it was called by.
    pub id: Id,
    /// [`Intent::Pending`] for a correction, [`Intent::Forget`] for a wish to forget.
    pub intent: Intent,
    /// The text it would have been kept with.
    pub body: String,
    /// When it was turned down.
    pub said: Moment,
    /// The lines it comes from.
    pub places: BTreeSet<Place>,
    /// Where the ledger tells of it.
    pub since: Position,
}

/// What the person asked for by name. It holds whatever is said of the time before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// When.
    pub said: Moment,
    /// The memories that come back.
    pub back: Vec<Id>,
    /// Those of them that only a hand had made leave, which deleted their files.
    pub from_hand: Vec<Id>,
    /// The memories that leave.
    pub away: Vec<Id>,
    /// The memories that it made of those that leave.
    pub made: Vec<Id>,
    /// Where the ledger tells of it.
    pub arrived: Position,
}

/// The store as reconciling sees it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Known {
    /// The memories that are there, in the order of their files.
    pub held: Vec<Held>,
    /// Every candidate that ever came, in the order in which they did.
    pub told: Vec<Told>,
    /// How far which session was read, in the order in which it was.
    pub heard: Vec<Heard>,
    /// The readings of runs that were taken back: known, and without effect.
    pub unheard: Vec<Heard>,
    /// The memories that no candidate accounts for, in the order in which they were found.
    pub found: Vec<Found>,
    /// The memories that candidates account for and whose files hands edited or deleted, as they were written.
    pub hands: HashMap<Id, Found>,
    /// What was asked for by name, in the order in which it was.
    pub commands: Vec<Command>,
    /// What was turned down, in the order in which it was.
    pub rejections: Vec<Rejection>,
    /// The suffixes of ids and file names that no candidate accounts for.
    pub taken: HashSet<String>,
    /// Files and ledger lines that could not be understood; they are left alone.
    pub problems: Vec<Problem>,
}

/// What comes to the store at once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Batch {
    /// The candidates, in any order.
    pub candidates: Vec<Candidate>,
    /// The sessions that were read from their first turn on, and how far. Of two readings of one session the one that went
    /// further counts, and what only the shorter one proposed is withdrawn. A session that is not named here adds to what
    /// is known of it.
    pub sessions: Vec<Extent>,
}

impl From<Vec<Candidate>> for Batch {
    fn from(candidates: Vec<Candidate>) -> Self {
        Self { candidates, sessions: Vec::new() }
    }
}
