//! What reconciling knows about words: `rules/reconcile.toml`, compiled, and text cut into lexemes.
//!
//! A lexeme is the longest run of tokens ([`super::tokens`]) that the data names, else one token. One mechanism therefore
//! serves both scripts, and no word segmenter is needed: words the data does not name are compared character by
//! character in Chinese, stem by stem in English.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use regex::Regex;
use serde::Deserialize;

use super::tokens::{join, stem, tokens};

/// The data file as written.
const RULES: &str = include_str!("../../rules/reconcile.toml");

/// What a lexeme does in a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// An ordinary word: what the statement is about.
    Word,
    /// Whose statement it is; dropped.
    Person,
    /// Says nothing by itself; dropped.
    Filler,
    /// No exception is meant.
    Force,
    /// Chooses what follows.
    Take,
    /// Turns down what follows.
    Shun,
    /// Negates the clause.
    Not,
    /// Negates the clause, and no exception is meant.
    Never,
    /// Negates the clause, and something has changed.
    Quit,
    /// What follows was turned down in favour of what came before.
    Contrast,
    /// The same after a choice, else a scope.
    Over,
    /// Opens a scope that the next choice or refusal ends.
    Scope,
    /// Opens a condition that only a pause ends.
    When,
    /// Closes a condition that had no opener.
    Close,
    /// What follows is an exception.
    Exception,
    /// What follows is only a reason.
    Purpose,
    /// Something has changed.
    Change,
    /// Adds to what was said before.
    Also,
    /// A comma or "but": the clause ends, its polarity may go on.
    Pause,
    /// A full stop or line end.
    Stop,
}

/// A word as it is compared.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Word {
    /// One spelling for all forms: the stem, or the first spelling in the data.
    pub(crate) text: Box<str>,
    /// The group of excluding values it belongs to, by index.
    pub(crate) group: Option<u16>,
}

/// A run of tokens with its role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Lexeme {
    pub(crate) role: Role,
    pub(crate) word: Word,
    /// The tokens as they stood, for subject patterns.
    pub(crate) raw: Box<str>,
}

/// A group of values of which one holds at a time.
#[derive(Debug)]
pub(crate) struct Group {
    /// Words for the subject that a value of the group implies anyway.
    pub(crate) about: HashSet<Box<str>>,
    /// Words beside which several values may hold.
    pub(crate) unless: HashSet<Box<str>>,
    /// Whether the newer statement must tell of a change.
    pub(crate) soft: bool,
}

/// A pattern for a subject that has one value at a time.
#[derive(Debug)]
pub(crate) struct Subject {
    pub(crate) id: String,
    pub(crate) pattern: Regex,
}

/// The data, compiled.
#[derive(Debug, Default)]
pub(crate) struct Lexicon {
    /// By first token, the longest phrase first.
    phrases: HashMap<Box<str>, Vec<Phrase>>,
    pub(crate) groups: Vec<Group>,
    pub(crate) subjects: Vec<Subject>,
    pub(crate) generic: HashSet<Box<str>>,
    pub(crate) numbered: HashSet<Box<str>>,
    /// As they stand in a lexeme's `raw`.
    pub(crate) leans: HashSet<Box<str>>,
}

#[derive(Debug)]
struct Phrase {
    tokens: Vec<Box<str>>,
    role: Role,
    word: Word,
}

/// The data file's shape; each list is explained there.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Data {
    person: Vec<String>,
    leans: Vec<String>,
    filler: Vec<String>,
    force: Vec<String>,
    take: Vec<String>,
    shun: Vec<String>,
    not: Vec<String>,
    never: Vec<String>,
    quit: Vec<String>,
    contrast: Vec<String>,
    over: Vec<String>,
    scope: Vec<String>,
    when: Vec<String>,
    close: Vec<String>,
    exception: Vec<String>,
    purpose: Vec<String>,
    quality: Vec<String>,
    change: Vec<String>,
    also: Vec<String>,
    generic: Vec<String>,
    numbered: Vec<String>,
    keep: Vec<String>,
    same: Vec<Vec<String>>,
    group: Vec<GroupData>,
    subject: Vec<SubjectData>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct GroupData {
    /// Its name, for readers of the file.
    #[serde(rename = "id")]
    _id: String,
    values: Vec<Vec<String>>,
    #[serde(default)]
    about: Vec<String>,
    #[serde(default)]
    unless: Vec<String>,
    #[serde(default)]
    soft: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SubjectData {
    id: String,
    pattern: String,
}

/// The embedded lexicon. A fault in the data is found by this module's test; it costs recall, never a panic.
pub(crate) fn lexicon() -> &'static Lexicon {
    static LEXICON: OnceLock<Lexicon> = OnceLock::new();
    LEXICON.get_or_init(|| Lexicon::new(toml::from_str(RULES).unwrap_or_default()))
}

/// What is read more loosely than [`lexicon`] does, before all that it knows.
#[derive(Debug, Default)]
pub(crate) struct Looser {
    /// Words for one thing.
    pub(crate) same: Vec<Vec<String>>,
    /// Says nothing by itself.
    pub(crate) filler: Vec<String>,
    /// Negates the clause.
    pub(crate) not: Vec<String>,
    /// Words like others, whatever else they do.
    pub(crate) word: Vec<String>,
}

