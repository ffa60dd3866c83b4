//! At the end of a hook's worker each store is put in order, once a day.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::hooks::STATE;
use crate::support::sandbox::Sandbox;
use crate::support::sessions::saying;
use crate::support::tree::memories;

/// Longer than anything takes, on a machine that is busy with other tests.
const PATIENCE: Duration = Duration::from_secs(60);

fn profile(sandbox: &Sandbox, id: &str, expires: &str, body: &str) {
    let front =
        format!("type: profile\nid: prof_{id}\ncreated: 2026-01-02T10:00:00Z\nttl: one_year\nexpires: {expires}");
    sandbox.write(&format!("store/profiles/x-{id}.md"), format!("---\n{front}\n---\n\n{body}\n"));
}

/// A session ends, and its worker has come to its end.
fn a_session_ends(sandbox: &Sandbox, id: &str, text: &str) {
    let script = saying(id, "2026-02-04T10:00:00Z", text);
    let transcript = sandbox.write(&format!("{id}.jsonl"), script.jsonl());
    let payload = json!({"session_id": id, "transcript_path": transcript, "hook_event_name": "SessionEnd", "cwd": sandbox.path("")});
    let mut command = sandbox.command(["hook", "claude-code"]);
    command.env("AFTERWORD_STORE", sandbox.path("store"));
    let payload = sandbox.write(&format!("{id}.payload"), payload.to_string());
    command.stdin(fs::File::open(payload).unwrap());
    sandbox.finish(command.output().unwrap()).ends_silent();
    sandbox.settles();
}

fn waits_for(what: &str, is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < PATIENCE, "{what} did not happen");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_store_is_swept_and_put_in_order_once_a_day() {
    let sandbox = Sandbox::new();
    profile(&sandbox, "a1b0", "2026-01-09", "User is on call.");
    profile(&sandbox, "c2d0", "never", "User likes tea.");
    profile(&sandbox, "e3f0", "never", "User likes tea!");
    a_session_ends(&sandbox, "one", "I'm a nurse.");
    waits_for("the upkeep", || sandbox.log().contains("upkeep: 1 expired, 2 memories put together to 1"));
    assert_eq!(memories(&sandbox.path("store")).len(), 2, "{}", sandbox.log());
    profile(&sandbox, "g4h0", "never", "User really likes tea.");
    a_session_ends(&sandbox, "two", "My timezone is Europe/Lisbon.");
    waits_for("the second session", || memories(&sandbox.path("store")).len() == 4);
    assert_eq!(sandbox.log().matches("upkeep: ").count(), 1, "a second time on one day: {}", sandbox.log());
    let bodies: String = memories(&sandbox.path("store")).into_values().collect();
    assert!(bodies.contains("User really likes tea.") && !bodies.contains("on call"), "{bodies}");
    // Without the note the store is due again; nothing else is lost.
    fs::remove_file(sandbox.path(STATE).join("upkeep.json")).unwrap();
    a_session_ends(&sandbox, "three", "I'm allergic to peanuts.");
    waits_for("the next upkeep", || sandbox.log().matches("upkeep: ").count() == 2);
    assert_eq!(memories(&sandbox.path("store")).len(), 4);
}
