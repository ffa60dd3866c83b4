//! OpenClaw: a plugin with the skill, a hook pack, the memory path, and the first-time setup of an agent.
//!
//! What is written into `openclaw.json` is what `openclaw hooks enable` and `openclaw plugins enable` would write; lists
//! are added to, never replaced. The plugin hears of compactions in the middle of a run and of the end of a session,
//! the hook pack of automatic resets (and of `/stop`, where a version tells of it): only both together miss nothing.

pub(super) mod config;

use std::path::Path;

use serde_json::json;

use super::{Change, Edit, Plan, Recall, Search, Step, Wish, pack};
use crate::error::Result;
use config::Config;

/// The memory path, relative to the workspace.
pub(super) const MEMORY_PATH: &str = ".reflexio/";

/// The steps of the first-time setup, and the marker that says that they were gone through.
pub(super) fn plan(wish: &Wish<'_>) -> Result<Plan> {
    let config = Config::read(wish.places)?;
    let mut plan = Plan { steps: Vec::new(), notes: Vec::new(), afterwards: Vec::new() };
    plan.steps.push(plugin(wish, &config, &mut plan.notes));
    plan.steps.extend(hook_pack(wish, &config, &mut plan.notes));
    plan.steps.push(memory_path(wish, &config));
    plan.steps.push(active_memory(wish, &config));
    if wish.search == Search::FullText {
        plan.notes.push("OpenClaw has no provider of embeddings, so its memory search finds by words only. That works; with a key (`openclaw configure`) it also finds by meaning.".into());
    }
    plan.steps.push(marker(wish, &config));
    plan.afterwards
        .push("Restart the gateway so that it loads the plugin and the hook: `openclaw gateway restart`.".into());
    Ok(plan)
}

fn plugin(wish: &Wish<'_>, config: &Config, notes: &mut Vec<String>) -> Step {
    let folder = config.state.join("extensions/afterword");
    let store = config.workspace(wish.agent, wish.places).join(MEMORY_PATH.trim_end_matches('/'));
    let file =
        |(name, text): &(&str, &str)| Change::Whole { path: folder.join(name), text: pack::filled(text, wish, &store) };
    let mut changes: Vec<Change> = pack::PLUGIN.iter().map(file).collect();
    let mut edits = vec![Edit::set(&["plugins", "entries", "afterword", "enabled"], "true")];
    if config.has_list(&["plugins", "allow"]) {
        edits.push(Edit::append(&["plugins", "allow"], json!("afterword").to_string()));
    }
    if wish.recall == Recall::On {
        // OpenClaw keeps what is said from plugins that are not its own, unless this is set.
        edits.push(Edit::set(&["plugins", "entries", "afterword", "hooks", "allowConversationAccess"], "true"));
    }
    changes.push(Change::Edits { path: config.path.clone(), edits });
    if config.truth(&["plugins", "enabled"]) == Some(false) {
        notes.push(
            "Plugins are switched off (`plugins.enabled` is false): ours stays silent until you switch them on.".into(),
        );
    }
    if config.list_holds(&["plugins", "deny"], "afterword") {
        notes.push("`plugins.deny` names `afterword`: take it out, or the plugin is not loaded.".into());
    }
    Step {
        name: "plugin",
        question: "Give OpenClaw a plugin that calls Afterword before compactions and resets and at the end of sessions?".into(),
        why: "Afterword then reads the transcript, on this machine, and writes what you taught to the workspace's `.reflexio/`. The plugin brings a skill with it that tells the agent how to read and write there, and tools to do so (an MCP server).".into(),
        declined: "compactions in the middle of a run go unnoticed, and the agent gets no skill".into(),
        changes,
    }
}

