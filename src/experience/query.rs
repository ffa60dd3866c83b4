//! The quick queries: what the home knows, each line with its source.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;

use super::corrections::{LATEST, corrections};
use super::home::Home;
use super::lesson::{How, Tier, What, tier_of};
use super::page::Section;
use super::sync::Synced;
use crate::text::fold::fold;
use crate::text::terms::Terms;

/// "What have you learned?" shows so many (seed).
const LAST: usize = 10;
/// A line is about what was asked if it has so much of its terms.
const ABOUT: f32 = 0.5;

/// A line of the home.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Line {
    /// Where it stands: `projects/foo.md:12`.
    pub source: String,
    /// What it says.
    pub text: String,
    /// Its section, for a lesson.
    pub section: Option<Section>,
}

/// "What do you know about X?": in every tier, the nearest first.
#[must_use]
pub fn about(home: &Home, words: &str) -> Vec<Line> {
    let (wanted, whole) = (Terms::of(words), fold(words.trim()));
    let is_about = |text: &str| {
        let here = fold(text);
        (!whole.is_empty() && here.contains(&whole)) || (wanted.overlap(&Terms::of(text)) >= ABOUT && wanted.len() > 1)
    };
    let mut found: Vec<(Tier, Line)> = Vec::new();
    for (name, page) in &home.pages {
        // What was said once comes behind what was made of it.
        let tier = if Home::is_of_lessons(name) { tier_of(name) } else { Tier::Cold };
        let entries = if Home::is_of_lessons(name) { page.entries() } else { Vec::new() };
        let lessons = entries.into_iter().map(|e| (e.line, e.text, Some(e.section)));
        let logged = corrections(page).into_iter().map(|(line, text)| (line, text, None));
        let lines = lessons.chain(logged).filter(|(_, text, _)| is_about(text));
        found.extend(
            lines.map(|(line, text, section)| (tier, Line { source: format!("{name}:{line}"), text, section })),
        );
    }
    found.sort_by_key(|(tier, _)| Reverse(*tier));
    found.into_iter().map(|(_, line)| line).collect()
}

/// "What have you learned?": the last corrections, the newest first.
#[must_use]
pub fn learned(home: &Home) -> Vec<Line> {
    let all = home.pages.get(LATEST).map(corrections).unwrap_or_default();
    let last = all.into_iter().rev().take(LAST);
    last.map(|(line, text)| Line { source: format!("{LATEST}:{line}"), text, section: None }).collect()
}

/// "Show my patterns": the lessons on a page.
#[must_use]
pub fn patterns(home: &Home, page: &str) -> Vec<Line> {
    let entries = home.pages.get(page).map(|page| page.entries()).unwrap_or_default();
    let line =
        |e: super::page::Entry| Line { source: format!("{page}:{}", e.line), text: e.text, section: Some(e.section) };
    entries.into_iter().map(line).collect()
}

/// "What's in warm storage?": the pages of `projects/` and `domains/`, and how many lessons are on each.
#[must_use]
pub fn warm(home: &Home) -> Vec<(String, usize)> {
    let pages = home.pages.iter().filter(|(name, _)| tier_of(name) == Tier::Warm);
    pages.map(|(name, page)| (name.clone(), page.entries().len())).collect()
}

/// "Memory stats".
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Stats {
    /// Lessons in `memory.md`.
    pub hot: usize,
    /// Pages in `projects/`.
    pub projects: usize,
    /// Pages in `domains/`.
    pub domains: usize,
    /// Pages in `archive/`.
    pub archive: usize,
    /// When a global file last changed.
    pub last_sync: Option<DateTime<Utc>>,
    /// `in_sync`, `stale` or `off`.
    pub sync: &'static str,
    /// Corrections of the last seven days.
    pub corrections: usize,
    /// Lessons that came into `memory.md` from elsewhere in the last seven days.
    pub promotions: usize,
    /// Lessons that left it for a page below.
    pub demotions: usize,
}

