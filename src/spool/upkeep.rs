//! Upkeep: which stores were swept and put in order when, so that it is done once a day and not with every session.
//!
//! The times stand in `<state>/upkeep.json`. Without it, or with a broken one, every store is due; that does no harm.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use chrono::{DateTime, TimeDelta, Utc};

use super::{Spool, make};
use crate::error::{Error, ErrorKind, Result};

/// So long a store is left alone.
const DAY: TimeDelta = TimeDelta::hours(24);

/// So many stores are remembered; the one that was forgotten is due again.
const MOST_STORES: usize = 200;

impl Spool {
    /// Whether a store is due, and if so notes that its day's upkeep begins: one that fails, or is killed, has its next
    /// turn tomorrow.
    ///
    /// # Errors
    /// If that cannot be noted: then it is not done either, or it would be done with every session.
    pub fn take_turn(&self, store: &Path, now: DateTime<Utc>) -> Result<bool> {
        let path = self.state.join("upkeep.json");
        let bytes = fs::read(&path).unwrap_or_default();
        let mut times: BTreeMap<PathBuf, DateTime<Utc>> = serde_json::from_slice(&bytes).unwrap_or_default();
        // A time that lies ahead is that of a clock that was put back.
        let is_fresh = times.get(store).is_some_and(|&time| time <= now && now - time < DAY);
        if is_fresh || store.to_str().is_none() {
            return Ok(false);
        }
        times.insert(store.to_path_buf(), now);
        while times.len() > MOST_STORES {
            let oldest = times.iter().min_by_key(|(_, time)| **time).map(|(store, _)| store.clone());
            times.remove(&oldest.unwrap_or_default());
        }
        let text = serde_json::to_vec_pretty(&times)
            .map_err(|e| Error::new(ErrorKind::Io, "could not put the times into words").at(&path).because(e))?;
        make(&self.state)?;
        self.write(&path, &text).map_err(|e| Error::io("write", &path, e))?;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(hour: u32) -> DateTime<Utc> {
        let start: DateTime<Utc> = "2026-03-01T00:00:00Z".parse().unwrap();
        start + TimeDelta::hours(hour.into())
    }

    #[test]
    fn each_store_has_its_turn_once_a_day() {
        let state = tempfile::tempdir().unwrap();
        let spool = Spool::at(&state.path().join("new"));
        let turn = |store: &str, hour| spool.take_turn(Path::new(store), at(hour)).unwrap();
        assert!(turn("/a", 0) && turn("/b", 1));
        assert!(!turn("/a", 23) && !turn("/b", 24));
        assert!(turn("/a", 24) && !turn("/a", 25));
        assert!(turn("/b", 0), "the clock was put back");
    }

    #[test]
    fn a_lost_or_broken_note_costs_one_more_turn() {
        let state = tempfile::tempdir().unwrap();
        let spool = Spool::at(state.path());
        let store = Path::new("/a");
        assert!(spool.take_turn(store, at(0)).unwrap());
        fs::write(state.path().join("upkeep.json"), "{").unwrap();
        assert!(spool.take_turn(store, at(1)).unwrap() && !spool.take_turn(store, at(2)).unwrap());
    }

    #[test]
    fn the_oldest_of_many_stores_is_forgotten_first() {
        let state = tempfile::tempdir().unwrap();
        let spool = Spool::at(state.path());
        for number in 0..=MOST_STORES {
            let time = at(0) + TimeDelta::seconds(i64::try_from(number).unwrap());
            assert!(spool.take_turn(Path::new(&format!("/{number}")), time).unwrap());
        }
        assert!(!spool.take_turn(Path::new("/1"), at(1)).unwrap() && spool.take_turn(Path::new("/0"), at(1)).unwrap());
    }
}
