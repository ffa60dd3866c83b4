//! `extract`: the main job.

use std::io;
use std::path::{Path, PathBuf};

use chrono::Utc;
use serde::Serialize;

use super::args::Extract;
use super::experience::feed::Feed;
use super::report::{DOUBTFUL, FAINT, GOOD, Outcome, Report, STRONG, clean, fit};
use super::settings::{self, Settings};
use crate::error::{Error, ErrorKind, Result};
use crate::memory::{Class, Confirmation, Evidence, Kind, Role, headline};
use crate::pipeline::{self, Counts, Learned, Run};
use crate::reconcile::{Decision, Op};
use crate::store::RunName;
use crate::transcript::{self, Reading};

/// One decision, as programs read it: `op`, `kind`, `body`, `ttl`, `confirm` and `evidence` are the contract.
#[derive(Serialize)]
struct DecisionRecord<'a> {
    op: Op,
    kind: Kind,
    class: Class,
    body: &'a str,
    ttl: &'a str,
    confirm: Confirmation,
    slug: &'a str,
    id: Option<&'a str>,
    supersedes: Vec<&'a str>,
    reason: &'a str,
    judged: &'a str,
    store: &'a Path,
    evidence: &'a [Evidence],
}

/// What a run did, in numbers.
#[derive(Default, Serialize)]
pub(super) struct Summary {
    #[serde(flatten)]
    counts: Counts,
    bad_lines: usize,
    unreadable: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    runs: Vec<StoreRun>,
}

/// The name under which a store's ledger tells of this run.
#[derive(Serialize)]
struct StoreRun {
    store: PathBuf,
    run: RunName,
}

/// The settings are made while the sources are read: compiling the rules takes as long as reading a small transcript.
pub(super) fn run(
    command: &Extract,
    settings: impl FnOnce() -> Result<Settings> + Send,
    report: &mut Report,
) -> Result<Outcome> {
    let (read, settings) = rayon::join(|| read(&command.sources), settings);
    let settings = settings?;
    let learned = learn(read, &settings);
    let mut summary = Summary::of(&learned);
    let missing = nothing_there(&learned);
    let mut problems = learned.problems;
    let mut failures = learned.errors;
    let read_all = failures.is_empty();
    let mut stores = 0;
    let feed = Feed::of(settings.home.as_deref(), settings.redactor).filter(|_| !command.dry_run);
    feed.iter().for_each(|feed| feed.hear(&learned.sessions));
    let run = if command.dry_run { Run::Dry } else { Run::At(settings.now) };
    for (store, outcome) in pipeline::keep(learned.sessions, &settings.stores(command.store.as_deref()), run) {
        // One store that cannot be written costs its own memories, never those of the others.
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(error) => {
                failures.push(error);
                continue;
            }
        };
        for decision in &outcome.plan.decisions {
            summary.count(decision);
            tell(decision, &store, command.dry_run, report);
        }
        problems.extend(outcome.problems);
        summary.runs.extend(outcome.run.map(|run| StoreRun { store, run }));
        stores += 1;
    }
    // The home is a second copy of what was learned: what goes wrong with it is told, and costs the stores nothing.
    match feed.as_ref().map(Feed::write) {
        None => {}
        Some(Ok((more, refused))) => {
            problems.extend(more);
            failures.extend(refused);
        }
        Some(Err(error)) => failures.push(error),
    }
    summary.tell(command.dry_run, report);
    report.problems(&problems);
    for error in &failures {
        report.error(error);
    }
    // Nothing could be done: nothing was there to read, or the only store refused.
    let refused = read_all && stores == 0 && !failures.is_empty();
    Ok(match (missing || refused, problems.is_empty() && failures.is_empty()) {
        (true, _) => Outcome::Nothing,
        (false, true) => Outcome::Done,
        (false, false) => Outcome::Problems,
    })
}

/// Whether there was nothing to read at all: every source is missing or may not be read. A file of an unknown format
/// was read and reported, that is a problem of its own.
pub(super) fn nothing_there(learned: &Learned) -> bool {
    learned.sessions.is_empty()
        && !learned.errors.is_empty()
        && learned.errors.iter().all(|e| e.kind() == ErrorKind::Io)
}

/// What the sources held, and those that could not be read.
type Read = (Vec<Reading>, Vec<Error>);

/// Reads what was named, standard input for `-`, and learns from all of it together.
pub(super) fn gather(sources: &[PathBuf], settings: &Settings) -> Learned {
    learn(read(sources), settings)
}

fn learn((readings, errors): Read, settings: &Settings) -> Learned {
    pipeline::learn_from(readings, errors, &settings.rules, settings.redactor)
}

fn read(sources: &[PathBuf]) -> Read {
    let (piped, files): (Vec<PathBuf>, Vec<PathBuf>) = sources.iter().cloned().partition(|s| s == Path::new("-"));
    let (mut readings, mut errors) = pipeline::read_all(&files);
    if !piped.is_empty() {
        match transcript::read_stream(io::stdin(), Path::new("<stdin>"), Utc::now()) {
            Ok(reading) => readings.push(reading),
            Err(error) => errors.push(error),
        }
    }
    (readings, errors)
}

