//! What a batch comes to: everything that was ever said, laid down again in the order of time.
//!
//! The store is a function of what was said and when, and of what the person's hand did. So nothing is decided once and
//! for all when it arrives: whatever comes, the whole is folded anew ([`super::desk`]), and what that changes in the
//! folders is the store's to carry out. One batch or a hundred, in order or out of it, come to the same.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap, HashSet};

use super::decision::{Account, Act, Cause, Decision, Memory, Op, Plan, Standing, Statement};
use super::desk::{Desk, Entry, Verdict};
use super::heard::{Extent, Heard, Readings, worth_noting};
use super::known::{Batch, Command, Known, Moment, NOT_YET, Position, fingerprint, identity};
use crate::memory::{Candidate, Id, Intent};

/// Decides on every candidate of a batch, and on what the store should hold with it.
#[must_use]
pub fn plan(known: &Known, batch: impl Into<Batch>) -> Plan {
    let Batch { candidates, sessions } = batch.into();
    let mut seen: HashSet<String> = known.told.iter().map(|told| told.print.clone()).collect();
    let mut arrivals: Vec<Arrival> = candidates.into_iter().map(Arrival::new).collect();
    arrivals.sort_by(|one, other| order((&one.candidate, &one.print), (&other.candidate, &other.print)));
    for arrival in &mut arrivals {
        arrival.fresh = seen.insert(arrival.print.clone());
    }

    let mut heard = heard(sessions, &arrivals);
    heard.retain(|reading| !known.unheard.contains(reading));
    let readings = Readings::new(known.heard.iter().chain(&heard));
    let asked: HashSet<&str> = arrivals.iter().map(|arrival| arrival.print.as_str()).collect();
    let Laid { verdicts, memories, acts, .. } =
        lay(known, laid(known, &arrivals, &readings), |print| asked.contains(print));
    let fresh = arrivals.iter().filter(|arrival| arrival.fresh);
    let fresh = fresh.filter_map(|arrival| Some(verdicts.get(&arrival.print)?.0)).collect();
    let outcome = Outcome { memories: &memories, acts: &acts, fresh };
    let decide = |arrival: &Arrival| outcome.decide(arrival, verdicts.get(&arrival.print));
    let decisions = arrivals.iter().map(decide).collect();
    Plan { decisions, heard: noted(known, &heard), memories, acts }
}

/// What became of everything that was ever said.
#[must_use]
pub fn account(known: &Known) -> Account {
    let readings = Readings::new(known.heard.iter());
    let Laid { mut verdicts, memories, acts, obeyed } = lay(known, laid(known, &[], &readings), |_| true);
    let mut causes: Vec<Option<Cause>> = vec![None; acts.len()];
    for (act, position) in obeyed {
        causes[act] = Some(Cause::Command(position));
    }
    let mut statements = Vec::with_capacity(known.told.len());
    for (number, told) in known.told.iter().enumerate() {
        // Withdrawn by a longer reading otherwise.
        let Some((act, verdict)) = verdicts.remove(&told.print) else {
            let reason = WITHDRAWN.to_owned();
            statements.push(Statement { op: Op::Skip, memory: None, of: Vec::new(), reason });
            continue;
        };
        causes[act] = Some(Cause::Statement(number));
        let of = match verdict.op {
            Op::Pending => verdict.could_mean,
            Op::Skip => Vec::new(),
            _ => acts[act].left.clone(),
        };
        statements.push(Statement { op: verdict.op, memory: verdict.item, of, reason: verdict.reason });
    }
    Account { memories, acts, causes: causes.into_iter().flatten().collect(), statements }
}

/// Why a statement does not count any more.
const WITHDRAWN: &str = "a longer reading of the session does not say so";

/// Everything, laid down.
struct Laid {
    /// The act and the verdict of those that were asked about, by their identity.
    verdicts: HashMap<String, (usize, Verdict)>,
    memories: Vec<Memory>,
    acts: Vec<Act>,
    /// The acts that are commands, and where the ledger tells of each.
    obeyed: Vec<(usize, Position)>,
}

