//! Each host in its own way: the memories arrive, where they belong.

use std::fs;
use std::path::Path;

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::support::hooks::STATE;
use crate::support::sandbox::Sandbox;
use crate::support::sessions::{saying, session_in};
use crate::support::tree::{memories, text, tree};

const SAID: &str = "I prefer short answers.";

/// A project with a git root in it.
fn project(sandbox: &Sandbox) -> String {
    fs::create_dir_all(sandbox.path("project/.git")).unwrap();
    sandbox.path("project").to_str().unwrap().to_owned()
}

/// A row of Claude Code's transcripts.
fn claude(id: &str, cwd: &str, said: &str) -> String {
    let row = json!({
        "type": "user", "uuid": format!("u-{id}"), "sessionId": id, "timestamp": "2026-02-03T10:00:00.000Z", "cwd": cwd,
        "version": "2.1.0", "isSidechain": false, "userType": "external", "message": {"role": "user", "content": said},
    });
    format!("{row}\n")
}

#[track_caller]
fn learned(store: &Path, sandbox: &Sandbox) {
    sandbox.settles();
    assert!(text(store).contains("short answers"), "{:?}\n{}", memories(store), sandbox.log());
    assert_eq!(memories(store).len(), 1);
}

#[test]
fn claude_code_at_the_end_of_a_session() {
    let sandbox = Sandbox::new();
    let cwd = project(&sandbox);
    let transcript = sandbox.write("home/.claude/projects/p/a.jsonl", claude("a", &cwd, SAID));
    sandbox.hook(
        "claude-code",
        &json!({
            "session_id": "a", "transcript_path": transcript, "cwd": cwd, "prompt_id": "p",
            "hook_event_name": "SessionEnd", "reason": "other",
        }),
    );
    learned(&sandbox.path("project/.reflexio"), &sandbox);
    // Neither words of the session nor of its memories stand in what is kept for the next run.
    for (name, bytes) in tree(&sandbox.path(STATE)) {
        assert!(!String::from_utf8(bytes).unwrap().contains("short"), "{name}");
    }
    let last: Value =
        serde_json::from_slice(&fs::read(sandbox.path(STATE).join("last/claude-code.json")).unwrap()).unwrap();
    assert_eq!((&last["event"], &last["how"]), (&json!("SessionEnd"), &json!("done")));
}

#[test]
fn claude_code_catches_up_when_a_session_starts_and_when_it_gives_no_payload() {
    for payload in ["start", ""] {
        let sandbox = Sandbox::new();
        let cwd = project(&sandbox);
        sandbox.write("home/.claude/projects/p/killed.jsonl", claude("killed", &cwd, SAID));
        // Of the session that starts only a row about the client itself is there.
        let mode = "{\"type\":\"mode\",\"mode\":\"normal\",\"sessionId\":\"new\"}\n";
        let transcript = sandbox.write("home/.claude/projects/p/new.jsonl", mode);
        let start = json!({"session_id": "new", "transcript_path": transcript, "cwd": cwd, "hook_event_name": "SessionStart", "source": "startup"});
        let payload = if payload.is_empty() { String::new() } else { start.to_string() };
        sandbox.feed(["hook", "claude-code"], payload).ends_silent();
        learned(&sandbox.path("project/.reflexio"), &sandbox);
        assert!(!sandbox.log().contains("unreadable"), "{}", sandbox.log());
    }
}

#[test]
fn codebuddy_that_names_a_text() {
    let sandbox = Sandbox::new();
    let cwd = project(&sandbox);
    let row = json!({
        "id": "1", "timestamp": 1_770_112_800_000_u64, "type": "message", "role": "user", "sessionId": "b", "cwd": cwd,
        "content": [{"type": "input_text", "text": SAID}],
    });
    sandbox.write("home/.codebuddy/projects/p/b.jsonl", format!("{row}\n"));
    let text = sandbox.write("home/.codebuddy/elsewhere/b.txt", "user: hello");
    sandbox.hook(
        "codebuddy",
        &json!({"session_id": "b", "transcript_path": text, "cwd": cwd, "hook_event_name": "SessionEnd", "reason": "other"}),
    );
    learned(&sandbox.path("project/.reflexio"), &sandbox);
}

