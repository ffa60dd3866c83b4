//! What can be typed.

mod home;
mod keep;
mod remembered;
mod trial;

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand, ValueEnum};

pub use home::{ExperienceCommand, Heartbeat, Steer, Sync, Unsync};
pub use keep::{Consolidate, Digest, Export, Import, Page, Review, Stats, Text, Write};
pub use trial::{RulesCommand, Stage, Trace};

use crate::host::{HOOKED, hooked};
use crate::memory::Kind;
use crate::transcript::Host;
pub use remembered::{Forget, History, InStore, List, One, Order, Sweep, ToStore, Undo};

/// Writes down what a session with an AI agent taught.
///
/// Afterword reads the transcript of a session, finds what the person stated (preferences, facts, configuration,
/// constraints) and what they corrected and then accepted, and keeps both as small markdown files in `.reflexio/`,
/// where the agent finds them in later sessions. No model, no network: the same transcript gives the same files.
#[derive(Debug, Parser)]
#[command(
    version,
    max_term_width = 110,
    after_help = "Start with `afterword demo`. Exit codes: 0 done, 1 done with problems that were reported, 2 nothing could be done."
)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// How to print: for people, or one JSON object a line for programs.
    #[arg(long, global = true, value_enum, default_value_t = Format::Human)]
    pub format: Format,
    /// When to use colour.
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto)]
    pub color: Color,
    /// A folder with rule files of your own, read after the built-in ones.
    #[arg(long, global = true, env = "AFTERWORD_RULES", value_name = "DIR")]
    pub rules: Option<PathBuf>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Learn from transcripts and write the memories to the store.
    Extract(Extract),
    /// For the hooks of agents: note that a session ended, and learn from it in the background.
    ///
    /// Reads the host's payload from standard input (or from the last argument, as Codex's `notify` gives it), notes it,
    /// starts a worker and ends at once. It prints nothing and always succeeds, so that no host is ever held up.
    Hook(Hook),
    /// Learn from every session that is saved on this machine, the oldest first.
    Replay(Replay),
    /// What is remembered.
    List(List),
    /// One memory as it stands in its file.
    Show(One),
    /// Why a memory is there: the words, the session, what confirmed it, what it replaced.
    Why(One),
    /// Everything that happened to a memory, or to the store.
    History(History),
    /// Take back what happened last, to a memory or in a run.
    ///
    /// Whatever was made, replaced, swept or forgotten becomes what it was, to the byte. An undo can be taken back too. What
    /// was taken back stays so when the same sessions are read again.
    Undo(Undo),
    /// Remove memories for good; shown first, and asked.
    ///
    /// They do not come back when old sessions are read again, only if you say the same anew. The texts stay in the store's
    /// hidden ledger, so that `afterword undo` can bring them back.
    Forget(Forget),
    /// Remove the profiles whose last day is over.
    ///
    /// A memory lives through the day on which it expires. The texts stay in the store's hidden ledger.
    Sweep(Sweep),
    /// Show, turn by turn, what was seen and why something was or was not learned.
    Trace(Trace),
    /// Run one stage on lines from standard input.
    Try {
        /// The stage.
        #[command(subcommand)]
        stage: Stage,
    },
    /// Find memories by words: what fits a question, the best first, or nothing.
    Search(Search),
    /// For agents: serve the tools `reflexio_write_profile`, `reflexio_write_playbook`, `reflexio_search`,
    /// `reflexio_forget` and `reflexio_why` (Model Context Protocol) on standard input and output.
    Mcp(Mcp),
    /// Look at the rules and test them.
    Rules {
        /// What to do with them.
        #[command(subcommand)]
        command: RulesCommand,
    },
    /// Switch a host on: its hooks, its skill, its memory path. Shown first, and asked step by step.
    Install(Install),
    /// Take out of a host what `install` put in; every file becomes what it was.
    Uninstall(Uninstall),
    /// How each host stands: found, switched on, last run, what to do.
    Doctor(Doctor),
    /// Write a memory down yourself, or let a script or an agent do it.
    Write {
        /// Which kind.
        #[command(subcommand)]
        kind: Write,
    },
    /// Put memories together that say the same or contradict each other: one fact a file.
    Consolidate(Consolidate),
    /// Go through what waits for your word: corrections that were never confirmed.
    Review(Review),
    /// A store in numbers.
    Stats(Stats),
    /// Put a store into one zip file, with its memories and its ledger.
    Export(Export),
    /// Bring an exported store in: restored where there is none, else merged; twice is once.
    Import(Import),
    /// What was learned, replaced, expired and forgotten lately, in markdown.
    Digest(Digest),
    /// Everything that was learned, as one HTML page: when, from which words, what took the place of what.
    Report(Page),
    /// The experience home `~/learn-from-experience/`: switch it on, and ask it.
    Experience {
        /// What to do with it.
        #[command(subcommand)]
        command: ExperienceCommand,
    },
    /// Put the confirmed preferences into the `### Patterns` block of the agents' global files.
    Sync(Sync),
    /// Take the block out of the agents' global files again.
    Unsync(Unsync),
    /// Do what is due in the experience home: promote, demote, archive, sync. Prints `OK …` or `ALERT …`.
    Heartbeat(Heartbeat),
    /// Learn from a sample session in a store that is thrown away, and show the files.
    Demo,
}

/// `extract`.
#[derive(Debug, clap::Args)]
pub struct Extract {
    /// Transcripts: files, folders, OpenClaw databases, or `-` for standard input.
    #[arg(required = true, value_name = "TRANSCRIPT")]
    pub sources: Vec<PathBuf>,
    /// The store [default: `.reflexio` in the session's workspace or git root, else in your home folder].
    #[arg(long, env = "AFTERWORD_STORE", value_name = "DIR")]
    pub store: Option<PathBuf>,
    /// Write nothing; show what would be written, with the words it comes from.
    #[arg(long)]
    pub dry_run: bool,
}

