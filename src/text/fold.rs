//! Folding: one spelling for every way to type the same words, with a map back to the original.
//!
//! Matching runs on folded text, spans and quotes always refer to the original. Folded are: compatibility
//! forms and width (NFKC, character by character), letter case, curly quotes and dashes, Traditional Chinese to
//! Simplified, and the apostrophe inside a word is dropped ("don’t", "dont" and "don't" are one word).

use std::ops::Range;
use std::sync::atomic::{AtomicU16, Ordering};

use unicode_normalization::UnicodeNormalization;

/// Folded text, and where in the original each part of it came from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Folded {
    text: String,
    /// Where folded and original text begin to run side by side, byte by byte; in the order of the text.
    runs: Vec<Run>,
    /// The length of the original.
    length: u32,
}

/// A part of the folded text, up to the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Run {
    /// Its place in the folded text.
    folded: u32,
    /// Its place in the original.
    original: u32,
    /// Whether all of it came from the one character there: a ligature that is two letters, say.
    is_one: bool,
}

impl Folded {
    /// Folds `original`.
    #[must_use]
    pub fn new(original: &str) -> Self {
        let mut folded =
            Self { text: String::with_capacity(original.len()), runs: Vec::new(), length: of(original.len()) };
        if original.is_ascii() {
            folded.take_ascii(original);
        } else {
            folded.take(original);
        }
        folded
    }

    /// Plain ASCII loses its capitals and the apostrophes inside its words.
    fn take_ascii(&mut self, original: &str) {
        let bytes = original.as_bytes();
        let inside = |at: usize| {
            let letter = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_alphabetic);
            letter(at.checked_sub(1)) && letter(at.checked_add(1))
        };
        let mut start = 0;
        for at in memchr::memchr2_iter(b'\'', b'`', bytes).filter(|&at| inside(at)) {
            self.keep(original, start..at);
            start = at + 1;
        }
        self.keep(original, start..bytes.len());
        self.text.make_ascii_lowercase();
    }

    fn keep(&mut self, original: &str, span: Range<usize>) {
        self.begin(span.start, false);
        self.text.push_str(original.get(span).unwrap_or_default());
    }

    /// Any text, character by character.
    fn take(&mut self, original: &str) {
        let mut chars = original.char_indices().peekable();
        let mut before = ' ';
        while let Some((at, c)) = chars.next() {
            let after = chars.peek().map_or(' ', |&(_, c)| c);
            if !(is_apostrophe(c) && before.is_alphabetic() && after.is_alphabetic()) {
                self.push(at, c);
            }
            before = c;
        }
    }

    fn push(&mut self, at: usize, c: char) {
        let start = self.text.len();
        if c.is_ascii() {
            self.text.push(c.to_ascii_lowercase());
        } else if is_unified(c) {
            self.text.push(simplified(c));
        } else {
            for c in c.nfkc().flat_map(char::to_lowercase) {
                self.text.push(plain(c));
            }
        }
        let form = self.text.get(start..).unwrap_or_default();
        let is_alike = form.len() == c.len_utf8() && form.chars().nth(1).is_none();
        if !form.is_empty() {
            self.note(start, at, !is_alike);
        }
    }

    /// Begins a run at the end of the folded text.
    fn begin(&mut self, original: usize, is_one: bool) {
        self.note(self.text.len(), original, is_one);
    }

    /// Begins a run, unless the last one goes on there.
    fn note(&mut self, folded: usize, original: usize, is_one: bool) {
        let run = Run { folded: of(folded), original: of(original), is_one };
        let goes_on = self
            .runs
            .last()
            .is_some_and(|last| !is_one && !last.is_one && run.folded - last.folded == run.original - last.original);
        if !goes_on {
            self.runs.push(run);
        }
    }

    /// The folded text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The span of the original that a span of the folded text came from; both stand at characters.
    #[must_use]
    pub fn original(&self, span: Range<usize>) -> Range<usize> {
        self.origin(span.start)..self.origin(span.end)
    }

    fn origin(&self, at: usize) -> usize {
        if at >= self.text.len() {
            return self.length as usize;
        }
        let after = self.runs.partition_point(|run| run.folded as usize <= at);
        let run = after.checked_sub(1).and_then(|last| self.runs.get(last));
        run.map_or(0, |run| run.original as usize + if run.is_one { 0 } else { at - run.folded as usize })
    }
}

