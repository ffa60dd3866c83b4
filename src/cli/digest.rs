//! `digest`: what happened lately, in markdown.

use chrono::Utc;

use super::args::Digest;
use super::replay::since;
use super::report::{Outcome, Report, clean};
use super::settings;
use crate::digest;
use crate::error::Result;
use crate::store::{self, Past};

pub(super) fn run(command: &Digest, report: &mut Report) -> Result<Outcome> {
    let now = Utc::now();
    let since = since::parse(&command.since, now)?;
    let root = settings::store(&command.place);
    let Past { known, events, .. } = store::past(&root)?;
    let digest = digest::digest(&known, &events, &store::waiting(&known), since, now);
    if report.is_jsonl() {
        report.json(&digest);
    } else {
        digest.markdown().lines().for_each(|line| report.line(&clean(line)));
    }
    report.problems(&known.problems);
    Ok(if known.problems.is_empty() { Outcome::Done } else { Outcome::Problems })
}
