//! `demo`: the whole journey on made-up sessions, with a store that is thrown away.
//!
//! Nothing is staged: the samples go through the same reader, rules and store as any transcript.

mod left_out;

use std::path::Path;

use serde::Serialize;

use super::extract::{Summary, tell};
use super::report::{FAINT, GOOD, Outcome, Report, STRONG, clean, fit};
use super::settings::Settings;
use crate::error::{Error, Result};
use crate::pipeline::{self, Learned, Studied};
use crate::store;
use crate::transcript::{self, Manner, Speaker};

/// The samples: OpenClaw sessions, as it saves them.
const SAMPLES: [(&str, &str); 2] =
    [("english.jsonl", include_str!("demo/english.jsonl")), ("chinese.jsonl", include_str!("demo/chinese.jsonl"))];

/// Stands in the sample where the person pastes a key.
const TOKEN: &str = "{{token}}";

/// A file of the store, as programs read it.
#[derive(Serialize)]
struct FileRecord<'a> {
    file: &'a str,
    text: &'a str,
}

pub(super) fn run(settings: &Settings, report: &mut Report) -> Result<Outcome> {
    let temporary = tempfile::tempdir().map_err(|e| Error::io("make a folder in", &std::env::temp_dir(), e))?;
    let root = temporary.path().join(".reflexio");
    let learned = samples(settings)?;
    for studied in &learned.sessions {
        conversation(studied, settings, report);
    }
    let left_out: Vec<_> =
        learned.sessions.iter().map(|studied| (day(studied), left_out::left_out(studied, settings))).collect();

    heading("What was learned", report);
    let mut summary = Summary::of(&learned);
    let candidates = learned.sessions.into_iter().flat_map(|s| s.candidates);
    let outcome = store::apply(&root, candidates.collect::<Vec<_>>(), settings.now)?;
    for decision in &outcome.plan.decisions {
        summary.count(decision);
        // The folder has another name in every run, and is gone before anybody could look.
        tell(decision, Path::new(".reflexio"), false, report);
    }
    summary.tell(false, report);

    heading("The files", report);
    for written in &outcome.written {
        let text = std::fs::read_to_string(&written.path).map_err(|e| Error::io("read", &written.path, e))?;
        let file = written.path.strip_prefix(temporary.path());
        show(&file.unwrap_or(&written.path).display().to_string(), &text, report);
    }

    heading("Left out", report);
    for (day, left_out) in &left_out {
        if !report.is_jsonl() {
            report.line(&format!("{FAINT}{day}{FAINT:#}"));
        }
        for left in left_out {
            left.tell(report);
        }
    }
    temporary.close().map_err(|e| Error::io("remove the folder in", &std::env::temp_dir(), e))?;
    next_steps(report);
    Ok(Outcome::Done)
}

fn samples(settings: &Settings) -> Result<Learned> {
    // Put together here, so that no scanner takes the sample for a leak.
    let token = ["gh", "p_", "Tide5Harbour", "9Quay2Wharf7", "x4Mooring8Q1"].concat();
    let mut readings = Vec::new();
    for (name, text) in SAMPLES {
        let text = text.replace(TOKEN, &token);
        let reading = transcript::read_stream(text.as_bytes(), Path::new(name), settings.now)?;
        readings.push(reading);
    }
    Ok(pipeline::learn_from(readings, Vec::new(), &settings.rules, settings.redactor))
}

fn day(studied: &Studied) -> String {
    studied.session.started.format("%-d %B %Y").to_string()
}

/// What was said, without the tools' steps and without what machines put in.
fn conversation(studied: &Studied, settings: &Settings, report: &mut Report) {
    if report.is_jsonl() {
        return;
    }
    let session = &studied.session;
    heading(&format!("A session of {}", day(studied)), report);
    for turn in &session.turns {
        let said = settings.redactor.clean(&turn.text);
        let text = fit(&said.text, 110);
        match (turn.speaker, turn.manner) {
            (Speaker::Human, _) => report.line(&format!("{:>4}  {STRONG}person{STRONG:#}  {text}", turn.line)),
            (Speaker::Agent, Manner::Plain) => {
                report.line(&format!("{FAINT}{:>4}  agent   {text}{FAINT:#}", turn.line));
            }
            _ => {}
        }
    }
}

fn show(file: &str, text: &str, report: &mut Report) {
    if report.is_jsonl() {
        report.json(&FileRecord { file, text });
        return;
    }
    report.line(&format!("{GOOD}{}{GOOD:#}", clean(file)));
    for line in text.lines() {
        report.line(format!("    {}", clean(line)).trim_end());
    }
}

fn heading(text: &str, report: &mut Report) {
    if !report.is_jsonl() {
        report.line(&format!("\n{STRONG}{text}{STRONG:#}"));
    }
}

fn next_steps(report: &mut Report) {
    if report.is_jsonl() {
        return;
    }
    report.line("\nThe store stood in a temporary folder and is gone. With sessions of your own:");
    for (command, what) in [
        ("afterword extract --dry-run ~/.claude/projects", "what would be learned; writes nothing"),
        ("afterword trace SESSION.jsonl", "why a turn did or did not become a memory"),
        ("afterword extract SESSION.jsonl", "learn, and write the files"),
    ] {
        report.line(&format!("  {STRONG}{command:48}{STRONG:#} {FAINT}{what}{FAINT:#}"));
    }
}
