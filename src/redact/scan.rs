//! From text to finds: wake the rules, run them, drop what is none, merge what overlaps.

use std::ops::Range;

use super::rule::Rule;
use super::view::View;
use super::{Find, Redactor, broken};

/// How a placeholder begins; it ends at the next `]`.
pub(super) const PLACEHOLDER_START: &str = "[redacted:";

/// A refused match shorter than this (bytes) is searched again inside, so that `password = password: "…"` is
/// found; longer ones are passed over, which keeps the search linear on hostile text.
const SHORT: usize = 512;

/// A find that touches a placeholder counts only if so many letters and digits lie outside it.
const REMAINDER: usize = 4;

impl Redactor {
    /// The finds in `text`, in order, none overlapping another.
    pub(super) fn finds(&self, text: &str) -> Vec<Find> {
        let mut finds = self.raw_finds(text);
        if let Some(view) = View::of(text) {
            let seen = self.raw_finds(&view.text).into_iter();
            finds.extend(seen.filter_map(|find| Some(Find { span: view.original(&find.span)?, ..find })));
        }
        if finds.is_empty() {
            return finds;
        }
        let placeholders = placeholders(text);
        merge(finds.into_iter().filter_map(|find| beside_placeholders(text, find, &placeholders)).collect())
    }

    /// What each rule finds in `text` as it stands.
    fn raw_finds(&self, text: &str) -> Vec<Find> {
        let mut finds = Vec::new();
        for (index, rule) in self.awake(text) {
            self.run(index, rule, text, &mut finds);
        }
        finds
    }

    /// Whether rule `index` finds something in `text` by itself.
    pub(super) fn fires(&self, index: usize, text: &str) -> bool {
        let mut finds = Vec::new();
        for (at, rule) in self.awake(text).filter(|&(at, _)| at == index) {
            self.run(at, rule, text, &mut finds);
        }
        !finds.is_empty()
    }

    /// The rules with a keyword in `text`.
    fn awake(&self, text: &str) -> impl Iterator<Item = (usize, &Rule)> {
        let mut awake = vec![false; self.rules.len()];
        for hit in self.keywords.find_overlapping_iter(text) {
            let owner = self.owners.get(hit.pattern().as_usize());
            if let Some(awake) = owner.and_then(|&owner| awake.get_mut(owner)) {
                *awake = true;
            }
        }
        let longest = longest_word(text);
        self.rules
            .iter()
            .enumerate()
            .zip(awake)
            .filter(move |((_, rule), awake)| *awake || rule.run().is_some_and(|run| longest >= run))
            .map(|(rule, _)| rule)
    }

    fn run(&self, index: usize, rule: &Rule, text: &str, finds: &mut Vec<Find>) {
        if rule.written.broken {
            broken::run(index, rule, text, finds);
        }
        if !rule.may_match(text) {
            return;
        }
        let Ok(compiled) = rule.compiled() else { return };
        let mut at = 0;
        while let Some(captures) = compiled.pattern.captures_at(text, at) {
            let whole = captures.get_match();
            let secret = compiled.secret.iter().find_map(|&group| captures.get(group)).unwrap_or(whole);
            let cleared = compiled.not.is_some_and(|not| captures.get(not).is_some())
                || !rule.accepts(compiled, whole.as_str(), secret.as_str())
                || (rule.written.guess && self.stops(secret.as_str()));
            if !cleared {
                finds.push(Find { span: secret.range(), rule: index });
            }
            at = if cleared && whole.len() < SHORT && secret.start() > whole.start() {
                secret.start()
            } else {
                whole.end()
            };
            if whole.is_empty() {
                at = next_char(text, at);
            }
            if at > text.len() {
                break;
            }
        }
    }
}

/// The length of the longest run of letters, digits, `-` and `_`.
fn longest_word(text: &str) -> usize {
    let (mut longest, mut length) = (0, 0);
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_' {
            length += 1;
            longest = longest.max(length);
        } else {
            length = 0;
        }
    }
    longest
}

/// The offset after the character at `at`.
fn next_char(text: &str, at: usize) -> usize {
    let after = text.get(at..).and_then(|rest| rest.chars().next());
    at + after.map_or(1, char::len_utf8)
}

/// Where placeholders already stand.
fn placeholders(text: &str) -> Vec<Range<usize>> {
    let name = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit() || *b == b'-';
    memchr::memmem::find_iter(text.as_bytes(), PLACEHOLDER_START)
        .filter_map(|start| {
            let kind = start + PLACEHOLDER_START.len();
            let rest = text.as_bytes().get(kind..)?;
            let length = rest.iter().take_while(|b| name(b)).count();
            (length > 0 && rest.get(length) == Some(&b']')).then_some(start..kind + length + 1)
        })
        .collect()
}

/// A find widened over the placeholders it touches, or `None` if it says nothing beside them.
///
/// Each find takes at least [`REMAINDER`] characters out of the text that no placeholder gives back, so looking
/// again always comes to an end.
fn beside_placeholders(text: &str, mut find: Find, placeholders: &[Range<usize>]) -> Option<Find> {
    let first = placeholders.partition_point(|placeholder| placeholder.end <= find.span.start);
    let touched: Vec<_> =
        placeholders.iter().skip(first).take_while(|placeholder| placeholder.start < find.span.end).collect();
    let (Some(head), Some(last)) = (touched.first(), touched.last()) else {
        return Some(find);
    };
    let outside = text
        .get(find.span.clone())?
        .char_indices()
        .filter(|(offset, c)| {
            let offset = find.span.start + offset;
            c.is_alphanumeric() && !touched.iter().any(|touched| touched.contains(&offset))
        })
        .take(REMAINDER)
        .count();
    if outside < REMAINDER {
        return None;
    }
    find.span = find.span.start.min(head.start)..find.span.end.max(last.end);
    Some(find)
}

/// Overlapping and touching finds become one, of the kind that weighs most.
fn merge(mut finds: Vec<Find>) -> Vec<Find> {
    finds.sort_by_key(|find| (find.span.start, find.span.end));
    let mut merged: Vec<Find> = Vec::with_capacity(finds.len());
    for find in finds {
        match merged.last_mut() {
            Some(last) if find.span.start <= last.span.end => {
                last.span.end = last.span.end.max(find.span.end);
                last.rule = last.rule.min(find.rule);
            }
            _ => merged.push(find),
        }
    }
    merged
}
