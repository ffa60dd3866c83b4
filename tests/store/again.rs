//! The same again, in another order, on other threads: the same store.

use std::path::PathBuf;

use crate::support::sandbox::Sandbox;
use crate::support::sessions::{saying, ward};
use crate::support::tree::{events, memories, tree};

fn three(sandbox: &Sandbox) -> [PathBuf; 3] {
    [
        sandbox.write("a.jsonl", ward().jsonl()),
        sandbox.write("b.jsonl", saying("b", "2026-02-04T10:00:00Z", "My timezone is Europe/Berlin.").jsonl()),
        sandbox.write("c.jsonl", saying("c", "2026-02-05T10:00:00Z", "My timezone is Asia/Tokyo.").jsonl()),
    ]
}

#[test]
fn a_second_run_changes_not_one_byte() {
    let sandbox = Sandbox::new();
    let [a, b, c] = three(&sandbox);
    sandbox.extract(&[&a, &b, &c]).exits(0);
    let before = tree(&sandbox.path("store"));
    assert!(before.contains_key(".ledger/ledger.jsonl"));
    for again in [&[a.as_path(), &b, &c][..], &[&c], &[&b, &a]] {
        sandbox.extract(again).exits(0);
        assert_eq!(tree(&sandbox.path("store")), before);
    }
}

#[test]
fn neither_the_order_of_sources_nor_the_number_of_threads_matters() {
    let sandbox = Sandbox::new();
    let files = three(&sandbox);
    let mut seen = Vec::new();
    for (store, order, threads) in [("s1", [0, 1, 2], "1"), ("s2", [2, 1, 0], "8"), ("s3", [1, 2, 0], "8")] {
        let store = sandbox.path(store);
        let sources = order.map(|i: usize| files[i].to_str().unwrap());
        let args = [&["extract", "--store", store.to_str().unwrap()][..], &sources].concat();
        let mut command = sandbox.command(args);
        sandbox.finish(command.env("RAYON_NUM_THREADS", threads).output().unwrap()).exits(0);
        seen.push((memories(&store), events(&store)));
    }
    assert!(seen[0].0.len() >= 3, "{:?}", seen[0].0);
    assert_eq!(seen[0], seen[1]);
    assert_eq!(seen[0], seen[2]);
}

#[test]
fn a_session_that_grew_adds_only_what_is_new() {
    let sandbox = Sandbox::new();
    let script = saying("s", "2026-02-04T10:00:00Z", "My timezone is Europe/Berlin.");
    let file = sandbox.write("s.jsonl", script.jsonl());
    sandbox.extract(&[&file]).exits(0);
    let first = memories(&sandbox.path("store"));
    sandbox.write("s.jsonl", script.says("I'm a nurse.").answers("Noted.").jsonl());
    sandbox.extract(&[&file]).exits(0);
    let second = memories(&sandbox.path("store"));
    assert_eq!(second.len(), first.len() + 1);
    assert!(first.iter().all(|(name, text)| second.get(name) == Some(text)));
}
