//! The desk at which everything that was ever said is laid down in the order of time: DESIGN 3.6 as one fold.
//!
//! It always begins empty, but for the memories that no candidate accounts for. So the outcome cannot depend on the
//! order in which sessions were read.

mod named;

use std::collections::{BTreeSet, HashMap, HashSet};

use super::Comparison::{self, Distinct, Duplicate, Supersede};
use super::decision::{Act, Memory, Op, Origin, Standing};
use super::index::Index;
use super::judge::judge_related;
use super::known::{Command, Found, Hand, Known, Moment, Place, Position, place};
use super::naming::Naming;
use super::reading::Reading;
use crate::memory::{Candidate, Evidence, Id, Intent, Kind, Ttl};

/// A memory on the desk, there or gone.
pub(crate) struct Item {
    pub(crate) memory: Memory,
    said: Moment,
    places: BTreeSet<Place>,
    since: Position,
    state: State,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum State {
    Held(Hand),
    /// A statement or command of that moment made it leave.
    Left(Moment),
    Deleted,
}

/// A candidate as it is laid down.
pub(crate) struct Entry<'a> {
    pub(crate) candidate: &'a Candidate,
    pub(crate) moment: Moment,
    /// When it came to the store.
    pub(crate) arrived: Position,
    /// The id it would give a memory.
    pub(crate) own: Id,
}

/// What became of an entry when it was laid down; later entries may have changed that.
pub(crate) struct Verdict {
    pub(crate) op: Op,
    /// The memory it became or confirmed, or that kept it out.
    pub(crate) item: Option<usize>,
    pub(crate) reason: String,
}

/// What has been laid down so far.
pub(crate) struct Desk<'a> {
    pub(crate) items: Vec<Item>,
    pub(crate) acts: Vec<Act>,
    hands: &'a HashMap<Id, Found>,
    /// A reading and the number of its item.
    readings: Vec<(usize, Reading)>,
    index: Index,
    naming: Naming,
    /// The items by every id that one of their statements would have given them.
    named: HashMap<Id, Vec<usize>>,
    taken: HashSet<String>,
}

