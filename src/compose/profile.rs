//! Profiles: one durable statement, one text.

use std::ops::Range;

use super::Material;
use super::person::third_person;
use super::words::{WORDS, without_front};
use crate::detect::{Judgement, Said};
use crate::memory::Class;
use crate::rules::{Act, Signal};
use crate::text::script::is_chinese;
use crate::text::sentence::clauses;

/// A composed profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// What it states.
    pub class: Class,
    /// The text.
    pub body: String,
}

/// A statement shorter than this (in characters) says nothing by itself.
const MIN_CHARS: usize = 4;
/// A statement longer than this is a paragraph, not a fact: only the clauses with the statement are kept.
const MAX_CHARS: usize = 320;

/// The profiles a sentence gives: one for each clause that states something of its own.
#[must_use]
pub fn compose(material: &Material, judgement: &Judgement, said: &Said) -> Vec<Profile> {
    let turn = material.turn(judgement);
    let Some(sentence) = turn.text.get(said.span.clone()) else {
        return Vec::new();
    };
    if let Some(subject) = said.subject {
        return answer(material, sentence, &subject.name, class(&[subject.act], said)).into_iter().collect();
    }
    let signals: Vec<&Signal> = judgement
        .signals
        .iter()
        .filter(|s| {
            s.act.is_durable() && said.span.start <= s.span.start && s.span.end <= said.span.end
        })
        .collect();
    groups(sentence, said.span.start, &signals)
        .into_iter()
        .filter_map(|(range, acts)| {
            let body = text(material, sentence.get(range)?)?;
            Some(Profile {
                class: class(&acts, said),
                body,
            })
        })
        .collect()
}

/// An elliptical answer, with the subject that the question gave it.
fn answer(material: &Material, sentence: &str, subject: &str, class: Class) -> Option<Profile> {
    let said = text(material, sentence)?;
    let body = if is_chinese(subject) { format!("用户的{subject}：{said}") } else { format!("User's {subject}: {said}") };
    Some(Profile { class, body })
}

/// Cuts the sentence into stretches that each hold a statement, and drops what stands before the first one.
///
/// A clause opens a new stretch when a durable trigger of another act, or of the same act with a subject of its
/// own, fires in it; clauses without one belong to the stretch before them (they are its reason or its detail).
fn groups(sentence: &str, offset: usize, signals: &[&Signal]) -> Vec<(Range<usize>, Vec<Act>)> {
    let mut groups: Vec<(Range<usize>, Vec<Act>)> = Vec::new();
    let mut leading: Option<usize> = None;
    for clause in clauses(sentence) {
        let here: Vec<Act> = signals
            .iter()
            .filter(|s| clause.start <= s.span.start - offset && s.span.start - offset < clause.end)
            .map(|s| s.act)
            .collect();
        let secret = sentence
            .get(clause.clone())
            .is_some_and(|c| c.contains("[redacted:"));
        match groups.last_mut() {
            _ if secret => leading = None,
            Some((_, acts))
                if !here.is_empty()
                    && opens_of_its_own(sentence, &clause)
                    && here.iter().any(|a| !acts.contains(a)) =>
            {
                groups.push((clause, here));
            }
            Some((range, acts)) => {
                range.end = clause.end;
                acts.extend(here);
            }
            None if here.is_empty() => leading = leading.or(Some(clause.start)),
            None => groups.push((leading.take().unwrap_or(clause.start)..clause.end, here)),
        }
    }
    if groups.is_empty() {
        groups.push((0..sentence.len(), Vec::new()));
    }
    groups
}

/// Whether a clause has a subject of its own, so that it can stand alone.
fn opens_of_its_own(sentence: &str, clause: &Range<usize>) -> bool {
    const SUBJECTS: &[&str] = &[
        "i ", "i'm ", "im ", "my ", "we ", "our ", "the ", "please ", "always ", "never ",
        "don't ", "dont ", "我", "以后", "不要", "别",
    ];
    let text = sentence
        .get(clause.clone())
        .unwrap_or_default()
        .trim()
        .to_lowercase();
    let text = text.strip_prefix("and ").unwrap_or(&text);
    SUBJECTS.iter().any(|s| text.starts_with(s))
}

fn text(material: &Material, stretch: &str) -> Option<String> {
    let clean = material.words(stretch);
    if clean.contains("[redacted:") {
        return None;
    }
    let clean = without_front(&clean, &[&WORDS.english.openers, &WORDS.chinese.openers]);
    let clean = clean.split_whitespace().collect::<Vec<_>>().join(" ");
    let long_enough = clean.chars().filter(|c| c.is_alphanumeric()).count() >= MIN_CHARS;
    let short_enough = clean.chars().count() <= MAX_CHARS;
    (long_enough && short_enough).then(|| third_person(&clean))
}

fn class(acts: &[Act], said: &Said) -> Class {
    let of = |act: &Act| match act {
        Act::Preference => Some(Class::Preference),
        Act::Fact => Some(Class::Fact),
        Act::Config => Some(Class::Config),
        Act::Constraint => Some(Class::Constraint),
        _ => None,
    };
    // A prohibition is the strictest reading, a fact the weakest.
    let strictest = [Act::Constraint, Act::Preference, Act::Config, Act::Fact];
    let from = |list: &[Act]| strictest.iter().find(|a| list.contains(a)).and_then(of);
    from(acts)
        .or_else(|| from(&said.acts))
        .unwrap_or(Class::Fact)
}
