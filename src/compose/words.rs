//! The composer's word lists: `rules/compose.toml`, compiled once.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::text::fold::Folded;

/// The word lists.
#[derive(Debug, Default, Deserialize)]
pub struct Words {
    /// English.
    pub english: English,
    /// Chinese.
    pub chinese: Chinese,
}

/// English lists, all folded.
#[derive(Debug, Default, Deserialize)]
pub struct English {
    /// Openers that carry nothing.
    pub openers: Vec<String>,
    /// Politeness in front of a request.
    pub polite: Vec<String>,
    /// Words that trail a sentence and carry nothing.
    pub trailers: Vec<String>,
    /// What stands between "forget" and the thing.
    pub objects: Vec<String>,
    /// Verbs that keep their form in the third person.
    pub fixed: Vec<String>,
    /// Adverbs that stand between subject and verb.
    pub adverbs: Vec<String>,
    /// Verbs with which a request begins.
    pub verbs: Vec<String>,
    /// Verbs that double their last letter before -ing.
    pub doubling: Vec<String>,
    /// Verbs that look as if they did and do not.
    pub nodoubling: Vec<String>,
    /// Words that point at something.
    pub pointing: Vec<String>,
    /// Words that say nothing about what is pointed at.
    pub empty: Vec<String>,
    /// Words behind which something has to stand.
    pub open: Vec<String>,
    /// Words with which a sentence goes on from the one before it.
    pub goes_on: Vec<String>,
    /// Words that say who "he" or "she" is.
    pub people: Vec<String>,
    /// Contractions without and with their apostrophe.
    pub spelling: HashMap<String, String>,
}

/// Chinese lists, all folded.
#[derive(Debug, Default, Deserialize)]
pub struct Chinese {
    /// Openers that carry nothing.
    pub openers: Vec<String>,
    /// Politeness in front of a request.
    pub polite: Vec<String>,
    /// Words that trail a sentence and carry nothing.
    pub trailers: Vec<String>,
    /// What stands between "forget" and the thing.
    pub objects: Vec<String>,
    /// Words that point at something.
    pub pointing: Vec<String>,
    /// Characters that say nothing about what is pointed at.
    pub empty: String,
    /// Characters behind which something has to stand.
    pub open: String,
    /// Words with which a sentence goes on from the one before it.
    pub goes_on: Vec<String>,
}

/// The word lists that come with the program.
pub static WORDS: LazyLock<Words> =
    LazyLock::new(|| toml::from_str(include_str!("../../rules/compose.toml")).unwrap_or_default());

/// No opener is longer than this, in characters.
const LONGEST_OPENER: usize = 40;

/// Cuts every word of `lists` from the front of `text`, again and again, with blanks and punctuation behind it.
#[must_use]
pub fn without_front<'t>(text: &'t str, lists: &[&[String]]) -> &'t str {
    let mut rest = text.trim_start_matches(is_loose);
    loop {
        // Openers are short: only the beginning is folded.
        let beginning =
            rest.char_indices().nth(LONGEST_OPENER).map_or(rest, |(end, _)| rest.get(..end).unwrap_or(rest));
        let folded = Folded::new(beginning);
        let longest = lists
            .iter()
            .flat_map(|l| l.iter())
            .filter(|w| starts_with_word(folded.as_str(), w))
            .max_by_key(|w| w.len());
        let Some(word) = longest else { return rest };
        let cut = folded.original(0..word.len()).end;
        let shorter = rest.get(cut..).unwrap_or_default().trim_start_matches(is_loose);
        // A sentence that is nothing but openers stays what it is.
        if shorter.is_empty() {
            return rest;
        }
        rest = shorter;
    }
}

/// Cuts every word of `lists` from the end of `text`, where a comma or a blank sets it off.
#[must_use]
pub fn without_end<'t>(text: &'t str, lists: &[&[String]]) -> &'t str {
    let mut rest = text.trim_end_matches(is_loose);
    loop {
        let lower = rest.to_lowercase();
        let found = lists.iter().flat_map(|l| l.iter()).find(|w| {
            lower.len() == rest.len()
                && lower.strip_suffix(w.as_str()).is_some_and(|front| front.ends_with([',', '，', ' ']))
        });
        let Some(word) = found else { return rest };
        let shorter = rest.get(..rest.len() - word.len()).unwrap_or_default().trim_end_matches(is_loose);
        if shorter.is_empty() {
            return rest;
        }
        rest = shorter;
    }
}

fn starts_with_word(text: &str, word: &str) -> bool {
    let Some(rest) = text.strip_prefix(word) else {
        return false;
    };
    if word.is_ascii() {
        !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '/' | '.'))
            || rest.starts_with(". ")
    } else {
        // Chinese has no word boundary: only what is set off by a blank, punctuation or the end is an opener.
        rest.is_empty() || rest.starts_with(is_loose)
    }
}

fn is_loose(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            ',' | '.' | '!' | ':' | ';' | '-' | '，' | '。' | '！' | '：' | '；' | '、' | '…' | '—' | '–' | '~'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trailers_go_with_the_comma_before_them() {
        assert_eq!(without_end("I'm on a mac, by the way.", &[&WORDS.english.trailers]), "I'm on a mac");
    }

    #[test]
    fn openers_go_and_content_stays() {
        let lists: &[&[String]] = &[&WORDS.english.openers, &WORDS.chinese.openers];
        for (text, left) in [
            ("No, don't add trailers", "don't add trailers"),
            ("hm ok. actually we use pnpm", "we use pnpm"),
            ("no-op builds are fine", "no-op builds are fine"),
            ("不对，周报写在正文里", "周报写在正文里"),
            ("不对称的布局", "不对称的布局"),
            ("ok", "ok"),
        ] {
            assert_eq!(without_front(text, lists), left);
        }
    }
}
