//! A home with sessions of several hosts in it.

use std::path::{Path, PathBuf};

use serde_json::json;

use crate::support::sandbox::Sandbox;
use crate::support::sessions::{SAID, Script, saying};
use crate::support::tree::memories;

/// Where OpenClaw keeps a session.
pub(super) fn openclaw(name: &str) -> String {
    format!("home/.openclaw/agents/main/sessions/{name}.jsonl")
}

/// Where Claude Code keeps a session.
pub(super) fn claude(name: &str) -> String {
    format!("home/.claude/projects/harbour/{name}.jsonl")
}

/// A home in which each of [`SAID`] stands in a session of its own, the oldest in the file with the last name.
pub(super) fn furnished() -> Sandbox {
    let sandbox = Sandbox::new();
    for (n, said) in SAID.iter().enumerate() {
        let script = saying(&format!("s{n}"), &format!("2026-02-0{}T10:00:00Z", n + 1), said);
        sandbox.write(&openclaw(&format!("{}", 9 - n)), script.jsonl());
    }
    sandbox
}

/// A session as Claude Code saves it: the person's words and the agent's in turn, a minute apart from the hour on. `row`
/// is the number of the first row, by which a fork repeats the rows of another session.
pub(super) fn spoken(id: &str, cwd: &Path, hour: u32, texts: &[&str]) -> String {
    let rows = texts.iter().enumerate().map(|(n, text)| {
        let is_human = n % 2 == 0;
        let kind = if is_human { "user" } else { "assistant" };
        let content = if is_human { json!(text) } else { json!([{"type": "text", "text": text}]) };
        let row = json!({
            "type": kind, "uuid": format!("row-{hour}-{n}"), "sessionId": id, "cwd": cwd,
            "timestamp": format!("2026-03-01T{hour:02}:{n:02}:00.000Z"),
            "message": {"role": kind, "content": content},
        });
        format!("{row}\n")
    });
    rows.collect()
}

/// Writes OpenClaw sessions.
pub(super) fn put(sandbox: &Sandbox, scripts: &[(&str, Script)]) {
    for (name, script) in scripts {
        sandbox.write(&openclaw(name), script.jsonl());
    }
}

/// The store in the home folder.
pub(super) fn home_store(sandbox: &Sandbox) -> PathBuf {
    sandbox.path("home/.reflexio")
}

/// What the store in the home folder holds.
pub(super) fn kept(sandbox: &Sandbox) -> std::collections::BTreeMap<String, String> {
    memories(&home_store(sandbox))
}
