//! Killed at any time, and many at once: the same as if one had come to its end.

use std::fs::File;
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::hooks::STATE;
use crate::support::sandbox::Sandbox;
use crate::support::sessions::saying;
use crate::support::tree::{events, memories};

const SAID: [&str; 5] = [
    "I prefer short answers.",
    "I'm a nurse.",
    "My timezone is Europe/Lisbon.",
    "I'm allergic to peanuts.",
    "We use Postgres for the bookings.",
];

/// The sessions as OpenClaw saved them; what they teach stands in `store` too, learned in one run.
fn sessions() -> (Sandbox, Vec<String>) {
    let sandbox = Sandbox::new();
    let mut ids = Vec::new();
    for (n, said) in SAID.iter().enumerate() {
        let id = format!("s{n}");
        sandbox.saves(&id, &saying(&id, &format!("2026-02-0{}T10:00:00Z", n + 1), said));
        ids.push(id);
    }
    sandbox.extract(&[&sandbox.path("home/.openclaw")]).exits(0);
    assert_eq!(memories(&sandbox.path("store")).len(), SAID.len());
    (sandbox, ids)
}

fn stop(id: &str) -> Value {
    json!({"event": "command:stop", "sessionKey": "agent:main:main", "sessionId": id})
}

#[track_caller]
fn is_as_in_one_run(sandbox: &Sandbox) {
    sandbox.settles();
    let at_home = sandbox.path("home/.reflexio");
    assert_eq!(memories(&at_home), memories(&sandbox.path("store")), "{}", sandbox.log());
    assert_eq!(events(&at_home).len(), events(&sandbox.path("store")).len());
}

#[test]
fn ten_hooks_at_once_are_as_one_run() {
    let (sandbox, ids) = sessions();
    let hooks: Vec<_> = ids.iter().chain(&ids).map(|id| sandbox.start_hook("openclaw", &stop(id))).collect();
    for hook in hooks {
        sandbox.finish(hook.wait_with_output().unwrap()).ends_silent();
    }
    is_as_in_one_run(&sandbox);
}

#[cfg(unix)]
#[test]
fn a_host_that_kills_its_whole_group_kills_no_work() {
    use std::os::unix::process::{CommandExt, ExitStatusExt};
    let (sandbox, ids) = sessions();
    for id in ids {
        let payload = sandbox.write("payload.json", stop(&id).to_string());
        let mut host = std::process::Command::new("/bin/sh");
        host.args(["-c", "\"$0\" hook openclaw < \"$1\"; kill -9 0"]).arg(env!("CARGO_BIN_EXE_afterword")).arg(payload);
        host.env_clear().env("HOME", sandbox.path("home")).current_dir(sandbox.path("")).process_group(0);
        assert_eq!(host.status().unwrap().signal(), Some(9));
    }
    is_as_in_one_run(&sandbox);
}

#[test]
fn what_a_killed_worker_left_is_done_by_the_next_hook() {
    let (sandbox, ids) = sessions();
    // While the test has the lock, the workers that the hooks start leave the notes alone.
    std::fs::create_dir_all(sandbox.path(STATE)).unwrap();
    let lock = File::create(sandbox.path(STATE).join("worker.lock")).unwrap();
    lock.lock().unwrap();
    ids[1..].iter().for_each(|id| sandbox.hook("openclaw", &stop(id)));
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(sandbox.notes().len(), SAID.len() - 1);
    drop(lock);
    for patience in [0, 350, 450, 600] {
        let mut worker = sandbox.command(["hook", "--work"]).stdout(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(patience));
        worker.kill().unwrap();
        worker.wait().unwrap();
    }
    sandbox.hook("openclaw", &stop(&ids[0]));
    is_as_in_one_run(&sandbox);
}

#[test]
fn a_session_that_is_gone_is_told_in_the_log_and_forgotten() {
    let sandbox = Sandbox::new();
    sandbox.hook("openclaw", &stop("never"));
    sandbox.settles();
    assert!(sandbox.log().contains("command:stop never: there is no transcript"), "{}", sandbox.log());
}

#[cfg(unix)]
#[test]
fn a_store_that_cannot_be_written_is_tried_again() {
    let (sandbox, ids) = sessions();
    // A file where the store should be.
    let in_the_way = sandbox.write("home/.reflexio", "");
    sandbox.hook("openclaw", &stop(&ids[0]));
    let start = std::time::Instant::now();
    while !sandbox.log().contains("left to the next run") && start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(sandbox.notes().len(), 1, "{}", sandbox.log());
    std::fs::remove_file(in_the_way).unwrap();
    ids[1..].iter().for_each(|id| sandbox.hook("openclaw", &stop(id)));
    is_as_in_one_run(&sandbox);
}