/// Lays down entries and commands in the order of time.
fn lay(known: &Known, mut laid: Vec<(Entry<'_>, String)>, asked: impl Fn(&str) -> bool) -> Laid {
    laid.sort_by(|(one, first), (other, second)| order((one.candidate, first), (other.candidate, second)));
    let (entries, prints): (Vec<Entry<'_>>, Vec<String>) = laid.into_iter().unzip();
    let mut desk = Desk::new(known, &entries);
    let mut commands: Vec<&Command> = known.commands.iter().collect();
    commands.sort_by(|one, other| one.said.cmp(&other.said));
    let mut commands = commands.into_iter().peekable();
    let mut verdicts = HashMap::new();
    let mut obeyed = Vec::new();
    let mut obey = |desk: &mut Desk<'_>, command: &Command| {
        obeyed.push((desk.acts.len(), command.arrived));
        desk.obey(command);
    };
    for (entry, print) in entries.iter().zip(prints) {
        while let Some(command) = commands.next_if(|command| command.said < entry.moment) {
            obey(&mut desk, command);
        }
        let act = desk.acts.len();
        let verdict = desk.lay(entry);
        if asked(&print) {
            verdicts.insert(print, (act, verdict));
        }
    }
    commands.for_each(|command| obey(&mut desk, command));
    let (memories, acts) = desk.clear();
    Laid { verdicts, memories, acts, obeyed }
}

/// A candidate of the batch.
struct Arrival {
    candidate: Candidate,
    print: String,
    /// Whether it is the first time that it comes.
    fresh: bool,
}

impl Arrival {
    fn new(candidate: Candidate) -> Self {
        Self { print: identity(&candidate), candidate, fresh: false }
    }
}

/// The order in which candidates are laid down, each given with its identity.
fn order(one: (&Candidate, &str), other: (&Candidate, &str)) -> Ordering {
    let time = |candidate: &Candidate| (Moment::of(candidate), candidate.kind);
    let words = || fingerprint(one.0).cmp(&fingerprint(other.0));
    time(one.0).cmp(&time(other.0)).then_with(words).then_with(|| one.1.cmp(other.1))
}

/// The sessions of the batch with what they proposed.
fn heard(mut sessions: Vec<Extent>, arrivals: &[Arrival]) -> Vec<Heard> {
    sessions.sort();
    sessions.dedup();
    let mut proposed: HashMap<(&str, &str), BTreeSet<String>> = HashMap::new();
    for arrival in arrivals {
        if let Some(first) = arrival.candidate.evidence.first() {
            proposed.entry((&first.host, &first.session)).or_default().insert(arrival.print.clone());
        }
    }
    let heard = sessions.into_iter().map(|extent| {
        let prints = proposed.get(&(extent.host.as_str(), extent.session.as_str())).cloned().unwrap_or_default();
        Heard { extent, prints }
    });
    heard.collect()
}

/// The readings that the ledger has to tell of.
fn noted(known: &Known, heard: &[Heard]) -> Vec<Heard> {
    let mut sessions: HashMap<(&str, &str), Vec<&Heard>> = HashMap::new();
    for known in &known.heard {
        sessions.entry((&known.extent.host, &known.extent.session)).or_default().push(known);
    }
    let noted = heard.iter().filter(|new| {
        let known = sessions.get(&(new.extent.host.as_str(), new.extent.session.as_str()));
        worth_noting(known.map_or(&[], Vec::as_slice), new)
    });
    noted.cloned().collect()
}

/// Every candidate that counts, with its identity.
fn laid<'a>(known: &'a Known, arrivals: &'a [Arrival], readings: &Readings<'_>) -> Vec<(Entry<'a>, String)> {
    let mut laid: Vec<(Entry<'_>, String)> = Vec::with_capacity(known.told.len() + arrivals.len());
    let mut doubles = HashSet::new();
    let told = known.told.iter().map(|told| {
        let entry = Entry { taken_back: told.taken_back, ..Entry::new(&told.candidate, told.arrived) };
        (entry, told.print.clone())
    });
    let fresh = arrivals.iter().filter(|arrival| arrival.fresh);
    let fresh = fresh.map(|arrival| (Entry::new(&arrival.candidate, NOT_YET), arrival.print.clone()));
    for (entry, print) in told.chain(fresh) {
        if readings.count(&print) && doubles.insert(print.clone()) {
            laid.push((entry, print));
        }
    }
    laid
}

/// Everything laid down, to tell of the batch by.
struct Outcome<'a> {
    memories: &'a [Memory],
    acts: &'a [Act],
    /// The acts of candidates that came for the first time.
    fresh: HashSet<usize>,
}

impl Outcome<'_> {
    /// What became of one candidate in the end.
    fn decide(&self, arrival: &Arrival, verdict: Option<&(usize, Verdict)>) -> Decision {
        let skip = |reason: &str| Decision {
            op: Op::Skip,
            candidate: arrival.candidate.clone(),
            id: None,
            of: Vec::new(),
            reason: reason.to_owned(),
            new: arrival.fresh,
            act: None,
        };
        let Some((act, verdict)) = verdict else {
            return Decision { new: false, ..skip(WITHDRAWN) };
        };
        let memory = verdict.item.and_then(|at| Some((at, self.memories.get(at)?)));
        let id = memory.map(|(_, memory)| memory.id.clone());
        let skip = |reason: &str| Decision { id: id.clone(), act: Some(*act), ..skip(reason) };
        let told = Decision { op: verdict.op, of: self.left(*act), ..skip(&verdict.reason) };
        match (arrival.candidate.intent, memory) {
            (Intent::Pending, _) => told,
            (Intent::Forget, _) if arrival.fresh => told,
            _ if verdict.op == Op::Skip => Decision { of: Vec::new(), ..told },
            (Intent::Keep, Some((at, memory))) => match memory.standing {
                Standing::Edited => skip("edited by hand"),
                Standing::Held if arrival.fresh => told,
                Standing::Held => Decision { op: Op::Confirm, ..skip("known already") },
                Standing::Gone if !arrival.fresh => skip("dealt with before"),
                Standing::Gone => match memory.act.filter(|&last| self.acts[last].left.contains(&at)) {
                    // What a batch itself replaces is told as it happened.
                    Some(last) if self.fresh.contains(&last) => told,
                    Some(_) => skip("a newer statement took its place"),
                    None => skip("deleted by hand"),
                },
            },
            _ => skip("dealt with before"),
        }
    }

    fn left(&self, act: usize) -> Vec<Id> {
        let left = self.acts.get(act).map_or(&[][..], |act| act.left.as_slice());
        let mut ids: Vec<Id> = Vec::new();
        for memory in left.iter().filter_map(|&at| self.memories.get(at)) {
            if !ids.contains(&memory.id) {
                ids.push(memory.id.clone());
            }
        }
        ids
    }
}
