//! Sync: the confirmed preferences of `memory.md` go into the `### Patterns` block of the products' global files.
//!
//! One way: `memory.md` is the source, the block a copy of it. Nothing is synced into a file before the person has said
//! yes to it once ([`Synced`] remembers that); a backup is made before every write.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Serialize};

use super::folder::hold;
use super::home::Home;
use super::page::{Entry, Section};
use super::patterns::{MOST_PREFERENCES, Refusal, Setting, clear, fill};
use crate::compose::slug::slug;
use crate::disk::{self, Privacy};
use crate::error::{Error, ErrorKind, Result};
use crate::memory::shortened;
use crate::redact::Redactor;
use crate::store::ledger::checksum;
use crate::transcript::Host;

/// The products with a global file, in the seed's order, and the name of that file in their settings folder.
pub const PRODUCTS: [(Host, &str); 5] = [
    (Host::ClaudeCode, "CLAUDE.md"),
    (Host::Openclaw, "AGENTS.md"),
    (Host::Codex, "AGENTS.md"),
    (Host::Codebuddy, "CODEBUDDY.md"),
    (Host::Opencode, "AGENTS.md"),
];
/// A preference takes at most so many characters of a line that is read in every session.
const LINE_CHARS: usize = 200;
/// So often a file is read anew because it changed before it could be written.
const TRIES: usize = 3;

/// What was synced where: `.afterword/sync.json`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Synced {
    /// The files the person agreed to.
    pub files: BTreeMap<PathBuf, Target>,
    /// When a file last changed.
    pub at: Option<DateTime<Utc>>,
}

/// A file that is synced.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// What was put around the block.
    pub setting: Setting,
    /// Whether the file was made by the sync.
    pub is_made: bool,
    /// A checksum of the lines that it got last.
    #[serde(default)]
    pub sum: Option<String>,
}

impl Synced {
    pub(super) fn read(hidden: &Path) -> Result<Self> {
        let path = hidden.join("sync.json");
        let Some(bytes) = disk::read(&path)? else {
            return Ok(Self::default());
        };
        let broken = |e| Error::new(ErrorKind::Store, "the record of what was synced is broken").at(&path).because(e);
        serde_json::from_slice(&bytes).map_err(broken)
    }

    fn write(&self, hidden: &Path) -> Result<()> {
        let path = hidden.join("sync.json");
        let failed =
            |e| Error::new(ErrorKind::Store, "the record of what was synced cannot be written").at(&path).because(e);
        let text = serde_json::to_string_pretty(self).map_err(failed)?;
        disk::make_folder(hidden, Privacy::Own)?;
        disk::write(&path, format!("{text}\n").as_bytes(), Privacy::Own)
    }

    /// `in_sync`, `stale`, or `off` where no file was agreed to.
    #[must_use]
    pub fn status(&self, home: &Home) -> &'static str {
        let sum = compile(home).ok().map(|lines| sum_of(&lines));
        match self.files.values().all(|file| file.sum.is_some() && file.sum == sum) {
            _ if self.files.is_empty() => "off",
            true => "in_sync",
            false => "stale",
        }
    }
}

fn sum_of(lines: &[String]) -> String {
    checksum(lines.join("\n"))
}

/// The lines of the block: `- [tag] description` for each confirmed preference of `memory.md`, in its order. Where there
/// are more than fit, those of high priority come first, then those of higher confidence.
///
/// # Errors
/// If `memory.md` is there and cannot be read: an empty block would take from the agents what the person confirmed.
pub fn compile(home: &Home) -> Result<Vec<String>> {
    if home.closed.contains("memory.md") {
        return Err(Error::new(ErrorKind::Store, "memory.md cannot be read, so nothing is synced"));
    }
    let entries = home.pages.get("memory.md").map(|page| page.entries()).unwrap_or_default();
    let confirmed: Vec<Entry> = entries.into_iter().filter(|e| e.section == Section::Confirmed).collect();
    let mut chosen: Vec<(usize, &Entry)> = confirmed.iter().enumerate().collect();
    chosen.sort_by(|(_, one), (_, other)| {
        let (one, other) = (rank(&one.rank), rank(&other.rank));
        (other.0.cmp(&one.0)).then(other.1.total_cmp(&one.1))
    });
    chosen.truncate(MOST_PREFERENCES);
    chosen.sort_by_key(|(place, _)| *place);
    Ok(chosen.into_iter().map(|(_, entry)| line(entry)).collect())
}

