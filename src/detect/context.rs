//! What stands around a human turn: the agent's step before, its answer after, and the turn's own shape.
//!
//! Most corrections carry no marker; the best evidence is what the agent did just before and how its next sentence
//! begins. It is evidence *about* the human turn, never content.

use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::ops::Range;

use crate::rules::{Act, After, Rules, Side, Signal};
use crate::text::script::{is_chinese, is_han};
use crate::text::terms::{overlap, terms};
use crate::text::{Speech, mask};
use crate::transcript::{Host, Manner, Session, Speaker, Turn};

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
    /// Whether the person has mostly written Chinese so far.
    pub chinese: bool,
    /// The end of the agent's text, if it asked something there.
    pub asked: Option<String>,
}

/// How much of the agent's text before a turn is read: its end, where it asks and claims.
const BEFORE_BYTES: usize = 1_200;
/// How much of the agent's answer is read: its beginning, where it reacts.
const AFTER_BYTES: usize = 240;

impl Context {
    fn has(&self, name: &str) -> bool {
        self.evidence.iter().any(|(n, _)| *n == name)
    }

    fn note(&mut self, present: bool, name: &'static str) {
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
            (Act::Question, "said.question"),
            (Act::Hypothetical, "said.hypothetical"),
            (Act::Moment, "said.moment"),
            (Act::Rule, "said.rule"),
            (Act::Undo, "said.undo"),
            (Act::Correction, "said.correction"),
        ] {
            self.note(signals.iter().any(|s| s.act == act), name);
        }
        // Only in the middle of the work does a lasting statement say that the agent went against it.
        let at_work = self.before.iter().any(|b| matches!(b, After::Action | After::Claim | After::Interrupt));
        self.note(at_work && signals.iter().any(|s| s.act.is_durable()), "said.durable");
        let asks = |i: usize| {
            speech.sentences()[i].question || signals.iter().any(|s| s.sentence == i && s.act == Act::Question)
        };
        let count = speech.sentences().len();
        self.note(count > 0 && (0..count).all(asks), "form.only_questions");
        self.note(count > 0 && asks(count - 1), "form.ends_in_question");
        // A challenge in question form is no question; its trigger says so.
        let challenged = self.has("said.correction");
        self.note(count > 0 && !challenged && (0..count).all(asks), "form.asks_only");
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
            (speech.masked.spoken > 8, "turn.long"),
            (speech.masked.quoted + speech.masked.errors > 3, "turn.pastes"),
            (self.has("form.long"), "turn.wordy"),
            (self.has("form.short"), "turn.brief"),
            (text.chars().any(|c| c.is_ascii_digit()), "sentence.number"),
            (self.chinese && size > 4 && !text.chars().any(is_han), "sentence.foreign"),
            (size <= 2, "sentence.tiny"),
            (size > 40, "sentence.long"),
            (names(text), "sentence.named"),
            (index > 0 && index + 1 == speech.sentences().len(), "sentence.last"),
        ] {
            if present {
                evidence.push((name, 1.0));
            }
        }
        evidence.extend(self.evidence.iter().filter(|(n, _)| *n == "agent.admits"));
        evidence
    }

    /// Whether the turn names a file, a tool, a host, a version: something a later session can meet again.
    #[must_use]
    pub fn names_something(&self, speech: &Speech) -> bool {
        speech.sentences().iter().any(|s| names(speech.original(&s.span)))
    }
}

/// Words, counting two Chinese characters as one.
fn size(text: &str) -> usize {
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

/// Walks a session and knows, at each human turn, what stood before it and what follows.
pub struct Surroundings<'s> {
    session: &'s Session,
    rules: &'s Rules,
    /// Hashes of the lines the agent has written so far.
    lines: HashSet<u64>,
    calls: usize,
    said: Option<&'s str>,
    interrupted: bool,
    failed: bool,
    opened: bool,
    /// Whether the agent is answering a machine (a cron prompt, a heartbeat): nothing a person reacts to.
    machine: bool,
    turns: usize,
    chinese_turns: usize,
    earlier: Vec<HashSet<String>>,
}

impl<'s> Surroundings<'s> {
    /// At the beginning of a session.
    #[must_use]
    pub fn new(session: &'s Session, rules: &'s Rules) -> Self {
        Self {
            session,
            rules,
            lines: HashSet::new(),
            calls: 0,
            said: None,
            interrupted: false,
            failed: false,
            opened: false,
            machine: false,
            turns: 0,
            chinese_turns: 0,
            earlier: Vec::new(),
        }
    }

    /// The lines of a human text that the agent wrote before.
    #[must_use]
    pub fn echoes(&self, text: &str) -> Vec<Range<usize>> {
        mask::echoes(text, &|line| self.lines.contains(&hash(line)))
    }

    /// What stands around human turn `index`.
    #[must_use]
    pub fn of(&self, index: usize, speech: &Speech, corrected_before: bool) -> Context {
        let turn = &self.session.turns[index];
        let chinese = self.chinese_turns * 2 > self.turns;
        let mut context = Context { manner: Some(turn.manner), chinese, ..Context::default() };
        self.note_before(&mut context);
        self.note_after(&mut context, index);
        self.note_form(&mut context, turn, speech);
        context.note(corrected_before, "chain.correction");
        context
    }

