//! The labelled corpus beside the checkout, where there is one: no human turn lost, no machine taken for one.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use super::{Speaker, read};

#[test]
fn no_gold_turn_is_lost_or_made_up() {
    let shared = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared"));
    if !shared.join("gold").is_dir() {
        println!("skipped: no labelled corpus beside the checkout");
        return;
    }
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut wrong = Vec::new();
    let mut paths: Vec<_> =
        std::fs::read_dir(shared.join("gold")).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|ending| ending == "json")) {
        let gold: serde_json::Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        let file = gold["file"].as_str().unwrap();
        let reading = match read(&shared.join("corpus").join(file)) {
            Ok(reading) => reading,
            Err(error) => {
                wrong.push(format!("{file}: {error}"));
                continue;
            }
        };
        let Some(first) = reading.sessions.first() else {
            wrong.push(format!("{file}: no session"));
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
            let should_be = turn["acts"].as_array().unwrap().iter().any(|act| act != "injected");
            *(if should_be { &mut *human } else { &mut *injected }) += 1;
            if is_human != should_be {
                wrong.push(format!("{file}:{line}: {}", if should_be { "lost" } else { "made up" }));
            }
        }
    }
    println!("human and injected turns by host: {counts:?}");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
