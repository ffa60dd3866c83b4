//! The words of the store: what a memory is made of. Types only; nothing here reads, judges or writes.

use std::fmt;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// The two kinds of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Something the person stated: a preference, a fact, a configuration, a constraint.
    Profile,
    /// Something the person corrected and then accepted.
    Playbook,
}

impl Kind {
    /// The folder of the store that holds this kind.
    #[must_use]
    pub fn folder(self) -> &'static str {
        match self {
            Self::Profile => "profiles",
            Self::Playbook => "playbooks",
        }
    }

    /// The prefix of this kind's ids (`prof`, `pbk`), as in the seed.
    #[must_use]
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Profile => "prof",
            Self::Playbook => "pbk",
        }
    }

    /// The word in front matter and in JSONL.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Profile => "profile",
            Self::Playbook => "playbook",
        }
    }
}

/// What sort of statement a memory is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// A durable liking, style or way of working.
    Preference,
    /// A durable fact about the person or their world.
    Fact,
    /// A durable choice of tool, setting or place.
    Config,
    /// A durable prohibition or limit.
    Constraint,
    /// How to do a piece of work (playbooks).
    Procedure,
}

/// How long a profile lives. The order is that of length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ttl {
    /// Today's agenda.
    OneDay,
    /// This week's priorities.
    OneWeek,
    /// Short-term context.
    OneMonth,
    /// Current focus.
    OneQuarter,
    /// Stable, but could plausibly change.
    OneYear,
    /// Durable.
    Infinity,
}

impl Ttl {
    /// The word in front matter and in JSONL.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::OneDay => "one_day",
            Self::OneWeek => "one_week",
            Self::OneMonth => "one_month",
            Self::OneQuarter => "one_quarter",
            Self::OneYear => "one_year",
            Self::Infinity => "infinity",
        }
    }
}

/// How a playbook was confirmed; a profile needs no confirmation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Confirmation {
    /// Not (yet), or not needed.
    None,
    /// The person went on without correcting again.
    Implicit,
    /// The person approved of the finished work.
    Explicit,
}

/// The topic of a memory as part of a file name: `^[a-z0-9][a-z0-9-]{0,47}$`, as in the seed.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct Slug(String);

impl Slug {
    /// The longest slug the seed's format allows, in bytes.
    pub const MAX: usize = 48;

    /// Takes `text` if it is a valid slug already.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let mut bytes = text.bytes();
        let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
        let valid = text.len() <= Self::MAX
            && bytes.next().is_some_and(plain)
            && bytes.all(|b| plain(b) || b == b'-');
        valid.then(|| Self(text.to_owned()))
    }

    /// The slug as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Slug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What an evidence line is evidence of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The person stated it.
    Statement,
    /// The person corrected the agent.
    Correction,
    /// The person accepted the correction's result.
    Confirmation,
}

/// Where a memory comes from: a line of a session, and the (redacted) words that stood there.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Evidence {
    /// The host's name, see [`crate::transcript::Host`].
    pub host: String,
    /// The session's id.
    pub session: String,
    /// 1-based source line.
    pub line: u32,
    /// What it is evidence of.
    pub role: Role,
    /// When it was said (the file's time where the transcript has none).
    pub time: DateTime<Utc>,
    /// The words, redacted.
    pub quote: String,
}

/// What a candidate asks of the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Intent {
    /// Keep this memory.
    Keep,
    /// A correction that was not confirmed or teaches nothing reusable: note it, write no file.
    Pending,
    /// Forget what matches the body.
    Forget,
}

/// A memory that a session proposes, before it meets the store.
///
/// `body` is final text: composed, redacted and inert. For a profile it is 1–3 sentences, for a playbook the
/// three sections `## When`, `## What`, `## Why`; for [`Intent::Forget`] it is what should be forgotten.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Candidate {
    /// What it asks of the store.
    pub intent: Intent,
    /// Profile or playbook.
    pub kind: Kind,
    /// Its class.
    pub class: Class,
    /// The topic, for the file name.
    pub slug: Slug,
    /// How long a profile lives; [`Ttl::Infinity`] for playbooks.
    pub ttl: Ttl,
    /// How it was confirmed.
    pub confirm: Confirmation,
    /// The text that would be stored.
    pub body: String,
    /// When it was said: the time of the statement, or of the last correction.
    pub said_at: DateTime<Utc>,
    /// The lines it comes from, the deciding one first.
    pub evidence: Vec<Evidence>,
    /// Why it was judged as it was, one short clause for `--dry-run` and the ledger.
    pub reason: String,
}
