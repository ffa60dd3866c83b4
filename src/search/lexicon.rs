//! What the search knows about words: `rules/search.toml`, compiled.
//!
//! A group of words for one thing becomes a *concept*, a group of words of one field a *topic*: tokens of their own that
//! stand in the index beside each of the words. So a question meets a memory that says the same in other words, or in the
//! other language, and looking for one token is enough.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use rust_stemmers::{Algorithm, Stemmer};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::text::fold::fold;
use crate::text::script::is_han;

/// The data file as written.
const RULES: &str = include_str!("../../rules/search.toml");

/// What the token of a concept begins with, that of a topic, and that of a stem: private-use characters, which no word of
/// a text holds.
const CONCEPT: char = '\u{e000}';
pub(super) const TOPIC: char = '\u{e001}';
const STEM: char = '\u{e002}';

/// How much a word says about a topic by what kind of word it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Load {
    /// Nothing: grammar, courtesy.
    Filler,
    /// Little: a verb or noun that any sentence may have.
    Light,
    /// It may be what the text is about.
    #[default]
    Full,
}

/// What the data says of a word or phrase.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) load: Load,
    /// The tokens of the concepts it names.
    pub(super) concepts: Vec<String>,
    /// The tokens of the topics it belongs to.
    pub(super) topics: Vec<String>,
}

/// The data, compiled.
#[derive(Default)]
pub(super) struct Lexicon {
    /// Latin phrases by their first word, the longest first.
    phrases: HashMap<String, Vec<(Vec<String>, Entry)>>,
    han: HashMap<String, Entry>,
    /// The length of the longest Han word, in characters.
    longest: usize,
    /// Words that are no filler when they are written just so.
    names: HashSet<String>,
    /// Changes with the data: an index that was made with other data is stale.
    pub(super) version: String,
}

/// The data file's shape; each list is explained there.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Data {
    filler: Vec<String>,
    light: Vec<String>,
    names: Vec<String>,
    same: Vec<Vec<String>>,
    near: Vec<Vec<String>>,
}

/// The embedded lexicon. A fault in the data is found by this module's test; it costs recall, never a panic.
pub(super) fn lexicon() -> &'static Lexicon {
    static LEXICON: OnceLock<Lexicon> = OnceLock::new();
    LEXICON.get_or_init(|| Lexicon::new(toml::from_str(RULES).unwrap_or_default()))
}

/// The token for the stem of a folded Latin word; `None` for what has no stem: short words, numbers, `c++`.
pub(super) fn stem(word: &str) -> Option<String> {
    static STEMMER: OnceLock<Stemmer> = OnceLock::new();
    if word.len() < 3 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return None;
    }
    Some(format!("{STEM}{}", STEMMER.get_or_init(|| Stemmer::create(Algorithm::English)).stem(word)))
}

/// The words that a folded English word may be an inflected form of, as WordNet's *morphy* detaches endings. Each is a
/// word only if a dictionary has it; so "busy" never becomes "business", as it does by its stem.
fn bases(word: &str) -> impl Iterator<Item = String> + '_ {
    const ENDINGS: [(&str, &str); 13] = [
        ("s", ""),
        ("ses", "s"),
        ("xes", "x"),
        ("zes", "z"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("oes", "o"),
        ("ies", "y"),
        ("ied", "y"),
        ("ed", ""),
        ("ed", "e"),
        ("ing", ""),
        ("ing", "e"),
    ];
    let detached = ENDINGS.iter().filter_map(move |(ending, instead)| {
        let rest = word.strip_suffix(ending).filter(|rest| rest.len() > 1)?;
        Some(format!("{rest}{instead}"))
    });
    // "stopped", "running".
    let single = ["ed", "ing"].into_iter().filter_map(move |ending| {
        let rest = word.strip_suffix(ending)?;
        let mut letters = rest.chars().rev();
        let last = letters.next()?;
        (letters.next() == Some(last)).then(|| rest.strip_suffix(last).map(str::to_owned)).flatten()
    });
    detached.chain(single)
}

