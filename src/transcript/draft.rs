//! A session while it is being read: what every format does with the turns it finds.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};

use super::json::{Cursor, Value};
use super::{Host, Manner, Session, Speaker, Turn, copies, cut, envelope};

/// What is known of a session so far.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) id: Option<String>,
    pub(super) cwd: Option<PathBuf>,
    pub(super) started: Option<DateTime<Utc>>,
    pub(super) turns: Vec<Turn>,
    records: HashSet<u64>,
    prompts: HashMap<u64, usize>,
}

impl Draft {
    /// Whether the record was not seen before in this session.
    pub(super) fn is_new(&mut self, record: &str) -> bool {
        self.records.insert(hash(record))
    }

    /// Takes a prompt that hangs under `parent`. A second, different one under the same parent means that the
    /// person rewrote the first: a rollback of everything since then stands before it.
    pub(super) fn push_prompt(&mut self, parent: Option<&str>, turn: Turn) {
        if let Some(parent) = parent.map(hash) {
            if let Some(&earlier) = self.prompts.get(&parent)
                && self.turns.get(earlier).is_some_and(|first| first.text != turn.text)
            {
                self.push_rollback_to(earlier, turn.time);
            }
            self.prompts.insert(parent, self.turns.len());
        }
        self.turns.push(turn);
    }

    /// Marks that everything from the turn at `index` on was taken back.
    pub(super) fn push_rollback_to(&mut self, index: usize, time: Option<DateTime<Utc>>) {
        let gone = self.turns.iter_mut().skip(index).filter(|turn| is_standing(turn)).map(withdraw).count();
        self.push_rollback(gone, time);
    }

    /// Marks that the last `turns` human turns were taken back.
    pub(super) fn push_rollback_of(&mut self, turns: usize, line: u32, time: Option<DateTime<Utc>>) {
        let gone = self.turns.iter_mut().rev().filter(|turn| is_standing(turn)).take(turns).map(withdraw).count();
        if gone > 0 {
            self.turns.push(rollback(gone, line, time));
        }
    }

    fn push_rollback(&mut self, gone: usize, time: Option<DateTime<Utc>>) {
        if let Some(last) = self.turns.last()
            && gone > 0
        {
            let rollback = rollback(gone, last.line, time);
            self.turns.push(rollback);
        }
    }

    /// Marks that the person took everything back from the turn at `index` on: their words there count no more.
    pub(super) fn take_back(&mut self, index: usize, time: Option<DateTime<Utc>>) {
        let line = self.turns.last().map_or(0, |turn| turn.line);
        let mut gone = 0;
        for turn in self.turns.iter_mut().skip(index) {
            if turn.speaker == Speaker::Human {
                (turn.speaker, turn.manner) = (Speaker::Injected, Manner::Plain);
                gone += 1;
            }
        }
        if gone > 0 {
            self.turns.push(rollback(gone, line, time));
        }
    }

    /// The finished session; `None` where nothing was said and nothing is known.
    pub(super) fn finish(mut self, host: Host, path: &Path, modified: DateTime<Utc>) -> Session {
        copies::collapse_resends(host, &mut self.turns);
        let first = self.turns.iter().find_map(|turn| turn.time);
        Session {
            host,
            id: self.id.unwrap_or_else(|| stem(path)),
            cwd: self.cwd,
            started: self.started.or(first).unwrap_or(modified),
            source: path.to_path_buf(),
            turns: self.turns,
            repeats: false,
        }
    }
}

/// Whether a turn is the person's and was not taken back yet.
fn is_standing(turn: &Turn) -> bool {
    turn.speaker == Speaker::Human && !matches!(turn.manner, Manner::Copy | Manner::Withdrawn)
}

fn withdraw(turn: &mut Turn) {
    turn.manner = Manner::Withdrawn;
}

/// The row that says that so many human turns were taken back.
fn rollback(turns: usize, line: u32, time: Option<DateTime<Utc>>) -> Turn {
    let text = format!("{turns} {} rolled back", if turns == 1 { "turn" } else { "turns" });
    Turn { speaker: Speaker::Injected, manner: Manner::Rollback, text, line, time, record: None }
}

/// Turns of one record: the same time and id, the line still open.
#[derive(Clone, Copy)]
pub(super) struct Record<'a> {
    pub(super) id: Option<&'a str>,
    pub(super) time: Option<DateTime<Utc>>,
}

