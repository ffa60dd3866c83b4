//! `corrections.md` and `reflections.md`: what was said, newest last; and what agents note about their own work.
//!
//! ```text
//! - 2026-01-14 [pnpm-npm] No, use pnpm here. (claude-code, shop) <!-- c_1f0c5a6be2d4 -->
//! ```
//! ```text
//! <!-- r_1f0c5a6be2d4 -->
//! CONTEXT: Flutter UI build
//! REFLECTION: Spacing was wrong, had to redo
//! LESSON: Check visual spacing before showing to user
//! ```

use std::ops::Range;

use chrono::{DateTime, Utc};

use super::outline::Outline;
use super::page::Page;

/// The log of the last corrections.
pub const LATEST: &str = "corrections.md";
/// What fell out of it.
pub const OLDER: &str = "archive/corrections.md";
/// The log of reflections.
pub const REFLECTIONS: &str = "reflections.md";
/// So many corrections are kept in [`LATEST`] (seed).
pub const MOST_CORRECTIONS: usize = 50;
/// What the id of a correction, and of a reflection, begins with.
const CORRECTION: &str = "<!-- c_";
const REFLECTION: &str = "<!-- r_";

/// One line of the log.
#[must_use]
pub fn line(at: DateTime<Utc>, tag: &str, text: &str, from: &str, key: &str) -> String {
    format!("- {} [{tag}] {text} ({from}) {CORRECTION}{key} -->\n", at.format("%Y-%m-%d"))
}

/// Adds lines at the end of a log page that is headed by `title`.
#[must_use]
pub fn appended(page: Option<&Page>, title: &str, lines: &str) -> Page {
    let text = page.map_or("", Page::text);
    let eol = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let start = if text.is_empty() { format!("# {title}{eol}{eol}") } else { String::new() };
    let gap = if text.is_empty() || text.ends_with('\n') { "" } else { eol };
    Page::new(format!("{text}{start}{gap}{}", lines.replace('\n', eol)))
}

/// The corrections on a page: their 1-based lines, and what they say.
#[must_use]
pub fn corrections(page: &Page) -> Vec<(u32, String)> {
    let numbered = (1..).zip(page.text().lines());
    numbered.filter(|(_, line)| is_correction(line)).map(|(n, line)| (n, words(line))).collect()
}

/// The corrections on a page: their 1-based lines, and the bytes of these.
pub(super) fn correction_spans(page: &Page) -> Vec<(u32, Range<usize>)> {
    let mut at = 0;
    let numbered = (1..).zip(page.text().split_inclusive('\n')).map(|(number, line)| {
        let start = at;
        at += line.len();
        (number, line, start..at)
    });
    numbered.filter(|(_, line, _)| is_correction(line)).map(|(number, _, span)| (number, span)).collect()
}

fn is_correction(line: &str) -> bool {
    line.starts_with("- ") && line.contains(CORRECTION)
}

fn words(line: &str) -> String {
    let words = line.split(CORRECTION).next().unwrap_or(line);
    words.trim().trim_start_matches("- ").to_owned()
}

/// The page with its last [`MOST_CORRECTIONS`], and the lines that have to leave it, the oldest first.
#[must_use]
pub fn trimmed(page: &Page) -> (Page, String) {
    let count = page.text().lines().filter(|line| is_correction(line)).count();
    let mut surplus = count.saturating_sub(MOST_CORRECTIONS);
    let (mut kept, mut left) = (String::new(), String::new());
    for line in page.text().split_inclusive('\n') {
        if surplus > 0 && is_correction(line) {
            surplus -= 1;
            left.push_str(line);
        } else {
            kept.push_str(line);
        }
    }
    (Page::new(kept), left.replace("\r\n", "\n"))
}

/// A reflection as it is written.
#[must_use]
pub fn reflection(key: &str, context: &str, reflection: &str, lesson: &str) -> String {
    format!("\n{REFLECTION}{key} -->\nCONTEXT: {context}\nREFLECTION: {reflection}\nLESSON: {lesson}\n")
}

/// What an agent noted about its work, in the seed's form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reflection {
    /// The type of task.
    pub context: String,
    /// What it noticed.
    pub reflection: String,
    /// What to do differently.
    pub lesson: String,
}

/// The complete `CONTEXT / REFLECTION / LESSON` blocks of a text, those in code left out: they are examples.
#[must_use]
pub fn reflections(text: &str) -> Vec<Reflection> {
    let outline = Outline::new(text);
    let mut found = Vec::new();
    let mut open: [Option<String>; 2] = [None, None];
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let plain = line.trim().trim_start_matches(['*', '-', ' ']).replace("**", "");
        let after = |word: &str| {
            let rest = plain.strip_prefix(word)?.strip_prefix(':')?.trim().to_owned();
            (!rest.is_empty() && !rest.starts_with('[')).then_some(rest)
        };
        if outline.is_hidden(start) {
            continue;
        }
        if let Some(context) = after("CONTEXT") {
            open = [Some(context), None];
        } else if let (Some(words), [Some(_), None]) = (after("REFLECTION"), &open) {
            open[1] = Some(words);
        } else if let Some(lesson) = after("LESSON") {
            if let [Some(context), Some(reflection)] = std::mem::take(&mut open) {
                found.push(Reflection { context, reflection, lesson });
            }
        } else if !plain.is_empty() {
            open = [None, None];
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_keeps_the_last_fifty_and_gives_the_others_away() {
        let all: String =
            (0..53).map(|n| line(DateTime::UNIX_EPOCH, "t", &format!("No {n}."), "codex", "00")).collect();
        let page = appended(Some(&Page::new("# Mine\n\nMy words.\n")), "Corrections", &all);
        let (kept, left) = trimmed(&page);
        assert_eq!(corrections(&kept).len(), 50);
        assert_eq!(left.lines().count(), 3);
        assert!(left.starts_with("- 1970-01-01 [t] No 0. (codex)"), "{left}");
        assert!(kept.text().starts_with("# Mine\n\nMy words.\n"));
        assert_eq!(trimmed(&kept), (kept.clone(), String::new()));
    }

    #[test]
    fn reflections_are_whole_blocks_outside_of_code() {
        let block = "CONTEXT: UI build\nREFLECTION: Spacing was wrong\nLESSON: Check spacing first\n";
        assert_eq!(reflections(block).len(), 1);
        assert_eq!(reflections(&format!("Done.\n\n**CONTEXT:** a\n- REFLECTION: b\n\n{block}")).len(), 1);
        assert_eq!(reflections(&format!("```\n{block}```\n")).len(), 0);
        assert_eq!(reflections("CONTEXT: a\nREFLECTION: b\nsomething else\nLESSON: c\n").len(), 0);
        assert_eq!(reflections("CONTEXT: [type of task]\nREFLECTION: [what]\nLESSON: [how]\n").len(), 0);
    }
}
