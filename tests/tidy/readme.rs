//! The README shows what the program prints, and nothing else.

use std::fs;
use std::path::Path;

use crate::support::sandbox::Sandbox;

fn readme() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap()
}

/// The fenced blocks of a language.
fn blocks(language: &str) -> Vec<String> {
    let text = readme();
    let opening = format!("```{language}\n");
    let rest = text.split(&opening).skip(1);
    rest.map(|rest| rest.split("```").next().unwrap().to_owned()).collect()
}

#[test]
fn what_it_shows_of_a_command_is_what_the_command_prints() {
    let sandbox = Sandbox::new();
    let mut shown = 0;
    for block in blocks("console") {
        for part in block.split("$ ").skip(1) {
            let (typed, expected) = part.split_once('\n').unwrap();
            let args = typed.strip_prefix("afterword ").or(typed.strip_prefix("cargo run --release -- "));
            let expected: Vec<&str> = expected.lines().filter(|line| !["", "…"].contains(line)).collect();
            let (Some(args), false) = (args, expected.is_empty()) else {
                continue;
            };
            let mut command = sandbox.command(args.split(' '));
            command.current_dir(env!("CARGO_MANIFEST_DIR"));
            let finished = sandbox.finish(command.output().unwrap()).exits(0);
            let mut printed = finished.out.lines();
            for line in expected {
                assert!(
                    printed.any(|p| p == line),
                    "`{typed}` does not print (in this order)\n{line}\nbut\n{}",
                    finished.out
                );
                shown += 1;
            }
        }
    }
    assert!(shown > 20, "only {shown} lines of output were found");
}

#[test]
fn its_rule_passes_its_own_test() {
    let sandbox = Sandbox::new();
    let rules = blocks("toml");
    assert_eq!(rules.len(), 1);
    sandbox.write("house/rule.toml", &rules[0]);
    sandbox.run(["--rules", "house", "rules", "explain", "en.preference.house-style"]).exits(0);
    let finished = sandbox.run(["--rules", "house", "rules", "check"]);
    assert!(!finished.out.contains("house-style"), "{}", finished.out);
}

#[test]
fn its_hook_is_json() {
    for block in blocks("json") {
        let hook: serde_json::Value = serde_json::from_str(&block).unwrap();
        assert!(hook["hooks"]["SessionEnd"][0]["hooks"][0]["command"].is_string());
    }
}

#[test]
fn every_file_it_points_to_is_there() {
    let text = readme();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut links = 0;
    for rest in text.split("](").skip(1) {
        let target = rest.split(')').next().unwrap();
        if !target.starts_with("https://") {
            assert!(root.join(target).exists(), "{target}");
            links += 1;
        }
    }
    assert!(links >= 3);
}
