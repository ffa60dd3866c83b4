//! `config.toml` in the home: whether the global files are kept in step by themselves.
//!
//! ```toml
//! sync = "passive" # nothing is written into an agent's global file but by `afterword sync`
//! ```

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::disk::{self, Privacy};
use crate::error::{Error, ErrorKind, Result};

/// The file, in the home.
const FILE: &str = "config.toml";

/// When the global files are written that the person agreed to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Whenever the confirmed preferences changed.
    #[default]
    Active,
    /// When the person calls `sync`.
    Passive,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Config {
    #[serde(default)]
    sync: Mode,
}

impl Mode {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Active, Self::Passive];

    /// As it is typed.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Passive => "passive",
        }
    }

    /// The mode of the home at `root`.
    ///
    /// # Errors
    /// If its `config.toml` is there and cannot be read: nobody may guess that the person wanted writes.
    pub fn of(root: &Path) -> Result<Self> {
        let path = root.join(FILE);
        let Some(bytes) = disk::read(&path)? else {
            return Ok(Self::default());
        };
        let broken = |e| Error::new(ErrorKind::Usage, "the settings of the home are broken").at(&path).because(e);
        toml::from_slice::<Config>(&bytes).map(|config| config.sync).map_err(broken)
    }

    /// Changes the mode of the home at `root`.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn set(self, root: &Path) -> Result<()> {
        let path = root.join(FILE);
        let text = format!(
            "# active: confirmed preferences are synced when they change. passive: only by `afterword sync`.\nsync = \"{}\"\n",
            self.word()
        );
        disk::write(&path, text.as_bytes(), Privacy::Usual)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mode_is_read_as_it_was_set_and_broken_settings_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        assert_eq!(Mode::of(root).unwrap(), Mode::Active);
        for mode in [Mode::Passive, Mode::Active] {
            mode.set(root).unwrap();
            assert_eq!(Mode::of(root).unwrap(), mode);
        }
        std::fs::write(root.join(FILE), "sync = \"sometimes\"").unwrap();
        assert!(Mode::of(root).unwrap_err().to_string().contains("config.toml"));
    }
}
