//! `undo`: takes back what happened last, to a memory or in a run.

use chrono::Utc;

use super::args::Undo;
use super::report::{Outcome, Report};
use super::{amended, settings};
use crate::error::{Error, ErrorKind, Result};
use crate::explain::Archive;
use crate::store::{self, RunName, Wish};

pub(super) fn run(command: &Undo, report: &mut Report) -> Result<Outcome> {
    let root = settings::store(&command.place);
    let now = Utc::now();
    let archive = Archive::open(&root, now.date_naive())?;
    let named = command.what.as_deref();
    let run = match named {
        None => Some(archive.runs().last().ok_or_else(|| nothing(&archive))?.name),
        // A memory may be called like a run that there is not.
        Some(name) => {
            RunName::parse(name).filter(|run| run.0 <= archive.runs().len() || archive.called(name).is_empty())
        }
    };
    let id = match (run, named) {
        (None, Some(name)) => Some(archive.entry(archive.find(name)?).id),
        _ => None,
    };
    let (wish, what) = match (&id, run) {
        (Some(id), _) => (Wish::Undo(id), id.to_string()),
        (None, Some(run)) => (Wish::UndoRun(run), run.to_string()),
        (None, None) => return Err(nothing(&archive)),
    };
    let done = if command.dry_run { store::foresee(&root, wish, now)? } else { store::amend(&root, wish, now)? };
    amended::tell(&done, report);
    let idle = done.came.is_empty() && done.left.is_empty();
    let sentence = match (command.dry_run, done.run.is_some() && !idle) {
        (true, _) if idle => format!("{what} can be taken back; no file would change. Nothing was written"),
        (true, _) => format!("That would take back {what}. Nothing was written"),
        (false, true) => format!("Took back {what}"),
        (false, false) if done.run.is_some() => format!("Took back {what}; no file had to change"),
        (false, false) => format!("There is nothing to take back of {what}: everything is as it was"),
    };
    amended::end(&sentence, &done, &root, report);
    Ok(Outcome::Done)
}

fn nothing(archive: &Archive) -> Error {
    Error::new(ErrorKind::Name, "nothing was done to this store yet").at(archive.root())
}
