//! Stand-in until the store lands.
use crate::error::{Problem, Result};
use crate::memory::Candidate;
use crate::reconcile::{Decision, Known, plan};
use chrono::{DateTime, Utc};
use std::path::Path;
/// Outcome.
pub struct Outcome {
    /// decisions
    pub decisions: Vec<Decision>,
    /// problems
    pub problems: Vec<Problem>,
}
/// Preview.
pub fn preview(_root: &Path, candidates: Vec<Candidate>) -> Result<Outcome> {
    Ok(Outcome {
        decisions: plan(&Known::default(), candidates).decisions,
        problems: vec![],
    })
}
/// Apply.
pub fn apply(root: &Path, candidates: Vec<Candidate>, _now: DateTime<Utc>) -> Result<Outcome> {
    preview(root, candidates)
}
