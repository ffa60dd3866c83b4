//! Folding: one spelling for every way to type the same words, with a map back to the original.
//!
//! Matching runs on folded text, spans and quotes always refer to the original. Folded are: compatibility
//! forms and width (NFKC, character by character), letter case, curly quotes and dashes, Traditional Chinese to
//! Simplified, and the apostrophe inside a word is dropped ("don’t", "dont" and "don't" are one word).

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;

/// Folded text and, for each of its bytes, the byte offset of the original character it came from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Folded {
    text: String,
    /// `origin[i]` is the original offset of folded byte `i`; one more entry closes the last span.
    origin: Vec<u32>,
}

impl Folded {
    /// Folds `original`.
    #[must_use]
    pub fn new(original: &str) -> Self {
        let mut folded =
            Self { text: String::with_capacity(original.len()), origin: Vec::with_capacity(original.len() + 1) };
        let mut chars = original.char_indices().peekable();
        let mut before = ' ';
        while let Some((offset, c)) = chars.next() {
            let after = chars.peek().map_or(' ', |&(_, c)| c);
            if is_apostrophe(c) && before.is_alphabetic() && after.is_alphabetic() {
                before = c;
                continue;
            }
            folded.push(offset, c);
            before = c;
        }
        folded.origin.push(u32::try_from(original.len()).unwrap_or(u32::MAX));
        folded
    }

    fn push(&mut self, offset: usize, c: char) {
        let start = self.text.len();
        if c.is_ascii() {
            self.text.push(c.to_ascii_lowercase());
        } else {
            for c in c.nfkc().flat_map(char::to_lowercase) {
                self.text.push(plain(c));
            }
        }
        let offset = u32::try_from(offset).unwrap_or(u32::MAX);
        self.origin.extend(std::iter::repeat_n(offset, self.text.len() - start));
    }

    /// The folded text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The span of the original that a span of the folded text came from.
    #[must_use]
    pub fn original(&self, span: Range<usize>) -> Range<usize> {
        let at = |i: usize| self.origin.get(i).or(self.origin.last()).copied().unwrap_or(0) as usize;
        at(span.start)..at(span.end)
    }
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

fn simplified(c: char) -> char {
    let mut buffer = [0; 4];
    fast2s::convert(c.encode_utf8(&mut buffer)).chars().next().unwrap_or(c)
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
}
