//! Copies: what stands twice must count once.
//!
//! A retry after a failed answer repeats a prompt, which would look like the person insisting. A resume, a
//! fork, a checkpoint or a second store repeats whole conversations. Both become [`Manner::Copy`].
//!
//! Of the turns that stand in several sessions one session is the owner, the others hold copies. Which one that is
//! depends on the sessions alone, never on the order in which they are read, so [`Copies`] can be told of many more
//! sessions than fit in memory: it keeps eight bytes of a turn.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::draft::hash;
use super::{Host, Manner, Session, Speaker, Turn};

/// Turns of the same beginning that two sessions must share before the second counts as a copy: by chance
/// two sessions begin with the same prompt, hardly with the same answer and prompt after it.
const SHORTEST_PREFIX: usize = 3;

/// Marks in each session the human turns that already stand in an earlier one as copies; all sessions are given at once.
pub fn drop_copies(sessions: &mut [Session]) {
    let mut copies = Copies::default();
    for (session, nth) in sessions.iter().zip(0..) {
        copies.note(session, nth);
    }
    for (session, nth) in sessions.iter_mut().zip(0..) {
        copies.mark(session, nth);
    }
}

/// What is known of the turns of all sessions so far: which session owns each.
///
/// Turns are the same if their records are (id, time and text); where the format has no ids (and a resume may have
/// written the history anew, with new times), if the sessions begin with the same turns. The owner is the session that
/// began first, so that sessions may be told of in any order, as long as none is marked before all that began earlier
/// are known.
#[derive(Debug, Default)]
pub struct Copies {
    /// The owner of each turn, by its number in `sessions`.
    owners: HashMap<u64, u32>,
    sessions: Vec<Rank>,
    /// Ids of sessions that their own product wrote down, hashed.
    first_hand: HashSet<u64>,
}

/// What a later run has to know of a session to tell its copies without reading it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sketch {
    #[serde(flatten)]
    rank: Rank,
    hand: Hand,
    /// The turns that may stand in other sessions too, hashed.
    turns: Vec<u64>,
    /// How many of them another session owned when this one was marked.
    copied: usize,
}

/// What decides between two sessions that hold the same turn: the smaller one owns it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Rank {
    started: DateTime<Utc>,
    id: String,
    source: PathBuf,
    nth: u32,
}

impl Rank {
    fn of(session: &Session, nth: u32) -> Self {
        Self { started: session.started, id: session.id.clone(), source: session.source.clone(), nth }
    }
}

/// Who wrote a session down.
///
/// SpecStory writes beside the product that holds the session, under the same id: where both are read, the product's own
/// is the one that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Hand {
    /// The product itself.
    First,
    /// Another program beside it.
    Second,
}

impl Hand {
    /// Whose hand writes the sessions of a host.
    #[must_use]
    pub fn of(host: Host) -> Self {
        if host == Host::Specstory { Self::Second } else { Self::First }
    }
}

impl Copies {
    /// Takes in a session; `nth` is its number among those of its source that have its id. One that is told of twice
    /// counts once.
    pub fn note(&mut self, session: &Session, nth: u32) {
        self.enter(Rank::of(session, nth), Hand::of(session.host), keys(session).map(|(_, key)| key));
    }

    /// Takes in a session that an earlier run marked.
    pub fn recall(&mut self, sketch: &Sketch) {
        self.enter(sketch.rank.clone(), sketch.hand, sketch.turns.iter().copied());
    }

    fn enter(&mut self, rank: Rank, hand: Hand, keys: impl Iterator<Item = u64>) {
        let seat = u32::try_from(self.sessions.len()).unwrap_or(u32::MAX);
        for key in keys {
            let owner = self.owners.entry(key).or_insert(seat);
            if self.sessions.get(*owner as usize).is_some_and(|other| rank < *other) {
                *owner = seat;
            }
        }
        if hand == Hand::First {
            self.first_hand.insert(hash(&rank.id));
        }
        self.sessions.push(rank);
    }

    /// Marks the human turns of a session that another one owns, and gives what a later run has to know of it; `nth` as
    /// for [`note`](Self::note).
    pub fn mark(&self, session: &mut Session, nth: u32) -> Sketch {
        let rank = Rank::of(session, nth);
        let (hand, keys) = (Hand::of(session.host), keys(session).collect::<Vec<_>>());
        let copied: Vec<usize> = keys.iter().filter(|(_, key)| !self.owns(&rank, *key)).map(|(at, _)| *at).collect();
        if self.is_second_hand(hand, &rank) {
            session.turns.iter_mut().for_each(mark);
        } else if has_records(session) {
            for at in copied {
                session.turns.get_mut(at).into_iter().for_each(mark);
            }
        } else if let Some(&last) = copied.last() {
            session.turns.iter_mut().take(last + 1).for_each(mark);
        }
        let turns: Vec<u64> = keys.into_iter().map(|(_, key)| key).collect();
        let mut sketch = Sketch { rank, hand, turns, copied: 0 };
        sketch.copied = self.copied(&sketch);
        session.repeats = sketch.copied > 0 || self.is_second_hand(hand, &sketch.rank);
        sketch
    }

