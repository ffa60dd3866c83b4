//! How a host stands: found, switched on, last run, and what to do. Reads only.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::openclaw::config::Config;
use super::probe::Client;
use super::{command, hooks, opencode, pack, settings};
use crate::disk;
use crate::error::Result;
use crate::host::Places;
use crate::install::json::{Node, parse};
use crate::install::record::{decoded, refusal};
use crate::spool::{How, Last, Spool};
use crate::transcript::Host;

/// How a host stands.
#[derive(Debug, Clone, Serialize)]
pub struct Health {
    /// The host's name.
    pub host: &'static str,
    /// Whether its settings or its program are there.
    pub found: bool,
    /// The version, where its program is on the `PATH` and says it.
    pub version: Option<String>,
    /// Whether it calls us.
    pub hook: Hook,
    /// The last time that it did.
    pub last: Option<Last>,
    /// Whether its memory search finds the store; only where it has one.
    pub memory_indexed: Option<bool>,
    /// What it has told and was not yet worked off.
    pub pending: usize,
    /// What to do, one sentence each.
    pub advice: Vec<String>,
}

/// Whether a host calls us.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Hook {
    /// Our entry stands in its configuration and names a program that is there.
    Active {
        /// The program.
        program: PathBuf,
    },
    /// Our entry names a program that is not there.
    Gone {
        /// The program.
        program: PathBuf,
    },
    /// There is no entry of ours.
    Absent,
}

/// Looks at one host.
///
/// # Errors
/// Its configuration is broken.
pub fn examine(host: Host, places: &Places, client: Option<&Client>, agent: &str) -> Result<Health> {
    let found = client.is_some() || settings(host, places).is_dir();
    let state = places.state();
    let mut advice = Vec::new();
    let hook = hook(host, places)?;
    match &hook {
        Hook::Absent if found => advice.push(format!("switch it on with `afterword install {}`", host.name())),
        Hook::Gone { program } => advice.push(format!(
            "its entry names `{}`, which is not there; run `afterword install {}` again",
            program.display(),
            host.name()
        )),
        _ => {}
    }
    if hook != Hook::Absent {
        advice.extend(silent(host, places)?);
    }
    let spool = Spool::at(&state);
    let last = spool.last(host);
    if let Some(failed) = last.as_ref().filter(|last| last.how == How::Failed) {
        let error = &failed.told;
        advice.push(format!("its last run failed ({error}); run `afterword replay` to catch up"));
    }
    let mut memory_indexed = None;
    if host == Host::Openclaw && found {
        let config = Config::read(places)?;
        let place = config.memory_key(client.and_then(Client::number));
        let indexed = config.indexes(&place, agent);
        if !indexed && hook != Hook::Absent {
            advice.push(format!("its memory search does not find `.reflexio/`: add it to `{}.extraPaths` with `afterword install openclaw`", place.join(".")));
        }
        if config.truth(&["plugins", "enabled"]) == Some(false) {
            advice.push("plugins are switched off (`plugins.enabled` is false), and ours with them".into());
        }
        memory_indexed = Some(indexed);
    }
    if host == Host::Opencode {
        advice.extend(stand_in(places));
    }
    let version = client.and_then(|client| client.version.clone());
    let pending = spool.notes()?.iter().filter(|kept| kept.note.host == host).count();
    Ok(Health { host: host.name(), found, version, hook, last, memory_indexed, pending, advice })
}

fn hook(host: Host, places: &Places) -> Result<Hook> {
    let program = match host {
        Host::Openclaw => in_openclaw(places)?,
        Host::Opencode => named_in(&opencode::plugin(places))?,
        _ => in_hooks(host, places)?,
    };
    Ok(match program {
        Some(program) if program.is_file() => Hook::Active { program },
        Some(program) => Hook::Gone { program },
        None => Hook::Absent,
    })
}

/// Why a host does not call us although our entry stands in its configuration.
fn silent(host: Host, places: &Places) -> Result<Vec<String>> {
    let mut reasons = Vec::new();
    if !matches!(host, Host::Openclaw | Host::Opencode) {
        reasons.extend(hooks::unread(host, places));
    }
    let off = |path: &[&str], value: bool| -> Result<bool> {
        let root = read(&hooks::file(host, places))?;
        Ok(root.as_ref().and_then(|root| root.at(path)).and_then(Node::truth) == Some(value))
    };
    match host {
        Host::ClaudeCode if off(&["disableAllHooks"], true)? => {
            reasons.push("`disableAllHooks` in its settings switches every hook off".into());
        }
        Host::Gemini if off(&["hooksConfig", "enabled"], false)? => {
            reasons.push("`hooksConfig.enabled` in its settings switches every hook off".into());
        }
        Host::Codex => reasons.extend(untrusted(places)?),
        _ => {}
    }
    Ok(reasons)
}

