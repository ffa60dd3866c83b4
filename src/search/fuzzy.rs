//! Misspelt words: what a word that stands nowhere may have been meant to be.

use strsim::osa_distance;

use super::index::Index;

/// Shorter words have too many neighbours.
const SHORTEST: usize = 4;
/// From this length on two slips are allowed.
const LONG: usize = 8;
/// So many of the nearest are taken.
const NEAREST: usize = 3;

/// The words of the index that differ from a folded Latin word by one slip of the keys, or by two if it is long: a letter
/// too many, one missing, a wrong one, or two exchanged. The first letter is taken to be right.
pub(super) fn near(word: &str, index: &Index) -> rusqlite::Result<Vec<(String, u32)>> {
    let length = word.len();
    if length < SHORTEST || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Ok(Vec::new());
    }
    let Some(first) = word.bytes().next() else {
        return Ok(Vec::new());
    };
    let slips = if length < LONG { 1 } else { 2 };
    let (from, to) = (char::from(first).to_string(), char::from(first + 1).to_string());
    let mut found: Vec<(usize, String, u32)> = Vec::new();
    for (term, frequency) in index.vocabulary(&from, &to)? {
        if term.len().abs_diff(length) > slips || !term.is_ascii() {
            continue;
        }
        let distance = osa_distance(word, &term);
        if distance <= slips {
            found.push((distance, term, frequency));
        }
    }
    found.sort_by(|one, other| (one.0, other.2, &one.1).cmp(&(other.0, one.2, &other.1)));
    found.truncate(NEAREST);
    Ok(found.into_iter().map(|(_, term, frequency)| (term, frequency)).collect())
}
