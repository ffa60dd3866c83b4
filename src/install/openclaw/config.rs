//! What `openclaw.json` says: JSON5, edited by people and by OpenClaw itself.

use std::path::{Path, PathBuf};

use super::MEMORY_PATH;
use crate::disk;
use crate::error::Result;
use crate::host::{self, Places};
use crate::install::json::{Node, Shape, parse};
use crate::install::probe::numbers;
use crate::install::record::{decoded, refusal};
use crate::transcript::Host;

/// The first version whose setup moves `agents.defaults.memorySearch` to `memory.search`; older ones know only the former.
const NEW_MEMORY_KEY: [u32; 2] = [2026, 8];

const NEW: [&str; 2] = ["memory", "search"];
const OLD: [&str; 3] = ["agents", "defaults", "memorySearch"];

/// The configuration as it is.
pub(in crate::install) struct Config {
    /// OpenClaw's state folder.
    pub(in crate::install) state: PathBuf,
    /// The file.
    pub(in crate::install) path: PathBuf,
    root: Option<Node>,
}

impl Config {
    /// Reads it; a file that is not there says nothing.
    pub(in crate::install) fn read(places: &Places) -> Result<Self> {
        let state = host::home(Host::Openclaw, places).unwrap_or_else(|| places.home.join(".openclaw"));
        let named = places.folder("OPENCLAW_CONFIG_PATH", "");
        let path = if named == places.home { state.join("openclaw.json") } else { named };
        let root = match disk::read(&path)? {
            Some(bytes) => {
                let text = decoded(&path, &bytes)?;
                Some(parse(text).map_err(|fault| refusal(&path, text, &fault))?)
            }
            None => None,
        };
        Ok(Self { state, path, root })
    }

    fn at(&self, path: &[&str]) -> Option<&Node> {
        self.root.as_ref()?.at(path)
    }

    /// The truth value at a path.
    pub(in crate::install) fn truth(&self, path: &[&str]) -> Option<bool> {
        self.at(path)?.truth()
    }

    /// Whether there is a list at a path.
    pub(in crate::install) fn has_list(&self, path: &[&str]) -> bool {
        self.at(path).is_some_and(|node| matches!(node.shape, Shape::Array(_)))
    }

    /// Whether the list at a path holds a text.
    pub(in crate::install) fn list_holds(&self, path: &[&str], wanted: &str) -> bool {
        self.at(path).is_some_and(|list| list.items().iter().any(|item| item.value.text() == Some(wanted)))
    }

    /// Whether hooks are on and none is named: then all that are found run.
    pub(super) fn runs_every_hook(&self) -> bool {
        let on = self.truth(&["hooks", "internal", "enabled"]) == Some(true);
        let named = self.at(&["hooks", "internal", "entries"]).is_some_and(|entries| !entries.items().is_empty());
        on && !named
    }

    /// The names that lead to the settings of the memory search: those in use, else those of the version.
    pub(in crate::install) fn memory_key(&self, version: Option<Vec<u32>>) -> Vec<&'static str> {
        if self.at(&NEW).is_some() {
            return NEW.to_vec();
        }
        let written_by = self.at(&["meta", "lastTouchedVersion"]).and_then(Node::text).map(numbers);
        let version = version.or(written_by).filter(|version| !version.is_empty());
        let is_old = version.as_ref().is_some_and(|version| *version < NEW_MEMORY_KEY.to_vec());
        if is_old || self.at(&OLD).is_some() { OLD.to_vec() } else { NEW.to_vec() }
    }

    /// Whether the memory path is one of those that are indexed for an agent.
    pub(in crate::install) fn indexes(&self, place: &[&str], agent: &str) -> bool {
        let ours = |item: &Node| {
            let path = item.text().or_else(|| item.get("path")?.text()).unwrap_or_default();
            path.trim_start_matches("./").trim_end_matches('/') == MEMORY_PATH.trim_end_matches('/')
        };
        let lists = [
            self.at(place).and_then(|search| search.get("extraPaths")),
            self.agent(agent).and_then(|own| own.at(&["memory", "search", "extraPaths"])),
            self.agent(agent).and_then(|own| own.at(&["memorySearch", "extraPaths"])),
        ];
        lists.into_iter().flatten().any(|list| list.items().iter().any(|item| ours(&item.value)))
    }

    /// The settings of an agent: `agents.entries.<id>`, before that an entry of `agents.list`.
    fn agent(&self, agent: &str) -> Option<&Node> {
        let listed = || {
            let list = self.at(&["agents", "list"])?.items();
            list.iter().map(|item| &item.value).find(|own| own.get("id").and_then(Node::text) == Some(agent))
        };
        self.at(&["agents", "entries", agent]).or_else(listed)
    }

    /// The workspace of an agent.
    pub(in crate::install) fn workspace(&self, agent: &str, places: &Places) -> PathBuf {
        let own = self.agent(agent).and_then(|own| own.get("workspace")).and_then(Node::text);
        let shared = self.at(&["agents", "defaults", "workspace"]).and_then(Node::text).filter(|_| agent == "main");
        if let Some(named) = own.or(shared) {
            return match named.strip_prefix("~/") {
                Some(below) => places.home.join(below),
                None => places.home.join(Path::new(named)),
            };
        }
        let base = self.at(&["agents", "defaults", "workspace"]).and_then(Node::text);
        let profile = places.vars.get(std::ffi::OsStr::new("OPENCLAW_PROFILE")).and_then(|name| name.to_str());
        match (agent, base, profile) {
            ("main", _, Some(profile)) if !["", "default"].contains(&profile) => {
                self.state.join(format!("workspace-{profile}"))
            }
            ("main", _, _) => self.state.join("workspace"),
            (_, Some(base), _) => places.home.join(base.trim_start_matches("~/")).join(agent),
            _ => self.state.join(format!("workspace-{agent}")),
        }
    }
}
