//! The texts that are written into hosts, and what is filled in.

use std::path::Path;

use serde_json::Value;

use super::{Recall, Wish};

/// The skill, the same for every host.
pub(super) const SKILL: &str = include_str!("pack/SKILL.md");
/// OpenClaw's hook pack.
pub(super) const HOOK: [(&str, &str); 3] = [
    ("HOOK.md", include_str!("pack/openclaw-hook/HOOK.md")),
    ("handler.js", include_str!("pack/openclaw-hook/handler.js")),
    ("package.json", include_str!("pack/openclaw-hook/package.json")),
];
/// OpenClaw's plugin, with the skill in it.
pub(super) const PLUGIN: [(&str, &str); 4] = [
    ("openclaw.plugin.json", include_str!("pack/openclaw-plugin/openclaw.plugin.json")),
    ("package.json", include_str!("pack/openclaw-plugin/package.json")),
    ("index.js", include_str!("pack/openclaw-plugin/index.js")),
    ("skills/afterword/SKILL.md", SKILL),
];
/// opencode's plugin.
pub(super) const OPENCODE: &str = include_str!("pack/opencode/afterword.js");
/// The lock file that keeps opencode from asking the registry at every start.
pub(super) const OPENCODE_LOCK: &str = include_str!("pack/opencode/package-lock.json");

/// How each of the scripts starts the program: apart from the host, which never waits for it.
const START: &str = include_str!("pack/start.js");

/// How they ask for what is remembered.
const ASK: &str = include_str!("pack/ask.js");

/// A text with everything put in: the program, its start, the version, the store that OpenClaw's tools work on, and
/// whether memories come by themselves.
pub(super) fn filled(text: &str, wish: &Wish<'_>, store: &Path) -> String {
    let quoted = |path: &Path| Value::from(path.to_string_lossy()).to_string();
    let recall = if wish.recall == Recall::On { "true" } else { "false" };
    let ask = if wish.recall == Recall::On { ASK } else { "const ask = async () => undefined\n" };
    text.replace("{{version}}", env!("CARGO_PKG_VERSION"))
        .replace("{{start}}", START)
        .replace("{{ask}}", ask)
        .replace("{{recall}}", recall)
        .replace("{{program}}", &quoted(wish.program))
        .replace("{{store}}", &quoted(store))
}

/// The program that a filled text names.
pub(super) fn program_in(text: &str) -> Option<String> {
    let line = text.lines().find_map(|line| line.strip_prefix("const PROGRAM = "))?;
    serde_json::from_str(line).ok()
}
