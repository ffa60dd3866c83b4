//! `demo`: the sample learns what it should, leaves out what it should, and leaves nothing behind.

use crate::support::sandbox::Sandbox;
use crate::support::secrets::secrets;
use crate::support::snapshot::snapshot;
use crate::support::tree::tree;

#[test]
fn it_shows_the_whole_journey() {
    let finished = Sandbox::new().run(["demo"]).exits(0);
    snapshot("cli", "demo", &finished.both());
}

#[test]
fn it_leaves_nothing_behind() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("tmp")).unwrap();
    let mut command = sandbox.command(["demo"]);
    sandbox.finish(command.env("TMPDIR", sandbox.path("tmp")).output().unwrap()).exits(0);
    assert!(tree(&sandbox.path("")).is_empty());
    assert_eq!(std::fs::read_dir(sandbox.path("tmp")).unwrap().count(), 0);
}

#[test]
fn it_says_why_a_cron_job_a_secret_and_a_supposition_are_left_out() {
    let records = Sandbox::new().run(["demo", "--format", "jsonl"]).exits(0).json();
    let why = |line: u64| {
        let left = records.iter().map(|r| &r["left_out"]);
        let mut left = left.filter(|l| l["session"] == "demo-harbour" && l["line"] == line);
        left.next().unwrap_or_else(|| panic!("line {line} is not left out"))["why"].as_str().unwrap().to_owned()
    };
    assert!(why(2).contains("No person typed"));
    assert!(why(18).to_lowercase().contains("suppos"), "{}", why(18));
    assert!(why(20).contains("secret"));
    let learned: Vec<_> = records.iter().filter(|r| r["op"] == "create").collect();
    let confirmed: Vec<_> = learned.iter().map(|r| r["confirm"].as_str().unwrap()).collect();
    for how in ["none", "explicit", "implicit"] {
        assert!(confirmed.contains(&how), "nothing is confirmed by {how}: {confirmed:?}");
    }
    let files = records.iter().filter(|r| r["file"].is_string()).count();
    assert_eq!(files, learned.len());
}

#[test]
fn its_secret_never_shows() {
    let sandbox = Sandbox::new();
    for format in ["human", "jsonl"] {
        let finished = sandbox.run(["demo", "--format", format]).exits(0);
        assert!(finished.out.contains("[redacted:"), "{}", finished.out);
        assert!(!finished.both().contains(&secrets()[0]));
    }
}
