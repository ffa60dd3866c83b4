//! What makes memories leave other than a newer statement: a command, a request to forget, a run that was taken back.

use std::collections::BTreeSet;

use super::{Desk, Entry, State, Verdict};
use crate::memory::Id;
use crate::reconcile::Comparison::{Duplicate, Supersede};
use crate::reconcile::decision::{Act, Op};
use crate::reconcile::judge::judge;
use crate::reconcile::known::{Command, Position};
use crate::reconcile::reading::Reading;

/// Why a statement of a run that was taken back has no effect.
pub(super) const TAKEN_BACK: &str = "taken back";

impl<'a> Desk<'a> {
    /// Carries out what the person asked for by name.
    pub(crate) fn obey(&mut self, command: &Command) {
        let mut act = Act { said: command.said.time, ..Act::default() };
        let now = self.acts.len();
        let (away, back) = (self.called(&command.away, command.arrived), self.called(&command.back, command.arrived));
        for &at in away.iter().chain(&back) {
            self.items[at].bidden = self.items[at].bidden.take().max(Some(command.said.clone()));
        }
        for at in away {
            if self.is_held(at) || self.items[at].is_back() {
                self.leave(at, (&command.said, command.arrived), now);
                act.left.push(at);
            }
        }
        let together = back.clone();
        for at in back {
            if self.is_held(at) && command.from_hand.contains(&self.items[at].memory.id) {
                self.items[at].memory.act = Some(now);
                act.came.push(at);
            } else if !self.is_held(at) {
                // Named, it holds as if it were said again: what is related to it makes room, but for what hands edited.
                let mut in_its_way = self.in_its_way(at, command.arrived);
                // What comes back together stood together.
                in_its_way.retain(|related| !together.contains(related) && !self.were_together(at, *related));
                for related in in_its_way {
                    self.leave(related, (&command.said, command.arrived), now);
                    act.left.push(related);
                }
                // Its file may have been deleted by hand since.
                if matches!(self.items[at].state, State::Deleted(_)) {
                    continue;
                }
                self.items[at].state = State::Held(self.items[at].hand);
                self.items[at].memory.act = Some(now);
                act.came.push(at);
            }
        }
        self.credit(&command.made, &mut act);
        self.acts.push(act);
    }

    /// What is held and was there before `arrived`, as no hand edited it, and says the same as an item or otherwise.
    fn in_its_way(&self, at: usize, arrived: Position) -> Vec<usize> {
        let readings = self.readings.iter().filter(|(of, _)| *of == at);
        let numbers: BTreeSet<u32> = readings.flat_map(|(_, reading)| self.index.related(reading)).collect();
        let others = numbers.into_iter().filter_map(|number| self.readings.get(number as usize));
        let mut in_its_way: Vec<usize> = Vec::new();
        for (other, theirs) in others.filter(|(other, _)| *other != at) {
            let item = &self.items[*other];
            let verdicts = self
                .readings
                .iter()
                .filter(|(of, _)| *of == at)
                .flat_map(|(_, own)| [judge(theirs, own), judge(own, theirs)]);
            let same_kind = item.memory.kind == self.items[at].memory.kind;
            let counts = |verdict| verdict == Duplicate || (verdict == Supersede && same_kind);
            let is_there = matches!(item.state, State::Held(_)) && item.since < arrived && !item.is_edited_by(arrived);
            if is_there && verdicts.into_iter().any(counts) {
                in_its_way.push(*other);
            }
        }
        in_its_way.dedup();
        in_its_way
    }

    /// The items of these ids that were there before `arrived`, each once. What was found again after it had left is not
    /// meant.
    pub(super) fn called(&self, ids: &[Id], arrived: Position) -> Vec<usize> {
        let items: BTreeSet<usize> = ids.iter().filter_map(|id| self.named.get(id)).flatten().copied().collect();
        items.into_iter().filter(|&at| self.items[at].since < arrived).collect()
    }

    pub(super) fn forget(&mut self, entry: &Entry<'a>) -> Verdict {
        let asked = self.reading(&entry.candidate.body);
        let reading = |number: u32| self.readings.get(number as usize).map(|(_, reading)| reading.as_ref());
        let numbers = self.naming.named(&asked, reading);
        let named: BTreeSet<usize> = numbers
            .into_iter()
            .filter_map(|number| self.readings.get(number as usize).map(|(at, _)| *at))
            .filter(|&at| self.is_held(at) && self.items[at].since < entry.arrived)
            .filter(|&at| *self.items[at].said_for(entry.arrived) < entry.moment)
            .collect();
        if asked.words().count() == 0 && asked.subject.is_none() {
            return Verdict::new(Op::Skip, None, "names nothing");
        }
        let left = self.clear_match(&asked, named.into_iter().collect());
        if !self.are_one(&left) {
            return Verdict { could_mean: left, ..Verdict::new(Op::Pending, None, "could mean more than one memory") };
        }
        let now = self.acts.len() - 1;
        for &at in &left {
            self.leave(at, (&entry.moment, entry.arrived), now);
        }
        self.acts[now].left = left;
        Verdict::new(Op::Forget, None, &entry.candidate.reason)
    }

    /// Of several memories that were named, the one that says just what was asked to be forgotten. One that was edited by
    /// hand is there as it was and as it is.
    fn clear_match(&self, asked: &Reading, named: Vec<usize>) -> Vec<usize> {
        if self.are_one(&named) {
            return named;
        }
        let says_just_that = |at: &usize| {
            let mut readings = self.readings.iter().filter(|(of, _)| of == at);
            readings.any(|(_, reading)| judge(reading, asked) == Duplicate)
        };
        let same: Vec<usize> = named.iter().copied().filter(says_just_that).collect();
        if !same.is_empty() && self.are_one(&same) { same } else { named }
    }

    /// Whether these are one memory, or none.
    fn are_one(&self, items: &[usize]) -> bool {
        let ids: BTreeSet<&Id> = items.iter().map(|&at| &self.items[at].memory.id).collect();
        ids.len() < 2
    }

    /// Lays down what was taken back: known, so that no other reading of its lines brings it in again, and gone.
    pub(super) fn bury(&mut self, entry: &Entry<'a>) -> Verdict {
        let reading = self.reading(&entry.candidate.body);
        let related = self.related(entry, &reading);
        let there = self.held(&related, Duplicate).first().copied();
        if let Some(at) = there.or(self.bar(entry, &related).map(|(at, _)| at)) {
            return Verdict::new(Op::Skip, Some(at), TAKEN_BACK);
        }
        let now = self.acts.len() - 1;
        let of = self.held(&related, Supersede);
        let at = self.place_new(entry, reading, &of);
        self.leave(at, (&entry.moment, entry.arrived), now);
        // Brought back by name, it would take the place of these.
        self.acts[now] = Act { came: of, left: vec![at], ..self.acts[now].clone() };
        Verdict::new(Op::Skip, Some(at), TAKEN_BACK)
    }
}
