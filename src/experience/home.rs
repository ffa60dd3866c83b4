//! The home as a value: its pages and its log. Everything that changes it is a pure function of it and of a time.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};

use super::lesson::{Event, Lesson, What, lessons, tier_of};
use super::page::{Entry, Page, Section, written};
use super::plan::{Seat, most_lines, seats};
use super::tiers::ASK_AFTER;
use crate::reconcile::{Comparison, compare};

/// The pages of the home, and what was done to its lessons.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Home {
    /// Every page, by its path in the home.
    pub pages: BTreeMap<String, Page>,
    /// Every event, the oldest first.
    pub log: Vec<Event>,
    /// Pages that are there and cannot be read: nothing is put on them.
    pub closed: BTreeSet<String>,
}

/// A lesson's place on a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    /// The page.
    pub page: String,
    /// The lines.
    pub entry: Entry,
    /// How many.
    pub lines: usize,
}

/// A lesson that changed its place.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Change {
    /// The lesson.
    pub lesson: String,
    /// Its words.
    pub text: String,
    /// The page it left; none if it is new on a page.
    pub from: Option<String>,
    /// The page it is on now.
    pub to: String,
    /// The section it is in now.
    pub section: Section,
}

impl Home {
    /// Whether a page holds lessons.
    #[must_use]
    pub fn is_of_lessons(page: &str) -> bool {
        let folder = page.split_once('/').map(|(folder, _)| folder);
        page == "memory.md"
            || matches!(folder, Some("projects" | "domains"))
            || (folder == Some("archive") && page != super::corrections::OLDER)
    }

    /// Whether the log tells of a lesson.
    #[must_use]
    pub fn knows(&self, id: &str) -> bool {
        self.log.iter().any(|event| event.lesson == id)
    }

    /// Every lesson that stands on a page under its id; the nearest place where it stands on several.
    #[must_use]
    pub fn placed(&self) -> BTreeMap<String, Placed> {
        let known: BTreeSet<&str> = self.log.iter().map(|event| event.lesson.as_str()).collect();
        let mut placed: BTreeMap<String, Placed> = BTreeMap::new();
        for (name, page) in self.pages.iter().filter(|(name, _)| Self::is_of_lessons(name)) {
            for entry in page.entries() {
                let Some(id) = entry.id.clone().filter(|id| known.contains(id.as_str())) else {
                    continue;
                };
                let lines = page.text().get(entry.span.clone()).map_or(0, |text| text.lines().count());
                let is_nearer = placed.get(&id).is_none_or(|other| tier_of(name) > tier_of(&other.page));
                if is_nearer {
                    placed.insert(id, Placed { page: name.clone(), entry, lines });
                }
            }
        }
        placed
    }

    /// Everything that is due at `now`: what a person did by hand is noticed, every lesson goes where it belongs, and
    /// full pages are relieved. Doing it twice does nothing the second time.
    pub fn settle(&mut self, now: DateTime<Utc>) -> Vec<Change> {
        self.notice(now);
        self.merge(now);
        let lessons = lessons(&self.log);
        let seats = seats(self, &lessons, now);
        let mut moves: Vec<(&String, &Seat)> = seats.iter().collect();
        moves.sort_by(|one, other| (&one.1.page, one.1.section, one.0).cmp(&(&other.1.page, other.1.section, other.0)));
        let mut placed = self.placed();
        let mut changes = Vec::new();
        for (lesson, seat) in moves.into_iter().filter_map(|(id, seat)| Some((lessons.get(id)?, seat))) {
            if let Some(change) = self.seat(lesson, placed.get(&lesson.id), seat, now) {
                changes.push(change);
                // Lines moved: the others stand elsewhere now.
                placed = self.placed();
            }
        }
        changes
    }

    /// Writes down what a person ticked or moved.
    pub(super) fn notice(&mut self, now: DateTime<Utc>) {
        let lessons = lessons(&self.log);
        for (id, Placed { page, entry, .. }) in self.placed() {
            let note = |what| Event { lesson: id.clone(), at: now, what };
            let here = (page, entry.section);
            let is_confirmed = lessons.get(&id).is_some_and(|lesson| lesson.is_confirmed);
            if lessons.get(&id).is_some_and(|lesson| lesson.last.as_ref().is_some_and(|last| *last != here)) {
                self.log.push(note(What::Moved { page: here.0, section: here.1 }));
            } else if entry.is_ticked && entry.section == Section::Asked && !is_confirmed {
                self.confirm(&id, now);
            }
        }
    }

    /// The person agrees to a lesson: what it contradicts gives way.
    pub(super) fn confirm(&mut self, id: &str, now: DateTime<Utc>) {
        let rivals: BTreeSet<String> = self
            .log
            .iter()
            .filter(|event| event.lesson == id)
            .filter_map(|event| if let What::Contested { with } = &event.what { Some(with.clone()) } else { None })
            .collect();
        let replaced = rivals.into_iter().map(|lesson| (lesson, What::Replaced { by: id.to_owned() }));
        let events = std::iter::once((id.to_owned(), What::Confirmed)).chain(replaced);
        self.log.extend(events.map(|(lesson, what)| Event { lesson, at: now, what }));
    }

