//! Importing an exported store.
//!
//! Into an empty place it is restored as it was, ledger and all, so that `undo` and `why` go on working. Into a store that
//! is there it is merged by reconciling: every statement that stands behind one of its memories comes with the time at
//! which it was made, and so do the corrections that wait for review. A memory that no statement accounts for, because
//! another program or the person's hand wrote it, comes as one that was imported. The same archive again adds nothing.

use std::collections::HashSet;
use std::fs::{self, File};
use std::path::Path;
use std::time::SystemTime;

use chrono::{DateTime, Utc};

use super::archive::{Files, LEDGER, unpacked_store};
use super::ledger::{self, Event, Page};
use super::steps::{Step, perform};
use super::view::{View, look};
use super::{Outcome, apply, disk, markdown, preview};
use crate::error::{Error, ErrorKind, Problem, Result};
use crate::memory::{Candidate, Class, Confirmation, Evidence, Intent, Kind, Role, Slug, Ttl};
use crate::reconcile::{Batch, Hand, Held, Op, pending, plan};

/// What an import needs to know.
#[derive(Clone, Copy)]
pub struct Import<'a> {
    /// The zip file.
    pub archive: &'a Path,
    /// Takes out secrets and what could act in a later prompt.
    pub clean: &'a dyn Fn(&str) -> String,
    /// The topic of a text, for the name of its file.
    pub topic: &'a dyn Fn(&str) -> Slug,
}

/// What an import did, or would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Imported {
    /// The store was restored as it was, so many memories.
    Restored(usize, Vec<Problem>),
    /// It was merged into the store that is there.
    Merged(Outcome),
}

/// Brings an archive that [`super::export`] wrote into the store at `root`.
///
/// # Errors
/// [`ErrorKind::Usage`] if it is no archive of a store; else if it cannot be read, or the store cannot be written.
pub fn import(root: &Path, import: Import<'_>, now: DateTime<Utc>) -> Result<Imported> {
    let (files, problems) = store_in(import.archive)?;
    if is_restorable(root, &files, import)? {
        let lock = disk::lock_to_write(root)?;
        // Another process may have come first.
        if is_restorable(root, &files, import)? {
            return restore(root, &files, problems);
        }
        drop(lock);
    }
    let outcome = apply(root, batch(root, &files, import)?, now)?;
    Ok(Imported::Merged(told(outcome, problems)))
}

/// What [`import`] would do; writes nothing.
///
/// # Errors
/// As for [`import`].
pub fn import_preview(root: &Path, import: Import<'_>) -> Result<Imported> {
    let (files, problems) = store_in(import.archive)?;
    if is_restorable(root, &files, import)? {
        return Ok(Imported::Restored(memories(&files), problems));
    }
    let outcome = preview(root, batch(root, &files, import)?)?;
    Ok(Imported::Merged(told(outcome, problems)))
}

fn store_in(archive: &Path) -> Result<(Files, Vec<Problem>)> {
    let (files, problems) = unpacked_store(archive)?;
    if files.is_empty() {
        let because = problems.first().map(|problem| format!("; {}: {}", problem.path.display(), problem.what));
        let what = format!("there is no store in this archive{}", because.unwrap_or_default());
        return Err(Error::new(ErrorKind::Usage, what).at(archive));
    }
    Ok((files, problems))
}

fn memories(files: &Files) -> usize {
    files.keys().filter(|name| *name != LEDGER).count()
}

fn told(outcome: Outcome, mut problems: Vec<Problem>) -> Outcome {
    problems.extend(outcome.problems);
    Outcome { problems, ..outcome }
}

/// Whether the files may be put down as they are: nothing is there, and nothing in them needs to be taken out.
fn is_restorable(root: &Path, files: &Files, import: Import<'_>) -> Result<bool> {
    let empty = !disk::check(root)? || {
        let view = look(root)?;
        view.ledger.whole == 0 && view.pages.is_empty() && view.known.held.is_empty() && view.known.problems.is_empty()
    };
    let Some(bytes) = files.get(LEDGER).filter(|_| empty) else {
        return Ok(false);
    };
    let ledger = ledger::read(bytes);
    let whole = ledger.broken.is_empty() && ledger.done == ledger.events.len() && ledger.whole == bytes.len() as u64;
    let is_clean = |text: &str| (import.clean)(text) == text;
    let mut pages = files.iter().filter(|(name, _)| *name != LEDGER);
    let mut clean_pages = || {
        pages.all(|(name, bytes)| {
            str::from_utf8(bytes).is_ok_and(|text| is_plain(name, text) && is_clean(&markdown::body(text)))
        })
    };
    Ok(whole && ledger.events.iter().all(|event| says(event).iter().all(|text| is_clean(text))) && clean_pages())
}

/// Whether a file is to the letter as this program writes it: nothing but the body can say anything.
fn is_plain(name: &str, text: &str) -> bool {
    let kind = Kind::ALL.into_iter().find(|kind| name.split('/').next() == Some(kind.folder()));
    let read = kind.and_then(|kind| markdown::parse(text, kind, name, DateTime::UNIX_EPOCH).ok());
    read.is_some_and(|document| markdown::render(&document) == text)
}

