//! What a replay did, in numbers: by host and project, and in all.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::project::Project;
use crate::error::{Error, Problem};
use crate::pipeline::Studied;
use crate::reconcile::{Decision, Op, Plan};
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

/// Sessions, and what was decided on what they propose.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Sessions.
    pub sessions: usize,
    /// Human turns.
    pub human_turns: usize,
    /// New memories.
    pub created: usize,
    /// Memories that were known already.
    pub confirmed: usize,
    /// New memories that took the place of others.
    pub superseded: usize,
    /// Corrections that have no file yet.
    pub pending: usize,
    /// Memories that were asked to be forgotten.
    pub forgotten: usize,
    /// Proposals that came to nothing.
    pub skipped: usize,
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
        self.groups.values().fold(Counts::default(), |sum, one| Counts {
            sessions: sum.sessions + one.sessions,
            human_turns: sum.human_turns + one.human_turns,
            created: sum.created + one.created,
            confirmed: sum.confirmed + one.confirmed,
            superseded: sum.superseded + one.superseded,
            pending: sum.pending + one.pending,
            forgotten: sum.forgotten + one.forgotten,
            skipped: sum.skipped + one.skipped,
        })
    }
}

impl Counts {
    fn count(&mut self, decision: &Decision) {
        match decision.op {
            Op::Create => self.created += 1,
            Op::Confirm => self.confirmed += 1,
            Op::Supersede => self.superseded += 1,
            Op::Pending => self.pending += 1,
            Op::Forget if decision.of.is_empty() => self.skipped += 1,
            Op::Forget => self.forgotten += 1,
            Op::Skip => self.skipped += 1,
        }
    }
}
