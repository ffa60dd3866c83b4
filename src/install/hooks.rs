//! Claude Code, CodeBuddy, Codex and Gemini CLI: a command in a file of hooks, all of nearly the same form.
//!
//! The command returns at once and leaves the work to a child of its own; it is never an `async` hook: Claude Code kills
//! those at the end of `-p`, and then runs no `SessionEnd` hook at all.

use std::path::PathBuf;

use serde_json::json;

use super::{Change, Edit, Plan, Recall, Route, Step, Wish, command, settings, skill, tools};
use crate::disk;
use crate::host::Places;
use crate::transcript::Host;

/// The events of a host, with the time limit in its own unit. Without one Claude Code gives all `SessionEnd` hooks
/// together 1.5 s; Codex cuts `SessionEnd` at 3 s whatever is asked for. Gemini's `PreCompress` comes before every
/// call of the model, and is no sign of anything.
fn events(host: Host) -> &'static [(&'static str, u32)] {
    match host {
        Host::Codex => &[("SessionStart", 10), ("Stop", 10), ("PreCompact", 10), ("SessionEnd", 3)],
        Host::Gemini => &[("SessionEnd", 10_000)],
        _ => &[("SessionStart", 30), ("PreCompact", 30), ("SessionEnd", 30)],
    }
}

/// The hosts whose hook before a message can add to it.
const RECALLING: [Host; 3] = [Host::ClaudeCode, Host::Codex, Host::Codebuddy];

/// The event before a message, and its time limit in seconds; we take a twentieth of one at most.
const BEFORE_A_MESSAGE: (&str, u32) = ("UserPromptSubmit", 5);

/// The first version of Codex in which hooks are on without a switch.
const CODEX_WITH_HOOKS: [u32; 2] = [0, 124];

/// The product's name as its maker writes it.
pub(super) fn product(host: Host) -> &'static str {
    match host {
        Host::Openclaw => "OpenClaw",
        Host::ClaudeCode => "Claude Code",
        Host::Codex => "Codex",
        Host::Codebuddy => "CodeBuddy",
        Host::Gemini => "Gemini CLI",
        other => other.name(),
    }
}

/// The file that holds the hooks.
pub(super) fn file(host: Host, places: &Places) -> PathBuf {
    settings(host, places).join(if host == Host::Codex { "hooks.json" } else { "settings.json" })
}

/// What is wrong with a file of hooks that its host would pass over without a word: Claude Code (seen with 2.1.197) and
/// Codex read plain JSON only, and neither comments nor trailing commas. `None` for a good or a missing file.
pub(super) fn unread(host: Host, places: &Places) -> Option<String> {
    if host == Host::Gemini {
        return None;
    }
    let path = file(host, places);
    let bytes = disk::read(&path).ok()??;
    let text = std::str::from_utf8(&bytes).ok()?.trim_start_matches('\u{feff}');
    let error = serde_json::from_str::<serde::de::IgnoredAny>(text).err()?;
    let line = error.line();
    let (product, path) = (product(host), path.display());
    Some(format!(
        "{product} reads plain JSON only, and ignores all of {path} for line {line}: take comments and trailing commas out"
    ))
}

/// The hooks and the skill.
pub(super) fn plan(host: Host, wish: &Wish<'_>) -> Plan {
    let mut plan = Plan { steps: Vec::new(), notes: Vec::new(), afterwards: Vec::new() };
    plan.notes.extend(unread(host, wish.places).map(|what| format!("{what}.")));
    let version = wish.client.and_then(|client| client.number());
    let too_old = host == Host::Codex && version.is_some_and(|version| version < CODEX_WITH_HOOKS.to_vec());
    if host == Host::Codex && (too_old || wish.route == Route::Notify) {
        plan.steps.push(notify(wish));
    } else {
        plan.steps.push(step(host, wish));
        if host == Host::Codex {
            plan.afterwards.push("Codex asks once on its screen to review the new hook (\"Hooks need review\"); until you have agreed it runs none, and `codex exec` skips it without a word.".into());
        }
    }
    plan.steps.push(skill(&settings(host, wish.places).join("skills"), product(host)));
    plan.steps.extend(tools::step(host, wish));
    match wish.recall {
        Recall::On if RECALLING.contains(&host) => plan.steps.push(recall(host, wish)),
        Recall::On => plan
            .notes
            .push(format!("{}'s hooks cannot put memories beside a message; its agent can search.", product(host))),
        Recall::Off => {}
    }
    plan
}

/// The entry for one event.
fn entry(host: Host, wish: &Wish<'_>, (event, limit): (&str, u32)) -> Edit {
    let command = command::line(wish.program, host.name());
    // The type first, as people write it.
    let name = if host == Host::Gemini { r#""name":"afterword","# } else { "" };
    let hook = format!(r#"{{"type":"command",{name}"command":{},"timeout":{limit}}}"#, json!(command));
    Edit::hook(&["hooks", event], host.name(), format!(r#"{{"hooks":[{hook}]}}"#))
}

/// The opt-in: memories beside a message.
fn recall(host: Host, wish: &Wish<'_>) -> Step {
    Step {
        name: "recall",
        question: format!("Let Afterword put memories that fit a message beside it ({})?", BEFORE_A_MESSAGE.0),
        why: "At most three and 600 characters, each once a session, marked as remembered data; nothing if nothing fits, or if the search takes longer than a moment. Your message is looked at on this machine and kept nowhere."
            .into(),
        declined: "the agent finds memories only when it looks for them".into(),
        changes: vec![Change::Edits { path: file(host, wish.places), edits: vec![entry(host, wish, BEFORE_A_MESSAGE)] }],
    }
}

fn step(host: Host, wish: &Wish<'_>) -> Step {
    let edit = |&event: &(&str, u32)| entry(host, wish, event);
    let names: Vec<&str> = events(host).iter().map(|(event, _)| *event).collect();
    Step {
        name: "hooks",
        question: format!("Let {} call Afterword ({})?", product(host), names.join(", ")),
        why: "At the end of a session it reads the transcript, on this machine, and writes what you taught to `.reflexio/`."
            .into(),
        declined: "nothing is learned by itself; `afterword extract` and `afterword replay` still work by hand".into(),
        changes: vec![Change::Edits { path: file(host, wish.places), edits: events(host).iter().map(edit).collect() }],
    }
}

fn notify(wish: &Wish<'_>) -> Step {
    let program = [wish.program.to_string_lossy().into_owned(), "hook".into(), Host::Codex.name().into()];
    Step {
        name: "notify",
        question: "Let Codex call Afterword after each turn (`notify` in config.toml)?".into(),
        why: "This version of Codex knows no hooks, or you asked for the older way; Afterword waits until a session rests."
            .into(),
        declined: "nothing is learned by itself; `afterword extract` and `afterword replay` still work by hand".into(),
        changes: vec![Change::Edits {
            path: settings(Host::Codex, wish.places).join("config.toml"),
            edits: vec![Edit::Notify { program: program.to_vec() }],
        }],
    }
}
