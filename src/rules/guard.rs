//! Guards: the regexes behind a phrase. They compile when they are first needed: a run that ends in milliseconds
//! cannot pay for all of them.
//!
//! `\w`, `\d`, `\s` and `\b` mean ASCII here. Folded text is lower case with plain blanks, Chinese has no word
//! boundaries, and the Unicode classes cost fifty times as much to compile.

use std::sync::OnceLock;

use crate::text::pattern::Pattern;

/// A regex that compiles on first use.
#[derive(Debug)]
pub(super) struct Guard {
    source: Option<String>,
    compiled: OnceLock<Option<Pattern>>,
}

impl Guard {
    pub(super) fn new(source: Option<&String>) -> Self {
        Self { source: source.map(|s| ascii(s)), compiled: OnceLock::new() }
    }

    /// `None` where there is no guard; else whether it matches. A pattern that does not compile never matches;
    /// the loader and `rules check` report it.
    pub(super) fn matches(&self, text: &str) -> Option<bool> {
        let source = self.source.as_ref()?;
        let pattern = self.compiled.get_or_init(|| Pattern::new(source).ok());
        Some(pattern.as_ref().is_some_and(|p| p.is_match(text)))
    }

    /// Why it does not compile.
    pub(super) fn fault(&self) -> Option<String> {
        self.source.as_ref().and_then(|s| Pattern::new(s).err()).map(|e| e.to_string())
    }
}

/// The pattern with its classes in ASCII.
fn ascii(source: &str) -> String {
    let mut out = String::with_capacity(source.len() + 32);
    let mut chars = source.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('w') => out.push_str("[a-z0-9_]"),
            Some('W') => out.push_str("[^a-z0-9_]"),
            Some('d') => out.push_str("[0-9]"),
            Some('s') => out.push_str("[ \t]"),
            Some('S') => out.push_str("[^ \t]"),
            Some('b') => out.push_str("(?-u:\\b)"),
            Some(other) => {
                out.push('\\');
                out.push(other);
            }
            None => out.push('\\'),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_ascii_also_inside_brackets() {
        let guard = Guard::new(Some(&r"^\w+[\s,]+[^\s.]+\b".to_owned()));
        assert_eq!(guard.matches("use, pnpm"), Some(true));
        assert_eq!(guard.matches("用, pnpm"), Some(false));
        assert_eq!(Guard::new(None).matches("x"), None);
        assert!(Guard::new(Some(&"(".to_owned())).fault().is_some());
    }
}
