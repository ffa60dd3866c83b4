//! Transcripts: what a host saved, read into sessions and turns, the currency between the stages.
//!
//! Content decides the format; a path is only a hint. Strip, then classify: what the host put around the
//! person's words is cut away first, and only then is it decided who speaks.

mod aider;
mod claude_code;
mod codebuddy;
mod codex;
mod copies;
mod copilot;
mod cursor;
mod cursor_export;
mod cursor_store;
mod cut;
mod database;
mod discover;
mod draft;
pub mod envelope;
mod exports;
mod further;
mod gemini;
mod glance;
mod json;
mod lines;
mod messages;
mod openclaw;
mod openclaw_store;
mod opencode;
mod opencode_store;
mod opencode_text;
mod packed;
mod prompt_log;
mod screen;
mod sniff;
mod specstory;
mod whole;

use std::fs::File;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

pub use self::copies::{Copies, Hand, Sketch, drop_copies};
pub use self::database::{is_database, log_beside};
pub use self::discover::discover;
pub use self::envelope::{Stripped, strip};
pub use self::glance::{Glance, glance};
pub use self::openclaw_store::is_machine_key;
use self::sniff::Format;
use crate::error::{Error, ErrorKind, Problem, Result};

/// Reads every session in the file at `path`. A JSONL or JSON file holds one session or a few, OpenClaw's
/// database many.
///
/// # Errors
/// [`ErrorKind::Io`] if it cannot be read, [`ErrorKind::UnknownFormat`] if it is no transcript that is
/// understood (in a folder no reason to stop), [`ErrorKind::Transcript`] if it is one but broken as a whole.
/// A line that cannot be read is a [`Problem`] of the reading, never an error.
pub fn read(path: &Path) -> Result<Reading> {
    let doing = "open the transcript";
    let file = File::open(path).map_err(|error| Error::io(doing, path, error))?;
    let about = file.metadata().map_err(|error| Error::io(doing, path, error))?;
    let modified = about.modified().map_or(DateTime::UNIX_EPOCH, DateTime::from);
    // The host may be writing: what it adds from now on is for the next run.
    let length = if about.is_file() { about.len() } else { u64::MAX };
    let (format, reader) = sniffed(file.take(length), path)?;
    if format == Format::Sqlite {
        return database::read(path, modified);
    }
    read_as(format, reader, path, modified)
}

/// Reads every session in a stream, for standard input; `name` stands for it in evidence and messages,
/// `modified` for the time of the file.
///
/// # Errors
/// As [`read`]; a database cannot be read from a stream.
pub fn read_stream(reader: impl Read + Send, name: &Path, modified: DateTime<Utc>) -> Result<Reading> {
    let (format, reader) = sniffed(reader, name)?;
    read_as(format, reader, name, modified)
}

/// The format of a source, and a reader that still gives all of it.
fn sniffed(mut reader: impl Read + Send, name: &Path) -> Result<(Format, impl Read + Send)> {
    let mut head = Vec::new();
    let beginning = (&mut reader).take(sniff::HEAD as u64).read_to_end(&mut head);
    beginning.map_err(|error| Error::io("read the transcript", name, error))?;
    Ok((sniff::sniff(&head), Cursor::new(head).chain(reader)))
}

fn read_as(format: Format, reader: impl Read + Send, name: &Path, modified: DateTime<Utc>) -> Result<Reading> {
    let unknown = |what: &str| Error::new(ErrorKind::UnknownFormat, format!("this is {what}")).at(name);
    // The one thing a name decides: whether a single conversation is a file or a line.
    let is_json = name.extension().is_some_and(|ending| ending == "json");
    match format {
        Format::Empty => Ok(Reading::default()),
        Format::ClaudeCode => claude_code::read(reader, name, modified),
        Format::Codex => codex::read(reader, name, modified),
        Format::Openclaw => openclaw::read(reader, name, modified),
        Format::MessageLines if is_json => messages::read_whole(reader, name, modified),
        Format::MessageLines => messages::read_lines(reader, name, modified),
        Format::MessageFile => messages::read_whole(reader, name, modified),
        Format::Sqlite => Err(unknown("a database, which cannot be read from a stream; name its file")),
        Format::Packed(packing) => packed::read(packing, reader, name, modified),
        Format::Further(kind) => further::read(kind, reader, name, modified),
        Format::Unknown(what) => Err(unknown(what)),
    }
}

