//! What can be typed of what is remembered: look at it, explain it, take it back, let it go.

use std::path::PathBuf;

use clap::ValueEnum;

use super::one_of;
use crate::memory::{Class, Kind};

/// Which store a command looks at.
#[derive(Debug, clap::Args)]
pub struct InStore {
    /// The store [default: the nearest `.reflexio` from here upwards, else the one in your home folder].
    #[arg(long, env = "AFTERWORD_STORE", value_name = "DIR")]
    pub store: Option<PathBuf>,
}

/// Which store a command writes to.
#[derive(Debug, clap::Args)]
pub struct ToStore {
    /// The store [default: `.reflexio` in this folder or its git root, else in your home folder].
    #[arg(long, env = "AFTERWORD_STORE", value_name = "DIR")]
    pub store: Option<PathBuf>,
}

/// `list`.
#[derive(Debug, clap::Args)]
pub struct List {
    /// Only memories that hold all of these words.
    #[arg(value_name = "WORD")]
    pub words: Vec<String>,
    /// Only profiles, or only playbooks.
    #[arg(long, value_parser = one_of(&Kind::ALL, Kind::word))]
    pub kind: Option<Kind>,
    /// Only memories of this class.
    #[arg(long, value_parser = one_of(&Class::ALL, Class::word))]
    pub class: Option<Class>,
    /// In which order.
    #[arg(long, value_enum, default_value_t = Order::Created)]
    pub sort: Order,
    /// What has expired, swept or not.
    #[arg(long, conflicts_with_all = ["all", "pending"])]
    pub expired: bool,
    /// Everything there ever was, and what became of it.
    #[arg(long, conflicts_with = "pending")]
    pub all: bool,
    /// What waits: corrections that were not confirmed, and requests to forget that could mean more than one memory.
    #[arg(long)]
    pub pending: bool,
    /// The store.
    #[command(flatten)]
    pub place: InStore,
}

/// The orders of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Order {
    /// The oldest first.
    Created,
    /// By topic.
    Slug,
    /// What expires first.
    Expiry,
}

/// `show`, `why`.
#[derive(Debug, clap::Args)]
pub struct One {
    /// The memory: its id, any beginning of it that no other has, its slug or its file.
    #[arg(value_name = "ID")]
    pub id: String,
    /// The store.
    #[command(flatten)]
    pub place: InStore,
}

/// `history`.
#[derive(Debug, clap::Args)]
pub struct History {
    /// The memory: its id, any beginning of it, its slug or its file; without one, the runs of the store are listed.
    #[arg(value_name = "ID")]
    pub id: Option<String>,
    /// The store.
    #[command(flatten)]
    pub place: InStore,
}

/// `undo`.
#[derive(Debug, clap::Args)]
pub struct Undo {
    /// A memory (its id, any beginning of it, its slug or its file) or a run (`r12`, see `history`) [default: the last run].
    #[arg(value_name = "ID|RUN")]
    pub what: Option<String>,
    /// Write nothing; show what would change.
    #[arg(long)]
    pub dry_run: bool,
    /// The store.
    #[command(flatten)]
    pub place: InStore,
}

/// `forget`.
#[derive(Debug, clap::Args)]
pub struct Forget {
    /// A memory (its id, any beginning of it, its slug or its file), or words that name what should be forgotten.
    #[arg(value_name = "ID|QUERY", required = true)]
    pub what: Vec<String>,
    /// Do not ask.
    #[arg(long, short)]
    pub yes: bool,
    /// Write nothing; show what would go.
    #[arg(long)]
    pub dry_run: bool,
    /// The store.
    #[command(flatten)]
    pub place: InStore,
}

/// `sweep`.
#[derive(Debug, clap::Args)]
pub struct Sweep {
    /// Write nothing; show what would go.
    #[arg(long)]
    pub dry_run: bool,
    /// The store.
    #[command(flatten)]
    pub place: InStore,
}
