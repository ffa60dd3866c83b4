//! What a host's hook said, as far as it is needed later: who, when, which session, where it may lie.

use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::payload::Payload;
use super::{Places, claude_code, codebuddy, codex, gemini, home, openclaw, opencode};
use crate::transcript::{Host, is_machine_key};

/// The products whose hooks are understood, in the order in which they are told about.
pub const HOOKED: [Host; 6] =
    [Host::Openclaw, Host::ClaudeCode, Host::Codex, Host::Codebuddy, Host::Opencode, Host::Gemini];

/// The product with this name, if its hooks are understood.
#[must_use]
pub fn hooked(name: &str) -> Option<Host> {
    HOOKED.into_iter().find(|host| host.name() == name)
}

/// One call of a hook. It holds no word that was said in the session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// Whose hook it was.
    pub host: Host,
    /// The event, as the host names it; empty if it did not say.
    pub event: String,
    /// What the event means for the session.
    pub moment: Moment,
    /// When the hook was called.
    pub at: DateTime<Utc>,
    /// The host's id of the session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// OpenClaw's key of the session, which outlives its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// OpenClaw's agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The transcript, where the host named it; OpenClaw may give a marker (`sqlite:…`) that is no path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transcript: Option<PathBuf>,
    /// The folder that the session works in: for a session whose transcript does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<PathBuf>,
    /// Where the host keeps its data, as far as the hook could see: the worker may be started by another host.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub home: Option<PathBuf>,
    /// The store that the environment named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub store: Option<PathBuf>,
    /// How often the work was begun.
    #[serde(default)]
    pub tries: u32,
}

/// What an event means for its session. The later ones weigh more when notes of one session are put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Moment {
    /// Some session began or ended, we do not know which: whatever changed since the last time is looked through.
    CatchUp,
    /// A turn ended and another may follow at once: there is no hurry, a pause is waited for.
    Turn,
    /// The session ends, or loses its context: now.
    End,
}

impl Note {
    /// What a hook of `host` said in `payload` (JSON, or anything): `None` if it is about nothing to learn from. A
    /// payload that cannot be understood is a reason to catch up.
    #[must_use]
    pub fn of(host: Host, payload: &[u8], places: &Places, at: DateTime<Utc>) -> Option<Self> {
        let payload = Payload::parse(payload);
        let event = payload.event().unwrap_or_default();
        let session = payload.word(&["session_id", "sessionId", "sessionID", "thread-id"]).filter(|id| is_name(id));
        let transcript = payload.word(&["transcript_path", "sessionFile"]).map(PathBuf::from);
        let key = payload.word(&["sessionKey"]).filter(|_| host == Host::Openclaw).map(str::to_owned);
        if key.as_deref().is_some_and(is_machine_key) {
            return None;
        }
        let names_one = session.is_some() || transcript.is_some() || key.is_some();
        let moment = match moment(host, &event) {
            Some(moment) => moment,
            None if !event.is_empty() => return None,
            None => Moment::End,
        };
        let moment = if names_one { moment } else { Moment::CatchUp };
        let cwd = payload.word(&["cwd", "workspaceDir", "directory"]).map(PathBuf::from);
        let home = given_home(host, &payload).or_else(|| home(host, places));
        Some(Self {
            host,
            event,
            moment,
            at,
            session: session.map(str::to_owned),
            key,
            agent: payload.word(&["agentId"]).filter(|id| is_name(id)).map(str::to_owned),
            transcript,
            cwd: cwd.filter(|cwd| cwd.is_absolute()),
            home: home.and_then(speakable),
            store: None,
            tries: 0,
        })
    }

    /// Whether both are about the same work: done once, it is done for both.
    #[must_use]
    pub fn is_with(&self, other: &Self) -> bool {
        let session = |note: &Self| match note.moment {
            Moment::CatchUp => (None, None, note.transcript.as_deref().and_then(Path::parent).map(Path::to_path_buf)),
            _ if note.session.is_some() => (note.session.clone(), None, None),
            _ => (None, note.key.clone(), note.transcript.clone()),
        };
        let is_catch_up = |note: &Self| note.moment == Moment::CatchUp;
        (self.host, &self.home, &self.store, is_catch_up(self))
            == (other.host, &other.home, &other.store, is_catch_up(other))
            && session(self) == session(other)
    }

    /// One note for two about the same work; `self` is the older.
    #[must_use]
    pub fn with(self, newer: Self) -> Self {
        Self {
            moment: self.moment.max(newer.moment),
            tries: self.tries.max(newer.tries),
            key: newer.key.or(self.key),
            agent: newer.agent.or(self.agent),
            transcript: newer.transcript.or(self.transcript),
            cwd: newer.cwd.or(self.cwd),
            ..newer
        }
    }
}

fn moment(host: Host, event: &str) -> Option<Moment> {
    match host {
        Host::Openclaw => openclaw::moment(event),
        Host::ClaudeCode => claude_code::moment(event),
        Host::Codex => codex::moment(event),
        Host::Codebuddy => codebuddy::moment(event),
        Host::Opencode => opencode::moment(event),
        Host::Gemini => gemini::moment(event),
        _ => None,
    }
}

/// Where the hook itself says that its host keeps its data.
fn given_home(host: Host, payload: &Payload) -> Option<PathBuf> {
    let given = payload.word(&["stateDir", "dataDir"]).map(PathBuf::from);
    let above = || openclaw::state_of(Path::new(payload.word(&["storePath"])?));
    let home = if host == Host::Openclaw { given.or_else(above) } else { given };
    home.filter(|home| home.is_absolute())
}

/// A path as it can stand in JSON; the rare one that cannot is left out.
fn speakable(path: PathBuf) -> Option<PathBuf> {
    path.to_str().is_some().then_some(path)
}

/// Whether an id can be part of a file's name and of nothing else.
fn is_name(id: &str) -> bool {
    !id.contains(['/', '\\', '\0']) && id != "." && id != ".." && id.len() <= 200
}

#[cfg(test)]
#[path = "note_tests.rs"]
mod tests;
