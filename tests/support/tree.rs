//! A folder as a value.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

/// Every file under `root` with its bytes, by its path in it; empty if there is no such folder.
pub(crate) fn tree(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap();
                files.insert(name.replace('\\', "/"), fs::read(&path).unwrap());
            }
        }
    }
    files
}

/// The memories in a store: name and text of each file that an agent would read.
pub(crate) fn memories(root: &Path) -> BTreeMap<String, String> {
    tree(root)
        .into_iter()
        .filter(|(name, _)| !name.starts_with('.'))
        .map(|(name, bytes)| (name, String::from_utf8(bytes).unwrap()))
        .collect()
}

/// The texts of all memories under each other.
pub(crate) fn text(root: &Path) -> String {
    memories(root).into_values().collect()
}

/// The ledger's events without the time of the run and without `done`, which only says how far a run came.
pub(crate) fn events(root: &Path) -> Vec<Value> {
    let ledger = fs::read_to_string(root.join(".ledger/ledger.jsonl")).unwrap();
    let events = ledger.lines().map(|line| {
        let mut event: Value = serde_json::from_str(line).unwrap();
        event.as_object_mut().unwrap().remove("at").unwrap();
        event
    });
    events.filter(|event| event["event"] != "done").collect()
}
