//! `mcp`: the tools for agents, on standard input and output.

use chrono::Utc;

use super::args::Mcp;
use super::report::Outcome;
use super::settings::store_to;
use crate::error::Result;
use crate::mcp::serve;
use crate::redact::Redactor;

pub(super) fn run(command: &Mcp) -> Result<Outcome> {
    serve(store_to(&command.place), Redactor::builtin(), Utc::now)?;
    Ok(Outcome::Done)
}
