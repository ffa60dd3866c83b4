//! The worker: takes the notes up one after the other, in their time, until none is left.
//!
//! ```text
//!            note of a turn: a pause of PAUSE after the last one        transcript not there: up to MISSING
//! spool ───▶ put together by session ───▶ due ───▶ transcript is still ───▶ learn ──▶ done: the note leaves
//!                                                  (STILL, up to PATIENCE)    │
//!                                                                             └─ failed: once more after RETRY, then
//!                                                                                by the next worker, MOST_TRIES in all
//! ```
//!
//! One worker works at a time. A hook that adds a note while one is at work starts a worker that ends at once, so the
//! first one looks again *after* it has given up the lock: no note falls between the two.

use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};

use super::last::{How, Last};
use super::{Kept, Spool};
use crate::error::Result;
use crate::host::{Moment, Note, Places, locate};

/// After a turn the person may go on at once: what was said is looked through when nothing came for so long.
const PAUSE: TimeDelta = TimeDelta::seconds(2);

/// But not later than this after the first of the turns: a session without pauses must not wait for its end.
const LONGEST_PAUSE: TimeDelta = TimeDelta::seconds(20);

/// A transcript is written to its end when nothing was added for so long.
const STILL: Duration = Duration::from_millis(300);

/// But it is not waited for longer than this: another session may be writing to the same database all the time.
const PATIENCE: Duration = Duration::from_secs(2);

/// A transcript that does not appear in this time is not coming: some hosts tell the end of sessions that never began.
const MISSING: Duration = Duration::from_secs(3);

/// How long after a failure the one more try of the same worker comes.
const RETRY: Duration = Duration::from_secs(1);

/// So often a note is tried by all workers together; killed ones count, for they may have been killed by it.
const MOST_TRIES: u32 = 6;

/// How often the worker looks around while it waits.
const LOOK: Duration = Duration::from_millis(100);

/// What is to be learned from.
#[derive(Debug)]
pub struct Job {
    /// What the hooks said.
    pub note: Note,
    /// The files and databases.
    pub files: Vec<PathBuf>,
    /// Of a database only what was said since then counts: for a catch-up.
    pub since: Option<DateTime<Utc>>,
}

/// Works off the spool: `learn` does what a job asks for and tells in numbers what came of it, or why it could not be
/// done. Returns at once if another worker is at it. `now` gives the time of day.
///
/// # Errors
/// If the spool itself cannot be read or written.
pub fn work(
    spool: &Spool,
    places: &Places,
    now: impl Fn() -> DateTime<Utc>,
    mut learn: impl FnMut(&Job) -> std::result::Result<String, String>,
) -> Result<()> {
    let mut desk =
        Desk { spool, places, now: &now, learn: &mut learn, watches: HashMap::new(), given_up: HashSet::new() };
    spool.sync();
    spool.sort_out();
    while !desk.notes()?.is_empty() {
        let Some(lock) = spool.try_lock()? else {
            return Ok(());
        };
        spool.turn_log();
        spool.tidy();
        desk.clear()?;
        drop(lock);
    }
    Ok(())
}

struct Desk<'d> {
    spool: &'d Spool,
    places: &'d Places,
    now: &'d dyn Fn() -> DateTime<Utc>,
    learn: &'d mut dyn FnMut(&Job) -> std::result::Result<String, String>,
    /// What was seen of each work, by the name of its newest note.
    watches: HashMap<String, Watch>,
    /// Names of notes that are left to the next worker.
    given_up: HashSet<String>,
}

/// What was seen of the files of one work.
struct Watch {
    began: Instant,
    stamps: Vec<(DateTime<Utc>, u64)>,
    changed: Instant,
    not_before: Option<Instant>,
}

/// Whether it is time.
enum Ready {
    /// These files are whole.
    Now(Vec<PathBuf>),
    /// There is nothing, and nothing is coming.
    Missing,
    NotYet,
}

