//! Sentences and clauses: the units in which people state and correct.
//!
//! Chat is written carelessly: lower case, no full stops, Chinese with blanks instead of commas, numbered
//! answers in one line. So a sentence ends at a full stop, at a line break and before a list marker; a clause
//! also at commas, dashes, "but" and at a blank between two Chinese characters.

use std::ops::Range;

use super::script::is_han;

/// One sentence of a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    /// Where it stands, without its list marker and blanks around it.
    pub span: Range<usize>,
    /// The number of the list item it opens ("2)" → 2).
    pub item: Option<u32>,
    /// Whether it ends in a question mark.
    pub question: bool,
}

/// Cuts text into sentences. Blanks and list markers belong to none.
#[must_use]
pub fn sentences(text: &str) -> Vec<Sentence> {
    let mut found = Vec::new();
    let mut start = 0;
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let mut last_item = 0;
    for (i, &(at, c)) in chars.iter().enumerate() {
        let next = chars.get(i + 1).map_or('\n', |&(_, c)| c);
        let before = i.checked_sub(1).and_then(|i| chars.get(i)).map_or('\n', |&(_, c)| c);
        if ends_sentence(text.get(start..at).unwrap_or_default(), before, c, next) {
            let end = at + c.len_utf8();
            push(&mut found, text, start..end);
            start = end;
        } else if let Some(number) = starts_item(&chars, i).filter(|&n| n == 1 || n == last_item + 1) {
            last_item = number;
            push(&mut found, text, start..at);
            start = at;
        }
    }
    push(&mut found, text, start..text.len());
    found
}

fn ends_sentence(so_far: &str, before: char, c: char, next: char) -> bool {
    match c {
        '\n' | '。' | '！' | '？' | '；' => true,
        '!' | '?' | ';' => next.is_whitespace() || is_han(next) || is_han(before),
        '.' => next.is_whitespace() && before != '.' && !is_abbreviation(so_far) && !is_bare_marker(so_far),
        _ => false,
    }
}

fn is_abbreviation(so_far: &str) -> bool {
    let word = so_far.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default().to_ascii_lowercase();
    matches!(word.as_str(), "e.g" | "i.e" | "etc" | "vs" | "cf" | "mr" | "mrs" | "dr" | "approx" | "no" | "fig")
        && !(word == "no" && so_far.trim().len() == 2)
}

/// Whether the sentence so far is only the digits of a list marker ("1" before the dot of "1. yes").
fn is_bare_marker(so_far: &str) -> bool {
    let so_far = so_far.trim();
    !so_far.is_empty() && so_far.len() <= 2 && so_far.bytes().all(|b| b.is_ascii_digit())
}

/// The number of the list item that starts here, if one does: at the start or behind a blank, "2)", "2、", or "2."
/// with a blank behind it. A version at the end of a sentence ("on 16. Then") looks the same; it does not follow the
/// item before it.
fn starts_item(chars: &[(usize, char)], i: usize) -> Option<u32> {
    let get = |k: usize| chars.get(k).map_or('\n', |&(_, c)| c);
    if !get(i).is_ascii_digit() || i > 0 && !get(i - 1).is_whitespace() {
        return None;
    }
    let mut number = get(i).to_digit(10)?;
    let mut k = i + 1;
    if get(k).is_ascii_digit() {
        number = number * 10 + get(k).to_digit(10)?;
        k += 1;
    }
    match get(k) {
        ')' | '、' | '）' => Some(number),
        '.' if get(k + 1) == ' ' => Some(number),
        _ => None,
    }
}

fn push(found: &mut Vec<Sentence>, text: &str, span: Range<usize>) {
    let raw = text.get(span.clone()).unwrap_or_default();
    let (item, marker) = item_marker(raw);
    let body = raw.get(marker..).unwrap_or_default();
    let lead = body.len() - body.trim_start().len();
    let trimmed = body.trim();
    if trimmed.chars().any(says_something) {
        let start = span.start + marker + lead;
        found.push(Sentence { span: start..start + trimmed.len(), item, question: trimmed.ends_with(['?', '？']) });
    }
}

