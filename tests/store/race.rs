//! Several processes at once on one store.

use std::process::Stdio;

use crate::support::sandbox::Sandbox;
use crate::support::sessions::{SAID, saying};
use crate::support::tree::{events, memories};

#[test]
fn none_loses_what_another_wrote() {
    let sandbox = Sandbox::new();
    let files: Vec<_> = SAID
        .iter()
        .enumerate()
        .map(|(n, said)| {
            let start = format!("2026-02-0{}T10:00:00Z", n + 1);
            sandbox.write(&format!("s{n}.jsonl"), saying(&format!("s{n}"), &start, said).jsonl())
        })
        .collect();
    let paths: Vec<_> = files.iter().map(|f| f.as_path()).collect();
    sandbox.extract(&paths).exits(0);
    let alone = memories(&sandbox.path("store"));
    assert_eq!(alone.len(), SAID.len(), "{alone:#?}");

    let children: Vec<_> = files
        .iter()
        .map(|file| {
            let args = ["extract", "--store", "crowded", file.to_str().unwrap()];
            let mut command = sandbox.command(args);
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    for child in children {
        sandbox.finish(child.wait_with_output().unwrap()).exits(0);
    }
    assert_eq!(memories(&sandbox.path("crowded")), alone);
    assert_eq!(events(&sandbox.path("crowded")).len(), events(&sandbox.path("store")).len());
}
