//! Where the memories of a session belong.

use std::path::{Path, PathBuf};

use crate::transcript::{Host, Session};

/// The store's folder in a workspace.
const STORE: &str = ".reflexio";

/// The stores of a run: one that was named, or one for each workspace.
#[derive(Debug, Clone, Default)]
pub struct Stores {
    /// The store that everything goes to, if one was named.
    pub named: Option<PathBuf>,
    /// The person's home folder, for sessions without a workspace.
    pub home: Option<PathBuf>,
}

impl Stores {
    /// The store of a session: the one that was named; else that of the workspace of an OpenClaw session, of the git
    /// root of a coding session's folder; else that of the home folder.
    #[must_use]
    pub fn of(&self, session: &Session) -> PathBuf {
        let workspace = session.cwd.as_deref().filter(|cwd| cwd.is_dir());
        let place = match session.host {
            Host::Openclaw => workspace,
            _ => workspace.and_then(git_root),
        };
        self.below(place)
    }

    /// The store of a folder: the one that was named; else that of its git root; else that of the home folder. A folder
    /// that holds a store itself is a workspace, with git or without.
    #[must_use]
    pub fn at(&self, folder: &Path) -> PathBuf {
        let is_workspace = folder.join(STORE).is_dir();
        self.below(if is_workspace { Some(folder) } else { git_root(folder) })
    }

    fn below(&self, place: Option<&Path>) -> PathBuf {
        match &self.named {
            Some(store) => store.clone(),
            None => place.or(self.home.as_deref()).unwrap_or(Path::new(".")).join(STORE),
        }
    }
}

/// The nearest folder with a `.git`, from `folder` upwards.
#[must_use]
pub fn git_root(folder: &Path) -> Option<&Path> {
    folder.ancestors().find(|a| a.join(".git").exists())
}
