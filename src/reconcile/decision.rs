//! What reconciling decides, as it is planned, shown and carried out.

use serde::Serialize;

use crate::memory::{Candidate, Id};

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
    /// Nothing.
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
    /// Whether the ledger does not tell of it yet. What is not new writes nothing.
    pub new: bool,
}

/// What is done with a batch, in the order in which it was said.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Plan {
    /// One decision for each candidate.
    pub decisions: Vec<Decision>,
}

impl Plan {
    /// Whether carrying it out writes anything.
    #[must_use]
    pub fn writes(&self) -> bool {
        self.decisions.iter().any(|decision| decision.new)
    }
}
