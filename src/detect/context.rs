//! What stands around a human turn: the agent's step before, its answer after, and the turn's own shape.
//!
//! Most corrections carry no marker; the best evidence is what the agent did just before and how its next sentence
//! begins. It is evidence *about* the human turn, never content.

use crate::rules::{Act, After, Signal};
use crate::text::Speech;
use crate::text::script::is_han;
use crate::transcript::Manner;

/// The evidence around one human turn.
#[derive(Debug, Clone, Default)]
pub struct Context {
    /// What the agent did before.
    pub before: Vec<After>,
    /// Named evidence and its amount (1 for what is simply there).
    pub evidence: Vec<(&'static str, f32)>,
    /// How the turn came about.
    pub manner: Option<Manner>,
    /// Whether the turn was judged a correction.
    pub corrects: bool,
    /// The end of the agent's text, if it asked something there.
    pub asked: Option<String>,
}

impl Context {
    pub(super) fn has(&self, name: &str) -> bool {
        self.evidence.iter().any(|(n, _)| *n == name)
    }

    pub(super) fn note(&mut self, present: bool, name: &'static str) {
        if present && !self.has(name) {
            self.evidence.push((name, 1.0));
        }
    }

    /// Whether the turn is a note that the person typed for the host's own memory.
    #[must_use]
    pub fn is_note(&self) -> bool {
        self.manner == Some(Manner::Note)
    }

    /// Adds what the triggers in the turn say about it as a whole.
    pub fn note_signals(&mut self, signals: &[Signal], speech: &Speech) {
        for (act, name) in [
            (Act::Confirmation, "said.confirmation"),
            (Act::Approval, "said.approval"),
            (Act::Hypothetical, "said.hypothetical"),
            (Act::Undo, "said.undo"),
            (Act::Correction, "said.correction"),
        ] {
            self.note(signals.iter().any(|s| s.act == act), name);
        }
        // What was read back and is neither approved of nor asked about is put right.
        let agrees = |act: Act| matches!(act, Act::Approval | Act::Confirmation);
        let answers = signals.iter().any(|s| agrees(s.act) && s.sentence == 0);
        let fired = |act: Act| signals.iter().any(|s| s.act == act);
        let only_asks = fired(Act::Question) && !fired(Act::Instruction);
        self.note(self.has("topic.new_value") && !answers && !only_asks, "said.repair");
        self.note(fired(Act::Correction) && self.has("agent.silent"), "said.unanswered");
        // Only in the middle of the work does a lasting statement say that the agent went against it.
        let at_work = self.before.iter().any(|b| matches!(b, After::Action | After::Claim | After::Interrupt));
        self.note(at_work && signals.iter().any(|s| s.act.is_durable()), "said.durable");
        let asks = |i: usize| {
            speech.sentences()[i].question || signals.iter().any(|s| s.sentence == i && s.act == Act::Question)
        };
        let count = speech.sentences().len();
        self.note(count > 0 && (0..count).all(asks), "form.only_questions");
        self.note(count > 0 && asks(count - 1), "form.ends_in_question");
        self.note_stance(fired);
    }

    /// Whether the turn tells the agent what to do, describes how things are, or asserts and no more: in the middle of
    /// the work a plain assertion mostly says that something is not as it should be, and surely so where the agent
    /// answers it with a change.
    fn note_stance(&mut self, fired: impl Fn(Act) -> bool) {
        let at_start = self.has("before.nothing");
        let asks = fired(Act::Question) || self.has("form.ends_in_question");
        let agrees = fired(Act::Approval) || fired(Act::Confirmation);
        let asserts = !at_start && !asks && !agrees && !fired(Act::Instruction) && !self.has("form.no_speech");
        self.note(fired(Act::Instruction), "form.instructs");
        self.note(!at_start && fired(Act::Description), "form.describes");
        self.note(asserts && !self.has("before.question"), "form.asserts");
        self.note(asserts && self.has("agent.revises"), "said.revised");
    }

    /// Evidence about one sentence of the turn.
    #[must_use]
    pub fn sentence_evidence(&self, speech: &Speech, index: usize) -> Vec<(&'static str, f32)> {
        let sentence = &speech.sentences()[index];
        let text = speech.original(&sentence.span);
        let size = size(text);
        let mut evidence: Vec<(&'static str, f32)> = Vec::new();
        for (present, name) in [
            (self.is_note(), "manner.note"),
            (self.manner == Some(Manner::Rejection), "manner.rejection"),
            (self.corrects, "turn.corrects"),
            // A short opening turn is an introduction, a longer one a task.
            (self.before.contains(&After::Nothing) && !self.has("form.short") && !self.has("form.tiny"), "turn.opens"),
            (self.before.contains(&After::Question), "turn.answers"),
            (speech.masked.quoted + speech.masked.errors > 3, "turn.pastes"),
            (self.has("form.long"), "turn.wordy"),
            (self.has("form.short"), "turn.brief"),
            (size <= 2, "sentence.tiny"),
            (size == 3, "sentence.short"),
            (size > 40, "sentence.long"),
            (names(text), "sentence.named"),
        ] {
            if present {
                evidence.push((name, 1.0));
            }
        }
        evidence.push(("sentence.length", share(size)));
        evidence.extend(self.evidence.iter().filter(|(n, _)| *n == "agent.admits"));
        evidence
    }

    /// Whether the turn names a file, a tool, a host, a version: something a later session can meet again.
    #[must_use]
    pub fn names_something(&self, speech: &Speech) -> bool {
        speech.sentences().iter().any(|s| names(speech.original(&s.span)))
    }
}

/// How long a sentence is, from 0 to 1: no facts are told in a breath, and none take more than thirty words.
fn share(size: usize) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "at most thirty")]
    let words = size.min(30) as f32;
    words / 30.0
}

/// Words, counting two Chinese characters as one.
pub(super) fn size(text: &str) -> usize {
    let han = text.chars().filter(|&c| is_han(c)).count();
    let latin = text.split(|c: char| !c.is_alphanumeric() || is_han(c)).filter(|w| !w.is_empty()).count();
    latin + han.div_ceil(2)
}

/// Whether a text holds an identifier: inline code, a path, a dotted or underscored name, a word with a digit or
/// capitals inside, or (in Chinese) any Latin word.
fn names(text: &str) -> bool {
    let chinese = text.chars().any(is_han);
    text.contains('`')
        || text.split(|c: char| c.is_whitespace() || is_han(c) || matches!(c, ',' | '，' | '(' | ')' | '"')).any(
            |word| {
                let word = word.trim_matches(|c: char| !c.is_alphanumeric());
                let inner = |f: fn(char) -> bool| word.chars().skip(1).any(f);
                let latin = word.chars().filter(char::is_ascii_alphabetic).count();
                (latin >= 2 && chinese)
                    || (latin >= 1 && inner(|c| matches!(c, '/' | '_' | '.' | '@')) && word.len() > 3)
                    || (latin >= 1 && word.chars().any(|c| c.is_ascii_digit()) && word.len() > 1)
                    || (latin >= 2 && inner(|c| c.is_ascii_uppercase()))
            },
        )
}
