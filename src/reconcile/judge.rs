//! The verdict on two readings. In doubt they are distinct: two memories side by side cost a line, a wrongly merged
//! or superseded one is lost.

use super::Comparison::{self, Distinct, Duplicate, Supersede};
use super::index::{asks, keys};
use super::reading::{Reading, Valued};
use super::similarity::{dice, is_typo};
use super::words::{Word, lexicon};

/// How alike two wordings must be as a whole before one differing word may be a slip. A slip in one word of a
/// statement of three words leaves about this much.
const SLIP: f64 = 0.75;

/// Compares the older and the newer reading.
///
/// Every rule below that answers anything but [`Distinct`] implies a shared key ([`super::index`]); so that this
/// stays true whatever is added, the function starts by asking for one.
pub(crate) fn judge(old: &Reading, new: &Reading) -> Comparison {
    if keys(old).is_disjoint(&asks(new)) {
        return Distinct;
    }
    judge_related(old, new)
}

/// [`judge`] for a pair that is known to share a key.
pub(crate) fn judge_related(old: &Reading, new: &Reading) -> Comparison {
    if old.plain.is_empty() || new.plain.is_empty() {
        return Distinct;
    }
    let met = meet(old, new);
    if old.plain == new.plain {
        return if met == Meeting::Apart { Distinct } else { Duplicate };
    }
    if let (Some(old), Some(new)) = (&old.subject, &new.subject)
        && old.subject == new.subject
    {
        return valued(old, new, met);
    }
    match (met, claims(old, new)) {
        (Meeting::Apart, _) => Distinct,
        (_, Supersede) if new.also => Distinct,
        (_, verdict) => verdict,
    }
}

/// How the situations of two playbooks lie to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meeting {
    Together,
    Apart,
}

/// Situations meet if one is not given (a profile), if they share half the words of the shorter one, or if both rules
/// stand on their own: "use pnpm, not npm" means the same wherever it was said.
fn meet(old: &Reading, new: &Reading) -> Meeting {
    let shared = old.when.intersection(&new.when).count();
    let shorter = old.when.len().min(new.when.len());
    let whole = |reading: &Reading| {
        let contrast = !reading.taken.is_empty() && !reading.refused.is_empty();
        contrast || reading.taken.len() + reading.refused.len() >= 3
    };
    if 2 * shared >= shorter || (whole(old) && whole(new)) { Meeting::Together } else { Meeting::Apart }
}

fn valued(old: &Valued, new: &Valued, met: Meeting) -> Comparison {
    if met == Meeting::Apart || old.scope != new.scope {
        return Distinct;
    }
    if old.value == new.value { Duplicate } else { Supersede }
}

/// The rules on what is chosen and what is turned down.
fn claims(old: &Reading, new: &Reading) -> Comparison {
    if let Some(verdict) = exception(old, new) {
        return verdict;
    }
    if old.exceptions != new.exceptions {
        return Distinct;
    }
    let scopes = scopes(old, new);
    let taken = same(&old.taken, &new.taken);
    let refused = same(&old.refused, &new.refused);
    let alike = |one: &[Word], other: &[Word]| same(one, other) || (one.is_empty() && other.is_empty());
    let something = taken || refused;
    if something && alike(&old.taken, &new.taken) && alike(&old.refused, &new.refused) {
        return match scopes {
            Scopes::Equal | Scopes::OldWider => Duplicate,
            _ if other_value(&old.scope, &new.scope, old, new) => Supersede,
            _ => Distinct,
        };
    }
    let turned = same(&old.taken, &new.refused) || same(&old.refused, &new.taken);
    if turned {
        let firm = old.force && new.force && scopes == Scopes::OldWider;
        return if scopes == Scopes::Equal || firm { Supersede } else { Distinct };
    }
    if scopes != Scopes::Equal {
        return Distinct;
    }
    if given_up(old, new) {
        return Supersede;
    }
    match (taken, refused) {
        // The newer says all the older says, and more; or the other way round.
        (true, _) if old.refused.is_empty() => Supersede,
        (true, _) if new.refused.is_empty() => Duplicate,
        (_, true) if old.taken.is_empty() => Supersede,
        (_, true) if new.taken.is_empty() => Duplicate,
        _ if !new.refused.is_empty() || !old.refused.is_empty() => Distinct,
        _ if other_value(&old.taken, &new.taken, old, new) => Supersede,
        _ if slip(old, new) => Duplicate,
        _ => Distinct,
    }
}

