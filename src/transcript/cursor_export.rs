//! Cursor's Markdown export of one chat.
//!
//! `_Exported on <date> at <time> from Cursor (<version>)_` under the title, then blocks headed by `**User**` or
//! `**Cursor**`. No turn has a time, so the time of the export stands for all of them.

use std::io::Read;
use std::path::Path;

use chrono::{DateTime, Duration, NaiveDate, NaiveDateTime, NaiveTime, Utc};

use super::draft::{Draft, Record};
use super::whole::{self, Line};
use super::{Host, Manner, Reading, Turn, cut};
use crate::error::Result;

/// Reads one file.
pub(super) fn read(reader: impl Read, path: &Path, modified: DateTime<Utc>) -> Result<Reading> {
    let text = whole::text(reader, path)?;
    let mut draft = Draft::default();
    draft.started = text.lines().take(5).find_map(exported);
    let record = Record { id: None, time: None };
    let mut headers = Headers::of(&text);
    let blocks = whole::blocks(&text, |line| headers.header(line));
    for block in &blocks {
        let said = whole::without_rule(block.text);
        let turn = match block.header {
            _ if said.is_empty() => continue,
            Role::User => record.prompt(Host::Cursor, cut::clip(said, cut::HUMAN)),
            Role::Cursor => record.agent(Manner::Plain, said),
        };
        draft.turns.push(Turn { line: block.line, ..turn });
    }
    Ok(Reading { sessions: vec![draft.finish(Host::Cursor, path, modified)], problems: Vec::new() })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    User,
    Cursor,
}

/// Tells headers from lines that look like one: a header stands under a rule (`---`), and in no fence that
/// the person put around a conversation they pasted.
struct Headers<'a> {
    text: &'a str,
    is_under_rule: bool,
    /// Inside a block of the person: whether a fence is open.
    is_fenced: bool,
    role: Option<Role>,
}

impl<'a> Headers<'a> {
    fn of(text: &'a str) -> Self {
        Self { text, is_under_rule: false, is_fenced: false, role: None }
    }

    fn header(&mut self, line: &Line<'_>) -> Option<Role> {
        let was_under_rule = self.is_under_rule;
        let text = line.text.trim_end();
        if !text.is_empty() {
            self.is_under_rule = text == "---";
        }
        let Some(role) = named(text).filter(|_| was_under_rule) else {
            self.is_fenced ^= self.role == Some(Role::User) && text.starts_with("```");
            return None;
        };
        if self.is_fenced && self.is_quoted(line.range.end) {
            return None;
        }
        (self.role, self.is_fenced) = (Some(role), false);
        Some(role)
    }

    /// Whether the open fence ends behind this place and Cursor answers after it. Where the person left a
    /// fence open, the next header after the next fence is their own.
    fn is_quoted(&self, from: usize) -> bool {
        let mut rest = self.text.get(from..).unwrap_or_default().lines();
        let closes = rest.find(|line| line.starts_with("```"));
        closes.is_some_and(|fence| fence.trim_end() == "```")
            && rest.find_map(|line| named(line.trim_end())) == Some(Role::Cursor)
    }
}

fn named(line: &str) -> Option<Role> {
    match line {
        "**User**" => Some(Role::User),
        "**Cursor**" => Some(Role::Cursor),
        _ => None,
    }
}

/// The time in `_Exported on 2025/5/22 at GMT+8 23:46:36 from Cursor (0.50.5)_`; in American exports
/// `6/12/2025 at 20:09:04 EDT`.
fn exported(line: &str) -> Option<DateTime<Utc>> {
    let rest = line.strip_prefix("_Exported on ")?;
    let (date, rest) = rest.split_once(" at ")?;
    let (clock, _) = rest.rsplit_once(" from Cursor")?;
    let numbers: Vec<u32> = date.split(['/', '-', '.']).filter_map(|part| part.trim().parse().ok()).collect();
    let (year, month, day) = match numbers.as_slice() {
        [year, month, day] if *year > 31 => (*year, *month, *day),
        [day, month, year] if *day > 12 => (*year, *month, *day),
        [month, day, year] => (*year, *month, *day),
        _ => return None,
    };
    let date = NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)?;
    let is_afternoon = clock.contains("PM") || clock.contains("下午");
    let mut time = None;
    let mut zone = Duration::zero();
    for word in clock.split_whitespace() {
        let digits = word.trim_start_matches(|c: char| !c.is_ascii_digit());
        time = time.or_else(|| NaiveTime::parse_from_str(digits, "%H:%M:%S").ok());
        zone += Duration::hours(hours_east(word).unwrap_or(0));
    }
    let mut at = NaiveDateTime::new(date, time?);
    if is_afternoon && at.time() < NaiveTime::from_hms_opt(12, 0, 0)? {
        at += Duration::hours(12);
    }
    Some((at - zone).and_utc())
}

