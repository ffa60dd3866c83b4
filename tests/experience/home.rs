//! The home as processes use it: replayed into, reviewed, forgotten, exported, steered, and written by many at once.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::sandbox::Sandbox;
use crate::support::sessions::{Script, session};
use crate::support::tree::tree;

const HOME: &str = "home/learn-from-experience";

/// A session in which this rule was said as a correction; approved of, if so.
fn corrected(id: &str, day: u32, rule: &str, then: &str) -> Script {
    session(id, &format!("2026-01-{day:02}T08:00:00Z"))
        .says("Write the release notes.")
        .answers("# Notes in a table …")
        .says(rule)
        .answers("You're right. Here they are as plain lists.")
        .says(then)
        .answers("Good.")
}

const RULE: &str = "No, never use tables in release notes, always use plain lists.";
const APPROVED: &str = "Perfect, that's exactly right, thanks!";

fn on() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.run(["experience", "on"]).exits(0);
    sandbox
}

fn page(sandbox: &Sandbox, name: &str) -> String {
    fs::read_to_string(sandbox.path(HOME).join(name)).unwrap_or_default()
}

/// The home without what only one machine knows.
fn home(sandbox: &Sandbox) -> std::collections::BTreeMap<String, Vec<u8>> {
    tree(&sandbox.path(HOME))
}

/// A home that holds one confirmed preference.
fn fed() -> Sandbox {
    let sandbox = on();
    sandbox.saves("s1", &corrected("s1", 10, RULE, APPROVED));
    sandbox.run(["replay"]).exits(0);
    sandbox
}

/// A home in which one lesson was taught in three sessions and never approved of.
fn asked() -> Sandbox {
    let sandbox = on();
    for (n, rule) in [RULE, "No, use plain lists in release notes, never tables.", RULE].into_iter().enumerate() {
        let day = 10 + u32::try_from(n).unwrap();
        sandbox.saves(&format!("s{n}"), &corrected(&format!("s{n}"), day, rule, "Now count the open issues."));
    }
    sandbox.run(["replay"]).exits(0);
    sandbox
}

#[test]
fn a_replay_feeds_the_home_and_nothing_counts_twice() {
    let sandbox = fed();
    assert!(page(&sandbox, "memory.md").contains("plain lists"), "{}", page(&sandbox, "memory.md"));
    let before = home(&sandbox);
    // Again, read anew, by `extract`, by a hook, and as a copy under another name.
    sandbox.run(["replay"]).exits(0);
    sandbox.run(["replay", "--again"]).exits(0);
    sandbox.extract(&[&sandbox.path("home/.openclaw")]).exits(0);
    sandbox.hook("openclaw", &json!({"event": "command:stop", "sessionKey": "agent:main:main", "sessionId": "s1"}));
    sandbox.settles();
    let copy = sandbox
        .write("copy.jsonl", corrected("s1", 10, RULE, APPROVED).jsonl().replace("\"id\":\"s1\"", "\"id\":\"f1\""));
    sandbox.extract(&[&copy]).exits(0);
    assert_eq!(home(&sandbox), before);
}

#[test]
fn a_dry_replay_and_one_without_a_home_feed_nothing() {
    let sandbox = on();
    let before = home(&sandbox);
    sandbox.saves("s1", &corrected("s1", 10, RULE, APPROVED));
    sandbox.run(["replay", "--dry-run"]).exits(0);
    assert_eq!(home(&sandbox), before);
    fs::remove_dir_all(sandbox.path(HOME)).unwrap();
    sandbox.run(["replay"]).exits(0);
    assert!(!sandbox.path(HOME).exists());
}

