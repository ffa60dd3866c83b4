//! `consolidate`: near-duplicates become one fact a file.

use chrono::Utc;
use serde::Serialize;

use super::args::Consolidate;
use super::extract::number;
use super::report::{DOUBTFUL, FAINT, GOOD, Outcome, Report, STRONG, fit};
use super::settings;
use crate::compose::slug::slug;
use crate::digest::in_one_line;
use crate::error::Result;
use crate::memory::{Id, Kind};
use crate::redact::Redactor;
use crate::store::{self, Dress};

/// One group of memories, as programs read it.
#[derive(Serialize)]
struct MergeRecord<'a> {
    op: &'a str,
    kind: Kind,
    removed: &'a [Id],
    written: Vec<FactRecord<'a>>,
}

#[derive(Serialize)]
struct FactRecord<'a> {
    id: &'a Id,
    body: &'a str,
    ttl: &'a str,
    supersedes: &'a [Id],
}

pub(super) fn run(command: &Consolidate, report: &mut Report) -> Result<Outcome> {
    let root = settings::store(&command.place);
    let now = Utc::now();
    let before = store::read(&root)?;
    let done = dress(Redactor::builtin(), |dress| {
        if command.dry_run { store::consolidation(&root, dress, now) } else { store::consolidate(&root, dress, now) }
    })?;
    let mut made = done.made.iter();
    let (mut sources, mut facts) = (0, 0);
    for merge in &done.merges {
        let written: Vec<FactRecord<'_>> = merge
            .facts
            .iter()
            .zip(&mut made)
            .map(|(fact, id)| FactRecord { id, body: &fact.body, ttl: fact.ttl.word(), supersedes: &fact.sources })
            .collect();
        sources += merge.sources.len();
        facts += written.len();
        if report.is_jsonl() {
            report.json(&MergeRecord { op: "consolidate", kind: merge.kind, removed: &merge.sources, written });
            continue;
        }
        for fact in &written {
            let text = fit(&in_one_line(merge.kind, fact.body), 120);
            report.line(&format!(
                "{GOOD}together{GOOD:#}  {STRONG}{}{STRONG:#}  {text}  {FAINT}{}{FAINT:#}",
                merge.kind.word(),
                fact.id
            ));
        }
        for id in &merge.sources {
            let text = before
                .held
                .iter()
                .find(|held| held.id == *id)
                .map_or(String::new(), |held| fit(&in_one_line(held.kind, &held.body), 100));
            report.line(&format!("          {DOUBTFUL}from{DOUBTFUL:#} {FAINT}{id}  {text}{FAINT:#}"));
        }
    }
    if report.is_jsonl() {
        report.json(&serde_json::json!({ "summary": { "removed": sources, "written": facts } }));
    } else {
        let told = match sources {
            0 => "nothing to put together".to_owned(),
            _ => format!("{} put together to {facts}", number(sources, "memor").replace("memors", "memories")),
        };
        let note = if command.dry_run { " (dry run: nothing was written)" } else { "" };
        report.line(&format!("{told}{note}"));
    }
    report.problems(&before.problems);
    Ok(if before.problems.is_empty() { Outcome::Done } else { Outcome::Problems })
}

/// Calls `with` what makes the text of a fact fit to be written.
pub(super) fn dress<T>(redactor: &Redactor, with: impl FnOnce(Dress<'_>) -> T) -> T {
    let clean = |text: &str| redactor.clean(text).text.into_owned();
    with(Dress { clean: &clean, topic: &slug })
}
