//! What stood before a human turn, and what follows it.
//!
//! One walk over the session notes how things stand at each human turn ([`walk`]); what that says about the turn
//! ([`Walk::context`]) can then be found out for all turns side by side.

use std::collections::HashMap;
use std::hash::BuildHasher;
use std::ops::Range;

use rayon::prelude::*;

use super::context::{Context, size};
use crate::rules::{Act, After, Rules, Side};
use crate::text::terms::Terms;
use crate::text::{Speech, mask};
use crate::transcript::{Host, Manner, Session, Speaker, Turn};

/// How much of the agent's text before a turn is read: its end, where it asks and claims.
const BEFORE_BYTES: usize = 1_200;
/// How much of the agent's answer is read for its reaction: its beginning.
const AFTER_BYTES: usize = 240;
/// With so many of the person's earlier turns a turn is compared.
const EARLIER: usize = 8;

/// A session, seen from its human turns.
pub struct Walk<'s> {
    session: &'s Session,
    /// The human turns that are judged, in order.
    pub stands: Vec<Stand<'s>>,
    /// The hash of each line that the agent wrote and the person may have pasted, and the turn in which it first was.
    lines: HashMap<u64, usize>,
    /// The terms of each human turn, by its number among them.
    terms: Vec<Terms>,
}

/// How things stand at a human turn.
#[derive(Clone)]
pub struct Stand<'s> {
    /// Index of the turn in [`Session::turns`].
    pub turn: usize,
    said: Option<&'s str>,
    calls: usize,
    interrupted: bool,
    failed: bool,
    opened: bool,
    /// The numbers of the human turns before it that it may repeat.
    earlier: Range<usize>,
}

/// Walks a session once.
#[must_use]
pub fn walk(session: &Session) -> Walk<'_> {
    let human = |speaker: Speaker| speaker == Speaker::Human;
    let said: Vec<&str> = session.turns.iter().filter(|t| human(t.speaker)).map(|t| t.text.as_str()).collect();
    let pasted = Lengths::of(&said);
    let lines: Vec<Vec<u64>> = session.turns.par_iter().map(|turn| lines_of_agent(turn, &pasted)).collect();
    let mut walk = Walk {
        session,
        stands: Vec::with_capacity(said.len()),
        lines: HashMap::new(),
        terms: said.par_iter().map(|text| Terms::of(text)).collect(),
    };
    let mut here =
        Stand { turn: 0, said: None, calls: 0, interrupted: false, failed: false, opened: false, earlier: 0..0 };
    // Whether the agent is answering a machine (a cron prompt, a heartbeat): nothing a person reacts to.
    let mut machine = false;
    for (index, turn) in session.turns.iter().enumerate() {
        match (turn.speaker, turn.manner) {
            (Speaker::Agent, _) if machine => {}
            (Speaker::Injected, Manner::Plain) => machine = session.host == Host::Openclaw,
            (Speaker::Agent, Manner::Call) => here.calls += 1,
            (Speaker::Agent, Manner::Failed) => here.failed = true,
            (Speaker::Agent, _) => {
                here.said = Some(turn.text.as_str()).filter(|t| !t.trim().is_empty()).or(here.said);
                walk.note_lines(&lines[index], index);
            }
            (Speaker::Injected, Manner::Interrupt | Manner::Rejection | Manner::Rollback) => here.interrupted = true,
            (Speaker::Human, manner) => {
                if manner != Manner::Copy {
                    walk.stands.push(Stand { turn: index, ..here.clone() });
                }
                machine = false;
                let end = here.earlier.end + 1;
                here = Stand {
                    said: None,
                    calls: 0,
                    failed: false,
                    opened: true,
                    interrupted: manner == Manner::Rejection,
                    earlier: here.earlier.start.max(end.saturating_sub(EARLIER))..end,
                    ..here
                };
            }
            (Speaker::Injected, Manner::Boundary) => {
                here.opened = false;
                here.earlier.start = here.earlier.end;
            }
            _ => {}
        }
    }
    walk
}

