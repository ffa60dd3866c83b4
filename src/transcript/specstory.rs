//! SpecStory: Markdown that the SpecStory extension and command line write beside the transcripts of Cursor,
//! Claude Code, Codex, Gemini CLI, Copilot and others.
//!
//! Roles stand on lines of their own (`_**User (2026-01-16 15:23:32Z)**_`), tools in `<tool-use>` elements that
//! may hold anything, another such file included. What the person's words were wrapped in is what the source
//! product wraps them in, so its rules cut it away.

mod tools;

use std::io::Read;
use std::path::Path;

use chrono::{DateTime, NaiveDateTime, Utc};

use super::draft::{Draft, Record};
use super::{Host, Manner, Reading, Speaker, Turn, claude_code, cut, whole};
use crate::error::Result;

/// Reads one file.
pub(super) fn read(reader: impl Read, path: &Path, modified: DateTime<Utc>) -> Result<Reading> {
    let text = whole::text(reader, path)?;
    let mut draft = draft(&text);
    mark_retries(&mut draft.turns);
    Ok(Reading { sessions: vec![draft.finish(Host::Specstory, path, modified)], problems: Vec::new() })
}

/// What a role line says.
struct Header<'a> {
    role: Role,
    /// What stands in its parentheses: the time, the model, or both.
    detail: &'a str,
    time: Option<DateTime<Utc>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    User,
    Agent,
    /// A sub-agent's turn, of either role.
    Sidechain,
}

fn draft(text: &str) -> Draft {
    let (head, mut draft) = (Head::of(text), Draft::default());
    (draft.id, draft.started) = (head.id, head.started);
    let elements = tools::elements(text);
    let blocks = whole::blocks(text, |line| {
        let found = header(line.text)?;
        let is_quoted = elements.iter().any(|element| element.contains(&line.range.start));
        (!is_quoted).then_some(found)
    });
    // The time of a slash command whose body may follow.
    let mut expands: Option<&str> = None;
    for block in &blocks {
        let record = Record { id: None, time: block.header.time };
        let expanded = expands.take();
        match block.header.role {
            Role::User => {
                let mut turns = user_turn(head.host, whole::without_rule(block.text), record);
                if let Some(turn) = &mut turns {
                    turn.line = block.line;
                    let detail = Some(block.header.detail).filter(|detail| !detail.is_empty());
                    if turn.speaker == Speaker::Human && detail.is_some() && expanded == detail {
                        *turn = Turn { line: block.line, ..record.injected(Manner::Plain, &turn.text) };
                    }
                    expands = detail.filter(|_| block.text.contains("<command-name>"));
                }
                draft.turns.extend(turns);
            }
            Role::Agent => {
                let is_local = block.header.detail.starts_with("<synthetic>");
                let manner = if is_local { Manner::Failed } else { Manner::Plain };
                draft.turns.extend(tools::agent_turns(block, &elements, text, manner, record));
            }
            Role::Sidechain => {}
        }
    }
    draft
}

/// What stands above the first role.
struct Head {
    host: Host,
    id: Option<String>,
    started: Option<DateTime<Utc>>,
}

impl Head {
    fn of(text: &str) -> Self {
        let mut head = Self { host: Host::Specstory, id: None, started: None };
        for line in text.lines().take_while(|line| header(line).is_none()) {
            let comment = line.strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix("-->"));
            if let Some((product, rest)) = comment.and_then(|inside| inside.split_once(" Session ")) {
                head.host = host_of(product);
                head.id = rest.split_whitespace().next().map(str::to_owned);
            }
            let detail = line.rsplit_once('(').map_or(line, |(_, inside)| inside);
            let stamp = detail.trim_start_matches(['#', ' ']).trim_end_matches(['-', '>', ' ', ')']);
            head.started = head.started.or_else(|| time(stamp));
        }
        head
    }
}

/// The product whose session it was, for its envelopes.
fn host_of(product: &str) -> Host {
    let product = product.to_ascii_lowercase();
    let known = [
        ("claude", Host::ClaudeCode),
        ("codex", Host::Codex),
        ("gemini", Host::Gemini),
        ("cursor", Host::Cursor),
        ("copilot", Host::Copilot),
    ];
    known.into_iter().find(|(name, _)| product.contains(name)).map_or(Host::Specstory, |(_, host)| host)
}

fn header(line: &str) -> Option<Header<'_>> {
    let inside = line.trim_end().strip_prefix("_**")?.strip_suffix("**_")?;
    let (name, detail) = inside.split_once(" (").unwrap_or((inside, ""));
    let detail = detail.strip_suffix(')').unwrap_or(detail);
    let (name, is_aside) = name.strip_suffix(" - sidechain").map_or((name, false), |name| (name, true));
    let role = match name {
        _ if is_aside => Role::Sidechain,
        "User" => Role::User,
        // Old files go on without a name after each tool.
        "Assistant" | "Agent" | "" => Role::Agent,
        _ => return None,
    };
    // An agent's detail is the model and the time, either of which may be missing.
    let behind_model = detail.split_once(' ').map_or("", |(_, rest)| rest);
    Some(Header { role, detail, time: time(detail).or_else(|| time(behind_model)) })
}

/// A time as SpecStory writes it; one without a zone is taken for UTC.
fn time(text: &str) -> Option<DateTime<Utc>> {
    let text = text.trim().trim_end_matches('Z');
    let forms = ["%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M", "%Y/%m/%d %H:%M:%S", "%d/%m/%Y, %H:%M:%S"];
    forms.iter().find_map(|form| NaiveDateTime::parse_from_str(text, form).ok()).map(|time| time.and_utc())
}

fn user_turn(host: Host, text: &str, record: Record<'_>) -> Option<Turn> {
    let text = cut::clip(text, cut::HUMAN);
    if text.is_empty() {
        return None;
    }
    if host == Host::ClaudeCode {
        return Some(claude_code::part_turn(text, Manner::Plain, record));
    }
    Some(record.prompt(host, text))
}

/// Marks a prompt that repeats the one before it, or its end, after an answer that failed or never came: the
/// person pressed "retry", and the attached log may be gone from the second copy.
fn mark_retries(turns: &mut [Turn]) {
    let mut asked: Option<String> = None;
    for turn in turns {
        match (turn.speaker, turn.manner) {
            (Speaker::Human, Manner::Plain) => {
                let repeats = asked.as_ref().is_some_and(|asked| asked.ends_with(&turn.text));
                if repeats {
                    (turn.speaker, turn.manner) = (Speaker::Injected, Manner::Copy);
                } else {
                    asked = Some(turn.text.clone());
                }
            }
            (Speaker::Agent, Manner::Plain | Manner::Call) => asked = None,
            _ => {}
        }
    }
}

#[cfg(test)]
#[path = "specstory_tests.rs"]
mod tests;
