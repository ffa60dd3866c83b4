//! The words of the store: what a memory is made of. Types only; nothing here reads, judges or writes.

mod sections;

use std::fmt;

use chrono::{DateTime, Days, Months, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::text::fold::fold;

pub use sections::{Sections, flat, headline, shortened};

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
    /// Both, in the order in which they are shown.
    pub const ALL: [Self; 2] = [Self::Profile, Self::Playbook];

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

impl Class {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Preference, Self::Fact, Self::Config, Self::Constraint, Self::Procedure];

    /// The word for people and for programs.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Preference => "preference",
            Self::Fact => "fact",
            Self::Config => "config",
            Self::Constraint => "constraint",
            Self::Procedure => "procedure",
        }
    }
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
    /// All of them, the shortest first.
    pub const ALL: [Self; 6] =
        [Self::OneDay, Self::OneWeek, Self::OneMonth, Self::OneQuarter, Self::OneYear, Self::Infinity];

    /// The TTL that is written with this word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|ttl| ttl.word() == word)
    }

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

impl Ttl {
    /// The last day of a profile that was stated at `said`; `None` if it lives for ever.
    ///
    /// Months are calendar months, clamped to the month's end: a month from 31 January is 28 or 29 February.
    #[must_use]
    pub fn expiry(self, said: DateTime<Utc>) -> Option<NaiveDate> {
        let day = said.date_naive();
        // A date beyond the calendar's end is as good as for ever.
        match self {
            Self::OneDay => day.checked_add_days(Days::new(1)),
            Self::OneWeek => day.checked_add_days(Days::new(7)),
            Self::OneMonth => day.checked_add_months(Months::new(1)),
            Self::OneQuarter => day.checked_add_months(Months::new(3)),
            Self::OneYear => day.checked_add_months(Months::new(12)),
            Self::Infinity => None,
        }
    }
}

/// The name of a memory: the kind's prefix, `_`, and a suffix that its file name shares (`prof_k3x9a0b7qz`).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Id(String);

impl Id {
    /// How many characters the suffix of a new id has: 36^10 suffixes, so that 100,000 memories meet by chance
    /// once in some 700,000 stores.
    pub const SUFFIX: usize = 10;

    /// The id that content and origin give: the same body from the same line of the same session has the same id
    /// in every store. `seed` counts up while the id is taken.
    #[must_use]
    pub fn derive(kind: Kind, body: &str, first: Option<&Evidence>, seed: u32) -> Self {
        let alphabet: Vec<char> = ('a'..='z').chain('0'..='9').collect();
        let mut content = vec![kind.word().to_owned(), fold(body)];
        if let Some(evidence) = first {
            content.push(evidence.host.clone());
            content.push(evidence.session.clone());
            content.push(evidence.line.to_string());
        }
        content.push(seed.to_string());
        let content = content.join("\u{0}");
        let mut block = 0_u32;
        // SHA-256 in counter mode: as many bytes as the alphabet's rejection sampling asks for.
        let bytes = |wanted: usize| {
            let mut bytes = Vec::with_capacity(wanted + 32);
            while bytes.len() < wanted {
                let digest = Sha256::new().chain_update(block.to_be_bytes()).chain_update(&content).finalize();
                bytes.extend_from_slice(&digest);
                block += 1;
            }
            bytes.truncate(wanted);
            bytes
        };
        let suffix = nanoid::format(bytes, &alphabet, Self::SUFFIX);
        Self(format!("{}_{suffix}", kind.prefix()))
    }

    /// Takes an id as it stands in a file, other programs' short ones included.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        let valid = !text.is_empty() && text.len() <= 64 && text.chars().all(plain);
        valid.then(|| Self(text.to_owned()))
    }

    /// The id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The part that the file name shares.
    #[must_use]
    pub fn suffix(&self) -> &str {
        self.0.split_once('_').map_or(&self.0, |(_, suffix)| suffix)
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
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
        let valid = text.len() <= Self::MAX && bytes.next().is_some_and(plain) && bytes.all(|b| plain(b) || b == b'-');
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

/// One thing that spoke for a judgement or against it: a trigger that fired, or what stood around the words.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Ground {
    /// The trigger's id, or the name in `rules/weights.toml`.
    pub name: String,
    /// What it added, in hundredths of log-odds: whole numbers, so that equal means equal.
    pub weight: i32,
}

/// Where a memory comes from: a line of a session, and the (redacted) words that stood there.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Evidence {
    /// The host's name, see [`crate::transcript::Host`]; [`Evidence::HAND`] or [`Evidence::TOOL`] where no session tells.
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
    /// Why the line was taken for that; empty in ledgers that do not tell.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grounds: Vec<Ground>,
}

impl Evidence {
    /// The host of what a person or their script wrote into the store themselves.
    pub const HAND: &str = "hand";

    /// The host of what an agent wrote into the store with a tool.
    pub const TOOL: &str = "tool";

    /// The host of what was imported from another store that could not tell who had said it.
    pub const IMPORT: &str = "import";

    /// Whether a person wrote it into the store themselves.
    #[must_use]
    pub fn is_by_hand(&self) -> bool {
        self.host == Self::HAND
    }
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
    /// The memories whose place it is to take by name, whatever they say.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub replaces: Vec<Id>,
    /// The lines it comes from, the deciding one first.
    pub evidence: Vec<Evidence>,
    /// Why it was judged as it was, one short clause for `--dry-run` and the ledger.
    pub reason: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_clamp_to_their_end() {
        for (said, ttl, expected) in [
            ("2026-01-31T10:00:00Z", Ttl::OneMonth, Some("2026-02-28")),
            ("2026-11-30T10:00:00Z", Ttl::OneQuarter, Some("2027-02-28")),
            ("2028-02-29T10:00:00Z", Ttl::OneYear, Some("2029-02-28")),
            ("2026-12-31T23:59:59Z", Ttl::OneDay, Some("2027-01-01")),
            ("2026-01-01T00:00:00Z", Ttl::OneWeek, Some("2026-01-08")),
            ("2026-01-01T00:00:00Z", Ttl::Infinity, None),
        ] {
            let day = ttl.expiry(said.parse().unwrap()).map(|day| day.to_string());
            assert_eq!(day.as_deref(), expected, "{said} {ttl:?}");
        }
    }

    #[test]
    fn ids_come_from_content() {
        let one = Id::derive(Kind::Profile, "User likes tea.", None, 0);
        assert_eq!(one, Id::derive(Kind::Profile, "user likes TEA.", None, 0));
        assert_ne!(one, Id::derive(Kind::Profile, "User likes tea.", None, 1));
        assert_ne!(one.suffix(), Id::derive(Kind::Playbook, "User likes tea.", None, 0).suffix());
        assert_eq!(one.suffix().len(), Id::SUFFIX);
        assert_eq!(Id::parse("prof_a1b0").map(|id| id.suffix().to_owned()), Some("a1b0".into()));
        assert_eq!(Id::parse("[x]"), None);
    }
}
