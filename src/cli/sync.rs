//! `sync`, `unsync` and `heartbeat`: the home's preferences in the products' global files, and what is due.

use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use serde::Serialize;

use super::args::{Heartbeat, Sync, Unsync};
use super::ask::{ask, somebody_is_there};
use super::experience::switched_on;
use super::install::lines;
use super::report::{FAINT, GOOD, Outcome, Report, clean, fit};
use crate::error::{Error, ErrorKind, Problem, Result};
use crate::experience::Change;
use crate::experience::folder::{self, FOLDER, Read, hidden};
use crate::experience::index::{self, Beat};
use crate::experience::lesson::{Tier, tier_of};
use crate::experience::mode::Mode;
use crate::experience::sync::{self as block, Draft, PRODUCTS};
use crate::experience::word;
use crate::host::Places;
use crate::install::{self, Difference};
use crate::redact::Redactor;
use crate::transcript::Host;

/// The words of a lesson that would move are cut at so many characters.
const MOVED: usize = 200;

/// What happened to one file, as programs read it.
#[derive(Serialize)]
struct FileRecord<'a> {
    file: &'a Path,
    /// `synced`, `removed`, `in_place`, `declined` or `proposed`.
    outcome: &'a str,
    preferences: usize,
}

/// How a heartbeat ended, as programs read it.
#[derive(Serialize)]
struct BeatRecord<'a> {
    heartbeat: &'a str,
}

pub(super) fn sync(command: &Sync, places: &Places, report: &mut Report) -> Result<Outcome> {
    let root = places.home.join(FOLDER);
    let read = super::experience::read(&root)?;
    let lines = block::compile(&read.home)?;
    let files = files(command.host, places, read.synced.files.keys());
    if files.is_empty() {
        let what = "no product with a global file was found; name one to make its file";
        return Err(Error::new(ErrorKind::Usage, what));
    }
    let now = Utc::now();
    let mut well = true;
    for file in &files {
        let done = (|| {
            let known = read.synced.files.get(file);
            let Some(draft) = block::draft(file, &lines, known, now)? else {
                // The lines are there, and a yes is a yes.
                if command.yes && known.is_none() && !command.dry_run {
                    block::sync(file, &lines, &hidden(&root), now)?;
                }
                return Ok("in_place");
            };
            if command.dry_run {
                show(&draft, report);
                return Ok("proposed");
            }
            // One yes holds for the file.
            if known.is_none() && !command.yes && !agrees(&draft, report)? {
                return Ok("declined");
            }
            block::sync(file, &lines, &hidden(&root), now)?;
            Ok("synced")
        })();
        well &= told(file, done, lines.len(), report);
    }
    if !command.dry_run {
        // The index tells of the sync.
        folder::change(&root, |_| ())?;
    }
    report.problems(&read.problems);
    Ok(if well && read.problems.is_empty() { Outcome::Done } else { Outcome::Problems })
}

/// `install HOST --sync`: the home is made where there is none, and the host's file is agreed to.
pub(super) fn opt_in(host: Host, yes: bool, dry_run: bool, places: &Places, report: &mut Report) -> Result<Outcome> {
    let root = places.home.join(FOLDER);
    if !folder::is_on(&root) {
        if dry_run {
            let what = format!("The experience home would be made: {}", root.display());
            super::experience::note(&what, report);
            return Ok(Outcome::Done);
        }
        folder::set_up(&root)?;
    }
    sync(&Sync { host: Some(host), yes, dry_run }, places, report)
}

/// Whether the person agreed to the host's file.
pub(super) fn is_synced(host: Host, places: &Places) -> Result<bool> {
    let root = places.home.join(FOLDER);
    let known = if folder::is_on(&root) { folder::look(&root)?.synced } else { block::Synced::default() };
    Ok(files(Some(host), places, std::iter::empty()).iter().any(|file| known.files.contains_key(file)))
}

pub(super) fn unsync(command: &Unsync, places: &Places, report: &mut Report) -> Result<Outcome> {
    let root = places.home.join(FOLDER);
    let read = super::experience::read(&root)?;
    let mut well = true;
    for file in files(command.host, places, read.synced.files.keys()) {
        let done = if command.dry_run {
            block::undraft(&file, read.synced.files.get(&file)).map(|draft| {
                draft.iter().for_each(|draft| show(draft, report));
                if draft.is_some() { "proposed" } else { "in_place" }
            })
        } else {
            // Where there is no block any more, the yes is taken back all the same.
            block::unsync(&file, &hidden(&root)).map(|done| if done.is_some() { "removed" } else { "in_place" })
        };
        well &= told(&file, done, 0, report);
    }
    if !command.dry_run {
        folder::change(&root, |_| ())?;
    }
    Ok(if well { Outcome::Done } else { Outcome::Problems })
}

pub(super) fn heartbeat(command: &Heartbeat, places: &Places, report: &mut Report) -> Result<Outcome> {
    let root = places.home.join(FOLDER);
    switched_on(&root)?;
    let now = Utc::now();
    if command.dry_run {
        return foreseen(folder::look(&root)?, now, report);
    }
    let ((mut alerts, asked, changes), problems) = folder::change(&root, |read| {
        let changes = read.home.settle(now);
        (alerts(&read.problems), word::asked(&read.home).len(), changes)
    })?;
    alerts.extend(in_step(&root, now)?.iter().map(Error::to_string));
    alerts.extend(waits(asked));
    let result = if alerts.is_empty() { line("OK", &actions(&changes)) } else { line("ALERT", &alerts) };
    folder::change(&root, |read| {
        let reviewed = if changes.is_empty() { index::reviewed(&read.home) } else { Some(now) };
        let beat = Beat { started: Some(now), reviewed, result: result.clone(), actions: actions(&changes) };
        index::beat(&mut read.home, &beat);
    })?;
    tell_beat(&result, report);
    report.problems(&problems);
    Ok(if alerts.is_empty() { Outcome::Done } else { Outcome::Problems })
}

