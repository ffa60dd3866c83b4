//! Text as the search sees it: units, each a word with the tokens that stand for it in the index.
//!
//! Latin text is cut into words and stemmed; Han text into the words that the lexicon names, and what lies between them
//! into pairs of characters. Filler is dropped on both sides.

use std::ops::Range;

use super::lexicon::{Entry, Lexicon, TOPIC, stem};
use crate::text::fold::Folded;
use crate::text::script::is_han;

/// A word of a text, or a pair of Han characters.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Unit {
    /// The tokens that stand for it, the closest first.
    pub(super) tokens: Vec<Token>,
    /// Where it stands in the original, in bytes.
    pub(super) span: Range<usize>,
    /// How much of the text's meaning it carries by its form alone; 1 for a word.
    pub(super) weight: f32,
}

impl Token {
    /// Whether it only says what field the word is from.
    pub(super) fn is_topic(&self) -> bool {
        self.text.starts_with(TOPIC)
    }
}

/// A token, and how close its meaning is to the unit's, 0 to 1.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Token {
    pub(super) text: String,
    pub(super) closeness: f32,
}

/// A word for the same thing is nearly as good as the word itself.
const BY_CONCEPT: f32 = 0.85;
/// A word of the same field may be what was meant.
const BY_TOPIC: f32 = 0.5;
/// One Han character between two words is rarely a word.
const SINGLE: f32 = 0.3;
/// What a Han character of a pair weighs: two of them make about one word, some pairs lie across a border of words.
const HAN: f32 = 0.4;
/// A number by itself tells little.
const NUMBER: f32 = 0.6;

/// The units of a text, in order.
pub(super) fn units(text: &str, lexicon: &Lexicon) -> Vec<Unit> {
    let folded = Folded::new(text);
    let mut units = Vec::new();
    for run in runs(folded.as_str()) {
        match run {
            Run::Latin(words) => latin(&words, text, &folded, lexicon, &mut units),
            Run::Han(chars) => han(&chars, &folded, lexicon, &mut units),
        }
    }
    units
}

/// The tokens of a text as they stand in the index: those of its units, the words of its phrases one by one, and every
/// Han character and pair.
pub(super) fn tokens(text: &str, lexicon: &Lexicon) -> String {
    let mut tokens: Vec<String> = Vec::new();
    for unit in units(text, lexicon) {
        tokens.extend(unit.tokens.into_iter().map(|token| token.text));
    }
    let folded = Folded::new(text);
    for run in runs(folded.as_str()) {
        match run {
            Run::Latin(words) => {
                let stems = words.iter().map(|(_, word)| stem(word));
                tokens.extend(stems.filter(|stem| !lexicon.phrase(&[stem]).is_some_and(|(_, entry)| entry.filler)));
            }
            Run::Han(chars) => {
                let chars: Vec<char> = chars.iter().map(|(_, c)| *c).collect();
                tokens.extend(chars.iter().map(char::to_string));
                tokens.extend(chars.windows(2).map(|pair| pair.iter().collect::<String>()));
            }
        }
    }
    tokens.sort();
    tokens.dedup();
    tokens.join(" ")
}

/// A stretch of folded text in one script.
enum Run<'t> {
    /// Words, each with its offset.
    Latin(Vec<(usize, &'t str)>),
    /// Characters, each with its offset.
    Han(Vec<(usize, char)>),
}

fn runs(text: &str) -> Vec<Run<'_>> {
    let mut runs = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        let is_word = c.is_alphanumeric() && !is_han(c);
        if is_word {
            start.get_or_insert(at);
            continue;
        }
        if let Some(from) = start.take() {
            let word = text.get(from..at).unwrap_or_default();
            match runs.last_mut() {
                Some(Run::Latin(words)) => words.push((from, word)),
                _ => runs.push(Run::Latin(vec![(from, word)])),
            }
        }
        match runs.last_mut() {
            Some(Run::Han(chars)) if is_han(c) && chars.last().is_some_and(|(last, c)| last + c.len_utf8() == at) => {
                chars.push((at, c));
            }
            _ if is_han(c) => runs.push(Run::Han(vec![(at, c)])),
            _ => {}
        }
    }
    runs
}

fn latin(words: &[(usize, &str)], text: &str, folded: &Folded, lexicon: &Lexicon, units: &mut Vec<Unit>) {
    let stems: Vec<String> = words.iter().map(|(_, word)| stem(word)).collect();
    let stems: Vec<&str> = stems.iter().map(String::as_str).collect();
    let mut at = 0;
    while let Some(rest) = stems.get(at..).filter(|rest| !rest.is_empty()) {
        let (length, entry) = lexicon.phrase(rest).map_or((1, None), |(length, entry)| (length, Some(entry)));
        let part = words.get(at..at + length).unwrap_or_default();
        at += length;
        let (Some((from, _)), Some((last, word))) = (part.first(), part.last()) else {
            continue;
        };
        if entry.is_some_and(|entry| entry.filler) {
            continue;
        }
        let span = folded.original(*from..last + word.len());
        let own = (length == 1).then(|| rest.first().map(|&stem| stem.to_owned())).flatten();
        let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
        let weight = if is_number { NUMBER } else { 1.0 };
        units.push(Unit { tokens: spelled(own, entry), span: span.clone(), weight });
        camel(text.get(span.clone()).unwrap_or_default(), &span, lexicon, units);
    }
}

