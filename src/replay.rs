//! Replay: everything that is saved on this machine, oldest first, into the stores.
//!
//! ```text
//! sources → files → unchanged ones set aside → a glance at each: the order of time → batches
//! batch → read → copies marked → judged, episodes, composed → committed → noted as done
//! ```
//!
//! What is found does not fit in memory, so it goes through in batches; while one is committed (`keeper`) the next is
//! read. The result depends neither on the borders of the batches nor on the number of threads: it equals one run over all
//! files at once, whenever they came. For that, two things are known across batches and across runs: which session owns
//! a turn that stands in several ([`transcript::Copies`]), and which files were read to their end and have not changed
//! since (`notes`).
//!
//! Killed at any moment, the next run takes up the work: a batch is noted only when its memories are safe, and a batch
//! that is done twice teaches nothing the second time.

mod batches;
mod files;
mod keeper;
mod notes;
mod project;
mod tally;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::mpsc::SyncSender;

use rayon::prelude::*;

pub use batches::Bounds;
pub use files::Source;
pub use project::{Project, Wanted};
pub use tally::{Group, Summary};

use crate::error::{Error, ErrorKind, Problem, Result};
use crate::pipeline::{self, Run, Studied};
use crate::redact::Redactor;
use crate::rules::Rules;
use crate::store::{self, Stores};
use crate::transcript::{self, Copies, Reading, Session};
use batches::batches;
use files::{File, Queue};
use keeper::{Keeper, Lesson};
use notes::{Notes, Taken};

/// What a replay is asked to do.
pub struct Request<'a> {
    /// Where to look.
    pub sources: Vec<Source>,
    /// Which sessions count.
    pub wanted: Wanted,
    /// Where the memories go.
    pub stores: Stores,
    /// Whether it writes.
    pub run: Run,
    /// The folder for what is known between runs; it can be deleted without harm.
    pub state: PathBuf,
    /// Whether files that have not changed are read again.
    pub unchanged: Unchanged,
    /// So many threads; as many as there are cores if not said.
    pub jobs: Option<NonZeroUsize>,
    /// How much is read at once; the result does not depend on it.
    pub bounds: Bounds,
    /// The rules.
    pub rules: &'a Rules,
    /// What takes secrets out.
    pub redactor: &'a Redactor,
    /// Who else learns from the sessions.
    pub beside: Option<&'a dyn Beside>,
}

/// Someone who learns from the sessions beside the stores.
pub trait Beside: Sync {
    /// Listens to a session while its texts are there; called from any thread, in any order.
    fn listen(&self, studied: &Studied);

    /// Makes what was listened to safe. The files it came from are noted as done only after that.
    ///
    /// # Errors
    /// If it cannot: then the files will be read again.
    fn keep(&self) -> Result<()>;
}

/// What happens to files that have not changed since they were read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unchanged {
    /// They are passed over.
    Skip,
    /// They are read again.
    Again,
}

/// What happens during a replay.
#[derive(Debug)]
pub enum News<'a> {
    /// Another replay is running, and is waited for.
    Waiting,
    /// So many files with so many bytes will be read.
    Found {
        /// How many files.
        files: usize,
        /// Their size.
        bytes: u64,
    },
    /// A file of so many bytes was read.
    Read(u64),
    /// A store took in what belongs to it.
    Kept(&'a Path, &'a store::Outcome),
}

/// Takes the news, from any thread.
pub type Tell<'a> = &'a (dyn Fn(News<'_>) + Sync);

/// Reads everything that was asked for, and keeps what it teaches.
///
/// # Errors
/// If the state folder cannot be written, or threads cannot be started. What goes wrong with one file or one store
/// stands in the summary.
pub fn run(request: &Request<'_>, tell: Tell<'_>) -> Result<Summary> {
    let threads = request.jobs.map_or(0, NonZeroUsize::get);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| Error::new(ErrorKind::Io, "could not start the threads").because(error))?;
    pool.install(|| replay(request, tell))
}

fn replay(request: &Request<'_>, tell: Tell<'_>) -> Result<Summary> {
    let edition = notes::edition(request.rules, request.stores.named.as_deref());
    let mut notes = match request.run {
        Run::Dry => Notes::peek(&request.state, &edition),
        Run::At(_) => Notes::open(&request.state, &edition, || tell(News::Waiting))?,
    };
    if request.unchanged == Unchanged::Again {
        notes.forget()?;
    }
    let mut keeper = Keeper::new(request, notes, tell);
    let found = files::find(&request.sources, &request.wanted);
    let (mut unchanged, fresh): (Vec<_>, Vec<_>) = found.files.into_iter().partition(|file| keeper.notes.knows(file));
    let mut work = Work { request, tell, copies: Copies::default(), summary: Summary::default() };
    work.summary.errors.extend(found.errors);
    keeper.notes.recall(&fresh, &mut work.copies);
    let mut queue = work.queue(fresh);
    loop {
        // A file read earlier, of which something turned out to be a copy since, is read again.
        let agrees = |file: &File| keeper.notes.agree(file, &work.copies);
        let (still, stale): (Vec<_>, Vec<_>) = unchanged.into_iter().partition(agrees);
        unchanged = still;
        queue.extend(work.queue(stale));
        if queue.is_empty() {
            break;
        }
        let queue = std::mem::take(&mut queue);
        keeper.beside(|give| work.go(queue, give))?;
    }
    work.summary.unchanged = unchanged.len();
    Ok(work.summary.and(keeper.finish()))
}

/// A file and what was in it.
type Opened = (File, Result<Reading>);

/// Reads the files of a batch side by side.
fn read(batch: Vec<File>, tell: Tell<'_>) -> Vec<Opened> {
    let read = batch.into_par_iter().map(|file| {
        let reading = transcript::read(&file.path);
        tell(News::Read(file.stamp.size));
        (file, reading)
    });
    read.collect()
}

/// A replay under way.
struct Work<'a> {
    request: &'a Request<'a>,
    tell: Tell<'a>,
    copies: Copies,
    /// What became of the files; what was learned is counted where it is kept.
    summary: Summary,
}

