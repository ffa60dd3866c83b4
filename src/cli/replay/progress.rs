//! How far a replay is: a bar with rate and remaining time on a terminal, a line now and then elsewhere.

use std::io::{IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::super::args::Format;

/// Where there is no terminal, so often a line is printed.
const SELDOM: Duration = Duration::from_secs(10);

/// How far it is.
pub(super) struct Progress {
    bar: ProgressBar,
    /// `None` where the bar is shown, and where programs read.
    last: Option<Mutex<Instant>>,
}

impl Progress {
    /// Nothing is found yet. For programs, standard error is kept free of anything but problems.
    pub(super) fn new(format: Format) -> Self {
        let is_terminal = std::io::stderr().is_terminal();
        let target = if is_terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(0), target);
        let look = "{bar:30} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(look) {
            bar.set_style(style);
        }
        let last = (!is_terminal && format == Format::Human).then(|| Mutex::new(Instant::now()));
        Self { bar, last }
    }

    /// Says one thing to people.
    pub(super) fn say(&self, text: &str) {
        if self.last.is_some() || !self.bar.is_hidden() {
            self.aside(|| {
                // Standard error may be closed; nobody is there to tell.
                let _ = writeln!(std::io::stderr(), "{text}");
            });
        }
    }

    pub(super) fn found(&self, files: usize, bytes: u64) {
        self.bar.inc_length(bytes);
        if self.last.is_some() && files > 0 {
            self.say(&format!("reading {files} files, {}", megabytes(bytes)));
        }
    }

    pub(super) fn read(&self, bytes: u64) {
        self.bar.inc(bytes);
        let Some(last) = &self.last else { return };
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.elapsed() >= SELDOM {
            *last = Instant::now();
            let of = self.bar.length().unwrap_or_default();
            self.say(&format!("read {} of {}", megabytes(self.bar.position()), megabytes(of)));
        }
    }

    /// Lets something else be printed where the bar stands.
    pub(super) fn aside(&self, print: impl FnOnce()) {
        self.bar.suspend(print);
    }

    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }
}

fn megabytes(bytes: u64) -> String {
    format!("{} MB", bytes.div_ceil(1_000_000))
}
