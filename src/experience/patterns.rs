//! The `### Patterns` block in a product's global file: found, filled and taken out, on text alone.
//!
//! ```text
//! ## Learnings
//!
//! ### Patterns
//! <!-- synced by afterword 2026-11-30T22:00:00Z 1f0c5a6be2d4; change ~/learn-from-experience/memory.md instead -->
//! - [package-manager] Use pnpm, not npm.
//! ```
//! The block goes from its heading to the next heading of its rank or above. Between the two stands what sync wrote and
//! nothing else: the comment holds a checksum of the lines below it, so that a person's word in the block is noticed,
//! and the block refused, before it is overwritten. Whatever is outside of the block keeps every byte; that is checked on
//! the result (the headings before and after are compared), not only intended.

use std::ops::Range;

use super::outline::{Heading, Outline, line_number};
use crate::store::ledger::checksum;

/// The section that holds the block, and the block, as in the seed.
const SECTION: &str = "Learnings";
const BLOCK: &str = "Patterns";
/// How the comment begins that this program writes.
const COMMENT: &str = "<!-- synced by afterword ";
/// And what it tells the reader.
const ADVICE: &str = "change ~/learn-from-experience/memory.md instead";
/// So many characters of the checksum are written.
const SUM: usize = 12;
/// The block has at most so many lines (seed, "Sync Rules"); its heading and its comment are two of them.
pub const MOST_LINES: usize = 30;
/// So many lines are left for preferences.
pub const MOST_PREFERENCES: usize = MOST_LINES - 2;

/// Why a file is left as it is: one sentence without its full stop, and the line it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// What is wrong, and the way out.
    pub what: String,
    /// 1-based.
    pub line: Option<u32>,
}

/// What was put around the lines that sync wrote, so that all of it can be taken out again.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Setting {
    /// In front of them: blank lines, and the headings that were not there.
    pub lead: String,
    /// Behind them.
    pub tail: String,
}

/// A file with its block filled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filled {
    /// The whole text.
    pub text: String,
    /// What is new around the block's lines; nothing if the block was there.
    pub setting: Setting,
}

/// Puts the lines into the block of `text`, and makes the block if there is none. `None` if they are there already.
/// `stamp` is the time that the comment tells.
///
/// # Errors
/// If it cannot be told where the block is, or something stands in it that sync did not write.
pub fn fill(text: &str, lines: &[String], stamp: &str) -> Result<Option<Filled>, Refusal> {
    let outline = Outline::new(text);
    let eol = line_end(text);
    let core = core(lines, stamp, eol);
    let place = find(text, &outline)?;
    let (at, setting) = match &place {
        Place::Block { body, .. } => {
            if !body.is_empty() && plain(text.get(body.clone()).unwrap_or_default()) == lines {
                return Ok(None);
            }
            (body.clone(), around_empty(text, body, eol))
        }
        Place::Section { end } => (*end..*end, around_block(text, *end, eol, "")),
        Place::Nowhere => {
            let section = format!("## {SECTION}{eol}{eol}");
            (text.len()..text.len(), around_block(text, text.len(), eol, &section))
        }
    };
    if at.is_empty() && lines.is_empty() {
        return Ok(None);
    }
    let (before, after) = (text.get(..at.start).unwrap_or_default(), text.get(at.end..).unwrap_or_default());
    let filled = format!("{before}{}{core}{}{after}", setting.lead, setting.tail);
    verify(text, &outline, &filled, lines)?;
    Ok(Some(Filled { text: filled, setting }))
}

/// Takes the block out, with what `setting` says was put around it. `None` if there is none of ours.
///
/// # Errors
/// As for [`fill`].
pub fn clear(text: &str, setting: &Setting) -> Result<Option<String>, Refusal> {
    let outline = Outline::new(text);
    let Place::Block { body, .. } = find(text, &outline)? else {
        return Ok(None);
    };
    if body.is_empty() {
        return Ok(None);
    }
    let (before, after) = (text.get(..body.start).unwrap_or_default(), text.get(body.end..).unwrap_or_default());
    let eol = line_end(text);
    let bare = || after.strip_prefix(eol).unwrap_or(after);
    let heading = format!("### {BLOCK}{eol}");
    let is_new = setting.lead.ends_with(&heading);
    let cleared = match before.strip_suffix(&setting.lead).zip(after.strip_prefix(&setting.tail)) {
        // Something else moved in under the section that came with the block: it stays for that.
        Some((_, rest)) if is_new && section_is_ours(setting) && !ends_section(&outline, text, rest) => {
            format!("{}{}", before.strip_suffix(&heading).unwrap_or(before), rest)
        }
        Some(_) if *setting == Setting::default() => format!("{before}{}", bare()),
        Some((before, rest)) => format!("{before}{rest}"),
        None => format!("{before}{}", bare()),
    };
    Ok(Some(cleared))
}

