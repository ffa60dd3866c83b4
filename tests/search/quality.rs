//! Does the right memory come first, and does nothing come where nothing fits?

use std::fs;
use std::path::Path;

use afterword::search::{Answer, Query, search};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::store::{Made, begin, distractors, write};

/// So many of a hundred questions have to be answered right.
const BAR: usize = 90;

#[derive(Deserialize)]
struct Pairs {
    unrelated: Vec<String>,
    pair: Vec<Pair>,
}

#[derive(Deserialize)]
struct Pair {
    when: Option<String>,
    text: String,
    ask: String,
}

/// The answer to a question.
pub(super) fn ask(root: &Path, text: &str) -> Answer {
    search(root, &Query { text, kind: None, limit: 3, today: begin().date_naive() }).unwrap()
}

/// Fails unless so many are right that the bar is reached; says which are not.
#[track_caller]
pub(super) fn reaches_the_bar(all: usize, wrong: &[String]) {
    let right = all - wrong.len();
    assert!(right * 100 >= all * BAR, "{right} of {all}, not: {wrong:#?}");
}

/// What stands in a file of `tests/search/data`.
pub(super) fn data<T: DeserializeOwned>(name: &str) -> T {
    let file = format!("{}/tests/search/data/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    toml::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

/// The questions that found something though nothing fits, with what came first.
pub(super) fn answered_though_unrelated(root: &Path, questions: &[String]) -> Vec<String> {
    let answered = questions.iter().filter_map(|question| {
        let hit = ask(root, question).hits.into_iter().next()?;
        Some(format!("{question} -> {} {}", hit.score, hit.body))
    });
    answered.collect()
}

#[test]
fn a_question_in_other_words_finds_its_memory_among_two_thousand() {
    let Pairs { unrelated, pair: pairs } = data("pairs");
    assert_eq!(pairs.len(), 60);
    let folder = tempfile::tempdir().unwrap();
    let mut memories: Vec<Made> =
        pairs.iter().map(|pair| Made { when: pair.when.clone(), text: pair.text.clone() }).collect();
    memories.extend(distractors(2_000));
    let ids = write(folder.path(), &memories);
    let mut wrong = Vec::new();
    for (pair, id) in pairs.iter().zip(&ids) {
        let hits = ask(folder.path(), &pair.ask).hits;
        if !hits.iter().any(|hit| hit.id == *id) {
            let found: Vec<_> = hits.iter().map(|hit| (hit.score, &hit.body)).collect();
            wrong.push(format!("{} / {:?} {} -> {found:?}", pair.ask, pair.when, pair.text));
        }
    }
    let answered = answered_though_unrelated(folder.path(), &unrelated);
    println!(
        "pairs: {} of {} found, {} of {} left alone",
        pairs.len() - wrong.len(),
        pairs.len(),
        unrelated.len() - answered.len(),
        unrelated.len()
    );
    println!("pairs: {wrong:#?} {answered:#?}");
    reaches_the_bar(pairs.len(), &wrong);
    reaches_the_bar(unrelated.len(), &answered);
}
