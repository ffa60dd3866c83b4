//! The terms of a text: what two turns are compared by when it is asked whether they talk about the same thing.

use std::collections::HashSet;

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

/// The topic terms of a text: folded Latin words of three letters and more that are not common, words with a
/// digit or a path sign in them, and bigrams of Chinese characters.
#[must_use]
pub fn terms(text: &str) -> HashSet<String> {
    let folded = fold(text);
    let mut found = HashSet::new();
    for word in folded.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/')) || is_han(c)) {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        if word.chars().count() >= 3 && COMMON.binary_search(&word).is_err() {
            found.insert(word.strip_suffix('s').filter(|w| w.len() > 3).unwrap_or(word).to_owned());
        }
    }
    let chars: Vec<char> = folded.chars().collect();
    found.extend(chars.windows(2).filter(|w| w.iter().all(|&c| is_han(c))).map(|w| w.iter().collect::<String>()));
    found
}

/// How much of the smaller set stands in the other, 0 to 1; 0 where either is empty.
#[must_use]
pub fn overlap(a: &HashSet<String>, b: &HashSet<String>) -> f32 {
    let smaller = a.len().min(b.len());
    if smaller == 0 {
        return 0.0;
    }
    #[expect(clippy::cast_precision_loss, reason = "a few hundred terms at most")]
    let share = a.intersection(b).count() as f32 / smaller as f32;
    share
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
        assert!(overlap(&terms("release notes"), &terms("the notes of this release are long")) > 0.9);
        assert_eq!(overlap(&terms(""), &terms("x")), 0.0);
    }
}