/// The words that an identifier like `DownloadLog` is made of.
fn camel(word: &str, span: &Range<usize>, lexicon: &Lexicon, units: &mut Vec<Unit>) {
    let mut parts = Vec::new();
    let mut before = ' ';
    for c in word.chars() {
        if parts.is_empty() || (c.is_uppercase() && before.is_lowercase()) {
            parts.push(String::new());
        }
        if let Some(part) = parts.last_mut() {
            part.extend(c.to_lowercase());
        }
        before = c;
    }
    if parts.len() < 2 || word.contains(char::is_whitespace) {
        return;
    }
    for part in parts {
        let stem = stem(&part);
        let entry = lexicon.phrase(&[&stem]).map(|(_, entry)| entry);
        if !entry.is_some_and(|entry| entry.filler) {
            units.push(Unit { tokens: spelled(Some(stem.clone()), entry), span: span.clone(), weight: 0.5 });
        }
    }
}

fn han(chars: &[(usize, char)], folded: &Folded, lexicon: &Lexicon, units: &mut Vec<Unit>) {
    let plain: Vec<char> = chars.iter().map(|(_, c)| *c).collect();
    let span = |from: usize, length: usize| {
        let part = chars.get(from..from + length).unwrap_or_default();
        let start = part.first().map_or(0, |(at, _)| *at);
        let end = part.last().map_or(start, |(at, c)| at + c.len_utf8());
        folded.original(start..end)
    };
    let mut rest = 0;
    let mut at = 0;
    while at < plain.len() {
        let Some((length, entry)) = lexicon.han(plain.get(at..).unwrap_or_default()) else {
            at += 1;
            continue;
        };
        pairs(&plain, rest..at, &span, units);
        if !entry.filler {
            let word: String = plain.iter().skip(at).take(length).collect();
            units.push(Unit { tokens: spelled(Some(word), Some(entry)), span: span(at, length), weight: 1.0 });
        }
        at += length;
        rest = at;
    }
    pairs(&plain, rest..plain.len(), &span, units);
}

/// The pairs of what lies between two words.
fn pairs(chars: &[char], within: Range<usize>, span: &impl Fn(usize, usize) -> Range<usize>, units: &mut Vec<Unit>) {
    let part = chars.get(within.clone()).unwrap_or_default();
    let mut push = |at: usize, part: &[char], weight: f32| {
        let tokens = vec![Token { text: part.iter().collect(), closeness: 1.0 }];
        units.push(Unit { tokens, span: span(within.start + at, part.len()), weight });
    };
    if let [single] = part {
        push(0, &[*single], SINGLE);
    }
    #[expect(clippy::cast_precision_loss, reason = "a text's length in characters")]
    let weight = HAN * part.len() as f32 / part.len().saturating_sub(1).max(1) as f32;
    for (at, pair) in part.windows(2).enumerate() {
        push(at, pair, weight);
    }
}

fn spelled(own: Option<String>, entry: Option<&Entry>) -> Vec<Token> {
    let by_concept = if own.is_some() { BY_CONCEPT } else { 1.0 };
    let token = |text: &String, closeness: f32| Token { text: text.clone(), closeness };
    let mut tokens: Vec<Token> = own.iter().map(|own| token(own, 1.0)).collect();
    if let Some(entry) = entry {
        tokens.extend(entry.concepts.iter().map(|concept| token(concept, by_concept)));
        tokens.extend(entry.topics.iter().map(|topic| token(topic, BY_TOPIC)));
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::super::lexicon::lexicon;
    use super::*;

    fn seen(text: &str) -> Vec<&str> {
        units(text, lexicon()).iter().map(|unit| text.get(unit.span.clone()).unwrap()).collect()
    }

    #[test]
    fn filler_is_dropped_in_both_languages() {
        assert_eq!(seen("Could you please help me rename the photos?"), ["rename", "photos"]);
        assert_eq!(seen("请帮我重命名一下照片"), ["重命名", "照片"]);
    }

    #[test]
    fn an_identifier_is_found_by_its_words() {
        assert_eq!(seen("DownloadLog"), ["DownloadLog", "DownloadLog", "DownloadLog"]);
        assert!(tokens("DownloadLog", lexicon()).contains(&stem("download")));
    }

    #[test]
    fn traditional_and_simplified_are_one() {
        assert_eq!(tokens("資料庫遷移", lexicon()), tokens("数据库迁移".replace("数据", "资料").as_str(), lexicon()));
    }
}