impl Desk<'_> {
    /// The notes that this worker has not given up.
    fn notes(&self) -> Result<Vec<Kept>> {
        let mut notes = self.spool.notes()?;
        notes.retain(|kept| !self.given_up.contains(&kept.name));
        Ok(notes)
    }

    fn clear(&mut self) -> Result<()> {
        loop {
            let works = together(self.notes()?);
            if works.is_empty() {
                return Ok(());
            }
            let mut was_idle = true;
            for work in works {
                was_idle &= !self.take_up(work)?;
            }
            if was_idle {
                thread::sleep(LOOK);
            }
        }
    }

    /// Does the work of these notes if it is time; whether it was.
    fn take_up(&mut self, work: Vec<Kept>) -> Result<bool> {
        let began = (self.now)();
        // A time that lies too far ahead is that of a clock that was put back, and not waited for.
        let is_due = due(&work).is_none_or(|due| due <= began || due > began + LONGEST_PAUSE);
        let Some((name, mut note)) = merged(&work).filter(|_| is_due) else {
            return Ok(false);
        };
        let ready = if note.moment == Moment::CatchUp { Ready::Now(Vec::new()) } else { self.ready(&name, &note) };
        let files = match ready {
            Ready::NotYet => return Ok(false),
            Ready::Missing => {
                self.tell(&note, How::Missing, "there is no transcript", Vec::new(), began);
                work.iter().try_for_each(|kept| self.spool.remove(&kept.name))?;
                return Ok(true);
            }
            Ready::Now(files) => files,
        };
        note.tries += 1;
        self.spool.replace(&name, &note)?;
        work.iter().filter(|kept| kept.name != name).try_for_each(|kept| self.spool.remove(&kept.name))?;
        let folders = match note.moment {
            Moment::CatchUp => locate::neighbourhood(&note, self.places),
            _ => Vec::new(),
        };
        let (job, left) = self.job(note, files, &folders);
        match self.learned(&job) {
            Ok(mut told) => {
                if left > 0 {
                    told += &format!("; {left} more files changed, they are left to `afterword replay`");
                }
                self.tell(&job.note, How::Done, &told, folders, began);
                self.spool.remove(&name)?;
            }
            Err(why) => self.failed(&name, &job.note, &why, began)?,
        }
        Ok(true)
    }

    /// The files of a catch-up are those that changed; of anything else, those that were waited for.
    fn job(&self, note: Note, files: Vec<PathBuf>, folders: &[PathBuf]) -> (Job, usize) {
        if note.moment != Moment::CatchUp {
            return (Job { note, files, since: None }, 0);
        }
        let since = self.spool.since(note.host, folders, note.at);
        let (files, left) = locate::changed(folders, since);
        (Job { note, files, since: Some(since) }, left)
    }

    fn learned(&mut self, job: &Job) -> std::result::Result<String, String> {
        if job.files.is_empty() {
            return Ok("nothing changed".to_owned());
        }
        let learn = &mut *self.learn;
        catch_unwind(AssertUnwindSafe(|| learn(job))).unwrap_or_else(|_| Err("it panicked".to_owned()))
    }

    fn failed(&mut self, name: &str, note: &Note, why: &str, began: DateTime<Utc>) -> Result<()> {
        let watch = self.watches.get_mut(name);
        let is_again = watch.as_ref().is_some_and(|watch| watch.not_before.is_some());
        let next = if note.tries >= MOST_TRIES {
            self.spool.set_aside(name)?;
            "it was tried too often and is moved aside"
        } else if is_again || watch.is_none() {
            self.given_up.insert(name.to_owned());
            "it is left to the next run"
        } else {
            watch.into_iter().for_each(|watch| watch.not_before = Some(Instant::now() + RETRY));
            "it is tried once more"
        };
        self.tell(note, How::Failed, &format!("{why}; {next}"), Vec::new(), began);
        Ok(())
    }

    fn tell(&self, note: &Note, how: How, told: &str, folders: Vec<PathBuf>, began: DateTime<Utc>) {
        let now = (self.now)();
        let event = if note.event.is_empty() { "(no event)" } else { &note.event };
        let session = note.session.as_deref().or(note.key.as_deref()).unwrap_or("-");
        self.spool.log(now, &format!("{} {event} {session}: {told}", note.host.name()));
        let last = Last {
            at: now,
            event: note.event.clone(),
            how,
            told: told.to_owned(),
            first: now,
            caught_up: std::collections::BTreeMap::new(),
        };
        // What `doctor` tells is worth less than what the next session teaches.
        if let Err(error) = self.spool.tell_last(note.host, last, folders, began) {
            self.spool.log(now, &format!("{}: {error}", note.host.name()));
        }
    }

    /// Looks at the files of a note.
    fn ready(&mut self, name: &str, note: &Note) -> Ready {
        let instant = Instant::now();
        let files = locate::locate(note, self.places);
        let stamps: Vec<_> = files.iter().filter_map(|file| locate::stamp(file)).collect();
        let watch = self.watches.entry(name.to_owned()).or_insert_with(|| Watch {
            began: instant,
            stamps: stamps.clone(),
            changed: instant,
            not_before: None,
        });
        if watch.not_before.is_some_and(|time| instant < time) {
            return Ready::NotYet;
        }
        if stamps.is_empty() {
            return if instant - watch.began >= MISSING { Ready::Missing } else { Ready::NotYet };
        }
        if watch.stamps != stamps {
            watch.stamps = stamps;
            watch.changed = instant;
        }
        // The first look need not be followed by a wait where the file's own time shows that nothing was added.
        let age = watch.stamps.iter().map(|(modified, _)| (self.now)() - *modified).min();
        let was_still = age.is_some_and(|age| age.to_std().is_ok_and(|age| age >= STILL));
        let is_still = was_still || instant - watch.changed >= STILL;
        if is_still || instant - watch.began >= PATIENCE { Ready::Now(files) } else { Ready::NotYet }
    }
}

/// The notes by the work they are about, each oldest first.
fn together(notes: Vec<Kept>) -> Vec<Vec<Kept>> {
    let mut works: Vec<Vec<Kept>> = Vec::new();
    for kept in notes {
        match works.iter_mut().find(|work| work.iter().any(|other| other.note.is_with(&kept.note))) {
            Some(work) => work.push(kept),
            None => works.push(vec![kept]),
        }
    }
    works
}

/// One note for all, under the name of the newest.
fn merged(work: &[Kept]) -> Option<(String, Note)> {
    let name = work.last()?.name.clone();
    let note = work.iter().map(|kept| kept.note.clone()).reduce(Note::with)?;
    Some((name, note))
}

/// When the work of these notes is to be done; `None` is at once.
fn due(work: &[Kept]) -> Option<DateTime<Utc>> {
    let (oldest, newest) = (&work.first()?.note, &work.last()?.note);
    let moment = work.iter().map(|kept| kept.note.moment).max()?;
    match moment {
        Moment::CatchUp => None,
        Moment::End => TimeDelta::from_std(STILL).ok().map(|still| oldest.at + still),
        Moment::Turn => Some((newest.at + PAUSE).min(oldest.at + LONGEST_PAUSE)),
    }
}

#[cfg(test)]
#[path = "work_tests.rs"]
mod tests;
