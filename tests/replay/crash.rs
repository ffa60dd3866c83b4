//! Killed at any moment, and several at once: the same store as after one run in peace.

use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::json;

use super::sessions::{home_store, openclaw};
use crate::support::sandbox::Sandbox;
use crate::support::sessions::{SAID, saying};
use crate::support::tree::{memories, tree};

/// Enough sessions for several batches; most say something that was said before.
const SESSIONS: usize = 1_200;

fn crowded() -> Sandbox {
    let sandbox = Sandbox::new();
    for n in 0..SESSIONS {
        let start = format!("2026-{:02}-{:02}T{:02}:00:00Z", 1 + n % 12, 1 + n / 12 % 28, n / 336);
        let said = if n % 40 == 0 { format!("My locker at work is number {n}.") } else { "Thanks!".to_owned() };
        let said = if n % 150 == 0 { SAID[n / 150].to_owned() } else { said };
        sandbox.write(&openclaw(&format!("{n}")), saying(&format!("s{n}"), &start, &said).jsonl());
    }
    sandbox
}

#[test]
fn killed_at_any_moment_it_is_finished_by_the_next_run() {
    let sandbox = crowded();
    let began = Instant::now();
    sandbox.run(["replay", "--store", "whole"]).exits(0);
    let mut took = began.elapsed();
    let whole = memories(&sandbox.path("whole"));
    assert!(whole.len() >= SAID.len(), "{whole:#?}");

    let mut midway = 0;
    let mut moment = 7_u32;
    for kill in 0..20 {
        // Numbers that are as good as random, and the same every time.
        moment = moment.wrapping_mul(1_103_515_245).wrapping_add(12_345) >> 1;
        let part = f64::from(moment % 1_000) / 1_000.0;
        let mut command = sandbox.command(["replay"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(took.mul_f64(part));
        let ended = child.try_wait().unwrap().is_some();
        child.kill().unwrap();
        child.wait().unwrap();
        midway += usize::from(!ended);
        if ended {
            // The first run found a colder disk, or a busier machine.
            took = took.mul_f64(0.7);
        }
        if ended || kill % 4 == 3 {
            // From the beginning again, else the later ones find nothing left to do.
            sandbox.run(["replay"]).exits(0);
            assert_eq!(memories(&home_store(&sandbox)), whole, "after {kill} kills");
            std::fs::remove_dir_all(home_store(&sandbox)).unwrap();
            std::fs::remove_dir_all(sandbox.path("home/.local")).unwrap();
        }
    }
    assert!(midway > 5, "only {midway} runs were killed before their end");
}

#[test]
fn two_at_once_and_ten_hooks_beside_them_leave_the_same_store() {
    let sandbox = crowded();
    sandbox.run(["replay", "--store", "whole"]).exits(0);
    let whole = memories(&sandbox.path("whole"));
    let start = || {
        let mut command = sandbox.command(["replay"]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    // Each at the end of one of the sessions that the replays read, most of which teach something.
    let hook = |n: usize| {
        let payload = json!({"event": "command:stop", "sessionFile": sandbox.path(&openclaw(&format!("{}", n * 30)))});
        sandbox.start_hook("openclaw", &payload)
    };
    let mut replays = vec![start()];
    let mut hooks: Vec<_> = (0..5).map(hook).collect();
    replays.push(start());
    hooks.extend((5..10).map(hook));
    for one in hooks {
        sandbox.finish(one.wait_with_output().unwrap()).ends_silent();
    }
    for one in replays {
        sandbox.finish(one.wait_with_output().unwrap()).exits(0);
    }
    sandbox.settles();
    assert_eq!(memories(&home_store(&sandbox)), whole, "{}", sandbox.log());
    let left: Vec<_> = tree(&home_store(&sandbox)).into_keys().filter(|name| name.ends_with(".tmp")).collect();
    assert_eq!(left, [""; 0]);
    // What the hooks took in is known to the next run, too.
    sandbox.run(["replay", "--again"]).exits(0);
    assert_eq!(memories(&home_store(&sandbox)), whole);
}

#[test]
fn two_at_once_and_extracts_beside_them_leave_the_same_store() {
    let sandbox = crowded();
    sandbox.run(["replay", "--store", "whole"]).exits(0);
    let whole = memories(&sandbox.path("whole"));
    let start = |args: &[&str]| {
        let mut command = sandbox.command(args);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let first = start(&["replay"]);
    // As soon as the first one holds the lock the second has to wait.
    let lock = sandbox.path("home/.local/state/afterword/replay/lock");
    let patience = Instant::now();
    while !lock.exists() && patience.elapsed() < Duration::from_secs(30) {}
    std::thread::sleep(Duration::from_millis(50));
    let second = start(&["replay"]);
    let files: Vec<String> = (0..10).map(|n| openclaw(&format!("{}", n * 40))).collect();
    let beside: Vec<_> = files.iter().map(|file| start(&["extract", file])).collect();
    let ends: Vec<_> = [first, second].into_iter().chain(beside).map(|one| one.wait_with_output().unwrap()).collect();
    let ends: Vec<_> = ends.into_iter().map(|output| sandbox.finish(output).exits(0)).collect();
    let waited = [&ends[0], &ends[1]].into_iter().find(|end| end.err.contains("another replay is running"));
    let waited = waited.unwrap_or_else(|| panic!("{ends:#?}"));
    assert!(waited.out.contains("1200 passed over, unchanged"), "{waited:#?}");
    assert_eq!(memories(&home_store(&sandbox)), whole);
    let left: Vec<_> = tree(&home_store(&sandbox)).into_keys().filter(|name| name.ends_with(".tmp")).collect();
    assert_eq!(left, [""; 0]);
}
