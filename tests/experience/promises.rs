//! The table of what the skill promises: whole, and true to the tests and commands it names.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

use crate::support::sandbox::Sandbox;

const TABLE: &str = include_str!("../../src/experience/promises.md");

/// Lines of the skill that promise nothing: headings, heads of tables, other skills.
const NOTHING: &str = "When to Use · Supported Agent Products · Product · Architecture · Quick Reference · Topic · Requirements · \
    Learning Signals · Log automatically · Self-Reflection · When to self-reflect: · Log format: · Example: · Quick Queries · \
    User says · Memory Stats · Common Traps · Trap · Core Rules · Learn from Corrections · Tiered Storage · Tier · \
    Automatic Promotion · Namespace Isolation · Conflict Resolution · When patterns contradict: · Compaction · Transparency · \
    Security Boundaries · Graceful Degradation · If context limit hit: · Cross-Session Sync Protocol · Problem · Solution · \
    When to Sync · Sync Rules · Sync Flow · Agent Detection · Session Lifecycle · Session Start: · Session Work: · Session End: · \
    Scope · This skill ONLY: · This skill NEVER: · Data Storage · Local state lives in · Related Skills · Install with clawhub · \
    memory -- · learning -- · decide -- · escalate -- · ~/learn-from-experience/";

/// The rows: beginnings of lines of the skill, and what shows them.
fn rows() -> Vec<(Vec<&'static str>, &'static str)> {
    let rows = TABLE.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| the skill"));
    rows.map(|row| {
        let mut cells = row.trim_matches('|').split(" | ");
        (cells.next().unwrap().split(" · ").map(str::trim).collect(), cells.next().unwrap())
    })
    .collect()
}

/// What stands in backticks in the second column.
fn shown() -> BTreeSet<&'static str> {
    rows().into_iter().flat_map(|(_, shown)| shown.split('`').skip(1).step_by(2)).collect()
}

#[test]
fn every_test_it_names_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders: Vec<PathBuf> = ["src", "tests"].map(|folder| root.join(folder)).into();
    let mut code = String::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ext| ext == "rs") {
                code += &fs::read_to_string(path).unwrap();
            }
        }
    }
    let tests = Regex::new(r"#\[test\]\s+fn (\w+)\(").unwrap();
    let tests: BTreeSet<&str> = tests.captures_iter(&code).map(|found| found.get(1).unwrap().as_str()).collect();
    let named: Vec<&str> = shown().into_iter().filter(|name| !name.contains(' ')).collect();
    assert!(named.len() > 30, "{named:?}");
    for name in named {
        assert!(tests.contains(name), "no test is called {name}");
    }
}

#[test]
fn every_command_it_names_is_there() {
    let commands: Vec<&str> = shown().into_iter().filter_map(|name| name.strip_prefix("afterword ")).collect();
    assert!(commands.len() > 10, "{commands:?}");
    for command in commands {
        Sandbox::new().run(command.split(' ').chain(["--help"])).exits(0);
    }
}

#[test]
fn the_skill_maps_sentences_in_both_languages_to_commands_that_are_there() {
    let skill = include_str!("../../src/install/pack/SKILL.md");
    let rows: Vec<&str> = skill.lines().filter(|line| line.starts_with("| \"")).collect();
    assert!(rows.len() >= 9, "{rows:?}");
    for row in rows {
        assert!(row.contains(" · \""), "one language only: {row}");
        let command = row.split('`').nth(1).unwrap();
        let words = command.strip_prefix("afterword ").unwrap().split(' ');
        let plain = words.take_while(|word| word.starts_with(|c: char| c.is_ascii_lowercase()));
        Sandbox::new().run(plain.chain(["--help"])).exits(0);
    }
}

#[test]
fn every_line_of_the_skill_is_in_the_table_or_promises_nothing() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/seeds/learn-from-experience.txt");
    let Ok(seed) = fs::read_to_string(&path) else {
        println!("skipped: {} is not there", path.display());
        return;
    };
    let number = Regex::new(r"^\d+\. ").unwrap();
    let plain = |line: &str| number.replace(line.trim().trim_start_matches(['•', ' ']), "").into_owned();
    let lines: Vec<String> =
        seed.lines().skip_while(|line| *line != "When to Use").map(plain).filter(|line| !line.is_empty()).collect();
    let beginnings: Vec<&str> = rows().into_iter().flat_map(|(beginnings, _)| beginnings).collect();
    let headings: Vec<&str> = NOTHING.split(" · ").map(str::trim).collect();
    let missing: Vec<&String> = lines
        .iter()
        // A line may hold several sentences: each has its row, if it is not the first.
        .filter(|line| !headings.contains(&line.as_str()))
        .filter(|line| !beginnings.iter().chain(&headings).any(|beginning| line.starts_with(beginning)))
        .collect();
    assert!(missing.is_empty(), "not in the table: {missing:#?}");
    let made_up: Vec<&&str> =
        beginnings.iter().filter(|beginning| !lines.iter().any(|line| line.contains(**beginning))).collect();
    assert!(made_up.is_empty(), "not in the skill: {made_up:#?}");
}