/// The list marker a sentence opens with: its number where it has one, and the bytes it takes.
fn item_marker(raw: &str) -> (Option<u32>, usize) {
    let lead = raw.len() - raw.trim_start().len();
    let body = raw.trim_start();
    if let Some(rest) = ["- ", "* ", "• ", "– ", "# ", "## ", "· "].iter().find_map(|m| body.strip_prefix(m)) {
        return (None, lead + body.len() - rest.len());
    }
    let digits = body.bytes().take_while(u8::is_ascii_digit).count();
    let after = body.get(digits..).unwrap_or_default();
    let number = body.get(..digits).and_then(|d| d.parse().ok());
    if (1..=2).contains(&digits) {
        for mark in [")", "、", "）", "."] {
            if let Some(rest) = after.strip_prefix(mark)
                && (mark != "." || !rest.starts_with(|c: char| c.is_ascii_digit()))
            {
                return (number, lead + body.len() - rest.len());
            }
        }
    }
    (None, 0)
}

/// Cuts a sentence into clauses; spans are relative to the sentence.
#[must_use]
pub fn clauses(sentence: &str) -> Vec<Range<usize>> {
    let mut cuts: Vec<(usize, usize)> = Vec::new();
    let lower = sentence.to_ascii_lowercase();
    let chars: Vec<(usize, char)> = sentence.char_indices().collect();
    for (i, &(at, c)) in chars.iter().enumerate() {
        let before = i.checked_sub(1).and_then(|i| chars.get(i)).map_or(' ', |&(_, c)| c);
        let next = chars.get(i + 1).map_or(' ', |&(_, c)| c);
        let cut = match c {
            '，' | '；' | '：' | '—' => true,
            ',' => !(before.is_ascii_digit() && next.is_ascii_digit()),
            ':' | ';' => next.is_whitespace(),
            '-' | '–' => before.is_whitespace() && next.is_whitespace(),
            ' ' => is_han(before) && is_han(next),
            _ => false,
        };
        if cut {
            cuts.push((at, at + c.len_utf8()));
        }
    }
    for word in
        [" but ", " though ", " and i ", " and we ", " and my ", " and our ", " and dont ", " so dont ", "但是", "不过"]
    {
        let found = lower.match_indices(word);
        // Right behind a verb 不过 says that it fails: 编不过, 跑不过.
        let joins = |at: usize| word != "不过" || !lower.get(..at).is_some_and(|before| before.ends_with(is_han));
        cuts.extend(
            found.filter(|&(at, _)| joins(at)).map(|(at, w)| (at, at + if w.starts_with(' ') { 1 } else { 0 })),
        );
    }
    cuts.sort_unstable();
    let mut spans = Vec::new();
    let mut start = 0;
    for (end, next) in cuts {
        if end >= start {
            spans.push(start..end);
            start = next;
        }
    }
    spans.push(start..sentence.len());
    spans.retain(|s| sentence.get(s.clone()).is_some_and(|t| t.chars().any(says_something)));
    spans
}

/// A letter, a digit, or a picture: a thumb that goes up is a sentence.
fn says_something(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '\u{2600}'..='\u{27bf}' | '\u{1f300}'..='\u{1faff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Vec<&str> {
        sentences(text).iter().map(|s| text.get(s.span.clone()).unwrap()).collect()
    }

    #[test]
    fn sentences_end_at_stops_breaks_and_list_markers() {
        for (text, expected) in [
            ("v1.2 is out. ship it", vec!["v1.2 is out.", "ship it"]),
            ("see net/fetch.py e.g. the top", vec!["see net/fetch.py e.g. the top"]),
            ("不对。用 uv！好吗？", vec!["不对。", "用 uv！", "好吗？"]),
            ("1) two  2) not yet  3) the fast one", vec!["two", "not yet", "the fast one"]),
            ("1. yes\n2. 17 of them", vec!["yes", "17 of them"]),
            ("it runs on Postgres 16. List the books", vec!["it runs on Postgres 16.", "List the books"]),
            ("1. a thing 2. another thing", vec!["a thing", "another thing"]),
            ("- one\n- two", vec!["one", "two"]),
            ("no. use the other", vec!["no.", "use the other"]),
        ] {
            assert_eq!(said(text), expected, "{text}");
        }
    }

    #[test]
    fn items_keep_their_number_and_questions_their_mark() {
        let found = sentences("2) is it?");
        assert_eq!(found[0].item, Some(2));
        assert!(found[0].question);
    }

    #[test]
    fn clauses_end_at_commas_contrast_and_blanks_between_chinese() {
        let cut =
            |t: &'static str| clauses(t).into_iter().map(|s| t.get(s).unwrap().trim().to_owned()).collect::<Vec<_>>();
        assert_eq!(cut("nice, but it is 1,000 off"), ["nice", "but it is 1,000 off"]);
        assert_eq!(cut("图别放这 都收到 figures 里"), ["图别放这", "都收到 figures 里"]);
    }
}