fn section_is_ours(setting: &Setting) -> bool {
    setting.lead.contains(&format!("## {SECTION}"))
}

/// Whether nothing more of a section comes in `rest`, the end of `text`.
fn ends_section(outline: &Outline, text: &str, rest: &str) -> bool {
    let next = text.len() - rest.trim_start().len();
    next >= text.len() || outline.headings.iter().any(|h| h.level <= 2 && !h.is_nested && h.span.contains(&next))
}

/// Where the block is, or where it would be made.
enum Place {
    /// It is there; `body` is what stands in it, without the blank lines at its end.
    Block {
        body: Range<usize>,
    },
    /// Its section is there, and ends here.
    Section {
        end: usize,
    },
    Nowhere,
}

fn find(text: &str, outline: &Outline) -> Result<Place, Refusal> {
    let sections: Vec<&Heading> =
        outline.headings.iter().filter(|h| !h.is_nested && h.level == 2 && is_named(h, SECTION)).collect();
    let holds = |section: &&Heading, at: usize| at >= section.span.end && at < outline.section_end(section, text);
    let mut blocks = Vec::new();
    for heading in outline.headings.iter().filter(|h| h.level == 3 && is_named(h, BLOCK)) {
        let body = body(text, outline, heading);
        let is_marked = text.get(body.clone()).unwrap_or_default().trim_start().starts_with(COMMENT);
        // One elsewhere is a chapter of the person's own.
        if is_marked || sections.iter().any(|section| holds(section, heading.span.start)) {
            blocks.push((heading, body));
        }
    }
    let line = |at: usize| Some(line_number(text, at));
    if let Some((nested, _)) = blocks.iter().find(|(heading, _)| heading.is_nested) {
        let what = format!("`### {BLOCK}` stands inside a quote or a list; move it out of there");
        return Err(Refusal { what, line: line(nested.span.start) });
    }
    match blocks.as_slice() {
        [(_, body)] => {
            check_ours(text, body)?;
            Ok(Place::Block { body: body.clone() })
        }
        [_, (second, _), ..] => {
            let what = format!("there is more than one `### {BLOCK}` under `## {SECTION}`; leave one of them");
            Err(Refusal { what, line: line(second.span.start) })
        }
        [] => match sections.as_slice() {
            [] => Ok(Place::Nowhere),
            [section] => Ok(Place::Section { end: outline.section_end(section, text) }),
            [_, second, ..] => {
                let what = format!("there is more than one `## {SECTION}`; leave one of them");
                Err(Refusal { what, line: line(second.span.start) })
            }
        },
    }
}

fn is_named(heading: &Heading, name: &str) -> bool {
    heading.text.trim().eq_ignore_ascii_case(name)
}

/// What stands under a heading, without the blank lines at its end.
fn body(text: &str, outline: &Outline, heading: &Heading) -> Range<usize> {
    let start = heading.span.end;
    let all = text.get(start..outline.section_end(heading, text)).unwrap_or_default();
    start..start + all.trim_end().len()
}

/// Refuses a block that holds anything sync did not write.
fn check_ours(text: &str, body: &Range<usize>) -> Result<(), Refusal> {
    let inside = text.get(body.clone()).unwrap_or_default();
    let refuse = |what: &str| Err(Refusal { what: what.to_owned(), line: Some(line_number(text, body.start)) });
    let Some(comment) = inside.lines().next() else {
        return Ok(());
    };
    let lines = plain(inside);
    if let Some(rest) = comment.strip_prefix(COMMENT) {
        let sum = rest.split([' ', ';']).nth(1).unwrap_or_default();
        if sum == brief(&lines) {
            return Ok(());
        }
        return refuse(
            "the block was changed by hand since it was synced; move your lines to memory.md or to another section, and take them out of the block",
        );
    }
    // A block that the skill's own agent wrote: a comment that tells of the sync, and lines of its form.
    let is_comment = comment.trim_start().starts_with("<!--") && comment.trim_end().ends_with("-->");
    let is_synced = is_comment && comment.to_ascii_lowercase().contains("sync");
    if is_synced && lines.iter().all(|line| line.trim().is_empty() || line.starts_with("- [")) {
        return Ok(());
    }
    refuse("the block holds lines that sync did not write; move them to memory.md or to another section")
}

