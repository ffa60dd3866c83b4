//! What a replay did, in numbers: by host and project, and in all.

use std::collections::{BTreeMap, HashMap};

use super::project::Project;
use crate::error::{Error, Problem};
use crate::pipeline::{Counts, Studied};
use crate::reconcile::Plan;
use crate::transcript::Host;

/// What a replay did.
#[derive(Debug, Default)]
pub struct Summary {
    /// By host and project.
    pub groups: BTreeMap<Group, Counts>,
    /// Files that were read.
    pub files: usize,
    /// Their size.
    pub bytes: u64,
    /// Files that have not changed since they were read, and were passed over.
    pub unchanged: usize,
    /// Files in the homes of the products that are no transcripts.
    pub strangers: usize,
    /// Lines and records that were skipped, in the order of files.
    pub problems: Vec<Problem>,
    /// Files that could not be read, stores that could not be written.
    pub errors: Vec<Error>,
    /// The group of each session, by the host's name and the session's id as evidence tells them.
    of: HashMap<(String, String), Group>,
}

/// Sessions that are counted together.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Group {
    /// Who wrote them.
    pub host: Host,
    /// Where they were held.
    pub project: Project,
}

impl Summary {
    pub(super) fn studied(&mut self, studied: &Studied, human_turns: usize) {
        let session = &studied.session;
        let group = Group { host: session.host, project: Project::of(session) };
        let counts = self.groups.entry(group.clone()).or_default();
        counts.sessions += 1;
        counts.human_turns += human_turns;
        if !studied.candidates.is_empty() {
            self.of.insert((session.host.name().to_owned(), session.id.clone()), group);
        }
    }

    pub(super) fn kept(&mut self, plan: &Plan) {
        for decision in &plan.decisions {
            let evidence = decision.candidate.evidence.first();
            let group = evidence.and_then(|first| self.of.get(&(first.host.clone(), first.session.clone())));
            if let Some(counts) = group.and_then(|group| self.groups.get_mut(group)) {
                counts.count(decision);
            }
        }
    }

    /// What became of the files, and what was learned from them, together.
    pub(super) fn and(mut self, kept: Self) -> Self {
        self.problems.extend(kept.problems);
        self.errors.extend(kept.errors);
        self.groups = kept.groups;
        self.settle();
        self
    }

    fn settle(&mut self) {
        self.problems.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
    }

    /// Everything together.
    #[must_use]
    pub fn total(&self) -> Counts {
        let mut total = Counts::default();
        self.groups.values().for_each(|counts| total += *counts);
        total
    }
}
