//! What is found for a note, in homes made up for it.

use std::collections::BTreeMap;

use chrono::TimeDelta;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::*;

/// A home with these files in it.
fn home(files: &[&str]) -> (TempDir, Places) {
    let folder = tempfile::tempdir().unwrap();
    for file in files {
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "{}").unwrap();
    }
    let places = Places { home: folder.path().to_path_buf(), vars: BTreeMap::new() };
    (folder, places)
}

/// What is found for a payload; `~` in it is the home.
fn found(host: Host, payload: &Value, places: &Places) -> Vec<String> {
    let home = places.home.to_str().unwrap();
    let payload = payload.to_string().replace('~', home);
    let note = Note::of(host, payload.as_bytes(), places, Utc::now()).unwrap();
    let files = locate(&note, places);
    files.iter().map(|path| path.strip_prefix(home).unwrap().to_str().unwrap().to_owned()).collect()
}

#[test]
fn the_file_that_is_named_is_taken_and_one_that_is_not_there_is_searched_by_its_id() {
    let (_folder, places) = home(&[
        ".claude/projects/-w/aaa.jsonl",
        ".codex/sessions/2026/02/03/rollout-2026-02-03T10-00-00-bbb.jsonl",
        ".codex/sessions/2026/02/03/rollout-2026-02-03T11-00-00-ccc.jsonl",
        ".gemini/tmp/w/chats/session-2026-02-03T10-00-0123abcd.jsonl",
        ".codebuddy/projects/w/ddd.jsonl",
        ".codebuddy/projects/w/ddd.txt",
    ]);
    let named = json!({"session_id": "zzz", "transcript_path": "~/.claude/projects/-w/aaa.jsonl"});
    assert_eq!(found(Host::ClaudeCode, &named, &places), [".claude/projects/-w/aaa.jsonl"]);
    let moved = json!({"session_id": "aaa", "transcript_path": "~/.claude/projects/-old/aaa.jsonl"});
    assert_eq!(found(Host::ClaudeCode, &moved, &places), [".claude/projects/-w/aaa.jsonl"]);
    let notify = json!({"type": "agent-turn-complete", "thread-id": "bbb"});
    let rollout = ".codex/sessions/2026/02/03/rollout-2026-02-03T10-00-00-bbb.jsonl";
    assert_eq!(found(Host::Codex, &notify, &places), [rollout]);
    let stub = json!({"session_id": "0123abcd-77", "transcript_path": "~/.gemini/tmp/w/chats/session-other.jsonl"});
    assert_eq!(found(Host::Gemini, &stub, &places), [".gemini/tmp/w/chats/session-2026-02-03T10-00-0123abcd.jsonl"]);
    for text in ["~/.codebuddy/projects/w/ddd.txt", "~/elsewhere/chat.txt"] {
        let text = json!({"session_id": "ddd", "transcript_path": text, "hook_event_name": "SessionEnd"});
        assert_eq!(found(Host::Codebuddy, &text, &places), [".codebuddy/projects/w/ddd.jsonl"]);
    }
    let folder = json!({"session_id": "none", "transcript_path": "~/.claude/projects"});
    assert!(found(Host::ClaudeCode, &folder, &places).is_empty());
}