impl Work<'_> {
    /// Files in the order of time.
    fn queue(&mut self, files: Vec<File>) -> Vec<File> {
        let Queue { files, errors } = files::in_time(files, self.request.bounds, &mut self.copies);
        for (file, error) in errors {
            self.fail(&file, error);
        }
        files
    }

    /// Reads and learns, a batch at a time; the next one is read meanwhile.
    fn go(&mut self, queue: Vec<File>, give: &SyncSender<Lesson>) {
        let tell = self.tell;
        tell(News::Found { files: queue.len(), bytes: queue.iter().map(|file| file.stamp.size).sum() });
        let mut rest = batches(queue, self.request.bounds).into_iter();
        let mut batch = rest.next().map(|batch| read(batch, tell));
        while let Some(now) = batch {
            let (next, lesson) = rayon::join(|| rest.next().map(|batch| read(batch, tell)), || self.learn(now));
            if give.send(lesson).is_err() {
                // The keeper has stopped, and says why.
                break;
            }
            batch = next;
        }
    }

    /// Takes in one batch: all of its copies are known before any session is judged.
    fn learn(&mut self, batch: Vec<Opened>) -> Lesson {
        let mut taken = Vec::new();
        let mut sessions: Vec<(usize, Session, u32)> = Vec::new();
        for (file, reading) in batch {
            match reading {
                Ok(reading) => {
                    self.summary.problems.extend(reading.problems);
                    self.summary.files += 1;
                    self.summary.bytes += file.stamp.size;
                    let numbered = files::numbered(reading.sessions);
                    sessions.extend(numbered.into_iter().map(|(session, nth)| (taken.len(), session, nth)));
                    taken.push(Taken::new(file));
                }
                Err(error) => self.fail(&file, error),
            }
        }
        for (_, session, nth) in &sessions {
            self.copies.note(session, *nth);
        }
        let mut kept = Vec::new();
        for (at, mut session, nth) in sessions {
            let Some(of) = taken.get_mut(at) else { continue };
            of.sketches.push(self.copies.mark(&mut session, nth));
            if self.request.wanted.takes(&session) {
                kept.push(session);
            } else {
                // Not all of it was learned from: a later run has to read it again.
                of.is_whole = false;
            }
        }
        let studied = kept.into_par_iter().map(|session| slim(session, self.request)).collect();
        Lesson { studied, taken }
    }

    /// A file that is no transcript is a problem among others in a folder, an error if it was named itself, and nothing
    /// to speak of in a product's home, where it keeps much else.
    fn fail(&mut self, file: &File, error: Error) {
        let is_stranger = error.kind() == ErrorKind::UnknownFormat;
        match file.origin {
            files::Origin::Home if is_stranger => self.summary.strangers += 1,
            files::Origin::Folder if is_stranger => {
                let what = "is no transcript in a known format; skipped".to_owned();
                self.summary.problems.push(Problem { path: file.path.clone(), line: None, what });
            }
            _ => self.summary.errors.push(error),
        }
    }
}

/// Judges a session and lets go of its texts: what it proposes is small. Gives how many human turns it has, too.
fn slim(session: Session, request: &Request<'_>) -> (Studied, usize) {
    let mut studied = pipeline::study(session, request.rules, request.redactor);
    request.beside.iter().for_each(|beside| beside.listen(&studied));
    let human_turns = studied.judgements.len();
    (studied.judgements, studied.episodes) = (Vec::new(), Vec::new());
    // How many turns there are and when they were is still asked for.
    for turn in &mut studied.session.turns {
        (turn.text, turn.record) = (String::new(), None);
    }
    (studied, human_turns)
}