/// "Always X" against "X except when Y": the newer one decides on the exception.
fn exception(old: &Reading, new: &Reading) -> Option<Comparison> {
    let one_sided = old.exceptions.is_empty() != new.exceptions.is_empty();
    let general = if new.exceptions.is_empty() { new } else { old };
    let same = same(&old.taken, &new.taken) && old.refused == new.refused;
    (one_sided && general.force && same).then_some(Supersede)
}

/// "No longer X" ends "X" with all its particulars.
fn given_up(old: &Reading, new: &Reading) -> bool {
    new.change
        && new.taken.is_empty()
        && old.refused.is_empty()
        && !new.refused.is_empty()
        && old.taken.starts_with(&new.refused)
}

fn same(one: &[Word], other: &[Word]) -> bool {
    !one.is_empty() && one.len() == other.len() && (one == other || turned_about(one, other))
}

/// "Short answers" and "answers short": the order of words may differ around a single value; around two ("tabs before
/// spaces") or none ("A needs B") it may be the point.
fn turned_about(one: &[Word], other: &[Word]) -> bool {
    if one.iter().filter(|word| word.group.is_some()).count() != 1 {
        return false;
    }
    let rest = |words: &[Word]| -> Vec<Word> { words.iter().filter(|word| word.group.is_none()).cloned().collect() };
    let value = |words: &[Word]| words.iter().find(|word| word.group.is_some()).cloned();
    rest(one) == rest(other) && value(one) == value(other)
}

/// How two scopes lie to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scopes {
    Equal,
    /// The older holds everywhere, the newer somewhere.
    OldWider,
    Other,
}

fn scopes(old: &Reading, new: &Reading) -> Scopes {
    if old.scope == new.scope {
        Scopes::Equal
    } else if old.scope.is_empty() {
        Scopes::OldWider
    } else {
        Scopes::Other
    }
}

/// Whether two wordings differ in one word only, and there give two values of one group, or two numbers.
fn other_value(old: &[Word], new: &[Word], older: &Reading, newer: &Reading) -> bool {
    let Some((at, one, other)) = only_difference(old, new) else {
        return false;
    };
    if newer.also {
        return false;
    }
    if let (Some(group), true) = (one.group, one.group == other.group) {
        return lexicon().groups.get(usize::from(group)).is_some_and(|group| {
            let open = |reading: &Reading| reading.words().any(|w| group.unless.contains(&w.text));
            (!group.soft || newer.change) && !open(older) && !open(newer)
        });
    }
    let number = |word: &Word| word.text.chars().all(|c| c.is_ascii_digit() || c == '.');
    let named = at.checked_sub(1).and_then(|before| old.get(before));
    let thing = named.is_some_and(|word| lexicon().numbered.contains(&word.text));
    number(one) && number(other) && !thing && old.len() > 1
}

/// The place and the two words in which two wordings of equal length differ, if there is exactly one.
fn only_difference<'a>(one: &'a [Word], other: &'a [Word]) -> Option<(usize, &'a Word, &'a Word)> {
    if one.len() != other.len() {
        return None;
    }
    let mut differences = (0..).zip(one.iter().zip(other)).filter(|(_, (a, b))| a != b);
    let (at, (a, b)) = differences.next()?;
    differences.next().is_none().then_some((at, a, b))
}

/// Whether two wordings are one with a typing error; some other word must be the same.
fn slip(old: &Reading, new: &Reading) -> bool {
    let typo = only_difference(&old.taken, &new.taken).is_some_and(|(_, one, other)| is_typo(&one.text, &other.text));
    typo && old.taken.len() > 1 && dice(&old.plain, &new.plain) >= SLIP
}
