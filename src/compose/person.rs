//! From the first person to the third: "I'm a nurse" → "User is a nurse", "我更喜欢茶" → "用户更喜欢茶".
//!
//! English verbs agree with their new subject; the first mention is "User", later ones "they" and "them".
//! What cannot be turned safely stays as it was said: a faithful quote is better than broken grammar.

use super::words::WORDS;
use crate::text::script::is_chinese;

/// The text in the third person, as one sentence: capital at the start, full stop at the end.
#[must_use]
pub fn third_person(text: &str) -> String {
    let text = text.trim();
    if is_chinese(text) { close(&chinese(text), '。') } else { close(&capital(&english(text)), '.') }
}

/// Chinese needs no agreement: the pronoun is exchanged.
fn chinese(text: &str) -> String {
    let mut told = text.replace("我們", "我们").replace("咱们", "我们").replace("自我", "\u{0}");
    for (ours, theirs) in [
        ("我们公司", "用户的公司"),
        ("我们团队", "用户的团队"),
        ("我们组", "用户的组"),
        ("我们项目", "这个项目"),
        ("我们", "用户这边"),
        ("我", "用户"),
    ] {
        told = told.replace(ours, theirs);
    }
    told.replace('\u{0}', "自我")
}

/// Where the sentence stands with its subject.
#[derive(Clone, Copy, PartialEq)]
enum Mention {
    /// The person has not been mentioned.
    First,
    /// The person is "they" from here on.
    Later,
}

fn english(text: &str) -> String {
    let tokens: Vec<&str> = text.split_inclusive(char::is_whitespace).collect();
    let mut out = String::with_capacity(text.len() + 16);
    let mut mention = Mention::First;
    // Set after a subject: the next verb agrees with a singular subject.
    let mut agree = false;
    for (i, token) in tokens.iter().enumerate() {
        let (lead, word, trail) = parts(token);
        let folded = word.to_lowercase().replace(['\'', '’'], "");
        let first = mention == Mention::First;
        let previous =
            i.checked_sub(1).and_then(|i| tokens.get(i)).map(|t| parts(t).1.to_lowercase()).unwrap_or_default();
        let next = tokens.get(i + 1).map(|t| parts(t).1.to_lowercase()).unwrap_or_default();
        let turned: Option<(String, bool)> = match folded.as_str() {
            "i" if first => Some(("User".into(), true)),
            "i" => Some(("they".into(), false)),
            "im" if first => Some(("User is".into(), false)),
            "im" => Some(("they are".into(), false)),
            "ive" if first => Some(("User has".into(), false)),
            "ive" => Some(("they have".into(), false)),
            "id" if first && word.contains(['\'', '’']) => Some(("User would".into(), false)),
            "id" if word.contains(['\'', '’']) => Some(("they would".into(), false)),
            "ill" if word.contains(['\'', '’']) || next == "tell" => {
                Some((if first { "User will" } else { "they will" }.into(), false))
            }
            "my" if first => Some((if i == 0 { "User's" } else { "the user's" }.into(), false)),
            "my" => Some(("their".into(), false)),
            "me" if first => Some(("the user".into(), false)),
            "me" => Some(("them".into(), false)),
            "mine" => Some(("theirs".into(), false)),
            "myself" => Some(("themselves".into(), false)),
            "we" if first => Some((if i == 0 { "User's team" } else { "the team" }.into(), true)),
            "we" => Some(("they".into(), false)),
            "were" if first && i == 0 && word.contains(['\'', '’']) => Some(("User's team is".into(), false)),
            "were" if word.contains(['\'', '’']) => Some(("they are".into(), false)),
            "weve" => Some((if first { "User's team has" } else { "they have" }.into(), false)),
            "our" if first => Some((if i == 0 { "The team's" } else { "the team's" }.into(), false)),
            "our" => Some(("their".into(), false)),
            "ours" => Some(("theirs".into(), false)),
            // "the us org" is a country.
            "us" if previous == "the" => None,
            "us" => Some((if first { "the team" } else { "them" }.into(), false)),
            _ => None,
        };
        out.push_str(lead);
        match turned {
            Some((new, agrees)) => {
                out.push_str(&new);
                mention = Mention::Later;
                agree = agrees;
            }
            None if agree && !WORDS.english.adverbs.contains(&folded) => {
                out.push_str(&singular(word, &folded));
                agree = false;
            }
            None => out.push_str(&spelled(word, &folded)),
        }
        out.push_str(trail);
    }
    out
}

