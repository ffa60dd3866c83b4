//! How alike two texts are: character bigrams and typing errors.
//!
//! `strsim::sorensen_dice` divides a count of characters by a count of bytes, so that Chinese texts never look
//! alike; the Dice coefficient here counts characters on both sides.

/// The Dice coefficient of the character bigrams of two texts, from 0 to 1; blanks do not count.
///
/// Two empty texts are alike (1), and a text of one character has itself as its only bigram.
#[must_use]
pub fn dice(one: &str, other: &str) -> f64 {
    let (mut one, mut other) = (bigrams(one), bigrams(other));
    let total = one.len() + other.len();
    if total == 0 {
        return 1.0;
    }
    one.sort_unstable();
    other.sort_unstable();
    let mut shared = 0_u32;
    let (mut left, mut right) = (one.iter().peekable(), other.iter().peekable());
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        match a.cmp(b) {
            std::cmp::Ordering::Less => {
                left.next();
            }
            std::cmp::Ordering::Greater => {
                right.next();
            }
            std::cmp::Ordering::Equal => {
                shared += 1;
                left.next();
                right.next();
            }
        }
    }
    let total = u32::try_from(total).unwrap_or(u32::MAX);
    2.0 * f64::from(shared) / f64::from(total)
}

fn bigrams(text: &str) -> Vec<(char, char)> {
    let chars: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    match chars.as_slice() {
        [only] => vec![(*only, *only)],
        chars => chars.windows(2).map(|pair| (pair[0], pair[1])).collect(),
    }
}

/// Whether two words are one word and its typing error: one edit or swap apart, at least seven letters,
/// the same first letter, and no digits (a digit more is another port, not a slip).
///
/// Seven letters, because shorter words have real neighbours ("latest", "fastest").
#[must_use]
pub(crate) fn is_typo(one: &str, other: &str) -> bool {
    let long = |word: &str| word.chars().count() >= 7 && word.chars().all(|c| c.is_alphabetic() && c.is_ascii());
    one != other
        && long(one)
        && long(other)
        && one.chars().next() == other.chars().next()
        && strsim::osa_distance(one, other) == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_counts_characters_in_every_script() {
        for (one, other, expected) in [
            ("night", "nacht", 0.25),
            ("深色主题", "深色主题", 1.0),
            ("深色主题", "浅色主题", 4.0 / 6.0),
            ("", "", 1.0),
            ("a", "a", 1.0),
            ("a", "", 0.0),
            ("aaa", "aa", 2.0 / 3.0),
        ] {
            let got = dice(one, other);
            assert!((got - expected).abs() < 1e-9, "{one} {other}: {got}");
        }
    }

    #[test]
    fn a_typo_is_a_slip_in_a_long_word() {
        for (one, other, expected) in [
            ("kubernetes", "kubernetse", true),
            ("validation", "validaton", true),
            ("latest", "fastest", false),
            ("port8080", "port8081", false),
            ("public", "pubic", false),
        ] {
            assert_eq!(is_typo(one, other), expected, "{one} {other}");
        }
    }
}
