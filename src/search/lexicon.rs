//! What the search knows about words: `rules/search.toml`, compiled.
//!
//! A group of words for one thing becomes a *concept*, a group of words of one field a *topic*: tokens of their own that
//! stand in the index beside each of the words. So a question meets a memory that says the same in other words, or in the
//! other language, and looking for one token is enough.

use std::collections::HashMap;
use std::sync::OnceLock;

use rust_stemmers::{Algorithm, Stemmer};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::text::fold::fold;
use crate::text::script::is_han;

/// The data file as written.
const RULES: &str = include_str!("../../rules/search.toml");

/// What the token of a concept begins with, and that of a topic: private-use characters, which no word of a text holds.
const CONCEPT: char = '\u{e000}';
pub(super) const TOPIC: char = '\u{e001}';

/// What the data says of a word or phrase.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Entry {
    /// It says nothing about a topic.
    pub(super) filler: bool,
    /// The tokens of the concepts it names.
    pub(super) concepts: Vec<String>,
    /// The tokens of the topics it belongs to.
    pub(super) topics: Vec<String>,
}

/// The data, compiled.
#[derive(Default)]
pub(super) struct Lexicon {
    /// Latin phrases by their first stem, the longest first.
    phrases: HashMap<String, Vec<(Vec<String>, Entry)>>,
    han: HashMap<String, Entry>,
    /// The length of the longest Han word, in characters.
    longest: usize,
    /// Changes with the data: an index that was made with other data is stale.
    pub(super) version: String,
}

/// The data file's shape; each list is explained there.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Data {
    filler: Vec<String>,
    same: Vec<Vec<String>>,
    near: Vec<Vec<String>>,
}

/// The embedded lexicon. A fault in the data is found by this module's test; it costs recall, never a panic.
pub(super) fn lexicon() -> &'static Lexicon {
    static LEXICON: OnceLock<Lexicon> = OnceLock::new();
    LEXICON.get_or_init(|| Lexicon::new(toml::from_str(RULES).unwrap_or_default()))
}

/// The stem of a folded Latin word; other words stay as they are.
pub(super) fn stem(word: &str) -> String {
    static STEMMER: OnceLock<Stemmer> = OnceLock::new();
    if word.len() < 3 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return word.to_owned();
    }
    STEMMER.get_or_init(|| Stemmer::create(Algorithm::English)).stem(word).into_owned()
}

impl Entry {
    /// Puts the word into a group; so it is no filler.
    fn join(&mut self, token: String, group: impl Fn(&mut Self) -> &mut Vec<String>) {
        self.filler = false;
        if !group(self).contains(&token) {
            group(self).push(token);
        }
    }
}

impl Lexicon {
    fn new(data: Data) -> Self {
        let digest = Sha256::digest(RULES.as_bytes());
        let version = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        let mut lexicon = Self { version, ..Self::default() };
        for word in &data.filler {
            lexicon.entry(word).filler = true;
        }
        for (number, words) in data.same.iter().enumerate() {
            words
                .iter()
                .for_each(|word| lexicon.entry(word).join(format!("{CONCEPT}{number}"), |entry| &mut entry.concepts));
        }
        for (number, words) in data.near.iter().enumerate() {
            words
                .iter()
                .for_each(|word| lexicon.entry(word).join(format!("{TOPIC}{number}"), |entry| &mut entry.topics));
        }
        for phrases in lexicon.phrases.values_mut() {
            phrases.sort_by_key(|(stems, _)| std::cmp::Reverse(stems.len()));
        }
        lexicon
    }

    fn entry(&mut self, word: &str) -> &mut Entry {
        let folded = fold(word);
        if folded.contains(is_han) {
            self.longest = self.longest.max(folded.chars().count());
            return self.han.entry(folded).or_default();
        }
        let stems: Vec<String> =
            folded.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).map(stem).collect();
        let phrases = self.phrases.entry(stems.first().cloned().unwrap_or_default()).or_default();
        let at = phrases.iter().position(|(known, _)| *known == stems).unwrap_or(phrases.len());
        if at == phrases.len() {
            phrases.push((stems, Entry::default()));
        }
        &mut phrases[at].1
    }

    /// The longest phrase that these stems begin with, and how many of them it takes.
    pub(super) fn phrase(&self, stems: &[&str]) -> Option<(usize, &Entry)> {
        let phrases = self.phrases.get(*stems.first()?)?;
        let fits =
            |known: &[String]| known.len() <= stems.len() && known.iter().zip(stems).all(|(one, other)| one == other);
        phrases.iter().find(|(known, _)| fits(known)).map(|(known, entry)| (known.len(), entry))
    }

    /// The longest Han word that these characters begin with, and how many of them it takes.
    pub(super) fn han(&self, chars: &[char]) -> Option<(usize, &Entry)> {
        let lengths = (1..=self.longest.min(chars.len())).rev();
        lengths
            .filter_map(|length| {
                let word: String = chars.iter().take(length).collect();
                Some((length, self.han.get(&word)?))
            })
            .next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_is_sound() {
        let data: Data = toml::from_str(RULES).unwrap();
        for words in data.same.iter().chain(&data.near) {
            assert!(words.len() > 1, "{words:?} is alone");
        }
    }

    #[test]
    fn words_for_one_thing_share_a_concept() {
        let lexicon = lexicon();
        let (length, english) = lexicon.phrase(&["commit", "messag", "today"]).unwrap();
        assert_eq!(length, 2);
        let chars: Vec<char> = "提交信息用英文".chars().collect();
        let (length, chinese) = lexicon.han(&chars).unwrap();
        assert_eq!(length, 4);
        assert_eq!(english.concepts, chinese.concepts);
        assert!(!english.concepts.is_empty());
    }
}
