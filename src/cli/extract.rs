//! `extract`: the main job.

use std::io;
use std::path::{Path, PathBuf};

use chrono::Utc;
use serde::Serialize;

use super::args::Extract;
use super::report::{DOUBTFUL, FAINT, GOOD, Outcome, Report, STRONG, clean, fit};
use super::settings::Settings;
use crate::error::{Error, ErrorKind, Result};
use crate::memory::{Candidate, Class, Confirmation, Evidence, Kind, Role};
use crate::pipeline::{self, Learned, Run};
use crate::reconcile::{Decision, Op};
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
    sessions: usize,
    human_turns: usize,
    created: usize,
    confirmed: usize,
    superseded: usize,
    pending: usize,
    forgotten: usize,
    skipped: usize,
    bad_lines: usize,
    unreadable: usize,
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
        stores += 1;
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
    let (style, word) = match decision.op {
        Op::Create => (GOOD, "new"),
        Op::Supersede => (GOOD, "replaces"),
        Op::Confirm => (FAINT, "known"),
        Op::Forget if decision.of.is_empty() => (FAINT, "no match"),
        Op::Forget => (DOUBTFUL, "forgotten"),
        Op::Pending => (DOUBTFUL, "pending"),
        Op::Skip => (FAINT, "skipped"),
    };
    let headline = headline(candidate);
    report.line(&format!(
        "{style}{word:9}{style:#} {STRONG}{}{STRONG:#}  {}",
        candidate.kind.word(),
        fit(&headline, 160)
    ));
    let quiet = matches!(decision.op, Op::Confirm | Op::Skip) && !dry_run;
    if quiet {
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

/// What a memory says, in one line: a profile's text, a playbook's `What`.
pub(super) fn headline(candidate: &Candidate) -> String {
    let body = &candidate.body;
    match body.split_once("## What\n").map(|(_, rest)| rest.split("\n## ").next().unwrap_or(rest)) {
        Some(what) => what.split_whitespace().collect::<Vec<_>>().join(" "),
        None => body.split_whitespace().collect::<Vec<_>>().join(" "),
    }
}

impl Summary {
    /// What was read; nothing is decided yet.
    pub(super) fn of(learned: &Learned) -> Self {
        Self {
            sessions: learned.sessions.len(),
            human_turns: learned.sessions.iter().map(|s| s.judgements.len()).sum(),
            bad_lines: learned.problems.len(),
            unreadable: learned.errors.len(),
            ..Self::default()
        }
    }

    /// Prints it.
    pub(super) fn tell(&self, dry_run: bool, report: &mut Report) {
        if report.is_jsonl() {
            report.json(&serde_json::json!({ "summary": self }));
        } else {
            report.line(&self.sentence(dry_run));
        }
    }

    pub(super) fn count(&mut self, decision: &Decision) {
        match decision.op {
            Op::Create => self.created += 1,
            Op::Confirm => self.confirmed += 1,
            Op::Supersede => self.superseded += 1,
            Op::Pending => self.pending += 1,
            Op::Forget if decision.of.is_empty() => self.skipped += 1,
            Op::Forget => self.forgotten += 1,
            Op::Skip => self.skipped += 1,
        }
    }

    /// It in one line.
    pub(super) fn sentence(&self, dry_run: bool) -> String {
        let counts = [
            (self.created, "new"),
            (self.superseded, "replaced"),
            (self.confirmed, "known already"),
            (self.pending, "pending"),
            (self.forgotten, "forgotten"),
            (self.skipped, "skipped"),
        ];
        let troubles = [some(self.bad_lines, "problem"), some(self.unreadable, "unreadable source")];
        let learned = learned(&counts, troubles.into_iter().flatten());
        let note = if dry_run { " (dry run: nothing was written)" } else { "" };
        format!("{}, {}: {learned}{note}", number(self.sessions, "session"), number(self.human_turns, "human turn"))
    }
}

/// What was learned, in the words that count, and what else there is to say.
pub(super) fn learned(counts: &[(usize, &str)], more: impl Iterator<Item = String>) -> String {
    let counts = counts.iter().filter(|(count, _)| *count > 0);
    let said: Vec<String> = counts.map(|(count, word)| format!("{count} {word}")).chain(more).collect();
    if said.is_empty() { "nothing to learn".to_owned() } else { said.join(", ") }
}

/// A count with its noun.
pub(super) fn number(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

fn some(count: usize, noun: &str) -> Option<String> {
    (count > 0).then(|| number(count, noun))
}
