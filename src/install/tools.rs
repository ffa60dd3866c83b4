//! The tools for the agent: where each host keeps its list of MCP servers.
//!
//! It is one entry, `afterword`, in the list of the person. OpenClaw's stands in our plugin's manifest instead (see
//! `pack`), so that it comes and goes with the plugin.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{Change, Edit, Step, Wish, hooks, opencode, settings};
use crate::host::Places;
use crate::transcript::Host;

/// The name of our server in every host.
const NAME: &str = "afterword";

/// The argument that makes this program the server.
const ARGUMENT: &str = "mcp";

/// The entry in a host's list; `None` for OpenClaw.
pub(super) fn step(host: Host, wish: &Wish<'_>) -> Option<Step> {
    let change = match host {
        Host::Openclaw => return None,
        Host::Codex => Change::Edits {
            path: settings(host, wish.places).join("config.toml"),
            edits: vec![Edit::Server { name: NAME.into(), command: text(wish.program), args: vec![ARGUMENT.into()] }],
        },
        _ => {
            let (list, entry) = entry(host, wish.program);
            let edits = vec![Edit::set(&[list, NAME], &entry.to_string())];
            Change::Edits { path: file(host, wish.places), edits }
        }
    };
    Some(Step {
        name: "tools",
        question: format!("Give {}'s agent tools to search and write `.reflexio/` (an MCP server)?", hooks::product(host)),
        why: "With them it finds what earlier sessions taught in one call, and what it writes is checked. The server runs on this machine, as long as the host does, and speaks to nobody else."
            .into(),
        declined: "the agent searches the folder itself and writes the files by hand, as the skill tells it to".into(),
        changes: vec![change],
    })
}

/// The file that holds the person's own servers.
pub(super) fn file(host: Host, places: &Places) -> PathBuf {
    let home = settings(host, places);
    match host {
        Host::ClaudeCode => places.folder("CLAUDE_CONFIG_DIR", "").join(".claude.json"),
        Host::Codebuddy => {
            // In the order in which it looks for them itself (0.3).
            let known = [home.join(".mcp.json"), home.join("mcp.json"), places.home.join(".codebuddy.json")];
            known.into_iter().find(|path| path.exists()).unwrap_or_else(|| home.join(".mcp.json"))
        }
        Host::Opencode => opencode::config(places),
        _ => hooks::file(host, places),
    }
}

/// The name of the list, and our entry in it.
fn entry(host: Host, program: &Path) -> (&'static str, Value) {
    let command = text(program);
    match host {
        Host::Opencode => ("mcp", json!({"type": "local", "command": [command, ARGUMENT], "enabled": true})),
        Host::Gemini => ("mcpServers", json!({"command": command, "args": [ARGUMENT]})),
        _ => ("mcpServers", json!({"type": "stdio", "command": command, "args": [ARGUMENT]})),
    }
}

fn text(program: &Path) -> String {
    program.to_string_lossy().into_owned()
}