#[test]
fn codex_by_its_notify_and_by_its_hooks() {
    for is_notify in [true, false] {
        let sandbox = Sandbox::new();
        let cwd = project(&sandbox);
        let rows = [
            json!({"timestamp": "2026-02-03T10:00:00.000Z", "type": "session_meta", "payload": {
                "id": "c1", "timestamp": "2026-02-03T10:00:00.000Z", "cwd": cwd, "originator": "codex_cli_rs", "cli_version": "0.46.0"}}),
            json!({"timestamp": "2026-02-03T10:01:00.000Z", "type": "response_item", "payload": {
                "type": "message", "role": "user", "content": [{"type": "input_text", "text": SAID}]}}),
            json!({"timestamp": "2026-02-03T10:01:00.000Z", "type": "event_msg", "payload": {
                "type": "user_message", "message": SAID, "kind": "plain"}}),
        ];
        let rollout = "home/.codex/sessions/2026/02/03/rollout-2026-02-03T10-00-00-c1.jsonl";
        let transcript = sandbox.write(rollout, rows.map(|row| format!("{row}\n")).concat());
        if is_notify {
            let notify = json!({"type": "agent-turn-complete", "thread-id": "c1", "turn-id": "t", "cwd": cwd, "input-messages": [SAID]});
            sandbox.run(["hook", "codex", &notify.to_string()]).ends_silent();
        } else {
            let stop = json!({"session_id": "c1", "transcript_path": transcript, "cwd": cwd, "hook_event_name": "Stop", "turn_id": "t"});
            (0..5).for_each(|_| sandbox.hook("codex", &stop));
        }
        learned(&sandbox.path("project/.reflexio"), &sandbox);
        assert_eq!(sandbox.log().lines().count(), 1, "{}", sandbox.log());
    }
}

#[test]
fn gemini_whose_transcript_does_not_tell_the_folder() {
    let sandbox = Sandbox::new();
    let cwd = project(&sandbox);
    let header =
        json!({"sessionId": "0123abcd-9", "projectHash": "h", "startTime": "2026-02-03T10:00:00Z", "kind": "main"});
    let said = json!({"id": "1", "timestamp": "2026-02-03T10:00:01Z", "type": "user", "content": [{"text": SAID}]});
    let name = "home/.gemini/tmp/p/chats/session-2026-02-03T10-00-0123abcd.jsonl";
    let transcript = sandbox.write(name, format!("{header}\n{said}\n"));
    for event in ["PreCompress", "PreCompress", "SessionEnd"] {
        sandbox.hook(
            "gemini",
            &json!({"session_id": "0123abcd-9", "transcript_path": transcript, "cwd": cwd, "hook_event_name": event, "timestamp": "2026-02-03T10:00:02Z"}),
        );
    }
    learned(&sandbox.path("project/.reflexio"), &sandbox);
}

#[test]
fn opencode_by_the_id_of_the_session() {
    let sandbox = Sandbox::new();
    let cwd = project(&sandbox);
    let data = sandbox.path("home/.local/share/opencode");
    fs::create_dir_all(&data).unwrap();
    let store = Connection::open(data.join("opencode.db")).unwrap();
    let tables = "CREATE TABLE session(id TEXT, parent_id TEXT, directory TEXT, revert TEXT, time_created INTEGER);
        CREATE TABLE message(id TEXT, session_id TEXT, time_created INTEGER, data TEXT);
        CREATE TABLE part(id TEXT, message_id TEXT, session_id TEXT, time_created INTEGER, data TEXT);";
    store.execute_batch(tables).unwrap();
    for (id, said) in [("ses_1", SAID), ("ses_2", "I'm a nurse.")] {
        let (message, part) = (format!("msg_{id}"), format!("prt_{id}"));
        store.execute("INSERT INTO session VALUES (?1, NULL, ?2, NULL, 1770112800000)", (id, &cwd)).unwrap();
        let info = json!({"id": message, "role": "user", "time": {"created": 1_770_112_800_000_u64}}).to_string();
        store.execute("INSERT INTO message VALUES (?1, ?2, 1770112800000, ?3)", (&message, id, info)).unwrap();
        let text = json!({"type": "text", "text": said}).to_string();
        store.execute("INSERT INTO part VALUES (?1, ?2, ?3, 1770112800000, ?4)", (&part, &message, id, text)).unwrap();
    }
    sandbox.hook("opencode", &json!({"event": "session.idle", "sessionID": "ses_1", "directory": cwd}));
    learned(&sandbox.path("project/.reflexio"), &sandbox);
}

