//! The whole journey on one page.
//!
//! ```text
//! sources → read → in the order of time, copies dropped → judge → episodes → compose → candidates
//! candidates → by store → reconcile → commit
//! ```
//!
//! Everything here is pure but for reading the sources ([`read_all`]) and writing the stores ([`keep`]). `rayon` runs
//! over sources and sessions; the result depends neither on the number of threads nor on the order in which sources
//! were named.

mod counts;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use rayon::prelude::*;

pub use counts::Counts;

use crate::compose::{self, Material};
use crate::detect::{self, Judgement};
use crate::episode::{self, Episode};
use crate::error::{Error, ErrorKind, Problem, Result};
use crate::memory::Candidate;
use crate::reconcile::{self, Batch, Extent};
use crate::redact::Redactor;
use crate::rules::Rules;
use crate::store::{self, Stores};
use crate::transcript::{self, Reading, Session, Speaker};

/// What all sources together gave.
#[derive(Debug, Default)]
pub struct Learned {
    /// Every session, in the order of time, with what it proposes.
    pub sessions: Vec<Studied>,
    /// Lines and records that were skipped.
    pub problems: Vec<Problem>,
    /// Sources that could not be read at all.
    pub errors: Vec<Error>,
}

/// One session and everything that was found out about it.
#[derive(Debug)]
pub struct Studied {
    /// The session.
    pub session: Session,
    /// What each human turn does.
    pub judgements: Vec<Judgement>,
    /// The episodes, as they stood at the end.
    pub episodes: Vec<Episode>,
    /// The memories it proposes.
    pub candidates: Vec<Candidate>,
}

/// Learns from every session that was read.
#[must_use]
pub fn learn_from(readings: Vec<Reading>, errors: Vec<Error>, rules: &Rules, redactor: &Redactor) -> Learned {
    let mut learned = Learned { errors, ..Learned::default() };
    let mut sessions: Vec<Session> = Vec::new();
    for reading in readings {
        sessions.extend(reading.sessions);
        learned.problems.extend(reading.problems);
    }
    sessions
        .sort_by(|a, b| a.started.cmp(&b.started).then_with(|| a.id.cmp(&b.id)).then_with(|| a.source.cmp(&b.source)));
    transcript::drop_copies(&mut sessions);
    learned.sessions = sessions.into_par_iter().map(|session| study(session, rules, redactor)).collect();
    learned.problems.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
    learned
}

/// Judges one session, runs its episodes, composes what it proposes and settles what it said twice.
#[must_use]
pub fn study(mut session: Session, rules: &Rules, redactor: &Redactor) -> Studied {
    without_secrets(&mut session, redactor);
    let judgements = detect::judge(&session, rules);
    let episodes = episode::run(&session, &judgements, |_, _| {});
    let material = Material { session: &session, judgements: &judgements, episodes: &episodes, rules, redactor };
    let candidates = reconcile::settle(compose::candidates(material));
    Studied { session, judgements, episodes, candidates }
}

/// Whether a run writes.
#[derive(Debug, Clone, Copy)]
pub enum Run {
    /// It shows what would be written.
    Dry,
    /// It writes; the time goes to the ledgers.
    At(DateTime<Utc>),
}

/// Reconciles what the sessions propose with the store each belongs to, and commits it. One store that cannot be written
/// costs its own memories, never those of the others.
pub fn keep(sessions: Vec<Studied>, stores: &Stores, run: Run) -> Vec<(PathBuf, Result<store::Outcome>)> {
    let mut by_store: BTreeMap<PathBuf, Batch> = BTreeMap::new();
    for studied in sessions {
        let batch = by_store.entry(stores.of(&studied.session)).or_default();
        // Of a copy nothing was proposed that its original has not: that withdraws nothing.
        if !studied.session.repeats {
            batch.sessions.push(extent(&studied.session));
        }
        batch.candidates.extend(studied.candidates);
    }
    let kept = by_store.into_iter().map(|(root, batch)| {
        let outcome = match run {
            Run::Dry => store::preview(&root, batch),
            Run::At(now) => store::apply(&root, batch, now),
        };
        (root, outcome)
    });
    kept.collect()
}

/// How far a session was read: all of it.
fn extent(session: &Session) -> Extent {
    Extent {
        host: session.host.name().to_owned(),
        session: session.id.clone(),
        started: session.started,
        until: session.turns.iter().filter_map(|turn| turn.time).max().unwrap_or(session.started),
        turns: session.turns.len() as u64,
    }
}

/// Takes the secrets out of the person's turns, whole, before anything looks at them: the word that tells a secret may
/// stand in another sentence than the secret. No stage behind this one, and nothing kept, ever sees one. What agents and
/// tools wrote is never kept; `trace` takes its secrets out when it shows it.
fn without_secrets(session: &mut Session, redactor: &Redactor) {
    session.id = redactor.clean(&session.id).text.into_owned();
    let human = session.turns.par_iter_mut().filter(|turn| turn.speaker == Speaker::Human);
    human.for_each(|turn| {
        let clean = redactor.clean(&turn.text);
        if clean.text != turn.text {
            turn.text = clean.text.into_owned();
        }
    });
}

/// Reads every source: a file, a database, or a folder with all that is under it. A file in a folder that is no
/// transcript is a problem, a file that was named itself and is none is an error.
pub fn read_all(sources: &[PathBuf]) -> (Vec<Reading>, Vec<Error>) {
    let mut files: Vec<(PathBuf, bool)> = Vec::new();
    let mut errors = Vec::new();
    for source in sources {
        match transcript::discover(source) {
            Ok(found) => {
                let named = found.as_slice() == [source.clone()];
                files.extend(found.into_iter().map(|f| (f, named)));
            }
            Err(error) => errors.push(error),
        }
    }
    files.sort();
    files.dedup_by(|a, b| a.0 == b.0);
    let results: Vec<_> = files.par_iter().map(|(file, named)| (file, *named, transcript::read(file))).collect();
    let mut readings = Vec::new();
    for (file, named, result) in results {
        match result {
            Ok(reading) => readings.push(reading),
            Err(error) if !named && error.kind() == ErrorKind::UnknownFormat => readings.push(stranger(file)),
            Err(error) => errors.push(error),
        }
    }
    (readings, errors)
}

fn stranger(file: &Path) -> Reading {
    let problem = Problem {
        path: file.to_path_buf(),
        line: None,
        what: "is no transcript in a known format; skipped".to_owned(),
    };
    Reading { sessions: Vec::new(), problems: vec![problem] }
}