/// Codex runs a hook only after the person has agreed to it on its screen, and writes that down in `config.toml`.
fn untrusted(places: &Places) -> Result<Option<String>> {
    let hooks = hooks::file(Host::Codex, places);
    if read(&hooks)?.is_none() {
        return Ok(None);
    }
    let text = disk::read(&settings(Host::Codex, places).join("config.toml"))?.unwrap_or_default();
    let table: toml::Table = String::from_utf8_lossy(&text).trim_start_matches('\u{feff}').parse().unwrap_or_default();
    if table.get("features").and_then(|features| features.get("hooks")).and_then(toml::Value::as_bool) == Some(false) {
        return Ok(Some("`features.hooks` in its config.toml switches every hook off".into()));
    }
    let state = table.get("hooks").and_then(|hooks| hooks.get("state")).and_then(toml::Value::as_table);
    let trusted = state.is_some_and(|state| state.keys().any(|key| key.contains("hooks.json:")));
    let what =
        "Codex has not been told yet to trust the hook: start `codex` and agree where it says \"Hooks need review\"";
    Ok((!trusted).then(|| what.into()))
}

/// A configuration, none if it is not there.
fn read(path: &Path) -> Result<Option<Node>> {
    let Some(bytes) = disk::read(path)? else {
        return Ok(None);
    };
    let text = decoded(path, &bytes)?;
    parse(text).map(Some).map_err(|fault| refusal(path, text, &fault))
}

fn in_openclaw(places: &Places) -> Result<Option<PathBuf>> {
    let config = Config::read(places)?;
    if config.truth(&["plugins", "entries", "afterword", "enabled"]) == Some(true)
        && let Some(program) = named_in(&config.state.join("extensions/afterword/index.js"))?
    {
        return Ok(Some(program));
    }
    let off = config.truth(&["hooks", "internal", "entries", "afterword", "enabled"]) == Some(false)
        || config.truth(&["hooks", "internal", "enabled"]) != Some(true);
    if off { Ok(None) } else { named_in(&config.state.join("hooks/afterword/handler.js")) }
}

/// The program that a script of ours names.
fn named_in(script: &Path) -> Result<Option<PathBuf>> {
    let Some(bytes) = disk::read(script)? else {
        return Ok(None);
    };
    Ok(pack::program_in(&String::from_utf8_lossy(&bytes)).map(PathBuf::from))
}

fn in_hooks(host: Host, places: &Places) -> Result<Option<PathBuf>> {
    let root = read(&hooks::file(host, places))?;
    if let Some(program) = root.as_ref().and_then(|root| commanded(root.get("hooks")?, host)) {
        return Ok(Some(program));
    }
    if host != Host::Codex {
        return Ok(None);
    }
    // The older way: `notify = ["PROGRAM", "hook", "codex"]`.
    let path = settings(host, places).join("config.toml");
    let bytes = disk::read(&path)?.unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let words = text.lines().find_map(|line| serde_json::from_str::<Vec<String>>(line.strip_prefix("notify = ")?).ok());
    Ok(words
        .filter(|words| words.get(1..) == Some(&["hook".into(), "codex".into()]))
        .map(|words| PathBuf::from(&words[0])))
}

fn commanded(node: &Node, host: Host) -> Option<PathBuf> {
    let own = node.get("command").and_then(Node::text).and_then(|line| command::program(line, host.name()));
    own.or_else(|| node.items().iter().find_map(|item| commanded(&item.value, host)))
}

fn stand_in(places: &Places) -> Option<String> {
    let ours = fs::read(opencode::lock(places)).is_ok_and(|found| found == pack::OPENCODE_LOCK.as_bytes());
    (ours && !opencode::others(places).is_empty()).then(|| {
        "another plugin stands beside ours and may need `@opencode-ai/plugin`, which our package-lock.json keeps opencode from installing: delete that file".into()
    })
}

impl Health {
    /// Whether there is nothing to do.
    #[must_use]
    pub fn is_well(&self) -> bool {
        self.advice.is_empty()
    }
}