impl Walk<'_> {
    fn note_lines(&mut self, lines: &[u64], index: usize) {
        for &line in lines {
            self.lines.entry(line).or_insert(index);
        }
    }

    /// What the person said themselves in a turn: what the agent wrote before is an echo.
    #[must_use]
    pub fn speech(&self, stand: &Stand) -> Speech<'_> {
        let text = &self.session.turns[stand.turn].text;
        let wrote = |line: &str| self.lines.get(&hash(line)).is_some_and(|first| *first < stand.turn);
        Speech::new(text, &mask::echoes(text, &wrote))
    }

    /// What stands around a turn.
    #[must_use]
    pub fn context(&self, stand: &Stand, speech: &Speech, rules: &Rules) -> Context {
        let manner = self.session.turns[stand.turn].manner;
        let mut context = Context { manner: Some(manner), ..Context::default() };
        stand.note_before(&mut context, rules);
        self.note_after(stand.turn, &mut context, rules);
        self.note_form(stand, &mut context, speech);
        context
    }

    fn note_after(&self, index: usize, context: &mut Context, rules: &Rules) {
        let following = self.session.turns.iter().skip(index + 1);
        let reply = following
            .take_while(|t| t.speaker != Speaker::Human)
            .find(|t| t.speaker == Speaker::Agent && t.manner == Manner::Plain && !t.text.trim().is_empty());
        let Some(reply) = reply else { return context.note(true, "agent.silent") };
        let speech = Speech::new(head(&reply.text, AFTER_BYTES), &[]);
        let signals = rules.signals(&speech, Side::Agent, &[]);
        let admits =
            signals.iter().filter(|s| s.act == Act::Reaction && s.sentence < 2).map(|s| s.strength).fold(0.0, f32::max);
        if admits > 0.0 {
            context.evidence.push(("agent.admits", admits));
        }
        for (act, name) in [(Act::Revision, "agent.revises"), (Act::Delivery, "agent.delivers")] {
            context.note(signals.iter().any(|s| s.act == act), name);
        }
    }

    fn note_form(&self, stand: &Stand, context: &mut Context, speech: &Speech) {
        let turn = &self.session.turns[stand.turn];
        let size = size(&turn.text);
        let own = &self.terms[stand.number()];
        // Two words are no topic.
        let (mut near, mut again) = (0.0, 0.0);
        if own.len() > 2 {
            near = stand.said.map_or(0.0, |t| own.overlap(&Terms::of(tail(t, BEFORE_BYTES))));
            again = self.terms[stand.earlier.clone()].iter().map(|e| own.overlap(e)).fold(0.0, f32::max);
        }
        let new_value = context.has("before.readback") && says_new(&turn.text, own, stand.said.unwrap_or_default());
        for (present, name) in [
            (size <= 3, "form.tiny"),
            (size > 3 && size <= 12, "form.short"),
            (size > 60, "form.long"),
            (speech.masked.errors > 0, "form.error"),
            (speech.is_empty(), "form.no_speech"),
            (near >= 0.3, "topic.of_agent"),
            (new_value, "topic.new_value"),
            (again >= 0.6, "topic.repeated"),
            (turn.manner == Manner::Rejection, "manner.rejection"),
            (turn.manner == Manner::Note, "manner.note"),
        ] {
            context.note(present, name);
        }
    }
}

impl Stand<'_> {
    /// Its number among the human turns.
    fn number(&self) -> usize {
        self.earlier.end
    }

    fn note_before(&self, context: &mut Context, rules: &Rules) {
        let text = self.said.map(|t| tail(t, BEFORE_BYTES)).unwrap_or_default();
        let speech = Speech::new(text, &[]);
        let signals = rules.signals(&speech, Side::Agent, &[]);
        let last = speech.sentences().len().saturating_sub(2);
        let at_the_end = |act: Act| signals.iter().any(|s| s.act == act && s.sentence >= last);
        let read_back = at_the_end(Act::Readback);
        let claims = signals.iter().any(|s| s.act == Act::Claim);
        // Behind finished work "please confirm" asks for a look at it; by itself it is a question.
        let asked = (read_back && !claims && self.calls == 0)
            || at_the_end(Act::Proposal)
            || speech.sentences().iter().skip(last).any(|s| s.question);
        for (present, after, name) in [
            (!self.opened, After::Nothing, "before.nothing"),
            (asked, After::Question, "before.question"),
            (self.calls > 0, After::Action, "before.action"),
            (claims, After::Claim, "before.claim"),
            (self.interrupted, After::Interrupt, "before.interrupt"),
        ] {
            if present {
                context.before.push(after);
                context.note(true, name);
            }
        }
        context.note(read_back, "before.readback");
        context.asked = asked.then(|| text.to_owned());
        context.note(self.failed, "before.failed");
    }
}

/// Whether a turn names something, or a number, that the agent's text before it does not.
fn says_new(text: &str, own: &Terms, asked: &str) -> bool {
    !own.is_within(&Terms::of(tail(asked, BEFORE_BYTES))) || numbers(text).any(|n| !numbers(asked).any(|m| m == n))
}

fn numbers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty())
}

/// The hashes of the lines that the agent wrote in a turn, but for those as long as none of the person's.
fn lines_of_agent(turn: &Turn, pasted: &Lengths) -> Vec<u64> {
    if turn.speaker != Speaker::Agent || matches!(turn.manner, Manner::Call | Manner::Failed) {
        return Vec::new();
    }
    mask::plain_lines(&turn.text).filter(|line| pasted.has(line)).map(hash).collect()
}

/// How long the person's lines are: only a line of such a length can have been pasted.
struct Lengths(Vec<bool>);

impl Lengths {
    fn of(said: &[&str]) -> Self {
        let mut lengths = vec![false; LONGEST_LINE];
        for line in said.iter().flat_map(|text| mask::plain_lines(text)) {
            lengths[line.len().min(LONGEST_LINE - 1)] = true;
        }
        Self(lengths)
    }

    fn has(&self, line: &str) -> bool {
        self.0[line.len().min(LONGEST_LINE - 1)]
    }
}

/// Lines of this length and longer ones, in bytes, count as equally long.
const LONGEST_LINE: usize = 1_024;

fn hash(line: &str) -> u64 {
    foldhash::fast::FixedState::default().hash_one(line)
}

fn head(text: &str, bytes: usize) -> &str {
    let end = (0..=bytes.min(text.len())).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0);
    text.get(..end).unwrap_or_default()
}

fn tail(text: &str, bytes: usize) -> &str {
    let start = (text.len().saturating_sub(bytes)..=text.len()).find(|&i| text.is_char_boundary(i)).unwrap_or(0);
    text.get(start..).unwrap_or_default()
}
