//! What sessions came to, in numbers.

use std::ops::AddAssign;

use serde::Serialize;

use crate::reconcile::{Decision, Op};

/// Sessions, and what was decided on what they propose.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Sessions.
    pub sessions: usize,
    /// Human turns.
    pub human_turns: usize,
    /// New memories.
    pub created: usize,
    /// Memories that were known already.
    pub confirmed: usize,
    /// New memories that took the place of others.
    pub superseded: usize,
    /// Corrections that have no file yet.
    pub pending: usize,
    /// Memories that were asked to be forgotten.
    pub forgotten: usize,
    /// Proposals that came to nothing.
    pub skipped: usize,
}

impl Counts {
    /// Counts one decision.
    pub fn count(&mut self, decision: &Decision) {
        match decision.op {
            Op::Create => self.created += 1,
            Op::Confirm => self.confirmed += 1,
            Op::Supersede => self.superseded += 1,
            Op::Pending => self.pending += 1,
            Op::Forget if decision.of.is_empty() => self.skipped += 1,
            Op::Forget => self.forgotten += 1,
            Op::Skip => self.skipped += 1,
        }
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.sessions += other.sessions;
        self.human_turns += other.human_turns;
        self.created += other.created;
        self.confirmed += other.confirmed;
        self.superseded += other.superseded;
        self.pending += other.pending;
        self.forgotten += other.forgotten;
        self.skipped += other.skipped;
    }
}
