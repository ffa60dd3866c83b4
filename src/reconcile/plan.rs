//! What is to be done with each candidate: DESIGN 3.6 as one function.
//!
//! Candidates are taken in the order in which they were said, and each sees what the ones before it decided, so a
//! batch means the same as one run for each of its statements, whatever the order of the sources.

use std::collections::{BTreeSet, HashSet};

use super::Comparison::{self, Distinct, Duplicate, Supersede};
use super::decision::{Decision, Op, Plan};
use super::index::Index;
use super::judge::judge_related;
use super::known::{Forgotten, Hand, Known, Moment, Parting, Place, fingerprint, place};
use super::reading::Reading;
use crate::memory::{Candidate, Id, Intent, Kind, Ttl};

/// Decides on every candidate.
#[must_use]
pub fn plan(known: &Known, mut candidates: Vec<Candidate>) -> Plan {
    candidates.sort_by_cached_key(|candidate| {
        let moment = Moment::of(candidate);
        (moment, candidate.kind, fingerprint(candidate))
    });
    let mut desk = Desk::new(known);
    let decisions = candidates.into_iter().map(|candidate| desk.decide(candidate));
    Plan { decisions: decisions.collect() }
}

/// A memory as the desk sees it, there or gone.
struct Item {
    id: Id,
    kind: Kind,
    said: Moment,
    places: BTreeSet<Place>,
    ttl: Ttl,
    state: State,
}

#[derive(Clone, PartialEq, Eq)]
enum State {
    Held(Hand),
    Gone(Parting),
}

/// What has been decided so far.
struct Desk {
    items: Vec<Item>,
    /// A reading and the number of its item; an edited memory has two.
    readings: Vec<(usize, Reading)>,
    index: Index,
    forgotten: Vec<(Forgotten, Reading)>,
    seen: HashSet<String>,
    taken: HashSet<String>,
}

