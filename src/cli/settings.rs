//! What the arguments and the environment mean together.

use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};

use super::args::{Args, InStore, ToStore};
use crate::error::{Error, ErrorKind, Result};
use crate::host::Places;
use crate::redact::Redactor;
use crate::rules::Rules;
use crate::store::Stores;

/// The settings of a run.
pub(super) struct Settings {
    /// The rules, built-in and the user's.
    pub rules: Rules,
    /// What takes secrets out.
    pub redactor: &'static Redactor,
    /// Now.
    pub now: DateTime<Utc>,
    /// The person's home folder.
    pub home: Option<PathBuf>,
}

/// The person's home folder and the environment; `None` where there is no home.
pub(super) fn places() -> Option<Places> {
    let home = std::env::home_dir().filter(|home| !home.as_os_str().is_empty())?;
    Some(Places { home, vars: std::env::vars_os().collect() })
}

/// The store that a command means which reads no session: the one that was named, or the nearest from here upwards.
pub(super) fn store(place: &InStore) -> PathBuf {
    let home = places().map(|places| places.home);
    let here = std::env::current_dir().unwrap_or_default();
    Stores { named: place.store.clone(), home }.near(&here)
}

/// The store that a command writes to which learned from no session: the one that was named, else that of the folder one
/// works in.
pub(super) fn store_to(place: &ToStore) -> PathBuf {
    let home = places().map(|places| places.home);
    let here = std::env::current_dir().unwrap_or_default();
    Stores { named: place.store.clone(), home }.here(&here)
}

/// What has to be typed behind a command so that it means this store: nothing if it does so from here anyway.
pub(super) fn option(root: &Path) -> String {
    let named = std::env::var_os("AFTERWORD_STORE").map(PathBuf::from);
    if store(&InStore { store: named }) == root {
        return String::new();
    }
    let path = root.display().to_string();
    let plain = path.chars().all(|c| c.is_alphanumeric() || matches!(c, '/' | '.' | '-' | '_'));
    if plain { format!(" --store {path}") } else { format!(" --store '{path}'") }
}

/// [`places`], for a command that cannot do without.
pub(super) fn places_at_home() -> Result<Places> {
    places().ok_or_else(|| Error::new(ErrorKind::Usage, "there is no home folder: set HOME"))
}

impl Settings {
    pub(super) fn resolve(args: &Args) -> Result<Self> {
        let rules = match &args.rules {
            Some(folder) => Rules::with_folder(folder)?,
            None => Rules::builtin()?,
        };
        let home = std::env::home_dir().filter(|h| !h.as_os_str().is_empty());
        Ok(Self { rules, redactor: Redactor::builtin(), now: Utc::now(), home })
    }

    /// The stores of a run that named `store`, or none.
    pub(super) fn stores(&self, store: Option<&Path>) -> Stores {
        Stores { named: store.map(Path::to_path_buf), home: self.home.clone() }
    }
}
