//! What the hosts' payloads are held to: made-up ones of the shapes that were seen.

use std::collections::BTreeMap;

use serde_json::json;

use super::*;

fn places() -> Places {
    Places { home: "/home/mira".into(), vars: BTreeMap::new() }
}

fn at() -> DateTime<Utc> {
    "2026-02-03T10:00:00Z".parse().unwrap()
}

fn note(host: Host, payload: &[u8]) -> Option<Note> {
    Note::of(host, payload, &places(), at())
}

/// The moment, the session and the transcript that are noted of a payload.
fn noted(host: Host, payload: &serde_json::Value) -> Option<(Moment, Option<String>, Option<String>)> {
    let note = note(host, payload.to_string().as_bytes())?;
    Some((note.moment, note.session, note.transcript.map(|path| path.to_str().unwrap().to_owned())))
}

#[test]
fn every_event_of_the_command_line_clients_has_its_moment() {
    use Moment::{CatchUp, End, Turn};
    type Events = &'static [(&'static str, Option<Moment>)];
    let cases: [(Host, Events); 4] = [
        (
            Host::ClaudeCode,
            &[
                ("SessionEnd", Some(End)),
                ("PreCompact", Some(End)),
                ("SessionStart", Some(CatchUp)),
                ("Stop", Some(Turn)),
                ("PostCompact", Some(Turn)),
                ("SubagentStop", None),
                ("UserPromptSubmit", None),
                ("PreToolUse", None),
                ("PostToolUse", None),
            ],
        ),
        (
            Host::Codebuddy,
            &[
                ("SessionEnd", Some(End)),
                ("PreCompact", Some(End)),
                ("SessionStart", Some(CatchUp)),
                ("Notification", None),
            ],
        ),
        (
            Host::Codex,
            &[
                ("SessionEnd", Some(End)),
                ("PreCompact", Some(End)),
                ("Stop", Some(Turn)),
                ("Interrupt", Some(Turn)),
                ("SessionStart", Some(CatchUp)),
                ("PreToolUse", None),
            ],
        ),
        (
            Host::Gemini,
            &[
                ("SessionEnd", Some(End)),
                ("PreCompress", Some(Turn)),
                ("AfterAgent", Some(Turn)),
                ("SessionStart", Some(CatchUp)),
                ("BeforeAgent", None),
                ("AfterTool", None),
            ],
        ),
    ];
    for (host, events) in cases {
        for (event, moment) in events {
            let payload = json!({
                "session_id": "5e1f", "transcript_path": "/t/5e1f.jsonl", "cwd": "/w", "hook_event_name": event,
                "agent_transcript_path": "/t/sub.jsonl", "prompt": "said", "reason": "other", "source": "startup",
                "stop_hook_active": false, "background_tasks": [{"a": 1}], "effort": {"level": "high"},
            });
            let want = moment.map(|moment| (moment, Some("5e1f".into()), Some("/t/5e1f.jsonl".into())));
            assert_eq!(noted(host, &payload), want, "{host:?} {event}");
        }
    }
}

#[test]
fn codex_says_a_turn_s_end_in_its_own_way_too() {
    let payload = json!({
        "type": "agent-turn-complete", "thread-id": "01a2", "turn-id": "9", "cwd": "/w", "client": "codex-tui",
        "input-messages": ["I'm a nurse."], "last-assistant-message": "Hello.",
    });
    let note = note(Host::Codex, payload.to_string().as_bytes()).unwrap();
    assert_eq!(
        (note.moment, note.session.as_deref(), note.cwd.as_deref()),
        (Moment::Turn, Some("01a2"), Some(Path::new("/w")))
    );
    assert!(!serde_json::to_string(&note).unwrap().contains("nurse"));
    let no_path = json!({"hook_event_name": "Stop", "session_id": "01a2", "transcript_path": null});
    assert_eq!(noted(Host::Codex, &no_path), Some((Moment::Turn, Some("01a2".into()), None)));
}

#[test]
fn openclaw_s_events_are_understood_flat_and_as_openclaw_has_them() {
    let flat =
        |event: &str| json!({"event": event, "sessionKey": "agent:main:main", "sessionId": "s1", "agentId": "main"});
    for event in [
        "session:compact:before",
        "command:stop",
        "command:new",
        "command:reset",
        "session:auto-reset",
        "before_compaction",
        "before_reset",
        "session_end",
    ] {
        assert_eq!(noted(Host::Openclaw, &flat(event)), Some((Moment::End, Some("s1".into()), None)), "{event}");
    }
    for event in ["message:received", "message_received", "agent:bootstrap", "session_start", "session:patch"] {
        assert_eq!(noted(Host::Openclaw, &flat(event)), None, "{event}");
    }
    let own = json!({
        "type": "command", "action": "new", "sessionKey": "agent:main:main", "timestamp": "2026-02-03T10:00:00.000Z",
        "context": {
            "agentId": "main", "workspaceDir": "/w", "storePath": "/state/agents/main/sessions/sessions.json",
            "sessionEntry": {"sessionId": "new", "skillsSnapshot": {"prompt": "long", "skills": [{"name": "a"}]}},
            "previousSessionEntry": {"sessionId": "old"},
        },
        "messages": [],
    });
    let note = note(Host::Openclaw, own.to_string().as_bytes()).unwrap();
    assert_eq!((note.event.as_str(), note.moment, note.session.as_deref()), ("command:new", Moment::End, Some("old")));
    assert_eq!((note.home.unwrap(), note.cwd.unwrap()), ("/state".into(), "/w".into()));
    let compacting = json!({"type": "session", "action": "compact:before", "sessionKey": "agent:main:main",
        "context": {"sessionId": "s2", "missingSessionKey": false, "messageCount": 4, "tokenCount": 21}});
    assert_eq!(noted(Host::Openclaw, &compacting), Some((Moment::End, Some("s2".into()), None)));
}

