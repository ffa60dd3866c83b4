//! Text as the search sees it: units, each a word with the tokens that stand for it in the index.
//!
//! Latin text is cut into words and stemmed; Han text into the words that the lexicon names, and what lies between them
//! into pairs of characters. Filler is dropped on both sides.

use std::ops::Range;

use super::lexicon::{Entry, Lexicon, Load, TOPIC, stem};
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

/// A token, and how close its meaning is to the unit's, 0 to 1.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Token {
    pub(super) text: String,
    pub(super) closeness: f32,
}

impl Unit {
    /// Whether it is a word that any sentence may have.
    pub(super) fn is_light(&self) -> bool {
        self.weight <= LIGHT
    }

    /// Whether it is a pair of Han characters or one alone, which may be no word at all.
    pub(super) fn is_piece(&self) -> bool {
        self.weight == SINGLE || (HAN..1.0).contains(&self.weight) && self.tokens.len() == 1
    }
}

impl Token {
    /// Whether it only says what field the word is from.
    pub(super) fn is_topic(&self) -> bool {
        self.text.starts_with(TOPIC)
    }
}

/// Another form of the same word, or a word that only shares its stem.
const BY_STEM: f32 = 0.9;
/// A word for the same thing is nearly as good as the word itself.
const BY_CONCEPT: f32 = 0.85;
/// A part of a name with a dot in it ("node" in "node.js").
const BY_PART: f32 = 0.7;
/// A word of the same field may be what was meant.
const BY_TOPIC: f32 = 0.5;
/// One Han character between two words is rarely a word.
const SINGLE: f32 = 0.3;
/// What a Han character of a pair weighs: two of them make about one word, some pairs lie across a border of words.
const HAN: f32 = 0.4;
/// A word that any sentence may have.
const LIGHT: f32 = 0.3;
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
                let is_filler =
                    |word: &str| lexicon.phrase(&[word]).is_some_and(|(_, entry)| entry.load == Load::Filler);
                let words = words.iter().map(|(_, word)| *word).filter(|word| !is_filler(word));
                tokens.extend(words.flat_map(|word| spelled(word, None)).map(|token| token.text));
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
    let mut before = ' ';
    let mut chars = text.char_indices().chain([(text.len(), ' ')]).peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map_or(' ', |(_, next)| *next);
        if is_of_a_word(before, c, next, start.is_some()) {
            start.get_or_insert(at);
            before = c;
            continue;
        }
        before = c;
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

/// Whether a character belongs to a word: letters and digits do, and the marks in "C++", "C#", ".env", "node.js", "1.24".
fn is_of_a_word(before: char, c: char, next: char, within: bool) -> bool {
    let is_letter = |c: char| c.is_alphanumeric() && !is_han(c);
    match c {
        '.' if within => is_letter(before) && is_letter(next),
        // A Chinese full stop is folded to one, too: so not after a Han character.
        '.' => next.is_ascii_alphabetic() && (before.is_whitespace() || "/`\"'(".contains(before)),
        '+' => within && (next == '+' || before == '+') && !is_letter(next),
        '#' => within && before.is_ascii_alphabetic() && !is_letter(next),
        c => is_letter(c),
    }
}

fn latin(words: &[(usize, &str)], text: &str, folded: &Folded, lexicon: &Lexicon, units: &mut Vec<Unit>) {
    let plain: Vec<&str> = words.iter().map(|(_, word)| *word).collect();
    let mut at = 0;
    while let Some(rest) = plain.get(at..).filter(|rest| !rest.is_empty()) {
        let (length, entry) = lexicon.phrase(rest).map_or((1, None), |(length, entry)| (length, Some(entry)));
        let part = words.get(at..at + length).unwrap_or_default();
        at += length;
        let (Some((from, first)), Some((last, word))) = (part.first(), part.last()) else {
            continue;
        };
        let span = folded.original(*from..last + word.len());
        let written = text.get(span.clone()).unwrap_or_default();
        let load = match entry.map_or(Load::Full, |entry| entry.load) {
            Load::Full => Load::Full,
            _ if lexicon.is_name(written, is_first(text, span.start)) => Load::Full,
            load => load,
        };
        let weight = match load {
            Load::Filler => continue,
            Load::Light => LIGHT,
            Load::Full if word.bytes().all(|byte| byte.is_ascii_digit()) => NUMBER,
            Load::Full => 1.0,
        };
        let tokens = if length == 1 { spelled(first, entry) } else { meant(entry, 1.0).collect() };
        units.push(Unit { tokens, span: span.clone(), weight });
        camel(written, &span, lexicon, units);
    }
}

