//! What reconciling decides, as it is planned, shown and carried out.

use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;

use super::heard::Heard;
use super::known::Position;
use crate::memory::{Candidate, Evidence, Id, Kind, Slug, Ttl};

/// What is done with a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Op {
    /// A new memory.
    Create,
    /// A memory that is there gets more evidence, and the more lasting TTL.
    Confirm,
    /// A new memory in the place of others.
    Supersede,
    /// Noted in the ledger, no file.
    Pending,
    /// Noted in the ledger, and nothing changes.
    Skip,
    /// The memories it names leave.
    Forget,
}

/// One candidate and what is done with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Decision {
    /// What is done.
    pub op: Op,
    /// The candidate.
    pub candidate: Candidate,
    /// The memory it becomes or confirms, or because of which it is skipped.
    pub id: Option<Id>,
    /// The memories that leave.
    pub of: Vec<Id>,
    /// Why, one short clause.
    pub reason: String,
    /// Whether the ledger does not tell of it yet.
    pub new: bool,
    /// Its place among everything that was ever said, see [`Plan::acts`]; `None` if it does not count.
    #[serde(skip)]
    pub act: Option<usize>,
}

/// What a batch comes to: a decision on each candidate, in the order in which they were said, and the memories that
/// everything ever said amounts to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Plan {
    /// One decision for each candidate of the batch.
    pub decisions: Vec<Decision>,
    /// The readings of sessions that the ledger does not tell of yet.
    #[serde(skip)]
    pub heard: Vec<Heard>,
    /// Every memory there ever was.
    #[serde(skip)]
    pub memories: Vec<Memory>,
    /// What every statement and command did to them, in the order of time.
    #[serde(skip)]
    pub acts: Vec<Act>,
}

/// What everything that was ever said came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Account {
    /// Every memory there ever was.
    pub memories: Vec<Memory>,
    /// What every statement and command did to them, in the order of time.
    pub acts: Vec<Act>,
    /// Whose act each of them is.
    pub causes: Vec<Cause>,
    /// What became of each candidate of [`super::Known::told`], in the same order.
    pub statements: Vec<Statement>,
}

/// Whose act it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// A candidate's, by its number in [`super::Known::told`].
    Statement(usize),
    /// A command's, by its position in the ledger.
    Command(Position),
}

/// What became of one candidate when it was laid down in its time; what came later may have changed that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// What was done; [`Op::Skip`] for what does not count.
    pub op: Op,
    /// The memory, by number, that it became or confirmed, or because of which it was skipped.
    pub memory: Option<usize>,
    /// The memories, by number, that it made leave, or that a request to forget could mean.
    pub of: Vec<usize>,
    /// Why, one short clause.
    pub reason: String,
}

impl Plan {
    /// Whether the ledger learns something.
    #[must_use]
    pub fn writes(&self) -> bool {
        !self.heard.is_empty() || self.decisions.iter().any(|decision| decision.new)
    }
}

/// A memory, in the store or no longer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Memory {
    /// Its id.
    pub id: Id,
    /// Profile or playbook.
    pub kind: Kind,
    /// When it was first said.
    pub created: DateTime<Utc>,
    /// When it was last said, or named by a command.
    pub named: DateTime<Utc>,
    /// The most lasting TTL it was said with.
    pub ttl: Ttl,
    /// Its last day; `None` for ever.
    pub expires: Option<NaiveDate>,
    /// The memories it took the place of.
    pub supersedes: Vec<Id>,
    /// Its text.
    pub body: String,
    /// The lines it comes from, of every statement of it.
    pub evidence: Vec<Evidence>,
    /// Who wrote it.
    pub origin: Origin,
    /// Whether it is in the store.
    pub standing: Standing,
    /// The act that brought it in or made it leave last; `None` if it was found.
    pub act: Option<usize>,
}

/// Who wrote a memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// This program, from a statement; the topic for the file's name.
    Said(Slug),
    /// A person or another program.
    Found,
}

/// Whether a memory is in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It is.
    Held,
    /// It is, as the person edited it.
    Edited,
    /// It is not.
    Gone,
}

/// What one statement or command did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Act {
    /// The time of the statement or command.
    pub said: DateTime<Utc>,
    /// The memories, by number, that came into the store.
    pub came: Vec<usize>,
    /// Those that left it.
    pub left: Vec<usize>,
    /// The memory a statement confirmed.
    pub confirmed: Option<usize>,
}
