//! `experience`: the home is switched on, and asked.

mod change;
pub(super) mod feed;
mod steer;

use std::path::Path;

use chrono::Utc;
use serde::Serialize;

use super::args::ExperienceCommand;
use super::report::{FAINT, Outcome, Report, STRONG, clean, fit};
use crate::error::{Error, ErrorKind, Result};
use crate::experience::folder::{self, FOLDER, Read};
use crate::experience::page_name;
use crate::experience::query::{self, Happened, Line, Stats};
use crate::host::Places;

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
    match command {
        ExperienceCommand::On => return switch_on(&root, report),
        ExperienceCommand::Import { from, dry_run } => return change::import(&root, from, *dry_run, report),
        ExperienceCommand::Steer(wish) => return steer::steer(wish, &root, report),
        ExperienceCommand::Unsteer(wish) => return steer::unsteer(wish, report),
        _ => {}
    }
    let read = read(&root)?;
    match command {
        ExperienceCommand::Forget { words, yes, dry_run } => {
            change::forget(
                &root,
                &read,
                &change::Wish { words: &words.join(" "), yes: *yes, dry_run: *dry_run },
                report,
            )?;
        }
        ExperienceCommand::Export { to } => change::export(&root, to, report)?,
        ExperienceCommand::Mode { mode } => change::mode(&root, *mode, report)?,
        ExperienceCommand::About { words } => lines(&query::about(&read.home, &words.join(" ")), report),
        ExperienceCommand::Learned => lines(&query::learned(&read.home), report),
        ExperienceCommand::Patterns { project: None } => lines(&query::patterns(&read.home, "memory.md"), report),
        ExperienceCommand::Patterns { project: Some(name) } => {
            lines(&query::patterns(&read.home, &project_page(&read, name)), report);
        }
        ExperienceCommand::Digest => digest(&query::digest(&read.home, Utc::now()), report),
        ExperienceCommand::Warm => warm(&read, report),
        ExperienceCommand::Stats => stats(&query::stats(&read.home, &read.synced, Utc::now()), report),
        // Answered above.
        ExperienceCommand::On
        | ExperienceCommand::Import { .. }
        | ExperienceCommand::Steer(_)
        | ExperienceCommand::Unsteer(_) => {}
    }
    report.problems(&read.problems);
    Ok(if read.problems.is_empty() { Outcome::Done } else { Outcome::Problems })
}

fn switch_on(root: &Path, report: &mut Report) -> Result<Outcome> {
    report.problems(&folder::set_up(root)?);
    note(&format!("The experience home is on: {}", root.display()), report);
    note("What was said before comes in with `afterword replay --again`.", report);
    Ok(Outcome::Done)
}

/// The page of a project: by the page's name, or by that of the project's folder.
fn project_page(read: &Read, name: &str) -> String {
    let page = format!("projects/{name}.md");
    if read.home.pages.contains_key(&page) { page } else { format!("projects/{}.md", page_name(name)) }
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

pub(super) fn note(text: &str, report: &mut Report) {
    if report.is_jsonl() {
        report.json(&NoteRecord { note: text });
    } else {
        report.line(&clean(text));
    }
}
