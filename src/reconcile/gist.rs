//! The gist of a rule: the things it is about, each with how much it tells and whether it is wanted, in whatever words.
//!
//! [`super::reading`] takes a statement apart strictly, because what it says decides what leaves a store. A gist is read
//! loosely, with `rules/likeness.toml` on top: words for one thing are one thing, in both languages; order, scope and the
//! verbs that only carry a rule hardly count.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::OnceLock;

use serde::Deserialize;

use super::tokens::{is_han, stem, tokens};
use super::words::{Lexeme, Lexicon, Looser, Role, Word};

/// The data file as written.
const RULES: &str = include_str!("../../rules/likeness.toml");

/// What a word that only carries a rule tells, against 1 for the others.
const LIGHT: f64 = 0.25;
/// What one Han character of a word that the data does not name tells: most words have two.
const HAN: f64 = 0.5;

/// The gist of one rule.
#[derive(Debug, Default)]
pub(super) struct Gist {
    /// By its one spelling.
    pub(super) things: BTreeMap<Box<str>, Thing>,
    /// Whether it names an exception: then it is not the rule without one.
    pub(super) is_limited: bool,
    /// What has to come first for it to hold no more ("never A without B"): a rule that says nothing of that is another.
    pub(super) conditions: Vec<Box<str>>,
}

/// One thing a rule is about.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Thing {
    /// How much it tells, up to 1.
    pub(super) weight: f64,
    /// Whether it is wanted somewhere in the rule.
    pub(super) is_wanted: bool,
    /// Whether it is turned down somewhere in the rule.
    pub(super) is_refused: bool,
    /// The group of excluding values it belongs to; numbers are one group.
    pub(super) group: Option<u16>,
}

/// The group of numbers.
const NUMBERS: u16 = u16::MAX;

impl Gist {
    /// Reads a rule.
    pub(super) fn new(text: &str) -> Self {
        // Its full stops end no sentence.
        let lexemes = vocabulary().lexicon.lexemes(&text.replace("e.g.", "eg"));
        let mut gist = Self::default();
        for sentence in lexemes.split(|lexeme| lexeme.role == Role::Stop) {
            gist.sentence(sentence);
        }
        gist
    }

    fn sentence(&mut self, sentence: &[Lexeme]) {
        let vocabulary = vocabulary();
        let negates = |lexeme: &&Lexeme| matches!(lexeme.role, Role::Not | Role::Never);
        let conditions = |lexeme: &&Lexeme| vocabulary.condition.contains(&lexeme.raw);
        let negations = sentence.iter().filter(negates).count();
        let is_open = sentence.iter().filter(conditions).any(|c| negations > usize::from(negates(&c)));
        let mut voice = Voice::default();
        let mut is_condition = false;
        for lexeme in sentence {
            is_condition = lexeme.role != Role::Pause && (is_condition || is_open && conditions(&lexeme));
            if let Some(word) = voice.hears(lexeme) {
                let name = vocabulary.one_spelling(word);
                self.conditions.extend(is_condition.then(|| name.clone()));
                let thing = self.things.entry(name).or_default();
                thing.weight = vocabulary.weight(word);
                thing.group = vocabulary.group(word);
                thing.is_wanted |= is_open || !voice.refuses;
                thing.is_refused |= is_open || voice.refuses;
            }
            self.is_limited |= lexeme.role == Role::Exception;
        }
    }
}

/// Where a sentence stands: whether what comes is turned down, or none of the rule.
#[derive(Default)]
struct Voice {
    refuses: bool,
    /// Whether a thing was named since the clause began, or since it was negated.
    has_named: bool,
    /// Until the next pause: an example, a reason.
    is_aside: bool,
}

impl Voice {
    /// The word, if it is one of the rule.
    fn hears<'l>(&mut self, lexeme: &'l Lexeme) -> Option<&'l Word> {
        if lexeme.role == Role::Pause {
            *self = Self::default();
            return None;
        }
        self.is_aside |= lexeme.role == Role::Purpose || vocabulary().example.contains(&lexeme.raw);
        if self.is_aside {
            return None;
        }
        match lexeme.role {
            Role::Word => {
                self.has_named = true;
                return Some(&lexeme.word);
            }
            Role::Not | Role::Never | Role::Quit | Role::Shun => {
                // Turning down a refusal ("never skip the tests") chooses.
                self.refuses = self.has_named || !self.refuses;
                self.has_named = false;
            }
            Role::Contrast => self.refuses = true,
            Role::Over => self.refuses |= self.has_named,
            Role::Take if self.has_named => self.refuses = false,
            _ => {}
        }
        None
    }
}

