//! What waits for the person's word: corrections that were noted and never confirmed, and wishes to forget that were not
//! clear.

use std::collections::HashSet;

use super::Comparison::Duplicate;
use super::decision::{Account, Op, Standing};
use super::heard::Readings;
use super::index::Index;
use super::judge::judge_related;
use super::known::{Known, Place, Told, place};
use super::plan::account;
use super::reading::Reading;
use crate::memory::{Candidate, Id, Intent, Kind};

/// The corrections that are still open, in the order in which they came; each content once.
///
/// One is settled when a longer reading of its session knows better, when a memory comes from the same line or says the
/// same, and when the person turned it down; one of a run
/// that was taken back is none.
#[must_use]
pub fn pending(known: &Known) -> Vec<&Candidate> {
    let readings = Readings::new(known.heard.iter());
    let counts = |told: &&Told| !told.taken_back && readings.count(&told.print);
    let told: Vec<&Told> = known.told.iter().filter(counts).collect();
    let kept = told.iter().filter(|told| told.candidate.intent == Intent::Keep);
    // A correction may be a statement too: only a rule of the same line settles it.
    let rules = kept.filter(|told| told.candidate.kind == Kind::Playbook);
    let mut settled: HashSet<Place> = rules.filter_map(|told| told.candidate.evidence.first()).map(place).collect();
    let rejected = known.rejections.iter().filter(|rejection| rejection.intent == Intent::Pending);
    settled.extend(rejected.clone().flat_map(|rejection| rejection.places.clone()));

    let waiting = told.into_iter().map(|told| &told.candidate).filter(|candidate| candidate.intent == Intent::Pending);
    let is_settled =
        |candidate: &&Candidate| candidate.evidence.first().is_some_and(|first| settled.contains(&place(first)));
    let (done, waiting): (Vec<_>, Vec<_>) = waiting.partition(is_settled);
    let mut shelf = Shelf::default();
    let held = known.held.iter().map(|held| held.body.as_str());
    let rejected = rejected.map(|rejection| rejection.body.as_str());
    let done = done.into_iter().map(|candidate| candidate.body.as_str());
    held.chain(rejected).chain(done).for_each(|body| shelf.add(Reading::new(body)));
    let open = waiting.into_iter().filter(|candidate| {
        let reading = Reading::new(&candidate.body);
        let is_known = shelf.says(&reading);
        shelf.add(reading);
        !is_known
    });
    open.collect()
}

/// A wish to forget that was not clear.
#[derive(Debug)]
pub struct Unclear<'k> {
    /// The wish.
    pub wish: &'k Candidate,
    /// The memories it could mean, of those that are there; none where it named nothing.
    pub could_mean: Vec<Id>,
    /// Why it was not carried out.
    pub reason: String,
}

/// The wishes to forget that are still open, in the order in which they came: those that named nothing, and those that
/// could mean more than one memory, as long as one of these is there.
#[must_use]
pub fn unclear(known: &Known) -> Vec<Unclear<'_>> {
    let readings = Readings::new(known.heard.iter());
    let Account { memories, statements, .. } = account(known);
    let wishes =
        known.told.iter().zip(statements).filter(|(told, _)| {
            told.candidate.intent == Intent::Forget && !told.taken_back && readings.count(&told.print)
        });
    let open = wishes.filter_map(|(told, statement)| {
        let there = |&at: &usize| memories.get(at).is_some_and(|memory| memory.standing != Standing::Gone);
        let could_mean: Vec<Id> =
            statement.of.iter().copied().filter(there).map(|at| memories[at].id.clone()).collect();
        let waits = match statement.op {
            Op::Pending => !could_mean.is_empty(),
            Op::Skip => true,
            _ => false,
        };
        waits.then_some(Unclear { wish: &told.candidate, could_mean, reason: statement.reason })
    });
    open.collect()
}

/// What is known already.
#[derive(Default)]
struct Shelf {
    index: Index,
    readings: Vec<Reading>,
}

impl Shelf {
    fn add(&mut self, reading: Reading) {
        self.index.add(u32::try_from(self.readings.len()).unwrap_or(u32::MAX), &reading);
        self.readings.push(reading);
    }

    fn says(&self, new: &Reading) -> bool {
        let related = self.index.related(new).into_iter().filter_map(|number| self.readings.get(number as usize));
        related.into_iter().any(|old| judge_related(old, new) == Duplicate)
    }
}
