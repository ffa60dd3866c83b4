//! What can be typed to see how it works: `trace`, `try`, `rules`.

use std::path::PathBuf;

use clap::Subcommand;

/// `trace`.
#[derive(Debug, clap::Args)]
pub struct Trace {
    /// A transcript: a file, a database, or `-` for standard input.
    #[arg(required = true, value_name = "TRANSCRIPT")]
    pub sources: Vec<PathBuf>,
    /// Only the turn on this source line.
    #[arg(long, value_name = "N")]
    pub line: Option<u32>,
}

/// The stages that can be tried by themselves.
#[derive(Debug, Clone, Copy, Subcommand)]
pub enum Stage {
    /// What does a turn do? Plain lines, or JSON lines `{"id", "assistant"?, "text"}`.
    Classify,
    /// Take secrets out. Plain lines, or JSON lines `{"id", "text"}`.
    Redact,
    /// Are two memories the same, do they contradict each other, or neither? JSON lines `{"id", "existing", "new"}`.
    Compare,
}

/// `rules …`.
#[derive(Debug, Subcommand)]
pub enum RulesCommand {
    /// List all triggers.
    List,
    /// Test all triggers on their examples and counter-examples.
    Check,
    /// Explain one trigger.
    Explain {
        /// Its id, as `rules list` and `trace` show it.
        id: String,
    },
}
