//! Episodes: correction → adjust → confirm, as one pure machine.
//!
//! ```text
//!             correction               agent works                 confirmation (explicit)
//!    Idle ──────────────▶ Corrected ───────────────▶ Adjusted ──────────────────────────▶ Confirmed(explicit)
//!                             ▲                          │ quiet human turn
//!                             ├───── re-correction ──────┤────────────▶ Quiet(1) ── quiet human turn ──▶ Confirmed(implicit)
//!                             └───── re-correction ───────────────────────┤
//!                                                        │ undo           │ end of session ──▶ Confirmed(implicit)
//!                                                        └─▶ Abandoned ◀──┘ undo
//!              end of session in Corrected or Adjusted ──▶ Unconfirmed
//! ```
//!
//! Several episodes can be open at once; a re-correction or an undo goes to the one nearest in topic, else to the
//! newest, a confirmation to the newest. An answer that failed or was interrupted is no work, and one quiet turn that is
//! still about the same thing does not confirm at the end. Injected turns are no turns.
//! [`step`] takes one event; [`run`] feeds it a whole session.

use serde::Serialize;

use crate::detect::Judgement;
use crate::memory::Confirmation;
use crate::rules::Act;
use crate::text::terms::Terms;
use crate::transcript::{Host, Manner, Session, Speaker};

/// One run of the machine.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Episode {
    /// The corrections, oldest first: indices into the judgements. The last wording wins.
    pub corrections: Vec<usize>,
    /// Where it stands.
    pub phase: Phase,
    /// The judgement that confirmed it.
    pub confirmed_by: Option<usize>,
    /// What it is about.
    #[serde(skip)]
    topic: Terms,
    /// Whether the last quiet turn was still about it.
    #[serde(skip)]
    lingers: bool,
}

/// Where an episode stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// The person corrected; the agent has not worked yet.
    Corrected,
    /// The agent worked on it.
    Adjusted,
    /// So many human turns went by since without a word against it.
    Quiet(u8),
    /// Accepted.
    Confirmed(Confirmation),
    /// Undone or withdrawn.
    Abandoned,
    /// The session ended first.
    Unconfirmed,
}

/// What happens in a session, as far as episodes care.
#[derive(Debug, Clone, PartialEq)]
pub enum Event<'a> {
    /// A human turn that corrects.
    Correction {
        /// Index of its judgement.
        judgement: usize,
        /// Its terms.
        terms: &'a Terms,
        /// Whether it also approves of what was done ("better, but …").
        praises: bool,
    },
    /// A human turn that confirms finished work.
    Confirmation {
        /// Index of its judgement.
        judgement: usize,
    },
    /// A human turn that takes something back.
    Undo {
        /// Its terms.
        terms: &'a Terms,
    },
    /// Any other human turn.
    Quiet {
        /// Index of its judgement.
        judgement: usize,
        /// Its terms.
        terms: &'a Terms,
    },
    /// The agent answered or used a tool, and neither failed.
    Work,
    /// The agent was interrupted, or its step was rejected: what it did since the last human turn is no work.
    Interrupt,
    /// The conversation ends (the session, a reset).
    End,
}

/// The machine's state: every episode of the session so far, open and closed.
pub type State = Vec<Episode>;

/// How alike two topics have to be for one to be about the other.
const NEAR: f32 = 0.34;
/// A turn with fewer terms than this has no topic of its own: it is about the newest episode.
const OWN_TOPIC: usize = 3;
/// So many quiet human turns confirm.
const QUIET_TURNS: u8 = 2;

impl Episode {
    /// Whether it can still change.
    #[must_use]
    pub fn is_open(&self) -> bool {
        matches!(self.phase, Phase::Corrected | Phase::Adjusted | Phase::Quiet(_))
    }

    /// How it was confirmed.
    #[must_use]
    pub fn confirmation(&self) -> Confirmation {
        match self.phase {
            Phase::Confirmed(how) => how,
            _ => Confirmation::None,
        }
    }
}