    /// On a page that is full, one of two tentative lessons that say the same gives way to the older one.
    fn merge(&mut self, now: DateTime<Utc>) {
        let lessons = lessons(&self.log);
        let mut by_page: BTreeMap<String, Vec<(&Lesson, String)>> = BTreeMap::new();
        for (id, placed) in self.placed() {
            let most = most_lines(tier_of(&placed.page));
            let is_full =
                self.pages.get(&placed.page).is_some_and(|page| most.is_some_and(|most| page.lines() >= most));
            let lesson = lessons.get(&id).filter(|l| !l.is_confirmed && l.gone.is_none());
            if let (true, Some(lesson)) = (is_full, lesson) {
                by_page.entry(placed.page).or_default().push((lesson, placed.entry.text));
            }
        }
        let mut merged = Vec::new();
        for group in by_page.values_mut() {
            group.sort_by(|(one, _), (other, _)| (one.uses.first(), &one.id).cmp(&(other.uses.first(), &other.id)));
            let mut kept: Vec<&(&Lesson, String)> = Vec::new();
            for younger in group.iter() {
                match kept.iter().find(|older| compare(&older.1, &younger.1) == Comparison::Duplicate) {
                    Some(older) => merged.push(Event {
                        lesson: younger.0.id.clone(),
                        at: now,
                        what: What::Replaced { by: older.0.id.clone() },
                    }),
                    None => kept.push(younger),
                }
            }
        }
        self.log.extend(merged);
    }

    /// Puts a lesson where it belongs. A page on which it cannot be put leaves it where it is.
    fn seat(&mut self, lesson: &Lesson, here: Option<&Placed>, seat: &Seat, now: DateTime<Utc>) -> Option<Change> {
        let is_there = here.is_some_and(|p| p.page == seat.page && p.entry.section == seat.section);
        if is_there || self.closed.contains(&seat.page) {
            return None;
        }
        let lines = self.lines_of(lesson, here, seat.section);
        let left = here.and_then(|p| Some((p.page.clone(), self.pages.get(&p.page)?.without(&p.entry.span))));
        let target = match &left {
            Some((page, rest)) if *page == seat.page => rest.clone(),
            _ => self.pages.get(&seat.page).cloned().unwrap_or_else(|| Page::new(title(&seat.page))),
        };
        let target = target.with(seat.section, &lines)?;
        self.pages.extend(left);
        self.pages.insert(seat.page.clone(), target);
        let (page, section) = (seat.page.clone(), seat.section);
        self.log.push(Event { lesson: lesson.id.clone(), at: now, what: What::Placed { page, section } });
        let text = here.map_or_else(|| lesson.text.clone(), |p| p.entry.text.clone());
        let from = here.map(|p| p.page.clone());
        Some(Change { lesson: lesson.id.clone(), text, from, to: seat.page.clone(), section })
    }

    /// The lines as they are, where their form stays; else in the new form, with the words that stand on the page.
    fn lines_of(&self, lesson: &Lesson, here: Option<&Placed>, section: Section) -> String {
        let rank = if lesson.taught >= ASK_AFTER { "high" } else { "medium" };
        let Some(Placed { page, entry, .. }) = here else {
            return written(section, &lesson.id, &lesson.tag, &lesson.text, rank);
        };
        let raw = self.pages.get(page).and_then(|page| page.text().get(entry.span.clone())).unwrap_or_default();
        let form = |section| match section {
            Section::Patterns | Section::Withdrawn => 0,
            Section::Asked => 1,
            Section::Confirmed => 2,
        };
        if form(entry.section) == form(section) {
            let plain = raw.replace("\r\n", "\n");
            return if plain.ends_with('\n') { plain } else { plain + "\n" };
        }
        let tag = if entry.tag.is_empty() { &lesson.tag } else { &entry.tag };
        // What a person wrote below a line goes with it.
        let below = if form(entry.section) < 2 { raw.split_once('\n').map_or("", |(_, below)| below) } else { "" };
        written(section, &lesson.id, tag, &entry.text, rank) + &below.replace("\r\n", "\n")
    }
}

/// The beginning of a page that is new.
#[must_use]
pub fn title(page: &str) -> String {
    let name = page.rsplit('/').next().unwrap_or(page).trim_end_matches(".md");
    match page.split_once('/').map(|(folder, _)| folder) {
        Some("projects") => format!("# Project: {name}\n"),
        Some("domains") => format!("# Domain: {name}\n"),
        Some("archive") => format!("# Archive: {name}\n"),
        _ => "# Memory\n".to_owned(),
    }
}
