//! What each host needs, and only that.

use super::*;

fn client(version: &str) -> Client {
    Client { path: PathBuf::from("/usr/bin/x"), version: Some(version.to_owned()) }
}

fn health(home: &Home, host: Host) -> Health {
    examine(host, &home.places, None, "main").unwrap()
}

#[test]
fn codex_gets_hooks_and_an_old_one_notify() {
    let home = Home::new();
    let config = home.write(".codex/config.toml", "# mine\r\nmodel = \"x\"\r\n\r\n[profiles.a]\r\nmodel = \"y\"\r\n");
    let before = home.tree();
    home.install(Host::Codex);
    let hooks = value(&fs::read_to_string(home.path(".codex/hooks.json")).unwrap());
    let events: Vec<&String> = hooks["hooks"].as_object().unwrap().keys().collect();
    assert_eq!(events, ["PreCompact", "SessionEnd", "SessionStart", "Stop"]);
    home.uninstall(Host::Codex);
    assert_eq!(home.tree(), before);

    let old = client("0.98.0");
    let plan = home.plan_for(Host::Codex, Path::new("/usr/bin/afterword"), Some(&old)).unwrap();
    let no_tools = |step: &Step| step.name != "tools";
    home.commit(Host::Codex, &plan, no_tools).unwrap();
    let expected = "# mine\r\nmodel = \"x\"\r\n\r\nnotify = [\"/usr/bin/afterword\", \"hook\", \"codex\"]\r\n[profiles.a]\r\nmodel = \"y\"\r\n";
    assert_eq!(fs::read_to_string(&config).unwrap(), expected);
    assert_eq!(home.commit(Host::Codex, &plan, no_tools).unwrap(), 0);
    fs::write(&config, format!("{expected}z = 1\r\n")).unwrap();
    home.uninstall(Host::Codex);
    let text = "# mine\r\nmodel = \"x\"\r\n\r\n[profiles.a]\r\nmodel = \"y\"\r\nz = 1\r\n";
    assert_eq!(fs::read_to_string(&config).unwrap(), text);
}

#[test]
fn notify_goes_where_toml_takes_it_for_a_top_level_key() {
    let program = ["/a".to_owned()];
    for (before, after) in [
        ("", "notify = [\"/a\"]\n"),
        ("a = 1", "a = 1\nnotify = [\"/a\"]\n"),
        ("\u{feff}[t]\n", "\u{feff}notify = [\"/a\"]\n[t]\n"),
        ("a = [\n[1],\n]\n[[t]]\n", "a = [\n[1],\n]\nnotify = [\"/a\"]\n[[t]]\n"),
        ("a = '''\n[t]\n'''\n  [\"t.u\"]", "a = '''\n[t]\n'''\nnotify = [\"/a\"]\n  [\"t.u\"]"),
    ] {
        let text = toml::notify(before, &program).unwrap().unwrap();
        assert_eq!(text, after);
        let plain = text.trim_start_matches('\u{feff}');
        let table: ::toml::Table = plain.parse().unwrap();
        assert_eq!(table["notify"][0].as_str(), Some("/a"));
        assert_eq!(toml::notify(&text, &program).unwrap(), None);
    }
    let own = toml::notify("\n notify = [\"mine\"]", &program).unwrap_err();
    assert!(own.what.contains("set already"), "{own:?}");
    let broken = toml::notify("a = 1\nb = = 2\n", &program).unwrap_err();
    assert_eq!(json::line_of("a = 1\nb = = 2\n", broken.at), 2);
}

#[test]
fn gemini_is_called_at_the_end_of_a_session_only() {
    let home = Home::new();
    home.write(".gemini/settings.json", "{}");
    home.install(Host::Gemini);
    let hooks = value(&fs::read_to_string(home.path(".gemini/settings.json")).unwrap());
    assert_eq!(hooks["hooks"].as_object().unwrap().len(), 1);
    assert_eq!(hooks["hooks"]["SessionEnd"][0]["hooks"][0]["timeout"], 10_000);
    assert!(matches!(health(&home, Host::Gemini).hook, Hook::Gone { .. }), "the program of this test is not there");
}

