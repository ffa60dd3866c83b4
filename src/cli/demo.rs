//! `demo`.
use super::report::{Outcome, Report};
use super::settings::Settings;
use crate::error::Result;
pub(super) fn run(_: &Settings, _: &mut Report) -> Result<Outcome> {
    Ok(Outcome::Done)
}
