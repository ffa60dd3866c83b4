//! A store in numbers.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;

use crate::memory::Kind;
use crate::reconcile::{Hand, Known};
use crate::store::ledger::{Did, Event};

/// A store in numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Stats {
    /// Profiles that are there.
    pub profiles: usize,
    /// Playbooks that are there.
    pub playbooks: usize,
    /// Of the memories that are there, those that the person edited.
    pub edited: usize,
    /// Profiles by the word of their TTL.
    pub by_ttl: BTreeMap<&'static str, usize>,
    /// Profiles whose last day has passed; a sweep removes them.
    pub expired: usize,
    /// Profiles whose last day comes within a week.
    pub expiring: usize,
    /// What waits for the person's word.
    pub waiting: usize,
    /// Sessions that taught something or were asked to.
    pub sessions: usize,
    /// What was done, by the word that the ledger has for it.
    pub done: BTreeMap<String, usize>,
    /// When the oldest memory that is there was first said.
    pub oldest: Option<DateTime<Utc>>,
    /// When the newest one was.
    pub newest: Option<DateTime<Utc>>,
    /// When the store was last written.
    pub written: Option<DateTime<Utc>>,
    /// Files and ledger lines that could not be understood.
    pub problems: usize,
}

/// Counts a store; `waiting` is the number of [`crate::store::pending`].
#[must_use]
pub fn stats(known: &Known, history: &[Event], waiting: usize, today: NaiveDate) -> Stats {
    let mut stats = Stats { waiting, problems: known.problems.len(), ..Stats::default() };
    for held in &known.held {
        match held.kind {
            Kind::Profile => {
                stats.profiles += 1;
                *stats.by_ttl.entry(held.ttl.word()).or_default() += 1;
            }
            Kind::Playbook => stats.playbooks += 1,
        }
        stats.edited += usize::from(held.hand == Hand::Edited);
        let left = held.expires.map(|last| (last - today).num_days());
        stats.expired += usize::from(left.is_some_and(|days| days < 0));
        stats.expiring += usize::from(left.is_some_and(|days| (0..=7).contains(&days)));
    }
    stats.oldest = known.held.iter().map(|held| held.created).min();
    stats.newest = known.held.iter().map(|held| held.created).max();
    stats.written = history.iter().map(|event| event.at).max();
    let evidence = history.iter().flat_map(|event| &event.evidence).map(|e| (e.host.as_str(), e.session.as_str()));
    let heard = history.iter().filter_map(|event| event.heard.as_ref());
    let heard = heard.map(|heard| (heard.extent.host.as_str(), heard.extent.session.as_str()));
    let own = [crate::memory::Evidence::HAND, crate::memory::Evidence::TOOL, crate::memory::Evidence::IMPORT];
    stats.sessions = evidence.chain(heard).filter(|(host, _)| !own.contains(host)).collect::<BTreeSet<_>>().len();
    for event in history.iter().filter(|event| !matches!(event.event, Did::Done | Did::Read | Did::Unknown)) {
        let word = serde_json::to_value(event.event).ok().and_then(|word| word.as_str().map(str::to_owned));
        *stats.done.entry(word.unwrap_or_default()).or_default() += 1;
    }
    stats
}
