//! `search`: the memories that fit a question.

use std::ops::Range;
use std::path::{Path, PathBuf};

use anstyle::{AnsiColor, Style};
use chrono::{NaiveDate, SecondsFormat};
use serde::Serialize;

use super::args::Search;
use super::report::{FAINT, Outcome, Report, STRONG, clean};
use super::settings::store;
use crate::error::Result;
use crate::search::{Hit, Query, search};

/// The words that were asked for.
const MATCHED: Style = AnsiColor::Yellow.on_default().bold();

/// A hit, as programs read it.
#[derive(Serialize)]
struct HitRecord<'h> {
    id: &'h str,
    kind: &'h str,
    file: PathBuf,
    created: String,
    expires: Option<NaiveDate>,
    score: f32,
    body: &'h str,
    /// The words of the body that were asked for.
    matched: Vec<&'h str>,
}

pub(super) fn run(command: &Search, today: NaiveDate, report: &mut Report) -> Result<Outcome> {
    let root = store(&command.place);
    let text = command.query.join(" ");
    let query = Query { text: &text, kind: command.kind, limit: command.limit.get(), today };
    let answer = search(&root, &query)?;
    report.problems(&answer.problems);
    for hit in &answer.hits {
        if report.is_jsonl() {
            report.json(&record(hit, &root));
        } else {
            show(hit, &root, report);
        }
    }
    if answer.hits.is_empty() && !report.is_jsonl() {
        report.line(&format!("{FAINT}Nothing fits.{FAINT:#}"));
    }
    Ok(if answer.problems.is_empty() { Outcome::Done } else { Outcome::Problems })
}

fn record<'h>(hit: &'h Hit, root: &Path) -> HitRecord<'h> {
    HitRecord {
        id: hit.id.as_str(),
        kind: hit.kind.word(),
        file: root.join(&hit.file),
        created: hit.created.to_rfc3339_opts(SecondsFormat::Secs, true),
        expires: hit.expires,
        score: (hit.score * 100.0).round() / 100.0,
        body: &hit.body,
        matched: hit.matched.iter().filter_map(|span| hit.body.get(span.clone())).collect(),
    }
}

fn show(hit: &Hit, root: &Path, report: &mut Report) {
    let day = hit.created.date_naive();
    let until = hit.expires.map(|day| format!(", until {day}")).unwrap_or_default();
    report.line(&format!(
        "{STRONG}{}{STRONG:#} {FAINT}({}, {day}{until}){FAINT:#}",
        clean(hit.id.as_str()),
        hit.kind.word()
    ));
    report.line(&format!("  {FAINT}{}{FAINT:#}", clean(&root.join(&hit.file).display().to_string())));
    let mut start = 0;
    for line in hit.body.split_inclusive('\n') {
        let span = start..start + line.trim_end().len();
        start += line.len();
        if !span.is_empty() {
            report.line(&format!("  {}", marked(&hit.body, span, &hit.matched)));
        }
    }
}

/// A line of a text with the words marked that were asked for.
fn marked(text: &str, line: Range<usize>, matched: &[Range<usize>]) -> String {
    let part = |span: Range<usize>| clean(text.get(span).unwrap_or_default());
    let mut shown = String::new();
    let mut at = line.start;
    for word in matched.iter().filter(|word| word.start >= line.start && word.end <= line.end) {
        shown += &part(at..word.start);
        shown += &format!("{MATCHED}{}{MATCHED:#}", part(word.clone()));
        at = word.end;
    }
    shown + &part(at..line.end)
}