/// Sentences are shorter than four gigabytes.
fn of(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// Folds without keeping the map.
#[must_use]
pub fn fold(text: &str) -> String {
    Folded::new(text).text
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | '‘' | '`' | '´')
}

/// One character for the many that look or mean the same.
fn plain(c: char) -> char {
    match c {
        '‘' | '’' | '‛' | '´' => '\'',
        '“' | '”' | '„' | '«' | '»' | '「' | '」' | '『' | '』' => '"',
        '–' | '—' | '―' | '−' => '-',
        '、' => ',',
        '。' => '.',
        '\u{a0}' | '\u{3000}' => ' ',
        '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}' | '\u{f900}'..='\u{faff}' => simplified(c),
        _ => c,
    }
}

/// Whether `c` is a unified ideograph of the two large blocks: in NFKC and in lower case it is itself.
fn is_unified(c: char) -> bool {
    (FIRST..='\u{4dbf}').contains(&c) || ('\u{4e00}'..=LAST).contains(&c)
}

const FIRST: char = '\u{3400}';
const LAST: char = '\u{9fff}';

/// The Simplified form of each ideograph from [`FIRST`] to [`LAST`] that was asked for before; zero for the others.
static KNOWN: [AtomicU16; LAST as usize - FIRST as usize + 1] =
    [const { AtomicU16::new(0) }; LAST as usize - FIRST as usize + 1];

/// The Simplified form of `c`, by itself: no character beside it counts.
fn simplified(c: char) -> char {
    let known = (c as usize).checked_sub(FIRST as usize).and_then(|at| KNOWN.get(at));
    let found = known.map_or(0, |known| known.load(Ordering::Relaxed));
    if found != 0 {
        return char::from_u32(u32::from(found)).unwrap_or(c);
    }
    let mut buffer = [0; 4];
    let simple = fast2s::convert(c.encode_utf8(&mut buffer)).chars().next().unwrap_or(c);
    if let (Some(known), Ok(simple)) = (known, u16::try_from(simple as u32)) {
        known.store(simple, Ordering::Relaxed);
    }
    simple
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_case_width_script_and_apostrophes() {
        for (typed, folded) in [
            ("Don’t DO that", "dont do that"),
            ("ＡＢＣ１", "abc1"),
            ("「資料庫」，這樣。", "\"资料库\",这样."),
            ("it's 'quoted'", "its 'quoted'"),
        ] {
            assert_eq!(fold(typed), folded);
        }
    }

    #[test]
    fn spans_lead_back_to_the_original() {
        let original = "ＯＫ，don’t 這樣";
        let folded = Folded::new(original);
        let at = folded.as_str().find("dont").unwrap();
        let span = folded.original(at..at + 4);
        assert_eq!(original.get(span), Some("don’t"));
    }

    #[test]
    fn spans_lead_back_over_forms_that_are_longer_or_shorter_than_what_they_stand_for() {
        for (original, word, from) in [
            ("it's 5㎏ heavy", "heavy", "heavy"),
            ("5㎏, don't", "kg", "㎏"),
            ("IT'S SO", "so", "SO"),
            ("a ﬁx!", "fix", "ﬁx"),
            ("wait… so", "...", "…"),
        ] {
            let folded = Folded::new(original);
            let at = folded.as_str().find(word).unwrap();
            assert_eq!(original.get(folded.original(at..at + word.len())), Some(from), "{original}");
        }
    }
}
