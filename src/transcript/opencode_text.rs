//! opencode's Markdown of a session (`/export`, and shared sessions): `**Session ID:** ses_…` under the title, then
//! blocks between rules, headed `## User` or `## Assistant (agent · model · time)`. No turn has a time.

use std::io::Read;
use std::path::Path;

use chrono::{DateTime, Utc};

use super::draft::{Draft, Record};
use super::{Host, Manner, Reading, Turn, cut, whole};
use crate::error::Result;

/// What stands in front of the session's id.
pub(super) const MARK: &str = "**Session ID:** ses_";

/// Reads one file.
pub(super) fn read(reader: impl Read, path: &Path, modified: DateTime<Utc>) -> Result<Reading> {
    let text = whole::text(reader, path)?;
    let mut draft = Draft::default();
    let id = text.lines().find_map(|line| line.strip_prefix(MARK));
    draft.id = id.map(|id| format!("ses_{}", id.trim()));
    let mut is_under_rule = false;
    let blocks = whole::blocks(&text, |line| {
        let was_under_rule = is_under_rule;
        if !line.text.trim().is_empty() {
            is_under_rule = line.text.trim_end() == "---";
        }
        match line.text.trim_end() {
            _ if !was_under_rule => None,
            "## User" => Some(true),
            head if head.starts_with("## Assistant") => Some(false),
            _ => None,
        }
    });
    let record = Record { id: None, time: None };
    for block in &blocks {
        let said = whole::without_rule(block.text);
        let turns = match block.header {
            _ if said.is_empty() => Vec::new(),
            true => vec![record.prompt(Host::Opencode, cut::clip(said, cut::HUMAN))],
            false => agent_turns(said, record),
        };
        let turns = turns.into_iter().map(|turn| Turn { line: block.line, ..turn });
        draft.turns.extend(turns);
    }
    Ok(Reading { sessions: vec![draft.finish(Host::Opencode, path, modified)], problems: Vec::new() })
}

/// The agent's words, and a call for each `**Tool: name**`; what a tool was given and gave is left out.
fn agent_turns(said: &str, record: Record<'_>) -> Vec<Turn> {
    let (mut words, mut calls) = (String::new(), Vec::new());
    let mut is_tool = false;
    for line in said.lines() {
        let name = line.strip_prefix("**Tool: ").and_then(|rest| rest.trim_end().strip_suffix("**"));
        if let Some(name) = name {
            is_tool = true;
            calls.push(record.agent(Manner::Call, name));
        } else if !is_tool && words.len() < cut::AGENT {
            words.push_str(line);
            words.push('\n');
        }
    }
    let mut turns = Vec::new();
    if !words.trim().is_empty() {
        turns.push(record.agent(Manner::Plain, &words));
    }
    turns.extend(calls);
    turns
}

#[cfg(test)]
mod tests {
    use super::super::Speaker;
    use super::*;

    #[test]
    fn blocks_under_rules_are_turns() {
        let text = "# T\n\n**Session ID:** ses_1\n**Created:** 1/2/2026, 3:04:05 AM\n\n---\n\n## User\n\nuse tabs\n\n## Not a role\n\n---\n\n## Assistant (Build · m · 1s)\n\nDone.\n\n**Tool: edit**\n\n**Input:**\n```json\n{}\n```\n\n---\n\n";
        let reading = read(text.as_bytes(), Path::new("s.md"), DateTime::UNIX_EPOCH).unwrap();
        let seen: Vec<_> = reading.sessions[0]
            .turns
            .iter()
            .map(|turn| (turn.line, turn.speaker, turn.manner, turn.text.as_str()))
            .collect();
        assert_eq!(
            seen,
            [
                (8, Speaker::Human, Manner::Plain, "use tabs\n\n## Not a role"),
                (16, Speaker::Agent, Manner::Plain, "Done."),
                (16, Speaker::Agent, Manner::Call, "edit"),
            ]
        );
        assert_eq!(reading.sessions[0].id, "ses_1");
    }
}
