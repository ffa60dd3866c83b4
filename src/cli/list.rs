//! `list`: what is remembered.

use chrono::{NaiveDate, Utc};

use super::args::{List, Order};
use super::report::{DOUBTFUL, FAINT, Outcome, Report, STRONG, clean, fit};
use super::settings;
use crate::error::Result;
use crate::explain::{Archive, Entry, Status};
use crate::memory::Intent;
use crate::store::Open;
use crate::text::fold::fold;

pub(super) fn run(command: &List, report: &mut Report) -> Result<Outcome> {
    let archive = Archive::open(&settings::store(&command.place), Utc::now().date_naive())?;
    if command.pending {
        let waiting: Vec<Open> = archive.pending().into_iter().filter(|one| holds(&one.body, &command.words)).collect();
        waiting.iter().for_each(|one| tell_pending(one, &archive, report));
        end(&archive, &format!("{} pending", waiting.len()), report);
    } else {
        let entries = chosen(&archive, command);
        entries.iter().for_each(|entry| tell(entry, report));
        let noun = if entries.len() == 1 { "memory" } else { "memories" };
        end(&archive, &format!("{} {noun}{}", entries.len(), besides(&archive, command)), report);
    }
    report.problems(archive.problems());
    Ok(if archive.problems().is_empty() { Outcome::Done } else { Outcome::Problems })
}

fn chosen(archive: &Archive, command: &List) -> Vec<Entry> {
    let status = |status: Status| match status {
        _ if command.all => true,
        Status::Expired => command.expired,
        status => !command.expired && status == Status::Active,
    };
    let mut entries = archive.entries(status);
    entries.retain(|entry| {
        let text = format!("{} {}", entry.slug, entry.body);
        command.kind.is_none_or(|kind| entry.kind == kind)
            && command.class.is_none_or(|class| entry.class == Some(class))
            && holds(&text, &command.words)
    });
    match command.sort {
        Order::Created => {}
        Order::Slug => entries.sort_by(|one, other| one.slug.cmp(&other.slug)),
        // What lives for ever comes last.
        Order::Expiry => entries.sort_by_key(|entry| entry.expires.unwrap_or(NaiveDate::MAX)),
    }
    entries
}

fn holds(text: &str, words: &[String]) -> bool {
    let text = fold(text);
    words.iter().all(|word| text.contains(&fold(word)))
}

fn tell(entry: &Entry, report: &mut Report) {
    if report.is_jsonl() {
        report.json(entry);
        return;
    }
    let mut notes = vec![entry.kind.word().to_owned()];
    notes.extend(entry.expires.filter(|_| entry.status == Status::Active).map(|last| format!("until {last}")));
    notes.extend((entry.status != Status::Active).then(|| entry.status.word().to_owned()));
    notes.extend(entry.edited.then(|| "edited by hand".to_owned()));
    let style = if entry.status == Status::Active { STRONG } else { FAINT };
    let id = clean(entry.id.as_str());
    report.line(&format!(
        "{FAINT}{id:15}{FAINT:#}  {style}{}{style:#}  {FAINT}{}{FAINT:#}",
        fit(&entry.headline, 100),
        notes.join(", ")
    ));
}

fn tell_pending(one: &Open, archive: &Archive, report: &mut Report) {
    if report.is_jsonl() {
        report.json(one);
        return;
    }
    let what = if one.intent == Intent::Forget { "forget?" } else { "correction" };
    report.line(&format!("{DOUBTFUL}{what:10}{DOUBTFUL:#}  {STRONG}{}{STRONG:#}", fit(&one.body, 100)));
    let from = one.evidence.first().map(|evidence| {
        format!("; {} session {}, line {}", clean(&evidence.host), clean(&evidence.session), evidence.line)
    });
    let day = one.said_at.date_naive();
    report.line(&format!("            {FAINT}{day}, {}{}{FAINT:#}", clean(&one.reason), from.unwrap_or_default()));
    for other in one.could_mean.iter().map(|id| archive.named(id)) {
        report.line(&format!("            {}  {}", clean(other.id.as_str()), fit(&other.headline, 90)));
    }
}

/// What is not listed, and how it can be.
fn besides(archive: &Archive, command: &List) -> String {
    if command.expired || command.all {
        return String::new();
    }
    let expired = archive.entries(|status| status == Status::Expired);
    let swept = expired.len();
    let pending = archive.pending().len();
    let told = [(swept, "expired", "--expired"), (pending, "pending", "--pending")];
    let told = told.iter().filter(|(count, ..)| *count > 0);
    told.map(|(count, word, flag)| format!("; {count} {word} (`{flag}`)")).collect()
}

fn end(archive: &Archive, what: &str, report: &mut Report) {
    if !report.is_jsonl() {
        let store = clean(&archive.root().display().to_string());
        report.line(&format!("{FAINT}{what} in {store}{FAINT:#}"));
    }
}
