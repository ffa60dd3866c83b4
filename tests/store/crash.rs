//! Killed midway and run again: the same as if nothing had happened.

use std::process::Stdio;

use crate::support::sandbox::Sandbox;
use crate::support::sessions::{SAID, saying};
use crate::support::tree::{events, memories, tree};

#[test]
fn the_next_run_completes_what_a_killed_one_began() {
    let sandbox = Sandbox::new();
    for (n, said) in SAID.iter().enumerate() {
        let script = saying(&format!("s{n}"), &format!("2026-02-0{}T10:00:00Z", n + 1), said);
        sandbox.write(&format!("sessions/{n}.jsonl"), script.jsonl());
    }
    let sessions = sandbox.path("sessions");
    sandbox.extract(&[&sessions]).exits(0);
    let whole = (memories(&sandbox.path("store")), events(&sandbox.path("store")));
    assert_eq!(whole.0.len(), SAID.len(), "{:#?}", whole.0);
    let files = tree(&sandbox.path("store")).len();

    let mut midway = 0;
    for seen in 0..files {
        let store = sandbox.path(&format!("killed-{seen}"));
        let args = ["extract", "--store", store.to_str().unwrap(), sessions.to_str().unwrap()];
        let mut command = sandbox.command(args);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // It is killed as soon as this many files can be seen.
        while tree_size(&store) < seen && child.try_wait().unwrap().is_none() {}
        child.kill().unwrap();
        child.wait().unwrap();
        midway += usize::from(memories(&store) != whole.0);
        sandbox.run(args).exits(0);
        assert_eq!((memories(&store), events(&store)), whole, "killed at {seen} files");
        let left: Vec<_> = tree(&store).into_keys().filter(|name| name.ends_with(".tmp")).collect();
        assert_eq!(left, [""; 0], "killed at {seen} files");
    }
    assert!(midway > 0, "no run was killed before its end");
}

/// How many files stand under `root`, while somebody else makes and removes them.
fn tree_size(root: &std::path::Path) -> usize {
    let Ok(entries) = std::fs::read_dir(root) else {
        return 0;
    };
    let sizes = entries.flatten().map(|entry| match entry.path() {
        path if path.is_dir() => tree_size(&path),
        _ => 1,
    });
    sizes.sum()
}

#[test]
fn a_torn_ledger_line_is_cut_off_and_written_again() {
    let sandbox = Sandbox::new();
    let script = saying("s", "2026-02-04T10:00:00Z", SAID[0]);
    let file = sandbox.write("s.jsonl", script.jsonl());
    sandbox.extract(&[&file]).exits(0);
    let whole = (memories(&sandbox.path("store")), events(&sandbox.path("store")));
    let ledger = std::fs::read(sandbox.path("store/.ledger/ledger.jsonl")).unwrap();
    let first = ledger.iter().position(|&b| b == b'\n').unwrap();
    // `first` and `first + 1`: the event is whole but nothing says that its file was written.
    for length in [0, 1, first / 2, first - 1, first, first + 1] {
        let store = format!("torn-{length}");
        sandbox.write(&format!("{store}/.ledger/ledger.jsonl"), &ledger[..length]);
        sandbox.write(&format!("{store}/.ledger/lock"), "");
        sandbox.run(["extract", "--store", &store, file.to_str().unwrap()]).exits(0);
        let store = sandbox.path(&store);
        assert_eq!((memories(&store), events(&store)), whole, "torn at {length}");
    }
}
