//! What a session has for the home: corrections, statements, the agent's reflections, the uses it cites.
//!
//! Taken from a session before its texts are let go of; small, clean and without the session.

use std::path::Path;
use std::sync::LazyLock;

use chrono::{DateTime, Utc};
use regex::Regex;

use super::corrections::{Reflection, reflections};
use super::domain::scope;
use super::lesson::{How, Place, Scope};
use crate::compose::slug::slug;
use crate::memory::{Candidate, Class, Confirmation, Intent, Kind, Role, Ttl, headline, shortened};
use crate::redact::Redactor;
use crate::store::git_root;
use crate::store::ledger::checksum;
use crate::text::fold::fold;
use crate::transcript::{Host, Manner, Session, Speaker};

/// So many characters of a rule are kept.
const TEXT_CHARS: usize = 300;
/// The name of a project's page has at most so many characters before it is shortened.
const NAME_CHARS: usize = 64;
/// So many hexadecimal digits tell one shortened name from another.
const NAME_DIGITS: usize = 6;
/// So many hexadecimal digits tell one saying from another.
const KEY_DIGITS: usize = 12;

/// What a session has for the home.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Heard {
    /// What it taught, in the order in which it was said.
    pub lessons: Vec<Taught>,
    /// What it asked to forget.
    pub forget: Vec<Forget>,
    /// What its agent noted about its own work.
    pub reflections: Vec<Noted>,
    /// The memories by which its agent said that it worked.
    pub citations: Vec<Citation>,
}

/// A lesson that was taught.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taught {
    /// How.
    pub how: How,
    /// When.
    pub at: DateTime<Utc>,
    /// Where.
    pub place: Place,
    /// A checksum of when and in which words.
    pub words: String,
    /// The rule on one line.
    pub text: String,
    /// Its topic.
    pub tag: String,
    /// Where it holds by itself.
    pub scope: Scope,
    /// The project it was said in, for the log.
    pub project: Option<String>,
    /// Whether it corrected the agent.
    pub is_correction: bool,
}

/// A wish to forget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forget {
    /// When.
    pub at: DateTime<Utc>,
    /// Where.
    pub place: Place,
    /// What.
    pub text: String,
}

/// A reflection of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Noted {
    /// When.
    pub at: DateTime<Utc>,
    /// Where.
    pub place: Place,
    /// Its words.
    pub words: Reflection,
    /// The project it was noted in.
    pub project: Option<String>,
}

/// "Using X (from projects/foo.md:12)".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Citation {
    /// When.
    pub at: DateTime<Utc>,
    /// Where it stands.
    pub place: Place,
    /// A checksum of when and in which words.
    pub words: String,
    /// What it names.
    pub text: String,
    /// The page it names.
    pub page: String,
    /// The line it names.
    pub line: Option<u32>,
}

static CITED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let page = r"(?:memory|corrections|reflections)\.md|(?:projects|domains|archive)/[\w.-]+\.md";
    Regex::new(&format!(r"(?i)\busing (.{{3,200}}?) \(from `?({page})(?::(\d+))?`?\)")).ok()
});

