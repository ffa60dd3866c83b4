//! `export` and `import`.

use super::consolidate::of_another_program;
use crate::support::sandbox::Sandbox;
use crate::support::tree::{memories, tree};

#[test]
fn a_store_goes_out_and_comes_in_once() {
    let sandbox = of_another_program();
    sandbox.run(["consolidate", "--store", "store"]).exits(0);
    let finished = sandbox.run(["export", "kept.zip", "--store", "store"]).exits(0);
    assert_eq!(finished.out, "5 memories, with the ledger, in kept.zip\n");
    let finished = sandbox.run(["import", "kept.zip", "--store", "there", "--dry-run"]).exits(0);
    assert!(finished.out.contains("(dry run: nothing was written)") && !sandbox.path("there").exists());
    let finished = sandbox.run(["import", "kept.zip", "--store", "there"]).exits(0);
    assert_eq!(finished.out, "5 memories restored in there, with the ledger\n");
    let whole = |name: &str| {
        let mut files = tree(&sandbox.path(name));
        files.remove(".ledger/lock");
        files
    };
    assert_eq!(whole("there"), whole("store"));
    let finished = sandbox.run(["import", "kept.zip", "--store", "there"]).exits(0);
    assert!(finished.out.starts_with("0 of "), "{}", finished.out);
    assert_eq!(whole("there"), whole("store"));
}

#[test]
fn two_stores_become_one_without_doubles() {
    let sandbox = of_another_program();
    sandbox.run(["export", "kept.zip", "--store", "store"]).exits(0);
    let write = |body: &str| {
        sandbox.run(["write", "profile", "x", "infinity", "--store", "there", "--body", body]).exits(0);
    };
    write("User is allergic to peanuts.");
    write("User plays chess.");
    for _ in 0..2 {
        sandbox.run(["import", "kept.zip", "--store", "there", "--format", "jsonl"]).exits(0);
        let texts: String = memories(&sandbox.path("there")).into_values().collect();
        assert_eq!(texts.matches("peanuts").count(), 1);
        assert!(texts.contains("User plays chess.") && texts.contains("User moved to Austin."), "{texts}");
    }
}

#[test]
fn what_cannot_be_done_says_so() {
    let sandbox = Sandbox::new();
    sandbox.write("text.zip", "no zip");
    for (args, says) in [
        (["export", "new.zip"], "there is no memory to export"),
        (["import", "gone.zip"], "could not read the archive"),
        (["import", "text.zip"], "this is no zip file"),
    ] {
        let finished = sandbox.run([&args[..], &["--store", "store"]].concat()).exits(2);
        assert!(finished.err.contains(says) && finished.err.contains("hint:"), "{}", finished.err);
    }
    assert!(!sandbox.path("store").exists());
}
