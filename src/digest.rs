//! What became of a store lately, in markdown for people; and its numbers ([`Stats`]).
//!
//! Both are told from the ledger and the folders alone.

mod stats;

use std::collections::HashSet;

use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;

pub use stats::{Stats, stats};

use crate::memory::{Id, Kind, Sections, flat};
use crate::reconcile::Known;
use crate::store::ledger::{Did, Event, Page};
use crate::store::{Open, markdown};

/// What happened between two times, each line as it would be shown.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Digest {
    /// From then on.
    pub since: DateTime<Utc>,
    /// Until then.
    pub until: DateTime<Utc>,
    /// Memories that came and are there.
    pub learned: Vec<String>,
    /// What took the place of what.
    pub replaced: Vec<Replaced>,
    /// Profiles that expired and were swept.
    pub expired: Vec<String>,
    /// What left because the person asked for it, or deleted its file.
    pub forgotten: Vec<String>,
    /// What memories were put together to.
    pub consolidated: Vec<String>,
    /// What was taken back: memories that are there again.
    pub restored: Vec<String>,
    /// Profiles whose last day comes within a week, with that day.
    pub expiring: Vec<(NaiveDate, String)>,
    /// What waits for the person's word.
    pub waiting: Vec<String>,
}

/// A memory in the place of others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Replaced {
    /// What was there.
    pub old: Vec<String>,
    /// What is.
    pub new: String,
}

/// So many days ahead expiry is told of.
const AHEAD: i64 = 7;

/// Tells what happened from `since` until `now`, by the times at which the program did it.
#[must_use]
pub fn digest(known: &Known, history: &[Event], waiting: &[Open], since: DateTime<Utc>, now: DateTime<Utc>) -> Digest {
    let held: HashSet<&Id> = known.held.iter().map(|held| &held.id).collect();
    let mut digest = Digest { since, until: now, ..Digest::default() };
    for event in history.iter().filter(|event| since <= event.at && event.at <= now) {
        let stays = |page: &&Page| held.contains(&page.id) && page.replaces.is_none();
        let came = || event.writes.iter().filter(stays).map(line).collect::<Vec<_>>();
        let left = || event.removes.iter().map(line).collect::<Vec<_>>();
        match event.event {
            Did::Create | Did::Revise => digest.learned.extend(came()),
            Did::Supersede if event.removes.is_empty() => digest.learned.extend(came()),
            Did::Supersede => digest.replaced.extend(came().into_iter().map(|new| Replaced { old: left(), new })),
            Did::Sweep => digest.expired.extend(left()),
            Did::Forget => digest.forgotten.extend(left()),
            Did::Consolidate => digest.consolidated.extend(came()),
            Did::Undo => digest.restored.extend(came()),
            _ => {}
        }
    }
    let today = now.date_naive();
    let soon = known.held.iter().filter_map(|held| Some((held.expires?, in_one_line(held.kind, &held.body))));
    digest.expiring = soon.filter(|(day, _)| (0..=AHEAD).contains(&(*day - today).num_days())).collect();
    digest.expiring.sort();
    digest.waiting = waiting.iter().map(|open| flat(&open.body)).collect();
    digest
}

impl Digest {
    /// It as markdown, without a line end after the last line.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut lines = vec![format!("# Memory from {} to {}", self.since.date_naive(), self.until.date_naive())];
        let mut section = |title: &str, items: Vec<String>| {
            if !items.is_empty() {
                lines.extend([String::new(), format!("## {title}"), String::new()]);
                lines.extend(items.into_iter().map(|item| format!("- {item}")));
            }
        };
        section("Learned", self.learned.clone());
        section("Replaced", self.replaced.iter().map(Replaced::text).collect());
        section("Put together", self.consolidated.clone());
        section("Brought back", self.restored.clone());
        section("Expired", self.expired.clone());
        section("Forgotten", self.forgotten.clone());
        section("Expires soon", self.expiring.iter().map(|(day, text)| format!("{day}: {text}")).collect());
        section("Waits for your word (`afterword review`)", self.waiting.clone());
        if lines.len() == 1 {
            lines.extend([String::new(), "Nothing happened.".to_owned()]);
        }
        lines.join("\n")
    }
}

impl Replaced {
    fn text(&self) -> String {
        format!("{} (before: {})", self.new, self.old.join(" / "))
    }
}

fn line(page: &Page) -> String {
    let kind = if page.file.starts_with(Kind::Playbook.folder()) { Kind::Playbook } else { Kind::Profile };
    in_one_line(kind, &markdown::body(&page.text))
}

/// A memory's text in one line: a playbook by its situation and its rule.
#[must_use]
pub fn in_one_line(kind: Kind, body: &str) -> String {
    let Sections { when, what, .. } = Sections::of(body);
    match (kind, flat(&when), flat(&what)) {
        (Kind::Playbook, when, what) if !when.is_empty() && !what.is_empty() => format!("{when} → {what}"),
        _ => flat(body),
    }
}

#[cfg(test)]
mod tests;
