//! Consolidating: the memories of one kind that say the same, or contradict each other, become one fact a file.
//!
//! ```text
//! memories ─▶ cut into facts ─▶ laid down in the order of time ─▶ facts, each with the memories it comes from
//!                                   │ says the same: the older wording stays
//!                                   │ other value, opposite, or the same and more: the newer stays
//!                                   └ anything else: both stay
//! ```
//!
//! Two facts meet by the verdict that reconciling gives (`judge`), so that distinct facts are never merged. What comes out
//! is laid down again until nothing changes: a second run finds nothing to do. A memory that meets no other stays as it is,
//! however many facts it holds.

mod blend;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::{DateTime, NaiveDate, Utc};

use super::Comparison::{Distinct, Duplicate, Supersede};
use super::index::Index;
use super::judge::judge_related;
use super::known::Held;
use super::reading::Reading;
use super::words::{Role, lexicon};
use crate::memory::{Id, Kind, Ttl};
use crate::text::sentence::sentences;
use blend::{blend, is_whole};

/// Memories that are put together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merge {
    /// Profiles or playbooks.
    pub kind: Kind,
    /// The memories that leave, at least two.
    pub sources: Vec<Id>,
    /// What takes their place, at least one.
    pub facts: Vec<Fact>,
}

/// A fact that memories come to together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// Its text.
    pub body: String,
    /// The memory whose topic it has; `None` where it was cut out of a longer text.
    pub topic: Option<Id>,
    /// When it was last said.
    pub created: DateTime<Utc>,
    /// The TTL of the most lasting of its sources.
    pub ttl: Ttl,
    /// The last day of the most lasting of its sources; `None` for ever.
    pub expires: Option<NaiveDate>,
    /// The memories it comes from.
    pub sources: Vec<Id>,
}

/// What these memories come to. Those that the person edited must not be among them.
#[must_use]
pub fn consolidate(held: &[&Held]) -> Vec<Merge> {
    let of = |kind: Kind| held.iter().copied().filter(move |held| held.kind == kind).collect::<Vec<_>>();
    let mut merges = merged(Kind::Profile, &of(Kind::Profile));
    merges.extend(merged(Kind::Playbook, &of(Kind::Playbook)));
    merges
}

/// A fact and the numbers of the memories that it comes from.
#[derive(Debug, Clone)]
struct Piece {
    body: String,
    topic: Option<usize>,
    /// To the second, as front matter keeps it.
    said: DateTime<Utc>,
    ttl: Ttl,
    expires: Option<NaiveDate>,
    from: BTreeSet<usize>,
}

fn merged(kind: Kind, held: &[&Held]) -> Vec<Merge> {
    let mut pieces: Vec<Piece> = (0..).zip(held).flat_map(|(number, held)| cut(number, held)).collect();
    loop {
        let before = pieces.len();
        pieces = lay(kind, pieces);
        if pieces.len() == before {
            break;
        }
    }
    let merges = clusters(&pieces, held.len()).into_iter().map(|cluster| {
        let sources = cluster.iter().flat_map(|piece| &piece.from).collect::<BTreeSet<_>>();
        Merge {
            kind,
            sources: sources.into_iter().map(|&number| held[number].id.clone()).collect(),
            facts: cluster.into_iter().map(|piece| fact(piece, held)).collect(),
        }
    });
    merges.collect()
}

fn fact(piece: &Piece, held: &[&Held]) -> Fact {
    Fact {
        body: piece.body.clone(),
        topic: piece.topic.map(|number| held[number].id.clone()),
        created: piece.said,
        ttl: piece.ttl,
        expires: piece.expires,
        sources: piece.from.iter().map(|&number| held[number].id.clone()).collect(),
    }
}

/// The facts of one memory. A profile is cut before each sentence that speaks of the person and leans on nothing.
fn cut(number: usize, held: &Held) -> Vec<Piece> {
    let bodies = match held.kind {
        Kind::Profile => facts(&held.body),
        Kind::Playbook if is_whole(&held.body) => vec![held.body.clone()],
        // Without a rule there is nothing to compare by.
        Kind::Playbook => Vec::new(),
    };
    let topic = (bodies.len() == 1).then_some(number);
    let said = held.said.time;
    let said = DateTime::from_timestamp(said.timestamp(), 0).unwrap_or(said);
    let piece =
        |body| Piece { body, topic, said, ttl: held.ttl, expires: held.expires, from: BTreeSet::from([number]) };
    bodies.into_iter().map(piece).collect()
}