/// Takes one event.
#[must_use]
pub fn step(mut state: State, event: &Event) -> State {
    match *event {
        Event::Correction { judgement, terms, praises } => correct(&mut state, judgement, terms, praises),
        Event::Confirmation { judgement } => {
            if let Some(episode) = state.iter_mut().rev().find(|e| matches!(e.phase, Phase::Adjusted | Phase::Quiet(_)))
            {
                episode.phase = Phase::Confirmed(Confirmation::Explicit);
                episode.confirmed_by = Some(judgement);
            }
            grow_quiet(&mut state, judgement, None);
        }
        Event::Interrupt => {
            for episode in state.iter_mut().filter(|e| e.phase == Phase::Adjusted) {
                episode.phase = Phase::Corrected;
            }
        }
        Event::Undo { terms } => {
            if let Some(i) = nearest(&state, terms).or_else(|| state.iter().rposition(Episode::is_open)) {
                state[i].phase = Phase::Abandoned;
            }
        }
        Event::Quiet { judgement, terms } => grow_quiet(&mut state, judgement, Some(terms)),
        Event::Work => {
            for episode in state.iter_mut().filter(|e| e.phase == Phase::Corrected) {
                episode.phase = Phase::Adjusted;
            }
        }
        Event::End => {
            for episode in &mut state {
                episode.phase = match episode.phase {
                    Phase::Quiet(_) if !episode.lingers => Phase::Confirmed(Confirmation::Implicit),
                    Phase::Quiet(_) | Phase::Corrected | Phase::Adjusted => Phase::Unconfirmed,
                    closed => closed,
                };
            }
        }
    }
    state
}

fn correct(state: &mut State, judgement: usize, terms: &Terms, praises: bool) {
    let again = nearest(state, terms).or_else(|| {
        let newest = state.iter().rposition(Episode::is_open)?;
        (terms.len() < OWN_TOPIC && !praises).then_some(newest)
    });
    if let Some(i) = again {
        let episode = &mut state[i];
        episode.corrections.push(judgement);
        episode.topic.extend(terms);
        episode.phase = Phase::Corrected;
        episode.confirmed_by = None;
    } else {
        // The person goes on to something else that is wrong: for the others this is a turn without a word.
        grow_quiet(state, judgement, None);
        state.push(Episode {
            corrections: vec![judgement],
            phase: Phase::Corrected,
            confirmed_by: None,
            topic: terms.clone(),
            lingers: false,
        });
    }
}

/// The open episode nearest in topic, if any is near.
fn nearest(state: &State, terms: &Terms) -> Option<usize> {
    let nearness = |e: &Episode| e.topic.overlap(terms);
    (0..state.len())
        .filter(|&i| state[i].is_open() && terms.len() >= OWN_TOPIC && nearness(&state[i]) >= NEAR)
        .max_by(|&a, &b| nearness(&state[a]).total_cmp(&nearness(&state[b])).then(a.cmp(&b)))
}

fn grow_quiet(state: &mut State, judgement: usize, terms: Option<&Terms>) {
    for episode in state {
        let turns = match episode.phase {
            Phase::Adjusted => 1,
            Phase::Quiet(n) => n + 1,
            _ => continue,
        };
        episode.lingers = terms.is_some_and(|t| t.len() >= OWN_TOPIC && episode.topic.overlap(t) >= NEAR);
        episode.confirmed_by.get_or_insert(judgement);
        episode.phase =
            if turns >= QUIET_TURNS { Phase::Confirmed(Confirmation::Implicit) } else { Phase::Quiet(turns) };
    }
}

/// Runs the machine over a session. With `watch`, every state after a human turn is shown to it (for `trace`).
pub fn run(session: &Session, judgements: &[Judgement], mut watch: impl FnMut(usize, &State)) -> State {
    let mut state = State::new();
    // Whether the agent is answering a machine (a cron prompt, a heartbeat): no work on what the person said.
    let mut machine = false;
    let mut next = judgements.iter().enumerate().peekable();
    for (index, turn) in session.turns.iter().enumerate() {
        match (turn.speaker, turn.manner) {
            (Speaker::Human, _) => {
                machine = false;
                let Some((i, judgement)) = next.next_if(|(_, j)| j.turn == index) else {
                    continue;
                };
                // Where nothing is open, nobody asks what a turn that goes on is about.
                let matters = judgement.teaches() || judgement.is(Act::Undo) || state.iter().any(Episode::is_open);
                let terms = if matters { Terms::of(&turn.text) } else { Terms::default() };
                if !judgement.withdrawn {
                    state = step(state, &event_of(i, judgement, &terms));
                }
                watch(index, &state);
            }
            (Speaker::Injected, Manner::Interrupt | Manner::Rejection) => state = step(state, &Event::Interrupt),
            (Speaker::Injected, Manner::Plain) => machine = session.host == Host::Openclaw,
            (Speaker::Agent, Manner::Failed) => {}
            (Speaker::Agent, _) if machine => {}
            (Speaker::Agent, _) => state = step(state, &Event::Work),
            (Speaker::Injected, Manner::Boundary) => state = step(state, &Event::End),
            _ => {}
        }
    }
    step(state, &Event::End)
}