/// Counts for each tier, and what happened in the last seven days.
#[must_use]
pub fn stats(home: &Home, synced: &Synced, now: DateTime<Utc>) -> Stats {
    let since = now - TimeDelta::days(7);
    let count = |folder: &str| home.pages.keys().filter(|name| name.starts_with(folder)).count();
    let mut corrections: BTreeSet<&str> = BTreeSet::new();
    let (mut promotions, mut demotions) = (0, 0);
    let mut last: BTreeMap<&str, Tier> = BTreeMap::new();
    for event in &home.log {
        let is_recent = event.at >= since && event.at <= now;
        match &event.what {
            // A weightier reading of the same words is no second correction.
            What::Taught { how: How::Pending | How::Implicit | How::Explicit, words, .. } if is_recent => {
                corrections.insert(words);
            }
            What::Placed { page, .. } | What::Moved { page, .. } => {
                let (tier, before) = (tier_of(page), last.insert(&event.lesson, tier_of(page)));
                promotions += usize::from(is_recent && tier == Tier::Hot && before.is_some_and(|b| b < Tier::Hot));
                demotions += usize::from(is_recent && tier == Tier::Warm && before == Some(Tier::Hot));
            }
            _ => {}
        }
    }
    Stats {
        hot: home.pages.get("memory.md").map_or(0, |page| page.entries().len()),
        projects: count("projects/"),
        domains: count("domains/"),
        archive: count("archive/"),
        last_sync: synced.at,
        sync: synced.status(home),
        corrections: corrections.len(),
        promotions,
        demotions,
    }
}

/// What became of a lesson in the last seven days.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Happened {
    /// `learned`, `promoted`, `demoted`, `archived`, or `moved` within its tier.
    pub what: &'static str,
    /// Where the lesson stands now.
    #[serde(flatten)]
    pub line: Line,
}

/// The weekly digest: the lessons that came to a page or changed theirs, in the order of time, each as it ended.
#[must_use]
pub fn digest(home: &Home, now: DateTime<Utc>) -> Vec<Happened> {
    let since = now - TimeDelta::days(7);
    let mut before: BTreeMap<&str, Tier> = BTreeMap::new();
    let mut recent: Vec<&str> = Vec::new();
    for event in &home.log {
        if let What::Placed { page, .. } | What::Moved { page, .. } = &event.what {
            if event.at < since {
                before.insert(&event.lesson, tier_of(page));
            } else {
                recent.retain(|lesson| *lesson != event.lesson);
                recent.push(&event.lesson);
            }
        }
    }
    let placed = home.placed();
    let told = recent.into_iter().filter_map(|lesson| {
        let now_at = placed.get(lesson)?;
        let what = match (before.get(lesson), tier_of(&now_at.page)) {
            (None, _) => "learned",
            (Some(was), tier) if tier > *was => "promoted",
            (Some(was), tier) if tier == *was => "moved",
            (_, Tier::Cold) => "archived",
            _ => "demoted",
        };
        let source = format!("{}:{}", now_at.page, now_at.entry.line);
        let (text, section) = (now_at.entry.text.clone(), Some(now_at.entry.section));
        Some(Happened { what, line: Line { source, text, section } })
    });
    told.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experience::feed;
    use crate::experience::feed::tests::{day, said};
    use crate::experience::hear::Heard;
    use crate::experience::lesson::Scope;

    #[test]
    fn a_digest_tells_each_lesson_as_it_ended() {
        let mut home = Home::default();
        let teach = |home: &mut Home, text: &str, how, n: i64| {
            let lessons = vec![said(text, how, n, &format!("s{n}"), Scope::general())];
            feed(home, vec![Heard { lessons, ..Heard::default() }], day(n));
        };
        teach(&mut home, "Answer in French.", How::Stated, 0);
        teach(&mut home, "Use pnpm, not npm.", How::Explicit, 29);
        home.settle(day(31));
        let told: Vec<_> = digest(&home, day(31)).into_iter().map(|h| (h.what, h.line.source)).collect();
        assert_eq!(told, [("learned", "memory.md:8".to_owned()), ("demoted", "domains/general.md:5".to_owned())]);
        assert_eq!(digest(&home, day(60)), []);
        let stats = stats(&home, &Synced::default(), day(31));
        assert_eq!((stats.hot, stats.domains, stats.corrections, stats.demotions), (1, 1, 1, 1));
    }
}