impl Record<'_> {
    pub(super) fn human(self, manner: Manner, words: &str) -> Turn {
        self.turn(Speaker::Human, manner, cut::clip(words, cut::HUMAN))
    }

    /// What the person typed, or an injected turn where `host` put all of it there.
    pub(super) fn prompt(self, host: Host, text: &str) -> Turn {
        let stripped = envelope::strip(host, text);
        if stripped.machine { self.injected(Manner::Plain, text) } else { self.human(Manner::Plain, &stripped.words) }
    }

    pub(super) fn injected(self, manner: Manner, text: &str) -> Turn {
        self.turn(Speaker::Injected, manner, cut::clip(text.trim(), cut::INJECTED))
    }

    pub(super) fn agent(self, manner: Manner, text: &str) -> Turn {
        self.turn(Speaker::Agent, manner, cut::clip(text.trim(), cut::AGENT))
    }

    /// A tool call: the tool's name, a space and the telling part of its input.
    pub(super) fn call(self, name: &str, input: Value<'_>) -> Turn {
        let text = format!("{name} {}", telling_part(input));
        self.turn(Speaker::Agent, Manner::Call, text.trim_end())
    }

    pub(super) fn result(self, manner: Manner, text: &str) -> Turn {
        self.turn(Speaker::Tool, manner, cut::clip(text.trim(), cut::RESULT))
    }

    fn turn(self, speaker: Speaker, manner: Manner, text: &str) -> Turn {
        let record = self.id.map(str::to_owned);
        Turn { speaker, manner, text: text.to_owned(), line: 0, time: self.time, record }
    }
}

/// The part of a tool's input that tells most: the command or the path, else its beginning.
fn telling_part(input: Value<'_>) -> String {
    const TELLING: [&str; 9] = ["command", "cmd", "file_path", "filePath", "path", "pattern", "query", "url", "prompt"];
    if let Some(text) = input.text() {
        // Arguments that are JSON inside a string, as OpenAI's formats have them.
        let inner = Cursor::new(text.as_bytes()).value().unwrap_or_default();
        if inner.is_object() {
            return telling_part(inner);
        }
        return cut::clip(text.trim(), cut::ARGUMENTS).to_owned();
    }
    let mut best: Option<(usize, Value<'_>)> = None;
    let mut at = input.cursor();
    let _ = at.object(|key, at| {
        let value = at.value()?;
        let rank = TELLING.iter().position(|name| name.as_bytes() == key);
        if let Some(rank) = rank
            && best.is_none_or(|(other, _)| rank < other)
        {
            best = Some((rank, value));
        }
        Ok(())
    });
    let Some((_, value)) = best else {
        let raw = String::from_utf8_lossy(input.head(cut::ARGUMENTS));
        return cut::clip(&raw, cut::ARGUMENTS).trim_end_matches('\u{fffd}').to_owned();
    };
    let words: Vec<_> = value.items().into_iter().filter_map(Value::text).collect();
    let whole = if words.is_empty() {
        value.text_up_to(cut::ARGUMENTS).unwrap_or_default().into_owned()
    } else {
        words.join(" ")
    };
    cut::clip(&whole, cut::ARGUMENTS).to_owned()
}

/// The text of a message's content: a string, or blocks with a `text` each. Images and the like have none.
pub(super) fn texts(content: Value<'_>, limit: usize) -> Vec<String> {
    if let Some(text) = content.text_up_to(limit) {
        return vec![text.into_owned()];
    }
    let blocks = content.items().into_iter();
    blocks
        .filter_map(|block| block.text_up_to(limit).or_else(|| block.get("text").text_up_to(limit)))
        .map(std::borrow::Cow::into_owned)
        .collect()
}

/// A time as written: RFC 3339, or milliseconds since 1970.
pub(super) fn time(value: Value<'_>) -> Option<DateTime<Utc>> {
    if let Some(text) = value.text() {
        return DateTime::parse_from_rfc3339(&text).ok().map(|time| time.to_utc());
    }
    #[allow(clippy::cast_possible_truncation, reason = "milliseconds; out of range gives no time")]
    value.number().filter(|ms| *ms > 0.0).and_then(|ms| DateTime::from_timestamp_millis(ms as i64))
}

pub(super) fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// The file's name without its endings, for a session without an id of its own.
pub(super) fn stem(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    name.split_once(".json").map_or_else(|| name.clone(), |(stem, _)| stem.to_owned())
}
