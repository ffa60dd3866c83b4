//! Feeding the home: from `extract`, the hooks' worker and `replay` alike.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use chrono::Utc;

use crate::cli::sync::in_step;
use crate::error::{Error, Problem, Result};
use crate::experience::folder::{self, FOLDER};
use crate::experience::{self, Heard};
use crate::pipeline::Studied;
use crate::redact::Redactor;
use crate::replay::Beside;

/// Feeds sessions into the home, where it is switched on; what they teach is listened to before their texts go.
pub(in crate::cli) struct Feed {
    root: PathBuf,
    /// The person's home folder.
    home: PathBuf,
    redactor: &'static Redactor,
    heard: Mutex<Vec<Heard>>,
    /// What was left out, by runs that feed more than once.
    left_out: Mutex<(Vec<Problem>, Vec<Error>)>,
}

impl Feed {
    /// The feed of the person with this home folder; nothing where the home is not switched on.
    pub(in crate::cli) fn of(home: Option<&Path>, redactor: &'static Redactor) -> Option<Self> {
        let home = home?.to_path_buf();
        let root = home.join(FOLDER);
        let (heard, left_out) = (Mutex::default(), Mutex::default());
        folder::is_on(&root).then_some(Self { root, home, redactor, heard, left_out })
    }

    /// What all the sessions have for the home.
    pub(in crate::cli) fn hear(&self, sessions: &[Studied]) {
        sessions.iter().for_each(|studied| self.listen(studied));
    }

    /// Writes what was heard, and brings the files up to date that the person agreed to. Gives what was left out.
    pub(in crate::cli) fn write(&self) -> Result<(Vec<Problem>, Vec<Error>)> {
        let now = Utc::now();
        let heard = std::mem::take(&mut *self.heard.lock().unwrap_or_else(PoisonError::into_inner));
        if heard.is_empty() {
            return Ok((Vec::new(), Vec::new()));
        }
        let fed = folder::change(&self.root, |read| experience::feed(&mut read.home, heard.clone(), now))?;
        Ok((fed.1, in_step(&self.root, now)?))
    }

    /// What was left out by every [`Beside::keep`], each once.
    pub(in crate::cli) fn left_out(self) -> (Vec<Problem>, Vec<Error>) {
        let (mut problems, mut errors) = self.left_out.into_inner().unwrap_or_else(PoisonError::into_inner);
        problems.sort_by(|one, other| (&one.path, one.line, &one.what).cmp(&(&other.path, other.line, &other.what)));
        problems.dedup();
        errors.sort_by_key(Error::to_string);
        errors.dedup_by_key(|error| error.to_string());
        (problems, errors)
    }
}

impl Beside for Feed {
    fn listen(&self, studied: &Studied) {
        let heard = experience::hear(&studied.session, &studied.candidates, Some(&self.home), self.redactor);
        if heard != Heard::default() {
            self.heard.lock().unwrap_or_else(PoisonError::into_inner).push(heard);
        }
    }

    fn keep(&self) -> Result<()> {
        let (problems, errors) = self.write()?;
        let mut left_out = self.left_out.lock().unwrap_or_else(PoisonError::into_inner);
        left_out.0.extend(problems);
        left_out.1.extend(errors);
        Ok(())
    }
}
