//! opencode: a plugin file, and what keeps a plugin file from slowing every start down.
//!
//! As soon as there is any plugin, opencode waits at each start until `@opencode-ai/plugin` is installed in its settings
//! folder; where the registry cannot be reached that takes more than a minute, every time. It takes the package for
//! installed when there is a `node_modules` and a lock file that names it (seen with 1.18). Our plugin needs nothing of
//! it. So on a machine that has neither yet, and no plugin of anybody else's that could need it, both are put there.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Change, Plan, Recall, Step, Wish, pack, skill, tools};
use crate::host::Places;
use crate::transcript::Host;

/// `~/.config/opencode`, or below `XDG_CONFIG_HOME`.
pub(super) fn settings(places: &Places) -> PathBuf {
    places.folder("XDG_CONFIG_HOME", ".config").join("opencode")
}

/// The plugin file.
pub(super) fn plugin(places: &Places) -> PathBuf {
    settings(places).join("plugins/afterword.js")
}

/// The file of settings: with comments where there is one of those.
pub(super) fn config(places: &Places) -> PathBuf {
    let folder = settings(places);
    let known = [folder.join("opencode.jsonc"), folder.join("opencode.json")];
    known.into_iter().find(|path| path.exists()).unwrap_or_else(|| folder.join("opencode.json"))
}

/// The lock file of the stand-in.
pub(super) fn lock(places: &Places) -> PathBuf {
    settings(places).join("package-lock.json")
}

/// The plugin, the stand-in where it helps, and the skill.
pub(super) fn plan(wish: &Wish<'_>) -> Plan {
    let folder = settings(wish.places);
    let mut notes = Vec::new();
    let mut steps = vec![Step {
        name: "plugin",
        question: "Give opencode a plugin that calls Afterword when a session rests?".into(),
        why: "Afterword then reads the session, on this machine, and writes what you taught to `.reflexio/`.".into(),
        declined: "nothing is learned by itself; `afterword extract` and `afterword replay` still work by hand".into(),
        changes: vec![Change::Whole {
            path: plugin(wish.places),
            text: pack::filled(pack::OPENCODE, wish, Path::new("")),
        }],
    }];
    if is_bare(wish.places) {
        steps.push(Step {
            name: "stand-in",
            question: "Keep opencode from waiting for the npm registry at each start?".into(),
            why: "With any plugin, opencode first installs `@opencode-ai/plugin`; offline that takes more than a minute at every start. Our plugin does not need it. A plugin of your own may: then delete package-lock.json again.".into(),
            declined: "opencode installs the package at its next start, and waits for it; offline at every start".into(),
            changes: vec![
                Change::Folder { path: folder.join("node_modules") },
                Change::Whole { path: lock(wish.places), text: pack::OPENCODE_LOCK.into() },
            ],
        });
    } else if !folder.join("node_modules").exists() {
        notes.push("opencode installs `@opencode-ai/plugin` at its next start, as it does for any plugin, and waits for it: without a network that takes more than a minute at each start.".to_owned());
    }
    steps.push(skill(&folder.join("skills"), "opencode"));
    steps.extend(tools::step(Host::Opencode, wish));
    if wish.recall == Recall::On {
        notes.push(
            "With `--recall` the plugin also puts memories that fit a message beside it, at most three.".to_owned(),
        );
    }
    Plan { steps, notes, afterwards: Vec::new() }
}

/// Whether nothing was ever installed there, and nobody else's plugin or tool is there to need it.
fn is_bare(places: &Places) -> bool {
    let folder = settings(places);
    let ours = fs::read(lock(places)).is_ok_and(|found| found == pack::OPENCODE_LOCK.as_bytes());
    let fresh = ["package.json", "node_modules", "package-lock.json"].iter().all(|name| !folder.join(name).exists());
    (ours || fresh) && others(places).is_empty()
}

/// Plugins and tools of others.
pub(super) fn others(places: &Places) -> Vec<PathBuf> {
    let folder = settings(places);
    let mut others: Vec<PathBuf> =
        ["plugin", "plugins", "tool", "tools"].iter().flat_map(|name| files(&folder.join(name))).collect();
    others.retain(|path| *path != plugin(places));
    others
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| path.is_file()).collect()
}
