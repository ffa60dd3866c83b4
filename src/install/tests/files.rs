//! Files as they are found, through `install` and `uninstall`.

use super::*;
use crate::host::HOOKED;

const SETTINGS: &str = ".claude/settings.json";

/// The forms in which a settings file is found.
const FORMS: [&str; 12] = [
    "{}",
    "{}\n",
    "{\"model\":\"opus\"}",
    "{\n  \"model\": \"opus\"\n}",
    "{\r\n\t\"model\": \"opus\",\r\n\t\"hooks\": {\r\n\t}\r\n}\r\n",
    "\u{feff}{\n     \"model\": \"opus\"\n}\n\n\n",
    "// mine\n{\n  /* a */ \"model\": \"opus\", // b\n  // c\n}\n// d",
    "{\n  \"hooks\": {\n    \"SessionEnd\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"log\"}]}\n    ]\n  }\n}\n",
    "{\"hooks\":{\"SessionEnd\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"log\"}]}],\"PreCompact\":[]}}",
    "{\n  \"hooks\": {\n    \"Stop\": [], // mine\n  },\n}\n",
    "{ \"permissions\": { \"allow\": [\"Bash(git:*)\"] }, \"hooks\": { } }",
    "{\n  \"hooks\": {},\n  \"env\": {\"A\": \"b\\\"}\"}\n}",
];

#[test]
fn every_form_comes_back_byte_for_byte() {
    for form in FORMS {
        let home = Home::new();
        let settings = home.write(SETTINGS, form);
        let before = home.tree();
        assert_eq!(home.install(Host::ClaudeCode), 3);
        let installed = fs::read_to_string(&settings).unwrap();
        let hooks = &value(&installed)["hooks"];
        for event in ["SessionStart", "PreCompact", "SessionEnd"] {
            let last = hooks[event].as_array().unwrap().last().unwrap();
            assert_eq!(last["hooks"][0]["command"], "'/opt/my tools/afterword' hook claude-code");
            assert_eq!(last["hooks"][0]["timeout"], 30);
        }
        let mut others = value(&installed);
        let crlf = |text: &str| (text.contains("\r\n"), text.replace("\r\n", "").contains('\n'));
        assert!(!crlf(form).0 || crlf(&installed) == (true, false), "{installed:?}");
        others.as_object_mut().unwrap().remove("hooks");
        let mut mine = value(form);
        mine.as_object_mut().unwrap().remove("hooks");
        assert_eq!(others, mine);
        assert_eq!(home.install(Host::ClaudeCode), 0, "a second time there is nothing to do");
        home.uninstall(Host::ClaudeCode);
        assert_eq!(home.tree(), before, "{form}");
        assert!(!home.state().exists(), "no trace is left");
    }
}

#[test]
fn what_the_person_changed_meanwhile_stays() {
    for form in FORMS {
        let home = Home::new();
        let settings = home.write(SETTINGS, form);
        home.install(Host::ClaudeCode);
        let installed = fs::read_to_string(&settings).unwrap();
        let (edited, _) = set(&installed, &path("theirs"), "[1, 2]").unwrap();
        fs::write(&settings, &edited.text).unwrap();
        home.uninstall(Host::ClaudeCode);
        let (expected, _) = set(form, &path("theirs"), "[1, 2]").unwrap();
        let left = fs::read_to_string(&settings).unwrap();
        let squeezed = |text: &str| text.split_whitespace().collect::<String>();
        assert_eq!(value(&left), value(&expected.text), "{left}");
        assert_eq!(squeezed(&left), squeezed(&expected.text));
    }
}

#[test]
fn installing_again_after_the_person_s_change_keeps_it_too() {
    let home = Home::new();
    let settings = home.write(SETTINGS, "{\n  \"model\": \"opus\"\n}\n");
    home.install(Host::ClaudeCode);
    let edited = fs::read_to_string(&settings).unwrap().replace("opus", "sonnet");
    fs::write(&settings, edited).unwrap();
    let moved = home.plan_for(Host::ClaudeCode, Path::new("/usr/bin/afterword"), None).unwrap();
    assert_eq!(home.commit(Host::ClaudeCode, &moved, |_| true).unwrap(), 2);
    let text = fs::read_to_string(&settings).unwrap();
    assert_eq!(text.matches("hook claude-code").count(), 3, "the entries of the older place are gone: {text}");
    home.uninstall(Host::ClaudeCode);
    assert_eq!(fs::read_to_string(&settings).unwrap(), "{\n  \"model\": \"sonnet\"\n}\n");
}

