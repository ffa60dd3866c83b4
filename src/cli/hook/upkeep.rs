//! What the worker does at its end: once a day each store that sessions taught is swept and put in order.
//!
//! Nobody waits for it and nobody is told: what goes wrong goes to the log.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};

use crate::cli::consolidate::dress;
use crate::cli::report::fit;
use crate::error::Result;
use crate::redact::Redactor;
use crate::spool::Spool;
use crate::store;

/// Sweeps and consolidates those of the stores that are due.
pub(super) fn upkeep(spool: &Spool, stores: &BTreeSet<PathBuf>, redactor: &Redactor, now: DateTime<Utc>) {
    for store in stores.iter().filter(|store| store.is_dir()) {
        let told = match spool.take_turn(store, now) {
            Ok(false) => continue,
            Ok(true) => put_in_order(store, redactor, now),
            Err(error) => Err(error),
        };
        let told = told.unwrap_or_else(|error| fit(&redactor.clean(&error.to_string()).text, 300));
        if !told.is_empty() {
            spool.log(now, &format!("upkeep: {told}"));
        }
    }
}

/// What was done, in numbers; nothing if there was nothing to do.
fn put_in_order(store: &Path, redactor: &Redactor, now: DateTime<Utc>) -> Result<String> {
    let swept = store::sweep(store, now.date_naive(), now)?.len();
    let merges = dress(redactor, |dress| store::consolidate(store, dress, now))?.merges;
    let sources: usize = merges.iter().map(|merge| merge.sources.len()).sum();
    let facts: usize = merges.iter().map(|merge| merge.facts.len()).sum();
    Ok(match (swept, sources) {
        (0, 0) => String::new(),
        _ => format!("{swept} expired, {sources} memories put together to {facts}"),
    })
}