fn hook_pack(wish: &Wish<'_>, config: &Config, notes: &mut Vec<String>) -> Option<Step> {
    if config.truth(&["hooks", "internal", "enabled"]) == Some(false) {
        notes.push("Internal hooks are switched off (`hooks.internal.enabled` is false), so no hook pack is put in; the plugin covers all but automatic resets.".into());
        return None;
    }
    let folder = config.state.join("hooks/afterword");
    let file = |(name, text): &(&str, &str)| Change::Whole {
        path: folder.join(name),
        text: pack::filled(text, wish, Path::new("")),
    };
    let mut changes: Vec<Change> = pack::HOOK.iter().map(file).collect();
    // Where hooks are on and none is named, every hook that is found runs. A first name would switch all others off.
    if !config.runs_every_hook() {
        changes.push(Change::Edits {
            path: config.path.clone(),
            edits: vec![
                Edit::set(&["hooks", "internal", "enabled"], "true"),
                Edit::set(&["hooks", "internal", "entries", "afterword", "enabled"], "true"),
            ],
        });
    }
    Some(Step {
        name: "hook",
        question: "Give OpenClaw a hook pack that calls Afterword before compactions, at /new and /reset and at automatic resets?"
            .into(),
        why: "It hears of what the plugin does not, and serves versions whose plugins hear of nothing.".into(),
        declined: "automatic resets go unnoticed until the next session ends".into(),
        changes,
    })
}

fn memory_path(wish: &Wish<'_>, config: &Config) -> Step {
    let place = config.memory_key(wish.client.and_then(|client| client.number()));
    let edits = match config.indexes(&place, wish.agent) {
        true => Vec::new(),
        false => vec![Edit::append(&[&place[..], &["extraPaths"]].concat(), json!(MEMORY_PATH).to_string())],
    };
    Step {
        name: "memory",
        question: format!("Let OpenClaw's memory search find `{MEMORY_PATH}` (`{}.extraPaths`)?", place.join(".")),
        why: "Only then does `memory_search` find what earlier sessions taught.".into(),
        declined: "what is learned is written down, but the agent's memory search cannot find it".into(),
        changes: vec![Change::Edits { path: config.path.clone(), edits }],
    }
}

fn active_memory(wish: &Wish<'_>, config: &Config) -> Step {
    let agents = ["plugins", "entries", "active-memory", "config", "agents"];
    let mut edits = Vec::new();
    if !config.list_holds(&agents, wish.agent) && !config.list_holds(&agents, "*") {
        edits.push(Edit::append(&agents, json!(wish.agent).to_string()));
    }
    if config.truth(&["plugins", "entries", "active-memory", "enabled"]) != Some(true) {
        edits.insert(0, Edit::set(&["plugins", "entries", "active-memory", "enabled"], "true"));
    }
    if config.has_list(&["plugins", "allow"]) {
        edits.push(Edit::append(&["plugins", "allow"], json!("active-memory").to_string()));
    }
    Step {
        name: "active-memory",
        question: format!("Let OpenClaw's active memory look things up for the agent `{}` by itself?", wish.agent),
        why: "It puts fitting memories into the conversation without a tool call; for that it calls your model on some turns.".into(),
        declined: "the agent has to search the memory itself at the start of a turn, as the skill tells it to".into(),
        changes: vec![Change::Edits { path: config.path.clone(), edits }],
    }
}

/// Written whatever was declined: the questions were asked, and the seed's skill need not ask them again.
fn marker(wish: &Wish<'_>, config: &Config) -> Step {
    let path = config.workspace(wish.agent, wish.places).join(format!(".reflexio/.setup_complete_{}", wish.agent));
    let changes = if path.exists() { Vec::new() } else { vec![Change::Whole { path, text: String::new() }] };
    Step {
        name: "marker",
        question: format!("Note in the store that the agent `{}` is set up?", wish.agent),
        why: "Skills of the same kind ask their setup questions as long as `.setup_complete_<agent>` is missing."
            .into(),
        declined: "a skill of the same kind may ask the setup questions again".into(),
        changes,
    }
}
