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
        self.in_place(place)
    }

    /// The store of somebody who works in this folder: the one that was named; else the one that lies in it, as in a
    /// workspace of OpenClaw; else that of its git root; else that of the home folder.
    #[must_use]
    pub fn here(&self, folder: &Path) -> PathBuf {
        let own = Some(folder).filter(|folder| folder.join(STORE).is_dir());
        self.in_place(own.or_else(|| git_root(folder)))
    }

    /// The store that someone means who stands in `folder`: the one that was named; else the nearest that is there, from
    /// the folder upwards; else that of the home folder.
    #[must_use]
    pub fn near(&self, folder: &Path) -> PathBuf {
        let there = || folder.ancestors().map(|a| a.join(STORE)).find(|store| store.is_dir());
        self.named.clone().or_else(there).unwrap_or_else(|| self.in_place(None))
    }

    /// The store that was named, else that of a place, else that of the home folder.
    fn in_place(&self, place: Option<&Path>) -> PathBuf {
        let own = || place.or(self.home.as_deref()).unwrap_or(Path::new(".")).join(STORE);
        self.named.clone().unwrap_or_else(own)
    }
}

/// The nearest folder with a `.git`, from `folder` upwards.
#[must_use]
pub fn git_root(folder: &Path) -> Option<&Path> {
    folder.ancestors().find(|a| a.join(".git").exists())
}
