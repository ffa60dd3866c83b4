//! `forget`: removes memories; shown first, and asked.

use chrono::Utc;

use super::args::Forget;
use super::ask::{ask, somebody_is_there};
use super::report::{Outcome, Report};
use super::{amended, settings};
use crate::error::{Error, ErrorKind, Result};
use crate::explain::{Archive, Entry, Status};
use crate::memory::Id;
use crate::reconcile::names;
use crate::store::{self, Wish};
use crate::text::fold::fold;

pub(super) fn run(command: &Forget, report: &mut Report) -> Result<Outcome> {
    let root = settings::store(&command.place);
    let now = Utc::now();
    let archive = Archive::open(&root, now.date_naive())?;
    let wanted = command.what.join(" ");
    let ids: Vec<Id> = meant(&archive, &wanted)?.into_iter().map(|entry| entry.id).collect();
    let wish = Wish::Forget(&ids, "forgotten by name");
    let foreseen = store::foresee(&root, wish, now)?;
    if command.dry_run {
        amended::tell_leaving(&foreseen.left, report);
        amended::end("Nothing was written; without `--dry-run` it is asked first", &foreseen, &root, report);
        return Ok(Outcome::Done);
    }
    if !command.yes {
        somebody_is_there()?;
        amended::tell_leaving(&foreseen.left, report);
        let these = if ids.len() == 1 { "this memory".to_owned() } else { format!("these {} memories", ids.len()) };
        if !ask(&format!("Forget {these}?"))? {
            amended::end("Nothing was forgotten", &foreseen, &root, report);
            return Ok(Outcome::Done);
        }
    }
    let done = store::amend(&root, wish, now)?;
    if command.yes {
        amended::tell(&done, report);
    }
    let noun = if done.left.len() == 1 { "memory" } else { "memories" };
    amended::end(&format!("Forgot {} {noun}", done.left.len()), &done, &root, report);
    Ok(Outcome::Done)
}

/// The memories in the store that are meant: the one that is called so, or those that the words name.
fn meant(archive: &Archive, wanted: &str) -> Result<Vec<Entry>> {
    if !archive.called(wanted).is_empty() {
        let entry = archive.entry(archive.find(wanted)?);
        if archive.is_there(&entry) {
            return Ok(vec![entry]);
        }
        let what = format!("{} is no longer in the store: {}", entry.id, entry.status.word());
        return Err(Error::new(ErrorKind::Name, what).at(archive.root()));
    }
    let mut entries = archive.entries(|status| matches!(status, Status::Active | Status::Expired));
    let words = fold(wanted);
    let says_so = |body: &str| names(wanted, body) || fold(body).contains(&words);
    entries.retain(|entry| archive.is_there(entry) && says_so(&entry.body));
    if entries.is_empty() {
        let what = format!("no memory is called `{wanted}`, and none says so");
        return Err(Error::new(ErrorKind::Name, what).at(archive.root()));
    }
    Ok(entries)
}
