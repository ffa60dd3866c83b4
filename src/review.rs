//! Review: what waits for the person's word becomes a memory, as it was said or as they put it.
//!
//! An accepted correction is reconciled like all others. As it stands it counts as said when it was said, so that what
//! was said otherwise since keeps its place; in the person's new words it counts as said now.

use std::path::Path;

use chrono::{DateTime, SecondsFormat, Utc};

use crate::compose::playbook;
use crate::dictate;
use crate::error::{Error, ErrorKind, Result};
use crate::memory::{Candidate, Class, Confirmation, Evidence, Intent, Kind, Role, Sections, Ttl};
use crate::redact::Redactor;
use crate::store::{self, Open, Outcome};

/// The text that a correction would be kept with: what to edit.
#[must_use]
pub fn draft(open: &Open) -> String {
    playbook::of_words(&open.body)
}

/// Turns down what waits: it is not asked about again, and not learned from what was said until `now`.
///
/// # Errors
/// As for [`store::reject`].
pub fn reject(open: &Open, root: &Path, now: DateTime<Utc>) -> Result<()> {
    let words = if open.intent == Intent::Forget { open.body.clone() } else { draft(open) };
    store::reject(root, &open.id, &words, now)
}

/// Makes a memory of what waits, see [`accepted`].
///
/// # Errors
/// As for [`accepted`] and [`store::apply`].
pub fn accept(
    open: &Open,
    words: Option<&str>,
    root: &Path,
    redactor: &Redactor,
    now: DateTime<Utc>,
) -> Result<Outcome> {
    store::apply(root, vec![accepted(open, words, redactor, now)?], now)
}

/// What waits as a candidate; `words` is the text as the person edited it, with all three sections.
///
/// # Errors
/// [`ErrorKind::Usage`] if it is a wish to forget, or the edited text is no playbook.
pub fn accepted(open: &Open, words: Option<&str>, redactor: &Redactor, now: DateTime<Utc>) -> Result<Candidate> {
    if open.intent == Intent::Forget {
        let why = "which memory is to be forgotten is not clear: forget it by its id, then reject this";
        return Err(Error::new(ErrorKind::Usage, why));
    }
    let body = dictate::playbook(words.unwrap_or(&draft(open)), redactor)?;
    let accepted = Evidence {
        host: Evidence::HAND.to_owned(),
        session: now.to_rfc3339_opts(SecondsFormat::Micros, true),
        line: 1,
        role: Role::Confirmation,
        time: now,
        quote: if words.is_some() { "edited and accepted in review" } else { "accepted in review" }.to_owned(),
        grounds: Vec::new(),
    };
    let mut evidence = open.evidence.clone();
    evidence.push(accepted);
    Ok(Candidate {
        intent: Intent::Keep,
        kind: Kind::Playbook,
        class: Class::Procedure,
        slug: crate::compose::slug::slug(&Sections::of(&body).what),
        ttl: Ttl::Infinity,
        confirm: Confirmation::Explicit,
        body,
        said_at: if words.is_some() { now } else { open.said_at },
        replaces: Vec::new(),
        evidence,
        reason: "a correction that the person accepted in review".to_owned(),
    })
}

#[cfg(test)]
mod tests;