impl Lexicon {
    /// A lexicon with more words for one thing.
    pub(crate) fn looser(more: Looser) -> Self {
        let mut data: Data = toml::from_str(RULES).unwrap_or_default();
        data.same.splice(0..0, more.same);
        data.filler.extend(more.filler);
        data.not.extend(more.not);
        data.keep.extend(more.word);
        Self::new(data)
    }

    fn new(data: Data) -> Self {
        let leans = data.leans.iter().map(|word| tokens(word).concat().into()).collect();
        let mut lexicon = Self { leans, ..Self::default() };
        lexicon.add_words(&data);
        let reasons = data.quality.iter().map(|quality| format!("for {quality}"));
        for (role, phrases) in [
            (Role::Person, data.person),
            (Role::Force, data.force),
            (Role::Take, data.take),
            (Role::Shun, data.shun),
            (Role::Not, data.not),
            (Role::Never, data.never),
            (Role::Quit, data.quit),
            (Role::Contrast, data.contrast),
            (Role::Over, data.over),
            (Role::Scope, data.scope),
            (Role::When, data.when),
            (Role::Close, data.close),
            (Role::Exception, data.exception),
            (Role::Purpose, data.purpose),
            (Role::Purpose, reasons.collect()),
            (Role::Change, data.change),
            (Role::Also, data.also),
            (Role::Word, data.keep),
            (Role::Filler, data.filler),
            (Role::Pause, vec!["but".into(), "但是".into(), "但".into()]),
        ] {
            for phrase in phrases {
                let tokens = tokens(&phrase);
                let word = Word { text: tokens.concat().into(), group: None };
                lexicon.add(tokens, role, word);
            }
        }
        for phrases in lexicon.phrases.values_mut() {
            phrases.sort_by_key(|phrase| std::cmp::Reverse(phrase.tokens.len()));
        }
        let known = |words: &[String], lexicon: &Self| -> HashSet<Box<str>> {
            let lexemes = words.iter().flat_map(|word| lexicon.lexemes(word));
            lexemes.map(|lexeme| lexeme.word.text).collect()
        };
        lexicon.generic = known(&data.generic, &lexicon);
        lexicon.numbered = known(&data.numbered, &lexicon);
        lexicon.groups = data
            .group
            .iter()
            .map(|group| Group {
                about: known(&group.about, &lexicon),
                unless: known(&group.unless, &lexicon),
                soft: group.soft,
            })
            .collect();
        lexicon.subjects = data
            .subject
            .into_iter()
            .filter_map(|subject| {
                let pattern = Regex::new(&subject.pattern).ok()?;
                Some(Subject { id: subject.id, pattern })
            })
            .collect();
        lexicon
    }

    /// Values of groups and words for one thing, each under its first spelling.
    fn add_words(&mut self, data: &Data) {
        let mut groups = HashMap::new();
        for (index, group) in (0..).zip(&data.group) {
            for spellings in &group.values {
                for spelling in spellings {
                    let word = Word {
                        text: spellings.first().map_or(String::new(), |s| tokens(s).join(" ")).into(),
                        group: Some(index),
                    };
                    groups.insert(spelling.as_str(), word.clone());
                    self.add(tokens(spelling), Role::Word, word);
                }
            }
        }
        for spellings in &data.same {
            let Some(first) = spellings.first() else {
                continue;
            };
            let plain = || Word { text: tokens(first).join(" ").into(), group: None };
            let word = groups.get(first.as_str()).cloned().unwrap_or_else(plain);
            for spelling in spellings {
                self.add(tokens(spelling), Role::Word, word.clone());
            }
        }
    }

    /// The first list that names a phrase decides its role.
    fn add(&mut self, tokens: Vec<Box<str>>, role: Role, word: Word) {
        let Some(first) = tokens.first() else {
            return;
        };
        let phrases = self.phrases.entry(first.clone()).or_default();
        if phrases.iter().all(|phrase| phrase.tokens != tokens) {
            phrases.push(Phrase { tokens, role, word });
        }
    }

    /// Cuts a text into lexemes.
    pub(crate) fn lexemes(&self, text: &str) -> Vec<Lexeme> {
        let tokens = tokens(text);
        let mut lexemes = Vec::with_capacity(tokens.len());
        let mut rest = tokens.as_slice();
        while let Some((first, tail)) = rest.split_first() {
            let phrase =
                self.phrases.get(first).and_then(|phrases| phrases.iter().find(|p| rest.starts_with(&p.tokens)));
            if let Some(phrase) = phrase {
                let (taken, tail) = rest.split_at(phrase.tokens.len());
                lexemes.push(Lexeme { role: phrase.role, word: phrase.word.clone(), raw: join(taken).into() });
                rest = tail;
                continue;
            }
            lexemes.push(plain(first));
            rest = tail;
        }
        lexemes
    }
}

fn plain(token: &str) -> Lexeme {
    let role = match token {
        "," => Role::Pause,
        "." => Role::Stop,
        ":" => Role::Filler,
        _ => Role::Word,
    };
    Lexeme { role, word: Word { text: stem(token).into(), group: None }, raw: token.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_is_sound() {
        let data: Data = toml::from_str(RULES).unwrap();
        assert!(data.group.iter().all(|group| group.values.len() > 1));
        let subjects = data.subject.len();
        assert_eq!(Lexicon::new(data).subjects.len(), subjects, "a pattern does not compile");
    }
}
