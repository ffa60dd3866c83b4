//! What can be typed of the experience home.

use std::path::PathBuf;

use clap::Subcommand;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::experience::mode::Mode;
use crate::experience::sync::PRODUCTS;
use crate::transcript::Host;

/// `experience …`.
#[derive(Debug, Subcommand)]
pub enum ExperienceCommand {
    /// Make the home; from then on `extract`, `replay` and the hooks feed it.
    On,
    /// What do you know about X?
    About {
        /// Words that name X.
        #[arg(required = true)]
        words: Vec<String>,
    },
    /// What have you learned? The last ten corrections.
    Learned,
    /// Show the patterns: those that are always loaded, or those of a project.
    Patterns {
        /// The project, as its file in `projects/` is called.
        project: Option<String>,
    },
    /// What is in warm storage?
    Warm,
    /// What was learned, promoted, demoted and archived in the last seven days.
    Digest,
    /// Counts for each tier, the sync, the last seven days.
    Stats,
    /// Forget X: take every line about it out of all tiers; shown first, and asked.
    ///
    /// It does not come back when old sessions are read again, only if you say the same anew.
    Forget {
        /// Words that name X.
        #[arg(required = true)]
        words: Vec<String>,
        /// Do not ask.
        #[arg(long, short)]
        yes: bool,
        /// Write nothing; show what would go.
        #[arg(long)]
        dry_run: bool,
    },
    /// Export the memory: every page and the log, in one zip file.
    Export {
        /// The zip file to make; one that is there is not overwritten.
        #[arg(value_name = "FILE")]
        to: PathBuf,
    },
    /// Bring an exported home in, where there is none yet or nothing was learned.
    Import {
        /// A zip file that `experience export` made.
        #[arg(value_name = "FILE")]
        from: PathBuf,
        /// Write nothing; show what would be written.
        #[arg(long)]
        dry_run: bool,
    },
    /// Whether the agents' global files are kept in step by themselves (active), or by `sync` only (passive).
    Mode {
        /// The mode to change to [default: say which one it is].
        #[arg(value_parser = super::one_of(&Mode::ALL, Mode::word))]
        mode: Option<Mode>,
    },
    /// Tell the agents of a workspace about the home, in marked blocks of its AGENTS.md, SOUL.md and HEARTBEAT.md.
    Steer(Steer),
    /// Take these blocks out again: every file becomes what it was.
    Unsteer(Steer),
}

/// `experience steer`, `experience unsteer`.
#[derive(Debug, clap::Args)]
pub struct Steer {
    /// The workspace [default: this folder].
    #[arg(value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// Do not ask.
    #[arg(long, short)]
    pub yes: bool,
    /// Write nothing; show what would be changed.
    #[arg(long)]
    pub dry_run: bool,
}

/// `sync`.
#[derive(Debug, clap::Args)]
pub struct Sync {
    /// Only this host, whose file is made if it is not there [default: every global file that is there].
    #[arg(value_parser = synced())]
    pub host: Option<Host>,
    /// Agree to every file that was not agreed to yet.
    #[arg(long, short)]
    pub yes: bool,
    /// Write nothing; show what would be changed.
    #[arg(long)]
    pub dry_run: bool,
}

/// `unsync`.
#[derive(Debug, clap::Args)]
pub struct Unsync {
    /// Only this host.
    #[arg(value_parser = synced())]
    pub host: Option<Host>,
    /// Write nothing; show what would be changed.
    #[arg(long)]
    pub dry_run: bool,
}

/// `heartbeat`.
#[derive(Debug, clap::Args)]
pub struct Heartbeat {
    /// Write nothing; say which lessons would move.
    #[arg(long)]
    pub dry_run: bool,
}

/// A host with a global file, by its name.
fn synced() -> impl TypedValueParser<Value = Host> {
    let names = PossibleValuesParser::new(PRODUCTS.map(|(host, _)| host.name()));
    names.try_map(|name| PRODUCTS.into_iter().map(|(host, _)| host).find(|h| h.name() == name).ok_or("no such host"))
}
