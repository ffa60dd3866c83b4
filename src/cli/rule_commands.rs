//! `rules list|check|explain`.

use serde::Serialize;

use super::args::RulesCommand;
use super::report::{BAD, FAINT, GOOD, Outcome, Report, STRONG};
use super::settings::Settings;
use crate::error::{Error, ErrorKind, Result};
use crate::rules::{Trigger, check};

#[derive(Serialize)]
struct TriggerRecord<'a> {
    id: &'a str,
    act: &'static str,
    language: &'a str,
    strength: f32,
    phrases: &'a [String],
    origin: &'a str,
    why: &'a str,
}

pub(super) fn run(command: &RulesCommand, settings: &Settings, report: &mut Report) -> Result<Outcome> {
    match command {
        RulesCommand::List => list(settings, report),
        RulesCommand::Check => check_all(settings, report),
        RulesCommand::Explain { id } => explain(id, settings, report),
    }
}

fn list(settings: &Settings, report: &mut Report) -> Result<Outcome> {
    for trigger in settings.rules.triggers() {
        if report.is_jsonl() {
            report.json(&record(trigger));
        } else {
            let entry = &trigger.entry;
            report.line(&format!(
                "{:40} {:12} {:>4.1}  {FAINT}{}{FAINT:#}",
                entry.id,
                trigger.act.word(),
                entry.strength,
                entry.phrases.join(" | ")
            ));
        }
    }
    Ok(Outcome::Done)
}

fn record(trigger: &Trigger) -> TriggerRecord<'_> {
    TriggerRecord {
        id: &trigger.entry.id,
        act: trigger.act.word(),
        language: &trigger.language,
        strength: trigger.entry.strength,
        phrases: &trigger.entry.phrases,
        origin: &trigger.origin,
        why: &trigger.entry.why,
    }
}

fn check_all(settings: &Settings, report: &mut Report) -> Result<Outcome> {
    let mut faults = check::faults(&settings.rules);
    faults.extend(settings.redactor.check());
    for fault in &faults {
        if report.is_jsonl() {
            report.json(&serde_json::json!({ "fault": fault }));
        } else {
            report.line(&format!("{BAD}fault{BAD:#} {fault}"));
        }
    }
    let examples: usize =
        settings.rules.triggers().iter().map(|t| t.entry.examples.len() + t.entry.counter.len()).sum();
    let triggers = settings.rules.triggers().len();
    if report.is_jsonl() {
        report.json(&serde_json::json!({ "triggers": triggers, "examples": examples, "faults": faults.len() }));
    } else {
        let style = if faults.is_empty() { GOOD } else { BAD };
        report.line(&format!(
            "{triggers} triggers, {examples} examples and counter-examples, {style}{} faults{style:#}",
            faults.len()
        ));
    }
    Ok(if faults.is_empty() { Outcome::Done } else { Outcome::Problems })
}

fn explain(id: &str, settings: &Settings, report: &mut Report) -> Result<Outcome> {
    let trigger = settings.rules.triggers().iter().find(|t| t.entry.id == id).ok_or_else(|| {
        Error::new(ErrorKind::Usage, format!("there is no trigger {id:?}; `afterword rules list` shows all"))
    })?;
    if report.is_jsonl() {
        report.json(&record(trigger));
        return Ok(Outcome::Done);
    }
    let entry = &trigger.entry;
    report.line(&format!(
        "{STRONG}{}{STRONG:#}  {} {:+.1}  {FAINT}{}{FAINT:#}",
        entry.id,
        trigger.act.word(),
        entry.strength,
        trigger.origin
    ));
    report.line(&format!("  why      {}", entry.why));
    report.line(&format!("  phrases  {}", entry.phrases.join(" | ")));
    for (name, pattern) in [("pattern", &entry.pattern), ("unless", &entry.unless)] {
        if let Some(pattern) = pattern {
            report.line(&format!("  {name:8} {pattern}"));
        }
    }
    let told = |after: Option<crate::rules::After>| {
        after.map(|a| format!("  {FAINT}(after: {a:?}){FAINT:#}").to_lowercase()).unwrap_or_default()
    };
    for example in &entry.examples {
        let (text, after) = example.parts();
        report.line(&format!("  {GOOD}fires{GOOD:#}    {text}{}", told(after)));
    }
    for example in &entry.counter {
        let (text, after) = example.parts();
        report.line(&format!("  {BAD}not{BAD:#}      {text}{}", told(after)));
    }
    Ok(Outcome::Done)
}