/// Whole hours east of Greenwich of a zone as JavaScript names it.
fn hours_east(zone: &str) -> Option<i64> {
    let named =
        [("EDT", -4), ("EST", -5), ("CDT", -5), ("CST", -6), ("MDT", -6), ("MST", -7), ("PDT", -7), ("PST", -8)];
    let offset = zone
        .strip_prefix("GMT")
        .or_else(|| zone.strip_prefix("UTC"))
        .and_then(|hours| hours.split(':').next()?.parse().ok());
    offset.or_else(|| named.iter().find(|(name, _)| *name == zone).map(|(_, hours)| *hours))
}

#[cfg(test)]
mod tests {
    use super::super::Speaker;
    use super::*;

    fn session(text: &str) -> super::super::Session {
        let reading = read(text.as_bytes(), Path::new("c.md"), DateTime::UNIX_EPOCH).unwrap();
        reading.sessions.into_iter().next().unwrap()
    }

    fn turns(text: &str) -> Vec<(u32, Speaker, String)> {
        let turns = session(text).turns.into_iter();
        turns.map(|turn| (turn.line, turn.speaker, turn.text)).collect()
    }

    #[test]
    fn headers_split_and_rules_in_the_text_do_not() {
        let text = "# T\n_Exported on 2026/1/2 at GMT+8 03:04:05 from Cursor (2.0.1)_\n\n---\n\n**User**\n\nBuild it\n\n---\n\nnow\n\n---\n\n**Cursor**\n\nDone: **User** is bold.\n**User**\n";
        let found = turns(text);
        assert_eq!(
            found,
            [
                (6, Speaker::Human, "Build it\n\n---\n\nnow".into()),
                (16, Speaker::Agent, "Done: **User** is bold.\n**User**".into()),
            ]
        );
        assert_eq!(session(text).started.to_rfc3339(), "2026-01-01T19:04:05+00:00");
    }

    #[test]
    fn a_fenced_conversation_is_part_of_the_prompt() {
        let quoted = "---\n\n**User**\n\nLook:\n```\n---\n\n**User**\n\nold\n\n---\n\n**Cursor**\n\nolder\n```\nagain\n\n---\n\n**Cursor**\n\nYes.\n";
        let lines: Vec<_> = turns(quoted).iter().map(|turn| turn.0).collect();
        assert_eq!(lines, [3, 23]);
        let left_open = "---\n\n**User**\n\nLook:\n```\nlog\n\n---\n\n**Cursor**\n\nRun\n```\nls\n```\n\n---\n\n**User**\n\nok\n\n---\n\n**Cursor**\n\nYes.\n";
        let lines: Vec<_> = turns(left_open).iter().map(|turn| turn.0).collect();
        assert_eq!(lines, [3, 11, 20, 26]);
    }

    #[test]
    fn export_times_of_each_land_are_read() {
        let cases = [
            ("6/12/2026 at 20:09:04 EDT", "2026-06-13T00:09:04+00:00"),
            ("23/5/2026 at 08:00:00 GMT+2", "2026-05-23T06:00:00+00:00"),
            ("2026/5/3 at 下午3:00:00", "2026-05-03T15:00:00+00:00"),
        ];
        for (text, time) in cases {
            let line = format!("_Exported on {text} from Cursor (1.0)_");
            assert_eq!(exported(&line).unwrap().to_rfc3339(), time, "{text}");
        }
        assert_eq!(exported("_Exported on a day from Cursor (1.0)_"), None);
    }
}
