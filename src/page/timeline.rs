//! The memories by month, the newest first.

use std::cmp::Reverse;

use super::card::Card;

/// A month in which something was said that became a memory.
pub(super) struct Month {
    /// Its name, with the year.
    pub(super) name: String,
    pub(super) cards: Vec<Card>,
}

/// The months, the newest first, and so the memories in each.
pub(super) fn months(mut cards: Vec<Card>) -> Vec<Month> {
    cards.sort_by_cached_key(|card| Reverse((card.created, card.anchor.clone())));
    let mut months: Vec<Month> = Vec::new();
    for card in cards {
        let name = card.date.format("%B %Y").to_string();
        match months.last_mut() {
            Some(month) if month.name == name => month.cards.push(card),
            _ => months.push(Month { name, cards: vec![card] }),
        }
    }
    months
}
