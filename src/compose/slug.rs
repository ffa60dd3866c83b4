//! Slugs: the topic of a memory as part of its file name. Chinese is written in pinyin.

use pinyin::ToPinyin;

use crate::memory::Slug;
use crate::text::fold::fold;
use crate::text::script::is_han;

/// Words that name no topic.
const COMMON: &[&str] = &[
    "the", "and", "for", "you", "that", "this", "with", "not", "are", "was", "but", "have", "has", "its", "dont",
    "can", "just", "from", "all", "any", "they", "them", "then", "there", "what", "when", "how", "who", "does", "will",
    "would", "should", "could", "into", "our", "your", "user", "users", "team", "their", "his", "her", "is", "a", "an",
    "of", "to", "in", "on", "it", "be", "by", "at", "or", "as", "so", "no", "do", "if", "we", "i", "my", "me", "us",
    "he", "she", "s", "t", "please", "every", "only", "also", "these", "those", "than", "use", "uses",
];
/// Chinese characters that name no topic.
const COMMON_HAN: &str = "的了是在我你他她它们这那个就都也和与把被给用户要不会有没吗呢吧啊再还又很太别请以后都一律";
/// So many words (or Chinese characters) make a slug.
const WORDS: usize = 6;

/// The slug for a text: its first telling words; "memory" where it has none.
#[must_use]
pub fn slug(text: &str) -> Slug {
    let mut words: Vec<String> = Vec::new();
    let mut latin = String::new();
    for c in fold(text).chars().chain(std::iter::once(' ')) {
        if c.is_ascii_alphanumeric() {
            latin.push(c);
            continue;
        }
        let word = std::mem::take(&mut latin);
        if !word.is_empty() && !COMMON.contains(&word.as_str()) {
            words.push(word);
        }
        if is_han(c) && !COMMON_HAN.contains(c) {
            words.extend(c.to_pinyin().map(|p| p.plain().replace('ü', "v")));
        }
    }
    let mut slug = String::new();
    for word in words.iter().take(WORDS) {
        let longer = slug.len() + word.len() + usize::from(!slug.is_empty());
        if longer > Slug::MAX {
            break;
        }
        if !slug.is_empty() {
            slug.push('-');
        }
        slug.push_str(word);
    }
    Slug::new(&slug).or_else(|| Slug::new("memory")).unwrap_or_else(|| unreachable!("a constant that is a valid slug"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_tell_the_topic_in_both_languages() {
        for (text, expected) in [
            ("User prefers short answers.", "prefers-short-answers"),
            ("用户更喜欢深色模式。", "geng-xi-huan-shen-se-mo"),
            ("Don't add AI attribution trailers.", "add-ai-attribution-trailers"),
            ("!!!", "memory"),
        ] {
            assert_eq!(slug(text).as_str(), expected);
        }
    }

    #[test]
    fn a_slug_is_never_longer_than_the_format_allows() {
        assert!(slug(&"internationalisation ".repeat(9)).as_str().len() <= Slug::MAX);
        assert_eq!(slug(&"x".repeat(90)).as_str(), "memory");
    }
}