#[test]
fn files_and_folders_that_were_not_there_go_again() {
    for host in HOOKED {
        let home = Home::new();
        fs::create_dir_all(settings(host, &home.places)).unwrap();
        let before = home.tree();
        assert!(home.install(host) > 0);
        assert_ne!(home.tree(), before);
        assert_eq!(home.install(host), 0);
        home.uninstall(host);
        assert_eq!(home.tree(), before, "{}", host.name());
    }
}

#[test]
fn a_created_file_that_the_person_added_to_stays() {
    let home = Home::new();
    home.write(".claude/x", "");
    home.install(Host::ClaudeCode);
    let text = fs::read_to_string(home.path(SETTINGS)).unwrap();
    home.write(SETTINGS, set(&text, &path("model"), "\"opus\"").unwrap().0.text);
    home.write(".claude/skills/own/SKILL.md", "mine");
    home.uninstall(Host::ClaudeCode);
    assert_eq!(value(&fs::read_to_string(home.path(SETTINGS)).unwrap()), serde_json::json!({"model": "opus"}));
    assert!(home.path(".claude/skills/own/SKILL.md").exists());
    assert!(!home.path(".claude/skills/afterword").exists());
}

#[test]
fn a_skill_that_the_person_changed_is_taken_out_and_a_copy_kept() {
    let home = Home::new();
    home.write(SETTINGS, "{}");
    home.install(Host::ClaudeCode);
    home.write(".claude/skills/afterword/SKILL.md", "my own words");
    home.uninstall(Host::ClaudeCode);
    assert!(!home.path(".claude/skills").exists());
    assert_eq!(fs::read_to_string(home.state().join("kept/claude-code/SKILL.md")).unwrap(), "my own words");
}

#[test]
fn what_the_person_removed_meanwhile_is_not_brought_back() {
    let home = Home::new();
    home.write(SETTINGS, "{}");
    home.install(Host::ClaudeCode);
    fs::remove_file(home.path(SETTINGS)).unwrap();
    home.uninstall(Host::ClaudeCode);
    assert!(!home.path(SETTINGS).exists());
}

#[test]
fn a_file_that_cannot_be_edited_is_refused_and_nothing_is_touched() {
    for (form, place, what) in [
        (&b""[..], ":1", "it is empty"),
        (b"{\n  \"hooks\": {\n", ":2", "never closed"),
        (b"{\n\n  \"hooks\": []\n}", ":3", "`hooks` is a list, and should be an object"),
        (b"{\"hooks\": {\n\"SessionEnd\": {}}}", ":2", "`hooks.SessionEnd` is an object, and should be a list"),
        (b"[]", ":1", "the file is a list, and should be an object"),
        (b"{\n\"a\": 1,\n\"a\": 2\n}", ":3", "the name `a` stands twice"),
        (b"{\n\"a\": \"\xff\"}", ":2", "not UTF-8"),
        (b"\xff\xfe{\x00", ":1", "not UTF-8"),
    ] {
        let home = Home::new();
        home.write(SETTINGS, form);
        let before = home.tree();
        let error = home.install_some(Host::ClaudeCode, |_| true).unwrap_err();
        let text = error.to_string();
        assert!(text.contains(&format!("settings.json{place}: ")) && text.contains(what), "{text}");
        assert_eq!(home.tree(), before);
        assert!(!home.state().exists());
    }
}

#[test]
fn after_a_crash_uninstall_finishes_and_install_can_be_done_again() {
    for crashed_before in [0, 1] {
        let home = Home::new();
        let forms = [(SETTINGS, FORMS[7]), (".claude/skills/afterword/SKILL.md", "an older skill")];
        for (name, form) in forms {
            home.write(name, form);
        }
        let before = home.tree();
        home.install(Host::ClaudeCode);
        // The record is there; the files from `crashed_before` on were never written.
        for (name, form) in forms.iter().skip(crashed_before) {
            home.write(name, form);
        }
        assert!(home.install(Host::ClaudeCode) > 0);
        for (name, form) in forms.iter().skip(crashed_before) {
            home.write(name, form);
        }
        home.uninstall(Host::ClaudeCode);
        assert_eq!(home.tree(), before);
    }
}

