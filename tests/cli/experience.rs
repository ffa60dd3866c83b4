//! The experience home as it is used: switched on, fed, asked, synced, taken back.

use std::fs;

use crate::support::sandbox::Sandbox;
use crate::support::sessions::session;
use crate::support::snapshot::snapshot;

/// A sandbox with a home that was fed one session.
fn fed() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.run(["experience", "on"]).exits(0);
    let said = session("s1", "2026-01-10T08:00:00Z")
        .says("Write the release notes.")
        .answers("# Notes in a table …")
        .says("No, never use tables in release notes, always use plain lists.")
        .answers("You're right. Here they are as plain lists.")
        .says("Perfect, that's exactly right, thanks!")
        .answers("Glad it fits.");
    let transcript = sandbox.write("s1.jsonl", said.jsonl());
    sandbox.extract(&[&transcript]).exits(0);
    sandbox
}

fn page(sandbox: &Sandbox, name: &str) -> String {
    fs::read_to_string(sandbox.path("home/learn-from-experience").join(name)).unwrap_or_default()
}

#[test]
fn an_approved_correction_comes_into_memory() {
    let sandbox = fed();
    let memory = page(&sandbox, "memory.md");
    assert!(memory.contains("## Confirmed Preferences\n\n### "), "{memory}");
    assert!(memory.contains("plain lists"), "{memory}");
    let learned = sandbox.run(["experience", "learned"]).exits(0).out;
    assert!(learned.contains("(corrections.md:5)"), "{learned}");
    let about = sandbox.run(["experience", "about", "release", "notes"]).exits(0).out;
    assert!(about.lines().next().is_some_and(|line| line.ends_with("(memory.md:7)")), "{about}");
    let jsonl = sandbox.run(["experience", "patterns", "--format", "jsonl"]).exits(0).json();
    assert_eq!(jsonl[0]["source"], "memory.md:7");
    assert_eq!(jsonl[0]["section"], "confirmed");
}

#[test]
fn the_same_transcript_again_changes_no_byte() {
    let sandbox = fed();
    let pages = ["memory.md", "corrections.md", "index.md", ".afterword/log.jsonl"];
    let before = pages.map(|name| page(&sandbox, name));
    assert!(!before[3].is_empty());
    sandbox.extract(&[&sandbox.path("s1.jsonl")]).exits(0);
    assert_eq!(pages.map(|name| page(&sandbox, name)), before);
}

#[test]
fn a_home_that_was_not_switched_on_is_not_made() {
    let sandbox = Sandbox::new();
    let transcript =
        sandbox.write("s.jsonl", session("s", "2026-01-10T08:00:00Z").says("I prefer short answers.").jsonl());
    sandbox.extract(&[&transcript]).exits(0);
    assert!(!sandbox.path("home/learn-from-experience").exists());
    for command in [&["experience", "stats"][..], &["sync"], &["unsync"], &["heartbeat"]] {
        let finished = sandbox.run(command).exits(2);
        assert!(finished.err.contains("`afterword experience on` makes it"), "{}", finished.err);
    }
}

#[test]
fn stats_are_told_in_the_seed_s_layout() {
    let sandbox = Sandbox::new();
    sandbox.run(["experience", "on"]).exits(0);
    snapshot("cli", "experience_stats", &sandbox.run(["experience", "stats"]).exits(0).both());
}

#[test]
fn sync_asks_once_and_gives_everything_back() {
    let sandbox = fed();
    let text = "# My rules\n\nBe kind.";
    let file = sandbox.write("home/.claude/CLAUDE.md", text);
    let refused = sandbox.run(["sync"]).exits(1);
    assert!(refused.err.contains("agree to all with `--yes`"), "{}", refused.err);
    let dry = sandbox.run(["sync", "--dry-run"]).exits(0);
    assert!(dry.out.contains("+### Patterns"), "{}", dry.out);
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
    sandbox.run(["sync", "--yes"]).exits(0);
    let synced = fs::read_to_string(&file).unwrap();
    assert!(
        synced.starts_with(&format!("{text}\n\n## Learnings\n\n### Patterns\n<!-- synced by afterword ")),
        "{synced}"
    );
    assert!(page(&sandbox, "index.md").contains("Status: in_sync"));
    sandbox.run(["sync"]).exits(0);
    assert_eq!(fs::read_to_string(&file).unwrap(), synced);
    sandbox.run(["unsync"]).exits(0);
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
    assert!(page(&sandbox, "index.md").contains("Status: off"));
}

#[test]
fn a_file_that_is_refused_does_not_hide_the_others() {
    let sandbox = fed();
    sandbox.write("home/.claude/CLAUDE.md", "## Learnings\n\n### Patterns\n\nMy own words.\n");
    let other = sandbox.write("home/.codex/AGENTS.md", "# Agents\n");
    let finished = sandbox.run(["sync", "--yes"]).exits(1);
    assert!(finished.err.contains("CLAUDE.md:4: the block holds lines that sync did not write"), "{}", finished.err);
    assert!(fs::read_to_string(other).unwrap().contains("plain lists"));
}

#[test]
fn a_heartbeat_says_in_one_line_how_things_are() {
    let sandbox = Sandbox::new();
    sandbox.run(["experience", "on"]).exits(0);
    assert_eq!(sandbox.run(["heartbeat"]).exits(0).out, "OK nothing was due\n");
    assert!(page(&sandbox, "heartbeat-state.md").contains("last_heartbeat_result: OK nothing was due\n"));
    sandbox.write("home/learn-from-experience/memory.md", b"\xff\xfe#");
    assert!(sandbox.run(["heartbeat"]).exits(1).out.starts_with("ALERT "));
}

#[test]
fn a_memory_that_cannot_be_read_takes_nothing_from_the_agents() {
    let sandbox = fed();
    let file = sandbox.write("home/.codex/AGENTS.md", "# Agents\n");
    sandbox.run(["sync", "--yes"]).exits(0);
    let synced = fs::read_to_string(&file).unwrap();
    assert!(synced.contains("plain lists"), "{synced}");
    sandbox.write("home/learn-from-experience/memory.md", b"\xff\xfe#");
    sandbox.run(["heartbeat"]).exits(1);
    sandbox.run(["sync", "--yes"]).exits(2);
    assert_eq!(fs::read_to_string(&file).unwrap(), synced);
}