/// The data file's shape; each list is explained there.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Data {
    filler: Vec<String>,
    example: Vec<String>,
    light: Vec<String>,
    condition: Vec<String>,
    same: Vec<Vec<String>>,
}

/// The data, compiled.
struct Vocabulary {
    lexicon: Lexicon,
    example: HashSet<Box<str>>,
    light: HashSet<Box<str>>,
    condition: HashSet<Box<str>>,
    /// The one spelling of a thing by the stems of its English words.
    stems: HashMap<Box<str>, Box<str>>,
}

/// A fault in the data is found by this module's test; it costs recall, never a panic.
fn vocabulary() -> &'static Vocabulary {
    static VOCABULARY: OnceLock<Vocabulary> = OnceLock::new();
    VOCABULARY.get_or_init(|| Vocabulary::new(toml::from_str(RULES).unwrap_or_default()))
}

impl Vocabulary {
    fn new(data: Data) -> Self {
        let mut stems = HashMap::new();
        for spellings in &data.same {
            let one = spellings.first().map_or(String::new(), |first| tokens(first).join(" "));
            for spelling in spellings {
                if let [only] = tokens(spelling).as_slice() {
                    stems.entry(stem(only).into()).or_insert_with(|| one.clone().into());
                }
            }
        }
        let raw = |words: &[String]| words.iter().map(|word| super::tokens::join(&tokens(word)).into()).collect();
        let (example, condition) = (raw(&data.example), raw(&data.condition));
        let light = data.light.iter().map(|word| stem(&tokens(word).join(" ")).into()).collect();
        let looser = Looser {
            same: data.same,
            filler: [data.filler, data.example].concat(),
            not: vec!["without".to_owned(), "未".to_owned(), "未经".to_owned()],
            word: data.light,
        };
        Self { lexicon: Lexicon::looser(looser), example, light, condition, stems }
    }

    fn one_spelling(&self, word: &Word) -> Box<str> {
        if word.group.is_some() { word.text.clone() } else { self.stems.get(&word.text).unwrap_or(&word.text).clone() }
    }

    fn weight(&self, word: &Word) -> f64 {
        let is_light = self.light.contains(stem(&word.text).as_str()) || self.light.contains(&self.one_spelling(word));
        let is_character = word.text.chars().count() == 1 && word.text.chars().all(is_han);
        match (is_light, is_character) {
            (true, _) => LIGHT,
            (false, true) => HAN,
            (false, false) => 1.0,
        }
    }

    fn group(&self, word: &Word) -> Option<u16> {
        let is_number = self.one_spelling(word).starts_with(|c: char| c.is_ascii_digit());
        word.group.or(is_number.then_some(NUMBERS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> String {
        let gist = Gist::new(text);
        let things = gist.things.iter().filter(|(_, thing)| thing.weight > LIGHT).map(|(name, thing)| {
            let voice = match (thing.is_wanted, thing.is_refused) {
                (true, true) => "±",
                (false, _) => "-",
                _ => "",
            };
            format!("{voice}{name}")
        });
        things.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_data_is_sound() {
        let data: Data = toml::from_str(RULES).unwrap();
        assert!(data.same.iter().all(|spellings| spellings.len() > 1));
    }

    #[test]
    fn things_are_told_by_one_spelling_with_what_is_wanted_of_them() {
        for (text, expected) in [
            ("Always remove debug output, never logs.", "debug delete -log print"),
            ("Don't use yarn, use pnpm.", "pnpm -yarn"),
            ("pnpm instead of yarn", "pnpm -yarn"),
            ("Never merge without asking me.", "±ask ±merge"),
            ("Never skip the tests, e.g. those of the parser.", "test"),
            ("删掉旧目录，别留着。", "delete folder 旧 -留 -着"),
        ] {
            assert_eq!(told(text), expected, "{text}");
        }
    }
}
