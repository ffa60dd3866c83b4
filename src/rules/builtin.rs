//! The rule files that are built in, and those a user adds.

use std::path::Path;

use crate::error::{Error, Result};

/// How evidence adds up.
pub const WEIGHTS: &str = include_str!("../../rules/weights.toml");

/// Every rule file in `rules/`, by name. A test compares this list with the folder.
pub const FILES: &[(&str, &str)] = &[
    ("rules/en/agent.toml", include_str!("../../rules/en/agent.toml")),
    ("rules/en/approval.toml", include_str!("../../rules/en/approval.toml")),
    ("rules/en/config.toml", include_str!("../../rules/en/config.toml")),
    ("rules/en/confirmation.toml", include_str!("../../rules/en/confirmation.toml")),
    ("rules/en/constraint.toml", include_str!("../../rules/en/constraint.toml")),
    ("rules/en/correction.toml", include_str!("../../rules/en/correction.toml")),
    ("rules/en/fact.toml", include_str!("../../rules/en/fact.toml")),
    ("rules/en/forget.toml", include_str!("../../rules/en/forget.toml")),
    ("rules/en/gate.toml", include_str!("../../rules/en/gate.toml")),
    ("rules/en/mood.toml", include_str!("../../rules/en/mood.toml")),
    ("rules/en/preference.toml", include_str!("../../rules/en/preference.toml")),
    ("rules/en/undo.toml", include_str!("../../rules/en/undo.toml")),
    ("rules/zh-pinyin/speech.toml", include_str!("../../rules/zh-pinyin/speech.toml")),
    ("rules/zh/agent.toml", include_str!("../../rules/zh/agent.toml")),
    ("rules/zh/approval.toml", include_str!("../../rules/zh/approval.toml")),
    ("rules/zh/config.toml", include_str!("../../rules/zh/config.toml")),
    ("rules/zh/confirmation.toml", include_str!("../../rules/zh/confirmation.toml")),
    ("rules/zh/constraint.toml", include_str!("../../rules/zh/constraint.toml")),
    ("rules/zh/correction.toml", include_str!("../../rules/zh/correction.toml")),
    ("rules/zh/fact.toml", include_str!("../../rules/zh/fact.toml")),
    ("rules/zh/forget.toml", include_str!("../../rules/zh/forget.toml")),
    ("rules/zh/gate.toml", include_str!("../../rules/zh/gate.toml")),
    ("rules/zh/mood.toml", include_str!("../../rules/zh/mood.toml")),
    ("rules/zh/preference.toml", include_str!("../../rules/zh/preference.toml")),
    ("rules/zh/undo.toml", include_str!("../../rules/zh/undo.toml")),
];

/// The rule files in a user's folder, as (path, text), sorted by path.
///
/// # Errors
/// If the folder or a file in it cannot be read.
pub fn user_files(folder: &Path) -> Result<Vec<(String, String)>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).map_err(|e| Error::io("read the rules folder", &folder, e))?;
        for entry in entries {
            let path = entry.map_err(|e| Error::io("read the rules folder", &folder, e))?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "toml") {
                let text = std::fs::read_to_string(&path).map_err(|e| Error::io("read the rule file", &path, e))?;
                files.push((path.display().to_string(), text));
            }
        }
    }
    files.sort();
    Ok(files)
}
