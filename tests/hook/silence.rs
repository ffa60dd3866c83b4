//! Whatever a host gives, its hook succeeds and says nothing.

use std::fs;
use std::process::Stdio;

use serde_json::json;

use crate::support::hooks::STATE;
use crate::support::sandbox::Sandbox;

const HOSTS: [&str; 6] = ["openclaw", "claude-code", "codex", "codebuddy", "opencode", "gemini"];

#[test]
fn garbage_is_no_error() {
    let sandbox = Sandbox::new();
    let deep = "[".repeat(200_000);
    let long = json!({"session_id": "s", "hook_event_name": "Stop", "x": "y".repeat(10 << 20)}).to_string();
    let payloads: [&[u8]; 9] = [
        b"",
        b"\n",
        b"{",
        b"[1, 2]",
        b"\xff\xfe{}",
        b"{\"session_id\": {\"a\": 1}, \"transcript_path\": 7}",
        b"{\"session_id\": \"s\", \"transcript_path\": \"/\", \"hook_event_name\": \"SessionEnd\"}",
        deep.as_bytes(),
        long.as_bytes(),
    ];
    for payload in payloads {
        for host in HOSTS {
            sandbox.feed(["hook", host], payload).ends_silent();
        }
    }
    sandbox.settles();
}

#[test]
fn arguments_nobody_expects_are_no_error() {
    let sandbox = Sandbox::new();
    for args in [
        &["hook", "codex", "{\"type\": \"agent-turn-complete\""][..],
        &["hook", "codex", "--verbose", "--", "x"],
        &["hook", "cursor"],
        &["hook", "unheard-of", "-x"],
        &["hook"],
        &["hook", "claude-code", "--format", "nonsense"],
        &["hook", "--work"],
    ] {
        sandbox.run(args).ends_silent();
    }
    assert!(sandbox.log().contains("\"unheard-of\" is no host that is known"), "{}", sandbox.log());
    sandbox.settles();
}

#[test]
fn a_pipe_that_is_never_closed_is_no_error() {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command(["hook", "gemini"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let open = child.stdin.take();
    let output = child.wait_with_output().unwrap();
    drop(open);
    sandbox.finish(output).ends_silent();
    sandbox.settles();
}

#[test]
fn a_state_folder_that_cannot_be_is_no_error() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("file", "");
    let mut command = sandbox.command(["hook", "codex"]);
    sandbox.finish(command.env("AFTERWORD_STATE", file.join("state")).output().unwrap()).ends_silent();
    let mut homeless = sandbox.command(["hook", "codex"]);
    sandbox.finish(homeless.env("HOME", file.join("home")).output().unwrap()).ends_silent();
    assert!(!sandbox.path(STATE).exists());
}

#[test]
fn rules_that_cannot_be_read_cost_no_note() {
    let sandbox = Sandbox::new();
    let transcript = sandbox.write("s.jsonl", "{}\n");
    sandbox.write("rules/broken.toml", "[[trigger]]\nid =");
    let payload = json!({"session_id": "s", "transcript_path": transcript, "hook_event_name": "SessionEnd"});
    sandbox.feed(["--rules", "rules", "hook", "claude-code"], payload.to_string()).ends_silent();
    let start = std::time::Instant::now();
    while !sandbox.log().contains("left to the next run") && start.elapsed().as_secs() < 60 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert!(sandbox.log().contains("broken.toml"), "{}", sandbox.log());
    assert_eq!(sandbox.notes().len(), 1);
    let last = fs::read_to_string(sandbox.path(STATE).join("last/claude-code.json")).unwrap();
    assert!(last.contains("\"failed\"") && last.contains("broken.toml"), "{last}");
}
