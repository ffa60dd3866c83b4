//! The terms of a text: what two turns are compared by when it is asked whether they talk about the same thing.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::hash::BuildHasher;

use super::fold::fold;
use super::script::is_han;

/// Latin words too common to name a topic, sorted.
const COMMON: &[&str] = &[
    "add", "again", "all", "also", "and", "any", "are", "been", "but", "can", "could", "did", "does", "done", "dont",
    "for", "from", "get", "good", "got", "great", "had", "has", "have", "her", "here", "his", "how", "into", "isnt",
    "its", "just", "let", "lets", "like", "make", "more", "need", "not", "now", "okay", "one", "only", "onto", "our",
    "out", "please", "put", "should", "some", "still", "thanks", "that", "the", "them", "then", "there", "they",
    "this", "too", "two", "use", "want", "was", "were", "what", "when", "where", "which", "who", "why", "will", "with",
    "would", "yes", "you", "your",
];

/// The topic terms of a text, each as its hash: they are only counted and compared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Terms(Vec<u64>);

impl Terms {
    /// The terms of `text`.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let hasher = foldhash::fast::FixedState::default();
        let mut terms = Vec::new();
        each(&fold(text), |term| {
            terms.push(match term {
                Term::Word(word) => hasher.hash_one(word),
                Term::Pair(first, second) => hasher.hash_one((first, second)),
            });
        });
        Self::sorted(terms)
    }

    fn sorted(mut terms: Vec<u64>) -> Self {
        terms.sort_unstable();
        terms.dedup();
        Self(terms)
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether every one of them stands in the other.
    #[must_use]
    pub fn is_within(&self, other: &Self) -> bool {
        shared(&self.0, &other.0) == self.len()
    }

    /// Takes in the terms of another text.
    pub fn extend(&mut self, other: &Self) {
        let all = self.0.iter().chain(&other.0).copied().collect();
        *self = Self::sorted(all);
    }

    /// How much of the smaller set stands in the other, 0 to 1; 0 where either is empty.
    #[must_use]
    pub fn overlap(&self, other: &Self) -> f32 {
        let smaller = self.len().min(other.len());
        if smaller == 0 {
            return 0.0;
        }
        #[expect(clippy::cast_precision_loss, reason = "a few hundred terms at most")]
        let share = shared(&self.0, &other.0) as f32 / smaller as f32;
        share
    }
}

/// How many of the sorted `a` stand in the sorted `b`.
fn shared(mut a: &[u64], mut b: &[u64]) -> usize {
    let mut count = 0;
    while let ([first, rest @ ..], [other, others @ ..]) = (a, b) {
        match first.cmp(other) {
            Ordering::Less => a = rest,
            Ordering::Greater => b = others,
            Ordering::Equal => (a, b, count) = (rest, others, count + 1),
        }
    }
    count
}

/// The topic terms of a text, spelled out.
#[must_use]
pub fn terms(text: &str) -> HashSet<String> {
    let mut found = HashSet::new();
    each(&fold(text), |term| {
        found.insert(match term {
            Term::Word(word) => word.to_owned(),
            Term::Pair(first, second) => String::from_iter([first, second]),
        });
    });
    found
}

/// A term.
enum Term<'t> {
    Word(&'t str),
    Pair(char, char),
}

/// Calls `take` on each term of a folded text: Latin words of three letters and more that are not common, words with a
/// digit or a path sign in them, and bigrams of Chinese characters.
fn each<'t>(folded: &'t str, mut take: impl FnMut(Term<'t>)) {
    for word in folded.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/')) || is_han(c)) {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        if has_three(word) && COMMON.binary_search(&word).is_err() {
            take(Term::Word(word.strip_suffix('s').filter(|w| w.len() > 3).unwrap_or(word)));
        }
    }
    if folded.is_ascii() {
        return;
    }
    let mut before = None;
    for c in folded.chars() {
        let here = is_han(c).then_some(c);
        if let (Some(first), Some(second)) = (before, here) {
            take(Term::Pair(first, second));
        }
        before = here;
    }
}

/// Whether a word has three characters and more.
fn has_three(word: &str) -> bool {
    word.chars().nth(2).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_names_paths_and_bigrams() {
        let found = terms("Put the tests into net/fetch.py, 导出日报");
        for term in ["test", "net/fetch.py", "导出", "日报"] {
            assert!(found.contains(term), "{term} in {found:?}");
        }
        assert!(!found.contains("the"));
    }

    #[test]
    fn the_common_words_are_sorted() {
        assert!(COMMON.is_sorted());
    }

    #[test]
    fn overlap_is_measured_on_the_smaller_set() {
        let notes = Terms::of("release notes");
        assert!(notes.overlap(&Terms::of("the notes of this release are long")) > 0.9);
        assert_eq!(Terms::default().overlap(&notes), 0.0);
    }

    #[test]
    fn what_is_counted_is_what_is_spelled_out() {
        for text in ["Put the tests into net/fetch.py, 导出日报 and 导出日志 tests", "", "a b", "导出"] {
            assert_eq!(Terms::of(text).len(), terms(text).len(), "{text}");
        }
        let mut both = Terms::of("release notes");
        both.extend(&Terms::of("notes, written"));
        assert_eq!(both.len(), 3);
    }
}
