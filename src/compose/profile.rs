//! Profiles: one durable statement, one text.

use std::ops::Range;

use super::Material;
use super::person::third_person;
use super::whole::{says_nothing, stands_by_itself};
use super::words::{WORDS, without_end, without_front};
use crate::detect::{Judgement, Said, Score};
use crate::memory::Class;
use crate::rules::{Act, Signal};
use crate::text::script::is_chinese;
use crate::text::sentence::clauses;

/// A composed profile.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// What it states.
    pub class: Class,
    /// The text.
    pub body: String,
    /// The score of the sentence it comes from.
    pub score: Score,
}

/// A statement shorter than this (in characters) says nothing by itself.
const MIN_CHARS: usize = 4;
/// A statement longer than this is a paragraph, not a fact: only the clauses with the statement are kept.
const MAX_CHARS: usize = 320;

/// The profiles of a turn: one for each sentence or clause that states something of its own; a correction gives
/// one only, it was said about one thing.
#[must_use]
pub fn compose(material: &Material, judgement: &Judgement) -> Vec<Profile> {
    let model = &material.rules.weights().statement;
    let found: Vec<Profile> =
        judgement.statements(model).flat_map(|said| of_sentence(material, judgement, said)).collect();
    if !judgement.is(Act::Correction) || found.len() < 2 {
        return found;
    }
    let joint = if found.iter().any(|p| is_chinese(&p.body)) { "" } else { " " };
    let best = found.iter().max_by(|a, b| a.score.total.total_cmp(&b.score.total));
    let body = found.iter().map(|p| p.body.as_str()).collect::<Vec<_>>().join(joint);
    best.map(|best| Profile { body, ..best.clone() }).into_iter().collect()
}

fn of_sentence(material: &Material, judgement: &Judgement, said: &Said) -> Vec<Profile> {
    let turn = material.turn(judgement);
    let Some(sentence) = turn.text.get(said.span.clone()) else { return Vec::new() };
    let score = &said.statement;
    if let Some(subject) = said.subject {
        let class = class_of(subject.act).unwrap_or(Class::Fact);
        return answer(material, sentence, &subject.name, class, score).into_iter().collect();
    }
    let within = |s: &&Signal| said.span.start <= s.span.start && s.span.end <= said.span.end;
    let signals: Vec<&Signal> = judgement.signals.iter().filter(within).collect();
    // Looked at whole: the word that tells a secret may stand in another clause than the secret.
    let clean = material.words(sentence);
    let secret = |clause: &str| !clean.contains(material.words(clause).trim()) || !clean.contains(clause.trim());
    groups(sentence, said.span.start, &signals, &secret)
        .into_iter()
        .filter_map(|group| {
            let body = text(material, sentence.get(group.range)?).filter(|text| !says_nothing(text))?;
            Some(Profile { class: class(&group.signals, said), body, score: score.clone() })
        })
        .collect()
}

/// An elliptical answer, with the subject that the question gave it.
fn answer(material: &Material, sentence: &str, subject: &str, class: Class, score: &Score) -> Option<Profile> {
    let said = text(material, sentence)?;
    let body =
        if is_chinese(subject) { format!("用户的{subject}：{said}") } else { format!("User's {subject}: {said}") };
    Some(Profile { class, body, score: score.clone() })
}

/// A stretch of a sentence that holds a statement.
struct Group<'a> {
    range: Range<usize>,
    /// The durable signals in it.
    signals: Vec<&'a Signal>,
}

/// Cuts the sentence into stretches that each hold a statement.
///
/// A clause with a durable signal opens a new stretch when it can stand alone; clauses without one belong to the
/// stretch beside them (they are its reason or its detail), unless they speak of the moment or hold a secret.
fn groups<'a>(sentence: &str, offset: usize, signals: &[&'a Signal], secret: &dyn Fn(&str) -> bool) -> Vec<Group<'a>> {
    let mut groups: Vec<Group> = Vec::new();
    let mut leading: Option<usize> = None;
    let mut broken = false;
    for clause in clauses(sentence) {
        let here: Vec<&Signal> =
            signals.iter().copied().filter(|s| clause.contains(&(s.span.start - offset))).collect();
        let durable: Vec<&Signal> = here.iter().copied().filter(|s| s.act.is_durable()).collect();
        let words = sentence.get(clause.clone()).unwrap_or_default();
        let forgets = here.iter().any(|s| s.act == Act::Forget);
        // A blank between Chinese characters is a weak border: the object may stand behind it.
        let joined = sentence.get(..clause.start).is_some_and(|before| before.ends_with(' ') && is_chinese(words));
        let orders = opens_with_a_task(&here, offset + clause.start);
        if secret(words) || forgets || durable.is_empty() && is_passing(&here) && (!joined || orders) {
            leading = None;
            broken = true;
            continue;
        }
        let durable_stopped = durable.is_empty();
        match groups.last_mut() {
            Some(group) if durable.is_empty() => {
                if !broken {
                    group.range.end = clause.end;
                }
            }
            Some(group) if !broken && !stands_alone(words, &durable, group, sentence) => {
                group.range.end = clause.end;
                group.signals.extend(durable);
            }
            Some(_) => groups.push(Group { range: clause, signals: durable }),
            None if durable.is_empty() => leading = leading.or(Some(clause.start)),
            None => groups.push(Group { range: leading.take().unwrap_or(clause.start)..clause.end, signals: durable }),
        }
        // What was left out before the first stretch, or before a new one, breaks nothing.
        broken &= !groups.is_empty() && durable_stopped;
    }
    let unnamed = signals.iter().all(|s| !s.act.is_durable() && s.act != Act::Forget);
    if groups.is_empty() && unnamed && !secret(sentence) {
        groups.push(Group { range: 0..sentence.len(), signals: Vec::new() });
    }
    groups
}