#[test]
fn nothing_reaches_a_global_file_that_was_only_said_or_tacitly_accepted() {
    let sandbox = on();
    let file = sandbox.write("home/.codex/AGENTS.md", "# Agents\n");
    sandbox.run(["sync", "--yes"]).exits(0);
    let empty = fs::read_to_string(&file).unwrap();
    sandbox.saves("t0", &corrected("t0", 10, RULE, "Now count the open issues."));
    sandbox.saves("t1", &session("t1", "2026-01-11T08:00:00Z").says("I prefer short answers.").answers("Noted."));
    sandbox.run(["replay"]).exits(0);
    let kept: String = home(&sandbox).values().map(|bytes| String::from_utf8_lossy(bytes).into_owned()).collect();
    assert!(kept.contains("short answers") && kept.contains("plain lists"), "both are in the home: {kept}");
    assert_eq!(fs::read_to_string(&file).unwrap(), empty);
    // Approved of, it is there at once.
    sandbox.saves("t2", &corrected("t2", 12, RULE, APPROVED));
    sandbox.run(["replay"]).exits(0);
    let synced = fs::read_to_string(&file).unwrap();
    assert!(synced.contains("plain lists") && !synced.contains("short answers"), "{synced}");
}

#[test]
fn what_was_taught_three_times_waits_for_a_yes_in_review() {
    let sandbox = asked();
    let file = sandbox.write("home/.codex/AGENTS.md", "# Agents\n");
    sandbox.run(["sync", "--yes"]).exits(0);
    assert!(!fs::read_to_string(&file).unwrap().contains("lists"));
    assert!(sandbox.run(["heartbeat"]).exits(1).out.starts_with("ALERT 1 lesson waits for your yes"));
    assert!(sandbox.run(["heartbeat", "--dry-run"]).exits(1).out.contains("ALERT 1 lesson waits"));
    let listed = sandbox.run(["review", "--format", "jsonl", "--store", "store"]).exits(0).json();
    let id = listed[0]["lesson"].as_str().unwrap().to_owned();
    assert!(listed[0]["source"].as_str().unwrap().contains(".md:"), "{listed:?}");
    sandbox.run(["review", "--accept", &id, "--store", "store"]).exits(0);
    assert!(page(&sandbox, "memory.md").contains("## Confirmed Preferences\n\n### "));
    assert!(fs::read_to_string(&file).unwrap().contains("lists"), "a yes syncs");
    assert_eq!(sandbox.run(["review", "--format", "jsonl", "--store", "store"]).exits(0).json().len(), 0);
}

#[test]
fn a_no_in_review_reaches_no_file_and_is_not_asked_again() {
    let sandbox = asked();
    let file = sandbox.write("home/.codex/AGENTS.md", "# Agents\n");
    sandbox.run(["sync", "--yes"]).exits(0);
    let listed = sandbox.run(["review", "--format", "jsonl", "--store", "store"]).exits(0).json();
    sandbox.run(["review", "--reject", listed[0]["lesson"].as_str().unwrap(), "--store", "store"]).exits(0);
    sandbox.saves("s9", &corrected("s9", 20, RULE, "Now count the open issues."));
    sandbox.run(["replay"]).exits(0);
    assert!(!fs::read_to_string(&file).unwrap().contains("lists"));
    assert_eq!(sandbox.run(["heartbeat"]).exits(0).out.split(' ').next(), Some("OK"));
}

#[test]
fn forget_shows_and_asks_and_takes_it_out_of_every_tier() {
    let sandbox = fed();
    let file = sandbox.write("home/.codex/AGENTS.md", "# Agents\n");
    sandbox.run(["sync", "--yes"]).exits(0);
    sandbox.write(
        &format!("{HOME}/archive/domain-code.md"),
        "# Old\n\n## Patterns\n\n- [x] Keep plain lists in release notes.\n- [y] Other.\n",
    );
    let before = home(&sandbox);
    let dry = sandbox.run(["experience", "forget", "plain", "lists", "--dry-run"]).exits(0).out;
    for source in ["(memory.md:", "(corrections.md:", "(archive/domain-code.md:"] {
        assert!(dry.contains(source), "{dry}");
    }
    assert!(sandbox.run(["experience", "forget", "plain", "lists"]).exits(2).err.contains("--yes"));
    assert_eq!(home(&sandbox), before);
    sandbox.run(["experience", "forget", "plain", "lists", "--yes"]).exits(0);
    for name in ["memory.md", "corrections.md", "archive/domain-code.md"] {
        assert!(!page(&sandbox, name).contains("plain lists"), "{name}");
    }
    assert!(page(&sandbox, "archive/domain-code.md").contains("Other."));
    assert!(!fs::read_to_string(&file).unwrap().contains("plain lists"));
    let after = home(&sandbox);
    sandbox.run(["replay", "--again"]).exits(0);
    assert_eq!(home(&sandbox), after, "old sessions bring nothing back");
    assert_eq!(sandbox.run(["experience", "forget", "plain", "lists", "--yes"]).exits(2).out, "");
}

