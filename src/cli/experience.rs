//! `experience`: the home is switched on, and asked.

use std::path::{Path, PathBuf};

use chrono::Utc;
use serde::Serialize;

use super::args::ExperienceCommand;
use super::report::{FAINT, Outcome, Report, STRONG, clean, fit};
use super::sync::stale;
use crate::error::{Error, ErrorKind, Problem, Result};
use crate::experience::folder::{self, FOLDER, Read};
use crate::experience::query::{self, Happened, Line, Stats};
use crate::experience::{self, Heard};
use crate::host::Places;
use crate::pipeline::Studied;
use crate::redact::Redactor;

/// Lines of the home are cut at so many characters.
const LINE: usize = 400;

/// A page of warm storage, as programs read it.
#[derive(Serialize)]
struct PageRecord {
    source: String,
    lessons: usize,
}

/// What is said where there is no line to show, as programs read it.
#[derive(Serialize)]
struct NoteRecord<'a> {
    note: &'a str,
}

pub(super) fn run(command: &ExperienceCommand, places: &Places, report: &mut Report) -> Result<Outcome> {
    let root = places.home.join(FOLDER);
    if matches!(command, ExperienceCommand::On) {
        report.problems(&folder::set_up(&root)?);
        note(&format!("The experience home is on: {}", root.display()), report);
        return Ok(Outcome::Done);
    }
    let read = read(&root)?;
    match command {
        ExperienceCommand::On => {}
        ExperienceCommand::About { words } => lines(&query::about(&read.home, &words.join(" ")), report),
        ExperienceCommand::Learned => lines(&query::learned(&read.home), report),
        ExperienceCommand::Patterns { project: None } => lines(&query::patterns(&read.home, "memory.md"), report),
        ExperienceCommand::Patterns { project: Some(name) } => {
            lines(&query::patterns(&read.home, &format!("projects/{name}.md")), report);
        }
        ExperienceCommand::Digest => digest(&query::digest(&read.home, Utc::now()), report),
        ExperienceCommand::Warm => warm(&read, report),
        ExperienceCommand::Stats => stats(&query::stats(&read.home, &read.synced, Utc::now()), report),
    }
    report.problems(&read.problems);
    Ok(if read.problems.is_empty() { Outcome::Done } else { Outcome::Problems })
}

/// The home, if it was switched on.
pub(super) fn read(root: &Path) -> Result<Read> {
    switched_on(root)?;
    folder::look(root)
}

pub(super) fn switched_on(root: &Path) -> Result<()> {
    if folder::is_on(root) {
        return Ok(());
    }
    let what = "the experience home is not there: `afterword experience on` makes it";
    Err(Error::new(ErrorKind::Usage, what).at(root))
}

/// Feeds sessions into the home, where it is switched on; what they teach is listened to before their texts go.
pub(super) struct Feed {
    root: PathBuf,
    heard: Vec<Heard>,
}

impl Feed {
    /// What the sessions have for the home; nothing where it is not switched on.
    pub(super) fn listen(sessions: &[Studied], home: Option<&Path>, redactor: &Redactor) -> Option<Self> {
        let root = home?.join(FOLDER);
        let listen = |s: &Studied| experience::hear(&s.session, &s.candidates, home, redactor);
        folder::is_on(&root).then(|| Self { root, heard: sessions.iter().map(listen).collect() })
    }

    /// Writes it, and brings the files up to date that the person agreed to. Gives what was left out.
    pub(super) fn write(self) -> Result<(Vec<Problem>, Vec<Error>)> {
        let now = Utc::now();
        let nothing = Heard::default();
        if self.heard.iter().all(|heard| *heard == nothing) {
            return Ok((Vec::new(), Vec::new()));
        }
        let fed = folder::change(&self.root, |read| experience::feed(&mut read.home, self.heard.clone(), now))?;
        Ok((fed.1, stale(&self.root, now)?))
    }
}

fn lines(lines: &[Line], report: &mut Report) {
    for line in lines {
        if report.is_jsonl() {
            report.json(line);
        } else {
            report.line(&format!("{}  {FAINT}({}){FAINT:#}", fit(&line.text, LINE), clean(&line.source)));
        }
    }
    if lines.is_empty() {
        note("Nothing yet.", report);
    }
}

fn digest(happened: &[Happened], report: &mut Report) {
    for one in happened {
        let Happened { what, line } = one;
        if report.is_jsonl() {
            report.json(one);
        } else {
            let source = clean(&line.source);
            report.line(&format!("{STRONG}{what:9}{STRONG:#} {}  {FAINT}({source}){FAINT:#}", fit(&line.text, LINE)));
        }
    }
    if happened.is_empty() {
        note("Nothing changed in the last seven days.", report);
    }
}

fn warm(read: &Read, report: &mut Report) {
    for (source, lessons) in query::warm(&read.home) {
        if report.is_jsonl() {
            report.json(&PageRecord { source, lessons });
        } else {
            report.line(&format!("{}: {}", clean(&source), super::extract::number(lessons, "lesson")));
        }
    }
}

/// The seed's layout.
fn stats(stats: &Stats, report: &mut Report) {
    if report.is_jsonl() {
        report.json(stats);
        return;
    }
    let last = stats.last_sync.map_or("never".to_owned(), |at| at.format("%Y-%m-%d").to_string());
    report.line(&format!("{STRONG}Learn-from-Experience Memory{STRONG:#}"));
    for (title, rows) in [
        ("HOT (always loaded)", vec![format!("memory.md: {} entries", stats.hot)]),
        (
            "WARM (load on demand)",
            vec![format!("projects/: {} files", stats.projects), format!("domains/: {} files", stats.domains)],
        ),
        ("COLD (archived)", vec![format!("archive/: {} files", stats.archive)]),
        ("Cross-session sync", vec![format!("Last sync: {last}"), format!("Status: {}", stats.sync)]),
        (
            "Recent activity (7 days)",
            vec![
                format!("Corrections logged: {}", stats.corrections),
                format!("Promotions to HOT: {}", stats.promotions),
                format!("Demotions to WARM: {}", stats.demotions),
            ],
        ),
    ] {
        report.line(&format!("\n{title}:"));
        rows.iter().for_each(|row| report.line(&format!("  {row}")));
    }
}

fn note(text: &str, report: &mut Report) {
    if report.is_jsonl() {
        report.json(&NoteRecord { note: text });
    } else {
        report.line(&clean(text));
    }
}
