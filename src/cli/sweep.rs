//! `sweep`: removes the profiles whose last day is over.

use chrono::Utc;

use super::args::Sweep;
use super::report::{Outcome, Report};
use super::{amended, settings};
use crate::error::Result;
use crate::store::{self, Wish};

pub(super) fn run(command: &Sweep, report: &mut Report) -> Result<Outcome> {
    let root = settings::store(&command.place);
    let now = Utc::now();
    let wish = Wish::Sweep(now.date_naive());
    let done = if command.dry_run { store::foresee(&root, wish, now)? } else { store::amend(&root, wish, now)? };
    if command.dry_run {
        amended::tell_leaving(&done.left, report);
    } else {
        amended::tell(&done, report);
    }
    let noun = if done.left.len() == 1 { "memory has" } else { "memories have" };
    let what = match (done.left.len(), command.dry_run) {
        (0, _) => "No memory has expired".to_owned(),
        (count, true) => format!("{count} {noun} expired. Nothing was written"),
        (count, false) => format!("{count} {noun} expired"),
    };
    amended::end(&what, &done, &root, report);
    Ok(Outcome::Done)
}