    fn note_before(&self, context: &mut Context) {
        let text = self.said.map(|t| tail(t, BEFORE_BYTES)).unwrap_or_default();
        let speech = Speech::new(text, &[]);
        let signals = self.rules.signals(&speech, Side::Agent, &[]);
        let last = speech.sentences().len().saturating_sub(2);
        let asked = speech.sentences().iter().skip(last).any(|s| s.question)
            || signals.iter().any(|s| s.act == Act::Proposal && s.sentence >= last);
        for (present, after, name) in [
            (!self.opened, After::Nothing, "before.nothing"),
            (asked, After::Question, "before.question"),
            (self.calls > 0, After::Action, "before.action"),
            (signals.iter().any(|s| s.act == Act::Claim), After::Claim, "before.claim"),
            (self.interrupted, After::Interrupt, "before.interrupt"),
        ] {
            if present {
                context.before.push(after);
                context.note(true, name);
            }
        }
        context.asked = asked.then(|| text.to_owned());
        context.note(self.failed, "before.failed");
    }

    fn note_after(&self, context: &mut Context, index: usize) {
        let following = self.session.turns.iter().skip(index + 1);
        let reply = following
            .take_while(|t| t.speaker != Speaker::Human)
            .find(|t| t.speaker == Speaker::Agent && t.manner == Manner::Plain && !t.text.trim().is_empty());
        let Some(reply) = reply else { return };
        let speech = Speech::new(head(&reply.text, AFTER_BYTES), &[]);
        let signals = self.rules.signals(&speech, Side::Agent, &[]);
        let admits =
            signals.iter().filter(|s| s.act == Act::Reaction && s.sentence < 2).map(|s| s.strength).fold(0.0, f32::max);
        if admits > 0.0 {
            context.evidence.push(("agent.admits", admits));
        }
        context.note(signals.iter().any(|s| s.act == Act::Claim), "agent.claims");
        context.note(
            signals.iter().any(|s| s.act == Act::Proposal) || speech.sentences().last().is_some_and(|s| s.question),
            "agent.asks",
        );
    }

    fn note_form(&self, context: &mut Context, turn: &Turn, speech: &Speech) {
        let size = size(&turn.text);
        let own = terms(&turn.text);
        let near = self.said.map_or(0.0, |t| overlap(&own, &terms(tail(t, BEFORE_BYTES))));
        let again = self.earlier.iter().map(|e| overlap(&own, e)).fold(0.0, f32::max);
        for (present, name) in [
            (size <= 3, "form.tiny"),
            (size > 3 && size <= 12, "form.short"),
            (size > 60, "form.long"),
            (speech.masked.errors > 0, "form.error"),
            (speech.masked.quoted > 2, "form.pasted"),
            (speech.masked.echoed > 0, "form.echo"),
            (speech.is_empty(), "form.no_speech"),
            (near >= 0.3 && own.len() > 2, "topic.of_agent"),
            (again >= 0.6 && own.len() > 2, "topic.repeated"),
            (turn.manner == Manner::Rejection, "manner.rejection"),
            (turn.manner == Manner::Answer, "manner.answer"),
            (turn.manner == Manner::Note, "manner.note"),
            (turn.manner == Manner::Argument, "manner.argument"),
            (turn.text.trim_start().starts_with('/'), "form.slash"),
        ] {
            context.note(present, name);
        }
    }

    /// Goes past turn `index`.
    pub fn pass(&mut self, index: usize) {
        let turn = &self.session.turns[index];
        match (turn.speaker, turn.manner) {
            (Speaker::Agent, _) if self.machine => {}
            (Speaker::Injected, Manner::Plain) => self.machine = self.session.host == Host::Openclaw,
            (Speaker::Agent, Manner::Call) => self.calls += 1,
            (Speaker::Agent, Manner::Failed) => self.failed = true,
            (Speaker::Agent, _) => {
                self.said = Some(turn.text.as_str()).filter(|t| !t.trim().is_empty()).or(self.said);
                self.lines.extend(turn.text.lines().map(plain_line).filter(|l| l.len() >= 8).map(hash));
            }
            (Speaker::Injected, Manner::Interrupt | Manner::Rejection | Manner::Rollback) => self.interrupted = true,
            (Speaker::Human, manner) => {
                self.machine = false;
                self.turns += 1;
                self.chinese_turns += usize::from(is_chinese(&turn.text));
                self.calls = 0;
                self.said = None;
                self.failed = false;
                self.opened = true;
                self.interrupted = manner == Manner::Rejection;
                self.earlier.push(terms(&turn.text));
                if self.earlier.len() > 8 {
                    self.earlier.remove(0);
                }
            }
            (Speaker::Injected, Manner::Boundary) => {
                self.opened = false;
                self.earlier.clear();
            }
            _ => {}
        }
    }
}

/// A line without its list marks and blanks, as lines are compared when text is pasted back.
fn plain_line(line: &str) -> &str {
    line.trim_matches(|c: char| c.is_whitespace() || matches!(c, '>' | '-' | '*' | '⏺' | '●'))
}

fn hash(line: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    line.hash(&mut hasher);
    hasher.finish()
}

fn head(text: &str, bytes: usize) -> &str {
    let end = (0..=bytes.min(text.len())).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0);
    text.get(..end).unwrap_or_default()
}

fn tail(text: &str, bytes: usize) -> &str {
    let start = (text.len().saturating_sub(bytes)..=text.len()).find(|&i| text.is_char_boundary(i)).unwrap_or(0);
    text.get(start..).unwrap_or_default()
}
