//! The screen of a session as text: what Claude Code's `/export` writes.
//!
//! `> ` (or `❯ `) opens a prompt, `● ` or `⏺ ` an answer or a tool call, `⎿` a tool's result; continuation lines
//! are indented.

use std::io::Read;
use std::path::Path;

use chrono::{DateTime, Utc};

use super::draft::{Draft, Record};
use super::{Host, Manner, Reading, Speaker, Turn, claude_code, cut, envelope, whole};
use crate::error::Result;

/// Marks that open a prompt.
pub(super) const PROMPTS: [&str; 2] = ["> ", "❯ "];
/// Marks that open an answer or a call.
pub(super) const ANSWERS: [&str; 2] = ["● ", "⏺ "];

/// Reads one file.
pub(super) fn read(reader: impl Read, path: &Path, modified: DateTime<Utc>) -> Result<Reading> {
    let text = whole::text(reader, path)?;
    let blocks = whole::blocks(&text, |line| {
        let opens = |marks: &[&str]| marks.iter().any(|mark| line.text.starts_with(mark));
        if opens(&PROMPTS) {
            return Some((Speaker::Human, line.text));
        }
        if opens(&ANSWERS) {
            return Some((Speaker::Agent, line.text));
        }
        let is_result = line.text.trim_start().starts_with('⎿');
        is_result.then_some((Speaker::Tool, line.text))
    });
    let mut draft = Draft::default();
    let record = Record { id: None, time: None };
    for block in &blocks {
        let (speaker, first) = block.header;
        let line = block.line;
        let said = unindented(first, block.text);
        let turn = match speaker {
            Speaker::Human => claude_code::part_turn(cut::clip(&said, cut::HUMAN), Manner::Plain, record),
            Speaker::Agent => {
                let manner = if is_call(&said) { Manner::Call } else { Manner::Plain };
                record.agent(manner, &said)
            }
            _ if said.starts_with("Interrupted") => record.injected(Manner::Interrupt, &said),
            _ if envelope::is_interrupt(&said) => record.injected(Manner::Interrupt, &said),
            _ => record.result(Manner::Plain, &said),
        };
        if !said.is_empty() {
            draft.turns.push(Turn { line, ..turn });
        }
    }
    Ok(Reading { sessions: vec![draft.finish(Host::ClaudeCode, path, modified)], problems: Vec::new() })
}

/// A block's lines without the mark and the indent of two.
fn unindented(first: &str, rest: &str) -> String {
    let (_, first) = first.trim_start().split_once(' ').unwrap_or_default();
    let mut said = first.trim().to_owned();
    for line in rest.lines() {
        said.push('\n');
        said.push_str(line.strip_prefix("  ").unwrap_or(line).trim_end());
    }
    said.trim().to_owned()
}

/// Whether an answer is a call: `Bash(ls)`, `Read(src/main.rs)`.
fn is_call(said: &str) -> bool {
    said.split_once('(').is_some_and(|(name, _)| {
        name.starts_with(|c: char| c.is_ascii_uppercase())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == ' ')
            && name.split(' ').count() <= 2
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_open_turns_and_indents_continue_them() {
        let text = " ▐▛███▜▌   Claude Code v2.1.9\n\n> use tabs\n  everywhere\n\n● Read(a.mk)\n  ⎿  Read 3 lines\n\n● Done.\n\n> thanks\n";
        let reading = read(text.as_bytes(), Path::new("e.txt"), DateTime::UNIX_EPOCH).unwrap();
        let seen: Vec<_> = reading.sessions[0]
            .turns
            .iter()
            .map(|turn| (turn.line, turn.speaker, turn.manner, turn.text.as_str()))
            .collect();
        assert_eq!(
            seen,
            [
                (3, Speaker::Human, Manner::Plain, "use tabs\neverywhere"),
                (6, Speaker::Agent, Manner::Call, "Read(a.mk)"),
                (7, Speaker::Tool, Manner::Plain, "Read 3 lines"),
                (9, Speaker::Agent, Manner::Plain, "Done."),
                (11, Speaker::Human, Manner::Plain, "thanks"),
            ]
        );
    }
}