/// The lines of a block below its comment.
fn plain(body: &str) -> Vec<String> {
    body.lines().skip(1).map(str::to_owned).collect()
}

/// What sync writes: the comment and the lines, without a line end behind the last one.
fn core(lines: &[String], stamp: &str, eol: &str) -> String {
    let comment = format!("{COMMENT}{stamp} {}; {ADVICE} -->", brief(lines));
    std::iter::once(comment).chain(lines.iter().cloned()).collect::<Vec<_>>().join(eol)
}

pub(super) fn brief(lines: &[String]) -> String {
    checksum(lines.join("\n")).chars().take(SUM).collect()
}

/// The line end that most lines of the file have.
pub(super) fn line_end(text: &str) -> &'static str {
    let breaks = text.bytes().filter(|&byte| byte == b'\n').count();
    if 2 * text.matches("\r\n").count() > breaks { "\r\n" } else { "\n" }
}

/// What goes around lines that are put under a heading that is there.
fn around_empty(text: &str, body: &Range<usize>, eol: &str) -> Setting {
    if !body.is_empty() {
        return Setting::default();
    }
    let heading_ends = text.get(..body.start).is_some_and(|before| before.ends_with('\n'));
    let after = text.get(body.end..).unwrap_or_default();
    let lead = if heading_ends { "" } else { eol };
    let tail = match after {
        "" if heading_ends => eol.to_owned(),
        "" => String::new(),
        after if after.starts_with(['\r', '\n']) => eol.to_owned(),
        // A setext heading right behind a list would become part of it.
        _ => format!("{eol}{eol}"),
    };
    Setting { lead: lead.to_owned(), tail }
}

/// What goes around a new block at `at`.
fn around_block(text: &str, at: usize, eol: &str, section: &str) -> Setting {
    let before = text.get(..at).unwrap_or_default();
    let is_blank = |line: &str| line.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}').is_empty();
    let ends = before.is_empty() || before.ends_with('\n');
    let last_is_blank = before.lines().next_back().is_none_or(is_blank);
    let gap = match (ends, last_is_blank) {
        (_, true) => String::new(),
        (true, false) => eol.to_owned(),
        (false, false) => format!("{eol}{eol}"),
    };
    let tail = match (at < text.len(), ends) {
        (true, _) => format!("{eol}{eol}"),
        (false, true) => eol.to_owned(),
        // A file without a line end at its end stays one.
        (false, false) => String::new(),
    };
    Setting { lead: format!("{gap}{section}### {BLOCK}{eol}"), tail }
}

/// Checks that a reader of markdown sees in the new text what it saw in the old one, and the block.
fn verify(old: &str, before: &Outline, new: &str, lines: &[String]) -> Result<(), Refusal> {
    let after = Outline::new(new);
    let shape = |text: &str, outline: &Outline, is_new: bool| -> Vec<(u8, String, String)> {
        let kept = outline.headings.iter().filter(|h| !is_new || !is_named(h, BLOCK) && !is_named(h, SECTION));
        kept.map(|h| (h.level, h.text.clone(), text.get(h.span.clone()).unwrap_or_default().trim_end().to_owned()))
            .collect()
    };
    let same = shape(old, before, true) == shape(new, &after, true);
    let found = matches!(find(new, &after), Ok(Place::Block { body }) if plain(new.get(body.clone()).unwrap_or_default()) == lines);
    if same && found {
        return Ok(());
    }
    let open = before.unclosed.map(|at| line_number(old, at));
    let what = match open {
        Some(_) => "code or a comment begins here and never ends, so that nothing can be added behind it; close it",
        None => {
            "the block cannot be put in without changing how the rest is read; add `## Learnings` and `### Patterns` by hand"
        }
    };
    Err(Refusal { what: what.to_owned(), line: open })
}

#[cfg(test)]
#[path = "patterns_tests.rs"]
mod tests;
