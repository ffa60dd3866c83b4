//! What keeps a statement out of the store.

use super::super::Comparison::{self, Duplicate, Supersede};
use super::super::known::{Place, place};
use super::{Desk, Entry, Item, State};
use crate::memory::{Evidence, Kind};

/// Why an entry stays out, and because of which item.
type Bar = (usize, &'static str);

impl Desk<'_> {
    /// What keeps an entry out: the person's hand, or that it has been dealt with.
    pub(super) fn bar(&self, entry: &Entry<'_>, related: &[(usize, Comparison)]) -> Option<Bar> {
        let evidence = &entry.candidate.evidence;
        let says_anew = |item: &Item| evidence.iter().any(|evidence| !item.places.contains(&place(evidence)));
        let by_hand = evidence.first().is_some_and(Evidence::is_by_hand);
        let there = related.iter().any(|&(at, verdict)| verdict == Duplicate && self.is_held(at));
        related.iter().find_map(|&(at, verdict)| {
            let item = &self.items[at];
            let reason = match (&item.state, verdict) {
                _ if item.is_as_edited(entry.arrived) => "edited by hand",
                // The hand that deleted it may write it again; then it is there, and said again like any other.
                (State::Deleted(gone), Duplicate) if by_hand && *gone < entry.arrived => return None,
                (State::Deleted(_), Duplicate) if there && item.memory.id != entry.own => return None,
                (State::Deleted(_), Duplicate) => "deleted by hand",
                (State::Left(_), Duplicate) if !says_anew(item) => "dealt with before",
                (State::Left(left), Duplicate) if entry.moment < *left => "a newer statement took its place",
                // What left does not speak against what is there again.
                (State::Left(_) | State::Deleted(_), Supersede) if there => return None,
                (_, Supersede) if entry.moment < *item.said_for(entry.arrived) => "a newer statement says otherwise",
                _ => return None,
            };
            Some((at, reason))
        })
    }

    /// Whether an entry that is kept out says what a memory says that a hand edited, or deleted only later: what it names is
    /// replaced all the same.
    pub(super) fn says_what_a_hand_took_on(
        &self,
        entry: &Entry<'_>,
        at: usize,
        related: &[(usize, Comparison)],
    ) -> bool {
        let taken_on = match self.items[at].state {
            _ if self.items[at].is_as_edited(entry.arrived) => true,
            State::Deleted(gone) => gone > entry.arrived,
            _ => false,
        };
        taken_on && related.contains(&(at, Duplicate))
    }

    /// Whether the person accepted a correction of the same line: their word stands for it, however a longer reading of
    /// the session puts it.
    pub(super) fn is_accepted(&self, entry: &Entry<'_>) -> bool {
        let first = entry.candidate.evidence.first().filter(|_| entry.candidate.kind == Kind::Playbook);
        first.is_some_and(|first| self.accepted.contains(&place(first)))
    }
}

/// The line of a correction that the person accepted in review: a session's line comes first, and their hand behind it.
pub(super) fn accepted(entry: &Entry<'_>) -> Option<Place> {
    let (first, rest) = entry.candidate.evidence.split_first()?;
    let is_review = !first.is_by_hand() && rest.iter().any(Evidence::is_by_hand);
    (is_review && entry.candidate.kind == Kind::Playbook).then(|| place(first))
}
