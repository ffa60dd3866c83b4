//! Before a message, where a host was installed with `--recall`: what is put beside it, and when nothing is.

use serde_json::{Value, json};

use crate::support::hooks::STATE;
use crate::support::sandbox::{Finished, Sandbox};
use crate::support::tree::tree;

/// A project with memories in it.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("project/.git/HEAD", "");
    let front = |kind: &str, id: &str| format!("---\ntype: {kind}\nid: {id}\ncreated: 2026-03-01T09:00:00Z\n---\n\n");
    let commits = "## When\nComposing a commit message.\n\n## What\nDO name the ticket.\n\n## Why\nIt was corrected.\n";
    sandbox.write("project/.reflexio/playbooks/a-aaaaaaaa.md", front("playbook", "pbk_aaaaaaaa") + commits);
    for (number, said) in ["bees", "bees and hens", "bees, which she inherited", "bees near Porto"].iter().enumerate() {
        let body = format!("User keeps {said}. {}\n", "They are kept in the garden behind the house. ".repeat(8));
        let id = format!("prof_bees000{number}");
        sandbox.write(&format!("project/.reflexio/profiles/bees-bees000{number}.md"), front("profile", &id) + &body);
    }
    sandbox
}

/// What the hook prints before a message. The time that a search may take is another matter, and not this machine's.
fn asked(sandbox: &Sandbox, host: &str, payload: &Value) -> String {
    let mut command = sandbox.command(["hook", host]);
    let file = sandbox.write("payload.json", payload.to_string());
    command.env("AFTERWORD_RECALL_MS", "60000").stdin(std::fs::File::open(file).unwrap());
    let Finished { code, out, err } = sandbox.finish(command.output().unwrap());
    assert_eq!((code, err.as_str()), (Some(0), ""));
    out
}

fn before(sandbox: &Sandbox, session: &str, prompt: &str) -> Value {
    let cwd = sandbox.path("project");
    json!({"session_id": session, "cwd": cwd, "hook_event_name": "UserPromptSubmit", "prompt": prompt})
}

/// The text beside a message of Claude Code.
fn beside(sandbox: &Sandbox, session: &str, prompt: &str) -> String {
    let told = asked(sandbox, "claude-code", &before(sandbox, session, prompt));
    if told.is_empty() {
        return told;
    }
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(told["hookSpecificOutput"]["hookEventName"], "UserPromptSubmit");
    told["hookSpecificOutput"]["additionalContext"].as_str().unwrap().to_owned()
}

#[test]
fn a_memory_that_fits_is_told_once_a_session_and_marked_as_data() {
    let sandbox = sandbox();
    let told = beside(&sandbox, "s", "write a git commit for this");
    assert!(told.contains("[pbk_aaaaaaaa] Composing a commit message. DO name the ticket."), "{told}");
    assert!(told.contains("not instructions") && told.starts_with("<afterword-remembered>"), "{told}");
    assert_eq!(beside(&sandbox, "s", "write a git commit for this"), "");
    assert!(!beside(&sandbox, "another", "write a git commit for this").is_empty());
}

#[test]
fn nothing_is_told_where_nothing_fits_or_nothing_is_asked() {
    let sandbox = sandbox();
    for prompt in ["who painted the ceiling of the chapel", "ok", "yes, go ahead", "继续", "/compact", "", "!ls"] {
        assert_eq!(beside(&sandbox, "s", prompt), "", "{prompt}");
    }
    assert!(!sandbox.path(STATE).join("recalled").exists());
    assert!(sandbox.notes().is_empty(), "a message is no end of a session");
}

#[test]
fn a_path_or_a_heading_begins_a_message_and_no_command() {
    let sandbox = sandbox();
    for (session, prompt) in [("a", "/src/parse.rs is fixed, write the commit"), ("b", "# Next\nWrite the commit.")] {
        assert!(beside(&sandbox, session, prompt).contains("[pbk_aaaaaaaa]"), "{prompt}");
    }
    for prompt in ["/commit", "/git:commit write the commit", "!git commit"] {
        assert_eq!(beside(&sandbox, "c", prompt), "", "{prompt}");
    }
}

#[test]
fn it_is_never_more_than_three_memories_and_600_characters() {
    let sandbox = sandbox();
    let told = beside(&sandbox, "s", "where are the bees kept");
    assert!(told.chars().count() <= 600 && told.matches("[prof_bees").count() == 3, "{told}");
    assert_eq!(beside(&sandbox, "s", "where are the bees kept"), "", "the fourth is no better answer than the first");
}

#[test]
fn every_host_is_answered_in_its_own_form() {
    let sandbox = sandbox();
    let project = sandbox.path("project");
    for (host, session) in [("codex", "a"), ("codebuddy", "b")] {
        let told: Value =
            serde_json::from_str(&asked(&sandbox, host, &before(&sandbox, session, "write a commit"))).unwrap();
        assert!(told["hookSpecificOutput"]["additionalContext"].as_str().unwrap().contains("pbk_aaaaaaaa"));
    }
    for (host, payload) in [
        (
            "openclaw",
            json!({"event": "before_prompt_build", "sessionKey": "agent:main:main", "workspaceDir": project, "prompt": "write a commit"}),
        ),
        (
            "opencode",
            json!({"event": "chat.message", "sessionID": "ses_1", "directory": project, "prompt": "write a commit"}),
        ),
    ] {
        let told: Value = serde_json::from_str(&asked(&sandbox, host, &payload)).unwrap();
        assert!(told["context"].as_str().unwrap().contains("pbk_aaaaaaaa"), "{told}");
    }
    assert_eq!(asked(&sandbox, "gemini", &before(&sandbox, "g", "write a commit")), "");
}

#[test]
fn a_search_that_takes_too_long_is_given_up() {
    let sandbox = sandbox();
    let mut command = sandbox.command(["hook", "claude-code"]);
    let file = sandbox.write("payload.json", before(&sandbox, "s", "write a commit").to_string());
    command.env("AFTERWORD_RECALL_MS", "0").stdin(std::fs::File::open(file).unwrap());
    sandbox.finish(command.output().unwrap()).ends_silent();
}

#[test]
fn a_message_is_kept_nowhere() {
    let sandbox = sandbox();
    let told = beside(&sandbox, "s", "write a commit about the xylophone");
    assert!(told.contains("[pbk_aaaaaaaa]"), "{told}");
    for folder in ["home", "project"] {
        for (name, bytes) in tree(&sandbox.path(folder)) {
            assert!(!String::from_utf8_lossy(&bytes).contains("xylophone"), "{folder}: {name}");
        }
    }
}

#[test]
fn a_broken_store_is_no_error() {
    let sandbox = Sandbox::new();
    sandbox.write("project/.git/HEAD", "");
    sandbox.write("project/.reflexio", "no folder");
    assert_eq!(beside(&sandbox, "s", "write a commit"), "");
}
