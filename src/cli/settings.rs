//! What the arguments and the environment mean together.

use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};

use super::args::Args;
use crate::error::Result;
use crate::redact::Redactor;
use crate::rules::Rules;
use crate::transcript::{Host, Session};

/// The settings of a run.
pub(super) struct Settings {
    /// The rules, built-in and the user's.
    pub rules: Rules,
    /// What takes secrets out.
    pub redactor: &'static Redactor,
    /// Now.
    pub now: DateTime<Utc>,
    home: Option<PathBuf>,
}

/// The store's folder in a workspace.
const STORE: &str = ".reflexio";

impl Settings {
    pub(super) fn resolve(args: &Args) -> Result<Self> {
        let rules = match &args.rules {
            Some(folder) => Rules::with_folder(folder)?,
            None => Rules::builtin()?,
        };
        let home = std::env::home_dir().filter(|h| !h.as_os_str().is_empty());
        Ok(Self { rules, redactor: Redactor::builtin(), now: Utc::now(), home })
    }

    /// Where a session's memories belong: the store that was named; else the workspace of an OpenClaw session, the
    /// git root of a coding session's folder; else the home folder.
    pub(super) fn store_of(&self, session: &Session, named: Option<&Path>) -> PathBuf {
        if let Some(store) = named {
            return store.to_path_buf();
        }
        let workspace = session.cwd.as_deref().filter(|cwd| cwd.is_dir());
        let place = match session.host {
            Host::Openclaw => workspace,
            _ => workspace.and_then(git_root),
        };
        place.or(self.home.as_deref()).unwrap_or(Path::new(".")).join(STORE)
    }
}

fn git_root(folder: &Path) -> Option<&Path> {
    folder.ancestors().find(|a| a.join(".git").exists())
}
