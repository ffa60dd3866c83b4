//! Composing: from what was said to the text that is kept.
//!
//! A confirmed correction that teaches becomes a playbook, a durable statement a profile, never both; what was not
//! confirmed is pending. The words stay close to those of the person; secrets and everything that could act in a
//! later prompt are taken out before a candidate leaves this module.

pub mod person;
pub mod playbook;
pub mod profile;
pub mod slug;
pub mod ttl;
mod whole;
pub mod words;

use std::collections::HashSet;

use chrono::{DateTime, Utc};

use words::{WORDS, without_end, without_front};

use crate::detect::Judgement;
use crate::detect::score::Part;
use crate::episode::{Episode, Phase};
use crate::memory::{Candidate, Class, Confirmation, Evidence, Ground, Intent, Kind, Role, Ttl, shortened};
use crate::redact::Redactor;
use crate::rules::{Act, Rules};
use crate::transcript::{Session, Turn};

/// Everything composing looks at.
#[derive(Clone, Copy)]
pub struct Material<'a> {
    /// The session.
    pub session: &'a Session,
    /// What each human turn does.
    pub judgements: &'a [Judgement],
    /// The episodes after the session's end.
    pub episodes: &'a [Episode],
    /// The rules (for the bars).
    pub rules: &'a Rules,
    /// What takes secrets out.
    pub redactor: &'a Redactor,
}

/// A quote in evidence is cut at so many characters.
const QUOTE_CHARS: usize = 240;

/// The memories a session proposes, in the order in which they were said.
#[must_use]
pub fn candidates(material: Material) -> Vec<Candidate> {
    let mut found = Vec::new();
    // Turns whose correction became (or waits to become) a playbook: their statements are not told twice.
    let mut told: HashSet<usize> = HashSet::new();
    for episode in material.episodes {
        found.extend(material.lesson_of(episode, &mut told));
    }
    for (index, judgement) in material.judgements.iter().enumerate().filter(|(_, j)| !j.withdrawn) {
        if judgement.is(Act::Forget) {
            found.extend(material.forget(judgement));
        }
        if !told.contains(&index) {
            found.extend(material.statements_of(judgement));
        }
    }
    found.sort_by_key(order);
    found
}

fn order(candidate: &Candidate) -> (DateTime<Utc>, u32, Kind) {
    (candidate.said_at, candidate.evidence.first().map_or(0, |e| e.line), candidate.kind)
}

