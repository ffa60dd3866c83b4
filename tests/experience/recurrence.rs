//! Whether two sessions that said the same in other words are counted as one lesson, and near ones are not.
//!
//! `data/pairs.toml` was written before anything was fitted to it; what is fitted looks at its first half only.

use std::fs;
use std::path::Path;

use afterword::experience::home::Home;
use afterword::experience::lesson::{How, Place, Scope, lessons};
use afterword::experience::{Heard, Taught, feed};
use chrono::{DateTime, TimeDelta, Utc};
use serde::Deserialize;

#[derive(Deserialize)]
struct File {
    pair: Vec<Pair>,
}

/// Two ways to put something.
#[derive(Deserialize)]
struct Pair {
    half: String,
    lesson: Lesson,
    one: String,
    other: String,
}

#[derive(Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Lesson {
    Same,
    Different,
}

fn pairs() -> Vec<Pair> {
    toml::from_str::<File>(include_str!("data/pairs.toml")).unwrap().pair
}

fn taught(text: &str, days: i64) -> Heard {
    let lesson = Taught {
        how: How::Implicit,
        at: DateTime::<Utc>::UNIX_EPOCH + TimeDelta::days(days),
        place: Place { host: "codex".into(), session: format!("s{days}"), line: 1 },
        words: format!("{days}"),
        text: text.into(),
        tag: "t".into(),
        scope: Scope::general(),
        project: None,
        is_correction: true,
    };
    Heard { lessons: vec![lesson], ..Heard::default() }
}

/// Whether a home that hears both counts one lesson taught twice, in whatever order they come.
fn are_counted_as_one(one: &str, other: &str) -> bool {
    let counts = |first: &str, second: &str| {
        let mut home = Home::default();
        feed(&mut home, vec![taught(first, 20_000), taught(second, 20_001)], DateTime::UNIX_EPOCH);
        lessons(&home.log).values().any(|lesson| lesson.taught == 2)
    };
    let is_one = counts(one, other);
    assert_eq!(is_one, counts(other, one), "the order decides: {one} / {other}");
    is_one
}

/// How well pairs were told apart.
#[derive(Default)]
struct Score {
    right: f64,
    wrong: f64,
    missed: f64,
    told: String,
}

impl Score {
    fn of<'p>(pairs: impl Iterator<Item = (&'p str, &'p str, Lesson)>) -> Self {
        let mut score = Self::default();
        for (one, other, lesson) in pairs {
            match (are_counted_as_one(one, other), lesson) {
                (true, Lesson::Same) => score.right += 1.0,
                (true, Lesson::Different) => {
                    score.wrong += 1.0;
                    score.told += &format!("\n  wrongly one: {one} / {other}");
                }
                (false, Lesson::Same) => {
                    score.missed += 1.0;
                    score.told += &format!("\n  not seen: {one} / {other}");
                }
                (false, Lesson::Different) => {}
            }
        }
        score
    }

    /// The measure that the home promises.
    #[track_caller]
    fn is_good_enough(&self, name: &str) {
        let precision = self.right / (self.right + self.wrong).max(1.0);
        let recall = self.right / (self.right + self.missed).max(1.0);
        let told = format!("{name}: precision {precision:.2}, recall {recall:.2}{}", self.told);
        println!("{told}");
        assert!(precision >= 0.9 && recall >= 0.6, "{told}");
    }
}

#[test]
fn the_same_lesson_in_other_words_is_counted_and_near_ones_are_not() {
    let pairs = pairs();
    let of = |same: Lesson| pairs.iter().filter(|pair| pair.lesson == same).count();
    assert!(of(Lesson::Same) >= 30 && of(Lesson::Different) >= 30);
    for half in ["fitted", "held"] {
        let half_of = pairs.iter().filter(|pair| pair.half == half);
        Score::of(half_of.map(|pair| (&*pair.one, &*pair.other, pair.lesson))).is_good_enough(half);
    }
}

#[test]
fn known_pairs_of_other_projects_are_counted_as_people_would() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/cases/pairs.jsonl");
    let Ok(lines) = fs::read_to_string(&path) else {
        println!("skipped: {} is not there", path.display());
        return;
    };
    let cases: Vec<serde_json::Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let told = cases.iter().map(|case| {
        let lesson = if case["expect"] == "duplicate" { Lesson::Same } else { Lesson::Different };
        (case["existing"].as_str().unwrap(), case["new"].as_str().unwrap(), lesson)
    });
    Score::of(told).is_good_enough("cases");
}
