//! A host is switched on and off again: shown, asked, done, given back.

use std::fs;

use crate::support::sandbox::Sandbox;
use crate::support::tree::tree;

/// Every host with a file of settings, as people keep them.
const HOSTS: [(&str, &str, &str); 6] = [
    (
        "claude-code",
        "home/.claude/settings.json",
        "{\r\n\t\"model\": \"opus\",\r\n\t\"hooks\": {\"Stop\": []}\r\n}\r\n",
    ),
    ("codebuddy", "home/.codebuddy/settings.json", "{\"a\":1}"),
    ("codex", "home/.codex/config.toml", "# mine\nmodel = \"x\"\n"),
    ("gemini", "home/.gemini/settings.json", "// mine\n{\n   \"theme\": \"x\", // dark\n}\n"),
    ("opencode", "home/.config/opencode/opencode.jsonc", "{ /* mine */ }"),
    (
        "openclaw",
        "home/.openclaw/openclaw.json",
        "{\n  // mine\n  gateway: {mode: 'local'},\n  plugins: {allow: ['slack']},\n}\n",
    ),
];

#[test]
fn every_host_is_switched_on_and_given_back_byte_for_byte() {
    let sandbox = Sandbox::new();
    for (_, file, text) in HOSTS {
        sandbox.write(file, text);
    }
    let before = tree(&sandbox.path("home"));
    for (host, ..) in HOSTS {
        let first = sandbox.run(["install", host, "--yes"]).exits(0);
        assert!(first.out.contains("+") && first.out.ends_with("done.\n"), "{}", first.out);
        let installed = tree(&sandbox.path("home"));
        let again = sandbox.run(["install", host]).exits(0);
        assert!(again.out.ends_with("everything is in place already.\n"), "{}", again.out);
        assert_eq!(tree(&sandbox.path("home")), installed);
        let health = sandbox.run(["doctor", host, "--format", "jsonl"]).json();
        assert_eq!(health[0]["hook"]["state"], "active", "{health:?}");
        assert_eq!(health[0]["hook"]["program"], env!("CARGO_BIN_EXE_afterword"));
    }
    for (host, ..) in HOSTS {
        sandbox.run(["uninstall", host, "--yes"]).exits(0);
    }
    assert_eq!(tree(&sandbox.path("home")), before);
    let folders = ["home/.local", "home/.claude/skills", "home/.openclaw/hooks", "home/.openclaw/extensions"];
    for folder in folders {
        assert!(!sandbox.path(folder).join("afterword").exists(), "{folder}");
    }
    let nothing = sandbox.run(["uninstall", "codex", "--yes"]).exits(0);
    assert!(nothing.out.contains("Nothing was installed for codex."));
}

#[test]
fn a_dry_run_shows_everything_and_writes_nothing() {
    for (host, file, text) in HOSTS {
        let sandbox = Sandbox::new();
        sandbox.write(file, text);
        let before = tree(&sandbox.path("home"));
        let dry = sandbox.run(["install", host, "--dry-run"]).exits(0);
        assert!(dry.out.contains("SKILL.md (new)"), "{}", dry.out);
        assert!(dry.out.contains("Nothing was written"), "{}", dry.out);
        assert_eq!(tree(&sandbox.path("home")), before);
        let steps = sandbox.run(["install", host, "--dry-run", "--format", "jsonl"]).exits(0).json();
        assert!(steps.iter().all(|step| step["outcome"] == "proposed" || step["note"].is_string()), "{steps:?}");
    }
}

#[test]
fn nobody_is_taken_to_have_agreed() {
    let sandbox = Sandbox::new();
    sandbox.write("home/.claude/settings.json", "{}");
    let before = tree(&sandbox.path("home"));
    let finished = sandbox.feed(["install", "claude-code"], "y\ny\n").exits(2);
    assert!(finished.err.contains("no terminal") && finished.err.contains("--yes"), "{}", finished.err);
    assert_eq!(tree(&sandbox.path("home")), before);
    sandbox.run(["install", "claude-code", "--yes"]).exits(0);
    let installed = tree(&sandbox.path("home"));
    sandbox.run(["uninstall", "claude-code"]).exits(2);
    assert_eq!(tree(&sandbox.path("home")), installed);
}

