//! The same bars with the labelled memories that lie beside the checkout (`../shared`), among sentences of real sessions.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use afterword::pipeline::read_all;
use afterword::text::Speech;
use afterword::transcript::Speaker;
use serde::Deserialize;

use super::quality::{answered_though_unrelated, ask, reaches_the_bar};
use super::store::{Made, write};

#[derive(Deserialize)]
struct Label {
    file: String,
    memories: Vec<Labelled>,
}

#[derive(Deserialize)]
struct Labelled {
    kind: String,
    line: u32,
    tier: String,
    gist: String,
}

#[derive(Deserialize)]
struct Questions {
    question: Vec<Question>,
}

#[derive(Deserialize)]
struct Question {
    file: String,
    line: u32,
    kind: String,
    ask: String,
}

/// Where a label stands: file, line, kind.
type Place = (String, u32, String);

/// The memories that nearly any reader would keep, each once, with where they stand; and the transcripts without any.
fn labelled(shared: &Path) -> (Vec<(Place, Made)>, Vec<PathBuf>) {
    let files: BTreeSet<PathBuf> =
        fs::read_dir(shared.join("gold")).unwrap().map(|entry| entry.unwrap().path()).collect();
    let mut seen = HashSet::new();
    let (mut memories, mut bare) = (Vec::new(), Vec::new());
    for path in files.iter().filter(|path| path.extension().is_some_and(|ending| ending == "json")) {
        let label: Label = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        let core: Vec<Labelled> = label.memories.into_iter().filter(|memory| memory.tier == "core").collect();
        if core.is_empty() {
            bare.push(shared.join("corpus").join(&label.file));
        }
        for memory in core.into_iter().filter(|memory| seen.insert(memory.gist.clone())) {
            let place = (path.file_name().unwrap().to_str().unwrap().to_owned(), memory.line, memory.kind.clone());
            let situation = memory.gist.split([':', '：', ',', '，', ';', '；']).next().unwrap_or_default();
            let made = match memory.kind.as_str() {
                "playbook" => Made::playbook(situation, memory.gist.clone()),
                _ => Made::profile(memory.gist.clone()),
            };
            memories.push((place, made));
        }
    }
    (memories, bare)
}

/// `count` different sentences of the people and agents in these transcripts.
fn sentences(transcripts: &[PathBuf], count: usize) -> Vec<Made> {
    let (readings, _) = read_all(transcripts);
    let mut seen = HashSet::new();
    let turns = readings.iter().flat_map(|reading| &reading.sessions).flat_map(|session| &session.turns);
    for turn in turns.filter(|turn| matches!(turn.speaker, Speaker::Human | Speaker::Agent)) {
        let speech = Speech::new(&turn.text, &[]);
        let said = speech.sentences().iter().map(|sentence| speech.original(&sentence.span));
        seen.extend(said.filter(|said| (12..=160).contains(&said.chars().count())).map(str::to_owned));
    }
    let mut all: Vec<String> = seen.into_iter().collect();
    all.sort();
    let step = (all.len() / count).max(1);
    all.into_iter().step_by(step).take(count).map(Made::profile).collect()
}

#[test]
fn a_question_in_other_words_finds_the_labelled_memory() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    if !shared.join("gold").exists() {
        println!("skipped: {} is not there", shared.display());
        return;
    }
    let text = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/search/data/labelled.toml")).unwrap();
    let Questions { question: questions } = toml::from_str(&text).unwrap();
    let (labelled, bare) = labelled(&shared);
    let (places, mut memories): (Vec<Place>, Vec<Made>) = labelled.into_iter().unzip();
    let others = sentences(&bare, 2_000);
    assert_eq!(others.len(), 2_000);
    memories.extend(others);
    let folder = tempfile::tempdir().unwrap();
    let ids = write(folder.path(), &memories);
    let mut wrong = Vec::new();
    for question in &questions {
        let wanted = (question.file.clone(), question.line, question.kind.clone());
        let right: HashSet<&str> =
            places.iter().zip(&ids).filter(|(place, _)| **place == wanted).map(|(_, id)| id.as_str()).collect();
        assert!(!right.is_empty(), "{wanted:?} is no label");
        if !ask(folder.path(), &question.ask).hits.iter().any(|hit| right.contains(hit.id.as_str())) {
            wrong.push(question.ask.clone());
        }
    }
    reaches_the_bar(questions.len(), &wrong);
    let (all, answered) = answered_though_unrelated(folder.path());
    reaches_the_bar(all, &answered);
}