/// Whether a word at this place of a text begins a sentence.
fn is_first(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default().trim_end_matches([' ', '"', '\'', '(', '*', '-']);
    before.is_empty() || before.ends_with(['.', '!', '?', ':', '\n', '。', '！', '？', '：'])
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
        let entry = lexicon.phrase(&[&part]).map(|(_, entry)| entry);
        if entry.is_none_or(|entry| entry.load == Load::Full) {
            units.push(Unit { tokens: spelled(&part, entry), span: span.clone(), weight: 0.5 });
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
        if length == 1 && entry.load != Load::Filler && !(rest == at && is_border(&plain, at + 1, lexicon)) {
            at += 1;
            continue;
        }
        pairs(&plain, rest..at, &span, units);
        let weight = if entry.load == Load::Light { LIGHT } else { 1.0 };
        if entry.load != Load::Filler {
            let word: String = plain.iter().skip(at).take(length).collect();
            units.push(Unit { tokens: spelled(&word, Some(entry)), span: span(at, length), weight });
        }
        at += length;
        rest = at;
    }
    pairs(&plain, rest..plain.len(), &span, units);
}

/// Whether a word of more than one character, or filler, begins here: so what stands before it is a word by itself. 改 is
/// one in 改文件, and a part of another in 改革.
fn is_border(chars: &[char], at: usize, lexicon: &Lexicon) -> bool {
    let rest = chars.get(at..).unwrap_or_default();
    rest.is_empty() || lexicon.han(rest).is_some_and(|(length, entry)| length > 1 || entry.load == Load::Filler)
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

/// The tokens of a word: itself, its stem, the parts of a name with a dot, and what the lexicon says it means.
fn spelled(word: &str, entry: Option<&Entry>) -> Vec<Token> {
    let mut tokens = vec![Token { text: inked(word), closeness: 1.0 }];
    tokens.extend(stem(word).map(|text| Token { text, closeness: BY_STEM }));
    tokens.extend(meant(entry, BY_CONCEPT));
    if word.contains('.') {
        let parts =
            word.split('.').filter(|part| part.len() > 1 && part.bytes().any(|byte| byte.is_ascii_alphabetic()));
        tokens.extend(parts.map(|part| Token { text: part.to_owned(), closeness: BY_PART }));
    }
    tokens
}

/// The tokens of what a word means.
fn meant(entry: Option<&Entry>, by_concept: f32) -> impl Iterator<Item = Token> + '_ {
    let token = |closeness: f32| move |text: &String| Token { text: text.clone(), closeness };
    entry.into_iter().flat_map(move |entry| {
        let concepts = entry.concepts.iter().map(token(by_concept));
        concepts.chain(entry.topics.iter().map(token(BY_TOPIC)))
    })
}

/// A word as the index takes it whole: a mark in it becomes a character that SQLite does not cut at.
fn inked(word: &str) -> String {
    word.chars()
        .map(|c| match c {
            '.' => '\u{e010}',
            '+' => '\u{e011}',
            '#' => '\u{e012}',
            c => c,
        })
        .collect()
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
        assert!(tokens("DownloadLog", lexicon()).contains(&stem("download").unwrap()));
    }

    #[test]
    fn traditional_and_simplified_are_one() {
        assert_eq!(tokens("資料庫遷移", lexicon()), tokens("数据库迁移".replace("数据", "资料").as_str(), lexicon()));
    }

    #[test]
    fn a_mark_in_a_name_is_a_part_of_it() {
        assert_eq!(seen("C++ or C#? And .env, and node.js 1.24."), ["C++", "C#", ".env", "node.js", "1.24"]);
        assert_eq!(seen("删 .env 文件。src/mcp.rs"), ["删", ".env", "文件", "src", "mcp.rs"]);
        assert!(tokens("node.js", lexicon()).split(' ').any(|token| token == "node"));
    }

    #[test]
    fn a_word_that_names_something_is_no_filler() {
        assert_eq!(seen("the IT department of the US office"), ["IT", "department", "US", "office"]);
        assert!(seen("Is it for us?").is_empty());
    }
}