#[test]
fn without_a_record_our_own_entries_are_known_by_their_command() {
    let home = Home::new();
    home.write(SETTINGS, FORMS[3]);
    home.install(Host::ClaudeCode);
    fs::remove_dir_all(home.path(".local")).unwrap();
    let moved = home.plan_for(Host::ClaudeCode, Path::new("/usr/bin/afterword"), None).unwrap();
    home.commit(Host::ClaudeCode, &moved, |_| true).unwrap();
    assert_eq!(fs::read_to_string(home.path(SETTINGS)).unwrap().matches("hook claude-code").count(), 3);
    home.uninstall(Host::ClaudeCode);
    assert!(!fs::read_to_string(home.path(SETTINGS)).unwrap().contains("afterword"));
}

#[test]
fn a_backup_that_was_tampered_with_is_not_restored() {
    let home = Home::new();
    home.write(SETTINGS, FORMS[3]);
    home.install(Host::ClaudeCode);
    let backups = home.state().join("backups/claude-code");
    let backup = fs::read_dir(backups).unwrap().next().unwrap().unwrap().path();
    fs::write(&backup, "{}").unwrap();
    let error = removal(Host::ClaudeCode, &home.state()).unwrap_err().to_string();
    assert!(error.contains("backup"), "{error}");
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_link_stays_a_link_and_permissions_stay() {
        let home = Home::new();
        let real = home.write("dotfiles/claude.json", FORMS[6]);
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
        fs::create_dir(home.path(".claude")).unwrap();
        symlink("../dotfiles/claude.json", home.path(SETTINGS)).unwrap();
        let before = home.tree();
        home.install(Host::ClaudeCode);
        assert!(home.path(SETTINGS).is_symlink());
        assert!(fs::read_to_string(&real).unwrap().contains("hook claude-code"));
        assert_eq!(mode(&real), 0o640);
        let backup = fs::read_dir(home.state().join("backups/claude-code")).unwrap().next().unwrap().unwrap().path();
        assert_eq!((mode(&backup), mode(backup.parent().unwrap())), (0o600, 0o700), "it may hold keys");
        home.uninstall(Host::ClaudeCode);
        assert!(home.path(SETTINGS).is_symlink());
        assert_eq!((home.tree(), mode(&real)), (before, 0o640));
    }

    #[test]
    fn a_read_only_file_and_a_link_into_nowhere_are_refused() {
        let home = Home::new();
        let settings = home.write(SETTINGS, "{}");
        fs::set_permissions(&settings, fs::Permissions::from_mode(0o444)).unwrap();
        let error = home.install_some(Host::ClaudeCode, |_| true).unwrap_err().to_string();
        assert!(error.ends_with("settings.json: it is read-only"), "{error}");
        fs::remove_file(&settings).unwrap();
        symlink("nowhere.json", &settings).unwrap();
        let error = home.install_some(Host::ClaudeCode, |_| true).unwrap_err().to_string();
        assert!(error.ends_with("settings.json: it is a link that leads nowhere"), "{error}");
    }
}

