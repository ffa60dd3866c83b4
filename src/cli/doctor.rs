//! `doctor`: how each host stands, and what to do.

use chrono::SecondsFormat;

use super::args::Doctor;
use super::report::{BAD, DOUBTFUL, FAINT, GOOD, Outcome, Report, STRONG, clean};
use crate::error::Result;
use crate::host::{HOOKED, Places};
use crate::install::{self, Health, Hook};

pub(super) fn run(command: &Doctor, places: &Places, report: &mut Report) -> Result<Outcome> {
    let hosts = command.host.map_or_else(|| HOOKED.to_vec(), |host| vec![host]);
    let mut outcome = Outcome::Done;
    let mut found = 0;
    for host in hosts {
        let client = install::client(host, places);
        let health = match install::examine(host, places, client.as_ref(), &command.agent) {
            Ok(health) => health,
            // One host's broken file must not hide how the others stand.
            Err(error) => {
                report.error(&error);
                outcome = Outcome::Problems;
                continue;
            }
        };
        found += usize::from(health.found);
        // A host that is not on this machine is no fault, unless it was asked for.
        if !health.is_well() || (command.host.is_some() && !health.found) {
            outcome = Outcome::Problems;
        }
        if report.is_jsonl() {
            report.json(&health);
        } else {
            tell(&health, report);
        }
    }
    if found == 0 && command.host.is_none() && !report.is_jsonl() {
        report.line("No host was found; `afterword extract` reads transcripts from anywhere.");
    }
    Ok(outcome)
}

fn tell(health: &Health, report: &mut Report) {
    let version = health.version.as_deref().map(|version| format!(" {}", clean(version))).unwrap_or_default();
    if !health.found {
        report.line(&format!("{FAINT}{}: not found{FAINT:#}", health.host));
        return;
    }
    report.line(&format!("{STRONG}{}{STRONG:#}{version}", health.host));
    let hook = match &health.hook {
        Hook::Active { program } => format!("{GOOD}on{GOOD:#}, calls {}", clean(&program.display().to_string())),
        Hook::Gone { program } => format!("{BAD}broken{BAD:#}, calls {}", clean(&program.display().to_string())),
        Hook::Absent => format!("{DOUBTFUL}off{DOUBTFUL:#}"),
    };
    report.line(&format!("  hook      {hook}"));
    if let Some(indexed) = health.memory_indexed {
        let (style, what) = if indexed { (GOOD, "finds .reflexio/") } else { (DOUBTFUL, "does not find .reflexio/") };
        report.line(&format!("  memory    {style}{what}{style:#}"));
    }
    let last = match &health.last {
        Some(last) => {
            let event = if last.event.is_empty() { "an event" } else { &last.event };
            clean(&format!("{} ({event}): {}", last.at.to_rfc3339_opts(SecondsFormat::Secs, true), last.told))
        }
        None => format!("{FAINT}never{FAINT:#}"),
    };
    report.line(&format!("  last run  {last}"));
    if health.pending > 0 {
        report.line(&format!("  pending   {}", health.pending));
    }
    for advice in &health.advice {
        report.line(&format!("  {DOUBTFUL}to do{DOUBTFUL:#}     {}", clean(advice)));
    }
}