/// The product that wrote a transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Host {
    /// OpenClaw, and pi, whose session format it took over.
    Openclaw,
    /// Claude Code.
    ClaudeCode,
    /// Codex CLI.
    Codex,
    /// A file of OpenAI-style messages, from anywhere.
    Openai,
    /// A file in ShareGPT's form, from anywhere.
    Sharegpt,
    /// SpecStory's Markdown, whatever product it was written beside.
    Specstory,
    /// Cursor: its exports, agent transcripts and databases.
    Cursor,
    /// opencode, and oh-my-opencode's logs.
    Opencode,
    /// Gemini CLI.
    Gemini,
    /// aider's chat history.
    Aider,
    /// CodeBuddy Code.
    Codebuddy,
    /// An export of ChatGPT's conversations.
    Chatgpt,
    /// An export of Claude.ai's conversations.
    ClaudeAi,
    /// GitHub Copilot CLI.
    Copilot,
}

impl Host {
    /// All of them.
    pub const ALL: [Self; 14] = [
        Self::Openclaw,
        Self::ClaudeCode,
        Self::Codex,
        Self::Openai,
        Self::Sharegpt,
        Self::Specstory,
        Self::Cursor,
        Self::Opencode,
        Self::Gemini,
        Self::Aider,
        Self::Codebuddy,
        Self::Chatgpt,
        Self::ClaudeAi,
        Self::Copilot,
    ];

    /// The name used in evidence, in JSONL and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Openclaw => "openclaw",
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::Openai => "openai",
            Self::Sharegpt => "sharegpt",
            Self::Specstory => "specstory",
            Self::Cursor => "cursor",
            Self::Opencode => "opencode",
            Self::Gemini => "gemini",
            Self::Aider => "aider",
            Self::Codebuddy => "codebuddy",
            Self::Chatgpt => "chatgpt",
            Self::ClaudeAi => "claude-ai",
            Self::Copilot => "copilot",
        }
    }
}

/// One parsed session.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Session {
    /// Who wrote it.
    pub host: Host,
    /// The host's id of the session; the file's stem where the format has none.
    pub id: String,
    /// The working directory the session ran in, where known.
    pub cwd: Option<PathBuf>,
    /// Time of the first record; the file's modification time where the format has no times.
    pub started: DateTime<Utc>,
    /// The file or database it was read from.
    pub source: PathBuf,
    /// The turns, in the order in which they happened.
    pub turns: Vec<Turn>,
    /// Whether another session owns some of its turns ([`drop_copies`]).
    #[serde(skip)]
    pub repeats: bool,
}

/// One utterance or tool step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Turn {
    /// Who speaks.
    pub speaker: Speaker,
    /// How the turn came about.
    pub manner: Manner,
    /// For a human: the person's words, stripped of everything the host added. For an injected turn: a short
    /// beginning of it, for `trace`. For the agent: what it said, or (for [`Manner::Call`]) the tool's name, a
    /// space and the beginning of its arguments. For a tool: the beginning of its result.
    pub text: String,
    /// 1-based source line (JSONL line; seq + 1 in OpenClaw's database; message index + 1 in whole-file JSON).
    pub line: u32,
    /// When, where the record has a time.
    pub time: Option<DateTime<Utc>>,
    /// The host's id of the record, where it has one: the same record in two files is one turn.
    pub record: Option<String>,
}

/// Who speaks in a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Speaker {
    /// The person.
    Human,
    /// Text in the person's place that no person typed.
    Injected,
    /// The agent.
    Agent,
    /// A tool's result.
    Tool,
}

/// How a turn came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Manner {
    /// Typed, said, returned, as usual.
    Plain,
    /// Human: words typed into the rejection of a tool call. Injected: a rejection without words.
    Rejection,
    /// Human: an answer to a question the agent asked through a tool.
    Answer,
    /// Human: typed while the agent was working.
    Queued,
    /// Human: the argument typed behind a slash command.
    Argument,
    /// Human: a note for the host's own memory (`# …`).
    Note,
    /// Injected: the person interrupted the agent.
    Interrupt,
    /// Human: typed, and taken back later (a rollback, a rewritten prompt): it teaches nothing.
    Withdrawn,
    /// Injected: the person rolled turns back, or the host says so; the turns are [`Self::Withdrawn`].
    Rollback,
    /// Injected: a byte-identical re-send that the host made of a human turn after an error, or a copy of a
    /// turn that stands in another file. Human: the person sent the same again after an error or an interrupt;
    /// it adds nothing to the first.
    Copy,
    /// Injected: the end of a conversation inside a transcript (a reset, `/clear`): episodes end here.
    Boundary,
    /// Agent: a tool call.
    Call,
    /// Agent: an answer that failed or was aborted. Tool: a result that is an error.
    Failed,
}

/// What a source held: its sessions, and what could not be read of it.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    /// The sessions, in the order of the source.
    pub sessions: Vec<Session>,
    /// Lines and records that were skipped.
    pub problems: Vec<Problem>,
}

#[cfg(test)]
#[path = "transcript/gold_tests.rs"]
mod gold_tests;

#[cfg(test)]
#[path = "transcript/laws_tests.rs"]
mod laws_tests;