/// Whether a title says HIGH, and its confidence from 0 to 1; percentages are understood.
fn rank(text: &str) -> (bool, f64) {
    let words = || text.split(['|', ' ', ',', '=', ':']).filter(|word| !word.is_empty());
    let is_high = words().any(|word| word.eq_ignore_ascii_case("high"));
    let share = |word: &str| match word.strip_suffix('%') {
        Some(percent) => percent.parse::<f64>().ok().map(|percent| percent / 100.0),
        None => word.parse::<f64>().ok(),
    };
    let word = |word: &str| match word.to_ascii_lowercase().as_str() {
        "high" => Some(0.9),
        "medium" => Some(0.6),
        "low" => Some(0.3),
        _ => None,
    };
    (is_high, words().find_map(share).or_else(|| words().find_map(word)).unwrap_or(0.5))
}

/// One preference on one line, without secrets and without anything that acts on a model.
fn line(entry: &Entry) -> String {
    let redactor = Redactor::builtin();
    let text = shortened(&redactor.clean(&entry.text).text, LINE_CHARS);
    format!("- [{}] {text}", slug(&redactor.clean(&entry.tag).text))
}

/// What sync would do, or did, to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// The file.
    pub path: PathBuf,
    /// Its text; none if it is not there.
    pub before: Option<String>,
    /// The text it gets; none if it is removed.
    pub after: Option<String>,
    target: Target,
}

/// What a file would become with these lines; nothing if they are there.
///
/// # Errors
/// If the file cannot be read, or is refused: see [`fill`].
pub fn draft(path: &Path, lines: &[String], known: Option<&Target>, now: DateTime<Utc>) -> Result<Option<Draft>> {
    let before = read(path)?;
    let stamp = now.to_rfc3339_opts(SecondsFormat::Secs, true);
    let filled = fill(before.as_deref().unwrap_or_default(), lines, &stamp).map_err(|r| refused(path, r))?;
    Ok(filled.map(|filled| {
        // Where the block was there before, what an earlier sync put around it still holds.
        let is_new = filled.setting != Setting::default();
        let setting = if is_new { filled.setting } else { known.map(|k| k.setting.clone()).unwrap_or_default() };
        let is_made = before.is_none() || known.is_some_and(|known| known.is_made);
        Draft {
            path: path.to_path_buf(),
            before,
            after: Some(filled.text),
            target: Target { setting, is_made, sum: None },
        }
    }))
}

/// What a file would become without the block; nothing if there is none of ours.
///
/// # Errors
/// As for [`draft`].
pub fn undraft(path: &Path, known: Option<&Target>) -> Result<Option<Draft>> {
    let Some(before) = read(path)? else {
        return Ok(None);
    };
    let target = known.cloned().unwrap_or_default();
    let cleared = clear(&before, &target.setting).map_err(|r| refused(path, r))?;
    Ok(cleared.map(|text| {
        let after = Some(text).filter(|text| !(target.is_made && text.trim().is_empty()));
        Draft { path: path.to_path_buf(), before: Some(before), after, target }
    }))
}

/// A refusal as the error that tells it.
#[must_use]
pub fn refused(path: &Path, refusal: Refusal) -> Error {
    let error = Error::new(ErrorKind::Host, refusal.what).at(path);
    match refusal.line {
        Some(line) => error.on_line(line),
        None => error,
    }
}