#[test]
fn a_broken_file_is_named_with_its_line_and_nothing_is_touched() {
    for (host, file, text, place) in [
        (
            "claude-code",
            "home/.claude/settings.json",
            "{\n  \"a\": 1\n  \"b\": 2\n}",
            "settings.json:3: a comma is missing",
        ),
        (
            "openclaw",
            "home/.openclaw/openclaw.json",
            "{\n  a: [\n}",
            "openclaw.json:3: `}` stands where `]` is missing",
        ),
        ("gemini", "home/.gemini/settings.json", "", "settings.json:1: it is empty"),
    ] {
        let sandbox = Sandbox::new();
        sandbox.write(file, text);
        let before = tree(&sandbox.path("home"));
        let finished = sandbox.run(["install", host, "--yes"]).exits(2);
        assert!(finished.err.contains(place), "{}", finished.err);
        assert!(finished.err.contains("hint: nothing was changed"), "{}", finished.err);
        assert_eq!(tree(&sandbox.path("home")), before);
    }
    let sandbox = Sandbox::new();
    sandbox.write("home/.codex/config.toml", "a = 1\nb = = 2\n");
    let finished = sandbox.run(["install", "codex", "--notify", "--yes"]).exits(2);
    assert!(finished.err.contains("config.toml:2: it is no TOML"), "{}", finished.err);
}

#[test]
fn a_host_that_is_not_there_is_not_switched_on() {
    let sandbox = Sandbox::new();
    let finished = sandbox.run(["install", "gemini", "--yes"]).exits(2);
    assert!(finished.err.contains("no sign of gemini"), "{}", finished.err);
    sandbox.write("home/.codex/config.toml", "");
    let listed = sandbox.run(["install"]).exits(0);
    assert!(listed.out.contains("afterword install codex"), "{}", listed.out);
    assert!(listed.out.contains("not found (no [DIR]/home/.claude)"), "{}", listed.out);
}

#[test]
fn moved_homes_and_the_state_folder_are_where_the_environment_says() {
    let sandbox = Sandbox::new();
    for folder in ["claude", "codex", "config/opencode", "claw"] {
        fs::create_dir_all(sandbox.path(folder)).unwrap();
    }
    for (host, file) in [
        ("claude-code", "claude/settings.json"),
        ("codex", "codex/hooks.json"),
        ("opencode", "config/opencode/plugins/afterword.js"),
        ("openclaw", "claw/openclaw.json"),
    ] {
        let mut command = sandbox.command(["install", host, "--yes"]);
        command.env("CLAUDE_CONFIG_DIR", sandbox.path("claude")).env("CODEX_HOME", sandbox.path("codex"));
        command.env("XDG_CONFIG_HOME", sandbox.path("config")).env("OPENCLAW_STATE_DIR", sandbox.path("claw"));
        command.env("AFTERWORD_STATE", sandbox.path("state"));
        sandbox.finish(command.output().unwrap()).exits(0);
        assert!(sandbox.path(file).is_file(), "{file}");
        assert!(sandbox.path("state/installed").join(format!("{host}.json")).is_file());
    }
    assert!(tree(&sandbox.path("home")).is_empty());
}

#[test]
fn keys_that_stand_beside_our_entry_are_not_shown() {
    let sandbox = Sandbox::new();
    let key = crate::support::secrets::secrets().remove(0);
    sandbox.write("home/.claude/settings.json", format!("{{\n  \"env\": {{\n    \"GH\": \"{key}\"\n  }}\n}}\n"));
    for format in ["human", "jsonl"] {
        let finished = sandbox.run(["install", "claude-code", "--dry-run", "--format", format]).exits(0);
        assert!(finished.out.contains("hook claude-code") && !finished.out.contains(&key), "{}", finished.out);
    }
}