#[test]
fn openclaw_by_a_marker_in_its_database_before_and_after_a_reset() {
    let sandbox = Sandbox::new();
    let workspace = sandbox.path("workspace");
    fs::create_dir(&workspace).unwrap();
    let state = sandbox.path("home/.openclaw/agents/main");
    fs::create_dir_all(state.join("agent")).unwrap();
    let database = state.join("agent/openclaw-agent.sqlite");
    session_in("s1", "2026-02-03T10:00:00Z", &workspace).says(SAID).answers("Noted.").database(&database);
    // The header of this one tells no folder that exists.
    let store = Connection::open(&database).unwrap();
    for (seq, row) in saying("s2", "2026-02-03T11:00:00Z", "I'm a nurse.").jsonl().lines().enumerate() {
        let row = ("s2", i64::try_from(seq).unwrap(), row);
        store.execute("INSERT INTO transcript_events VALUES (?1, ?2, ?3, 0)", row).unwrap();
    }
    let marker = |id: &str| format!("sqlite:main:{id}:{}", state.join("sessions/sessions.json").display());
    let reset = json!({
        "event": "before_reset", "sessionKey": "agent:main:main", "agentId": "main", "sessionFile": marker("s1"),
        "messages": [{"role": "user", "content": SAID}], "reason": "reset",
    });
    sandbox.hook("openclaw", &reset);
    learned(&workspace.join(".reflexio"), &sandbox);
    sandbox.hook(
        "openclaw",
        &json!({"event": "command:new", "sessionKey": "agent:main:main", "sessionId": "s2", "workspaceDir": workspace}),
    );
    sandbox.settles();
    assert!(text(&workspace.join(".reflexio")).contains("is a nurse"), "{}", sandbox.log());
}

#[test]
fn openclaw_by_its_key_when_the_file_was_put_away() {
    let sandbox = Sandbox::new();
    let workspace = sandbox.path("workspace");
    fs::create_dir(&workspace).unwrap();
    let said = session_in("s1", "2026-02-03T10:00:00Z", &workspace).says(SAID).answers("Noted.");
    sandbox.write("home/.openclaw/agents/main/sessions/s1.jsonl.reset.2026-02-03T10-05-00.000Z", said.jsonl());
    sandbox.write("home/.openclaw/agents/main/sessions/sessions.json", r#"{"agent:main:main": {"sessionId": "s1"}}"#);
    sandbox.hook("openclaw", &json!({"event": "command:reset", "sessionKey": "agent:main:main"}));
    learned(&workspace.join(".reflexio"), &sandbox);
}

#[test]
fn the_store_that_the_environment_names_and_the_folder_that_the_state_is_in() {
    let sandbox = Sandbox::new();
    sandbox.saves("s", &saying("s", "2026-02-03T10:00:00Z", SAID));
    let payload = sandbox
        .write("payload.json", r#"{"event": "command:stop", "sessionKey": "agent:main:main", "sessionId": "s"}"#);
    let mut command = sandbox.command(["hook", "openclaw"]);
    // Both are relative to where the hook runs, which is not where the worker does.
    command.env("AFTERWORD_STORE", "mine").env("AFTERWORD_STATE", "home/.local/state/afterword");
    sandbox.finish(command.stdin(fs::File::open(payload).unwrap()).output().unwrap()).ends_silent();
    learned(&sandbox.path("mine"), &sandbox);
}

#[test]
fn a_hook_feeds_the_experience_home_where_it_is_switched_on() {
    let sandbox = Sandbox::new();
    sandbox.run(["experience", "on"]).exits(0);
    let cwd = project(&sandbox);
    let transcript = sandbox.write("home/.claude/projects/p/a.jsonl", claude("a", &cwd, SAID));
    let payload = json!({
        "session_id": "a", "transcript_path": transcript, "cwd": cwd, "hook_event_name": "SessionEnd", "reason": "other",
    });
    sandbox.hook("claude-code", &payload);
    learned(&sandbox.path("project/.reflexio"), &sandbox);
    let pages = sandbox.path("home/learn-from-experience");
    let once = tree(&pages);
    let log = fs::read_to_string(pages.join(".afterword/log.jsonl")).unwrap();
    assert!(log.contains("short answers"), "{log}");
    sandbox.hook("claude-code", &payload);
    sandbox.settles();
    assert_eq!(tree(&pages), once);
}
