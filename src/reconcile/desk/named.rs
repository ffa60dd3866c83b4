//! What is called by its id. The memories whose place a candidate takes by name leave whatever they say, and speak for
//! or against nothing.

use super::{Act, Desk, Entry};
use crate::memory::Id;
use crate::reconcile::known::NOT_YET;

impl Desk<'_> {
    /// The items that an entry names, as far as they are there and were known when it came.
    pub(super) fn named(&self, entry: &Entry<'_>) -> Vec<usize> {
        let called = self.called(&entry.candidate.replaces, entry.arrived).into_iter();
        called.filter(|&at| self.is_held(at)).collect()
    }

    /// Whether two items left by the same consolidating: brought back, they stand side by side again.
    pub(super) fn were_together(&self, one: usize, other: usize) -> bool {
        self.together.get(&one).is_some_and(|act| self.together.get(&other) == Some(act))
    }

    /// Puts down to a command, the next act, what it made; that was on the desk from the beginning.
    pub(super) fn credit(&mut self, made: &[Id], act: &mut Act) {
        if !made.is_empty() {
            let now = self.acts.len();
            self.together.extend(act.left.iter().map(|&at| (at, now)));
        }
        for at in self.called(made, NOT_YET) {
            if self.is_held(at) {
                self.items[at].memory.act = Some(self.acts.len());
                act.came.push(at);
            }
        }
    }

    /// Lets them leave by the act of this entry, which is the last.
    pub(super) fn dismiss(&mut self, entry: &Entry<'_>, named: Vec<usize>) {
        let now = self.acts.len() - 1;
        for &at in &named {
            self.leave(at, (&entry.moment, entry.arrived), now);
        }
        self.acts[now].left = named;
    }
}