/// Listens to a session. `home` is the person's home folder: work right in it belongs to no project.
#[must_use]
pub fn hear(session: &Session, candidates: &[Candidate], home: Option<&Path>, redactor: &Redactor) -> Heard {
    let project = project(session, home);
    let mut heard = Heard::default();
    for candidate in candidates {
        match candidate.intent {
            Intent::Forget => heard.forget.extend(forget(candidate)),
            Intent::Keep | Intent::Pending => heard.lessons.extend(taught(candidate, project.as_deref())),
        }
    }
    let clean = |text: &str| shortened(&redactor.clean(text).text, TEXT_CHARS);
    for turn in session.turns.iter().filter(|t| t.speaker == Speaker::Agent && t.manner == Manner::Plain) {
        let place = Place { host: session.host.name().into(), session: session.id.clone(), line: turn.line };
        let at = turn.time.unwrap_or(session.started);
        heard.reflections.extend(reflections(&turn.text).into_iter().map(|r| Noted {
            at,
            place: place.clone(),
            words: Reflection {
                context: clean(&r.context),
                reflection: clean(&r.reflection),
                lesson: clean(&r.lesson),
            },
            project: project.clone(),
        }));
        let cited = CITED.as_ref().into_iter().flat_map(|cited| cited.captures_iter(&turn.text));
        heard.citations.extend(cited.filter_map(|found| {
            let page = found.get(2)?.as_str().to_owned();
            let line = found.get(3).and_then(|line| line.as_str().parse().ok());
            let words = key(at, found.get(0)?.as_str());
            Some(Citation { at, place: place.clone(), words, text: clean(found.get(1)?.as_str()), page, line })
        }));
    }
    heard
}

/// The name of the project a session was held in: the folder of its git root, else the folder it ran in. An OpenClaw
/// workspace is the person's own, and no project.
fn project(session: &Session, home: Option<&Path>) -> Option<String> {
    let cwd = session.cwd.as_deref().filter(|_| session.host != Host::Openclaw)?;
    let root = git_root(cwd).unwrap_or(cwd);
    let name = root.file_name().filter(|_| Some(root) != home)?.to_string_lossy();
    Some(page_name(&name))
}

/// The name of a project's page: that of its folder, so that no two folders with different names share one. A name that
/// no file should have is spelled plainly, with a checksum behind it.
#[must_use]
pub fn page_name(folder: &str) -> String {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
    if folder.len() <= NAME_CHARS
        && folder.starts_with(|c: char| c.is_ascii_alphanumeric())
        && folder.chars().all(is_plain)
    {
        return folder.to_owned();
    }
    let sum: String = checksum(folder).chars().take(NAME_DIGITS).collect();
    format!("{}-{sum}", slug(folder))
}

/// What a candidate teaches; nothing if it is a fact, or holds for a while only.
fn taught(candidate: &Candidate, project: Option<&str>) -> Option<Taught> {
    let lasts = candidate.kind == Kind::Playbook || candidate.ttl >= Ttl::OneYear;
    if !lasts || candidate.class == Class::Fact {
        return None;
    }
    let how = match (candidate.intent, candidate.kind, candidate.confirm) {
        (Intent::Pending, ..) => How::Pending,
        (_, Kind::Profile, _) => How::Stated,
        (_, Kind::Playbook, Confirmation::Explicit) => How::Explicit,
        (_, Kind::Playbook, _) => How::Implicit,
    };
    let first = candidate.evidence.first()?;
    let text = shortened(&headline(candidate.kind, &candidate.body), TEXT_CHARS);
    Some(Taught {
        how,
        at: candidate.said_at,
        place: Place { host: first.host.clone(), session: first.session.clone(), line: first.line },
        words: key(first.time, &first.quote),
        tag: slug(&text).to_string(),
        scope: scope(&text, candidate.class, project),
        project: project.map(str::to_owned),
        is_correction: candidate.evidence.iter().any(|e| e.role == Role::Correction),
        text,
    })
}

fn forget(candidate: &Candidate) -> Option<Forget> {
    let first = candidate.evidence.first()?;
    let place = Place { host: first.host.clone(), session: first.session.clone(), line: first.line };
    Some(Forget { at: candidate.said_at, place, text: shortened(&candidate.body, TEXT_CHARS) })
}

/// The same for the same words at the same time, in whatever copy of a session they stand.
#[must_use]
pub(super) fn key(at: DateTime<Utc>, words: &str) -> String {
    let sum = checksum(format!("{}\u{0}{}", at.timestamp_millis(), fold(words)));
    sum.chars().take(KEY_DIGITS).collect()
}

#[cfg(test)]
#[path = "hear_tests.rs"]
mod tests;