#[cfg(unix)]
mod clients {
    //! Stand-ins for the hosts' own programs on the `PATH`.

    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::support::sandbox::Finished;

    fn program(sandbox: &Sandbox, name: &str, script: &str) {
        let path = sandbox.write(&format!("bin/{name}"), format!("#!/bin/sh\n{script}\n"));
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn run(sandbox: &Sandbox, args: &[&str]) -> Finished {
        let mut command = sandbox.command(args);
        command.env("PATH", format!("{}:/usr/bin:/bin", sandbox.path("bin").display()));
        sandbox.finish(command.output().unwrap())
    }

    #[test]
    fn an_old_codex_gets_notify_and_its_config_back() {
        let sandbox = Sandbox::new();
        program(&sandbox, "codex", "echo codex-cli 0.98.0");
        let config = sandbox.write("home/.codex/config.toml", "model = \"x\"\n\n[a]\nb = 1\n");
        run(&sandbox, &["install", "codex", "--yes"]).exits(0);
        let text = fs::read_to_string(&config).unwrap();
        assert!(text.contains("\nnotify = [\"") && text.contains("\", \"hook\", \"codex\"]\n[a]\n"), "{text}");
        let health = run(&sandbox, &["doctor", "codex", "--format", "jsonl"]).exits(0).json();
        assert_eq!((&health[0]["version"], &health[0]["hook"]["state"]), (&"0.98.0".into(), &"active".into()));
        run(&sandbox, &["uninstall", "codex", "--yes"]).exits(0);
        assert_eq!(fs::read_to_string(&config).unwrap(), "model = \"x\"\n\n[a]\nb = 1\n");
    }

    #[test]
    fn without_a_key_for_embeddings_openclaw_finds_by_words_and_is_set_up_all_the_same() {
        let sandbox = Sandbox::new();
        let script = "case $1 in memory) echo 'Reason: No API key found for provider \"openai\"' >&2; exit 1;; esac\necho OpenClaw 2026.6.10";
        program(&sandbox, "openclaw", script);
        sandbox.write("home/.openclaw/openclaw.json", "{}");
        let finished = run(&sandbox, &["install", "openclaw", "--yes", "--agent", "work"]).exits(0);
        assert!(finished.out.contains("finds by words only"), "{}", finished.out);
        assert!(finished.out.contains("agents.defaults.memorySearch.extraPaths"), "{}", finished.out);
        assert!(sandbox.path("home/.openclaw/workspace-work/.reflexio/.setup_complete_work").exists());
    }

    #[test]
    fn a_client_that_hangs_does_not_hold_doctor_up() {
        let sandbox = Sandbox::new();
        program(&sandbox, "gemini", "exec sleep 600");
        sandbox.write("home/.gemini/settings.json", "{}");
        let begun = std::time::Instant::now();
        let health = run(&sandbox, &["doctor", "gemini", "--format", "jsonl"]).exits(1).json();
        assert_eq!((&health[0]["found"], &health[0]["version"]), (&true.into(), &serde_json::Value::Null));
        assert!(begun.elapsed().as_secs() < 60);
    }
}

#[test]
fn hooks_without_their_record_are_told() {
    let sandbox = Sandbox::new();
    sandbox.write("home/.claude/settings.json", "{}");
    sandbox.run(["install", "claude-code", "--yes"]).exits(0);
    std::fs::remove_dir_all(sandbox.path("home/.local/state/afterword")).unwrap();
    let finished = sandbox.run(["uninstall", "claude-code", "--yes"]).exits(2);
    assert!(finished.err.contains("is gone from the state folder"), "{}", finished.err);
}
