//! The memories whose place a candidate takes by name: they leave whatever they say, and speak for or against nothing.

use super::{Desk, Entry};

impl Desk<'_> {
    /// The items that an entry names, as far as they are there and were known when it came.
    pub(super) fn named(&self, entry: &Entry<'_>) -> Vec<usize> {
        let called = self.called(&entry.candidate.replaces).into_iter();
        called.filter(|&at| self.is_held(at) && self.items[at].since < entry.arrived).collect()
    }

    /// Lets them leave by the act of this entry, which is the last.
    pub(super) fn dismiss(&mut self, entry: &Entry<'_>, named: Vec<usize>) {
        let now = self.acts.len() - 1;
        for &at in &named {
            self.leave(at, &entry.moment, now);
        }
        self.acts[now].left = named;
    }
}
