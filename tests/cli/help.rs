//! The reference of the command line is a snapshot.

use crate::support::sandbox::Sandbox;
use crate::support::snapshot::snapshot;

#[test]
fn every_command_explains_itself() {
    let sandbox = Sandbox::new();
    let commands: [&[&str]; 45] = [
        &[],
        &["extract"],
        &["replay"],
        &["hook"],
        &["list"],
        &["show"],
        &["why"],
        &["history"],
        &["undo"],
        &["forget"],
        &["sweep"],
        &["trace"],
        &["try"],
        &["try", "classify"],
        &["try", "redact"],
        &["try", "compare"],
        &["rules"],
        &["rules", "list"],
        &["rules", "check"],
        &["rules", "explain"],
        &["install"],
        &["uninstall"],
        &["doctor"],
        &["write"],
        &["write", "profile"],
        &["write", "playbook"],
        &["consolidate"],
        &["review"],
        &["stats"],
        &["export"],
        &["import"],
        &["digest"],
        &["report"],
        &["experience"],
        &["experience", "on"],
        &["experience", "about"],
        &["experience", "learned"],
        &["experience", "patterns"],
        &["experience", "warm"],
        &["experience", "digest"],
        &["experience", "stats"],
        &["sync"],
        &["unsync"],
        &["heartbeat"],
        &["demo"],
    ];
    let mut reference = String::new();
    for command in commands {
        let args = command.iter().chain(&["--help"]);
        let finished = sandbox.run(args).exits(0);
        assert_eq!(finished.err, "");
        reference += &format!("$ afterword {}\n{}\n", [command, &["--help"]].concat().join(" "), finished.out);
    }
    snapshot("cli", "help", &reference);
}

#[test]
fn the_version_is_the_package_s() {
    let finished = Sandbox::new().run(["--version"]).exits(0);
    assert_eq!(finished.out, concat!("afterword ", env!("CARGO_PKG_VERSION"), "\n"));
}
