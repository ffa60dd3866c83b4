//! `mcp`: the tools for agents, on standard input and output.

use std::path::PathBuf;

use chrono::Utc;

use super::args::Mcp;
use super::report::Outcome;
use super::settings::places;
use crate::error::Result;
use crate::mcp::serve;
use crate::redact::Redactor;
use crate::store::Stores;

pub(super) fn run(command: &Mcp) -> Result<Outcome> {
    serve(store(command.store.clone()), Redactor::builtin(), Utc::now)?;
    Ok(Outcome::Done)
}

/// The store that was named, else that of the folder we are in.
pub(super) fn store(named: Option<PathBuf>) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    Stores { named, home: places().map(|places| places.home) }.here(&here)
}
