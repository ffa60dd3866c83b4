//! What `doctor` says.

use crate::support::sandbox::Sandbox;

#[test]
fn it_says_for_each_host_how_it_stands() {
    let sandbox = Sandbox::new();
    sandbox.write("home/.claude/settings.json", "{}");
    sandbox.write("home/.gemini/settings.json", "{\n");
    let finished = sandbox.run(["doctor"]).exits(1);
    assert!(finished.out.contains("claude-code\n  hook      off\n"), "{}", finished.out);
    assert!(finished.out.contains("to do     switch it on with `afterword install claude-code`"), "{}", finished.out);
    assert!(finished.out.contains("codex: not found"), "{}", finished.out);
    assert!(finished.err.contains("settings.json:1: what begins here is never closed"), "{}", finished.err);
}

#[test]
fn nothing_to_do_is_exit_code_0() {
    let sandbox = Sandbox::new();
    sandbox.run(["doctor"]).exits(0);
    sandbox.run(["doctor", "codex"]).exits(1);
    sandbox.write("home/.claude/settings.json", "{}");
    sandbox.run(["install", "claude-code", "--yes"]).exits(0);
    let finished = sandbox.run(["doctor", "claude-code"]).exits(0);
    assert!(finished.out.contains("hook      on, calls "), "{}", finished.out);
    assert!(finished.out.contains("last run  never"), "{}", finished.out);
}

#[test]
fn the_last_run_and_its_error_are_told() {
    let sandbox = Sandbox::new();
    sandbox.write("home/.claude/settings.json", "{}");
    sandbox.run(["install", "claude-code", "--yes"]).exits(0);
    let last = "{\"at\": \"2026-05-04T09:30:00Z\", \"event\": \"SessionEnd\", \"how\": \"failed\", \"told\": \"the disk \\u001b[31mis full\", \"first\": \"2026-05-04T09:30:00Z\"}";
    sandbox.write("home/.local/state/afterword/last/claude-code.json", last);
    let finished = sandbox.run(["doctor", "claude-code"]).exits(1);
    assert!(
        finished.out.contains("last run  2026-05-04T09:30:00Z (SessionEnd): the disk [31mis full"),
        "{}",
        finished.out
    );
    assert!(finished.out.contains("`afterword replay`"), "{}", finished.out);
}
