//! The rules in `rules/`, all of them, and nothing else.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use afterword::redact::Redactor;
use afterword::rules::{Rules, builtin, check};

#[test]
fn every_example_fires_and_no_counter_example_does() {
    let rules = Rules::builtin().unwrap();
    assert_eq!(check::faults(&rules), [""; 0]);
    assert_eq!(Redactor::builtin().check(), [""; 0]);
}

#[test]
fn the_list_of_files_equals_the_folder() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut there = BTreeSet::new();
    for language in fs::read_dir(root.join("rules")).unwrap() {
        let language = language.unwrap().path();
        if !language.is_dir() {
            continue;
        }
        for file in fs::read_dir(language).unwrap() {
            let path = file.unwrap().path();
            there.insert(path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/"));
        }
    }
    let listed: BTreeSet<String> = builtin::FILES.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(listed, there);
    for (name, text) in builtin::FILES {
        assert_eq!(*text, fs::read_to_string(root.join(name)).unwrap(), "{name} is embedded stale");
    }
}

#[test]
fn every_file_says_the_language_of_its_folder() {
    for (name, text) in builtin::FILES {
        let file: toml::Table = text.parse().unwrap();
        let folder = name.split('/').nth(1).unwrap();
        assert_eq!(file["language"].as_str(), Some(folder), "{name}");
    }
}

#[test]
fn every_trigger_is_named_after_its_language() {
    let rules = Rules::builtin().unwrap();
    for trigger in rules.triggers() {
        let language = trigger.entry.id.split('.').next().unwrap();
        assert_eq!(language, trigger.language, "{}", trigger.entry.id);
    }
}