/// Splits a token into punctuation before, the word, and punctuation and blanks behind.
fn parts(token: &str) -> (&str, &str, &str) {
    let start = token.find(char::is_alphanumeric).unwrap_or(token.len());
    let rest = token.get(start..).unwrap_or_default();
    let end = rest
        .rfind(char::is_alphanumeric)
        .map_or(0, |at| at + rest.get(at..).and_then(|r| r.chars().next()).map_or(0, char::len_utf8));
    (token.get(..start).unwrap_or_default(), rest.get(..end).unwrap_or_default(), rest.get(end..).unwrap_or_default())
}

/// The verb as it stands behind a singular subject.
fn singular(word: &str, folded: &str) -> String {
    match folded {
        "am" | "are" => "is".into(),
        "have" => "has".into(),
        "havent" => "hasn't".into(),
        "do" => "does".into(),
        "dont" => "doesn't".into(),
        "were" => "was".into(),
        "arent" => "isn't".into(),
        "werent" => "wasn't".into(),
        "go" => "goes".into(),
        _ if WORDS.english.fixed.iter().any(|w| w == folded) => spelled(word, folded),
        _ if !folded.chars().all(|c| c.is_ascii_lowercase()) || folded.ends_with("ed") => word.to_owned(),
        _ if ["s", "x", "ch", "sh", "z"].iter().any(|end| folded.ends_with(end)) => {
            format!("{word}es")
        }
        _ => match folded.strip_suffix('y') {
            Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
            _ => format!("{word}s"),
        },
    }
}

/// A word with its apostrophe back.
fn spelled(word: &str, folded: &str) -> String {
    match WORDS.english.spelling.get(folded) {
        Some(full) if !word.contains(['\'', '’']) => full.clone(),
        _ => word.to_owned(),
    }
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        // An identifier keeps its case: "pnpm-lock.yaml", "config.toml".
        Some(c) if c.is_lowercase() && !is_identifier(text) => c.to_uppercase().chain(chars).collect(),
        _ => text.to_owned(),
    }
}

fn is_identifier(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or_default().trim_end_matches([',', '.', ':', ';']);
    word.chars().any(|c| matches!(c, '/' | '_' | '.' | '`' | '@' | '$') || c.is_ascii_digit())
}

fn close(text: &str, stop: char) -> String {
    let text = text.trim_end_matches([' ', ',', ';', ':', '，', '；', '：', '、', '-', '—']);
    if text.ends_with(['.', '!', '?', '。', '！', '？', '…', '"', '”', '」', ')']) || text.is_empty() {
        text.to_owned()
    } else {
        format!("{text}{stop}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_person_becomes_the_third() {
        for (said, kept) in [
            ("I'm a backend engineer", "User is a backend engineer."),
            ("i always fly from the small airport", "User always flies from the small airport."),
            ("I don't like meetings", "User doesn't like meetings."),
            (
                "I prefer tabs because I read diffs on my phone",
                "User prefers tabs because they read diffs on their phone.",
            ),
            ("my timezone is CET", "User's timezone is CET."),
            ("we use pnpm in this repo, not npm", "User's team uses pnpm in this repo, not npm."),
            ("our staging box runs on 8443", "The team's staging box runs on 8443."),
            ("dont ask me every time", "Don't ask the user every time."),
            ("net/fetch.py does all requests", "net/fetch.py does all requests."),
            ("I can't eat nuts", "User can't eat nuts."),
            ("I've worked here for years", "User has worked here for years."),
            ("we aren't touching it", "User's team isn't touching it."),
            ("I told you twice", "User told you twice."),
            ("the us office is closed", "The us office is closed."),
        ] {
            assert_eq!(third_person(said), kept);
        }
    }

    #[test]
    fn chinese_stays_chinese() {
        assert_eq!(third_person("我更喜欢深色模式"), "用户更喜欢深色模式。");
        assert_eq!(third_person("我们公司不加班"), "用户的公司不加班。");
        assert_eq!(third_person("我们的服务都跑在 9090"), "用户这边的服务都跑在 9090。");
    }
}
