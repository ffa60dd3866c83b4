//! The products whose sessions are learned from: where each keeps its transcripts, and what its hooks say.
//!
//! One file per product. A product's home may have been moved by an environment variable; the environment comes in as a
//! value ([`Places`]), so that tests can fix it.

mod claude_code;
mod codebuddy;
mod codex;
mod copilot;
mod cursor;
mod gemini;
pub mod locate;
mod note;
mod openclaw;
mod opencode;
mod payload;
mod prompt;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

pub use note::{HOOKED, Moment, Note, hooked};
pub use prompt::{ELEMENT, Prompt};

use crate::transcript::Host;

/// The products with a known home on this machine, in the order in which they are told about.
pub const AT_HOME: [Host; 8] = [
    Host::Openclaw,
    Host::ClaudeCode,
    Host::Codex,
    Host::Codebuddy,
    Host::Opencode,
    Host::Gemini,
    Host::Cursor,
    Host::Copilot,
];

/// The person's home folder, and the environment that may move parts of it.
#[derive(Debug, Clone)]
pub struct Places {
    /// The home folder.
    pub home: PathBuf,
    /// The environment variables.
    pub vars: BTreeMap<OsString, OsString>,
}

impl Places {
    /// The folder that the variable names, if it is set and not empty; else `usual`, below the home folder.
    #[must_use]
    pub fn folder(&self, variable: &str, usual: &str) -> PathBuf {
        self.var(variable).map_or_else(|| self.home.join(usual), PathBuf::from)
    }

    /// The folder for what is neither memory nor setting (the spool of the hooks, their log): `AFTERWORD_STATE`, else
    /// `afterword` below `XDG_STATE_HOME` or `~/.local/state`.
    #[must_use]
    pub fn state(&self) -> PathBuf {
        let usual = || self.folder("XDG_STATE_HOME", ".local/state").join("afterword");
        self.var("AFTERWORD_STATE").map_or_else(usual, PathBuf::from)
    }

    /// A variable that is set and not empty.
    #[must_use]
    pub fn var(&self, name: &str) -> Option<&OsString> {
        self.vars.get(&OsString::from(name)).filter(|value| !value.is_empty())
    }
}

/// The folders and databases in which a product keeps transcripts, those that are there, sorted. Empty for a product
/// that is not installed, and for one that has no home (aider writes into the project, exports lie anywhere).
#[must_use]
pub fn transcripts(host: Host, places: &Places) -> Vec<PathBuf> {
    let mut roots = match host {
        Host::Openclaw => openclaw::transcripts(places),
        Host::ClaudeCode => claude_code::transcripts(places),
        Host::Codex => codex::transcripts(places),
        Host::Codebuddy => codebuddy::transcripts(places),
        Host::Opencode => opencode::transcripts(places),
        Host::Gemini => gemini::transcripts(places),
        Host::Cursor => cursor::transcripts(places),
        Host::Copilot => copilot::transcripts(places),
        Host::Openai | Host::Sharegpt | Host::Specstory | Host::Aider | Host::Chatgpt | Host::ClaudeAi => Vec::new(),
    };
    roots.retain(|root| root.exists());
    roots.sort();
    roots.dedup();
    roots
}

/// Where a product that has one keeps its settings and its data; opencode's settings are elsewhere.
#[must_use]
pub fn home(host: Host, places: &Places) -> Option<PathBuf> {
    match host {
        Host::Openclaw => Some(openclaw::home(places)),
        Host::ClaudeCode => Some(claude_code::home(places)),
        Host::Codex => Some(codex::home(places)),
        Host::Codebuddy => Some(codebuddy::home(places)),
        Host::Opencode => Some(opencode::home(places)),
        Host::Gemini => Some(gemini::home(places)),
        _ => None,
    }
}
