//! The corrections that the person turned down: they are no memories, and never were.

use std::collections::HashMap;

use super::super::Comparison::Duplicate;
use super::super::index::Index;
use super::super::judge::judge_related;
use super::super::known::{Place, Rejection, place};
use super::super::reading::Reading;
use super::Entry;
use crate::memory::{Intent, Kind};

/// What was turned down, ready to be asked.
pub(super) struct Rejections<'a> {
    all: Vec<(&'a Rejection, Reading)>,
    index: Index,
    /// By the lines they come from.
    at: HashMap<&'a Place, usize>,
}

impl<'a> Rejections<'a> {
    /// Those of corrections. To turn down a wish to forget says nothing about what it names.
    pub(super) fn new(rejections: &'a [Rejection]) -> Self {
        let mut new = Self { all: Vec::new(), index: Index::default(), at: HashMap::new() };
        for rejection in rejections.iter().filter(|rejection| rejection.intent == Intent::Pending) {
            let reading = Reading::new(&rejection.body);
            new.index.add(u32::try_from(new.all.len()).unwrap_or(u32::MAX), &reading);
            new.at.extend(rejection.places.iter().map(|place| (place, new.all.len())));
            new.all.push((rejection, reading));
        }
        new
    }

    /// Whether an entry was turned down before it came: a correction of the same line, however it is put, or anything
    /// that says the same and was said before.
    pub(super) fn bar(&self, entry: &Entry<'_>, reading: &Reading) -> bool {
        let came_before = |rejection: &Rejection| rejection.since < entry.arrived;
        let first = entry.candidate.evidence.first().filter(|_| entry.candidate.kind == Kind::Playbook);
        let of_line = first.and_then(|first| self.at.get(&place(first))).and_then(|&at| self.all.get(at));
        if of_line.is_some_and(|(rejection, _)| came_before(rejection)) {
            return true;
        }
        let related = self.index.related(reading).into_iter().filter_map(|number| self.all.get(number as usize));
        related.into_iter().any(|(rejection, old)| {
            came_before(rejection) && entry.moment < rejection.said && judge_related(reading, old) == Duplicate
        })
    }
}
