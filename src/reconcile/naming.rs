//! Which memories "forget X" names, without looking at all of them.

use std::collections::HashMap;

use super::index::{Key, key};
use super::reading::Reading;

/// Whether what someone asked to forget names a memory: every word of it stands there, or it is its very subject.
pub(crate) fn names(asked: &Reading, memory: &Reading) -> bool {
    let subject = asked.subject.is_some() && asked.subject == memory.subject;
    let mut words = asked.words().peekable();
    let named = words.peek().is_some() && words.all(|word| memory.words().any(|other| other == word));
    subject || named
}

/// Readings by their words.
#[derive(Debug, Default)]
pub(crate) struct Naming {
    filed: HashMap<Key, Vec<u32>>,
}

impl Naming {
    /// Files a reading under the number `at`.
    pub(crate) fn add(&mut self, at: u32, reading: &Reading) {
        let mut keys: Vec<Key> = reading.words().map(|word| key("word", word)).collect();
        keys.extend(reading.subject.as_ref().map(|valued| key("subject", &valued.subject)));
        keys.sort_unstable();
        keys.dedup();
        for key in keys {
            self.filed.entry(key).or_default().push(at);
        }
    }

    /// The numbers of the readings that `asked` names, ascending, each once. `reading` gives the reading of a number.
    pub(crate) fn named<'a>(&self, asked: &Reading, reading: impl Fn(u32) -> Option<&'a Reading>) -> Vec<u32> {
        let under = |key: Key| self.filed.get(&key).map_or(&[][..], Vec::as_slice);
        // All words have to be there, so the rarest is enough to look under.
        let rarest = asked.words().map(|word| under(key("word", word))).min_by_key(|numbers| numbers.len());
        let subject = asked.subject.as_ref().map(|valued| under(key("subject", &valued.subject)));
        let mut named: Vec<u32> = rarest.into_iter().chain(subject).flatten().copied().collect();
        named.sort_unstable();
        named.dedup();
        named.retain(|&number| reading(number).is_some_and(|memory| names(asked, memory)));
        named
    }
}