#[test]
fn a_server_s_table_goes_to_the_end_and_comes_out_again() {
    let args = ["mcp".to_owned()];
    let table = |program: &str| format!("[mcp_servers.afterword]\ncommand = \"{program}\"\nargs = [\"mcp\"]\n");
    for before in ["", "a = 1", "a = 1\n", "\u{feff}[t]\nb = 2\n", "[mcp_servers.other]\ncommand = \"x\"\n"] {
        let after = toml::server(before, "afterword", "/a", &args).unwrap().unwrap();
        assert!(after.starts_with(before) && after.ends_with(&table("/a")), "{after}");
        assert_eq!(toml::server(&after, "afterword", "/a", &args).unwrap(), None);
        let moved = toml::server(&after, "afterword", "/b", &args).unwrap().unwrap();
        assert!(moved.ends_with(&table("/b")) && !moved.contains("/a\""), "{moved}");
        let out = toml::without_server(&(after + "\n[later]\nc = 3\n"), "afterword", &args).unwrap();
        assert!(out.starts_with(before) && out.ends_with("[later]\nc = 3\n") && !out.contains("afterword"), "{out}");
    }
    let lived_in =
        "[a]\nx = 1\n\n".to_owned() + &table("/a") + "startup_timeout_sec = 30\n\n# Theirs.\n[later]\nc = 3\n";
    assert_eq!(toml::server(&lived_in, "afterword", "/a", &args).unwrap(), None);
    let moved = toml::server(&lived_in, "afterword", "/b", &args).unwrap().unwrap();
    assert_eq!(moved, lived_in.replace("/a", "/b"), "nothing but the program changes");
    let out = toml::without_server(&lived_in, "afterword", &args).unwrap();
    assert_eq!(out, "[a]\nx = 1\n\n# Theirs.\n[later]\nc = 3\n");
    for own in ["[mcp_servers.afterword]\ncommand = \"mine\"\n", "mcp_servers = {x = {command = \"y\"}}\n"] {
        assert!(toml::server(own, "afterword", "/a", &args).unwrap_err().what.contains("by hand"), "{own}");
        assert_eq!(toml::without_server(own, "afterword", &args).unwrap(), own);
    }
}

#[test]
fn every_host_with_a_list_of_servers_gets_ours_beside_the_person_s() {
    for (host, file, list) in [
        (Host::ClaudeCode, ".claude.json", "mcpServers"),
        (Host::Codebuddy, ".codebuddy/.mcp.json", "mcpServers"),
        (Host::Gemini, ".gemini/settings.json", "mcpServers"),
        (Host::Opencode, ".config/opencode/opencode.json", "mcp"),
    ] {
        let home = Home::new();
        home.write(file, format!("{{\"{list}\": {{\"mine\": {{}}}}, \"x\": 1}}\n"));
        let before = home.tree();
        home.install(host);
        let config = value(&fs::read_to_string(home.path(file)).unwrap());
        assert!(
            config[list]["mine"].is_object() && config[list]["afterword"].to_string().contains("\"mcp\""),
            "{config}"
        );
        // The host writes its file anew while we are in it.
        let rewritten = serde_json::json!({"x": 2, list: {"afterword": config[list]["afterword"], "mine": {}}});
        home.write(file, rewritten.to_string());
        home.uninstall(host);
        assert_eq!(
            value(&fs::read_to_string(home.path(file)).unwrap()),
            serde_json::json!({"x": 2, list: {"mine": {}}})
        );
        home.write(file, format!("{{\"{list}\": {{\"mine\": {{}}}}, \"x\": 1}}\n"));
        assert_eq!(home.tree(), before);
    }
}

#[test]
fn recall_is_put_in_only_where_it_was_asked_for() {
    for (host, file) in [(Host::ClaudeCode, ".claude/settings.json"), (Host::Codex, ".codex/hooks.json")] {
        let home = Home::new();
        home.write(file, "{}");
        home.install(host);
        assert!(!fs::read_to_string(home.path(file)).unwrap().contains("UserPromptSubmit"));
        let plan = home.recalling(host);
        home.commit(host, &plan, |_| true).unwrap();
        assert!(fs::read_to_string(home.path(file)).unwrap().contains("UserPromptSubmit"));
        home.uninstall(host);
        assert_eq!(fs::read_to_string(home.path(file)).unwrap(), "{}");
    }
    let home = Home::new();
    home.write(".openclaw/openclaw.json", "{}");
    let plugin = ".openclaw/extensions/afterword/index.js";
    home.install(Host::Openclaw);
    assert!(fs::read_to_string(home.path(plugin)).unwrap().contains("const RECALL = false"));
    let plan = home.recalling(Host::Openclaw);
    home.commit(Host::Openclaw, &plan, |_| true).unwrap();
    assert!(fs::read_to_string(home.path(plugin)).unwrap().contains("const RECALL = true"));
    assert!(fs::read_to_string(home.path(".openclaw/openclaw.json")).unwrap().contains("allowConversationAccess"));
    home.uninstall(Host::Openclaw);
    assert_eq!(fs::read_to_string(home.path(".openclaw/openclaw.json")).unwrap(), "{}");
    let manifest = home.recalling(Host::Gemini);
    assert!(manifest.notes.iter().any(|note| note.contains("cannot put memories")), "{:?}", manifest.notes);
}