#[test]
fn opencode_gets_a_stand_in_only_where_nothing_needs_the_package() {
    let names =
        |home: &Home| -> Vec<&str> { home.plan(Host::Opencode).unwrap().steps.iter().map(|step| step.name).collect() };
    let home = Home::new();
    assert_eq!(names(&home), ["plugin", "stand-in", "skill", "tools"]);
    home.install(Host::Opencode);
    assert!(home.path(".config/opencode/node_modules").is_dir());
    assert_eq!(names(&home), ["plugin", "stand-in", "skill", "tools"]);
    assert!(health(&home, Host::Opencode).advice.iter().all(|advice| !advice.contains("package-lock")));
    home.write(".config/opencode/plugins/mine.ts", "");
    assert!(health(&home, Host::Opencode).advice.iter().any(|advice| advice.contains("package-lock")));
    home.uninstall(Host::Opencode);
    assert_eq!(names(&home), ["plugin", "skill", "tools"]);
    assert!(home.path(".config/opencode/plugins/mine.ts").exists());
    assert!(!home.path(".config/opencode/node_modules").exists());
}

const OPENCLAW: &str = ".openclaw/openclaw.json";

fn openclaw(home: &Home) -> Value {
    value(&fs::read_to_string(home.path(OPENCLAW)).unwrap())
}

#[test]
fn openclaw_s_lists_are_added_to() {
    let home = Home::new();
    home.write(
        OPENCLAW,
        "// mine\n{\n  memory: {search: {extraPaths: ['notes', {path: '/srv'}]}},\n  plugins: {allow: ['slack'], entries: {\n    'active-memory': {config: {agents: ['work']}}}},\n  hooks: {internal: {entries: {'session-memory': {enabled: true}}}},\n}\n",
    );
    let before = home.tree();
    home.install(Host::Openclaw);
    let config = openclaw(&home);
    assert_eq!(config["memory"]["search"]["extraPaths"], serde_json::json!(["notes", {"path": "/srv"}, ".reflexio/"]));
    assert_eq!(config["plugins"]["allow"], serde_json::json!(["slack", "afterword", "active-memory"]));
    assert_eq!(config["plugins"]["entries"]["afterword"]["enabled"], true);
    assert_eq!(config["plugins"]["entries"]["active-memory"]["config"]["agents"], serde_json::json!(["work", "main"]));
    let internal = &config["hooks"]["internal"];
    assert_eq!((&internal["enabled"], &internal["entries"]["afterword"]["enabled"]), (&true.into(), &true.into()));
    assert_eq!(internal["entries"]["session-memory"]["enabled"], true);
    assert!(home.path(".openclaw/workspace/.reflexio/.setup_complete_main").exists());
    assert_eq!(health(&home, Host::Openclaw).memory_indexed, Some(true));
    home.uninstall(Host::Openclaw);
    assert_eq!(home.tree(), before);
}

#[test]
fn openclaw_rewriting_its_file_does_not_keep_us_in_it() {
    let home = Home::new();
    home.write(OPENCLAW, "{\n  // mine\n  \"gateway\": {\"mode\": \"local\"}\n}\n");
    home.install(Host::Openclaw);
    let mut config = openclaw(&home);
    config["meta"] = serde_json::json!({"lastTouchedVersion": "2026.9.6"});
    home.write(OPENCLAW, serde_json::to_string_pretty(&config).unwrap());
    home.uninstall(Host::Openclaw);
    let expected = serde_json::json!({"gateway": {"mode": "local"}, "meta": {"lastTouchedVersion": "2026.9.6"}});
    assert_eq!(openclaw(&home), expected);
}

#[test]
fn the_older_memory_key_is_used_where_it_is_in_use_or_the_version_is_old() {
    let old = "{\"agents\": {\"defaults\": {\"memorySearch\": {\"extraPaths\": [\"a\"]}}}}";
    let touched = "{\"meta\": {\"lastTouchedVersion\": \"2026.4.12\"}}";
    for (config, version, is_old) in [
        ("{}", None, false),
        ("{}", Some("2026.6.10"), true),
        ("{}", Some("2026.9.6"), false),
        (old, None, true),
        (touched, None, true),
        ("{\"memory\": {\"search\": {}}, \"meta\": {\"lastTouchedVersion\": \"2026.4.12\"}}", None, false),
    ] {
        let home = Home::new();
        home.write(OPENCLAW, config);
        let client = version.map(client);
        let plan = home.plan_for(Host::Openclaw, Path::new("/usr/bin/afterword"), client.as_ref()).unwrap();
        home.commit(Host::Openclaw, &plan, |_| true).unwrap();
        let config = openclaw(&home);
        let place = if is_old { &config["agents"]["defaults"]["memorySearch"] } else { &config["memory"]["search"] };
        assert_eq!(place["extraPaths"].as_array().unwrap().last().unwrap(), ".reflexio/", "{config}");
    }
}

