//! The texts that are written into hosts, and what is filled in.

use std::path::Path;

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

/// A text with the program, its start and the version put in.
pub(super) fn filled(text: &str, program: &Path) -> String {
    let program = serde_json::Value::from(program.to_string_lossy()).to_string();
    text.replace("{{version}}", env!("CARGO_PKG_VERSION")).replace("{{program}}", &program).replace("{{start}}", START)
}

/// The program that a filled text names.
pub(super) fn program_in(text: &str) -> Option<String> {
    let line = text.lines().find_map(|line| line.strip_prefix("const PROGRAM = "))?;
    serde_json::from_str(line).ok()
}
