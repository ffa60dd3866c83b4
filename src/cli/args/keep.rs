//! What can be typed to keep a store: to write into it, to put it in order, to look at it as a whole.

use std::path::PathBuf;

use clap::Subcommand;

use super::{InStore, ToStore};

/// `write …`.
#[derive(Debug, Subcommand)]
pub enum Write {
    /// A fact: something the person stated.
    Profile {
        /// The topic, for the file's name: 1 to 48 of a-z, 0-9 and -.
        slug: String,
        /// How long it lives: one_day, one_week, one_month, one_quarter, one_year or infinity.
        ttl: String,
        /// What to write, and where.
        #[command(flatten)]
        text: Text,
    },
    /// A way to do the work: something the person corrected and then accepted.
    ///
    /// The text needs the sections `## When`, `## What` and `## Why`.
    Playbook {
        /// The topic, for the file's name: 1 to 48 of a-z, 0-9 and -.
        slug: String,
        /// What to write, and where.
        #[command(flatten)]
        text: Text,
    },
}

/// The text of a memory that is written.
#[derive(Debug, clap::Args)]
pub struct Text {
    /// The text [default: standard input].
    #[arg(long, value_name = "TEXT", conflicts_with = "file")]
    pub body: Option<String>,
    /// A file with the text; `-` is standard input.
    #[arg(long, value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// The id of a memory whose place it takes; may be given more than once.
    #[arg(long, value_name = "ID")]
    pub supersedes: Vec<String>,
    /// An agent writes this, with the tool of this name: what you deleted or edited by hand stays as it is.
    #[arg(long, value_name = "TOOL")]
    pub agent: Option<String>,
    /// Where to.
    #[command(flatten)]
    pub place: ToStore,
    /// Write nothing; show what would be written.
    #[arg(long)]
    pub dry_run: bool,
}

/// `consolidate`.
///
/// Memories that you edited, or brought back, are left alone. The hooks' worker does this once a day by itself.
#[derive(Debug, clap::Args)]
pub struct Consolidate {
    /// Where.
    #[command(flatten)]
    pub place: InStore,
    /// Write nothing; show what would be put together.
    #[arg(long)]
    pub dry_run: bool,
}

/// `review`.
///
/// On a terminal it asks one by one. What you accept becomes a memory, what you reject is not asked about again.
#[derive(Debug, clap::Args)]
pub struct Review {
    /// Only list what waits.
    #[arg(long, conflicts_with_all = ["accept", "reject"])]
    pub list: bool,
    /// Make a memory of it; may be given more than once.
    #[arg(long, value_name = "ID")]
    pub accept: Vec<String>,
    /// Turn it down for good; may be given more than once.
    #[arg(long, value_name = "ID")]
    pub reject: Vec<String>,
    /// Where.
    #[command(flatten)]
    pub place: InStore,
    /// Write nothing; show what would be written.
    #[arg(long)]
    pub dry_run: bool,
}

/// `stats`.
#[derive(Debug, clap::Args)]
pub struct Stats {
    /// Where.
    #[command(flatten)]
    pub place: InStore,
}

/// `export`.
#[derive(Debug, clap::Args)]
pub struct Export {
    /// The zip file to make; one that is there is not overwritten.
    #[arg(value_name = "FILE")]
    pub to: PathBuf,
    /// Which store.
    #[command(flatten)]
    pub place: InStore,
}

/// `import`.
#[derive(Debug, clap::Args)]
pub struct Import {
    /// A zip file that `export` made.
    #[arg(value_name = "FILE")]
    pub from: PathBuf,
    /// Where to.
    #[command(flatten)]
    pub place: ToStore,
    /// Write nothing; show what would be written.
    #[arg(long)]
    pub dry_run: bool,
}

/// `digest`.
#[derive(Debug, clap::Args)]
pub struct Digest {
    /// Since when: a day (2026-01-31), a time (2026-01-31T08:00:00Z), or how long ago (12h, 7d, 4w).
    #[arg(long, value_name = "WHEN", default_value = "7d")]
    pub since: String,
    /// Where.
    #[command(flatten)]
    pub place: InStore,
}

/// `report`.
///
/// The page is one file that opens from disk, asks nothing of the network, and can be filtered and searched. It holds your
/// words as the store does, without secrets.
#[derive(Debug, clap::Args)]
pub struct Page {
    /// The file to write. An earlier report is written over, anything else is not.
    #[arg(long, value_name = "FILE", default_value = "afterword-report.html")]
    pub out: PathBuf,
    /// The stores, each a project in the page; may be given more than once [default: the nearest `.reflexio` from here
    /// upwards, else the one in your home folder].
    #[arg(long = "store", env = "AFTERWORD_STORE", value_name = "DIR", num_args = 1..)]
    pub stores: Vec<PathBuf>,
    /// Write over whatever is there.
    #[arg(long)]
    pub force: bool,
    /// Write nothing; say what would be written.
    #[arg(long)]
    pub dry_run: bool,
}
