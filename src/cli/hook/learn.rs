//! What the worker does with one job: the whole journey, told in numbers.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use chrono::{DateTime, TimeDelta, Utc};

use crate::cli::experience::feed::Feed;
use crate::cli::extract::Summary;
use crate::cli::report::fit;
use crate::error::{Error, ErrorKind};
use crate::host::{Moment, Places, locate};
use crate::pipeline::{self, Run};
use crate::redact::Redactor;
use crate::rules::Rules;
use crate::search::refresh;
use crate::spool::Job;
use crate::store::Stores;
use crate::transcript::{Reading, Session, is_database};

/// In a database of which the hook did not tell the session, those of so long before are meant.
const RECENT: TimeDelta = TimeDelta::hours(24);

/// Learns from the files of a job. What it tells, of a failure too, holds no word of a session.
///
/// The stores that it was about are added to `stores`.
pub(super) fn learn(
    job: &Job,
    places: &Places,
    (rules, redactor): (&Rules, &'static Redactor),
    stores: &mut BTreeSet<PathBuf>,
) -> Result<String, String> {
    let (mut readings, mut errors) = pipeline::read_all(&job.files);
    if job.note.moment == Moment::CatchUp {
        // Claude Code writes rows about itself before anything is said; such a file has no format yet.
        errors.retain(|error| error.kind() != ErrorKind::UnknownFormat);
    }
    let session = locate::session(&job.note, places);
    readings.iter_mut().for_each(|reading| narrow(reading, job, session.as_deref()));
    let learned = pipeline::learn_from(readings, errors, rules, redactor);
    let mut summary = Summary::of(&learned);
    // A file of a format that is not known will not be known the next time.
    let mut failures: Vec<Error> =
        learned.errors.into_iter().filter(|e| e.kind() != ErrorKind::UnknownFormat).collect();
    let feed = Feed::of(Some(&places.home), redactor);
    feed.iter().for_each(|feed| feed.hear(&learned.sessions));
    let places = Stores { named: job.note.store.clone(), home: Some(places.home.clone()) };
    for (root, outcome) in pipeline::keep(learned.sessions, &places, Run::At(Utc::now())) {
        // A message must not wait for the index. It can be done without, so a failure is none of this job's.
        let _ = refresh(&root);
        stores.insert(root);
        match outcome {
            Ok(outcome) => outcome.plan.decisions.iter().for_each(|decision| summary.count(decision)),
            Err(error) => failures.push(error),
        }
    }
    match feed.as_ref().map(Feed::write) {
        // A page or a global file that is refused is for the heartbeat to tell: a new try would not mend it.
        None | Some(Ok(_)) => {}
        Some(Err(error)) => failures.push(error),
    }
    let told = |error: &Error| fit(&redactor.clean(&error.to_string()).text, 300);
    match failures.first() {
        None => Ok(summary.sentence()),
        Some(error) => Err(format!("{}; {}", told(error), summary.sentence())),
    }
}

/// Leaves the sessions that the job is about, and says where they worked if they do not say so themselves.
fn narrow(reading: &mut Reading, job: &Job, id: Option<&str>) {
    let note = &job.note;
    let since = job.since.unwrap_or(note.at - RECENT);
    reading.sessions.retain(|session| match id {
        _ if !is_database(&session.source) => true,
        Some(id) if note.moment != Moment::CatchUp => session.id == id,
        _ => is_since(session, since),
    });
    if note.moment == Moment::CatchUp && locate::project(note).is_none() {
        return;
    }
    for session in &mut reading.sessions {
        let is_there = session.cwd.as_deref().is_some_and(Path::is_dir);
        if !is_there && let Some(cwd) = &note.cwd {
            session.cwd = Some(cwd.clone());
        }
    }
}

/// Whether anything was said since then; where there are no times, it may have been.
fn is_since(session: &Session, since: DateTime<Utc>) -> bool {
    session.turns.iter().rev().find_map(|turn| turn.time).is_none_or(|last| last >= since)
}