/// Why an entry stays out, and because of which item.
type Bar = (usize, &'static str);

impl<'a> Desk<'a> {
    /// A desk with nothing on it but what no entry accounts for.
    pub(crate) fn new(known: &'a Known, entries: &[Entry<'_>]) -> Self {
        let mut desk = Self {
            items: Vec::new(),
            acts: Vec::new(),
            hands: &known.hands,
            readings: Vec::new(),
            index: Index::default(),
            naming: Naming::default(),
            named: HashMap::new(),
            taken: known.taken.clone(),
        };
        for found in &known.found {
            desk.place_found(found);
        }
        // The hand wins over a statement that was withdrawn since.
        let accounted: HashSet<&Id> = entries.iter().map(|entry| &entry.own).collect();
        let mut orphans: Vec<&Found> = known.hands.values().filter(|found| !accounted.contains(&found.id)).collect();
        orphans.sort_by(|one, other| one.id.cmp(&other.id));
        for found in orphans {
            desk.place_found(found);
        }
        desk
    }

    fn place_found(&mut self, found: &Found) {
        let state = match found.hand {
            Hand::Deleted => State::Deleted,
            hand => State::Held(hand),
        };
        let memory = Memory {
            id: found.id.clone(),
            kind: found.kind,
            created: found.said.time,
            ttl: found.ttl,
            expires: found.expires,
            supersedes: Vec::new(),
            body: found.body.clone(),
            evidence: Vec::new(),
            origin: Origin::Found,
            standing: Standing::Held,
            act: None,
        };
        let item = Item { memory, said: found.said.clone(), places: BTreeSet::new(), since: found.since, state };
        self.add(item, Reading::new(&found.body));
    }

    fn add(&mut self, item: Item, reading: Reading) -> usize {
        let at = self.items.len();
        self.named.entry(item.memory.id.clone()).or_default().push(at);
        self.items.push(item);
        let number = u32::try_from(self.readings.len()).unwrap_or(u32::MAX);
        self.index.add(number, &reading);
        self.naming.add(number, &reading);
        self.readings.push((at, reading));
        at
    }

    /// Lays down one candidate, which is the newest so far.
    pub(crate) fn lay(&mut self, entry: &Entry<'_>) -> Verdict {
        self.acts.push(Act::default());
        match entry.candidate.intent {
            Intent::Pending => Verdict { op: Op::Pending, item: None, reason: entry.candidate.reason.clone() },
            Intent::Forget => self.forget(entry),
            Intent::Keep => self.keep(entry),
        }
    }

    /// Carries out what the person asked for by name.
    pub(crate) fn obey(&mut self, command: &Command) {
        let mut act = Act::default();
        let now = self.acts.len();
        for at in self.called(&command.away) {
            if self.is_held(at) {
                self.leave(at, &command.said, now);
                act.left.push(at);
            }
        }
        for at in self.called(&command.back) {
            if matches!(self.items[at].state, State::Left(_)) {
                self.items[at].state = State::Held(Hand::Untouched);
                self.items[at].memory.act = Some(now);
                act.came.push(at);
            }
        }
        self.acts.push(act);
    }

    /// The items of these ids, each once. An id may have been found again after it had left.
    fn called(&self, ids: &[Id]) -> Vec<usize> {
        let items: BTreeSet<usize> = ids.iter().filter_map(|id| self.named.get(id)).flatten().copied().collect();
        items.into_iter().collect()
    }

    fn keep(&mut self, entry: &Entry<'_>) -> Verdict {
        let reading = Reading::new(&entry.candidate.body);
        let named = self.named(entry);
        let mut related = self.related(entry, &reading);
        related.retain(|(at, _)| !named.contains(at));
        if let Some((at, reason)) = self.bar(entry, &related) {
            return Verdict { op: Op::Skip, item: Some(at), reason: reason.to_owned() };
        }
        let held = |verdict: Comparison| {
            related.iter().filter(move |(_, v)| *v == verdict).map(|(at, _)| *at).filter(|&at| self.is_held(at))
        };
        // The last statement of a content stands for it; more than one only if the person made them.
        if let Some(at) = held(Duplicate).max_by(|&a, &b| self.items[a].said.cmp(&self.items[b].said)) {
            self.dismiss(entry, named);
            return self.confirm(entry, at);
        }
        let of: Vec<usize> = named.iter().copied().chain(held(Supersede)).collect();
        self.create(entry, reading, of)
    }

    /// All items that are not distinct from the new reading, each with the firmest verdict.
    fn related(&self, entry: &Entry<'_>, reading: &Reading) -> Vec<(usize, Comparison)> {
        let mut related: Vec<(usize, Comparison)> = Vec::new();
        for number in self.index.related(reading) {
            let Some((at, old)) = self.readings.get(number as usize) else {
                continue;
            };
            let item = &self.items[*at];
            if item.since >= entry.arrived {
                continue;
            }
            // What was found may be newer than the statement: then it is the newer one of the pair.
            let newer = entry.moment < item.said;
            let verdict = if newer { judge_related(reading, old) } else { judge_related(old, reading) };
            // Across kinds only the same content counts: a rule is never both profile and playbook.
            let counts = verdict == Duplicate || (verdict == Supersede && item.memory.kind == entry.candidate.kind);
            if counts && verdict != Distinct {
                related.push((*at, verdict));
            }
        }
        related
    }

    fn is_held(&self, at: usize) -> bool {
        matches!(self.items[at].state, State::Held(_))
    }

    /// What keeps an entry out: the person's hand, or that it has been dealt with.
    fn bar(&self, entry: &Entry<'_>, related: &[(usize, Comparison)]) -> Option<Bar> {
        let evidence = &entry.candidate.evidence;
        let says_anew = |item: &Item| evidence.iter().any(|evidence| !item.places.contains(&place(evidence)));
        let by_hand = evidence.first().is_some_and(Evidence::is_by_hand);
        let there = related.iter().any(|&(at, verdict)| verdict == Duplicate && self.is_held(at));
        related.iter().find_map(|&(at, verdict)| {
            let item = &self.items[at];
            let reason = match (&item.state, verdict) {
                (State::Held(Hand::Edited), _) => "edited by hand",
                // The hand that deleted it may write it again.
                (State::Deleted, Duplicate) if by_hand || there => return None,
                (State::Deleted, Duplicate) => "deleted by hand",
                (State::Left(_), Duplicate) if !says_anew(item) => "dealt with before",
                (State::Left(left), Duplicate) if entry.moment < *left => "a newer statement took its place",
                // What left does not speak against what is there again.
                (State::Left(_) | State::Deleted, Supersede) if there => return None,
                (_, Supersede) if entry.moment < item.said => "a newer statement says otherwise",
                _ => return None,
            };
            Some((at, reason))
        })
    }

    fn confirm(&mut self, entry: &Entry<'_>, at: usize) -> Verdict {
        let candidate = entry.candidate;
        let item = &mut self.items[at];
        let fresh: Vec<Evidence> =
            candidate.evidence.iter().filter(|evidence| item.places.insert(place(evidence))).cloned().collect();
        let reason = if fresh.is_empty() { "known already" } else { "said again" };
        item.memory.evidence.extend(fresh);
        item.said = item.said.clone().max(entry.moment.clone());
        if item.memory.kind == Kind::Profile && candidate.kind == Kind::Profile {
            item.memory.ttl = item.memory.ttl.max(candidate.ttl);
            // `None` is for ever on either side.
            let last = |day: chrono::NaiveDate| Some(day.max(candidate.ttl.expiry(candidate.said_at)?));
            item.memory.expires = item.memory.expires.and_then(last);
        }
        self.call(at, &entry.own);
        if let Some(act) = self.acts.last_mut() {
            act.confirmed = Some(at);
        }
        Verdict { op: Op::Confirm, item: Some(at), reason: reason.to_owned() }
    }

    /// Lets an item be called by another id too. What hands did to a file of that id they did to this memory.
    fn call(&mut self, at: usize, id: &Id) {
        let items = self.named.entry(id.clone()).or_default();
        if !items.contains(&at) {
            items.push(at);
        }
        self.mark(at, id);
    }

    fn mark(&mut self, at: usize, id: &Id) {
        let item = &mut self.items[at];
        if item.memory.origin == Origin::Found {
            return;
        }
        let Some(found) = self.hands.get(id) else {
            return;
        };
        match found.hand {
            Hand::Edited => {
                item.memory.id = id.clone();
                item.said = item.said.clone().max(found.said.clone());
                item.state = State::Held(Hand::Edited);
            }
            Hand::Deleted => item.state = State::Deleted,
            Hand::Untouched => {}
        }
    }

    fn create(&mut self, entry: &Entry<'_>, reading: Reading, of: Vec<usize>) -> Verdict {
        let candidate = entry.candidate;
        let now = self.acts.len() - 1;
        let id = self.free_id(entry);
        for &at in &of {
            self.leave(at, &entry.moment, now);
        }
        let mut supersedes: Vec<Id> = Vec::new();
        for &at in &of {
            let left = &self.items[at].memory.id;
            if !supersedes.contains(left) {
                supersedes.push(left.clone());
            }
        }
        let ttl = match candidate.kind {
            Kind::Profile => candidate.ttl,
            Kind::Playbook => Ttl::Infinity,
        };
        let memory = Memory {
            id: id.clone(),
            kind: candidate.kind,
            created: candidate.said_at,
            ttl,
            expires: ttl.expiry(candidate.said_at),
            supersedes,
            body: candidate.body.clone(),
            evidence: candidate.evidence.clone(),
            origin: Origin::Said(candidate.slug.clone()),
            standing: Standing::Held,
            act: Some(now),
        };
        let op = if of.is_empty() { Op::Create } else { Op::Supersede };
        let item = Item {
            memory,
            said: entry.moment.clone(),
            places: candidate.evidence.iter().map(place).collect(),
            since: 0,
            state: State::Held(Hand::Untouched),
        };
        let at = self.add(item, reading);
        self.mark(at, &id);
        self.acts[now] = Act { came: vec![at], left: of, confirmed: None };
        Verdict { op, item: Some(at), reason: candidate.reason.clone() }
    }

    fn leave(&mut self, at: usize, said: &Moment, act: usize) {
        let item = &mut self.items[at];
        item.state = State::Left(said.clone());
        item.memory.act = Some(act);
    }

    fn free_id(&mut self, entry: &Entry<'_>) -> Id {
        let candidate = entry.candidate;
        let mut id = entry.own.clone();
        let mut seed = 0;
        while !self.taken.insert(id.suffix().to_owned()) {
            seed += 1;
            id = Id::derive(candidate.kind, &candidate.body, candidate.evidence.first(), seed);
        }
        id
    }

    fn forget(&mut self, entry: &Entry<'_>) -> Verdict {
        let asked = Reading::new(&entry.candidate.body);
        let reading = |number: u32| self.readings.get(number as usize).map(|(_, reading)| reading);
        let numbers = self.naming.named(&asked, reading);
        let named: BTreeSet<usize> = numbers
            .into_iter()
            .filter_map(|number| self.readings.get(number as usize).map(|(at, _)| *at))
            .filter(|&at| self.is_held(at) && self.items[at].since < entry.arrived)
            .filter(|&at| self.items[at].said < entry.moment)
            .collect();
        let vague = asked.words().count() == 0 && asked.subject.is_none();
        if vague || named.len() > MANY {
            let reason = if vague { "names nothing" } else { "names too many memories to be meant" };
            return Verdict { op: Op::Skip, item: None, reason: reason.to_owned() };
        }
        let now = self.acts.len() - 1;
        let left: Vec<usize> = named.into_iter().collect();
        for &at in &left {
            self.leave(at, &entry.moment, now);
        }
        self.acts[now].left = left;
        Verdict { op: Op::Forget, item: None, reason: entry.candidate.reason.clone() }
    }

    /// Every memory as it stands in the end.
    pub(crate) fn clear(self) -> (Vec<Memory>, Vec<Act>) {
        let memories = self.items.into_iter().map(|item| {
            let standing = match item.state {
                State::Held(Hand::Edited) => Standing::Edited,
                State::Held(_) => Standing::Held,
                State::Left(_) | State::Deleted => Standing::Gone,
            };
            Memory { standing, ..item.memory }
        });
        (memories.collect(), self.acts)
    }
}

/// More memories than this are not what "forget X" means; the person can name them more closely.
const MANY: usize = 5;

impl<'a> Entry<'a> {
    /// A candidate that came to the store at `arrived`.
    pub(crate) fn new(candidate: &'a Candidate, arrived: Position) -> Self {
        let own = Id::derive(candidate.kind, &candidate.body, candidate.evidence.first(), 0);
        Self { candidate, moment: Moment::of(candidate), arrived, own }
    }
}
