//! Every snapshot has a test that reads it.

use std::fs;
use std::path::Path;

use crate::support::tree::tree;

#[test]
fn no_snapshot_is_an_orphan() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tests: String = tree(&root.join("tests/cli")).into_values().map(|b| String::from_utf8(b).unwrap()).collect();
    let fixtures: Vec<String> = fs::read_dir(root.join("tests/fixtures"))
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    let mut count = 0;
    for name in tree(&root.join("snapshots")).into_keys() {
        let (stage, file) = name.split_once('/').unwrap();
        let name = file.strip_suffix(".snap").unwrap_or_else(|| panic!("{name} is no snapshot"));
        let read = match stage {
            "cli" => tests.contains(&format!("snapshot(\"cli\", \"{name}\"")),
            "turns" | "judgements" | "candidates" | "files" => fixtures.iter().any(|f| f == name),
            _ => false,
        };
        assert!(read, "no test reads snapshots/{stage}/{file}");
        count += 1;
    }
    assert!(count > 4 * fixtures.len(), "{count} snapshots of {} fixtures", fixtures.len());
}