fn facts(body: &str) -> Vec<String> {
    let mut starts: Vec<usize> = sentences(body)
        .iter()
        .map(|s| s.span.clone())
        .enumerate()
        .filter_map(|(at, span)| {
            let alone = at == 0 || stands_alone(body.get(span.clone()).unwrap_or_default());
            alone.then_some(if at == 0 { 0 } else { span.start })
        })
        .collect();
    starts.push(body.len());
    let facts = starts.windows(2).filter_map(|ends| body.get(ends[0]..ends[1]));
    facts.map(|fact| fact.trim().to_owned()).filter(|fact| !fact.is_empty()).collect()
}

fn stands_alone(sentence: &str) -> bool {
    let lexemes = lexicon().lexemes(sentence);
    let of_the_person = lexemes.first().is_some_and(|lexeme| lexeme.role == Role::Person);
    of_the_person && !lexemes.iter().any(|lexeme| lexicon().leans.contains(&lexeme.raw))
}

/// One pass over all facts in the order of time; those that are left.
fn lay(kind: Kind, mut pieces: Vec<Piece>) -> Vec<Piece> {
    pieces.sort_by(|one, other| (one.said, &one.body).cmp(&(other.said, &other.body)));
    let mut index = Index::default();
    let mut laid: Vec<(Option<Piece>, Reading)> = Vec::new();
    for piece in pieces {
        let reading = Reading::new(&piece.body);
        let mut same = None;
        let mut outdone = Vec::new();
        for number in index.related(&reading) {
            let at = number as usize;
            let Some((Some(older), old)) = laid.get(at) else {
                continue;
            };
            match judge_related(old, &reading) {
                Distinct => {}
                Supersede => outdone.push(at),
                Duplicate if same.is_none_or(|(_, said)| said < older.said) => same = Some((at, older.said)),
                Duplicate => {}
            }
        }
        let mut take = |at: usize| laid.get_mut(at).and_then(|(piece, _)| piece.take());
        let piece = match same.and_then(|(at, _)| take(at)) {
            Some(older) => together(kind, older, piece, Stays::Wording),
            None => outdone.into_iter().filter_map(take).fold(piece, |newer, older| {
                // Who says all that the older one says, and more, does not contradict it.
                let more = judge_related(&reading, &Reading::new(&older.body)) == Duplicate;
                together(kind, newer, older, if more { Stays::Wording } else { Stays::Value })
            }),
        };
        let reading = Reading::new(&piece.body);
        index.add(u32::try_from(laid.len()).unwrap_or(u32::MAX), &reading);
        laid.push((Some(piece), reading));
    }
    laid.into_iter().filter_map(|(piece, _)| piece).collect()
}

/// What stays of the first of two facts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stays {
    /// Its wording; situation and reasons of the other are added to a playbook.
    Wording,
    /// All of it; the other one said otherwise.
    Value,
}

/// Two facts as one, in the words of the first.
fn together(kind: Kind, first: Piece, other: Piece, stays: Stays) -> Piece {
    let body = match (kind, stays) {
        (Kind::Playbook, Stays::Wording) => blend(&first.body, &other.body),
        _ => first.body,
    };
    Piece {
        body,
        topic: first.topic,
        said: first.said.max(other.said),
        ttl: first.ttl.max(other.ttl),
        // `None` is for ever on either side.
        expires: first.expires.and_then(|day| Some(day.max(other.expires?))),
        from: first.from.union(&other.from).copied().collect(),
    }
}

/// The facts whose memories hang together, at least two memories a cluster.
fn clusters(pieces: &[Piece], memories: usize) -> Vec<Vec<&Piece>> {
    let mut lead: Vec<usize> = (0..memories).collect();
    fn leader(lead: &mut [usize], mut number: usize) -> usize {
        while lead[number] != number {
            lead[number] = lead[lead[number]];
            number = lead[number];
        }
        number
    }
    for piece in pieces {
        let mut numbers = piece.from.iter();
        let Some(&first) = numbers.next() else {
            continue;
        };
        for &number in numbers {
            let (one, other) = (leader(&mut lead, first), leader(&mut lead, number));
            lead[one.max(other)] = one.min(other);
        }
    }
    let mut sizes: HashMap<usize, usize> = HashMap::new();
    for number in 0..memories {
        *sizes.entry(leader(&mut lead, number)).or_default() += 1;
    }
    let mut clusters: BTreeMap<usize, Vec<&Piece>> = BTreeMap::new();
    for piece in pieces {
        if let Some(&first) = piece.from.first() {
            clusters.entry(leader(&mut lead, first)).or_default().push(piece);
        }
    }
    clusters.into_iter().filter(|(number, _)| sizes.get(number).is_some_and(|&size| size > 1)).map(|(_, c)| c).collect()
}

#[cfg(test)]
mod tests;
