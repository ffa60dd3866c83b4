//! `export` and `import`: a store as one file.

use chrono::Utc;

use super::args::{Export, Import};
use super::extract::{Summary, tell_briefly};
use super::report::{Outcome, Report, clean};
use super::settings;
use crate::compose::slug::slug;
use crate::error::Result;
use crate::redact::Redactor;
use crate::store::{self, Imported};

pub(super) fn export(command: &Export, report: &mut Report) -> Result<Outcome> {
    let root = settings::store(&command.place);
    let memories = store::export(&root, &command.to)?;
    if report.is_jsonl() {
        report.json(&serde_json::json!({ "store": root, "file": command.to, "memories": memories }));
    } else {
        let file = clean(&command.to.display().to_string());
        report.line(&format!("{}, with the ledger, in {file}", memories_of(memories)));
    }
    Ok(Outcome::Done)
}

pub(super) fn import(command: &Import, report: &mut Report) -> Result<Outcome> {
    let root = settings::store_to(&command.place);
    let redactor = Redactor::builtin();
    let cleaned = |text: &str| redactor.clean(text).text.into_owned();
    let import = store::Import { archive: &command.from, clean: &cleaned, topic: &slug };
    let imported =
        if command.dry_run { store::import_preview(&root, import)? } else { store::import(&root, import, Utc::now())? };
    let note = if command.dry_run { " (dry run: nothing was written)" } else { "" };
    let problems = match imported {
        Imported::Restored(memories, problems) => {
            if report.is_jsonl() {
                report.json(&serde_json::json!({ "store": root, "restored": memories }));
            } else {
                let store = clean(&root.display().to_string());
                report.line(&format!("{} restored in {store}, with the ledger{note}", memories_of(memories)));
            }
            problems
        }
        Imported::Merged(outcome) => {
            let mut summary = Summary::default();
            for decision in &outcome.plan.decisions {
                summary.count(decision);
                if decision.new {
                    tell_briefly(decision, &root, report);
                }
            }
            if !report.is_jsonl() {
                let news = outcome.plan.decisions.iter().filter(|decision| decision.new).count();
                report.line(&format!(
                    "{news} of {} were new{note}",
                    super::extract::number(outcome.plan.decisions.len(), "statement")
                ));
            }
            outcome.problems
        }
    };
    report.problems(&problems);
    Ok(if problems.is_empty() { Outcome::Done } else { Outcome::Problems })
}

fn memories_of(count: usize) -> String {
    if count == 1 { "1 memory".to_owned() } else { format!("{count} memories") }
}