/// Prints one decision without the words that it comes from: for what a person handed in themselves.
pub(super) fn tell_briefly(decision: &Decision, store: &Path, report: &mut Report) {
    if report.is_jsonl() {
        return tell(decision, store, false, report);
    }
    headlined(decision, report);
    if decision.op == Op::Skip {
        report.line(&format!("          {FAINT}{}{FAINT:#}", clean(&decision.reason)));
    }
    for id in &decision.of {
        report.line(&format!("          {FAINT}instead of {id}{FAINT:#}"));
    }
}

fn headlined(decision: &Decision, report: &mut Report) {
    let (style, word) = match decision.op {
        Op::Create => (GOOD, "new"),
        Op::Supersede => (GOOD, "replaces"),
        Op::Confirm => (FAINT, "known"),
        Op::Forget if decision.of.is_empty() => (FAINT, "no match"),
        Op::Forget => (DOUBTFUL, "forgotten"),
        Op::Pending => (DOUBTFUL, "pending"),
        Op::Skip => (FAINT, "skipped"),
    };
    let candidate = &decision.candidate;
    let headline = headline(candidate.kind, &candidate.body);
    report.line(&format!(
        "{style}{word:9}{style:#} {STRONG}{}{STRONG:#}  {}",
        candidate.kind.word(),
        fit(&headline, 160)
    ));
}

/// Prints one decision.
pub(super) fn tell(decision: &Decision, store: &Path, dry_run: bool, report: &mut Report) {
    let candidate = &decision.candidate;
    if report.is_jsonl() {
        report.json(&DecisionRecord {
            op: decision.op,
            kind: candidate.kind,
            class: candidate.class,
            body: &candidate.body,
            ttl: candidate.ttl.word(),
            confirm: candidate.confirm,
            slug: candidate.slug.as_str(),
            id: decision.id.as_ref().map(|id| id.as_str()),
            supersedes: decision.of.iter().map(|id| id.as_str()).collect(),
            reason: &decision.reason,
            judged: &candidate.reason,
            store,
            evidence: &candidate.evidence,
        });
        return;
    }
    headlined(decision, report);
    if decision.op == Op::Skip && !dry_run {
        report.line(&format!("          {FAINT}{}{FAINT:#}", clean(&decision.reason)));
        return;
    }
    if decision.op == Op::Confirm && !dry_run {
        return;
    }
    for evidence in &candidate.evidence {
        let role = match evidence.role {
            Role::Statement => "said",
            Role::Correction => "corrected",
            Role::Confirmation => {
                if candidate.confirm == Confirmation::Explicit {
                    "approved"
                } else {
                    "continued"
                }
            }
        };
        report.line(&format!(
            "          {FAINT}{role} on line {}: “{}”{FAINT:#}",
            evidence.line,
            fit(&evidence.quote, 90)
        ));
    }
    let mut why = clean(&candidate.reason);
    if decision.reason != candidate.reason {
        why = format!("{why}; {}", clean(&decision.reason));
    }
    report.line(&format!("          {FAINT}{why}{FAINT:#}"));
}

impl Summary {
    /// What was read; nothing is decided yet.
    pub(super) fn of(learned: &Learned) -> Self {
        let human_turns = learned.sessions.iter().map(|s| s.judgements.len()).sum();
        let counts = Counts { sessions: learned.sessions.len(), human_turns, ..Counts::default() };
        let (bad_lines, unreadable) = (learned.problems.len(), learned.errors.len());
        Self { counts, bad_lines, unreadable, runs: Vec::new() }
    }

    /// Prints it.
    pub(super) fn tell(&self, dry_run: bool, report: &mut Report) {
        if report.is_jsonl() {
            report.json(&serde_json::json!({ "summary": self }));
        } else {
            let note = if dry_run { " (dry run: nothing was written)" } else { "" };
            report.line(&format!("{}{note}", self.sentence()));
            for StoreRun { store, run } in &self.runs {
                let undo = format!("`afterword undo {run}{}` takes it back", settings::option(store));
                report.line(&format!("{FAINT}{}{FAINT:#}", clean(&undo)));
            }
        }
    }

    pub(super) fn count(&mut self, decision: &Decision) {
        self.counts.count(decision);
    }

    /// It in one line.
    pub(super) fn sentence(&self) -> String {
        sentence(&self.counts, [(self.bad_lines, "problem"), (self.unreadable, "unreadable source")])
    }
}

/// Counts in one line, and what else there is of each noun.
pub(super) fn sentence<const N: usize>(counts: &Counts, more: [(usize, &str); N]) -> String {
    let learned = [
        (counts.created, "new"),
        (counts.superseded, "replaced"),
        (counts.confirmed, "known already"),
        (counts.pending, "pending"),
        (counts.forgotten, "forgotten"),
        (counts.skipped, "skipped"),
    ];
    let learned = learned.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}"));
    let more = more.iter().filter(|(count, _)| *count > 0).map(|(count, noun)| number(*count, noun));
    let said: Vec<String> = learned.chain(more).collect();
    let said = if said.is_empty() { "nothing to learn".to_owned() } else { said.join(", ") };
    format!("{}, {}: {said}", number(counts.sessions, "session"), number(counts.human_turns, "human turn"))
}

/// A count with its noun.
pub(super) fn number(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}
