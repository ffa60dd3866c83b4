//! Explaining: what a store holds, where each memory comes from, and what happened to it.
//!
//! Everything here is read from the folders and the ledger together and given as plain values, for the command line and
//! whoever else shows memories. [`Archive`] reads a store once; [`why`] is its shortcut for one memory.
//!
//! Architecture invariant: nothing here decides. What a memory comes from and why it left is what reconciling says when it
//! lays everything down again ([`crate::reconcile::account`]); what happened when is what the ledger says.

mod entry;
mod happened;
mod name;
mod why;

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use chrono::{DateTime, NaiveDate, Utc};

pub use entry::{Entry, Status};
pub use happened::{Happened, History};
pub use why::{End, Other, Said, Why, because, capital, deed};

use crate::error::{Problem, Result};
use crate::memory::Id;
use crate::reconcile::{self, Account, Cause, Held, Op, Standing};
use crate::store::ledger::Event;
use crate::store::{self, Open, Past, Run, RunName, runs};

/// Explains one memory of the store at `root`. `wanted` is its id, an unambiguous beginning of it, its slug or its file.
/// `today` decides what has expired.
///
/// # Errors
/// If no memory or more than one is called so, or the store cannot be read.
pub fn why(root: &Path, wanted: &str, today: NaiveDate) -> Result<Why> {
    let archive = Archive::open(root, today)?;
    Ok(archive.why(archive.find(wanted)?))
}

/// A store with its past, read once.
#[derive(Debug)]
pub struct Archive {
    root: PathBuf,
    today: NaiveDate,
    past: Past,
    account: Account,
    runs: Vec<Run>,
    /// The number of a run by the time of its events.
    run_at: HashMap<DateTime<Utc>, usize>,
    /// The number of what is held by its id.
    held: HashMap<Id, usize>,
    /// For each memory its statements, by their number among all that was said, in the order of time.
    statements: Vec<Vec<usize>>,
}

/// The number of a memory in its [`Archive`].
pub type Number = usize;

impl Archive {
    /// Reads the store at `root`; one that is not there is empty. `today` decides what has expired.
    ///
    /// # Errors
    /// If the store is not made of plain folders that may be read.
    pub fn open(root: &Path, today: NaiveDate) -> Result<Self> {
        let past = store::past(root)?;
        let account = reconcile::account(&past.known);
        let runs = runs(&past.events);
        let run_at = (0..).zip(&runs).map(|(number, run)| (run.at, number)).collect();
        let held = (0..).zip(&past.known.held).map(|(number, held)| (held.id.clone(), number)).collect();
        let statements = statements(&past, &account);
        Ok(Self { root: root.to_path_buf(), today, past, account, runs, run_at, held, statements })
    }

    /// The store's folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// What could not be understood in the store.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.past.known.problems
    }

    /// What was done to the store, run by run, the oldest first.
    #[must_use]
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// The numbers of all memories there ever were, those of one id once: as it stands now, or stood last.
    #[must_use]
    pub fn memories(&self) -> Vec<Number> {
        let memories = &self.account.memories;
        let mut last = BTreeMap::new();
        for (number, memory) in memories.iter().enumerate() {
            let held = |number: &usize| memories[*number].standing != Standing::Gone;
            let known = last.entry(&memory.id).or_insert(number);
            if held(&number) || !held(known) {
                *known = number;
            }
        }
        let mut numbers: Vec<Number> = last.into_values().collect();
        numbers.sort_unstable();
        numbers
    }

    /// All memories of a status, in the order in which they were first said.
    #[must_use]
    pub fn entries(&self, of: impl Fn(Status) -> bool) -> Vec<Entry> {
        let mut entries: Vec<Entry> = self.memories().into_iter().map(|number| self.entry(number)).collect();
        entries.retain(|entry| of(entry.status));
        entries.sort_by(|one, other| (one.created, &one.id).cmp(&(other.created, &other.id)));
        entries
    }

    /// What waits for the person's word, in the order of time.
    #[must_use]
    pub fn pending(&self) -> Vec<Open> {
        store::waiting(&self.past.known)
    }

    /// Whether a memory has its file.
    #[must_use]
    pub fn is_there(&self, entry: &Entry) -> bool {
        self.held.contains_key(&entry.id)
    }

    /// The whole text of a memory's file, as it is or was last; `None` if it never had one.
    #[must_use]
    pub fn text(&self, number: Number) -> Option<&str> {
        self.past.pages.get(&self.account.memories[number].id).map(|page| page.text.as_str())
    }

    fn held(&self, id: &Id) -> Option<&Held> {
        self.past.known.held.get(*self.held.get(id)?)
    }

    /// What last brought a memory in or made it leave, and whether it left by that.
    fn last_act(&self, number: Number) -> Option<(Cause, bool)> {
        let at = self.account.memories[number].act?;
        let cause = self.account.causes.get(at)?;
        Some((*cause, self.account.acts.get(at)?.left.contains(&number)))
    }

    /// The event at a position of the ledger.
    fn event(&self, position: usize) -> Option<&Event> {
        self.past.events.get(position.checked_sub(1)?)
    }

    fn run_of(&self, event: &Event) -> Option<&Run> {
        self.runs.get(*self.run_at.get(&event.at)?)
    }

    /// The run of the event at a position of the ledger.
    fn run_at(&self, position: usize) -> Option<RunName> {
        Some(self.run_of(self.event(position)?)?.name)
    }
}

/// For each memory what was said for it.
fn statements(past: &Past, account: &Account) -> Vec<Vec<usize>> {
    let mut of_memory = vec![Vec::new(); account.memories.len()];
    for (number, (statement, told)) in account.statements.iter().zip(&past.known.told).enumerate() {
        let made = statement.op != Op::Skip || told.taken_back;
        if let Some(memory) = statement.memory.filter(|_| made) {
            of_memory[memory].push(number);
        }
    }
    for statements in &mut of_memory {
        statements.sort_by_key(|&told| past.known.told[told].candidate.said_at);
    }
    of_memory
}