/// The text of a file outside of the home; none if it is not there.
///
/// # Errors
/// If it cannot be read, or is no text.
pub fn read(path: &Path) -> Result<Option<String>> {
    let not_text = |_| Error::new(ErrorKind::Host, "it is not UTF-8, and is left alone").at(path);
    disk::read(path)?.map(String::from_utf8).transpose().map_err(not_text)
}

/// Gives a file outside of the home its new text (none: it is removed), if it still holds the one `before`; whether it
/// did. Links and permissions stay.
///
/// # Errors
/// If it is protected, or cannot be written.
pub fn put(path: &Path, before: Option<&str>, after: Option<&str>) -> Result<bool> {
    disk::check_writable(path)?;
    disk::check_single(path)?;
    let Some(after) = after else {
        let is_still = read(path)?.as_deref() == before;
        return if is_still { disk::remove(path).map(|()| true) } else { Ok(false) };
    };
    disk::make_folder(path.parent().unwrap_or(Path::new(".")), Privacy::Usual)?;
    disk::replace(path, before.map(str::as_bytes), after.as_bytes(), Privacy::Usual)
}

/// Writes the lines into a file the person has agreed to, and remembers it. `hidden` is the home's own folder. Gives
/// what was done; nothing if the lines were there.
///
/// # Errors
/// As for [`draft`]; if the file cannot be written, or keeps changing.
pub fn sync(path: &Path, lines: &[String], hidden: &Path, now: DateTime<Utc>) -> Result<Option<Draft>> {
    let _lock = hold(hidden)?;
    let known = Synced::read(hidden)?.files.get(path).cloned();
    let done = settle(hidden, || draft(path, lines, known.as_ref(), now), || {})?;
    let mut synced = Synced::read(hidden)?;
    let target = done.as_ref().map(|done| done.target.clone()).or(known).unwrap_or_default();
    let target = Target { sum: Some(sum_of(lines)), ..target };
    let is_known = synced.files.insert(path.to_path_buf(), target.clone()) == Some(target);
    if done.is_some() || !is_known {
        synced.at = Some(now);
        synced.write(hidden)?;
    }
    Ok(done)
}

/// Takes the block out of a file, and the person's agreement back.
///
/// # Errors
/// As for [`sync`].
pub fn unsync(path: &Path, hidden: &Path) -> Result<Option<Draft>> {
    let _lock = hold(hidden)?;
    let mut synced = Synced::read(hidden)?;
    let known = synced.files.get(path).cloned();
    let done = settle(hidden, || undraft(path, known.as_ref()), || {})?;
    if synced.files.remove(path).is_some() {
        synced.write(hidden)?;
    }
    Ok(done)
}

/// Carries out what `make` drafts, if the file is still as the draft saw it; else drafts anew. `pause` is for tests.
fn settle(hidden: &Path, make: impl Fn() -> Result<Option<Draft>>, mut pause: impl FnMut()) -> Result<Option<Draft>> {
    let mut last = None;
    for _ in 0..TRIES {
        let Some(draft) = make()? else {
            return Ok(None);
        };
        disk::check_writable(&draft.path)?;
        disk::check_single(&draft.path)?;
        if let Some(before) = &draft.before {
            let name = draft.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let sum: String = checksum(before).chars().take(16).collect();
            let folder = hidden.join("backups");
            disk::make_folder(&folder, Privacy::Own)?;
            disk::write(&folder.join(format!("{sum}-{name}")), before.as_bytes(), Privacy::Own)?;
        }
        pause();
        if put(&draft.path, draft.before.as_deref(), draft.after.as_deref())? {
            return Ok(Some(draft));
        }
        last = Some(draft.path);
    }
    let what = "it keeps changing while it is being written; close the program that writes it";
    Err(Error::new(ErrorKind::Host, what).at(&last.unwrap_or_default()))
}

#[cfg(test)]
#[path = "sync_tests.rs"]
mod tests;
