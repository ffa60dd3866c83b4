//! The keeper: takes what the batches teach into the stores, while the next ones are read.
//!
//! A commit waits for the disk, so it has a thread of its own. Whatever was learned meanwhile goes into the next commit:
//! the slower the disk, the fewer commits.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use super::notes::{Notes, Taken};
use super::tally::Summary;
use super::{Beside, News, Request, Tell};
use crate::error::Result;
use crate::pipeline::{self, Run, Studied};

/// Batches that may wait for the keeper; their texts are gone by then.
const WAITING: usize = 8;

/// What one batch teaches.
pub(super) struct Lesson {
    /// The sessions, and how many human turns each has.
    pub(super) studied: Vec<(Studied, usize)>,
    /// The files they were in.
    pub(super) taken: Vec<Taken>,
}

/// Takes in lessons.
pub(super) struct Keeper<'a> {
    request: &'a Request<'a>,
    tell: Tell<'a>,
    pub(super) notes: Notes,
    pub(super) summary: Summary,
    /// Of a dry run all that would be kept: what one batch proposes is compared with what the others do.
    dry: Vec<Studied>,
}

impl<'a> Keeper<'a> {
    pub(super) fn new(request: &'a Request<'a>, notes: Notes, tell: Tell<'a>) -> Self {
        Self { request, tell, notes, summary: Summary::default(), dry: Vec::new() }
    }

    /// Takes in what `teach` gives to its second argument, on a thread of its own.
    pub(super) fn beside(&mut self, teach: impl FnOnce(&SyncSender<Lesson>)) -> Result<()> {
        let (give, lessons) = sync_channel(WAITING);
        thread::scope(|scope| {
            let keeping = scope.spawn(move || self.take(lessons));
            teach(&give);
            drop(give);
            keeping.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }

    fn take(&mut self, lessons: Receiver<Lesson>) -> Result<()> {
        while let Ok(mut lesson) = lessons.recv() {
            for more in lessons.try_iter() {
                lesson.studied.extend(more.studied);
                lesson.taken.extend(more.taken);
            }
            lesson.studied.iter().for_each(|(one, human_turns)| self.summary.studied(one, *human_turns));
            let studied = lesson.studied.into_iter().map(|(one, _)| one);
            if let Run::Dry = self.request.run {
                self.dry.extend(studied);
            } else if self.keep(studied.collect()) {
                // What a store could not take in must be read again.
                self.notes.add(lesson.taken)?;
            }
        }
        Ok(())
    }

    /// Commits, and says whether everyone took what belongs to them.
    fn keep(&mut self, studied: Vec<Studied>) -> bool {
        let mut all = true;
        for (store, outcome) in pipeline::keep(studied, &self.request.stores, self.request.run) {
            match outcome {
                Ok(outcome) => {
                    (self.tell)(News::Kept(&store, &outcome));
                    self.summary.kept(&outcome.plan);
                    self.summary.problems.extend(outcome.problems);
                }
                Err(error) => {
                    all = false;
                    self.summary.errors.push(error);
                }
            }
        }
        let beside = self.request.beside.filter(|_| matches!(self.request.run, Run::At(_)));
        if let Some(Err(error)) = beside.map(Beside::keep) {
            all = false;
            self.summary.errors.push(error);
        }
        all
    }

    /// Ends the replay.
    pub(super) fn finish(mut self) -> Summary {
        let dry = std::mem::take(&mut self.dry);
        self.keep(dry);
        self.summary
    }
}