/// Whether a clause only speaks of the moment: it asks, approves, supposes, or concerns the task at hand.
fn is_passing(signals: &[&Signal]) -> bool {
    let has = |acts: &[Act]| signals.iter().any(|s| acts.contains(&s.act));
    has(&[Act::Moment, Act::Question, Act::Hypothetical, Act::Approval, Act::Confirmation, Act::Undo])
        && !has(&[Act::Rule])
}

/// Whether a clause that begins at `start` gives an order for now with its first words: "帮我 …", "再帮我 …".
fn opens_with_a_task(signals: &[&Signal], start: usize) -> bool {
    signals.iter().any(|s| s.act == Act::Moment && s.span.start <= start + ONE_CHARACTER)
}

/// The bytes of a Chinese character.
const ONE_CHARACTER: usize = 3;

/// A clause of fewer words has no verb of its own.
const FEWEST_WORDS: usize = 3;

/// Whether a clause with a statement can stand alone beside the stretch before it.
fn stands_alone(clause: &str, durable: &[&Signal], before: &Group, sentence: &str) -> bool {
    const SUBJECTS: &[&str] =
        &["i'm ", "im ", "i am ", "my ", "our ", "i live", "i work", "i prefer", "always ", "never "];
    if is_chinese(clause) {
        // Another sort of statement with a subject of its own ("测试库的端口是 …"), or a new order ("以后 …").
        let other = durable.iter().all(|s| before.signals.iter().all(|b| b.act != s.act));
        let text = clause.trim();
        let of_person = sentence.get(before.range.clone()).is_some_and(|b| b.trim_start().starts_with('我'));
        let of_thing = text.split_once('是').is_some_and(|(subject, _)| names_a_thing(subject));
        return of_person && of_thing
            || other && (text.contains('是') || ["以后", "往后", "今后"].iter().any(|w| text.starts_with(w)));
    }
    let text = clause.trim().to_lowercase();
    let text = text.strip_prefix("and ").unwrap_or(&text);
    // "…, never pip" leans on the verb before it.
    text.split_whitespace().count() >= FEWEST_WORDS && SUBJECTS.iter().any(|s| text.starts_with(s))
}

/// Whether a Chinese subject is a thing with a name, neither a person who speaks nor something pointed at.
fn names_a_thing(subject: &str) -> bool {
    (2..=12).contains(&subject.chars().count()) && !subject.contains(['我', '你', '您', '他', '她', '它', '这', '那'])
}

fn text(material: &Material, stretch: &str) -> Option<String> {
    let clean = material.words(stretch);
    if clean.contains("[redacted:") {
        return None;
    }
    let clean = without_front(&clean, &[&WORDS.english.openers, &WORDS.chinese.openers]);
    let clean = without_end(clean, &[&WORDS.english.trailers, &WORDS.chinese.trailers]);
    let clean = clean.split_whitespace().collect::<Vec<_>>().join(" ");
    let long_enough = clean.chars().filter(|c| c.is_alphanumeric()).count() >= MIN_CHARS;
    let short_enough = clean.chars().count() <= MAX_CHARS;
    (long_enough && short_enough && stands_by_itself(&clean)).then(|| third_person(&clean))
}

/// The class that the signals speak for most strongly; a prohibition wins a tie, a fact loses it.
fn class(signals: &[&Signal], said: &Said) -> Class {
    let strictest = [Act::Constraint, Act::Preference, Act::Config, Act::Fact];
    let strength = |act: Act| signals.iter().filter(|s| s.act == act).map(|s| s.strength).sum::<f32>();
    let best =
        strictest.into_iter().rev().max_by(|&a, &b| strength(a).total_cmp(&strength(b))).filter(|&a| strength(a) > 0.0);
    best.or_else(|| strictest.into_iter().find(|a| said.acts.contains(a))).and_then(class_of).unwrap_or(Class::Fact)
}

fn class_of(act: Act) -> Option<Class> {
    match act {
        Act::Preference => Some(Class::Preference),
        Act::Fact => Some(Class::Fact),
        Act::Config => Some(Class::Config),
        Act::Constraint => Some(Class::Constraint),
        _ => None,
    }
}
