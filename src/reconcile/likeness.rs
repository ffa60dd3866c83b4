//! How much of one rule stands in another, whatever the words around it: for counting how often a thing was taught.
//!
//! [`super::compare`] decides what leaves the store and therefore wants near-equal wordings. A count only decides when to
//! *ask*, so other words may do: the same things chosen and the same things turned down, in any order, with a few words
//! more or less. What one chooses and the other turns down speaks against it, twice as much.

use std::collections::BTreeSet;

use super::Comparison;
use super::judge::judge;
use super::reading::Reading;
use super::words::Word;

/// What opens a correction and is no part of the rule in it.
const OPENINGS: [&str; 13] =
    ["no", "nope", "wrong", "actually", "wait", "stop", "again", "hey", "ugh", "不对", "不是", "错了", "等等"];

/// From 0 (nothing in common, or the opposite) to 1 (the same).
///
/// The mean of what the shared part is of the shorter and of the longer of the two, so that a short rule is not found in
/// every long text.
#[must_use]
pub fn likeness(one: &str, other: &str) -> f64 {
    let (one, other) = (Reading::new(without_openings(one)), Reading::new(without_openings(other)));
    if judge(&one, &other) == Comparison::Duplicate {
        return 1.0;
    }
    let apart =
        |one: &[Word], other: &[Word]| !one.is_empty() && !other.is_empty() && set(one).is_disjoint(&set(other));
    if apart(&one.scope, &other.scope) || values_differ(&one, &other) {
        return 0.0;
    }
    let agreed = shared(&one.taken, &other.taken) + shared(&one.refused, &other.refused);
    let against = shared(&one.taken, &other.refused) + shared(&one.refused, &other.taken);
    let size = |reading: &Reading| set(&reading.taken).len() + set(&reading.refused).len();
    let (shorter, longer) = (size(&one).min(size(&other)), size(&one).max(size(&other)));
    // One common word is a common topic, unless it is all that both say of something that excludes others.
    let telling = agreed >= 2 || (agreed == 1 && shorter == 1 && has_value(&one) && has_value(&other));
    if shorter == 0 || !telling {
        return 0.0;
    }
    let count = |n: usize| u32::try_from(n).map_or(f64::INFINITY, f64::from);
    let covered = (count(agreed) - 2.0 * count(against)) / count(shorter);
    let whole = (count(agreed) - 2.0 * count(against)) / count(longer);
    (0.5 * covered + 0.5 * whole).clamp(0.0, 1.0)
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

fn set(words: &[Word]) -> BTreeSet<&Word> {
    words.iter().collect()
}

fn shared(one: &[Word], other: &[Word]) -> usize {
    set(one).intersection(&set(other)).count()
}

fn has_value(reading: &Reading) -> bool {
    reading.taken.iter().chain(&reading.refused).any(|word| word.group.is_some())
}

/// Whether both choose, and choose different values of one group or different numbers.
fn values_differ(one: &Reading, other: &Reading) -> bool {
    let values = |reading: &Reading| -> BTreeSet<Word> {
        let is_number = |word: &&Word| word.text.starts_with(|c: char| c.is_ascii_digit());
        reading.taken.iter().filter(|word| word.group.is_some() || is_number(word)).cloned().collect()
    };
    let (one, other) = (values(one), values(other));
    !one.is_empty() && !other.is_empty() && one.is_disjoint(&other)
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
