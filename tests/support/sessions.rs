//! Made-up sessions, as OpenClaw saves them.

use std::path::Path;

use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::Connection;
use serde_json::{Value, json};

/// Things a person says that are kept, one a session.
pub(crate) const SAID: [&str; 8] = [
    "I prefer short answers.",
    "I'm a nurse.",
    "My timezone is Europe/Lisbon.",
    "I'm allergic to peanuts.",
    "We use Postgres for the bookings.",
    "以后回答都用中文。",
    "I don't like emojis in commit messages.",
    "My editor is Helix.",
];

/// A session that grows row by row, a minute apart.
#[derive(Clone)]
pub(crate) struct Script {
    id: String,
    start: DateTime<Utc>,
    rows: Vec<Value>,
}

/// A session that begins at `start`, in no folder that exists.
pub(crate) fn session(id: &str, start: &str) -> Script {
    session_in(id, start, Path::new("/nowhere/at/all"))
}

/// A session in a working directory.
pub(crate) fn session_in(id: &str, start: &str, cwd: &Path) -> Script {
    let start: DateTime<Utc> = start.parse().unwrap();
    let header = json!({"type": "session", "version": 3, "id": id, "timestamp": time(start), "cwd": cwd});
    Script { id: id.to_owned(), start, rows: vec![header] }
}

fn time(time: DateTime<Utc>) -> String {
    time.format("%Y-%m-%dT%H:%M:%S.000Z").to_string()
}

impl Script {
    /// The person says something.
    pub(crate) fn says(self, text: &str) -> Self {
        self.message(json!({"role": "user", "content": [{"type": "text", "text": text}]}))
    }

    /// The agent answers.
    pub(crate) fn answers(self, text: &str) -> Self {
        let content = json!([{"type": "text", "text": text}]);
        self.message(json!({"role": "assistant", "content": content, "stopReason": "stop"}))
    }

    /// The agent runs a command, which succeeds.
    pub(crate) fn runs(self, command: &str) -> Self {
        let call = json!([{"type": "toolCall", "id": "c", "name": "exec", "arguments": {"command": command}}]);
        self.message(json!({"role": "assistant", "content": call, "stopReason": "toolUse"})).message(json!({
            "role": "toolResult", "toolCallId": "c", "toolName": "exec", "isError": false,
            "content": [{"type": "text", "text": "ok"}],
        }))
    }

    fn message(mut self, message: Value) -> Self {
        let number = self.rows.len();
        let when = self.start + TimeDelta::minutes(number.try_into().unwrap());
        self.rows.push(json!({
            "type": "message", "id": format!("{}-{number}", self.id), "timestamp": time(when), "message": message,
        }));
        self
    }

    /// One row a line.
    pub(crate) fn jsonl(&self) -> String {
        self.rows.iter().map(|row| format!("{row}\n")).collect()
    }

    /// The session as rows of OpenClaw's database.
    pub(crate) fn database(&self, path: &Path) {
        let store = Connection::open(path).unwrap();
        let tables = "CREATE TABLE transcript_events(session_id TEXT, seq INTEGER, event_json TEXT, created_at INTEGER, PRIMARY KEY(session_id, seq));";
        store.execute_batch(tables).unwrap();
        for (seq, row) in self.rows.iter().enumerate() {
            let row = (&self.id, i64::try_from(seq).unwrap(), row.to_string());
            store.execute("INSERT INTO transcript_events VALUES (?1, ?2, ?3, 0)", row).unwrap();
        }
    }
}

/// A correction of finished work that the person then approves of.
pub(crate) fn ward() -> Script {
    session("ward", "2026-02-03T10:00:00Z")
        .says("I'm a nurse.")
        .answers("Good morning!")
        .says("Write the weekly report, please.")
        .runs("write report.csv")
        .answers("Done: the report is in report.csv.")
        .says("No, we never use CSV here, always write reports as markdown, because the office reads them on paper.")
        .runs("write report.md")
        .answers("You're right, sorry. The report is in report.md now.")
        .says("Perfect, that's exactly right.")
        .answers("Glad to hear it.")
}

/// A session in which one thing is said and nothing else happens.
pub(crate) fn saying(id: &str, start: &str, text: &str) -> Script {
    session(id, start).says(text).answers("Noted.")
}