#[test]
fn a_hook_s_name_never_switches_other_hooks_off() {
    let home = Home::new();
    home.write(OPENCLAW, "{\"hooks\": {\"internal\": {\"enabled\": true}}}");
    home.install(Host::Openclaw);
    assert_eq!(openclaw(&home)["hooks"]["internal"], serde_json::json!({"enabled": true}));
    assert!(home.path(".openclaw/hooks/afterword/HOOK.md").exists());

    let home = Home::new();
    home.write(OPENCLAW, "{\"hooks\": {\"internal\": {\"enabled\": false}}}");
    let plan = home.plan(Host::Openclaw).unwrap();
    assert!(plan.steps.iter().all(|step| step.name != "hook"));
    assert!(plan.notes.iter().any(|note| note.contains("hooks.internal.enabled")));
}

#[test]
fn what_is_declined_is_left_out_and_the_rest_works() {
    let home = Home::new();
    home.write(OPENCLAW, "{}");
    home.install_some(Host::Openclaw, |step| !["memory", "active-memory"].contains(&step.name)).unwrap();
    let config = openclaw(&home);
    assert_eq!(config.get("memory"), None);
    assert_eq!(config["plugins"]["entries"].get("active-memory"), None);
    let health = health(&home, Host::Openclaw);
    assert_eq!(health.memory_indexed, Some(false));
    assert!(health.advice.iter().any(|advice| advice.contains("memory.search.extraPaths")), "{:?}", health.advice);
    assert_eq!(home.install(Host::Openclaw), 2, "what was declined can be agreed to later");
    home.uninstall(Host::Openclaw);
    assert_eq!(fs::read_to_string(home.path(OPENCLAW)).unwrap(), "{}");
}

#[test]
fn each_agent_is_set_up_in_its_own_workspace() {
    let home = Home::new();
    home.write(OPENCLAW, "{agents: {defaults: {workspace: '~/claw'}, entries: {work: {workspace: '/srv/work'}}}}");
    let config = openclaw::config::Config::read(&home.places).unwrap();
    for (agent, workspace) in [("main", home.path("claw")), ("work", "/srv/work".into()), ("x", home.path("claw/x"))] {
        assert_eq!(config.workspace(agent, &home.places), workspace);
    }
}

#[test]
fn doctor_tells_the_last_run_and_what_to_do() {
    let home = Home::new();
    let program = home.write("bin/afterword", "");
    home.write(".claude/settings.json", "{}");
    let absent = health(&home, Host::ClaudeCode);
    assert_eq!((absent.found, &absent.hook), (true, &Hook::Absent));
    assert!(absent.advice[0].contains("afterword install claude-code"));
    let plan = home.plan_for(Host::ClaudeCode, &program, None).unwrap();
    home.commit(Host::ClaudeCode, &plan, |_| true).unwrap();
    assert_eq!(health(&home, Host::ClaudeCode).hook, Hook::Active { program: program.clone() });
    home.write(
        ".local/state/afterword/last/claude-code.json",
        "{\"at\": \"2026-05-04T09:30:00Z\", \"event\": \"SessionEnd\", \"how\": \"failed\", \"told\": \"no such file\", \"first\": \"2026-05-04T09:30:00Z\"}",
    );
    let failed = health(&home, Host::ClaudeCode);
    assert_eq!(failed.last.as_ref().unwrap().at.to_rfc3339(), "2026-05-04T09:30:00+00:00");
    assert!(failed.advice[0].contains("no such file"));
    fs::remove_file(&program).unwrap();
    assert_eq!(health(&home, Host::ClaudeCode).hook, Hook::Gone { program });
    assert!(!health(&home, Host::Codex).found);
}

#[test]
fn doctor_tells_why_a_host_is_silent() {
    for (host, file, text, why) in [
        (Host::ClaudeCode, ".claude/settings.json", "{\n  // mine\n}", "for line 2"),
        (Host::ClaudeCode, ".claude/settings.json", "{\"disableAllHooks\": true}", "disableAllHooks"),
        (Host::Gemini, ".gemini/settings.json", "{\"hooksConfig\": {\"enabled\": false}}", "hooksConfig.enabled"),
        (Host::Codex, ".codex/config.toml", "[features]\nhooks = false\n", "features.hooks"),
        (Host::Codex, ".codex/config.toml", "", "Hooks need review"),
    ] {
        let home = Home::new();
        home.write(file, text);
        home.install(host);
        let advice = health(&home, host).advice;
        assert!(advice.iter().any(|advice| advice.contains(why)), "{advice:?}");
    }
    let home = Home::new();
    let trusted = "[hooks.state.\"/home/ana/.codex/hooks.json:stop:0:0\"]\ntrusted_hash = \"sha256:0\"\n";
    home.write(".codex/config.toml", trusted);
    home.install(Host::Codex);
    let advice = health(&home, Host::Codex).advice;
    assert!(advice.iter().all(|advice| !advice.contains("review")), "{advice:?}");
}
