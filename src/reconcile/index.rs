//! Blocking: which of many readings a new one has to be compared with.
//!
//! Readings are filed under [`keys`] and looked for under [`asks`]; a lookup visits only readings filed under something
//! it asks for. Nothing is lost by that, for each rule of [`super::judge`] that answers anything but
//! [`super::Comparison::Distinct`] needs something that both sides then have as a key:
//!
//! | rule | needs | key |
//! |---|---|---|
//! | same wording | equal tokens | `plain` |
//! | value of a subject | equal subjects | `subject` |
//! | chosen or refused alike, turned round, refined, excepted | one side's words equal to one side's of the other, in any order | `words`, sorted |
//! | other value in the scope | the same | `words` |
//! | other value, other number, slip of the pen | words equal but for one, of one group, a number, or long with one letter left out | `but`, for each such word |
//! | given up | the refused words begin the chosen ones | `quits` asked for by each beginning, `begins` asked for by who gives up |
//!
//! And whatever is added to the rules, [`super::judge::judge`] asks for a shared key before any of them. The law is
//! tested against brute force with the bare rules.

use std::collections::{BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::reading::Reading;
use super::words::Word;

/// What a reading is filed under.
pub(crate) type Key = u64;

/// The keys a reading is filed under.
pub(crate) fn keys(reading: &Reading) -> BTreeSet<Key> {
    let mut keys = shared(reading);
    keys.extend(beginnings(reading).map(|words| key("begins", &words)));
    keys.extend(quits(reading).map(|words| key("quits", &words)));
    keys
}

/// The keys under which a reading looks for others; the relation is symmetric.
pub(crate) fn asks(reading: &Reading) -> BTreeSet<Key> {
    let mut keys = shared(reading);
    keys.extend(beginnings(reading).map(|words| key("quits", &words)));
    keys.extend(quits(reading).map(|words| key("begins", &words)));
    keys
}

fn shared(reading: &Reading) -> BTreeSet<Key> {
    let mut keys = BTreeSet::from([key("plain", &reading.plain)]);
    if let Some(valued) = &reading.subject {
        keys.insert(key("subject", &valued.subject));
    }
    for words in [&reading.taken, &reading.refused] {
        if !words.is_empty() {
            let mut sorted: Vec<&Word> = words.iter().collect();
            sorted.sort();
            keys.insert(key("words", &sorted));
        }
    }
    let taken = &reading.taken;
    for (at, word) in taken.iter().enumerate() {
        let before: Vec<&Word> = taken.iter().take(at).collect();
        let after: Vec<&Word> = taken.iter().skip(at + 1).collect();
        keys.extend(sorts(word).iter().map(|sort| key("but", &(&before, sort, &after))));
    }
    keys
}

/// The sorts of word of which one may stand for another.
///
/// Of a long word, one for the word itself and one for each letter left out of it: two words that are one edit or swap
/// apart have one of these in common, and hardly any others do.
fn sorts(word: &Word) -> Vec<String> {
    if let Some(group) = word.group {
        return vec![format!("group {group}")];
    }
    let letters: Vec<char> = word.text.chars().collect();
    if letters.first().is_some_and(|&first| first.is_ascii_digit() || first == '.') {
        return vec!["number".to_owned()];
    }
    if letters.len() < 7 || !letters.iter().all(char::is_ascii_alphabetic) {
        return Vec::new();
    }
    let without = |left_out: usize| {
        let rest = letters.iter().enumerate().filter(|(at, _)| *at != left_out);
        format!("long {}", rest.map(|(_, letter)| letter).collect::<String>())
    };
    (0..=letters.len()).map(without).collect()
}

fn beginnings(reading: &Reading) -> impl Iterator<Item = &[Word]> {
    let taken = reading.refused.is_empty().then_some(&reading.taken);
    taken.into_iter().flat_map(|taken| (1..=taken.len()).filter_map(|length| taken.get(..length)))
}

fn quits(reading: &Reading) -> impl Iterator<Item = &[Word]> {
    let quits = reading.change && reading.taken.is_empty() && !reading.refused.is_empty();
    quits.then_some(reading.refused.as_slice()).into_iter()
}

/// A key of some value, apart from those of other spaces.
pub(crate) fn key(space: &str, value: &impl Hash) -> Key {
    let mut hasher = DefaultHasher::new();
    space.hash(&mut hasher);
    value.hash(&mut hasher);
    hasher.finish()
}

/// Readings by key.
#[derive(Debug, Default)]
pub(crate) struct Index {
    filed: HashMap<Key, Vec<u32>>,
}

impl Index {
    /// Files a reading under the number `at`.
    pub(crate) fn add(&mut self, at: u32, reading: &Reading) {
        for key in keys(reading) {
            self.filed.entry(key).or_default().push(at);
        }
    }

    /// The numbers of all readings that may not be distinct from this one, ascending, each once.
    pub(crate) fn related(&self, reading: &Reading) -> Vec<u32> {
        let mut related: Vec<u32> =
            asks(reading).iter().filter_map(|key| self.filed.get(key)).flatten().copied().collect();
        related.sort_unstable();
        related.dedup();
        related
    }
}
