//! Runs: what one call of the program did to a store, under a name that a person can read and type.
//!
//! All events of a call carry the same time, however many batches it came in; the runs of a store are numbered in the
//! order in which they began. The ledger is only ever appended to, so a run keeps its name.

use std::collections::{HashMap, HashSet};
use std::fmt;

use chrono::{DateTime, Utc};
use serde::{Serialize, Serializer};

use super::ledger::{Did, Event};

/// The name of a run: `r1`, `r2`, … in the order in which they began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RunName(pub usize);

impl RunName {
    /// Takes a name as it is typed, `r12`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix(['r', 'R'])?;
        let plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
        digits.parse().ok().filter(|_| plain).map(Self)
    }
}

impl fmt::Display for RunName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}", self.0)
    }
}

impl Serialize for RunName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// One run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Run {
    /// Its name.
    pub name: RunName,
    /// When it began; its events carry this time.
    pub at: DateTime<Utc>,
    /// How many files it made, put a new text into, and removed.
    pub files: Touched,
    /// The run that it took back, if that was all it did.
    pub takes_back: Option<RunName>,
    /// Whether it was taken back itself, and that stands.
    pub taken_back: bool,
}

/// Files that a run touched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Touched {
    /// New ones.
    pub created: usize,
    /// Those with a new text.
    pub rewritten: usize,
    /// Those that left.
    pub removed: usize,
}

/// The runs of a ledger, the oldest first.
#[must_use]
pub fn runs(events: &[Event]) -> Vec<Run> {
    let gone = taken_back(events.iter());
    let mut runs: Vec<Run> = Vec::new();
    let mut known: HashMap<DateTime<Utc>, usize> = HashMap::new();
    for event in events.iter().filter(|event| event.event != Did::Done) {
        let number = *known.entry(event.at).or_insert(runs.len());
        if number == runs.len() {
            runs.push(Run {
                name: RunName(number + 1),
                at: event.at,
                files: Touched::default(),
                takes_back: None,
                taken_back: gone.contains(&event.at),
            });
        }
        let run = &mut runs[number];
        let rewritten = event.writes.iter().filter(|page| page.replaces.is_some()).count();
        run.files.rewritten += rewritten;
        run.files.created += event.writes.len() - rewritten;
        run.files.removed += if event.event == Did::Deleted { 0 } else { event.removes.len() };
        run.takes_back = event.run.and_then(|at| known.get(&at)).map(|number| RunName(number + 1)).or(run.takes_back);
    }
    runs
}

/// The name of the run that writes at this time.
pub(crate) fn name_at(events: &[Event], now: DateTime<Utc>) -> RunName {
    let mut earlier = HashSet::new();
    for event in events.iter().filter(|event| event.event != Did::Done) {
        if event.at == now {
            break;
        }
        earlier.insert(event.at);
    }
    RunName(earlier.len() + 1)
}

/// The times of the runs that were taken back: by an `undo` that was not taken back itself.
pub(crate) fn taken_back<'a>(events: impl DoubleEndedIterator<Item = &'a Event>) -> HashSet<DateTime<Utc>> {
    let mut gone = HashSet::new();
    // An undo speaks of older runs only, so whatever speaks of it has been seen.
    for event in events.rev() {
        let undone = event.run.filter(|at| event.event == Did::Undo && *at != event.at);
        if let Some(run) = undone.filter(|_| !gone.contains(&event.at)) {
            gone.insert(run);
        }
    }
    gone
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: u32) -> DateTime<Utc> {
        DateTime::from_timestamp(second.into(), 0).unwrap()
    }

    fn undo(second: u32, of: u32) -> Event {
        Event { run: Some(at(of)), ..Event::new(Did::Undo, at(second)) }
    }

    #[test]
    fn a_name_is_what_is_shown() {
        assert_eq!(RunName::parse("r12"), Some(RunName(12)));
        assert_eq!(RunName::parse(&RunName(7).to_string()), Some(RunName(7)));
        for text in ["12", "r", "r01", "r-1", "r1x", "run"] {
            assert_eq!(RunName::parse(text), None, "{text}");
        }
    }

    #[test]
    fn batches_of_one_time_are_one_run_and_keep_its_name() {
        let create = |second| Event::new(Did::Create, at(second));
        let done = |second| Event::new(Did::Done, at(second));
        let events = [create(5), done(5), create(9), done(9), create(5), done(7), create(3)];
        let names: Vec<(usize, DateTime<Utc>)> = runs(&events).iter().map(|run| (run.name.0, run.at)).collect();
        assert_eq!(names, [(1, at(5)), (2, at(9)), (3, at(3))]);
    }

    #[test]
    fn an_undo_of_an_undo_lets_the_run_stand_again() {
        let events = [Event::new(Did::Create, at(1)), undo(2, 1), undo(3, 2)];
        assert_eq!(taken_back(events[..2].iter()), HashSet::from([at(1)]));
        assert_eq!(taken_back(events.iter()), HashSet::from([at(2)]));
        let told: Vec<(Option<RunName>, bool)> =
            runs(&events).iter().map(|run| (run.takes_back, run.taken_back)).collect();
        assert_eq!(told, [(None, false), (Some(RunName(1)), true), (Some(RunName(2)), false)]);
    }
}
