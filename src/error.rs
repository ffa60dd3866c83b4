//! What can go wrong at the edges (files, databases, rules, the store), and how it is told.
//!
//! The middle of the program is pure and never fails; readers, the store and the command line return
//! [`Result`]. An [`Error`] ends one source or one command; a [`Problem`] costs one line and is counted.

use std::fmt;
use std::path::{Path, PathBuf};

/// The result of everything that touches the outside.
pub type Result<T> = std::result::Result<T, Error>;

/// Why something could not be done, where, and what to do about it.
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    path: Option<PathBuf>,
    line: Option<u32>,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

/// What sort of thing went wrong; each has its own way out, see [`Error::hint`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// A file or folder could not be read or written.
    Io,
    /// No transcript format fits the content.
    UnknownFormat,
    /// A transcript's container is broken beyond single lines (a database, a whole-file JSON).
    Transcript,
    /// A rule file is wrong.
    Rule,
    /// The store is in a state that must not be written over.
    Store,
    /// A host's configuration cannot be changed as it stands.
    Host,
    /// No memory or run is called so, or more than one.
    Name,
    /// The command line asks for something that cannot be.
    Usage,
}

/// The formats that can be read, named in the error for an unknown one.
pub const UNDERSTOOD: &str = "OpenClaw (JSONL or SQLite), Claude Code (JSONL or /export), \
     Codex rollouts, opencode (SQLite, storage tree or export), Gemini CLI, CodeBuddy, Copilot CLI, \
     Cursor (Markdown export, agent transcripts, SQLite), SpecStory, aider, exports of ChatGPT and Claude.ai, \
     prompt logs, OpenAI messages and ShareGPT (JSON or JSONL); also inside zstd, gzip or zip";

impl Error {
    /// An error of `kind` that says `message` (one sentence without its full stop).
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), path: None, line: None, source: None }
    }

    /// An I/O error at `path`; `doing` completes "could not …".
    pub fn io(doing: &str, path: &Path, source: std::io::Error) -> Self {
        Self::new(ErrorKind::Io, format!("could not {doing}")).at(path).because(source)
    }

    /// Adds the file it happened in.
    #[must_use]
    pub fn at(mut self, path: &Path) -> Self {
        self.path = Some(path.to_path_buf());
        self
    }

    /// Adds the 1-based line it happened on.
    #[must_use]
    pub fn on_line(mut self, line: u32) -> Self {
        self.line = Some(line);
        self
    }

    /// Adds the error underneath.
    #[must_use]
    pub fn because(mut self, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// What sort of error it is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The way out, one sentence.
    #[must_use]
    pub fn hint(&self) -> String {
        match self.kind {
            ErrorKind::Io => "check that the path exists and that you may read and write it".into(),
            ErrorKind::UnknownFormat => format!("these formats are understood: {UNDERSTOOD}"),
            ErrorKind::Transcript => {
                "export the session again, or copy the database while its program is closed".into()
            }
            ErrorKind::Rule => "mend the rule file; `afterword rules check` shows every fault in it".into(),
            ErrorKind::Store => {
                "nothing was changed; look at the named file, move it away or mend it, and run again".into()
            }
            ErrorKind::Host => {
                "nothing was changed; mend the named file or make the change by hand, and run the command again".into()
            }
            ErrorKind::Name => {
                "`afterword list --all` shows every memory with its id, `afterword history` every run".into()
            }
            ErrorKind::Usage => "see `afterword --help`".into(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.path {
            write!(f, "{}", path.display())?;
            if let Some(line) = self.line {
                write!(f, ":{line}")?;
            }
            write!(f, ": ")?;
        }
        write!(f, "{}", self.message)?;
        if let Some(source) = &self.source {
            write!(f, ": {source}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}

/// Something that cost one line or one record of a source, never the run.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Problem {
    /// The file, as it was named.
    pub path: PathBuf,
    /// 1-based line (JSONL line, seq + 1 in a database); `None` where the whole source is meant.
    pub line: Option<u32>,
    /// What was wrong, one sentence without its full stop.
    pub what: String,
}
