//! The desk at which everything that was ever said is laid down in the order of time: DESIGN 3.6 as one fold.
//!
//! It always begins empty, but for the memories that no candidate accounts for. So the outcome cannot depend on the
//! order in which sessions were read.

mod away;
mod bar;
mod item;
mod named;
mod rejections;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use super::Comparison::{self, Distinct, Duplicate, Supersede};
use super::decision::{Act, Memory, Op, Origin, Standing};
use super::index::Index;
use super::judge::judge_related;
use super::known::{Found, Hand, Known, Moment, NOT_YET, Place, Position, place};
use super::naming::Naming;
use super::reading::Reading;
use item::{Item, State};
use rejections::Rejections;

use crate::memory::{Candidate, Evidence, Id, Intent, Kind, Ttl};

/// A candidate as it is laid down.
pub(crate) struct Entry<'a> {
    pub(crate) candidate: &'a Candidate,
    pub(crate) moment: Moment,
    /// When it came to the store.
    pub(crate) arrived: Position,
    /// The id it would give a memory.
    pub(crate) own: Id,
    /// Whether the run that brought it was taken back.
    pub(crate) taken_back: bool,
}

/// What became of an entry when it was laid down; later entries may have changed that.
pub(crate) struct Verdict {
    pub(crate) op: Op,
    /// The memory it became or confirmed, or that kept it out.
    pub(crate) item: Option<usize>,
    /// The memories that a request to forget could mean, where it is not clear which.
    pub(crate) could_mean: Vec<usize>,
    pub(crate) reason: String,
}

impl Verdict {
    fn new(op: Op, item: Option<usize>, reason: &str) -> Self {
        Self { op, item, could_mean: Vec::new(), reason: reason.to_owned() }
    }
}

/// What has been laid down so far.
pub(crate) struct Desk<'a> {
    pub(crate) items: Vec<Item>,
    pub(crate) acts: Vec<Act>,
    hands: &'a HashMap<Id, Found>,
    /// A reading and the number of its item.
    readings: Vec<(usize, Rc<Reading>)>,
    /// The readings of all texts so far: most statements that come again come word for word.
    read: HashMap<&'a str, Rc<Reading>>,
    index: Index,
    naming: Naming,
    /// The items by every id that one of their statements would have given them.
    named: HashMap<Id, Vec<usize>>,
    taken: HashSet<String>,
    rejections: Rejections<'a>,
    /// The lines of what the person accepted in review.
    accepted: HashSet<Place>,
    /// The acts that put items together with others.
    together: HashMap<usize, usize>,
}

