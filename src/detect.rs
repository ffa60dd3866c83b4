//! Detection: turn → signals → acts.
//!
//! A single phrase decides nothing. Each human turn is asked four questions (does it correct, does it confirm,
//! what does each sentence state, does the correction teach something), and each question is a sum of named
//! evidence: triggers that fired in the words, and what stood around them ([`surroundings`], [`context`]): what the
//! agent did just before, how it answered, how the turn came about, what it looks like. The weights are data
//! (`rules/weights.toml`).
//!
//! Architecture invariant: nothing here reads a clock, a file or another session; the same turns give the same
//! judgements.

pub mod answer;
pub mod context;
pub mod score;
pub mod surroundings;

use std::ops::Range;

use rayon::prelude::*;

use crate::rules::schema::Model;
use crate::rules::{Act, Rules, Side, Signal};
use crate::text::Speech;
use crate::text::sentence::{Sentence, clauses};
use crate::transcript::{Manner, Session};
use answer::Subject;
use context::Context;
pub use score::Score;
use surroundings::Stand;

/// What one human turn does.
#[derive(Debug, Clone)]
pub struct Judgement {
    /// Index of the turn in [`Session::turns`].
    pub turn: usize,
    /// The triggers that fired in it.
    pub signals: Vec<Signal>,
    /// Does it correct the agent?
    pub correction: Score,
    /// Does it confirm finished work?
    pub confirmation: Score,
    /// If it corrects: does it teach something a later session can use?
    pub lesson: Score,
    /// If it teaches something: does it tell how to do the work, rather than how things are?
    pub procedure: Score,
    /// Its sentences, and what each states.
    pub sentences: Vec<Said>,
    /// What it does, in the order of [`Act::REPORTED`].
    pub acts: Vec<Act>,
    /// What stood around it.
    pub context: Context,
    /// Whether the person took the turn back later (a rollback, a rewritten prompt): it teaches nothing.
    pub withdrawn: bool,
}

/// One sentence, and whether it states something durable.
#[derive(Debug, Clone)]
pub struct Said {
    /// Where it stands in the turn's text.
    pub span: Range<usize>,
    /// The number of the list item it opens.
    pub item: Option<u32>,
    /// Whether it asks rather than states.
    pub question: bool,
    /// The durable acts whose triggers fired in it.
    pub acts: Vec<Act>,
    /// Does it state something durable?
    pub statement: Score,
    /// What an elliptical answer is about, from the agent's question.
    pub subject: Option<&'static Subject>,
    /// What stands around the sentence: named evidence and its amount.
    pub evidence: Vec<(&'static str, f32)>,
}

impl Judgement {
    /// Whether it does `act`.
    #[must_use]
    pub fn is(&self, act: Act) -> bool {
        self.acts.contains(&act)
    }

    /// Whether something in it is worth learning: a correction that says what is wanted, or a durable statement.
    #[must_use]
    pub fn teaches(&self) -> bool {
        self.is(Act::Correction) || Act::DURABLE.iter().any(|&a| self.is(a))
    }

    /// The sentences that state something durable enough for a memory.
    pub fn statements<'a>(&'a self, model: &'a Model) -> impl Iterator<Item = &'a Said> {
        self.sentences.iter().filter(|s| s.statement.total > model.memory_bar && !s.acts.is_empty())
    }
}

/// Judges every human turn of a session, in order.
#[must_use]
pub fn judge(session: &Session, rules: &Rules) -> Vec<Judgement> {
    let walk = surroundings::walk(session);
    let judge = |stand: &Stand, before: Before| {
        let speech = walk.speech(stand);
        let mut context = walk.context(stand, &speech, rules);
        context.note(before == Before::Correction, "chain.correction");
        let withdrawn = session.turns[stand.turn].manner == Manner::Withdrawn;
        Judgement { withdrawn, ..judge_turn(stand.turn, &speech, context, rules) }
    };
    let stands = &walk.stands;
    let mut judgements: Vec<Judgement> = stands.par_iter().map(|stand| judge(stand, Before::Other)).collect();
    // What follows a correction is judged again in its light; corrections are few.
    for next in 1..judgements.len() {
        if judgements[next - 1].is(Act::Correction) {
            judgements[next] = judge(&stands[next], Before::Correction);
        }
    }
    judgements
}

/// What the human turn before was.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Correction,
    Other,
}