fn tell_beat(result: &str, report: &mut Report) {
    if report.is_jsonl() {
        report.json(&BeatRecord { heartbeat: result });
    } else {
        report.line(&clean(result));
    }
}

/// What a heartbeat would do, lesson by lesson, and how it would end.
fn foreseen(mut read: Read, now: DateTime<Utc>, report: &mut Report) -> Result<Outcome> {
    let changes = read.home.settle(now);
    let alerts = [alerts(&read.problems), waits(word::asked(&read.home).len())].concat();
    for change in &changes {
        if report.is_jsonl() {
            report.json(change);
        } else {
            let from = change.from.as_deref().unwrap_or("nowhere");
            let text = fit(&change.text, MOVED);
            report.line(&format!("{text}  {FAINT}({} → {}){FAINT:#}", clean(from), clean(&change.to)));
        }
    }
    tell_beat(&if alerts.is_empty() { line("OK", &actions(&changes)) } else { line("ALERT", &alerts) }, report);
    report.problems(&read.problems);
    Ok(if alerts.is_empty() { Outcome::Done } else { Outcome::Problems })
}

/// What is said of lessons that wait for the person's yes.
fn waits(asked: usize) -> Vec<String> {
    match asked {
        0 => Vec::new(),
        1 => vec!["1 lesson waits for your yes (`afterword review`)".to_owned()],
        many => vec![format!("{many} lessons wait for your yes (`afterword review`)")],
    }
}

fn alerts(problems: &[Problem]) -> Vec<String> {
    problems.iter().map(|problem| format!("{}: {}", problem.path.display(), problem.what)).collect()
}

/// Syncs the files that were agreed to, where they are stale and the person has not chosen to do that by hand; gives what
/// was refused.
pub(super) fn in_step(root: &Path, now: DateTime<Utc>) -> Result<Vec<Error>> {
    let read = folder::look(root)?;
    if read.synced.status(&read.home) != "stale" || Mode::of(root)? == Mode::Passive {
        return Ok(Vec::new());
    }
    let lines = match block::compile(&read.home) {
        Ok(lines) => lines,
        Err(refused) => return Ok(vec![refused.at(root)]),
    };
    let synced = read.synced.files.keys().map(|file| block::sync(file, &lines, &hidden(root), now));
    let refused = synced.filter_map(Result::err).collect();
    folder::change(root, |_| ())?;
    Ok(refused)
}

fn line(word: &str, said: &[String]) -> String {
    if said.is_empty() { format!("{word} nothing was due") } else { format!("{word} {}", said.join("; ")) }
}

/// What a heartbeat did, by the tiers: the seed's digest in one line.
fn actions(changes: &[Change]) -> Vec<String> {
    let count = |wanted: &dyn Fn(Option<Tier>, Tier) -> bool| {
        changes.iter().filter(|c| wanted(c.from.as_deref().map(tier_of), tier_of(&c.to))).count()
    };
    let counts = [
        (count(&|from, to| from.is_some_and(|from| from < to)), "promoted"),
        (count(&|from, to| from.is_some_and(|from| from > to) && to == Tier::Warm), "demoted"),
        (count(&|from, to| from.is_some_and(|from| from > to) && to == Tier::Cold), "archived"),
        (count(&|from, _| from.is_none()), "new"),
        (count(&|from, to| from == Some(to)), "moved within"),
    ];
    counts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect()
}

/// The files that are meant: that of the host; else those agreed to, and those that are there.
fn files<'a>(host: Option<Host>, places: &Places, agreed: impl Iterator<Item = &'a PathBuf>) -> Vec<PathBuf> {
    let path = |(host, name): (Host, &str)| install::settings(host, places).join(name);
    if let Some(wanted) = host {
        return PRODUCTS.into_iter().filter(|(host, _)| *host == wanted).map(path).collect();
    }
    let mut files: Vec<PathBuf> = PRODUCTS.into_iter().map(path).filter(|file| file.exists()).collect();
    files.extend(agreed.cloned());
    files.sort();
    files.dedup();
    files
}

fn agrees(draft: &Draft, report: &mut Report) -> Result<bool> {
    somebody_is_there().map_err(|error| error.at(&draft.path))?;
    show(draft, report);
    ask("Keep the block in this file up to date from now on?")
}

fn show(draft: &Draft, report: &mut Report) {
    if report.is_jsonl() {
        return;
    }
    let changed = Difference { path: draft.path.clone(), before: draft.before.clone(), after: draft.after.clone() };
    for (style, line) in lines(&changed, Redactor::builtin()) {
        report.line(&format!("{style}{line}{style:#}"));
    }
}

/// Tells what became of a file, and whether it went well.
fn told(file: &Path, done: Result<&str>, preferences: usize, report: &mut Report) -> bool {
    match done {
        Ok(outcome) if report.is_jsonl() => report.json(&FileRecord { file, outcome, preferences }),
        Ok(outcome) => {
            let style = if outcome == "synced" { GOOD } else { FAINT };
            report.line(&format!(
                "{style}{:9}{style:#} {}",
                outcome.replace('_', " "),
                clean(&file.display().to_string())
            ));
        }
        Err(error) => {
            report.error(&error);
            return false;
        }
    }
    true
}
