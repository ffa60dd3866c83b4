//! `experience steer` and `unsteer`: a workspace tells its agents about the home, and does so no more.

use std::path::{Path, PathBuf};

use super::{note, switched_on};
use crate::cli::args::Steer;
use crate::cli::ask::{ask, somebody_is_there};
use crate::cli::install::lines;
use crate::cli::report::{Outcome, Report};
use crate::error::{Error, ErrorKind, Result};
use crate::experience::patterns::Refusal;
use crate::experience::steer::{SNIPPETS, put, take};
use crate::experience::sync::{put as replaced, read, refused};
use crate::install::Difference;
use crate::redact::Redactor;

/// What a file becomes: an inner `None` is that it goes, an outer one that it stays as it is.
type Becomes<'a> = &'a dyn Fn(Option<&str>, &str) -> std::result::Result<Option<Option<String>>, Refusal>;

/// Puts the blocks in.
pub(super) fn steer(wish: &Steer, root: &Path, report: &mut Report) -> Result<Outcome> {
    switched_on(root)?;
    let becomes: Becomes<'_> = &|text, snippet| Ok(put(text, snippet)?.map(Some));
    change(wish, becomes, "Tell the agents of this workspace about the experience home?", report)
}

/// Takes them out.
pub(super) fn unsteer(wish: &Steer, report: &mut Report) -> Result<Outcome> {
    let becomes: Becomes<'_> = &|text, _| text.map_or(Ok(None), take);
    change(wish, becomes, "Take these blocks out?", report)
}

fn change(wish: &Steer, becomes: Becomes<'_>, question: &str, report: &mut Report) -> Result<Outcome> {
    let folder = wish.folder.clone().unwrap_or_else(|| PathBuf::from("."));
    if !folder.is_dir() {
        return Err(Error::new(ErrorKind::Usage, "there is no such folder").at(&folder));
    }
    let mut well = true;
    let mut drafts: Vec<Difference> = Vec::new();
    for (name, snippet) in SNIPPETS {
        match draft(folder.join(name), snippet, becomes) {
            Ok(draft) => drafts.extend(draft),
            Err(error) => {
                report.error(&error);
                well = false;
            }
        }
    }
    if !report.is_jsonl() {
        for (style, line) in drafts.iter().flat_map(|draft| lines(draft, Redactor::builtin())) {
            report.line(&format!("{style}{line}{style:#}"));
        }
    }
    if drafts.is_empty() {
        note("Nothing is to be changed.", report);
    } else if wish.dry_run {
        note("Nothing was written; without `--dry-run` it is asked first.", report);
    } else {
        if !wish.yes {
            somebody_is_there()?;
            if !ask(question)? {
                note("Nothing was changed.", report);
                return Ok(Outcome::Done);
            }
        }
        for draft in drafts {
            match written(&draft) {
                Ok(()) => note(&format!("changed {}", draft.path.display()), report),
                Err(error) => {
                    report.error(&error);
                    well = false;
                }
            }
        }
    }
    Ok(if well { Outcome::Done } else { Outcome::Problems })
}

fn draft(path: PathBuf, snippet: &str, becomes: Becomes<'_>) -> Result<Option<Difference>> {
    let before = read(&path)?;
    let after = becomes(before.as_deref(), snippet).map_err(|refusal| refused(&path, refusal))?;
    Ok(after.map(|after| Difference { path, before, after }))
}

/// Only what was shown is written: a file that a person saved meanwhile is theirs.
fn written(draft: &Difference) -> Result<()> {
    if replaced(&draft.path, draft.before.as_deref(), draft.after.as_deref())? {
        return Ok(());
    }
    let what = "it changed after it was shown, and is left as it is; run the command again";
    Err(Error::new(ErrorKind::Host, what).at(&draft.path))
}
