//! Copies: what stands twice must count once.
//!
//! A retry after a failed answer repeats a prompt, which would look like the person insisting. A resume, a
//! fork, a checkpoint or a second store repeats whole conversations. Both become [`Manner::Copy`].

use std::collections::{HashMap, HashSet};

use super::draft::hash;
use super::{Host, Manner, Session, Speaker, Turn};

/// Turns of the same beginning that two sessions must share before the second counts as a copy: by chance
/// two sessions begin with the same prompt, hardly with the same answer and prompt after it.
const SHORTEST_PREFIX: usize = 3;

/// Marks in each session the human turns that already stand in an earlier one as copies.
///
/// Expects the sessions in the order of `started`, then `id`, so that the original is the one that keeps its
/// turns whatever order the sources were named in. Turns are the same if their records are (id, time and
/// text); where the format has no ids (and a resume may have written the history anew, with new times), if the
/// sessions begin with the same turns.
pub fn drop_copies(sessions: &mut [Session]) {
    drop_second_hand(sessions);
    let mut records: HashMap<u64, usize> = HashMap::new();
    let mut beginnings: HashMap<(Host, u64), Vec<Vec<u64>>> = HashMap::new();
    for (index, session) in sessions.iter_mut().enumerate() {
        for turn in &mut session.turns {
            let Some(key) = record_key(session.host, turn) else {
                continue;
            };
            if *records.entry(key).or_insert(index) != index {
                mark(turn);
            }
        }
        if session.turns.iter().any(|turn| turn.speaker == Speaker::Human && turn.record.is_some()) {
            continue;
        }
        let said: Vec<u64> = session.turns.iter().filter_map(spoken).collect();
        let Some(beginning) = said.get(..SHORTEST_PREFIX) else {
            continue;
        };
        let family = beginnings.entry((session.host, hash(beginning))).or_default();
        let shared = family.iter().map(|earlier| common_prefix(earlier, &said)).max().unwrap_or(0);
        let repeated = session.turns.iter_mut().filter(|turn| spoken(turn).is_some()).take(shared);
        let repeated: Vec<_> = repeated.collect();
        repeated.into_iter().for_each(mark);
        if shared < said.len() {
            family.push(said);
        }
    }
}

/// SpecStory writes a session down beside the product that holds it, under the same id: where both are read, the
/// product's own is the one that counts.
fn drop_second_hand(sessions: &mut [Session]) {
    let is_second_hand = |session: &Session| session.host == Host::Specstory;
    let first_hand: HashSet<String> =
        sessions.iter().filter(|session| !is_second_hand(session)).map(|session| session.id.clone()).collect();
    let doubles = sessions.iter_mut().filter(|session| is_second_hand(session) && first_hand.contains(&session.id));
    doubles.flat_map(|session| &mut session.turns).for_each(mark);
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

fn mark(turn: &mut Turn) {
    if turn.speaker == Speaker::Human {
        turn.speaker = Speaker::Injected;
        turn.manner = Manner::Copy;
    }
}

fn record_key(host: Host, turn: &Turn) -> Option<u64> {
    let record = turn.record.as_deref()?;
    (turn.speaker == Speaker::Human).then(|| hash((host, record, turn.time, &turn.text)))
}

/// What a turn says in the conversation, `None` for steps and for what no one said.
fn spoken(turn: &Turn) -> Option<u64> {
    match (turn.speaker, turn.manner) {
        (Speaker::Human, _) | (Speaker::Injected, Manner::Copy) => Some(hash((0, &turn.text))),
        (Speaker::Agent, Manner::Plain) => Some(hash((1, &turn.text))),
        _ => None,
    }
}

fn common_prefix(one: &[u64], other: &[u64]) -> usize {
    one.iter().zip(other).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
#[path = "copies_tests.rs"]
mod tests;
