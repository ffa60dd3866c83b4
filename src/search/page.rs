//! A memory's file as it is looked for and as it is shown.

use std::fs;
use std::path::Path;
use std::time::UNIX_EPOCH;

use chrono::{DateTime, NaiveDate, Utc};
use sha2::{Digest, Sha256};

use super::lexicon::Lexicon;
use super::units::tokens;
use crate::memory::{Id, Kind};
use crate::store::markdown::{self, Document};

/// When a file was last written, in nanoseconds, and its length in bytes; `None` for what is no plain file.
pub(super) type Stamp = Option<(i64, i64)>;

/// A file of the store, read.
#[derive(Debug, Clone)]
pub(super) struct Page {
    /// Its path in the store, `profiles/<name>.md`.
    pub(super) file: String,
    pub(super) stamp: (i64, i64),
    /// The beginning of its SHA-256.
    pub(super) sum: i64,
    /// What it says; `Err` tells what is wrong with it.
    pub(super) content: Result<Content, String>,
}

/// What a file says.
#[derive(Debug, Clone)]
pub(super) struct Content {
    pub(super) kind: Kind,
    pub(super) id: Id,
    pub(super) created: DateTime<Utc>,
    pub(super) expires: Option<NaiveDate>,
    pub(super) supersedes: Vec<Id>,
    pub(super) body: String,
    /// What it is about: a playbook's *When*, all of a profile.
    pub(super) anchor: String,
    /// A playbook's *What*.
    pub(super) what: String,
    /// A playbook's *Why*, and whatever else a hand has added.
    pub(super) why: String,
    /// The words of the file's name.
    pub(super) name: String,
}

/// The stamp of a file; links are not followed.
pub(super) fn stamp(path: &Path) -> Stamp {
    let found = fs::symlink_metadata(path).ok()?;
    let modified = found.modified().ok()?.duration_since(UNIX_EPOCH).unwrap_or_default();
    found.is_file().then(|| (i64::try_from(modified.as_nanos()).unwrap_or(0), i64::try_from(found.len()).unwrap_or(0)))
}

/// Reads a file of the store; `None` if it is not there any more.
pub(super) fn read(root: &Path, file: &str) -> Option<Page> {
    let path = root.join(file);
    let stamp = stamp(&path)?;
    let kind = kind(file)?;
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
        Err(error) => {
            return Some(Page {
                file: file.into(),
                stamp,
                sum: 0,
                content: Err(format!("it cannot be read: {error}")),
            });
        }
    };
    let digest = Sha256::digest(&bytes);
    let sum = digest.first_chunk::<8>().map_or(0, |start| i64::from_le_bytes(*start));
    let content = String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned()).and_then(|text| {
        let name = file.rsplit('/').next().unwrap_or(file).trim_end_matches(".md");
        let modified = DateTime::from_timestamp_nanos(stamp.0);
        markdown::parse(&text, kind, name, modified).map(|document| Content::of(document, name))
    });
    Some(Page { file: file.to_owned(), stamp, sum, content })
}

fn kind(file: &str) -> Option<Kind> {
    Kind::ALL.into_iter().find(|kind| file.split('/').next() == Some(kind.folder()))
}

impl Content {
    fn of(document: Document, name: &str) -> Self {
        let Document { kind, id, created, expires, supersedes, body, .. } = document;
        let (anchor, what, why) = match kind {
            Kind::Profile => (body.clone(), String::new(), String::new()),
            Kind::Playbook => sections(&body),
        };
        let name = name.strip_suffix(id.suffix()).unwrap_or(name).replace('-', " ");
        Self { kind, id, created, expires, supersedes, body, anchor, what, why, name }
    }

    /// The fields as they stand in the index: anchor, what, why, name.
    pub(super) fn fields(&self, lexicon: &Lexicon) -> [String; 4] {
        [&self.anchor, &self.what, &self.why, &self.name].map(|text| tokens(text, lexicon))
    }
}

/// A playbook's *When*, *What*, and the rest. One without such headings is all about what its first paragraph says.
fn sections(body: &str) -> (String, String, String) {
    let mut parts = [String::new(), String::new(), String::new()];
    let mut at = 0;
    for line in body.lines() {
        match line.trim().trim_start_matches('#').trim().to_lowercase().as_str() {
            "when" if line.starts_with('#') => at = 0,
            "what" if line.starts_with('#') => at = 1,
            _ if line.starts_with('#') => at = 2,
            _ => {
                if let Some(part) = parts.get_mut(at) {
                    part.push_str(line);
                    part.push('\n');
                }
            }
        }
    }
    let [when, what, why] = parts.map(|part| part.trim().to_owned());
    (when, what, why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_playbook_is_cut_at_its_headings() {
        let body = "## When\nWriting a mail.\n\n## What\nDO sign it.\n\n## Why\nAsked for.\n\n## Notes\nMine.";
        let (when, what, why) = sections(body);
        assert_eq!((when.as_str(), what.as_str()), ("Writing a mail.", "DO sign it."));
        assert_eq!(why, "Asked for.\n\nMine.");
        assert_eq!(sections("Just a line.").0, "Just a line.");
    }
}
