//! The whole tree: nothing of the machine it was made on, nothing that looks like a key.

use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

/// Every file that belongs to the project.
fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.to_path_buf()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name();
            if name == "target" || name == ".git" || name == ".reflexio" {
                continue;
            }
            if entry.file_type().unwrap().is_dir() {
                folders.push(entry.path());
            } else {
                files.push(entry.path());
            }
        }
    }
    assert!(files.len() > 100, "the tree was not found");
    files
}

fn hits(pattern: &str) -> Vec<String> {
    let pattern = Regex::new(pattern).unwrap();
    let mut hits = Vec::new();
    for path in files() {
        let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
        hits.extend(pattern.find(&text).map(|hit| format!("{}: {}", path.display(), hit.as_str())));
    }
    hits
}

#[test]
fn no_file_holds_a_whole_key() {
    let pattern = r"\bgh[pousr]_[A-Za-z0-9]{36}|\bAKIA[0-9A-Z]{16}\b|\bxox[bp]-\d{10,}-|\bsk-ant-[\w-]{20,}|-----BEGIN [A-Z ]*PRIVATE KEY-----\s+[A-Za-z0-9+/]{40}";
    assert_eq!(hits(pattern), [""; 0]);
}

#[test]
fn no_file_names_a_path_of_the_machine_it_was_made_on() {
    let home = std::env::home_dir().unwrap_or_default();
    for own in [Path::new(env!("CARGO_MANIFEST_DIR")), &home] {
        let own = own.to_str().unwrap().trim_end_matches('/');
        if !own.is_empty() {
            assert_eq!(hits(&format!("{}/[.a-z]", regex::escape(own))), [""; 0]);
        }
    }
}
