//! `history`: everything that happened to a memory, or to the store.

use chrono::Utc;

use super::args::History;
use super::extract::number;
use super::report::{DOUBTFUL, FAINT, Outcome, Report, STRONG, clean, fit};
use super::{settings, why};
use crate::error::Result;
use crate::explain::{Archive, Happened};
use crate::store::ledger::Did;
use crate::store::{Change, Run};

pub(super) fn run(command: &History, report: &mut Report) -> Result<Outcome> {
    let archive = Archive::open(&settings::store(&command.place), Utc::now().date_naive())?;
    let Some(id) = &command.id else {
        archive.runs().iter().for_each(|run| tell_run(run, report));
        if archive.runs().is_empty() && !report.is_jsonl() {
            let store = clean(&archive.root().display().to_string());
            report.line(&format!("Nothing was done to {store} yet."));
        }
        return Ok(Outcome::Done);
    };
    let history = archive.history(archive.find(id)?);
    if report.is_jsonl() {
        report.json(&history);
        return Ok(Outcome::Done);
    }
    why::headline(&history.memory, report);
    if history.happened.is_empty() {
        report.line("The ledger does not tell of it yet: you or another program wrote the file.");
    }
    history.happened.iter().for_each(|happened| tell(happened, report));
    Ok(Outcome::Done)
}

fn tell_run(run: &Run, report: &mut Report) {
    if report.is_jsonl() {
        report.json(run);
        return;
    }
    let files = run.files;
    let counts = [(files.created, "new"), (files.rewritten, "rewritten"), (files.removed, "removed")];
    let counts: Vec<String> =
        counts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
    let mut what = if counts.is_empty() { "no file changed".to_owned() } else { counts.join(", ") };
    if let Some(of) = run.takes_back {
        what = format!("took back {of}: {what}");
    }
    let note = if run.taken_back { format!("  {DOUBTFUL}taken back{DOUBTFUL:#}") } else { String::new() };
    let name = run.name.to_string();
    report.line(&format!(
        "{STRONG}{name:5}{STRONG:#} {FAINT}{}{FAINT:#}  {what}{note}",
        run.at.format("%Y-%m-%d %H:%M UTC")
    ));
}

fn tell(happened: &Happened, report: &mut Report) {
    let word = word(happened);
    let taken_back = if happened.taken_back { format!("  {DOUBTFUL}taken back{DOUBTFUL:#}") } else { String::new() };
    report.line(&format!(
        "\n{STRONG}{word}{STRONG:#} {FAINT}{}{FAINT:#}{}{taken_back}",
        happened.at.format("%Y-%m-%d %H:%M UTC"),
        why::of_run(happened.run)
    ));
    for evidence in &happened.evidence {
        let (line, words) = (evidence.line, fit(&evidence.quote, 120));
        report.line(&format!("  “{words}”  {FAINT}session {}, line {line}{FAINT:#}", clean(&evidence.session)));
    }
    let text = happened.text.as_deref().filter(|_| happened.change.is_some());
    let size = text.map(|text| format!(", {}", number(text.lines().count(), "line"))).unwrap_or_default();
    let file = happened.file.as_deref().filter(|_| happened.change.is_some());
    let file = file.map(|file| format!("{}{size}; ", clean(file))).unwrap_or_default();
    report.line(&format!("  {FAINT}{file}{}{FAINT:#}", clean(&happened.reason)));
}

fn word(happened: &Happened) -> &'static str {
    match (happened.event, happened.change) {
        (Did::Create, _) => "made",
        (Did::Supersede, Some(Change::Removed)) => "replaced",
        (Did::Supersede, _) => "made in the place of another",
        (Did::Confirm, Some(Change::Rewritten)) => "said again, and lives longer",
        (Did::Confirm, _) => "said again",
        (Did::Forget, _) => "forgotten",
        (Did::Sweep, _) => "swept",
        (Did::Consolidate, Some(Change::Removed)) => "put together with others",
        (Did::Consolidate, _) => "put together from others",
        (Did::Reject, _) => "turned down",
        (Did::Undo, Some(Change::Removed)) => "taken back",
        (Did::Undo, Some(Change::Created)) => "brought back",
        (Did::Undo, _) => "changed back",
        (Did::Revise, Some(Change::Removed)) => "withdrawn",
        (Did::Revise, _) => "brought in line",
        (Did::Found, _) => "found",
        (Did::Edited, _) => "edited by hand",
        (Did::Deleted, _) => "deleted by hand",
        (Did::Pending, _) => "noted",
        (Did::Skip, _) => "said, without effect",
        (Did::Read | Did::Done, _) => "read",
        (Did::Unknown, _) => "changed by a newer version",
    }
}
