//! A memory on the desk: what was said of it, and what hands did to it and when that was noticed.

use std::collections::BTreeSet;

use crate::reconcile::decision::Memory;
use crate::reconcile::known::{Found, Hand, Moment, Place, Position};

/// A memory on the desk, there or gone.
pub(crate) struct Item {
    pub(crate) memory: Memory,
    pub(super) said: Moment,
    /// When it was noticed that a hand had edited it, and when the hand did.
    pub(super) edit: Option<(Position, Moment)>,
    pub(super) places: BTreeSet<Place>,
    pub(super) since: Position,
    pub(super) until: Option<Position>,
    pub(super) state: State,
    /// What the person's hand had done to it before it left.
    pub(super) hand: Hand,
    /// When what made it leave came to the store.
    pub(super) left: Position,
    /// The last command that named it, whether it changed anything or not.
    pub(super) bidden: Option<Moment>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum State {
    Held(Hand),
    /// A statement or command of that moment made it leave.
    Left(Moment),
    /// By hand, as was noticed then.
    Deleted(Position),
}

impl Item {
    /// The last statement of it, or the edit by hand if that was noticed by then.
    pub(super) fn said_for(&self, arrived: Position) -> &Moment {
        let edit = self.edit.as_ref().filter(|(noticed, _)| *noticed < arrived);
        edit.map_or(&self.said, |(_, said)| said.max(&self.said))
    }

    /// Whether a hand edited it after all that made it leave: something has brought it back.
    pub(super) fn is_back(&self) -> bool {
        let edited_since = self.edit.as_ref().is_some_and(|(noticed, _)| *noticed > self.left);
        matches!(self.state, State::Left(_)) && edited_since
    }

    pub(super) fn is_edited_by(&self, arrived: Position) -> bool {
        self.edit.as_ref().is_some_and(|(noticed, _)| *noticed < arrived)
    }

    /// Whether it is there as a hand edited it, for whoever comes to the store at `arrived`.
    pub(super) fn is_as_edited(&self, arrived: Position) -> bool {
        let is_there = match self.state {
            State::Held(_) => true,
            State::Left(_) => self.is_back(),
            State::Deleted(gone) => gone > arrived,
        };
        is_there && self.is_edited_by(arrived)
    }
}

impl Found {
    /// When it was noticed that a hand had edited it, and when the hand did.
    pub(super) fn edit(&self) -> Option<(Position, Moment)> {
        self.edited.map(|noticed| (noticed, self.said.clone()))
    }
}
