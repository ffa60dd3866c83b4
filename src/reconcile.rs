//! Reconciling: what a new memory means for the ones that are there. It decides, and never reads or writes.

mod consolidate;
mod decision;
mod desk;
mod gist;
mod heard;
mod index;
mod judge;
mod known;
mod likeness;
mod naming;
mod pending;
mod plan;
mod reading;
mod settle;
mod similarity;
mod tokens;
mod words;

use serde::Serialize;

pub use consolidate::{Fact, Merge, consolidate};
pub use decision::{Account, Act, Cause, Decision, Memory, Op, Origin, Plan, Standing, Statement};
pub use heard::{Extent, Heard};
pub use known::{
    Batch, Command, Found, Hand, Held, JUST_NOW, Known, Moment, NOT_YET, Place, Position, Rejection, Told, fingerprint,
    identity, place,
};
pub use likeness::{Rule, likeness};
pub use pending::{Unclear, pending, unclear};
pub use plan::{account, plan};
use reading::Reading;
pub use settle::settle;
pub use similarity::dice;

/// What a newer statement is to an older one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Comparison {
    /// It says the same, or nothing beyond it.
    Duplicate,
    /// It takes its place: another value of the same subject, the opposite, or the same and more.
    Supersede,
    /// Both stand side by side.
    Distinct,
}

/// Compares two statements or playbooks, the `existing` one first.
#[must_use]
pub fn compare(existing: &str, new: &str) -> Comparison {
    judge::judge(&Reading::new(existing), &Reading::new(new))
}

/// Whether a request to forget names a memory: every word of it stands there, or it is its very subject.
#[must_use]
pub fn names(asked: &str, body: &str) -> bool {
    naming::names(&Reading::new(asked), &Reading::new(body))
}

#[cfg(test)]
mod tests;