/// Judges one turn from its words and its context.
#[must_use]
pub fn judge_turn(index: usize, speech: &Speech, mut context: Context, rules: &Rules) -> Judgement {
    let signals = rules.signals(speech, Side::Human, &context.before);
    context.note_signals(&signals, speech);
    let weights = rules.weights();
    let name = |s: &Signal| rules.triggers()[s.trigger].entry.id.clone();

    let correction = Score::new(&weights.correction)
        .signals(signals.iter().filter(|s| matches!(s.act, Act::Correction | Act::Undo)), name)
        .evidence(&weights.correction, &context.evidence);
    let confirmation = Score::new(&weights.confirmation)
        .signals(signals.iter().filter(|s| s.act == Act::Confirmation), name)
        .evidence(&weights.confirmation, &context.evidence);
    context.corrects = correction.passes(&weights.correction);
    let sentences: Vec<Said> =
        (0..speech.sentences().len()).map(|i| judge_sentence(i, speech, &signals, &context, rules)).collect();
    let lesson = judge_lesson(speech, &sentences, &context, rules);
    let procedure = judge_procedure(speech, &sentences, &signals, &correction, rules);
    let acts = acts_of(&signals, &correction, &confirmation, &sentences, rules);
    Judgement {
        turn: index,
        signals,
        correction,
        confirmation,
        lesson,
        procedure,
        sentences,
        acts,
        context,
        withdrawn: false,
    }
}

fn judge_sentence(index: usize, speech: &Speech, signals: &[Signal], context: &Context, rules: &Rules) -> Said {
    let sentence = &speech.sentences()[index];
    let here: Vec<&Signal> = signals.iter().filter(|s| s.sentence == index).collect();
    let model = &rules.weights().statement;
    let name = |s: &Signal| rules.triggers()[s.trigger].entry.id.clone();
    let beside = beside(speech, sentence, &here);
    let has = |act: Act| here.iter().any(|s| s.act == act && !beside(s));
    let mut evidence = context.sentence_evidence(speech, index);
    for (present, what) in [
        (sentence.question || has(Act::Question), "sentence.question"),
        (has(Act::Hypothetical), "sentence.hypothetical"),
        (has(Act::Correction), "sentence.correction"),
        (has(Act::Approval) || has(Act::Confirmation), "sentence.approval"),
    ] {
        if present {
            evidence.push((what, 1.0));
        }
    }
    let mut acts: Vec<Act> = here.iter().map(|s| s.act).filter(|a| a.is_durable()).collect();
    if acts.is_empty() && context.is_note() {
        acts.push(Act::Preference);
    }
    let subject = context
        .asked
        .as_deref()
        .filter(|_| acts.is_empty() && !context.corrects)
        .and_then(|question| answer::subject(question, sentence, speech.original(&sentence.span)));
    if let Some(subject) = subject {
        acts.push(subject.act);
        evidence.push(("answer.subject", 1.0));
    }
    let (near, far): (Vec<&Signal>, Vec<&Signal>) = here.iter().copied().partition(|s| !beside(s));
    let statement = Score::new(model)
        .signals(here.iter().copied().filter(|s| s.act.is_durable()), name)
        .capped(here.iter().copied().filter(|s| s.act == Act::Rule), name, 1.0, SIGN_CAP)
        .capped(near.into_iter().filter(|s| s.act == Act::Moment), name, -1.0, SIGN_CAP)
        .capped(far.into_iter().filter(|s| s.act == Act::Moment), name, -BESIDE, SIGN_CAP)
        .evidence(model, &evidence);
    if acts.is_empty() && statement.passes(model) {
        acts.push(unnamed_act(&here, &evidence));
    }
    acts.sort_unstable();
    acts.dedup();
    Said {
        span: sentence.span.clone(),
        item: sentence.item,
        question: sentence.question || has(Act::Question),
        acts,
        statement,
        subject,
        evidence,
    }
}

/// What a sentence states when no trigger names it: signs alone made it a statement.
fn unnamed_act(here: &[&Signal], evidence: &[(&'static str, f32)]) -> Act {
    if here.iter().any(|s| s.act == Act::Correction) {
        Act::Constraint
    } else if evidence.iter().any(|(name, _)| *name == "sentence.named") {
        Act::Config
    } else if here.iter().any(|s| s.act == Act::Rule) {
        Act::Preference
    } else {
        Act::Fact
    }
}

/// A sign of a moment in another clause than the statement counts only so much.
const BESIDE: f32 = 0.25;

/// Whether a signal stands in another clause than every durable one: "the old one is broken, we use the new host".
fn beside<'a>(speech: &'a Speech, sentence: &'a Sentence, here: &'a [&Signal]) -> impl Fn(&Signal) -> bool + 'a {
    let text = speech.original(&sentence.span);
    let clauses = clauses(text);
    let clause = move |s: &Signal| {
        let at = s.span.start.saturating_sub(sentence.span.start);
        clauses.iter().position(|c| c.start <= at && at < c.end)
    };
    move |signal| {
        let durable: Vec<_> = here.iter().filter(|s| s.act.is_durable()).map(|s| clause(s)).collect();
        !durable.is_empty() && !durable.contains(&clause(signal))
    }
}