#[test]
fn an_exported_home_is_imported_elsewhere_as_it_was() {
    let sandbox = fed();
    sandbox.run(["experience", "export", "memory.zip"]).exits(0);
    assert!(sandbox.run(["experience", "export", "memory.zip"]).exits(2).err.contains("name another"));
    let other = Sandbox::new();
    let zip = other.write("memory.zip", fs::read(sandbox.path("memory.zip")).unwrap());
    let zip = zip.to_str().unwrap();
    other.run(["experience", "import", zip, "--dry-run"]).exits(0);
    assert!(!other.path(HOME).exists());
    other.run(["experience", "import", zip]).exits(0);
    assert_eq!(home(&other), home(&sandbox));
    assert!(other.run(["experience", "import", zip]).exits(2).err.contains("move this one away"));
    // Old sessions are known there, too.
    other.saves("s1", &corrected("s1", 10, RULE, APPROVED));
    other.run(["replay"]).exits(0);
    assert_eq!(home(&other), home(&sandbox));
}

#[test]
fn steering_is_put_in_when_asked_and_given_back_byte_for_byte() {
    let sandbox = on();
    sandbox.write("work/AGENTS.md", "# Rules\r\n\r\nBe kind.");
    sandbox.write("work/SOUL.md", "# Soul\n");
    let before = tree(&sandbox.path("work"));
    assert!(sandbox.run(["experience", "steer", "work"]).exits(2).err.contains("--yes"));
    let dry = sandbox.run(["experience", "steer", "work", "--dry-run"]).exits(0).out;
    assert!(dry.contains("+## Experience") && dry.contains("HEARTBEAT.md (new)"), "{dry}");
    assert_eq!(tree(&sandbox.path("work")), before);
    sandbox.run(["experience", "steer", "work", "--yes"]).exits(0);
    let with = tree(&sandbox.path("work"));
    assert!(String::from_utf8_lossy(&with["HEARTBEAT.md"]).contains("afterword heartbeat"));
    sandbox.run(["experience", "steer", "work", "--yes"]).exits(0);
    assert_eq!(tree(&sandbox.path("work")), with);
    sandbox.run(["experience", "unsteer", "work", "--yes"]).exits(0);
    assert_eq!(tree(&sandbox.path("work")), before);
}

#[test]
fn in_passive_mode_nothing_is_synced_but_by_hand() {
    let sandbox = on();
    let file = sandbox.write("home/.codex/AGENTS.md", "# Agents\n");
    sandbox.run(["sync", "--yes"]).exits(0);
    let empty = fs::read_to_string(&file).unwrap();
    sandbox.run(["experience", "mode", "passive"]).exits(0);
    sandbox.saves("s1", &corrected("s1", 10, RULE, APPROVED));
    sandbox.run(["replay"]).exits(0);
    sandbox.run(["heartbeat"]).exits(0);
    assert_eq!(fs::read_to_string(&file).unwrap(), empty);
    assert!(sandbox.run(["experience", "stats"]).exits(0).out.contains("Status: stale"));
    sandbox.run(["sync"]).exits(0);
    assert!(fs::read_to_string(&file).unwrap().contains("plain lists"));
    sandbox.run(["experience", "mode", "active"]).exits(0);
    assert!(sandbox.run(["experience", "mode"]).exits(0).out.starts_with("active"));
}

#[test]
fn a_host_is_installed_with_its_sync_and_synced_once_only() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("home/.claude/CLAUDE.md", "# Mine\n");
    let dry = sandbox.run(["install", "claude-code", "--sync", "--dry-run"]).exits(0).out;
    assert!(dry.contains("The experience home would be made"), "{dry}");
    assert!(!sandbox.path(HOME).exists());
    sandbox.run(["install", "claude-code", "--sync", "--yes"]).exits(0);
    sandbox.saves("s1", &corrected("s1", 10, RULE, APPROVED));
    sandbox.run(["replay"]).exits(0);
    assert!(fs::read_to_string(&file).unwrap().contains("plain lists"));
    assert!(sandbox.run(["uninstall", "claude-code", "--yes"]).exits(0).out.contains("unsync claude-code"));
    sandbox.run(["unsync", "claude-code"]).exits(0);
    assert_eq!(fs::read_to_string(&file).unwrap(), "# Mine\n");
    assert!(sandbox.run(["install", "gemini", "--sync"]).exits(2).err.contains("no global file"));
}

