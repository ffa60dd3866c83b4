//! Learned and corrected, week by week, as a chart: what was learned stands above the line, what was corrected below it.

use std::collections::BTreeMap;

use chrono::{Datelike, Days, NaiveDate};

use super::card::{Card, Statement};
use super::eyes::day;
use super::line::Waiting;
use crate::explain::Status;
use crate::memory::Role;

/// At most a year is drawn.
const MOST: usize = 52;

/// At least half a year, so that a single week is no wall.
const LEAST: usize = 26;

/// The drawing's height, in its own units and in pixels.
const HEIGHT: f64 = 96.0;

/// A week's width, in units that the page stretches; its bar leaves some of them free.
const STEP: usize = 10;

/// How many memories were first said on a day, and in how many statements the person corrected.
type Counts = BTreeMap<NaiveDate, (usize, usize)>;

/// The chart.
pub(super) struct Weeks {
    pub(super) weeks: Vec<Week>,
    /// All that is drawn.
    pub(super) learned: usize,
    pub(super) corrected: usize,
    /// Where the line is, from above.
    pub(super) base: f64,
    /// Whether there is more before the first week.
    pub(super) cut: bool,
}

/// A week.
pub(super) struct Week {
    /// Its Monday.
    pub(super) day: String,
    pub(super) learned: usize,
    pub(super) corrected: usize,
    /// Where it begins, from the left.
    pub(super) x: usize,
    /// The height of the bar above the line, and of the one below it.
    pub(super) up: f64,
    pub(super) down: f64,
}

impl Weeks {
    pub(super) fn width(&self) -> usize {
        self.weeks.len() * STEP
    }

    pub(super) fn height(&self) -> f64 {
        HEIGHT
    }

    pub(super) fn first(&self) -> &str {
        self.weeks.first().map_or("", |week| &week.day)
    }

    pub(super) fn last(&self) -> &str {
        self.weeks.last().map_or("", |week| &week.day)
    }

    /// The weeks in which there was something, the newest first.
    pub(super) fn told(&self) -> impl Iterator<Item = &Week> {
        self.weeks.iter().rev().filter(|week| week.learned + week.corrected > 0)
    }
}

impl Week {
    /// Where the bar above the line begins, from above.
    pub(super) fn top(&self, base: f64) -> f64 {
        tenths(base - self.up)
    }
}

/// A memory is learned when it is first said, whatever becomes of it; the person corrects in every statement that has a
/// correction in it, confirmed or waiting. What was taken back counts for nothing.
pub(super) fn heard(cards: &[Card], waiting: &[Waiting]) -> Counts {
    let mut counts = Counts::new();
    for card in cards.iter().filter(|card| card.status != Status::TakenBack) {
        counts.entry(monday(card.date)).or_default().0 += 1;
        for said in card.said.iter().filter(|said| corrects(said)) {
            counts.entry(monday(said.date)).or_default().1 += 1;
        }
    }
    for open in waiting.iter().filter(|open| !open.forgets) {
        counts.entry(monday(open.date)).or_default().1 += 1;
    }
    counts
}

fn corrects(said: &Statement) -> bool {
    said.lines.iter().any(|line| line.role == Role::Correction)
}

/// The chart of the weeks up to `today`, or up to the last one with anything in it where that is longer ago than a year;
/// `None` if there is nothing to draw.
pub(super) fn weeks(counts: &Counts, today: NaiveDate) -> Option<Weeks> {
    let today = monday(today);
    // A date ahead of today is a slip of somebody's hand: it would push all real weeks out of the chart.
    let (&oldest, _) = counts.range(..=today).next()?;
    let (&newest, _) = counts.range(..=today).next_back()?;
    let last = if newest <= back(today, MOST) { newest } else { newest.max(today) };
    let span = usize::try_from((last - oldest).num_weeks()).unwrap_or(MOST) + 1;
    let from = (0..span.clamp(LEAST, MOST)).rev().map(|ago| back(last, ago));
    let drawn: Vec<(NaiveDate, (usize, usize))> =
        from.map(|monday| (monday, counts.get(&monday).copied().unwrap_or_default())).collect();
    let most = drawn.iter().map(|(_, (learned, _))| *learned).max()?;
    let depth = drawn.iter().map(|(_, (_, corrected))| *corrected).max()?;
    let tall = |count: usize| tenths(HEIGHT * float(count) / float(most + depth));
    let week = |(at, &(from, (learned, corrected))): (usize, &(NaiveDate, (usize, usize)))| Week {
        day: day(from),
        learned,
        corrected,
        x: at * STEP,
        up: tall(learned),
        down: tall(corrected),
    };
    let weeks: Vec<Week> = drawn.iter().enumerate().map(week).collect();
    Some(Weeks {
        learned: weeks.iter().map(|week| week.learned).sum(),
        corrected: weeks.iter().map(|week| week.corrected).sum(),
        base: tall(most),
        cut: span > MOST,
        weeks,
    })
}

fn monday(date: NaiveDate) -> NaiveDate {
    back_days(date, date.weekday().num_days_from_monday().into())
}

fn back(from: NaiveDate, weeks: usize) -> NaiveDate {
    back_days(from, 7 * u64::try_from(weeks).unwrap_or(0))
}

/// So many days earlier; at the calendar's end, that end.
fn back_days(from: NaiveDate, days: u64) -> NaiveDate {
    from.checked_sub_days(Days::new(days)).unwrap_or(NaiveDate::MIN)
}

fn float(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// A drawing needs no more.
fn tenths(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}
