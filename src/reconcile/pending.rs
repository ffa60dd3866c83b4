//! What waits for the person's word: corrections that were noted and never confirmed.

use std::collections::HashSet;

use super::Comparison::Duplicate;
use super::heard::Readings;
use super::index::Index;
use super::judge::judge_related;
use super::known::{Hand, Known, Place, Told, place};
use super::reading::Reading;
use crate::memory::{Candidate, Intent, Kind};

/// The corrections that are still open, in the order in which they came; each content once.
///
/// One is settled when a longer reading of its session knows better, when a memory comes from the same line or says the
/// same, and when the person turned it down.
#[must_use]
pub fn pending(known: &Known) -> Vec<&Candidate> {
    let readings = Readings::new(known.heard.iter());
    let told: Vec<&Told> = known.told.iter().filter(|told| readings.count(&told.print)).collect();
    let kept = told.iter().filter(|told| told.candidate.intent == Intent::Keep);
    // A correction may be a statement too: only a rule of the same line settles it.
    let rules = kept.filter(|told| told.candidate.kind == Kind::Playbook);
    let mut settled: HashSet<Place> = rules.filter_map(|told| told.candidate.evidence.first()).map(place).collect();
    let rejected = known.found.iter().filter(|found| found.hand == Hand::Rejected);
    settled.extend(rejected.clone().flat_map(|found| found.places.clone()));

    let waiting = told.into_iter().map(|told| &told.candidate).filter(|candidate| candidate.intent == Intent::Pending);
    let is_settled =
        |candidate: &&Candidate| candidate.evidence.first().is_some_and(|first| settled.contains(&place(first)));
    let (done, waiting): (Vec<_>, Vec<_>) = waiting.partition(is_settled);
    let mut shelf = Shelf::default();
    let held = known.held.iter().map(|held| held.body.as_str());
    let rejected = rejected.map(|found| found.body.as_str());
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