/// `hook`.
#[derive(Debug, clap::Args)]
#[command(after_help = "What became of it: `afterword doctor`, and afterword.log in the state folder \
    (AFTERWORD_STATE, else afterword in XDG_STATE_HOME or ~/.local/state).")]
pub struct Hook {
    /// Whose hook it is: openclaw, claude-code, codex, codebuddy, opencode or gemini.
    pub host: Option<String>,
    /// What the host puts behind its command.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    pub payload: Vec<OsString>,
    /// Be the worker.
    #[arg(long, hide = true)]
    pub work: bool,
}

/// `replay`.
///
/// Finds the transcripts of all agents that are installed. It can be interrupted at any time and run again: what has not
/// changed since is passed over, and nothing is learned twice.
#[derive(Debug, clap::Args)]
pub struct Replay {
    /// Files and folders to look in, instead of the places where the agents keep their sessions.
    #[arg(value_name = "TRANSCRIPT")]
    pub sources: Vec<PathBuf>,
    /// Only the sessions of this host, as `trace` names it; may be given more than once.
    #[arg(long = "host", value_name = "HOST", value_parser = PossibleValuesParser::new(Host::ALL.map(Host::name)))]
    pub hosts: Vec<String>,
    /// Only the sessions that were held in this folder or below it; a single word is a project's name.
    #[arg(long, value_name = "DIR")]
    pub project: Option<PathBuf>,
    /// Only the sessions that began since: a day (2026-01-31), a time (2026-01-31T08:00:00Z), or how long ago (12h, 7d, 4w).
    #[arg(long, value_name = "WHEN")]
    pub since: Option<String>,
    /// How many threads read at once, at most 64 [default: one for each core].
    #[arg(long, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
    /// The store [default: `.reflexio` in each session's workspace or git root, else in your home folder].
    #[arg(long, env = "AFTERWORD_STORE", value_name = "DIR")]
    pub store: Option<PathBuf>,
    /// Write nothing; show what would be written, with the words it comes from.
    #[arg(long)]
    pub dry_run: bool,
    /// Read files again that have not changed since the last time.
    #[arg(long)]
    pub again: bool,
}

/// `search`.
#[derive(Debug, clap::Args)]
pub struct Search {
    /// What it is about, in any words; English or Chinese.
    #[arg(required = true, value_name = "QUERY")]
    pub query: Vec<String>,
    /// Only memories of this kind.
    #[arg(long, value_parser = one_of(&Kind::ALL, Kind::word))]
    pub kind: Option<Kind>,
    /// At most so many.
    #[arg(long, default_value = "5", value_name = "N")]
    pub limit: NonZeroUsize,
    /// The store.
    #[command(flatten)]
    pub place: InStore,
}

/// `mcp`.
#[derive(Debug, clap::Args)]
pub struct Mcp {
    /// The store.
    #[command(flatten)]
    pub place: ToStore,
}

/// `install`.
#[derive(Debug, clap::Args)]
pub struct Install {
    /// The host; without one, the hosts that were found are listed.
    #[arg(value_parser = installable())]
    pub host: Option<Host>,
    /// Agree to every step.
    #[arg(long, short)]
    pub yes: bool,
    /// Write nothing; show what would be changed.
    #[arg(long)]
    pub dry_run: bool,
    /// OpenClaw's agent that is set up.
    #[arg(long, default_value = "main", value_name = "ID", value_parser = agent)]
    pub agent: String,
    /// Codex: use the older `notify` instead of hooks.
    #[arg(long)]
    pub notify: bool,
    /// Also put memories that fit a message beside it, by themselves (not Gemini CLI).
    #[arg(long)]
    pub recall: bool,
    /// Also switch the experience home on, and keep the host's global file in step with its confirmed preferences.
    #[arg(long)]
    pub sync: bool,
}

/// `uninstall`.
#[derive(Debug, clap::Args)]
pub struct Uninstall {
    /// The host.
    #[arg(value_parser = installable())]
    pub host: Host,
    /// Do not ask.
    #[arg(long, short)]
    pub yes: bool,
    /// Write nothing; show what would be changed.
    #[arg(long)]
    pub dry_run: bool,
}

/// `doctor`.
#[derive(Debug, clap::Args)]
pub struct Doctor {
    /// Only this host.
    #[arg(value_parser = installable())]
    pub host: Option<Host>,
    /// OpenClaw's agent that is looked at.
    #[arg(long, default_value = "main", value_name = "ID", value_parser = agent)]
    pub agent: String,
}

/// One of `all`, by its word.
fn one_of<T: Copy + Send + std::marker::Sync + 'static>(
    all: &'static [T],
    word: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let words = PossibleValuesParser::new(all.iter().map(|&one| word(one)));
    words.try_map(move |typed| all.iter().copied().find(|&one| word(one) == typed).ok_or("no such word"))
}

/// A host that can be switched on, by its name.
fn installable() -> impl TypedValueParser<Value = Host> {
    let names = PossibleValuesParser::new(HOOKED.map(Host::name));
    names.try_map(|name| hooked(&name).ok_or("no host that is known"))
}

/// The id of an agent becomes part of a file's name.
fn agent(id: &str) -> Result<String, String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let good = !id.is_empty() && id.len() <= 64 && id.chars().all(plain) && !id.starts_with('.');
    if good { Ok(id.to_owned()) } else { Err("an agent's id is made of letters, digits, `-`, `_` and `.`".to_owned()) }
}

/// How to print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Human,
    /// One JSON object a line.
    Jsonl,
}

/// When to use colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal only.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}
