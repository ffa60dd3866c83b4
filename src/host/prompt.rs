//! The message that a hook before it hands over: it is looked at once, and kept nowhere.

use std::path::PathBuf;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::transcript::{Host, is_machine_key};

/// The element around what is put beside a message. Where transcripts are read, it and what is in it are cut out
/// (`rules/envelopes.toml`): it is no word of the person.
pub const ELEMENT: &str = "afterword-remembered";

/// A message that is about to go to the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// Where it was typed.
    pub host: Host,
    /// The host's event.
    event: String,
    /// The session; empty if the host does not say.
    pub session: String,
    /// The folder it works in.
    pub cwd: Option<PathBuf>,
    /// The message.
    pub text: String,
}

/// The fields of a payload, by the names that the hosts give them.
#[derive(Deserialize)]
struct Fields {
    #[serde(alias = "hook_event_name")]
    event: String,
    #[serde(default, alias = "sessionId", alias = "sessionID")]
    session_id: Option<String>,
    #[serde(default, rename = "sessionKey")]
    key: Option<String>,
    #[serde(default, alias = "workspaceDir", alias = "directory")]
    cwd: Option<PathBuf>,
    prompt: String,
}

impl Prompt {
    /// The message in a payload of `host`; `None` if the payload is of another event, or the message of no person.
    #[must_use]
    pub fn of(host: Host, payload: &[u8]) -> Option<Self> {
        let event = before_a_message(host)?;
        // Most payloads are of other events, and may be large.
        let named = payload.windows(event.len()).take(4096).any(|window| window == event.as_bytes());
        let fields: Fields = if named { serde_json::from_slice(payload).ok()? } else { return None };
        if fields.event != event || fields.key.as_deref().is_some_and(is_machine_key) {
            return None;
        }
        let session = fields.session_id.or(fields.key).unwrap_or_default();
        Some(Self { host, event: fields.event, session, cwd: fields.cwd, text: fields.prompt })
    }

    /// How the host is told what to put beside the message.
    #[must_use]
    pub fn answer(&self, remembered: &str) -> Value {
        match self.host {
            Host::Openclaw | Host::Opencode => json!({"context": remembered}),
            _ => json!({"hookSpecificOutput": {"hookEventName": self.event, "additionalContext": remembered}}),
        }
    }
}

/// The event before a message, where the host lets it add something; OpenClaw's and opencode's is passed on by our plugin.
fn before_a_message(host: Host) -> Option<&'static str> {
    match host {
        Host::ClaudeCode | Host::Codex | Host::Codebuddy => Some("UserPromptSubmit"),
        Host::Openclaw => Some("before_prompt_build"),
        Host::Opencode => Some("chat.message"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_taken_from_the_event_before_it_only() {
        let payload =
            br#"{"session_id":"s","cwd":"/w","hook_event_name":"UserPromptSubmit","prompt":"write a commit"}"#;
        let prompt = Prompt::of(Host::ClaudeCode, payload).unwrap();
        assert_eq!((prompt.session.as_str(), prompt.text.as_str()), ("s", "write a commit"));
        assert_eq!(prompt.cwd, Some(PathBuf::from("/w")));
        assert_eq!(Prompt::of(Host::Gemini, payload), None);
        let other = br#"{"session_id":"s","hook_event_name":"SessionEnd","prompt":"UserPromptSubmit"}"#;
        assert_eq!(Prompt::of(Host::ClaudeCode, other), None);
        assert_eq!(Prompt::of(Host::ClaudeCode, b"UserPromptSubmit {"), None);
    }

    #[test]
    fn a_machine_s_message_is_none() {
        let payload = br#"{"event":"before_prompt_build","sessionKey":"agent:main:cron:x","prompt":"write a commit"}"#;
        assert_eq!(Prompt::of(Host::Openclaw, payload), None);
    }
}
