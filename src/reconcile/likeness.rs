//! How alike two rules are, whatever their words: for counting how often a thing was taught.
//!
//! [`super::compare`] decides what leaves the store and therefore wants near-equal wordings. A count only decides when to
//! *ask*, so other words may do: the same things wanted and the same things turned down ([`super::gist`]), in any order.
//! What one says and the other does not counts little, for one of them may have said more; what each says for itself
//! counts fully, for then they are about different things.

use super::Comparison;
use super::gist::{Gist, Thing};
use super::judge::judge;
use super::reading::Reading;

/// What something that only one of the two says takes away, against 1 for what both say.
const MORE: f64 = 0.35;

/// What opens a correction and is no part of the rule in it.
const OPENINGS: [&str; 13] =
    ["no", "nope", "wrong", "actually", "wait", "stop", "again", "hey", "ugh", "不对", "不是", "错了", "等等"];

/// A rule, read once for many comparisons.
#[derive(Debug)]
pub struct Rule {
    reading: Reading,
    gist: Gist,
    /// Strictly, with whatever opened it.
    whole: Reading,
}

impl Rule {
    /// Reads a rule.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let bare = without_openings(text);
        Self { reading: Reading::new(bare), gist: Gist::new(bare), whole: Reading::new(text) }
    }

    /// [`super::compare`], this one being there already.
    #[must_use]
    pub fn compare(&self, new: &Self) -> Comparison {
        judge(&self.whole, &new.whole)
    }

    /// From 0 (nothing in common, or the opposite) to 1 (the same).
    #[must_use]
    pub fn likeness(&self, other: &Self) -> f64 {
        let (one, another) = (&self.reading, &other.reading);
        if [judge(one, another), judge(another, one)].contains(&Comparison::Duplicate) {
            return 1.0;
        }
        if gives_another_value(one, another) { 0.0 } else { alike(&self.gist, &other.gist) }
    }
}

/// [`Rule::likeness`] of two texts.
#[must_use]
pub fn likeness(one: &str, other: &str) -> f64 {
    Rule::new(one).likeness(&Rule::new(other))
}

/// Whether both give one subject a value, and not the same.
fn gives_another_value(one: &Reading, other: &Reading) -> bool {
    let both = one.subject.as_ref().zip(other.subject.as_ref());
    both.is_some_and(|(one, other)| one.subject == other.subject && one.value != other.value)
}

fn alike(one: &Gist, other: &Gist) -> f64 {
    if one.is_limited != other.is_limited || is_bound(one, other) || is_bound(other, one) || chooses_another(one, other)
    {
        return 0.0;
    }
    let (mut agreed, mut against) = (0.0, 0.0);
    for (thing, twin) in one.things.iter().filter_map(|(name, thing)| Some((thing, other.things.get(name)?))) {
        if is_opposite(thing, twin) { against += thing.weight } else { agreed += thing.weight }
    }
    // Where most is turned about, the rest is only the topic.
    if agreed <= against {
        return 0.0;
    }
    let only = |one: &Gist, other: &Gist| -> f64 {
        let own = one.things.iter().filter(|(name, _)| !other.things.contains_key(*name));
        own.map(|(_, thing)| thing.weight).sum()
    };
    let (mine, yours) = (only(one, other), only(other, one));
    agreed / (agreed + against + 2.0 * mine.min(yours) + MORE * (mine - yours).abs())
}

/// Whether one holds under a condition of which the other says nothing.
fn is_bound(one: &Gist, other: &Gist) -> bool {
    !one.conditions.is_empty() && !one.conditions.iter().any(|name| other.things.contains_key(name))
}

fn is_opposite(one: &Thing, other: &Thing) -> bool {
    (one.is_wanted && !one.is_refused && !other.is_wanted) || (other.is_wanted && !other.is_refused && !one.is_wanted)
}

/// Whether both choose of one group of values, or a number, and not the same.
fn chooses_another(one: &Gist, other: &Gist) -> bool {
    let chosen = |gist: &Gist| -> Vec<(u16, Box<str>)> {
        let wanted = gist.things.iter().filter(|(_, thing)| thing.is_wanted && !thing.is_refused);
        wanted.filter_map(|(name, thing)| Some((thing.group?, name.clone()))).collect()
    };
    let (one, other) = (chosen(one), chosen(other));
    one.iter().any(|(group, _)| {
        let of_group = |all: &[(u16, Box<str>)]| -> Vec<Box<str>> {
            all.iter().filter(|(other, _)| other == group).map(|(_, name)| name.clone()).collect()
        };
        let (mine, yours) = (of_group(&one), of_group(&other));
        !yours.is_empty() && !mine.iter().any(|name| yours.contains(name))
    })
}

fn without_openings(mut text: &str) -> &str {
    loop {
        let trimmed = text.trim_start();
        let opened = OPENINGS.iter().find_map(|opening| {
            let head = trimmed.get(..opening.len())?;
            let rest = trimmed.get(opening.len()..)?;
            let ends = rest.starts_with([',', '.', '!', '，', '。', '！', '、', ':', '-']);
            (head.eq_ignore_ascii_case(opening) && ends).then_some(rest)
        });
        match opened {
            Some(rest) => text = rest.trim_start_matches([',', '.', '!', '，', '。', '！', '、', ':', '-']),
            None => return trimmed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_lesson_in_other_words_is_alike() {
        for (one, other) in [
            ("Use pnpm, not npm.", "use pnpm here, never npm"),
            ("Run the tests before committing.", "No, run the tests before you commit!"),
            ("User's team always runs the linter on changed files.", "always run the linter on the files you changed"),
            ("代码注释一律用英文", "不对，代码注释要用英文写"),
            ("Don't add comments that restate the code.", "stop adding comments that just restate the code"),
        ] {
            let found = likeness(one, other);
            assert!(found >= 0.6, "{one} / {other}: {found}");
        }
    }

    #[test]
    fn another_lesson_on_the_same_topic_is_not() {
        for (one, other) in [
            ("Use pnpm, not npm.", "Use npm, not pnpm."),
            ("Indent with 2 spaces.", "Indent with 4 spaces."),
            ("Run the tests before committing.", "Run the linter before pushing."),
            ("Write commit messages in English.", "Write commit messages in Chinese."),
            ("Use tabs in Makefiles.", "Use tabs in Go files."),
            ("Never push to main.", "Always push to main."),
            ("Keep answers short.", "Keep functions short."),
            ("Run the tests in CI.", "Run the linters in CI."),
            ("In Go files, use tabs.", "In Go files, run gofmt."),
            ("代码注释用英文", "提交信息用英文"),
            ("Put tests into tests/.", "Put fixtures into tests/fixtures."),
        ] {
            let found = likeness(one, other);
            assert!(found < 0.6, "{one} / {other}: {found}");
        }
    }

    #[test]
    fn likeness_is_symmetric_for_alike_pairs() {
        let (one, other) = ("Use pnpm, not npm.", "please use pnpm instead of npm in scripts");
        assert!((likeness(one, other) - likeness(other, one)).abs() < 1e-9);
    }
}
