//! What reaches the terminal: nothing that steers it, and nothing after it has closed.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::support::sandbox::Sandbox;
use crate::support::sessions::{saying, session};

/// A session long enough to fill any pipe.
fn endless(sandbox: &Sandbox) -> std::path::PathBuf {
    let mut script = session("endless", "2026-02-03T10:00:00Z");
    for number in 0..2000 {
        script = script.says(&format!("List the files of folder {number}, please."));
    }
    sandbox.write("endless.jsonl", script.jsonl())
}

#[test]
fn a_closed_pipe_is_no_error() {
    let sandbox = Sandbox::new();
    let file = endless(&sandbox);
    for format in ["human", "jsonl"] {
        let mut child = sandbox
            .command(["trace", "--format", format, file.to_str().unwrap()])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut first = String::new();
        // As `head -1` does: one line, then the pipe is closed.
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        assert!(!first.is_empty());
        let finished = sandbox.finish(child.wait_with_output().unwrap()).exits(0);
        assert_eq!(finished.err, "");
    }
}

#[test]
fn control_characters_are_stripped() {
    let sandbox = Sandbox::new();
    let nasty = "I prefer short answers. \u{1b}[31mThanks\u{7} a\u{202e} lot\u{9b}2J!";
    let file = sandbox.write("nasty.jsonl", saying("nasty", "2026-02-03T10:00:00Z", nasty).jsonl());
    let file = file.to_str().unwrap();
    let bad = sandbox.write("\u{1b}[2Jbad.jsonl", "no transcript");
    for args in [
        &["extract", "--dry-run", "--store", "none", file][..],
        &["trace", file],
        &["extract", "--dry-run", bad.to_str().unwrap()],
    ] {
        let finished = sandbox.run(args);
        let both = finished.both();
        assert!(both.contains("answers") || both.contains("bad.jsonl"), "{both}");
        let steers = |c: char| c != '\n' && (c.is_control() || c == '\u{202e}');
        assert!(!both.contains(steers), "{args:?}: {both:?}");
    }
}

#[test]
fn colour_is_for_terminals_unless_it_is_asked_for() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("s.jsonl", saying("s", "2026-02-03T10:00:00Z", "I prefer short answers.").jsonl());
    let run = |color: &str| sandbox.run(["--color", color, "trace", file.to_str().unwrap()]).exits(0).out;
    assert!(!run("auto").contains('\u{1b}'));
    assert!(!run("never").contains('\u{1b}'));
    assert!(run("always").contains('\u{1b}'));
}