impl Lexicon {
    fn new(data: Data) -> Self {
        let digest = Sha256::digest(RULES.as_bytes());
        let version = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        let names = data.names.iter().cloned().collect();
        let mut lexicon = Self { version, names, ..Self::default() };
        for (number, words) in data.same.iter().enumerate() {
            words.iter().for_each(|word| add(&mut lexicon.entry(word).concepts, format!("{CONCEPT}{number}")));
        }
        for (number, words) in data.near.iter().enumerate() {
            words.iter().for_each(|word| add(&mut lexicon.entry(word).topics, format!("{TOPIC}{number}")));
        }
        for word in &data.light {
            lexicon.entry(word).load = Load::Light;
        }
        for word in &data.filler {
            lexicon.entry(word).load = Load::Filler;
        }
        for phrases in lexicon.phrases.values_mut() {
            phrases.sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
        }
        lexicon
    }

    fn entry(&mut self, word: &str) -> &mut Entry {
        let folded = fold(word);
        if folded.contains(is_han) {
            self.longest = self.longest.max(folded.chars().count());
            return self.han.entry(folded).or_default();
        }
        let words: Vec<String> = folded.split_whitespace().map(str::to_owned).collect();
        let phrases = self.phrases.entry(words.first().cloned().unwrap_or_default()).or_default();
        let at = phrases.iter().position(|(known, _)| *known == words).unwrap_or(phrases.len());
        if at == phrases.len() {
            phrases.push((words, Entry::default()));
        }
        &mut phrases[at].1
    }

    /// The longest phrase that these words begin with, and how many of them it takes. A word is taken as it is, or else
    /// for what it is a form of.
    pub(super) fn phrase(&self, words: &[&str]) -> Option<(usize, &Entry)> {
        let first = *words.first()?;
        let as_it_is = self.beginning(first, words);
        // Filler has no other forms but those that stand there.
        let tells = |found: &(usize, &Entry)| found.1.load != Load::Filler;
        as_it_is.or_else(|| bases(first).find_map(|base| self.beginning(&base, words).filter(tells)))
    }

    /// The longest phrase with this first word that fits to the others.
    fn beginning(&self, first: &str, words: &[&str]) -> Option<(usize, &Entry)> {
        let is_one = |(known, word): (&String, &&str)| known == word || bases(word).any(|base| base == *known);
        let fits = |known: &[String]| known.len() <= words.len() && known.iter().zip(words).skip(1).all(is_one);
        self.phrases.get(first)?.iter().find(|(known, _)| fits(known)).map(|(known, entry)| (known.len(), entry))
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

    /// Whether a word that is filler in small letters names something as it is written here: "IT", "US", "Go". At the
    /// beginning of a sentence one capital says nothing.
    pub(super) fn is_name(&self, written: &str, is_first: bool) -> bool {
        let capitals = written.chars().filter(|c| c.is_uppercase()).count();
        self.names.contains(written) && (capitals > 1 || !is_first)
    }
}

fn add(tokens: &mut Vec<String>, token: String) {
    if !tokens.contains(&token) {
        tokens.push(token);
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
        let (length, english) = lexicon.phrase(&["commit", "messages", "today"]).unwrap();
        assert_eq!(length, 2);
        let chars: Vec<char> = "提交信息用英文".chars().collect();
        let (length, chinese) = lexicon.han(&chars).unwrap();
        assert_eq!(length, 4);
        assert_eq!(english.concepts, chinese.concepts);
        assert!(!english.concepts.is_empty());
    }

    #[test]
    fn a_form_of_a_word_is_found_and_a_word_that_only_looks_like_one_is_not() {
        let lexicon = lexicon();
        let concepts =
            |word: &str| lexicon.phrase(&[word]).map(|(_, entry)| entry.concepts.clone()).unwrap_or_default();
        for (form, word) in [("deploying", "deploy"), ("merged", "merge"), ("queries", "query"), ("stopped", "stop")] {
            assert!(!concepts(word).is_empty() && concepts(form) == concepts(word), "{form}");
        }
        assert_ne!(concepts("busy"), concepts("business"));
        assert_ne!(concepts("training"), concepts("train"));
    }

    #[test]
    fn capitals_make_a_name_of_filler() {
        let lexicon = lexicon();
        assert!(lexicon.is_name("IT", true) && lexicon.is_name("Go", false));
        assert!(!lexicon.is_name("it", false) && !lexicon.is_name("Go", true) && !lexicon.is_name("DO", true));
    }
}
