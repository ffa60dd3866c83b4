//! Printing: results to standard output, problems to standard error, in colour on a terminal only.
//!
//! Control characters from transcripts never reach a terminal. A pipe that closes early ends the output, not with
//! an error.

use std::io::{self, Write};
use std::process::ExitCode;

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use serde::Serialize;

use super::args::{Color, Format};
use crate::error::{Error, Problem, Result};

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Done.
    Done,
    /// Done, with problems that were reported.
    Problems,
    /// Nothing could be done.
    Nothing,
}

/// Where a command prints.
pub struct Report {
    /// For people or for programs.
    pub format: Format,
    out: AutoStream<io::Stdout>,
    err: AutoStream<io::Stderr>,
    closed: bool,
    failure: Option<io::Error>,
}

/// Bold, for what a line is about.
pub(super) const STRONG: Style = Style::new().bold();
/// Dim, for where it comes from.
pub(super) const FAINT: Style = Style::new().dimmed();
/// Green, for what is kept.
pub(super) const GOOD: Style = AnsiColor::Green.on_default();
/// Yellow, for what is put off or skipped.
pub(super) const DOUBTFUL: Style = AnsiColor::Yellow.on_default();
/// Red, for what went wrong.
pub(super) const BAD: Style = AnsiColor::Red.on_default().bold();

/// So many problems are shown; the rest is counted.
const SHOWN_PROBLEMS: usize = 20;

impl Report {
    /// A report in the format and colours that were asked for.
    #[must_use]
    pub fn new(format: Format, color: Color) -> Self {
        let choice = match color {
            Color::Auto => ColorChoice::Auto,
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        };
        Self {
            format,
            out: AutoStream::new(io::stdout(), choice),
            err: AutoStream::new(io::stderr(), choice),
            closed: false,
            failure: None,
        }
    }

    /// Whether programs read the output.
    #[must_use]
    pub fn is_jsonl(&self) -> bool {
        self.format == Format::Jsonl
    }

    /// Prints one line for people; text from transcripts in it must have gone through [`clean`].
    pub fn line(&mut self, text: &str) {
        self.write(text);
    }

    /// Prints one JSON object for programs.
    pub fn json(&mut self, value: &impl Serialize) {
        match serde_json::to_string(value) {
            Ok(text) => self.write(&text),
            Err(error) => self.fail(error.into()),
        }
    }

    fn write(&mut self, text: &str) {
        if !self.closed
            && let Err(error) = writeln!(self.out, "{text}")
        {
            self.fail(error);
        }
    }

    /// A pipe that closed early is the reader's wish; any other error is told at the end.
    fn fail(&mut self, error: io::Error) {
        self.closed = true;
        if error.kind() != io::ErrorKind::BrokenPipe {
            self.failure.get_or_insert(error);
        }
    }

    /// Whether nobody reads the output any more.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Prints the problems of a run to standard error: the first ones whole, the rest as a number.
    pub fn problems(&mut self, problems: &[Problem]) {
        for problem in problems.iter().take(SHOWN_PROBLEMS) {
            let place = problem.line.map(|l| format!(":{l}")).unwrap_or_default();
            let text = format!("{}{place}: {}", problem.path.display(), problem.what);
            self.complain(DOUBTFUL, "problem", &text);
        }
        if problems.len() > SHOWN_PROBLEMS {
            self.complain(DOUBTFUL, "problem", &format!("and {} more", problems.len() - SHOWN_PROBLEMS));
        }
    }

    /// Prints an error with its way out to standard error.
    pub fn error(&mut self, error: &Error) {
        self.complain(BAD, "error", &error.to_string());
        self.complain(FAINT, "hint", &error.hint());
    }

    fn complain(&mut self, style: Style, word: &str, text: &str) {
        // Standard error may be closed as well; there is nobody left to tell.
        let _ = writeln!(self.err, "{style}{word}:{style:#} {}", clean(text));
    }

    /// Flushes, prints the error a command ended with, and gives the exit code.
    #[must_use]
    pub fn finish(mut self, outcome: Result<Outcome>) -> ExitCode {
        if let Err(error) = self.out.flush() {
            self.fail(error);
        }
        if let Some(error) = self.failure.take() {
            self.complain(BAD, "error", &format!("the output could not be written: {error}"));
            return ExitCode::from(2);
        }
        match outcome {
            _ if self.closed => ExitCode::SUCCESS,
            Ok(Outcome::Done) => ExitCode::SUCCESS,
            Ok(Outcome::Problems) => ExitCode::from(1),
            Ok(Outcome::Nothing) => ExitCode::from(2),
            Err(error) => {
                self.error(&error);
                ExitCode::from(2)
            }
        }
    }
}

/// Text from outside without what could steer a terminal: control and escape characters, bidi overrides.
#[must_use]
pub fn clean(text: &str) -> String {
    text.chars()
        .map(|c| if c == '\n' || c == '\t' { ' ' } else { c })
        .filter(|&c| {
            !c.is_control() && !matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}' | '\u{2029}' | '\u{2060}' | '\u{e0000}'..='\u{e007f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        })
        .collect()
}

/// Text cut to `width` characters, with an ellipsis where something was cut.
#[must_use]
pub fn fit(text: &str, width: usize) -> String {
    let text = clean(text);
    if text.chars().count() <= width {
        return text;
    }
    let cut: String = text.chars().take(width.saturating_sub(1)).collect();
    format!("{}…", cut.trim_end())
}
