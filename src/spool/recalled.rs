//! Which memories a session was told of already: ids only, one a line, a file for each session.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::Spool;
use crate::error::{Error, Result};
use crate::transcript::Host;

/// A session that was quiet for so long begins anew.
const KEPT: Duration = Duration::from_secs(7 * 24 * 3600);

/// The list of one session.
#[derive(Debug, Clone)]
pub struct Recalled {
    path: PathBuf,
}

impl Spool {
    /// What was recalled in a session.
    #[must_use]
    pub fn recalled(&self, host: Host, session: &str) -> Recalled {
        let digest = Sha256::digest(format!("{}\0{session}", host.name()));
        let name: String = digest.iter().take(12).map(|byte| format!("{byte:02x}")).collect();
        Recalled { path: self.state.join("recalled").join(name) }
    }
}

impl Recalled {
    /// The ids; none if nothing was recalled yet.
    #[must_use]
    pub fn ids(&self) -> Vec<String> {
        let text = fs::read_to_string(&self.path).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// Adds ids.
    ///
    /// # Errors
    /// If the list cannot be written.
    pub fn add(&self, ids: &[&str]) -> Result<()> {
        let failed = |error| Error::io("note what was recalled", &self.path, error);
        if let Some(folder) = self.path.parent().filter(|_| !self.path.exists()) {
            fs::create_dir_all(folder).map_err(failed)?;
            forget_old(folder);
        }
        let mut file = OpenOptions::new().create(true).append(true).open(&self.path).map_err(failed)?;
        file.write_all(ids.iter().map(|id| format!("{id}\n")).collect::<String>().as_bytes()).map_err(failed)
    }
}

/// Removes the lists of sessions that ended long ago.
fn forget_old(folder: &std::path::Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let age = entry.metadata().and_then(|found| found.modified()).ok().and_then(|time| time.elapsed().ok());
        if age.is_some_and(|age| age > KEPT) {
            // The next one tries again.
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_session_has_its_own_list() {
        let folder = tempfile::tempdir().unwrap();
        let spool = Spool::at(folder.path());
        let list = spool.recalled(Host::Codex, "a");
        assert_eq!(list.ids(), [""; 0]);
        list.add(&["prof_a", "pbk_b"]).unwrap();
        list.add(&["prof_c"]).unwrap();
        assert_eq!(spool.recalled(Host::Codex, "a").ids(), ["prof_a", "pbk_b", "prof_c"]);
        assert_eq!(spool.recalled(Host::ClaudeCode, "a").ids(), [""; 0]);
        assert_eq!(spool.recalled(Host::Codex, "../b").ids(), [""; 0]);
    }
}
