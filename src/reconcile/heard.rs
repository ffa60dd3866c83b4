//! Which of several readings of a session counts: a hook reads a session while it goes on, a replay when it has ended.
//!
//! Of two readings with the same beginning the one that went further knows better: a correction that was pending is
//! confirmed by then, a rule that seemed accepted is taken back. What only the shorter one proposed is withdrawn, in
//! whatever order the two arrive. Readings that cannot be told to be one the beginning of the other (two files that
//! share a name, a transcript that was cut off at its head) stand side by side, and nothing of either is withdrawn.

use std::collections::{BTreeSet, HashMap, HashSet};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// How far a session was read, from its first turn on.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Extent {
    /// The host's name, as in the evidence.
    pub host: String,
    /// The session's id, as in the evidence.
    pub session: String,
    /// When the session began.
    pub started: DateTime<Utc>,
    /// The time of the last turn that was read; [`Extent::started`] if no turn has one.
    pub until: DateTime<Utc>,
    /// How many turns were read.
    pub turns: u64,
}

impl Extent {
    /// Whether this reading goes at least as far as the other, from the same beginning.
    fn covers(&self, other: &Self) -> bool {
        let same = self.host == other.host && self.session == other.session && self.started == other.started;
        same && self.until >= other.until && self.turns >= other.turns
    }
}

/// A reading of a session, and what it proposed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heard {
    /// How far it went.
    #[serde(flatten)]
    pub extent: Extent,
    /// The [`super::identity`] of each of its candidates.
    pub prints: BTreeSet<String>,
}

/// Which readings count, and so which candidates do.
#[derive(Debug, Default)]
pub(crate) struct Readings<'a> {
    /// What some reading proposed.
    proposed: HashSet<&'a str>,
    /// What a reading that counts proposed.
    counts: HashSet<&'a str>,
}

impl<'a> Readings<'a> {
    /// Weighs readings against each other, given in the order in which they arrived: of two that went equally far the
    /// later one was made by the newer rules.
    pub(crate) fn new(heard: impl Iterator<Item = &'a Heard>) -> Self {
        let mut sessions: HashMap<(&str, &str), Vec<&Heard>> = HashMap::new();
        let mut readings = Self::default();
        for heard in heard {
            readings.proposed.extend(heard.prints.iter().map(String::as_str));
            let known = sessions.entry((&heard.extent.host, &heard.extent.session)).or_default();
            known.retain(|known| !heard.extent.covers(&known.extent));
            if !known.iter().any(|known| known.extent.covers(&heard.extent)) {
                known.push(heard);
            }
        }
        let counting = sessions.values().flatten();
        readings.counts.extend(counting.flat_map(|heard| &heard.prints).map(String::as_str));
        readings
    }

    /// Whether a candidate with this identity counts; one that no reading claims does.
    pub(crate) fn count(&self, print: &str) -> bool {
        self.counts.contains(print) || !self.proposed.contains(print)
    }
}

/// Whether a reading has to be noted: it tells something that is not known, of a session that matters.
pub(crate) fn worth_noting(known: &[&Heard], new: &Heard) -> bool {
    let outdone = known.iter().any(|known| known.extent.covers(&new.extent) && known.extent != new.extent);
    let last = known.iter().rev().find(|known| known.extent == new.extent);
    let same = last.is_some_and(|last| last.prints == new.prints);
    let matters = !new.prints.is_empty() || known.iter().any(|known| new.extent.covers(&known.extent));
    matters && !outdone && !same
}
