//! Keys broken in two: a terminal or a chat wraps a long key, so that a blank or a line break stands inside.
//!
//! Two neighbouring words are one key if together, and not apart, they have a shape that a rule knows.

use std::ops::Range;

use super::Find;
use super::rule::Rule;

/// The most that may stand between the halves, in bytes: a line break and an indentation.
const GAP: usize = 16;

/// The least length of a half that is taken for part of a key by its own looks.
const STRONG: usize = 12;

/// The least length of a first half, behind the prefix.
const HEAD: usize = 4;

/// Adds what `rule` finds across a blank or a line break in `text`.
pub(super) fn run(index: usize, rule: &Rule, text: &str, finds: &mut Vec<Find>) {
    let mut before: Option<Range<usize>> = None;
    for word in words(text) {
        if let Some(head) = before.replace(word.clone()) {
            finds.extend(across(rule, text, &head, &word).map(|span| Find { span, rule: index }));
        }
    }
}

/// The key that begins in the word `head` and ends in the next one.
fn across(rule: &Rule, text: &str, head: &Range<usize>, tail: &Range<usize>) -> Option<Range<usize>> {
    let gap = text.get(head.end..tail.start)?;
    let line_break = gap.trim_matches([' ', '\t', '\r']) == "\n" && gap.len() <= GAP;
    if !line_break && gap != " " && gap != "\t" {
        return None;
    }
    let first = text.get(head.clone())?;
    let prefix = rule.keywords().iter().filter(|word| first.contains(word.as_str())).map(String::len).max()?;
    let joined = [first, text.get(tail.clone())?].concat();
    let joint = first.len();
    let compiled = Some(&joined).filter(|joined| rule.may_match(joined)).and_then(|_| rule.compiled().ok())?;
    let key = compiled.pattern.captures_iter(&joined).find_map(|captures| {
        let whole = captures.get_match();
        let key = compiled.secret.iter().find_map(|&group| captures.get(group)).unwrap_or(whole);
        let crosses = key.start() < joint && joint < key.end();
        let refused = compiled.not.is_some_and(|not| captures.get(not).is_some())
            || !rule.accepts(compiled, whole.as_str(), key.as_str());
        (crosses && !refused).then(|| key.range())
    })?;
    let (begun, ended) = (joined.get(key.start..joint)?, joined.get(joint..key.end)?);
    // A key that is whole without the second word takes it only where a line was wrapped and it can be nothing else.
    let whole = compiled.pattern.find_iter(begun).any(|found| found.end() == begun.len());
    let behind = begun.get(prefix..).unwrap_or_default();
    let one = if whole {
        line_break && strong(ended)
    } else {
        strong(ended) || (behind.len() >= HEAD && thrown(ended) && (thrown(behind) || strong(behind)))
    };
    one.then(|| head.start + key.start..tail.start + (key.end - joint))
}

/// The runs of characters that keys are made of.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = text.as_bytes();
    let of_key = |b: &u8| b.is_ascii_alphanumeric() || b"_-./+=".contains(b);
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + bytes.get(at..)?.iter().position(of_key)?;
        let length = bytes.get(start..)?.iter().take_while(|&b| of_key(b)).count();
        at = start + length;
        Some(start..at)
    })
}

/// Whether `part` is no word of a language: letters and digits mixed, a capital inside, or capitals alone.
fn thrown(part: &str) -> bool {
    let [digits, small, capitals] = kinds(part);
    let inside =
        part.as_bytes().windows(2).any(|two| matches!(two, [a, b] if a.is_ascii_lowercase() && b.is_ascii_uppercase()));
    (digits > 0 && small + capitals > 0) || inside || (small == 0 && digits + capitals > 0)
}

/// Whether `part` is long, with capitals, small letters and digits: nothing but a piece of a key.
fn strong(part: &str) -> bool {
    part.len() >= STRONG && kinds(part).iter().all(|&count| count > 0)
}

/// How many digits, small letters and capitals.
fn kinds(part: &str) -> [usize; 3] {
    let count = |wanted: fn(&u8) -> bool| part.bytes().filter(wanted).count();
    [count(u8::is_ascii_digit), count(u8::is_ascii_lowercase), count(u8::is_ascii_uppercase)]
}