#[test]
fn openclaw_s_session_is_found_in_files_archives_and_the_database() {
    let sessions = ".openclaw/agents/ops/sessions";
    let files = [
        "s1.jsonl",
        "s1-topic-4.jsonl",
        "s1.jsonl.reset.2026-02-03T10-00-00.000Z",
        "s12.jsonl",
        "s1.jsonl.lock",
        "s1.checkpoint.9.jsonl",
    ];
    let files = files.map(|name| format!("{sessions}/{name}"));
    let (_folder, places) = home(&files.each_ref().map(String::as_str));
    let by_id = json!({"event": "command:stop", "sessionKey": "agent:ops:main", "sessionId": "s1"});
    let mut want = files[..3].to_vec();
    want.sort();
    assert_eq!(found(Host::Openclaw, &by_id, &places), want);

    fs::write(places.home.join(sessions).join("sessions.json"), r#"{"agent:ops:main": {"sessionId": "s1"}}"#).unwrap();
    let by_key = json!({"event": "command:stop", "sessionKey": "agent:ops:main"});
    assert_eq!(found(Host::Openclaw, &by_key, &places), want);

    let database = ".openclaw/agents/ops/agent/openclaw-agent.sqlite";
    fs::create_dir_all(places.home.join(database).parent().unwrap()).unwrap();
    fs::write(places.home.join(database), "").unwrap();
    let marker = format!("sqlite:ops:s9:~/{sessions}/sessions.json");
    assert_eq!(found(Host::Openclaw, &json!({"event": "before_reset", "sessionFile": marker}), &places), [database]);
    let elsewhere = json!({"event": "session_end", "sessionId": "s9", "agentId": "ops", "stateDir": "/nowhere"});
    assert!(found(Host::Openclaw, &elsewhere, &places).is_empty());
    let strange = json!({"event": "session_end", "sessionId": "s9", "sessionKey": "agent:../..:main"});
    assert!(found(Host::Openclaw, &strange, &places).is_empty());
}

#[test]
fn openclaw_under_its_older_name_is_found() {
    let (_folder, places) = home(&[".clawdbot/agents/main/sessions/s1.jsonl"]);
    let note = json!({"event": "command:new", "sessionKey": "agent:main:main", "sessionId": "s1"});
    assert_eq!(found(Host::Openclaw, &note, &places), [".clawdbot/agents/main/sessions/s1.jsonl"]);
}

#[test]
fn opencode_s_session_is_found_in_every_database_and_the_tree() {
    let (_folder, places) = home(&[
        ".local/share/opencode/opencode.db",
        ".local/share/opencode/opencode-dev.db",
        ".local/share/opencode/auth.json",
        ".local/share/opencode/storage/session/p1/ses_1.json",
        ".local/share/opencode/storage/session/p1/ses_2.json",
    ]);
    let mut files = found(Host::Opencode, &json!({"event": "session.idle", "sessionID": "ses_1"}), &places);
    files.sort();
    let names: Vec<_> = files.iter().map(|file| file.rsplit('/').next().unwrap()).collect();
    assert_eq!(names, ["opencode-dev.db", "opencode.db", "ses_1.json"]);
}

#[test]
fn a_catch_up_looks_at_the_project_and_takes_what_changed() {
    let (_folder, places) =
        home(&[".claude/projects/-w/old.jsonl", ".claude/projects/-w/new.jsonl", ".claude/projects/-x/other.jsonl"]);
    let project = places.home.join(".claude/projects/-w");
    let path = project.join("coming.jsonl");
    let start = json!({"session_id": "coming", "transcript_path": path, "hook_event_name": "SessionStart"}).to_string();
    let note = Note::of(Host::ClaudeCode, start.as_bytes(), &places, Utc::now()).unwrap();
    let folders = [project.clone()];
    assert_eq!(neighbourhood(&note, &places), folders);
    let empty = Note::of(Host::ClaudeCode, b"", &places, Utc::now()).unwrap();
    assert_eq!(neighbourhood(&empty, &places), [places.home.join(".claude/projects")]);

    let long_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(7200);
    fs::File::open(project.join("old.jsonl")).unwrap().set_modified(long_ago).unwrap();
    let since = Utc::now() - TimeDelta::hours(1);
    assert_eq!(changed(&folders, since), (vec![project.join("new.jsonl")], 0));
    let many: Vec<_> = (0..MOST_FILES + 5).map(|n| project.join(format!("m{n}.jsonl"))).collect();
    many.iter().for_each(|path| fs::write(path, "{}").unwrap());
    let (files, left) = changed(&folders, since);
    assert_eq!((files.len(), left), (MOST_FILES, 6));
}
