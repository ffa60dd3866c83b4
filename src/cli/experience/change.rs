//! What changes the home at the person's word: forget, export, import, mode.

use std::path::Path;

use chrono::Utc;

use super::{lines, note};
use crate::cli::ask::{ask, somebody_is_there};
use crate::cli::extract::number;
use crate::cli::report::{Outcome, Report};
use crate::cli::sync::in_step;
use crate::error::{Error, ErrorKind, Result};
use crate::experience::folder::{self, Read};
use crate::experience::mode::Mode;
use crate::experience::{archive, query, word};
use crate::redact::Redactor;

/// "Forget X."
pub(super) struct Wish<'a> {
    pub(super) words: &'a str,
    pub(super) yes: bool,
    pub(super) dry_run: bool,
}

/// Shows every line that would go, asks, and takes them out of every tier and of the agents' files.
pub(super) fn forget(root: &Path, read: &Read, wish: &Wish<'_>, report: &mut Report) -> Result<()> {
    let meant = query::about(&read.home, wish.words);
    if meant.is_empty() {
        let what = format!("no line of the home is about `{}`", wish.words);
        return Err(Error::new(ErrorKind::Name, what).at(root));
    }
    if wish.dry_run || !wish.yes {
        lines(&meant, report);
    }
    if wish.dry_run {
        note("Nothing was written; without `--dry-run` it is asked first.", report);
        return Ok(());
    }
    if !wish.yes {
        somebody_is_there()?;
        if !ask(&format!("Forget {}, in all tiers?", number(meant.len(), "line")))? {
            note("Nothing was forgotten.", report);
            return Ok(());
        }
    }
    let now = Utc::now();
    let (gone, _) = folder::change(root, |read| word::forget(&mut read.home, wish.words, now))?;
    in_step(root, now)?.iter().for_each(|refused| report.error(refused));
    if wish.yes {
        lines(&gone, report);
    }
    note(&format!("Forgot {}.", number(gone.len(), "line")), report);
    Ok(())
}

/// Everything in one zip file.
pub(super) fn export(root: &Path, to: &Path, report: &mut Report) -> Result<()> {
    let (pages, _) = archive::export(root, to)?;
    note(&format!("{}, with the log, in {}", number(pages, "page"), to.display()), report);
    Ok(())
}

/// An exported home, where there is none yet.
pub(super) fn import(root: &Path, from: &Path, dry_run: bool, report: &mut Report) -> Result<Outcome> {
    let (home, mut problems) = archive::read(from, Redactor::builtin())?;
    let pages = number(home.pages.len(), "page");
    if dry_run {
        let is_free = !folder::is_on(root) || archive::is_new(&folder::look(root)?.home);
        let told = if is_free { "would be restored" } else { "would not be: something was learned there already" };
        note(&format!("{pages} {told} in {} (dry run: nothing was written)", root.display()), report);
    } else {
        problems.extend(archive::restore(root, &home)?);
        note(&format!("{pages} restored in {}, with the log", root.display()), report);
    }
    report.problems(&problems);
    Ok(if problems.is_empty() { Outcome::Done } else { Outcome::Problems })
}

/// Says or changes when the agents' files are written.
pub(super) fn mode(root: &Path, wanted: Option<Mode>, report: &mut Report) -> Result<()> {
    if let Some(mode) = wanted {
        mode.set(root)?;
        in_step(root, Utc::now())?.iter().for_each(|refused| report.error(refused));
    }
    let told = match Mode::of(root)? {
        Mode::Active => "active: the files you agreed to are synced when confirmed preferences change",
        Mode::Passive => "passive: no agent's file is written but by `afterword sync`",
    };
    note(told, report);
    Ok(())
}