/// Signs of one sort add up to this much at most: ten hints are no proof.
const SIGN_CAP: f32 = 4.0;

/// A lesson is a statement that was said as a correction: its best sentence decides, and what stands around it.
fn judge_lesson(speech: &Speech, sentences: &[Said], context: &Context, rules: &Rules) -> Score {
    let model = &rules.weights().lesson;
    let best = sentences.iter().map(|s| s.statement.total).fold(-4.0, f32::max);
    let questions = sentences.iter().filter(|s| s.question).count();
    let mut evidence = context.evidence.clone();
    evidence.push(("turn.states", best.min(4.0)));
    for (present, what) in [
        (!sentences.is_empty() && questions == sentences.len(), "turn.only_questions"),
        (context.names_something(speech), "turn.named"),
    ] {
        if present {
            evidence.push((what, 1.0));
        }
    }
    Score::new(model).evidence(model, &evidence)
}

/// A trigger of this strength rejects something by itself.
const CLEAR: f32 = 2.0;

/// From this score on a correction is as sure as it needs to be.
const SURE: f32 = 2.0;

/// A lesson tells how to do the work, or how things are: what its durable sentences sound like decides, and whether any
/// sentence of the turn is an instruction.
fn judge_procedure(
    speech: &Speech,
    sentences: &[Said],
    signals: &[Signal],
    correction: &Score,
    rules: &Rules,
) -> Score {
    let weights = rules.weights();
    let name = |s: &Signal| rules.triggers()[s.trigger].entry.id.clone();
    let passes = |i: usize| sentences[i].statement.passes(&weights.statement);
    let any = (0..sentences.len()).any(passes);
    let counts = |i: usize| !any || passes(i);
    let states = |act: Act| (0..sentences.len()).any(|i| counts(i) && sentences[i].acts.contains(&act));
    let number = |i: usize| speech.original(&sentences[i].span).chars().any(|c| c.is_ascii_digit());
    let mut evidence: Vec<(&'static str, f32)> = [
        (signals.iter().any(|s| s.act == Act::Instruction), "turn.instructs"),
        (signals.iter().any(|s| s.act == Act::Correction && s.strength >= CLEAR), "turn.rejects"),
        (states(Act::Preference), "states.preference"),
        (states(Act::Config), "states.config"),
        (states(Act::Fact), "states.fact"),
        ((0..sentences.len()).any(|i| counts(i) && number(i)), "states.number"),
    ]
    .into_iter()
    .filter_map(|(present, name)| present.then_some((name, 1.0)))
    .collect();
    evidence.push(("turn.corrects", correction.total.clamp(0.0, SURE)));
    let here = |act: Act| signals.iter().filter(move |s| s.act == act && counts(s.sentence));
    Score::new(&weights.procedure)
        .signals(here(Act::Instruction), name)
        .capped(here(Act::Description), name, -1.0, SIGN_CAP)
        .evidence(&weights.procedure, &evidence)
}

fn acts_of(
    signals: &[Signal],
    correction: &Score,
    confirmation: &Score,
    sentences: &[Said],
    rules: &Rules,
) -> Vec<Act> {
    let weights = rules.weights();
    let strength = |act: Act| signals.iter().filter(|s| s.act == act).map(|s| s.strength).sum::<f32>();
    let mut acts = Vec::new();
    if correction.passes(&weights.correction) {
        acts.push(Act::Correction);
    }
    if confirmation.passes(&weights.confirmation) && confirmation.total >= correction.total {
        acts.push(Act::Confirmation);
    }
    if acts.is_empty() && strength(Act::Approval) >= 2.0 {
        acts.push(Act::Approval);
    }
    for act in [Act::Undo, Act::Forget] {
        if strength(act) >= 2.0 {
            acts.push(act);
        }
    }
    let mut stated: Vec<Act> =
        sentences.iter().filter(|s| s.statement.passes(&weights.statement)).flat_map(|s| s.acts.clone()).collect();
    stated.sort_unstable();
    stated.dedup();
    acts.extend(stated);
    acts.sort_unstable_by_key(|a| Act::REPORTED.iter().position(|r| r == a));
    acts
}
