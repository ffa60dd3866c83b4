//! Steering: what a workspace's AGENTS.md, SOUL.md and HEARTBEAT.md tell the agents about the home, in marked blocks.
//!
//! ```text
//! <!-- afterword: steering, ended 1f0c5a6be2d4 -->
//! ## Experience
//! …
//! <!-- /afterword: steering -->
//! ```
//! The block stands at the end of the file. Its first line says how the file ended without it (`made`: it was not there,
//! `open`: without a line end, `ended`: with one), so that taking the block out gives the same bytes wherever the file was
//! moved to meanwhile; and it holds a checksum of the lines below, so that a person's word among them is noticed and the
//! block left alone.

use std::ops::Range;

use super::outline::{Outline, line_number};
use super::patterns::{Refusal, brief, line_end};

/// The files, and what is put into each.
pub const SNIPPETS: [(&str, &str); 3] = [
    ("AGENTS.md", include_str!("steer/AGENTS.md")),
    ("SOUL.md", include_str!("steer/SOUL.md")),
    ("HEARTBEAT.md", include_str!("steer/HEARTBEAT.md")),
];

const OPEN: &str = "<!-- afterword: steering, ";
const CLOSE: &str = "<!-- /afterword: steering -->";

/// How a file ended before the block was put in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// It was not there.
    Made,
    /// Without a line end.
    Open,
    /// With a line end, or it was empty.
    Ended,
}

impl End {
    const ALL: [Self; 3] = [Self::Made, Self::Open, Self::Ended];

    fn of(text: Option<&str>) -> Self {
        match text {
            None => Self::Made,
            Some(text) if text.is_empty() || text.ends_with('\n') => Self::Ended,
            Some(_) => Self::Open,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Made => "made",
            Self::Open => "open",
            Self::Ended => "ended",
        }
    }

    /// What stands between the file and the block, and behind the block.
    fn around(self, eol: &str) -> (String, String) {
        match self {
            Self::Made => (String::new(), eol.to_owned()),
            Self::Open => (eol.repeat(2), String::new()),
            Self::Ended => (eol.to_owned(), eol.to_owned()),
        }
    }
}

/// The text of a file with the snippet in its block; `None` if it stands there. A file that is not there is `None`.
///
/// # Errors
/// If the block is there twice or broken, a person changed it, or the file ends in code that is never closed.
pub fn put(text: Option<&str>, snippet: &str) -> Result<Option<String>, Refusal> {
    let old = text.unwrap_or_default();
    let eol = line_end(old);
    let (bare, end) = match find(old)? {
        Some(block) => (without(old, &block), block.end),
        None => (old.to_owned(), End::of(text)),
    };
    if let Some(at) = Outline::new(&bare).unclosed {
        let what = "code or a comment begins here and never ends, so that nothing can be added behind it; close it";
        return Err(Refusal { what: what.to_owned(), line: Some(line_number(&bare, at)) });
    }
    let lines: Vec<String> = snippet.lines().map(str::to_owned).collect();
    let first = format!("{OPEN}{} {} -->", end.word(), brief(&lines));
    let core = [vec![first], lines, vec![CLOSE.to_owned()]].concat().join(eol);
    let (lead, tail) = end.around(eol);
    let new = format!("{bare}{lead}{core}{tail}");
    Ok((new != old).then_some(new))
}

/// The text of a file without the block: an inner `None` if the file was made for it. `None` if there is no block.
///
/// # Errors
/// As for [`put`].
pub fn take(text: &str) -> Result<Option<Option<String>>, Refusal> {
    let Some(block) = find(text)? else {
        return Ok(None);
    };
    let rest = without(text, &block);
    Ok(Some(Some(rest).filter(|rest| block.end != End::Made || !rest.is_empty())))
}

/// A block that is there.
struct Block {
    /// From its first mark to the end of its last.
    span: Range<usize>,
    end: End,
}

fn find(text: &str) -> Result<Option<Block>, Refusal> {
    let refuse = |at: usize, what: &str| Refusal { what: what.to_owned(), line: Some(line_number(text, at)) };
    let opens: Vec<usize> = starts(text, OPEN);
    let closes: Vec<usize> = starts(text, CLOSE);
    let (open, close) = match (opens.as_slice(), closes.as_slice()) {
        ([], []) => return Ok(None),
        ([open], [close]) if open < close => (*open, *close),
        ([_, second, ..], _) => return Err(refuse(*second, "the steering block is there twice; leave one of them")),
        (opens, closes) => {
            let at = opens.first().or(closes.first()).copied().unwrap_or_default();
            return Err(refuse(at, "one of the steering block's two marks is missing; take the other one out"));
        }
    };
    let mut lines = text.get(open..close).unwrap_or_default().lines().map(str::to_owned);
    let first = lines.next().unwrap_or_default();
    let said = first.strip_prefix(OPEN).and_then(|rest| rest.strip_suffix(" -->")?.split_once(' '));
    let known = said.and_then(|(word, sum)| Some((End::ALL.into_iter().find(|end| end.word() == word)?, sum)));
    match known {
        Some((end, sum)) if sum == brief(&lines.collect::<Vec<_>>()) => {
            Ok(Some(Block { span: open..close + CLOSE.len(), end }))
        }
        _ => Err(refuse(open, "the steering block was changed by hand; move your lines out of it, and take it out")),
    }
}

/// Where a line begins with `mark`.
fn starts(text: &str, mark: &str) -> Vec<usize> {
    let begins = |at: usize| at == 0 || text.as_bytes().get(at - 1) == Some(&b'\n');
    text.match_indices(mark).map(|(at, _)| at).filter(|at| begins(*at)).collect()
}

fn without(text: &str, block: &Block) -> String {
    let (before, after) = (text.get(..block.span.start), text.get(block.span.end..));
    let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
    let (lead, tail) = block.end.around(line_end(text));
    let before = before.strip_suffix(&lead).unwrap_or(before);
    format!("{before}{}", after.strip_prefix(&tail).unwrap_or(after))
}

#[cfg(test)]
#[path = "steer_tests.rs"]
mod tests;
