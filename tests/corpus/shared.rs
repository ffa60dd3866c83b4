//! Transcripts beside the checkout (`../shared/corpus`).

use std::path::PathBuf;

use crate::support::sandbox::Sandbox;
use crate::support::tree::tree;

/// A folder of the corpus; `None`, with a printed line, where there is none.
pub(super) fn corpus(folder: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus").join(folder);
    if !path.exists() {
        println!("skipped: {} is not there", path.display());
        return None;
    }
    Some(path.canonicalize().unwrap())
}

#[test]
fn jsonl_and_database_teach_the_same() {
    let Some(folder) = corpus("openclaw") else {
        return;
    };
    let sandbox = Sandbox::new();
    let learned = |names: &[&str]| {
        let files: Vec<_> = names.iter().map(|name| folder.join(name).to_str().unwrap().to_owned()).collect();
        let args = ["extract", "--format", "jsonl", "--dry-run", "--store", "none"].map(str::to_owned);
        sandbox.run([&args[..], &files].concat()).exits(0).bodies("create")
    };
    let rows = learned(&["made-up-en.jsonl", "made-up-zh.jsonl"]);
    assert!(!rows.is_empty());
    assert_eq!(learned(&["made-up-openclaw-agent.sqlite"]), rows);
}

#[test]
fn broken_transcripts_end_with_0_or_1() {
    let Some(folder) = corpus("robustness") else {
        return;
    };
    let sandbox = Sandbox::new();
    let mut count = 0;
    for name in tree(&folder).into_keys() {
        let finished = sandbox.extract(&[&folder.join(&name)]);
        assert!(matches!(finished.code, Some(0 | 1)), "{name}: {}", finished.both());
        count += 1;
    }
    assert!(count > 0);
}

#[test]
fn no_key_of_the_corpus_reaches_the_store_or_the_output() {
    let Some(folder) = corpus("") else {
        return;
    };
    let sandbox = Sandbox::new();
    let mut seen = sandbox.extract(&[&folder]).both();
    for (name, bytes) in tree(&sandbox.path("store")) {
        seen += &name;
        seen += &String::from_utf8(bytes).unwrap();
    }
    assert!(seen.contains("said on line"), "nothing was learned");
    assert!(!seen.contains(&["gh", "p_"].concat()));
}
