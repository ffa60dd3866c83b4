//! Blocking: which of many readings a new one has to be compared with.
//!
//! Readings are filed under their keys ([`Reading::keys`]); a lookup visits only those that share a key with the new
//! reading. Nothing is lost by that, for [`super::judge::judge`] answers [`super::Comparison::Distinct`] for every
//! pair whose keys are disjoint: it asks for a shared key before any rule. The law is tested against brute force.

use std::collections::HashMap;

use super::reading::{Key, Reading};

/// Readings by key.
#[derive(Debug, Default)]
pub(crate) struct Index {
    filed: HashMap<Key, Vec<u32>>,
}

impl Index {
    /// Files a reading under the number `at`.
    pub(crate) fn add(&mut self, at: u32, reading: &Reading) {
        for key in reading.keys() {
            self.filed.entry(key).or_default().push(at);
        }
    }

    /// The numbers of all readings that share a key with this one, ascending, each once.
    pub(crate) fn related(&self, reading: &Reading) -> Vec<u32> {
        let mut related: Vec<u32> = reading
            .keys()
            .iter()
            .filter_map(|key| self.filed.get(key))
            .flatten()
            .copied()
            .collect();
        related.sort_unstable();
        related.dedup();
        related
    }
}
