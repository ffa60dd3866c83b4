//! What the notes on the corpus expect: how many turns a person typed, how often they refused, what a copy adds.
//!
//! The notes (`SOURCES.tsv`) are written for people; every phrase in them that counts something is known here.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use regex::Regex;
use serde_json::Value;

use super::shared::corpus;
use crate::support::sandbox::Sandbox;
use crate::support::tree::memories;

/// A phrase that counts, and how often the steps it counts stand in a session.
type Phrase = (&'static str, fn(&[Step]) -> usize);

/// Every phrase that counts something; the number stands in the first group.
const PHRASES: &[Phrase] = &[
    (r"\b(\d+) (?:human )?turns\b", |steps| count(steps, is_typed)),
    (r"Expected (?:live )?human(?: turns)?: (\d+)", |steps| count(steps, |step| step.is("human", "plain"))),
    (r"\b(\d+) typed on live branch", |steps| count(steps, |step| step.is("human", "plain"))),
    (r"\b(\d+) queued\b", |steps| count(steps, |step| step.is("human", "queued"))),
    (r"\b(\d+) on abandoned branch", |steps| count(steps, |step| step.is("human", "withdrawn"))),
    (r"\b(\d+) slash-args", |steps| count(steps, |step| step.is("human", "argument"))),
    (r"\b(\d+) reject feedback", |steps| count(steps, |step| step.is("human", "rejection"))),
    (r"\b(\d+) rejections(?:;|$)", |steps| count(steps, |step| step.is("injected", "rejection"))),
    (r"\b(\d+) rejections/interrupts", refusals),
];

/// One step of a session, as `trace` tells it.
struct Step {
    speaker: String,
    manner: String,
}

impl Step {
    fn is(&self, speaker: &str, manner: &str) -> bool {
        self.speaker == speaker && self.manner == manner
    }
}

/// A prompt as the person typed it, or a re-send of one: the notes count both. Answers that a question's form asked for
/// they do not count.
fn is_typed(step: &Step) -> bool {
    step.is("human", "plain") || step.manner == "copy"
}

fn count(steps: &[Step], counts: impl Fn(&Step) -> bool) -> usize {
    steps.iter().filter(|step| counts(step)).count()
}

/// Rows that tell of a refusal or an interrupt: that of a running tool is told by its result too, just before.
fn refusals(steps: &[Step]) -> usize {
    let refuses = |step: &Step| step.is("injected", "rejection") || step.is("injected", "interrupt");
    let twice = steps.windows(2).filter(|two| two[0].is("tool", "failed") && two[1].is("injected", "interrupt"));
    count(steps, refuses) + twice.count()
}

/// The steps of the sessions in these files, by session; all files are read at once.
fn steps(sandbox: &Sandbox, files: &[&Path]) -> BTreeMap<String, Vec<Step>> {
    let mut args = vec!["trace".as_ref(), "--format".as_ref(), "jsonl".as_ref()];
    args.extend(files.iter().map(|file| file.as_os_str()));
    let text = |record: &Value, key: &str| record[key].as_str().unwrap_or_default().to_owned();
    let mut sessions: BTreeMap<String, Vec<Step>> = BTreeMap::new();
    for record in sandbox.run(args).json().iter().filter(|record| record["speaker"].is_string()) {
        let step = Step { speaker: text(record, "speaker"), manner: text(record, "manner") };
        sessions.entry(text(record, "session")).or_default().push(step);
    }
    sessions
}

/// The notes: the name of each file, and what is said of it.
fn notes(folder: &Path) -> Vec<(String, String)> {
    let table = fs::read_to_string(folder.join("SOURCES.tsv")).unwrap();
    let rows = table.lines().skip(1).map(|row| row.split('\t').collect::<Vec<_>>());
    rows.map(|row| (row[0].to_owned(), row.last().unwrap().replace("\"\"", "\"").trim_matches('"').to_owned()))
        .collect()
}

#[test]
fn every_count_in_the_notes_holds() {
    let Some(folder) = corpus("") else {
        return;
    };
    let sandbox = Sandbox::new();
    let phrases: Vec<_> = PHRASES.iter().map(|(phrase, of)| (Regex::new(phrase).unwrap(), of)).collect();
    let (mut checked, mut wrong) = (0, Vec::new());
    for (name, note) in notes(&folder) {
        let counted: Vec<_> = phrases.iter().filter_map(|(phrase, of)| Some((phrase.captures(&note)?, *of))).collect();
        if counted.is_empty() {
            assert!(!note.contains("xpected"), "{name}: this is understood by no phrase: {note}");
            continue;
        }
        let steps: Vec<Step> = steps(&sandbox, &[&folder.join(&name)]).into_values().flatten().collect();
        for (captures, of) in counted {
            let (expected, seen) = (captures[1].parse::<usize>().unwrap(), of(&steps));
            checked += 1;
            if seen != expected {
                wrong.push(format!("{name}: {} says the note, {seen} are read", &captures[0]));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(checked > 30, "only {checked} counts were found in the notes");
}

/// Files that hold the turns of another one again, after that one; how many prompts are new in them.
const COPIES: [(&str, &str, usize); 2] = [
    ("claude-code/synthetic-claude-2.1.26x.jsonl", "claude-code/synthetic-claude-fork-copy.jsonl", 1),
    (
        "codex/cpolar-connect__rollout-2025-09-16T12-47-48-9cd28a74-da7e-4458-a91a-fffec2be9d7a.jsonl",
        "codex/cpolar-connect__rollout-2025-09-16T14-12-31-613a9a68-8816-40b2-a2d4-041ade599da6.jsonl",
        8,
    ),
];

#[test]
fn a_fork_and_a_resume_add_nothing_but_what_is_new_in_them() {
    let Some(folder) = corpus("") else {
        return;
    };
    for (first, second, new) in COPIES {
        let sandbox = Sandbox::new();
        let (first, second) = (folder.join(first), folder.join(second));
        let alone: usize = steps(&sandbox, &[&first]).values().map(|steps| human(steps)).sum();
        let both: usize = steps(&sandbox, &[&second, &first]).values().map(|steps| human(steps)).sum();
        assert_eq!(both, alone + new, "{}", second.display());
    }
}

fn human(steps: &[Step]) -> usize {
    count(steps, |step| step.speaker == "human")
}

#[test]
fn a_fork_and_a_resume_change_no_memory_the_second_time() {
    let Some(folder) = corpus("") else {
        return;
    };
    for (first, second, _) in COPIES {
        let sandbox = Sandbox::new();
        let (first, second) = (folder.join(first), folder.join(second));
        sandbox.extract(&[&first, &second]);
        let before = memories(&sandbox.path("store"));
        for again in [&[&*second][..], &[&first, &second], &[&second]] {
            sandbox.extract(again).exits(0);
            assert_eq!(memories(&sandbox.path("store")), before, "{}", second.display());
        }
        let other = Sandbox::new();
        other.extract(&[&first]);
        other.extract(&[&second]);
        assert_eq!(memories(&other.path("store")), before, "{}", second.display());
    }
}
