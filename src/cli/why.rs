//! `why`: the words a memory comes from, and what became of it.

use chrono::Utc;

use super::args::One;
use super::report::{DOUBTFUL, FAINT, GOOD, Outcome, Report, STRONG, clean, fit};
use super::settings;
use crate::error::Result;
use crate::explain::{Archive, End, Entry, Other, Said, Why, because, capital, deed};
use crate::memory::{Confirmation, Evidence, Ground};
use crate::reconcile::Op;
use crate::store::RunName;

pub(super) fn run(command: &One, report: &mut Report) -> Result<Outcome> {
    let archive = Archive::open(&settings::store(&command.place), Utc::now().date_naive())?;
    let why = archive.why(archive.find(&command.id)?);
    if report.is_jsonl() {
        report.json(&why);
    } else {
        tell(&why, report);
    }
    Ok(Outcome::Done)
}

fn tell(why: &Why, report: &mut Report) {
    headline(&why.memory, report);
    if let Some(written) = &why.written {
        report.line(&format!("  {FAINT}before you edited it:{FAINT:#} {}", fit(written, 200)));
    }
    if why.said.is_empty() {
        report.line("\nNo session tells of it: you or another program wrote the file.");
    }
    why.said.iter().for_each(|said| tell_said(said, report));
    if !why.supersedes.is_empty() {
        report.line("\nIt took the place of");
        why.supersedes.iter().for_each(|other| tell_other(other, report));
    }
    if let Some(end) = &why.end {
        tell_end(end, report);
    }
}

/// The memory in two lines.
pub(super) fn headline(memory: &Entry, report: &mut Report) {
    report.line(&format!("{STRONG}{}{STRONG:#}", clean(&memory.headline)));
    let class = memory.class.map(|class| format!(" ({})", class.word())).unwrap_or_default();
    let mut notes =
        vec![memory.id.to_string(), format!("{}{class}", memory.kind.word()), memory.status.word().to_owned()];
    notes.extend(memory.expires.map(|last| format!("expires {last}")));
    notes.extend(memory.edited.then(|| "edited by hand".to_owned()));
    notes.extend(memory.file.clone());
    report.line(&format!("  {FAINT}{}{FAINT:#}", clean(&notes.join(" · "))));
}

fn tell_said(said: &Said, report: &mut Report) {
    let what = match said.op {
        Op::Confirm => "Said again",
        _ => "Learned",
    };
    let time = said.said_at.format("%Y-%m-%d %H:%M");
    report.line(&format!("\n{GOOD}{what}{GOOD:#} {time} UTC{}", of_run(said.run)));
    for evidence in &said.evidence {
        tell_evidence(evidence, said.confirm, report);
    }
    if !said.judged.is_empty() {
        report.line(&format!("  {FAINT}because it {}{FAINT:#}", clean(&because(&said.judged))));
    }
}

fn tell_evidence(evidence: &Evidence, confirm: Confirmation, report: &mut Report) {
    let role = deed(evidence.role, confirm);
    report.line(&format!(
        "  {role}: “{}”  {FAINT}{} session {}, line {}{FAINT:#}",
        fit(&evidence.quote, 240),
        clean(&evidence.host),
        clean(&evidence.session),
        evidence.line
    ));
    if !evidence.grounds.is_empty() {
        let grounds: Vec<String> = evidence.grounds.iter().map(ground).collect();
        report.line(&format!("    {FAINT}{}{FAINT:#}", clean(&grounds.join(", "))));
    }
}

fn ground(ground: &Ground) -> String {
    format!("{} {:+.1}", ground.name, f64::from(ground.weight) / 100.0)
}

fn tell_other(other: &Other, report: &mut Report) {
    let headline = if other.headline.is_empty() { "(nothing more is known of it)" } else { &other.headline };
    report.line(&format!("  {}  {}", clean(other.id.as_str()), fit(headline, 160)));
}

fn tell_end(end: &End, report: &mut Report) {
    let time = end.at.map(|at| at.format(" %Y-%m-%d %H:%M UTC").to_string()).unwrap_or_default();
    report.line(&format!("\n{DOUBTFUL}{}{DOUBTFUL:#}{time}{}", capital(end.how.word()), of_run(end.run)));
    if let Some(by) = &end.by {
        tell_other(by, report);
    }
    for evidence in &end.evidence {
        tell_evidence(evidence, Confirmation::None, report);
    }
    report.line(&format!("  {FAINT}{}{FAINT:#}", clean(&end.reason)));
}

/// The run, in brackets.
pub(super) fn of_run(run: Option<RunName>) -> String {
    run.map(|run| format!(" {FAINT}({run}){FAINT:#}")).unwrap_or_default()
}