    /// Whether a session would be marked now as it was then. It would not if one that began earlier came to light.
    #[must_use]
    pub fn agree(&self, sketch: &Sketch) -> bool {
        sketch.copied == self.copied(sketch)
    }

    /// How many turns of a session another one owns.
    fn copied(&self, sketch: &Sketch) -> usize {
        if self.is_second_hand(sketch.hand, &sketch.rank) {
            // More than there are: it is nothing but a copy, whatever else is known.
            return sketch.turns.len() + 1;
        }
        sketch.turns.iter().filter(|key| !self.owns(&sketch.rank, **key)).count()
    }

    fn is_second_hand(&self, hand: Hand, rank: &Rank) -> bool {
        hand == Hand::Second && self.first_hand.contains(&hash(&rank.id))
    }

    fn owns(&self, rank: &Rank, key: u64) -> bool {
        let owner = self.owners.get(&key).and_then(|&seat| self.sessions.get(seat as usize));
        owner.is_none_or(|owner| owner == rank)
    }
}

/// Marks a prompt that repeats the one before it as a copy, if no answer came between or the answer failed
/// or was interrupted.
///
/// OpenClaw sends it again by itself, with another model, so there the copy is injected. Elsewhere the person
/// did: the turn stays human, its manner says that it adds nothing.
pub(super) fn collapse_resends(host: Host, turns: &mut [Turn]) {
    let mut last: Option<String> = None;
    let mut was_answered = false;
    for turn in turns {
        match (turn.speaker, turn.manner) {
            (Speaker::Human, Manner::Plain | Manner::Queued | Manner::Argument) => {
                if !was_answered && last.as_deref() == Some(turn.text.as_str()) {
                    turn.manner = Manner::Copy;
                    if host == Host::Openclaw {
                        turn.speaker = Speaker::Injected;
                    }
                } else {
                    last = Some(turn.text.clone());
                }
                was_answered = false;
            }
            (Speaker::Human, _) => last = None,
            (Speaker::Agent, Manner::Plain | Manner::Call) => was_answered = true,
            (Speaker::Agent, Manner::Failed) | (Speaker::Injected, Manner::Interrupt) => was_answered = false,
            _ => {}
        }
    }
}

/// What stands for each turn that can be a copy, with the turn's index, in the order of the turns.
fn keys(session: &Session) -> impl Iterator<Item = (usize, u64)> {
    let by_record = has_records(session);
    // Where nothing but its place tells a turn, the whole talk up to it does.
    let mut talk = hash(session.host);
    let keys = session.turns.iter().enumerate().filter_map(move |(at, turn)| {
        if by_record {
            return Some((at, record_key(session.host, turn)?));
        }
        talk = hash((talk, spoken(turn)?));
        Some((at, talk))
    });
    keys.skip(if by_record { 0 } else { SHORTEST_PREFIX - 1 })
}

/// Whether the person's turns have ids.
fn has_records(session: &Session) -> bool {
    session.turns.iter().any(|turn| is_said(turn) && turn.record.is_some())
}

fn mark(turn: &mut Turn) {
    if turn.speaker == Speaker::Human {
        turn.speaker = Speaker::Injected;
        turn.manner = Manner::Copy;
    }
}

fn is_said(turn: &Turn) -> bool {
    matches!((turn.speaker, turn.manner), (Speaker::Human, _) | (Speaker::Injected, Manner::Copy))
}

fn record_key(host: Host, turn: &Turn) -> Option<u64> {
    let record = turn.record.as_deref()?;
    (turn.speaker == Speaker::Human).then(|| hash((host, record, turn.time, &turn.text)))
}

/// What a turn says in the conversation, `None` for steps and for what no one said.
fn spoken(turn: &Turn) -> Option<u64> {
    match (turn.speaker, turn.manner) {
        _ if is_said(turn) => Some(hash((0, &turn.text))),
        (Speaker::Agent, Manner::Plain) => Some(hash((1, &turn.text))),
        _ => None,
    }
}

#[cfg(test)]
#[path = "copies_tests.rs"]
mod tests;