#[test]
fn openclaw_s_plugin_events_without_a_name_are_understood_too() {
    let marker = "sqlite:main:s3:/state/agents/main/sessions/sessions.json";
    let reset =
        json!({"sessionFile": marker, "reason": "reset", "messages": [{"role": "user", "content": "I'm a nurse."}]});
    assert_eq!(noted(Host::Openclaw, &reset), Some((Moment::End, None, Some(marker.into()))));
    let ended = json!({"sessionId": "s3", "sessionKey": "agent:main:main", "messageCount": 0, "reason": "shutdown"});
    assert_eq!(noted(Host::Openclaw, &ended), Some((Moment::End, Some("s3".into()), None)));
    // Nothing in it tells which session.
    let compacting = json!({"messageCount": 4, "tokenCount": 21});
    assert_eq!(noted(Host::Openclaw, &compacting), Some((Moment::CatchUp, None, None)));
    let stopping =
        json!({"event": "gateway:shutdown", "sessionKey": "gateway:shutdown", "context": {"reason": "stop"}});
    assert_eq!(noted(Host::Openclaw, &stopping).unwrap().0, Moment::CatchUp);
}

#[test]
fn sessions_of_machines_are_not_noted() {
    for key in ["agent:main:cron:7", "agent:main:subagent:1", "hook:mail"] {
        assert_eq!(noted(Host::Openclaw, &json!({"event": "session_end", "sessionId": "s", "sessionKey": key})), None);
    }
}

#[test]
fn opencode_s_events_are_understood_flat_and_as_opencode_has_them() {
    let flat = json!({"event": "session.idle", "sessionID": "ses_1", "directory": "/w", "dataDir": "/data/opencode"});
    let note = note(Host::Opencode, flat.to_string().as_bytes()).unwrap();
    assert_eq!((note.moment, note.session.as_deref()), (Moment::Turn, Some("ses_1")));
    assert_eq!((note.home.unwrap(), note.cwd.unwrap()), ("/data/opencode".into(), "/w".into()));
    for (kind, moment) in
        [("session.idle", Some(Moment::Turn)), ("session.compacted", Some(Moment::Turn)), ("session.created", None)]
    {
        let own = json!({"id": "evt_1", "type": kind, "properties": {"sessionID": "ses_1", "info": {"id": "ses_1"}}});
        assert_eq!(noted(Host::Opencode, &own).map(|noted| noted.0), moment, "{kind}");
    }
    assert_eq!(noted(Host::Opencode, &json!({"event": "dispose"})), Some((Moment::CatchUp, None, None)));
}

#[test]
fn what_is_not_understood_is_a_reason_to_catch_up() {
    let cases: [&[u8]; 12] = [
        b"",
        b"   \n",
        b"null",
        b"[]",
        b"{}",
        b"\"text\"",
        b"not json",
        b"\xff\xfe\x00",
        b"{\"session_id\": 7, \"cwd\": []}",
        b"{\"session_id\": \"\", \"hook_event_name\": null}",
        b"{\"session_id\": \"../../etc/passwd\"}",
        b"{\"cwd\": \"/w\"",
    ];
    for payload in cases {
        for host in HOOKED {
            let note = note(host, payload).unwrap();
            assert_eq!((note.moment, note.session), (Moment::CatchUp, None), "{}", String::from_utf8_lossy(payload));
        }
    }
    let deep = format!("{{\"x\": {}", "[".repeat(100_000));
    assert_eq!(note(Host::Codex, deep.as_bytes()).unwrap().moment, Moment::CatchUp);
}

#[test]
fn what_came_before_the_payload_breaks_counts() {
    let cut = b"\xef\xbb\xbf{\"session_id\": \"a\", \"session_id\": \"b\", \"hook_event_name\": \"Stop\", \"x\": 1e999, \"y\": \"\\ud83d";
    let note = note(Host::Codex, cut).unwrap();
    assert_eq!((note.moment, note.session.as_deref()), (Moment::Turn, Some("b")));
}

#[test]
fn a_big_payload_is_understood_and_not_kept() {
    let said = "I'm a nurse. ".repeat(800_000);
    let payload = json!({"event": "before_reset", "messages": [{"content": said}], "sessionId": "s1", "cwd": said});
    let note = note(Host::Openclaw, payload.to_string().as_bytes()).unwrap();
    assert_eq!((note.session.as_deref(), note.cwd), (Some("s1"), None));
}

#[test]
fn notes_of_one_session_become_one_and_others_do_not() {
    let of = |event: &str, session: &str| {
        let payload = json!({"session_id": session, "hook_event_name": event});
        note(Host::Codex, payload.to_string().as_bytes()).unwrap()
    };
    let (turn, end) =
        (of("Stop", "a"), Note { transcript: Some("/t/a.jsonl".into()), tries: 2, ..of("SessionEnd", "a") });
    assert!(turn.is_with(&end) && end.is_with(&turn));
    let one = end.clone().with(turn.clone());
    assert_eq!(
        (one.moment, one.transcript, one.tries, one.event.as_str()),
        (Moment::End, end.transcript.clone(), 2, "Stop")
    );
    assert!(!turn.is_with(&of("Stop", "b")));
    assert!(!turn.is_with(&of("SessionStart", "a")));
    assert!(!turn.is_with(&Note { store: Some("/s".into()), ..turn.clone() }));
    assert!(of("SessionStart", "a").is_with(&of("SessionStart", "b")));
}
