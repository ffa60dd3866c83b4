//! Switching a host on and off: what is put into its configuration, how, and how it is taken out again.
//!
//! ```text
//! plan (what this host needs) → draft (tried on the files as they are) → asked, step by step → commit
//! ```
//! A [`Plan`] is a list of [`Step`]s that make sense by themselves; the person can decline any of them. A [`Draft`]
//! holds the files as they would be, so that nothing is written before everything has been asked. What is done is
//! written down first ([`Record`]), and [`uninstall`](removal) restores every file byte for byte; in a file that the
//! person has changed since, only what is ours is taken out.
//!
//! Only [`commit`](Draft::commit) and [`Removal::commit`] write.

mod command;
mod doctor;
mod draft;
mod edits;
mod hooks;
mod json;
mod openclaw;
mod opencode;
mod pack;
mod probe;
mod record;
mod removal;
#[cfg(test)]
mod tests;
mod toml;
mod tools;

use std::path::{Path, PathBuf};

pub use doctor::{Health, Hook, examine};
pub use draft::{Difference, Draft};
pub use edits::{Done, Edit};
pub use probe::{Client, Search, client, memory_search};
pub use record::{Entry, Record};
pub use removal::{Removal, removal};

use crate::error::Result;
use crate::host::{self, Places};
use crate::transcript::Host;

/// What an installation depends on besides the files.
#[derive(Debug, Clone)]
pub struct Wish<'a> {
    /// The person's home folder and environment.
    pub places: &'a Places,
    /// This program, by its absolute path.
    pub program: &'a Path,
    /// OpenClaw's agent that is set up.
    pub agent: &'a str,
    /// The host's program, if it was found.
    pub client: Option<&'a Client>,
    /// How OpenClaw's memory search works on this machine.
    pub search: Search,
    /// How Codex is to call.
    pub route: Route,
    /// Whether memories are to come into the conversation by themselves.
    pub recall: Recall,
}

/// Whether memories that fit a message are put beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recall {
    /// Only when the agent looks for them.
    Off,
    /// With each message, where the host's hooks can add to it.
    On,
}

/// How Codex tells that a turn is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route {
    /// As fits its version.
    Fitting,
    /// By the older `notify`, whatever the version.
    Notify,
}

/// What a host needs.
#[derive(Debug, Clone)]
pub struct Plan {
    /// In the order in which they are asked.
    pub steps: Vec<Step>,
    /// What the person should know beforehand.
    pub notes: Vec<String>,
    /// What the person should do afterwards.
    pub afterwards: Vec<String>,
}

/// One thing that the person can agree to or decline.
#[derive(Debug, Clone)]
pub struct Step {
    /// One word for it.
    pub name: &'static str,
    /// What is asked, a sentence that ends in a question mark.
    pub question: String,
    /// What it is good for, and what goes without it.
    pub why: String,
    /// What is lost when it is declined.
    pub declined: String,
    /// What it does.
    pub changes: Vec<Change>,
}

/// A change on disk.
#[derive(Debug, Clone)]
pub enum Change {
    /// Changes inside a file.
    Edits {
        /// The file.
        path: PathBuf,
        /// The changes, in this order.
        edits: Vec<Edit>,
    },
    /// A file that is ours as a whole.
    Whole {
        /// The file.
        path: PathBuf,
        /// Its text.
        text: String,
    },
    /// An empty folder.
    Folder {
        /// The folder.
        path: PathBuf,
    },
}

/// What `host` needs on this machine.
///
/// # Errors
/// The configuration that the plan depends on cannot be read.
pub fn plan(host: Host, wish: &Wish<'_>) -> Result<Plan> {
    match host {
        Host::Openclaw => openclaw::plan(wish),
        Host::Opencode => Ok(opencode::plan(wish)),
        other => Ok(hooks::plan(other, wish)),
    }
}

/// The folder of a host's settings.
#[must_use]
pub fn settings(host: Host, places: &Places) -> PathBuf {
    match host {
        Host::Opencode => opencode::settings(places),
        other => host::home(other, places).unwrap_or_else(|| places.home.clone()),
    }
}

/// The name of the host's own program.
#[must_use]
pub fn program(host: Host) -> &'static str {
    match host {
        Host::ClaudeCode => "claude",
        other => other.name(),
    }
}

/// The skill, in a folder where the host looks for skills.
fn skill(folder: &Path, product: &str) -> Step {
    Step {
        name: "skill",
        question: format!("Give {product} a skill that tells the agent how to read and write `.reflexio/`?"),
        why: "With it the agent looks up what earlier sessions taught, and keeps at once what you ask it to remember."
            .into(),
        declined: "the agent does not look into `.reflexio/` by itself; what sessions teach is still written there"
            .into(),
        changes: vec![Change::Whole { path: folder.join("afterword/SKILL.md"), text: pack::SKILL.into() }],
    }
}
