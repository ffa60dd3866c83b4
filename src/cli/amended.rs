//! What `undo`, `forget` and `sweep` print: what came, what left, and how to take that back.

use std::path::Path;

use serde::Serialize;

use super::report::{DOUBTFUL, FAINT, GOOD, Report, clean, fit};
use super::settings;
use crate::memory::{Kind, headline};
use crate::store::ledger::Page;
use crate::store::{Amended, RunName, markdown};

/// One file that changed, as programs read it.
#[derive(Serialize)]
struct FileRecord<'a> {
    /// `came`, `changed` or `left`.
    change: &'static str,
    id: &'a str,
    file: &'a str,
    body: &'a str,
}

/// The run, as programs read it.
#[derive(Serialize)]
struct RunRecord<'a> {
    run: Option<RunName>,
    store: &'a Path,
    dry_run: bool,
}

/// Prints one line for each memory.
pub(super) fn tell(amended: &Amended, report: &mut Report) {
    for page in &amended.came {
        let (change, word) = if page.replaces.is_some() { ("changed", "changed") } else { ("came", "back") };
        tell_page(page, change, (GOOD, word), report);
    }
    for page in &amended.left {
        tell_page(page, "left", (DOUBTFUL, "gone"), report);
    }
}

/// Prints the files that would leave.
pub(super) fn tell_leaving(pages: &[Page], report: &mut Report) {
    pages.iter().for_each(|page| tell_page(page, "left", (DOUBTFUL, "goes"), report));
}

fn tell_page(page: &Page, change: &'static str, (style, word): (anstyle::Style, &str), report: &mut Report) {
    let body = markdown::body(&page.text);
    if report.is_jsonl() {
        report.json(&FileRecord { change, id: page.id.as_str(), file: &page.file, body: &body });
        return;
    }
    let kind = if page.file.starts_with(Kind::Playbook.folder()) { Kind::Playbook } else { Kind::Profile };
    let id = clean(page.id.as_str());
    let said = fit(&headline(kind, &body), 120);
    report.line(&format!("{style}{word:8}{style:#} {FAINT}{id:15}{FAINT:#}  {said}"));
}

/// Prints what was done in all, and how to take that back.
pub(super) fn end(what: &str, amended: &Amended, store: &Path, report: &mut Report) {
    let run = amended.run;
    if report.is_jsonl() {
        report.json(&RunRecord { run, store, dry_run: run.is_none() });
        return;
    }
    let undo = |run| format!("; `afterword undo {run}{}` takes that back", settings::option(store));
    let back = run.map(undo).unwrap_or_default();
    report.line(&format!("{}{FAINT}{}{FAINT:#}", clean(what), clean(&back)));
}
