//! Whether a text stands by itself: a later reader has nothing but it.

use super::words::WORDS;
use crate::text::fold::fold;
use crate::text::script::{is_chinese, is_han};
use crate::text::terms::terms;

/// So many words of English say something.
const FEWEST_WORDS: usize = 2;
/// So many terms have to stand beside what is pointed at.
const FEWEST_TERMS: usize = 2;
/// So many Chinese characters have to stand beside what is pointed at.
const FEWEST_CHARACTERS: usize = 4;

/// Whether a text can be kept as it is: it is not half of something, and needs nothing that is not in it.
#[must_use]
pub(super) fn stands_by_itself(text: &str) -> bool {
    !goes_on(text) && !breaks_off(text) && !points_elsewhere(text)
}

/// Whether a text is a single word, and so says nothing but as an answer.
pub(super) fn says_nothing(text: &str) -> bool {
    !text.chars().any(is_han) && text.split_whitespace().count() < FEWEST_WORDS
}

/// Whether a text goes on from one before it, or closes a bracket that it does not open.
fn goes_on(text: &str) -> bool {
    let folded = fold(text);
    if WORDS.chinese.goes_on.iter().any(|word| folded.starts_with(word.as_str())) {
        return true;
    }
    let first = folded.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let count = |brackets: [char; 2]| text.matches(brackets).count();
    WORDS.english.goes_on.iter().any(|word| word == first) || count([')', '）']) > count(['(', '（'])
}

/// Whether a text ends where its object should stand: what was there was cut away, a secret or a paste.
fn breaks_off(text: &str) -> bool {
    let text = text.trim_end().trim_end_matches(['.', '。', '!', '！']).trim_end();
    let last = text.rsplit(|c: char| !c.is_alphanumeric() && c != '\'').next().unwrap_or_default();
    WORDS.english.open.iter().any(|word| last.eq_ignore_ascii_case(word))
        || text.ends_with(|c: char| WORDS.chinese.open.contains(c))
}

/// Whether a text points at something that is not in it ("keep it that way", "he won't touch them", "按这个格式来"):
/// nobody can follow it later.
fn points_elsewhere(text: &str) -> bool {
    let folded = fold(text);
    let words: Vec<&str> = folded.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty()).collect();
    if is_chinese(text) {
        let mut rest = folded.clone();
        WORDS.chinese.pointing.iter().for_each(|word| rest = rest.replace(word.as_str(), ""));
        let content = rest.chars().filter(|&c| is_han(c) && !WORDS.chinese.empty.contains(c));
        return rest != folded && content.count() < FEWEST_CHARACTERS && words.is_empty();
    }
    let listed = |list: &[String], word: &str| list.iter().any(|listed| listed == word);
    let points = words.iter().any(|word| listed(&WORDS.english.pointing, word));
    let says = |term: &str| !listed(&WORDS.english.pointing, term) && !listed(&WORDS.english.empty, term);
    points && terms(text).iter().filter(|term| says(term)).count() < FEWEST_TERMS || is_about_nobody(text, &words)
}

/// Whether the text speaks of him or her, and of nobody who that could be.
fn is_about_nobody(text: &str, folded: &[&str]) -> bool {
    let Some(at) = folded.iter().position(|word| ["he", "she", "hes", "shes"].contains(word)) else {
        return false;
    };
    let before = folded.get(..at).unwrap_or_default();
    let named = text.split_whitespace().enumerate().any(|(at, word)| {
        // Every sentence begins with a capital: there only what no comma sets off is a name.
        let name = at > 0 || !word.ends_with(',');
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        let capital = word.chars().next().is_some_and(char::is_uppercase);
        name && capital && !matches!(word, "I" | "I'm" | "He" | "She" | "He's" | "She's" | "My" | "Our" | "The")
    });
    !named && !before.iter().any(|word| WORDS.english.people.iter().any(|person| person == word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_points_elsewhere_does_not() {
        for (text, stands) in [
            ("Keep it that way from now on.", false),
            ("User never touches those here.", false),
            ("User's team doesn't use them.", false),
            ("Onions, he picks them out.", false),
            ("My brother, he picks the onions out.", true),
            ("Ines does the invoices, she wants them by Friday.", true),
            ("以后都按这个格式来。", false),
            ("Never write to that disk from the build box.", true),
            ("这个仓库用 pnpm。", true),
        ] {
            assert_eq!(stands_by_itself(text), stands, "{text}");
        }
    }

    #[test]
    fn half_a_sentence_does_not() {
        for (text, stands) in [
            ("The team's wiki lives at.", false),
            ("So the two lists can be merged.", false),
            ("Which is why the nightly job is off.", false),
            ("because most of them are short)", false),
            ("密码是", false),
            ("并且要换掉链接", false),
            ("The wiki lives at wiki.example.", true),
            ("The tool that the team works with.", true),
        ] {
            assert_eq!(stands_by_itself(text), stands, "{text}");
        }
        assert!(says_nothing("Invoices.") && !says_nothing("We invoice"));
    }
}
