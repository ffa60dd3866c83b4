//! The labelled corpus beside the checkout, where there is one: no human turn lost, no machine taken for one.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use super::{Speaker, Turn, drop_copies, read};
use crate::error::ErrorKind;

#[test]
fn no_gold_turn_is_lost_or_made_up() {
    let shared = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared"));
    if !shared.join("gold").is_dir() {
        println!("skipped: no labelled corpus beside the checkout");
        return;
    }
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut wrong = Vec::new();
    let mut paths: Vec<_> = std::fs::read_dir(shared.join("gold"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    for path in paths
        .iter()
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
    {
        let gold: serde_json::Value =
            serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        let file = gold["file"].as_str().unwrap();
        let source = shared.join("corpus").join(file);
        let reading = match read(&source) {
            Ok(reading) => reading,
            Err(error) if error.kind() == ErrorKind::UnknownFormat || !source.exists() => continue,
            Err(error) => panic!("{error}"),
        };
        let Some(first) = reading.sessions.first() else {
            continue;
        };
        let (human, injected) = counts.entry(first.host.name()).or_default();
        let mut speakers: HashMap<u32, Speaker> = HashMap::new();
        for turn in reading.sessions.iter().flat_map(|session| &session.turns) {
            speakers.entry(turn.line).or_insert(turn.speaker);
        }
        for turn in gold["turns"].as_array().unwrap() {
            let line = u32::try_from(turn["line"].as_u64().unwrap()).unwrap();
            let is_human = speakers.get(&line) == Some(&Speaker::Human);
            let should_be = turn["acts"]
                .as_array()
                .unwrap()
                .iter()
                .any(|act| act != "injected");
            *(if should_be {
                &mut *human
            } else {
                &mut *injected
            }) += 1;
            if is_human != should_be {
                wrong.push(format!(
                    "{file}:{line}: {}",
                    if should_be { "lost" } else { "made up" }
                ));
            }
        }
    }
    println!("human and injected turns by host: {counts:?}");
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn copies_in_the_corpus_count_once() {
    let corpus = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/corpus"));
    let table: [(&[&str], &[usize]); 3] = [
        (
            &[
                "claude-code/synthetic-claude-2.1.26x.jsonl",
                "claude-code/synthetic-claude-fork-copy.jsonl",
            ],
            &[8, 1],
        ),
        (
            &[
                "openclaw/made-up-en.jsonl",
                "openclaw/made-up-openclaw-agent.sqlite",
            ],
            &[12, 0, 11],
        ),
        (
            &[
                "codex/cpolar-connect__rollout-2025-09-16T12-47-48-9cd28a74-da7e-4458-a91a-fffec2be9d7a.jsonl",
                "codex/cpolar-connect__rollout-2025-09-16T14-12-31-613a9a68-8816-40b2-a2d4-041ade599da6.jsonl",
            ],
            &[6, 8],
        ),
    ];
    for (files, want) in table {
        let paths: Vec<_> = files.iter().map(|file| corpus.join(file)).collect();
        if !paths.iter().all(|path| path.exists()) {
            println!("skipped: no {files:?} beside the checkout");
            continue;
        }
        let mut sessions: Vec<_> = paths
            .iter()
            .flat_map(|path| read(path).unwrap().sessions)
            .collect();
        drop_copies(&mut sessions);
        let human = |turn: &&Turn| turn.speaker == Speaker::Human;
        let counts: Vec<_> = sessions
            .iter()
            .map(|session| session.turns.iter().filter(human).count())
            .collect();
        assert_eq!(counts, want, "{files:?}");
    }
}