/// Why a candidate stays out, and because of which memory.
type Bar = (usize, &'static str);

impl Desk {
    fn new(known: &Known) -> Self {
        let mut desk = Self {
            items: Vec::with_capacity(known.held.len() + known.gone.len()),
            readings: Vec::with_capacity(known.held.len() + known.gone.len()),
            index: Index::default(),
            forgotten: Vec::new(),
            seen: known.seen.clone(),
            taken: known.taken.clone(),
        };
        for held in &known.held {
            let at = desk.items.len();
            desk.items.push(Item {
                id: held.id.clone(),
                kind: held.kind,
                said: held.said.clone(),
                places: held.places.clone(),
                ttl: held.ttl,
                state: State::Held(held.hand),
            });
            desk.file(at, Reading::new(&held.body));
            if let Some(written) = &held.written {
                desk.file(at, Reading::new(written));
            }
        }
        for gone in &known.gone {
            let at = desk.items.len();
            desk.items.push(Item {
                id: gone.id.clone(),
                kind: gone.kind,
                said: gone.said.clone(),
                places: gone.places.clone(),
                ttl: Ttl::Infinity,
                state: State::Gone(gone.parting.clone()),
            });
            desk.file(at, Reading::new(&gone.body));
        }
        for forgotten in &known.forgotten {
            let reading = Reading::new(&forgotten.body);
            desk.forgotten.push((forgotten.clone(), reading));
        }
        desk
    }

    fn file(&mut self, at: usize, reading: Reading) {
        let number = u32::try_from(self.readings.len()).unwrap_or(u32::MAX);
        self.index.add(number, &reading);
        self.readings.push((at, reading));
    }

    fn decide(&mut self, candidate: Candidate) -> Decision {
        let print = fingerprint(&candidate);
        let new = self.seen.insert(print);
        match candidate.intent {
            Intent::Pending => {
                Decision { op: Op::Pending, id: None, of: Vec::new(), reason: candidate.reason.clone(), candidate, new }
            }
            Intent::Forget => self.forget(candidate, new),
            Intent::Keep => self.keep(candidate),
        }
    }

    fn keep(&mut self, candidate: Candidate) -> Decision {
        let reading = Reading::new(&candidate.body);
        let moment = Moment::of(&candidate);
        let related = self.related(candidate.kind, &reading, &moment);
        if let Some((at, reason)) = self.bar(&candidate, &moment, &reading, &related) {
            return self.skip(candidate, at, reason);
        }
        let held = |verdict: Comparison| {
            related.iter().filter(move |(_, v)| *v == verdict).map(|(at, _)| *at).filter(|&at| self.is_held(at))
        };
        // The last statement of a content stands for it; more than one only if the person made them.
        if let Some(at) = held(Duplicate).max_by(|&a, &b| self.items[a].said.cmp(&self.items[b].said)) {
            return self.confirm(candidate, at, moment);
        }
        let of: Vec<usize> = held(Supersede).collect();
        self.create(candidate, reading, moment, &of)
    }

    /// All memories that are not distinct from the new reading, each with the firmest verdict.
    fn related(&self, kind: Kind, reading: &Reading, moment: &Moment) -> Vec<(usize, Comparison)> {
        let mut related: Vec<(usize, Comparison)> = Vec::new();
        for number in self.index.related(reading) {
            let Some((at, old)) = self.readings.get(number as usize) else {
                continue;
            };
            // The order of time, not that of runs: a late old statement is the older one of the pair.
            let verdict =
                if *moment < self.items[*at].said { judge_related(reading, old) } else { judge_related(old, reading) };
            // Across kinds only the same content counts: a rule is never both profile and playbook.
            let counts = verdict == Duplicate || (verdict == Supersede && self.items[*at].kind == kind);
            match related.iter_mut().find(|(other, _)| other == at) {
                _ if !counts || verdict == Distinct => {}
                Some((_, firmest)) if verdict == Duplicate => *firmest = Duplicate,
                Some(_) => {}
                None => related.push((*at, verdict)),
            }
        }
        related
    }

    fn is_held(&self, at: usize) -> bool {
        matches!(self.items[at].state, State::Held(_))
    }

    /// What keeps a candidate out: the person's hand, a newer statement, or that it has been dealt with.
    fn bar(
        &self,
        candidate: &Candidate,
        moment: &Moment,
        reading: &Reading,
        related: &[(usize, Comparison)],
    ) -> Option<Bar> {
        let says_anew = |item: &Item| candidate.evidence.iter().any(|evidence| !item.places.contains(&place(evidence)));
        let there = related.iter().any(|&(at, verdict)| verdict == Duplicate && self.is_held(at));
        let barred = related.iter().find_map(|&(at, verdict)| {
            let item = &self.items[at];
            let reason = match (&item.state, verdict) {
                (State::Held(Hand::Edited), _) => "edited by hand",
                (State::Gone(Parting::Deleted), Duplicate) => "deleted by hand",
                (State::Gone(Parting::Said(_)), Duplicate) if !says_anew(item) => "dealt with before",
                (State::Gone(Parting::Said(left)), Duplicate) if moment < left => "a newer statement took its place",
                // What left does not speak against what is there again.
                (State::Gone(_), Supersede) if there => return None,
                (_, Supersede) if *moment < item.said => "a newer statement says otherwise",
                _ => return None,
            };
            Some((at, reason))
        });
        let forgotten = || {
            let later = self.forgotten.iter().filter(|(forgotten, _)| *moment < forgotten.said);
            later.into_iter().any(|(_, asked)| names(asked, reading))
        };
        barred.or_else(|| forgotten().then_some((usize::MAX, "asked to be forgotten later")))
    }

    fn skip(&self, candidate: Candidate, at: usize, reason: &str) -> Decision {
        Decision {
            op: Op::Skip,
            candidate,
            id: self.items.get(at).map(|item| item.id.clone()),
            of: Vec::new(),
            reason: reason.to_owned(),
            new: false,
        }
    }

    fn confirm(&mut self, candidate: Candidate, at: usize, moment: Moment) -> Decision {
        let item = &mut self.items[at];
        let before = item.places.len();
        item.places.extend(candidate.evidence.iter().map(place));
        let new = item.places.len() > before;
        if new {
            item.said = item.said.clone().max(moment);
            item.ttl = item.ttl.max(candidate.ttl);
        }
        let reason = if new { "said again" } else { "known already" };
        Decision {
            op: Op::Confirm,
            candidate,
            id: Some(item.id.clone()),
            of: Vec::new(),
            reason: reason.to_owned(),
            new,
        }
    }

    fn create(&mut self, candidate: Candidate, reading: Reading, moment: Moment, of: &[usize]) -> Decision {
        let id = self.free_id(&candidate);
        let left: Vec<Id> = of.iter().map(|&at| self.items[at].id.clone()).collect();
        for &at in of {
            self.items[at].state = State::Gone(Parting::Said(moment.clone()));
        }
        let at = self.items.len();
        self.items.push(Item {
            id: id.clone(),
            kind: candidate.kind,
            said: moment,
            places: candidate.evidence.iter().map(place).collect(),
            ttl: candidate.ttl,
            state: State::Held(Hand::Untouched),
        });
        self.file(at, reading);
        let op = if left.is_empty() { Op::Create } else { Op::Supersede };
        Decision { op, id: Some(id), of: left, reason: candidate.reason.clone(), candidate, new: true }
    }

    fn free_id(&mut self, candidate: &Candidate) -> Id {
        let first = candidate.evidence.first();
        let mut seed = 0;
        loop {
            let id = Id::derive(candidate.kind, &candidate.body, first, seed);
            if self.taken.insert(id.suffix().to_owned()) {
                return id;
            }
            seed += 1;
        }
    }

    fn forget(&mut self, candidate: Candidate, new: bool) -> Decision {
        let asked = Reading::new(&candidate.body);
        let moment = Moment::of(&candidate);
        let mut named: Vec<usize> = self
            .readings
            .iter()
            .filter(|(at, reading)| self.is_held(*at) && self.items[*at].said < moment && names(&asked, reading))
            .map(|(at, _)| *at)
            .collect();
        named.dedup();
        let vague = asked.words().count() == 0 && asked.subject.is_none();
        if !new || vague || named.len() > MANY {
            let reason = match (new, vague) {
                (false, _) => "dealt with before",
                (_, true) => "names nothing",
                _ => "names too many memories to be meant",
            };
            return self.skip(candidate, usize::MAX, reason);
        }
        let of = named.iter().map(|&at| self.items[at].id.clone()).collect();
        for at in named {
            self.items[at].state = State::Gone(Parting::Said(moment.clone()));
        }
        let forgotten = Forgotten { body: candidate.body.clone(), said: moment };
        self.forgotten.push((forgotten, asked));
        Decision { op: Op::Forget, id: None, of, reason: candidate.reason.clone(), candidate, new }
    }
}

/// More memories than this are not what "forget X" means; the person can name them more closely.
const MANY: usize = 5;

/// Whether what someone asked to forget names a memory: every word of it stands there, or it is its very subject.
fn names(asked: &Reading, memory: &Reading) -> bool {
    let subject = asked.subject.is_some() && asked.subject == memory.subject;
    let mut words = asked.words().peekable();
    let named = words.peek().is_some() && words.all(|word| memory.words().any(|other| other == word));
    subject || named
}
