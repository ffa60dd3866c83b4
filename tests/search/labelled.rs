//! The same bars with the labelled memories that lie beside the checkout (`../shared`), among sentences of real sessions.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use afterword::memory::Id;
use afterword::pipeline::read_all;
use afterword::text::Speech;
use afterword::transcript::Speaker;
use serde::Deserialize;
use tempfile::TempDir;

use super::quality::{answered_though_unrelated, ask, data, reaches_the_bar};
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

/// A file of questions: those for a label, and those that no memory answers.
#[derive(Deserialize)]
struct Set {
    unrelated: Vec<String>,
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

/// The store of the labelled memories among 2,000 sentences, made once; the ids of each label's memories.
struct Bench {
    folder: TempDir,
    ids: Vec<(Place, Id)>,
}

/// The store; `None`, with a printed line, where the labels are not there.
fn bench() -> Option<&'static Bench> {
    static BENCH: OnceLock<Option<Bench>> = OnceLock::new();
    BENCH.get_or_init(Bench::make).as_ref()
}

impl Bench {
    fn make() -> Option<Self> {
        let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
        if !shared.join("gold").exists() {
            println!("skipped: {} is not there", shared.display());
            return None;
        }
        let (labelled, bare) = labelled(&shared);
        let (places, mut memories): (Vec<Place>, Vec<Made>) = labelled.into_iter().unzip();
        let others = sentences(&bare, 2_000);
        assert_eq!(others.len(), 2_000);
        memories.extend(others);
        let folder = tempfile::tempdir().unwrap();
        let ids = places.into_iter().zip(write(folder.path(), &memories)).collect();
        Some(Self { folder, ids })
    }

    /// The questions of a set whose memory is not among the first three, with what was found instead; how many of all
    /// hits are sentences that were only put there to be in the way.
    fn wrong(&self, set: &Set) -> (Vec<String>, usize) {
        let (mut wrong, mut in_the_way) = (Vec::new(), 0);
        for question in &set.question {
            let wanted = (question.file.clone(), question.line, question.kind.clone());
            let is_right = |id: &Id| self.ids.iter().any(|(place, known)| known == id && *place == wanted);
            assert!(self.ids.iter().any(|(place, _)| *place == wanted), "{wanted:?} is no label");
            let hits = ask(self.folder.path(), &question.ask).hits;
            in_the_way += hits.iter().filter(|hit| self.ids.iter().all(|(_, known)| *known != hit.id)).count();
            if !hits.iter().any(|hit| is_right(&hit.id)) {
                let found: Vec<_> = hits.iter().map(|hit| (hit.score, &hit.body)).collect();
                wrong.push(format!("{} -> {found:?}", question.ask));
            }
        }
        (wrong, in_the_way)
    }
}

/// Fails unless a set of `tests/search/data` reaches the bar, with the memories as without.
#[track_caller]
fn a_set_reaches_the_bar(name: &str) {
    let Some((set, wrong, answered)) = score(name) else {
        return;
    };
    println!("{name}: {wrong:#?} {answered:#?}");
    reaches_the_bar(set.question.len(), &wrong);
    reaches_the_bar(set.unrelated.len(), &answered);
}

/// A set with the questions that were answered wrong, and those that were answered though nothing fits.
fn score(name: &str) -> Option<(Set, Vec<String>, Vec<String>)> {
    let bench = bench()?;
    let set: Set = data(name);
    let (wrong, in_the_way) = bench.wrong(&set);
    let answered = answered_though_unrelated(bench.folder.path(), &set.unrelated);
    let (all, apart) = (set.question.len(), set.unrelated.len());
    println!("{name}: {} of {all} found, {} of {apart} left alone", all - wrong.len(), apart - answered.len());
    println!("{name}: {in_the_way} of the hits are none of the labelled memories");
    Some((set, wrong, answered))
}

#[test]
fn a_question_in_other_words_finds_the_labelled_memory() {
    a_set_reaches_the_bar("labelled");
}

#[test]
fn the_half_of_the_second_set_that_was_looked_at_is_answered_as_well_as_before() {
    // Short of the bar of nine in ten; no change may make it worse.
    let Some((_, wrong, answered)) = score("practice") else {
        return;
    };
    assert!(wrong.len() <= 4 && answered.len() <= 5, "{wrong:#?} {answered:#?}");
}

#[test]
fn the_half_of_the_second_set_that_was_only_scored_is_answered_as_well_as_before() {
    // Short of the bar, too, which is the better measure of a question that nobody thought of.
    // Which questions these are stays untold: who knows them tunes on them.
    let Some((set, wrong, answered)) = score("kept") else {
        return;
    };
    assert!(
        wrong.len() <= 4 && answered.len() <= 6,
        "{} and {} of {}",
        wrong.len(),
        answered.len(),
        set.question.len()
    );
}