/// Everything in an event that somebody said or wrote.
fn says(event: &Event) -> Vec<String> {
    let pages: Vec<&Page> = event.writes.iter().chain(&event.removes).chain(&event.found).collect();
    let mut texts: Vec<String> = pages.iter().map(|page| markdown::body(&page.text)).collect();
    texts.extend(pages.iter().map(|page| page.file.clone()));
    texts.extend(event.evidence.iter().flat_map(|evidence| [evidence.quote.clone(), evidence.session.clone()]));
    texts.extend([&event.body, &event.slug, &event.judged].into_iter().flatten().cloned());
    texts.push(event.reason.clone());
    texts
}

/// Under the lock. Memories first, the ledger last: a crash in between leaves memories of another hand, never a ledger that misses them.
fn restore(root: &Path, files: &Files, problems: Vec<Problem>) -> Result<Imported> {
    perform(root, &Step::Ignore)?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    for (name, bytes) in files.iter().filter(|(name, _)| *name != LEDGER) {
        disk::write(root, name, &text(bytes), None)?;
    }
    perform(root, &Step::Sync)?;
    if let Some(bytes) = files.get(LEDGER) {
        disk::append(root, bytes)?;
    }
    Ok(Imported::Restored(memories(files), problems))
}

/// What the store at `root` has to hear of.
fn batch(root: &Path, files: &Files, import: Import<'_>) -> Result<Batch> {
    let folder = tempfile::tempdir().map_err(|error| Error::io("make a folder", &std::env::temp_dir(), error))?;
    let there = folder.path().join("store");
    for (name, bytes) in files {
        let path = there.join(name);
        let made = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&path, bytes));
        // The same archive always says the same: what has no time of its own is older than everything.
        let made = made.and_then(|()| File::options().append(true).open(&path)?.set_modified(SystemTime::UNIX_EPOCH));
        made.map_err(|error| Error::io("unpack", &path, error))?;
    }
    let (theirs, ours) = (look(&there)?, look(root)?);
    let (mut candidates, accounted) = statements(&theirs);
    candidates.extend(pending(&theirs.known).into_iter().cloned());
    let candidates = candidates.into_iter().map(|candidate| cleaned(candidate, import));
    let strangers = theirs.known.held.iter().filter(|held| !accounted.contains(&held.id.to_string()));
    let strangers = strangers.filter(|held| !is_there(held, &ours)).map(|held| stranger(held, import));
    Ok(candidates.chain(strangers).collect::<Vec<_>>().into())
}

/// The statements behind the memories of a store, and the ids of the memories that they account for.
fn statements(view: &View) -> (Vec<Candidate>, HashSet<String>) {
    let all: Vec<Candidate> = view.known.told.iter().map(|told| told.candidate.clone()).collect();
    let found: HashSet<_> = view.known.found.iter().map(|found| &found.id).collect();
    let decisions = plan(&view.known, all).decisions.into_iter();
    let standing = decisions.filter(|decision| decision.op == Op::Confirm && decision.candidate.intent == Intent::Keep);
    let ours = standing.filter(|decision| decision.id.as_ref().is_some_and(|id| !found.contains(id)));
    let mut accounted = HashSet::new();
    let candidates = ours.map(|decision| {
        accounted.extend(decision.id.map(|id| id.to_string()));
        decision.candidate
    });
    (candidates.collect(), accounted)
}

/// A statement as it may be written. Of one that needs no cleaning, nothing changes: it is known by every field.
fn cleaned(candidate: Candidate, import: Import<'_>) -> Candidate {
    let clean = |text: &str| (import.clean)(text);
    let evidence = candidate.evidence.iter().map(|evidence| Evidence {
        quote: clean(&evidence.quote),
        session: clean(&evidence.session),
        ..evidence.clone()
    });
    let slug = Slug::new(&clean(candidate.slug.as_str())).unwrap_or_else(|| (import.topic)(&candidate.body));
    Candidate {
        body: clean(&candidate.body),
        evidence: evidence.collect(),
        reason: clean(&candidate.reason),
        slug,
        ..candidate
    }
}

fn is_there(held: &Held, ours: &View) -> bool {
    ours.known.held.iter().any(|other| other.id == held.id && other.body == held.body)
}

/// A memory that no statement accounts for.
fn stranger(held: &Held, import: Import<'_>) -> Candidate {
    let body = (import.clean)(&held.body);
    let host = if held.hand == Hand::Edited { Evidence::HAND } else { Evidence::IMPORT };
    let evidence = Evidence {
        host: host.to_owned(),
        session: held.id.to_string(),
        line: 1,
        role: Role::Statement,
        time: held.said.time,
        quote: format!("imported from {}", (import.clean)(&held.file)),
        grounds: Vec::new(),
    };
    Candidate {
        intent: Intent::Keep,
        kind: held.kind,
        class: if held.kind == Kind::Profile { Class::Fact } else { Class::Procedure },
        slug: (import.topic)(&body),
        ttl: if held.kind == Kind::Profile { held.ttl } else { Ttl::Infinity },
        confirm: Confirmation::None,
        body,
        said_at: held.said.time,
        replaces: Vec::new(),
        evidence: vec![evidence],
        reason: "imported".to_owned(),
    }
}
