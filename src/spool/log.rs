//! The log: one line for each thing done, in one file and one older one.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::PathBuf;

use chrono::{DateTime, SecondsFormat, Utc};

use super::{Spool, make};

/// At this length, in bytes, the log becomes the older one.
const FULL: u64 = 1 << 20;

/// A line is not longer than this, in characters.
const LONGEST: usize = 600;

impl Spool {
    /// The log's file.
    #[must_use]
    pub fn log_path(&self) -> PathBuf {
        self.state.join("afterword.log")
    }

    /// Adds a line. A log that cannot be written is no reason to stop.
    pub fn log(&self, now: DateTime<Utc>, line: &str) {
        let line: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).take(LONGEST).collect();
        let line = format!("{} {line}\n", now.to_rfc3339_opts(SecondsFormat::Secs, true));
        let open = || OpenOptions::new().create(true).append(true).open(self.log_path());
        let file = open().or_else(|error| make(&self.state).map_err(|_| error).and_then(|()| open()));
        // One write for the whole line: several processes may be at it.
        let _ = file.and_then(|mut file| file.write_all(line.as_bytes()));
    }

    /// Begins a new log if this one is full. Only for the one worker: two at once would lose the older one.
    pub(crate) fn turn_log(&self) {
        let path = self.log_path();
        if fs::metadata(&path).is_ok_and(|about| about.len() >= FULL) {
            let _ = fs::rename(&path, path.with_extension("log.1"));
        }
    }
}
