//! Dictation: a memory that a person, a script or an agent's tool hands in ready-made, instead of a session that
//! teaches it (the seed's flows A and B).
//!
//! What is handed in ([`Draft`]) is checked as in the original, loses its secrets and everything that could act in a
//! later prompt, and is then reconciled like all others: the same again makes no new file, another value of the same
//! subject takes the old one's place. It counts as said at the moment at which it is handed in.
//!
//! ```
//! use afterword::dictate::{Author, Draft, dictate};
//! use afterword::memory::Kind;
//! use afterword::redact::Redactor;
//!
//! let folder = tempfile::tempdir()?;
//! let draft = Draft {
//!     kind: Kind::Profile,
//!     slug: "diet-vegan",
//!     ttl: Some("infinity"),
//!     body: "User is vegan. No meat, no fish, no dairy, no eggs.",
//!     supersedes: &[],
//!     author: Author::Agent("reflexio_write_profile"),
//! };
//! let outcome = dictate(&draft, &folder.path().join(".reflexio"), Redactor::builtin(), chrono::Utc::now())?;
//! assert_eq!(outcome.written.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod sections;

use std::path::Path;

use chrono::{DateTime, SecondsFormat, Utc};

use crate::error::{Error, ErrorKind, Result};
use crate::memory::{Candidate, Class, Confirmation, Evidence, Id, Intent, Kind, Role, Slug, Ttl};
use crate::reconcile::Hand;
use crate::redact::Redactor;
use crate::store::{self, Outcome};

/// A memory as it is handed in, not yet checked.
#[derive(Debug, Clone, Copy)]
pub struct Draft<'a> {
    /// Profile or playbook.
    pub kind: Kind,
    /// The topic, for the file's name: `^[a-z0-9][a-z0-9-]{0,47}$`.
    pub slug: &'a str,
    /// How long a profile lives, as the word of a [`Ttl`]; a playbook has none.
    pub ttl: Option<&'a str>,
    /// The text: 1–3 sentences for a profile, the sections `## When`, `## What` and `## Why` for a playbook.
    pub body: &'a str,
    /// The ids of memories whose place it takes; they must be in the store.
    pub supersedes: &'a [String],
    /// Who hands it in.
    pub author: Author<'a>,
}

/// Who hands a memory in; its evidence says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Author<'a> {
    /// A person, or a script of theirs. They may write again what they deleted, and replace what they edited.
    Person,
    /// An agent, with the tool of this name. What the person deleted or edited stays as it is.
    Agent(&'a str),
}

/// A memory is a few sentences: a text of more characters is refused. The original's server cut there.
pub const LONGEST: usize = 10_000;

/// Writes a draft into the store at `root`. The one decision in the outcome tells what became of it:
/// [`crate::reconcile::Op::Create`], `Supersede`, `Confirm` (known already), or `Skip` with the reason.
///
/// # Errors
/// [`ErrorKind::Usage`] if the draft breaks a rule of the format, else as for [`store::apply`].
pub fn dictate(draft: &Draft<'_>, root: &Path, redactor: &Redactor, now: DateTime<Utc>) -> Result<Outcome> {
    store::apply(root, vec![checked(draft, root, redactor, now)?], now)
}

/// What [`dictate`] would do; writes nothing.
///
/// # Errors
/// As for [`dictate`].
pub fn rehearse(draft: &Draft<'_>, root: &Path, redactor: &Redactor, now: DateTime<Utc>) -> Result<Outcome> {
    store::preview(root, vec![checked(draft, root, redactor, now)?])
}

/// The draft as a candidate.
fn checked(draft: &Draft<'_>, root: &Path, redactor: &Redactor, now: DateTime<Utc>) -> Result<Candidate> {
    let (quote, host) = match draft.author {
        Author::Person => ("written by hand".to_owned(), Evidence::HAND),
        Author::Agent(tool) => (format!("written by an agent with {}", redactor.clean(tool).text), Evidence::TOOL),
    };
    let evidence = Evidence {
        host: host.to_owned(),
        // Each dictation is an event of its own: what was forgotten since may be dictated again.
        session: now.to_rfc3339_opts(SecondsFormat::Micros, true),
        line: 1,
        role: Role::Statement,
        time: now,
        quote: quote.clone(),
    };
    Ok(Candidate {
        intent: Intent::Keep,
        kind: draft.kind,
        class: if draft.kind == Kind::Profile { Class::Fact } else { Class::Procedure },
        slug: slug(draft.slug, redactor)?,
        ttl: ttl(draft)?,
        confirm: Confirmation::None,
        body: body(draft, redactor)?,
        said_at: now,
        replaces: replaced(draft, root)?,
        evidence: vec![evidence],
        reason: quote,
    })
}

fn refused<T>(why: impl Into<String>) -> Result<T> {
    Err(Error::new(ErrorKind::Usage, why))
}

/// A file's name is as public as its text: it must not hold a secret either.
fn slug(text: &str, redactor: &Redactor) -> Result<Slug> {
    let Some(slug) = Slug::new(text) else {
        return refused(format!(
            "{text:?} is no slug: 1 to {} of a-z, 0-9 and -, not beginning with -, are expected",
            Slug::MAX
        ));
    };
    if redactor.clean(text).text != text {
        return refused("the slug looks like a secret, and would become the name of a file");
    }
    Ok(slug)
}

fn ttl(draft: &Draft<'_>) -> Result<Ttl> {
    let words = || Ttl::ALL.map(Ttl::word).join(", ");
    match (draft.kind, draft.ttl) {
        (Kind::Playbook, None) => Ok(Ttl::Infinity),
        (Kind::Playbook, Some(_)) => refused("a playbook has no ttl: it holds until another takes its place"),
        (Kind::Profile, None) => refused(format!("a profile needs a ttl, one of {}", words())),
        (Kind::Profile, Some(word)) => match Ttl::parse(word) {
            Some(ttl) => Ok(ttl),
            None => refused(format!("{word:?} is no ttl: one of {} is expected", words())),
        },
    }
}

fn body(draft: &Draft<'_>, redactor: &Redactor) -> Result<String> {
    let length = draft.body.chars().count();
    if length > LONGEST {
        return refused(format!("the text has {length} characters; a memory has at most {LONGEST}"));
    }
    let clean = redactor.clean(draft.body).text;
    let text = clean.trim();
    if text.is_empty() {
        return refused("the text is empty");
    }
    match draft.kind {
        Kind::Profile => Ok(text.to_owned()),
        Kind::Playbook => sections::playbook(text).or_else(refused),
    }
}

/// The memories that are named; each must be there, and an agent must not replace what the person edited.
fn replaced(draft: &Draft<'_>, root: &Path) -> Result<Vec<Id>> {
    if draft.supersedes.is_empty() {
        return Ok(Vec::new());
    }
    let held = store::read(root)?.held;
    let mut ids = Vec::new();
    for text in draft.supersedes {
        let Some(held) = held.iter().find(|held| held.id.as_str() == text) else {
            return refused(format!("there is no memory {text:?} in the store, so nothing can supersede it"));
        };
        if held.hand == Hand::Edited && draft.author != Author::Person {
            return refused(format!("the person edited {text}: an agent must not replace it"));
        }
        if !ids.contains(&held.id) {
            ids.push(held.id.clone());
        }
    }
    Ok(ids)
}

#[cfg(test)]
mod tests;
