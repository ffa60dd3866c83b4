//! The person's word on lessons: a yes, a no, and "forget X".

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use chrono::{DateTime, Utc};

use super::corrections::correction_spans;
use super::home::Home;
use super::lesson::{Event, What};
use super::page::{Page, Section};
use super::query::{Line, about};

/// A lesson that waits for the person's yes: taught three times, or contradicting a confirmed one.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Asked {
    /// The lesson's id.
    pub lesson: String,
    /// Where it stands, and its words.
    #[serde(flatten)]
    pub line: Line,
}

/// What the person says to a lesson that is put to them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// It is a rule: it becomes a Confirmed Preference, and what it contradicts gives way.
    Yes,
    /// It is none: it stays a tentative pattern, and is not asked about again.
    No,
}

/// The lessons that wait for the person's yes.
#[must_use]
pub fn asked(home: &Home) -> Vec<Asked> {
    let waiting = home.placed().into_iter().filter(|(_, placed)| placed.entry.section == Section::Asked);
    let mut asked: Vec<Asked> = waiting
        .map(|(lesson, placed)| {
            let source = format!("{}:{}", placed.page, placed.entry.line);
            Asked { lesson, line: Line { source, text: placed.entry.text, section: Some(Section::Asked) } }
        })
        .collect();
    asked.sort_by(|one, other| (&one.line.source, &one.lesson).cmp(&(&other.line.source, &other.lesson)));
    asked
}

/// Takes the person's answer to a lesson, and puts the lesson where it belongs now.
pub fn answer(home: &mut Home, lesson: &str, answer: Answer, now: DateTime<Utc>) {
    home.notice(now);
    match answer {
        Answer::Yes => home.confirm(lesson, now),
        Answer::No => home.log.push(Event { lesson: lesson.to_owned(), at: now, what: What::Declined }),
    }
    home.settle(now);
}

/// "Forget X": takes every line that [`about`] finds out of every page of every tier; gives these lines.
pub fn forget(home: &mut Home, words: &str, now: DateTime<Utc>) -> Vec<Line> {
    home.notice(now);
    let lines = about(home, words);
    let sources: BTreeSet<&str> = lines.iter().map(|line| line.source.as_str()).collect();
    let mut erased: BTreeSet<String> = BTreeSet::new();
    let mut pages: BTreeMap<String, Page> = BTreeMap::new();
    for (name, page) in &home.pages {
        let is_meant = |line: u32| sources.contains(format!("{name}:{line}").as_str());
        let entries = if Home::is_of_lessons(name) { page.entries() } else { Vec::new() };
        let (meant, _): (Vec<_>, Vec<_>) = entries.into_iter().partition(|entry| is_meant(entry.line));
        erased.extend(meant.iter().filter_map(|entry| entry.id.clone()).filter(|id| home.knows(id)));
        let mut spans: Vec<Range<usize>> = meant.into_iter().map(|entry| entry.span).collect();
        spans.extend(correction_spans(page).into_iter().filter(|(line, _)| is_meant(*line)).map(|(_, span)| span));
        // From the end, so that the spans before stay true.
        spans.sort_by_key(|span| std::cmp::Reverse(span.start));
        if !spans.is_empty() {
            pages.insert(name.clone(), spans.iter().fold(page.clone(), |page, span| page.without(span)));
        }
    }
    home.pages.extend(pages);
    home.log.extend(erased.into_iter().map(|lesson| Event { lesson, at: now, what: What::Erased }));
    lines
}

#[cfg(test)]
#[path = "word_tests.rs"]
mod tests;