/// A person's editor: reads the file, adds a line of their own, and saves it, again and again.
fn edits(file: &Path, words: &str, times: usize) {
    for n in 0..times {
        let before = fs::read_to_string(file).unwrap_or_default();
        let mine = format!("{words} {n}.\n");
        let making = file.with_extension(format!("editor-{n}"));
        // As editors save: a new file in the old one's place. What is mine stands above everything else.
        fs::write(&making, format!("{mine}{before}")).unwrap();
        fs::rename(&making, file).unwrap();
        thread::sleep(Duration::from_millis(30));
    }
}

#[test]
fn hooks_sync_heartbeat_and_an_editor_at_once_lose_nothing() {
    let sandbox = on();
    let rules = [
        ("s0", "No, never use tables in release notes, always use plain lists."),
        ("s1", "No, always write dates as YYYY-MM-DD in release notes, never with slashes."),
        ("s2", "No, never put emoji in release notes, always use plain words."),
        ("s3", "No, always sort release notes by product, never by date."),
    ];
    for (n, (id, rule)) in rules.iter().enumerate() {
        sandbox.saves(id, &corrected(id, 10 + u32::try_from(n).unwrap(), rule, APPROVED));
    }
    let claude = corrected("c0", 20, "No, always name the ticket in release notes, never the branch.", APPROVED);
    let transcript = sandbox.write("home/.claude/projects/work/c0.jsonl", claude.jsonl());
    let global = sandbox.write("home/.codex/AGENTS.md", "# Agents\n");
    sandbox.run(["sync", "--yes"]).exits(0);
    let memory = sandbox.path(HOME).join("memory.md");
    thread::scope(|scope| {
        let editors = [(&memory, "My own words"), (&global, "My own rule")];
        let editing: Vec<_> = editors.map(|(file, words)| scope.spawn(move || edits(file, words, 12))).into();
        let mut hooks: Vec<_> = rules
            .iter()
            .map(|(id, _)| json!({"event": "command:stop", "sessionKey": "agent:main:main", "sessionId": id}))
            .map(|payload| sandbox.start_hook("openclaw", &payload))
            .collect();
        let ended = json!({"hook_event_name": "SessionEnd", "session_id": "c0", "transcript_path": transcript, "cwd": sandbox.path("")});
        hooks.push(sandbox.start_hook("claude-code", &ended));
        let start = Instant::now();
        while editing.iter().any(|editor| !editor.is_finished()) && start.elapsed() < Duration::from_secs(60) {
            let runs = [&["sync"][..], &["heartbeat"], &["experience", "stats"]]
                .map(|args| sandbox.command(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
            for mut run in runs {
                // A page that keeps changing may be refused; nobody may fall over.
                assert!(run.wait().unwrap().code().is_some_and(|code| code < 3));
            }
        }
        for hook in hooks {
            sandbox.finish(hook.wait_with_output().unwrap()).ends_silent();
        }
    });
    sandbox.settles();
    // Whatever was refused while everyone wrote is made up for.
    sandbox.run(["replay", "--again"]).exits(0);
    sandbox.run(["sync"]).exits(0);
    let (memory, global) = (page(&sandbox, "memory.md"), fs::read_to_string(&global).unwrap());
    for n in 0..12 {
        assert!(memory.contains(&format!("My own words {n}.\n")), "{n}: {memory}");
        assert!(global.contains(&format!("My own rule {n}.\n")), "{n}: {global}");
    }
    for words in ["plain lists", "YYYY-MM-DD", "emoji", "by product", "ticket"] {
        assert!(memory.contains(words), "{words}: {memory}\n{}", sandbox.log());
        assert!(global.contains(words), "{words}: {global}");
    }
}