/// What a human turn is to the machine.
fn event_of<'a>(index: usize, judgement: &Judgement, terms: &'a Terms) -> Event<'a> {
    if judgement.is(Act::Correction) {
        Event::Correction { judgement: index, terms, praises: judgement.is(Act::Confirmation) }
    } else if judgement.is(Act::Undo) {
        Event::Undo { terms }
    } else if judgement.is(Act::Confirmation) {
        Event::Confirmation { judgement: index }
    } else {
        Event::Quiet { judgement: index, terms }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phases(script: &str) -> Vec<Phase> {
        let mut state = State::new();
        let pnpm = Terms::of("use pnpm instead of npm for packages");
        let none = Terms::default();
        let notes = Terms::of("release notes live in docs/releases");
        for (i, word) in script.split_whitespace().enumerate() {
            let event = match word {
                "pnpm" => Event::Correction { judgement: i, terms: &pnpm, praises: false },
                "notes" => Event::Correction { judgement: i, terms: &notes, praises: false },
                "good" => Event::Confirmation { judgement: i },
                "undo" => Event::Undo { terms: &pnpm },
                "next" => Event::Quiet { judgement: i, terms: &none },
                "asks" => Event::Quiet { judgement: i, terms: &pnpm },
                "stop" => Event::Interrupt,
                "work" => Event::Work,
                _ => Event::End,
            };
            state = step(state, &event);
        }
        state.iter().map(|e| e.phase).collect()
    }

    #[test]
    fn every_arrow_of_the_drawing() {
        use Confirmation::{Explicit, Implicit};
        use Phase::{Abandoned, Adjusted, Confirmed, Corrected, Quiet, Unconfirmed};
        for (script, expected) in [
            ("good next", vec![]),
            ("pnpm", vec![Corrected]),
            ("pnpm good", vec![Corrected]),
            ("pnpm work", vec![Adjusted]),
            ("pnpm work good", vec![Confirmed(Explicit)]),
            ("pnpm work next", vec![Quiet(1)]),
            ("pnpm work next good", vec![Confirmed(Explicit)]),
            ("pnpm work next next", vec![Confirmed(Implicit)]),
            ("pnpm work next end", vec![Confirmed(Implicit)]),
            ("pnpm work asks end", vec![Unconfirmed]),
            ("pnpm work stop next end", vec![Unconfirmed]),
            ("pnpm work stop work next end", vec![Confirmed(Implicit)]),
            ("pnpm work pnpm", vec![Corrected]),
            ("pnpm work next pnpm", vec![Corrected]),
            ("pnpm work undo", vec![Abandoned]),
            ("pnpm end", vec![Unconfirmed]),
            ("pnpm work end", vec![Unconfirmed]),
            ("pnpm work notes work next next", vec![Confirmed(Implicit), Confirmed(Implicit)]),
            ("pnpm work notes work good end", vec![Confirmed(Implicit), Confirmed(Explicit)]),
        ] {
            assert_eq!(phases(script), expected, "{script}");
        }
    }

    #[test]
    fn the_last_wording_wins_and_earlier_ones_are_kept() {
        let mut state = State::new();
        let (first, second) = (Terms::of("use tabs for indentation"), Terms::of("tabs of width four for indentation"));
        for event in [
            Event::Correction { judgement: 0, terms: &first, praises: false },
            Event::Work,
            Event::Correction { judgement: 1, terms: &second, praises: false },
        ] {
            state = step(state, &event);
        }
        assert_eq!(state.len(), 1);
        assert_eq!(state[0].corrections, [0, 1]);
    }
}
