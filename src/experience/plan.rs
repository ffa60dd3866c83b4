//! Where every lesson belongs at a time: its section, its page, and what gives way when a page is full.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};

use super::home::{Home, Placed};
use super::lesson::{How, Lesson, Scope, Tier};
use super::page::Section;
use super::tiers::{ASK_AFTER, tier};
use crate::reconcile::{Comparison, compare};

/// `memory.md` has at most so many lines (seed, "Tiered Storage").
pub const HOT_LINES: usize = 100;
/// A page in `projects/` or `domains/` has at most so many.
pub const WARM_LINES: usize = 200;
/// A section that is not there yet costs a heading and two blank lines.
const HEADING_LINES: usize = 3;
/// So does the title of a page that is not there.
const TITLE_LINES: usize = 3;

/// How many lines a page of this tier may have; no limit for the archive.
pub(super) fn most_lines(tier: Tier) -> Option<usize> {
    match tier {
        Tier::Hot => Some(HOT_LINES),
        Tier::Warm => Some(WARM_LINES),
        Tier::Cold => None,
    }
}

/// Where a lesson belongs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Seat {
    pub(super) page: String,
    pub(super) section: Section,
}

/// Where each lesson belongs at `now`; one that is missing belongs on no page.
pub(super) fn seats(home: &Home, lessons: &BTreeMap<String, Lesson>, now: DateTime<Utc>) -> BTreeMap<String, Seat> {
    let placed = home.placed();
    let mut wishes: Vec<Wish> = lessons.values().filter_map(|l| wish(home, l, &placed, now)).collect();
    // The confirmed ones first, then what was used last.
    wishes.sort_by(|one, other| one.weight().cmp(&other.weight()));
    fit(home, &mut wishes, Tier::Hot);
    fit(home, &mut wishes, Tier::Warm);
    wishes.into_iter().map(|w| (w.lesson.id.clone(), Seat { page: w.page(), section: w.section })).collect()
}

/// A lesson and where it would like to be.
struct Wish<'a> {
    lesson: &'a Lesson,
    tier: Tier,
    section: Section,
    lines: usize,
}

impl Wish<'_> {
    fn page(&self) -> String {
        self.lesson.scope.page(self.tier)
    }

    fn weight(&self) -> impl Ord + use<> {
        use std::cmp::Reverse;
        let last = self.lesson.uses.last().copied();
        (self.section, Reverse(self.lesson.taught >= ASK_AFTER), Reverse(last), self.lesson.id.clone())
    }
}

fn wish<'a>(
    home: &Home,
    lesson: &'a Lesson,
    placed: &BTreeMap<String, Placed>,
    now: DateTime<Utc>,
) -> Option<Wish<'a>> {
    let here = placed.get(&lesson.id);
    // What was on a page and is not any more, a person took out: it stays out.
    if here.is_none() && lesson.last.is_some() {
        return None;
    }
    let lines = |section| here.map_or(0, |p| p.lines).max(if section == Section::Confirmed { 2 } else { 1 });
    if lesson.gone.is_some() {
        let section = Section::Withdrawn;
        return here.map(|_| Wish { lesson, tier: Tier::Cold, section, lines: lines(section) });
    }
    let is_asked = !lesson.is_refused && (lesson.taught >= ASK_AFTER || lesson.is_contested);
    let section = match (lesson.is_confirmed, is_asked) {
        (true, _) => Section::Confirmed,
        (false, true) => Section::Asked,
        (false, false) => Section::Patterns,
    };
    let tier = if lesson.is_confirmed { Tier::Hot } else { tier(lesson, now) };
    let is_kept = section != Section::Patterns
        || lesson.how >= How::Implicit
        || (lesson.how == How::Reflected && tier == Tier::Hot);
    if here.is_none() && (!is_kept || is_said_by_hand(home, lesson)) {
        return None;
    }
    let tier = if matches!(lesson.scope, Scope::Project(_)) { tier.min(Tier::Warm) } else { tier };
    Some(Wish { lesson, tier, section, lines: lines(section) })
}

/// Whether a person's own line says it already.
fn is_said_by_hand(home: &Home, lesson: &Lesson) -> bool {
    let pages = [lesson.scope.page(Tier::Hot), lesson.scope.page(Tier::Warm), "memory.md".to_owned()];
    let pages: BTreeSet<&String> = pages.iter().collect();
    let entries = pages.into_iter().filter_map(|page| home.pages.get(page)).flat_map(|page| page.entries());
    entries.filter(|e| e.id.is_none()).any(|e| compare(&e.text, &lesson.text) == Comparison::Duplicate)
}

/// Moves what a page of this tier has no room for one tier down, the lightest first.
fn fit(home: &Home, wishes: &mut [Wish<'_>], tier: Tier) {
    let most = most_lines(tier).unwrap_or(usize::MAX);
    let mut rooms: BTreeMap<String, Room> = BTreeMap::new();
    for wish in wishes.iter_mut().filter(|wish| wish.tier == tier) {
        let page = wish.page();
        let room = rooms.entry(page.clone()).or_insert_with(|| Room::of(home, &page, most));
        if !room.take(wish) {
            wish.tier = if tier == Tier::Hot { Tier::Warm } else { Tier::Cold };
        }
    }
}

/// The lines that are left on a page beside those of the person.
struct Room {
    left: usize,
    sections: BTreeSet<Section>,
}

impl Room {
    fn of(home: &Home, page: &str, most: usize) -> Self {
        let Some(page) = home.pages.get(page) else {
            return Self { left: most.saturating_sub(TITLE_LINES), sections: BTreeSet::new() };
        };
        let entries = page.entries();
        let ours = entries.iter().filter(|e| e.id.as_ref().is_some_and(|id| home.knows(id)));
        let ours: usize = ours.map(|e| page.text().get(e.span.clone()).map_or(0, |text| text.lines().count())).sum();
        let sections = page.sections();
        Self { left: (most + ours).saturating_sub(page.lines()), sections }
    }

    fn take(&mut self, wish: &Wish<'_>) -> bool {
        let heading = if self.sections.contains(&wish.section) { 0 } else { HEADING_LINES };
        let Some(left) = self.left.checked_sub(heading + wish.lines) else {
            return false;
        };
        self.left = left;
        self.sections.insert(wish.section);
        true
    }
}