impl<'a> Material<'a> {
    fn turn(&self, judgement: &Judgement) -> &'a Turn {
        &self.session.turns[judgement.turn]
    }

    /// The text of a turn with its secrets taken out.
    pub(crate) fn words(&self, text: &str) -> String {
        self.redactor.clean(text).text.into_owned()
    }

    fn lesson_of(&self, episode: &Episode, told: &mut HashSet<usize>) -> Option<Candidate> {
        let model = &self.rules.weights().lesson;
        // What the person went on to praise was worth saying: the bar is lower then.
        let approved = episode.phase == Phase::Confirmed(Confirmation::Explicit);
        let bar = if approved { model.memory_bar - APPROVED } else { model.memory_bar };
        let teaches = |&&i: &&usize| self.judgements[i].lesson.total > bar;
        let deciding = episode.corrections.iter().rev().find(teaches);
        match (episode.phase, deciding) {
            (Phase::Confirmed(how), Some(&i)) => {
                let judgement = &self.judgements[i];
                if describes(judgement, self.rules) {
                    return None;
                }
                let candidate = self.playbook(episode, i, how)?;
                told.extend(&episode.corrections);
                Some(candidate)
            }
            (Phase::Unconfirmed, _) => {
                let &last = episode.corrections.last()?;
                let judgement = &self.judgements[last];
                let stands = judgement.statements(&self.rules.weights().statement).next().is_some();
                if stands { None } else { self.pending(last) }
            }
            _ => None,
        }
    }

    fn playbook(&self, episode: &Episode, deciding: usize, how: Confirmation) -> Option<Candidate> {
        let judgement = &self.judgements[deciding];
        let text = playbook::compose(self, episode, deciding)?;
        let correction =
            |judgement: &Judgement| self.evidence(judgement, Role::Correction, &judgement.correction.parts);
        let mut evidence = vec![correction(judgement)];
        evidence
            .extend(episode.corrections.iter().filter(|&&i| i != deciding).map(|&i| correction(&self.judgements[i])));
        if let Some(i) = episode.confirmed_by {
            let accepted = &self.judgements[i];
            evidence.push(self.evidence(accepted, Role::Confirmation, &accepted.confirmation.parts));
        }
        Some(Candidate {
            intent: Intent::Keep,
            kind: Kind::Playbook,
            class: Class::Procedure,
            slug: slug::slug(&text.topic),
            ttl: Ttl::Infinity,
            confirm: how,
            body: text.body,
            said_at: self.time(self.turn(judgement)),
            replaces: Vec::new(),
            evidence,
            reason: format!(
                "correction, then {}; teaches with {:.1} (bar {:.1})",
                if how == Confirmation::Explicit { "explicit approval" } else { "no further objection" },
                judgement.lesson.total,
                self.rules.weights().lesson.memory_bar
            ),
        })
    }

    fn pending(&self, index: usize) -> Option<Candidate> {
        let judgement = &self.judgements[index];
        let body = self.words(&self.turn(judgement).text).trim().to_owned();
        (!body.is_empty()).then(|| Candidate {
            intent: Intent::Pending,
            kind: Kind::Playbook,
            class: Class::Procedure,
            slug: slug::slug(&body),
            ttl: Ttl::Infinity,
            confirm: Confirmation::None,
            body: shorten(&body),
            said_at: self.time(self.turn(judgement)),
            replaces: Vec::new(),
            evidence: vec![self.evidence(judgement, Role::Correction, &judgement.correction.parts)],
            reason: "correction that was not confirmed before the session ended".to_owned(),
        })
    }

    fn forget(&self, judgement: &Judgement) -> Option<Candidate> {
        let turn = self.turn(judgement);
        let signal = judgement.signals.iter().find(|s| s.act == Act::Forget)?;
        let rest = turn.text.get(signal.span.end..)?.split(['.', '\n', '。', ';', '；', ',', '，']).next()?;
        let object = without_front(rest, &[&WORDS.english.objects]);
        let object = without_end(object, &[&WORDS.chinese.objects]);
        let object = WORDS.chinese.objects.iter().fold(object, |o, w| o.strip_suffix(w.as_str()).unwrap_or(o));
        // In the person in which memories are kept, so that it can be found among them.
        let body = person::third_person(&self.words(object));
        let name = self.rules.triggers()[signal.trigger].entry.id.clone();
        let asked = [Part { name, weight: signal.strength }];
        (body.chars().count() > 1).then(|| Candidate {
            intent: Intent::Forget,
            kind: Kind::Profile,
            class: Class::Fact,
            slug: slug::slug(&body),
            ttl: Ttl::Infinity,
            confirm: Confirmation::None,
            body,
            said_at: self.time(turn),
            replaces: Vec::new(),
            evidence: vec![self.evidence(judgement, Role::Statement, &asked)],
            reason: "the person asked to forget it".to_owned(),
        })
    }

    fn statements_of(&self, judgement: &Judgement) -> Vec<Candidate> {
        profile::compose(self, judgement)
            .into_iter()
            .map(|text| Candidate {
                intent: Intent::Keep,
                kind: Kind::Profile,
                class: text.class,
                slug: slug::slug(&text.body),
                ttl: ttl::ttl(&text.body, text.class),
                confirm: Confirmation::None,
                body: text.body,
                said_at: self.time(self.turn(judgement)),
                replaces: Vec::new(),
                evidence: vec![self.evidence(judgement, Role::Statement, &text.score.parts)],
                reason: format!(
                    "states a {} with {:.1} (bar {:.1})",
                    class_word(text.class),
                    text.score.total,
                    self.rules.weights().statement.memory_bar
                ),
            })
            .collect()
    }

    fn evidence(&self, judgement: &Judgement, role: Role, parts: &[Part]) -> Evidence {
        let turn = self.turn(judgement);
        Evidence {
            host: self.session.host.name().to_owned(),
            session: self.session.id.clone(),
            line: turn.line,
            role,
            time: self.time(turn),
            quote: shorten(self.words(&turn.text).trim()),
            grounds: parts.iter().map(ground).collect(),
        }
    }

    fn time(&self, turn: &Turn) -> DateTime<Utc> {
        turn.time.unwrap_or(self.session.started)
    }
}

fn ground(part: &Part) -> Ground {
    // A weight is a few units at most.
    Ground { name: part.name.clone(), weight: (part.weight * 100.0).round() as i32 }
}

fn class_word(class: Class) -> &'static str {
    match class {
        Class::Preference => "preference",
        Class::Fact => "fact",
        Class::Config => "configuration",
        Class::Constraint => "constraint",
        Class::Procedure => "procedure",
    }
}

/// A correction that describes how things are ("the amount is in cents") is a profile, not a way to do the work.
fn describes(judgement: &Judgement, rules: &Rules) -> bool {
    let weights = rules.weights();
    !judgement.procedure.passes(&weights.procedure) && judgement.statements(&weights.statement).next().is_some()
}

/// Explicit approval lowers the bar of a lesson by so much, in log-odds.
const APPROVED: f32 = 0.8;

fn shorten(text: &str) -> String {
    shortened(text, QUOTE_CHARS)
}
