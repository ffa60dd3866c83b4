//! Hosts that call their hooks.

use std::fs::{self, File};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::sandbox::{Finished, Sandbox};
use super::sessions::Script;

/// Longer than anything takes, on a machine that is busy with other tests.
const PATIENCE: Duration = Duration::from_secs(60);

/// Where the sandbox's state is, in it.
pub(crate) const STATE: &str = "home/.local/state/afterword";

impl Sandbox {
    /// A host calls its hook with a payload on standard input; the hook must succeed and say nothing.
    #[track_caller]
    pub(crate) fn hook(&self, host: &str, payload: &Value) {
        self.feed(["hook", host], payload.to_string()).ends_silent();
    }

    /// The hook, started with this payload and not waited for.
    pub(crate) fn start_hook(&self, host: &str, payload: &Value) -> Child {
        let file = self.path(&format!("payload-{}.json", self.files()));
        fs::write(&file, payload.to_string()).unwrap();
        let mut command = self.command(["hook", host]);
        command.stdin(File::open(file).unwrap()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    fn files(&self) -> usize {
        fs::read_dir(self.path("")).unwrap().count()
    }

    /// Saves a session where OpenClaw keeps those of its first agent.
    pub(crate) fn saves(&self, id: &str, script: &Script) {
        self.write(&format!("home/.openclaw/agents/main/sessions/{id}.jsonl"), script.jsonl());
    }

    /// Waits until no note is left and no worker is at work.
    #[track_caller]
    pub(crate) fn settles(&self) {
        let start = Instant::now();
        while !self.notes().is_empty() || !self.is_at_rest() {
            assert!(start.elapsed() < PATIENCE, "{:?}\n{}", self.notes(), self.log());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Whether no worker is at work.
    pub(crate) fn is_at_rest(&self) -> bool {
        File::open(self.path(STATE).join("worker.lock")).is_ok_and(|lock| lock.try_lock().is_ok())
    }

    /// The names of the notes in the spool.
    pub(crate) fn notes(&self) -> Vec<String> {
        let list = fs::read_dir(self.path(STATE).join("spool")).into_iter().flatten();
        let names = list.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.ends_with(".json")).collect()
    }

    /// What the log says.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.path(STATE).join("afterword.log")).unwrap_or_default()
    }
}

impl Finished {
    /// Fails unless it succeeded and said nothing.
    #[track_caller]
    pub(crate) fn ends_silent(self) {
        assert_eq!((self.code, self.out.as_str(), self.err.as_str()), (Some(0), "", ""));
    }
}