impl<'a> Desk<'a> {
    /// A desk with nothing on it but what no entry accounts for.
    pub(crate) fn new(known: &'a Known, entries: &[Entry<'a>]) -> Self {
        let mut desk = Self {
            items: Vec::new(),
            acts: Vec::new(),
            hands: &known.hands,
            readings: Vec::new(),
            read: HashMap::new(),
            index: Index::default(),
            naming: Naming::default(),
            named: HashMap::new(),
            taken: known.taken.clone(),
            rejections: Rejections::new(&known.rejections),
            accepted: entries.iter().filter_map(bar::accepted).collect(),
            together: HashMap::new(),
        };
        for found in &known.found {
            desk.place_found(found);
        }
        // The hand wins over a statement that was withdrawn since.
        let counting = entries.iter().filter(|entry| !entry.taken_back);
        let accounted: HashSet<&Id> = counting.map(|entry| &entry.own).collect();
        let mut orphans: Vec<&Found> = known.hands.values().filter(|found| !accounted.contains(&found.id)).collect();
        orphans.sort_by(|one, other| one.id.cmp(&other.id));
        for found in orphans {
            desk.place_found(found);
        }
        desk
    }

    fn place_found(&mut self, found: &'a Found) {
        let state = match found.hand {
            Hand::Deleted => State::Deleted(found.noticed),
            hand => State::Held(hand),
        };
        let memory = Memory {
            id: found.id.clone(),
            kind: found.kind,
            created: found.said.time,
            named: found.said.time,
            ttl: found.ttl,
            expires: found.expires,
            supersedes: Vec::new(),
            body: found.body.clone(),
            evidence: Vec::new(),
            origin: Origin::Found,
            standing: Standing::Held,
            act: None,
        };
        let item = Item {
            memory,
            said: found.said.clone(),
            edit: found.edit(),
            places: BTreeSet::new(),
            since: found.since,
            until: found.until,
            state,
            hand: Hand::Untouched,
            left: 0,
            bidden: None,
        };
        let reading = self.reading(&found.body);
        self.add(item, reading);
    }

    fn reading(&mut self, body: &'a str) -> Rc<Reading> {
        Rc::clone(self.read.entry(body).or_insert_with(|| Rc::new(Reading::new(body))))
    }

    fn add(&mut self, item: Item, reading: Rc<Reading>) -> usize {
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
    pub(crate) fn lay(&mut self, entry: &Entry<'a>) -> Verdict {
        self.acts.push(Act { said: entry.moment.time, ..Act::default() });
        match entry.candidate.intent {
            Intent::Keep if entry.taken_back => self.bury(entry),
            _ if entry.taken_back => Verdict::new(Op::Skip, None, away::TAKEN_BACK),
            Intent::Pending => Verdict::new(Op::Pending, None, &entry.candidate.reason),
            Intent::Forget => self.forget(entry),
            Intent::Keep => self.keep(entry),
        }
    }

    fn keep(&mut self, entry: &Entry<'a>) -> Verdict {
        let reading = self.reading(&entry.candidate.body);
        if bar::accepted(entry).is_none() && self.is_accepted(entry) {
            return Verdict::new(Op::Skip, None, "the person accepted it in review");
        }
        if self.rejections.bar(entry, &reading) {
            return Verdict::new(Op::Skip, None, "rejected by the person");
        }
        let named = self.named(entry);
        let mut related = self.related(entry, &reading);
        related.retain(|(at, _)| !named.contains(at));
        if let Some((at, reason)) = self.bar(entry, &related) {
            if self.says_what_a_hand_took_on(entry, at, &related) {
                self.dismiss(entry, named);
            }
            return Verdict::new(Op::Skip, Some(at), reason);
        }
        // The last statement of a content stands for it; more than one only if the person made them.
        let same = self.held(&related, Duplicate);
        if let Some(at) = same.into_iter().max_by(|&a, &b| self.items[a].said.cmp(&self.items[b].said)) {
            self.dismiss(entry, named);
            return self.confirm(entry, at);
        }
        let of = named.into_iter().chain(self.held(&related, Supersede)).collect();
        self.create(entry, reading, of)
    }

    fn held(&self, related: &[(usize, Comparison)], verdict: Comparison) -> Vec<usize> {
        let such = related.iter().filter(|(_, v)| *v == verdict).map(|(at, _)| *at);
        such.filter(|&at| self.is_held(at)).collect()
    }

    /// All items that are not distinct from the new reading, each with the firmest verdict.
    fn related(&self, entry: &Entry<'_>, reading: &Reading) -> Vec<(usize, Comparison)> {
        let mut related: Vec<(usize, Comparison)> = Vec::new();
        for number in self.index.related(reading) {
            let Some((at, old)) = self.readings.get(number as usize) else {
                continue;
            };
            let item = &self.items[*at];
            if item.since >= entry.arrived || item.until.is_some_and(|until| until <= entry.arrived) {
                continue;
            }
            // What was found may be newer than the statement: then it is the newer one of the pair.
            let newer = entry.moment < *item.said_for(entry.arrived);
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
        Verdict::new(Op::Confirm, Some(at), reason)
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
        item.edit = found.edit();
        match found.hand {
            Hand::Edited => {
                item.memory.id = id.clone();
                item.state = State::Held(Hand::Edited);
            }
            Hand::Deleted => item.state = State::Deleted(found.noticed),
            Hand::Untouched => {}
        }
    }

    fn create(&mut self, entry: &Entry<'_>, reading: Rc<Reading>, of: Vec<usize>) -> Verdict {
        let now = self.acts.len() - 1;
        for &at in &of {
            self.leave(at, (&entry.moment, entry.arrived), now);
        }
        let at = self.place_new(entry, reading, &of);
        let op = if of.is_empty() { Op::Create } else { Op::Supersede };
        self.acts[now] = Act { came: vec![at], left: of, ..self.acts[now].clone() };
        Verdict::new(op, Some(at), &entry.candidate.reason)
    }

    /// Puts a new memory on the desk, in the place of others.
    fn place_new(&mut self, entry: &Entry<'_>, reading: Rc<Reading>, of: &[usize]) -> usize {
        let candidate = entry.candidate;
        let id = self.free_id(entry);
        let mut supersedes: Vec<Id> = Vec::new();
        for &at in of {
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
            named: candidate.said_at,
            ttl,
            expires: ttl.expiry(candidate.said_at),
            supersedes,
            body: candidate.body.clone(),
            evidence: candidate.evidence.clone(),
            origin: Origin::Said(candidate.slug.clone()),
            standing: Standing::Held,
            act: Some(self.acts.len() - 1),
        };
        let item = Item {
            memory,
            said: entry.moment.clone(),
            edit: None,
            places: candidate.evidence.iter().map(place).collect(),
            since: 0,
            until: None,
            state: State::Held(Hand::Untouched),
            hand: Hand::Untouched,
            left: 0,
            bidden: None,
        };
        let at = self.add(item, reading);
        self.mark(at, &id);
        at
    }

    fn leave(&mut self, at: usize, (said, arrived): (&Moment, Position), act: usize) {
        let item = &mut self.items[at];
        item.left = arrived;
        if let State::Held(hand) = item.state {
            item.hand = hand;
        }
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

    /// Every memory as it stands in the end.
    pub(crate) fn clear(self) -> (Vec<Memory>, Vec<Act>) {
        let memories = self.items.into_iter().map(|item| {
            let standing = match item.state {
                State::Held(Hand::Edited) => Standing::Edited,
                State::Left(_) if item.is_back() => Standing::Edited,
                State::Held(_) => Standing::Held,
                State::Left(_) | State::Deleted(_) => Standing::Gone,
            };
            Memory {
                standing,
                named: item
                    .bidden
                    .as_ref()
                    .map_or(item.said_for(NOT_YET).time, |bidden| bidden.time.max(item.said_for(NOT_YET).time)),
                ..item.memory
            }
        });
        (memories.collect(), self.acts)
    }
}

impl<'a> Entry<'a> {
    /// A candidate that came to the store at `arrived`.
    pub(crate) fn new(candidate: &'a Candidate, arrived: Position) -> Self {
        let own = Id::derive(candidate.kind, &candidate.body, candidate.evidence.first(), 0);
        Self { candidate, moment: Moment::of(candidate), arrived, own, taken_back: false }
    }
}
