//! Codex CLI: rollouts, one JSONL file a session.
//!
//! What the person typed stands up to three times: as `response_item` for the model, as `event_msg` for the
//! screen (`user_message`, since 0.171 `item_completed`), and again in compactions. Where the file has
//! `user_message` events they are the turns; else the response items are, by the provenance they carry (since
//! 0.171) or by what is left when Codex' own blocks are cut away. The oldest rollouts (mid-2025) are items
//! without a wrapper.

mod fields;

use std::borrow::Cow;
use std::io::Read;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};

use self::fields::Fields;
use super::draft::{Draft, Record, texts, time};
use super::json::{Cursor, Malformed, Value};
use super::lines::each_row;
use super::{Host, Manner, Reading, Speaker, Turn, cut, envelope};
use crate::error::Result;

/// Reads one file.
pub(super) fn read(reader: impl Read + Send, path: &Path, modified: DateTime<Utc>) -> Result<Reading> {
    let (mut rollout, mut problems) = (Rollout::default(), Vec::new());
    each_row(reader, path, &mut problems, parse, |line, row| rollout.take(line, row))?;
    Ok(Reading { sessions: vec![rollout.finish().finish(Host::Codex, path, modified)], problems })
}

/// The rows of one file, taken in their order.
#[derive(Default)]
struct Rollout {
    draft: Draft,
    /// Turns in `draft` that are response items of the person and go when there are events for them.
    items: Vec<usize>,
    has_prompt_events: bool,
    has_provenance: bool,
    has_meta: bool,
    is_of_machine: bool,
}

/// What a line gives.
enum Row {
    Meta {
        id: Option<String>,
        cwd: Option<String>,
        time: Option<DateTime<Utc>>,
        is_of_machine: bool,
    },
    Cwd(String),
    /// The person's words in an event.
    Prompt(Turn),
    /// The person's words in an item; `proven` where the item says so itself.
    Item {
        turn: Turn,
        proven: bool,
    },
    Turn(Turn),
    Rollback {
        turns: usize,
        time: Option<DateTime<Utc>>,
    },
    /// The text of a compaction, which may repeat an agent's message before it.
    Compacted(String),
}

impl Rollout {
    fn take(&mut self, line: u32, row: Row) {
        match row {
            Row::Meta { id, cwd, time, is_of_machine } => {
                // A resumed file begins with its own meta and then repeats the old one.
                if !std::mem::replace(&mut self.has_meta, true) {
                    (self.draft.id, self.draft.started) = (id, time);
                    self.draft.cwd = cwd.map(PathBuf::from);
                    self.is_of_machine = is_of_machine;
                }
            }
            Row::Cwd(cwd) => self.draft.cwd = self.draft.cwd.take().or(Some(cwd.into())),
            Row::Prompt(turn) => {
                self.has_prompt_events = true;
                self.drop_twin(&turn.text);
                self.push(line, turn);
            }
            Row::Item { turn, proven } => {
                self.has_provenance |= proven;
                if !proven && turn.speaker == Speaker::Human {
                    self.items.push(self.draft.turns.len());
                }
                self.push(line, turn);
            }
            Row::Turn(turn) => self.push(line, turn),
            Row::Rollback { turns, time } => self.draft.push_rollback_of(turns, line, time),
            Row::Compacted(text) => self.mark_summary(&text),
        }
    }

    fn push(&mut self, line: u32, mut turn: Turn) {
        turn.line = line;
        // An interrupt is told twice, by an event and to the model.
        let was_told = self.draft.turns.last().is_some_and(|last| last.manner == Manner::Interrupt);
        if was_told && turn.manner == Manner::Interrupt {
            turn.manner = Manner::Plain;
        }
        self.draft.turns.push(turn);
    }

    /// Drops the item just before an event with the same words; the event is the turn.
    fn drop_twin(&mut self, words: &str) {
        let last = self.draft.turns.last();
        if last.is_some_and(|last| last.speaker == Speaker::Human && last.text == words && last.record.is_some()) {
            self.draft.turns.pop();
            let index = self.draft.turns.len();
            self.items.retain(|&item| item != index);
        }
    }

    /// Since 0.171 a compaction first writes its summary as if the agent had said it.
    fn mark_summary(&mut self, compaction: &str) {
        if let Some(last) = self.draft.turns.last_mut()
            && last.speaker == Speaker::Agent
            && last.manner == Manner::Plain
            && compaction.contains(last.text.as_str())
        {
            last.speaker = Speaker::Injected;
        }
    }

    fn finish(mut self) -> Draft {
        if self.has_prompt_events || self.has_provenance {
            let mut twins = self.items.into_iter().peekable();
            let mut index = 0;
            self.draft.turns.retain(|_| {
                let is_twin = twins.next_if_eq(&index).is_some();
                index += 1;
                !is_twin
            });
        }
        if self.is_of_machine {
            for turn in self.draft.turns.iter_mut().filter(|turn| turn.speaker == Speaker::Human) {
                (turn.speaker, turn.manner) = (Speaker::Injected, Manner::Plain);
            }
        }
        self.draft
    }
}

fn parse(line: &[u8]) -> std::result::Result<Option<Row>, Malformed> {
    let mut cursor = Cursor::new(line);
    let fields = Fields::at(&mut cursor)?;
    if !cursor.at_end() {
        return Err(Malformed);
    }
    let at = time(fields.time);
    let Some(payload) = &fields.payload else {
        return Ok(bare(&fields, at));
    };
    Ok(match fields.kind.inside() {
        b"session_meta" => Some(meta(payload, at)),
        b"turn_context" => payload.cwd.text().map(|cwd| Row::Cwd(cwd.into_owned())),
        b"response_item" => item(payload, at),
        b"event_msg" => event(payload, at),
        b"compacted" => payload.message.text().map(|text| Row::Compacted(text.into_owned())),
        _ => None,
    })
}

fn meta(payload: &Fields<'_>, at: Option<DateTime<Utc>>) -> Row {
    let owned = |value: Value<'_>| value.text().map(Cow::into_owned);
    let is_of_machine = payload.source.is_object() && payload.source.get("subagent").is_some()
        || matches!(payload.source.inside(), b"review" | b"compact")
        || payload.thread_source.inside() == b"subagent";
    Row::Meta { id: owned(payload.id), cwd: owned(payload.cwd), time: time(payload.time).or(at), is_of_machine }
}

/// A row without a payload: the header, or an item, of a rollout from before the wrapper.
fn bare(fields: &Fields<'_>, at: Option<DateTime<Utc>>) -> Option<Row> {
    if fields.kind.is_some() {
        return item(fields, at);
    }
    fields.id.is_string().then(|| meta(fields, at))
}

fn item(item: &Fields<'_>, at: Option<DateTime<Utc>>) -> Option<Row> {
    let id = item.id.text();
    let record = Record { id: id.as_deref(), time: at };
    match item.kind.inside() {
        b"message" => message(item, record),
        b"function_call" | b"custom_tool_call" | b"local_shell_call" => {
            let name = item.name.text().unwrap_or(Cow::Borrowed("shell"));
            Some(Row::Turn(record.call(&name, item.arguments)))
        }
        b"function_call_output" | b"custom_tool_call_output" => Some(Row::Turn(output(item.output, record))),
        _ => None,
    }
}

fn message(item: &Fields<'_>, record: Record<'_>) -> Option<Row> {
    match item.role.inside() {
        b"user" => Some(prompt(item, record)),
        b"assistant" => {
            let text = texts(item.content, cut::AGENT).join("\n");
            (!text.trim().is_empty()).then(|| Row::Turn(record.agent(Manner::Plain, &text)))
        }
        // The developer role is Codex' own.
        _ => None,
    }
}

fn prompt(item: &Fields<'_>, record: Record<'_>) -> Row {
    let parts = texts(item.content, cut::HUMAN);
    let sources = item.passthrough.get("content_item_metadata").items();
    let provenance = |index: usize| sources.get(index).map(|source| source.get("provenance").get("type"));
    let proven = !sources.is_empty();
    let typed = parts
        .iter()
        .enumerate()
        .filter(|(index, _)| !proven || provenance(*index).is_some_and(|kind| kind.inside() == b"user"));
    let words: Vec<_> = typed.filter_map(|(_, part)| words_of(part)).collect();
    let turn = if words.is_empty() {
        let text = parts.first().map(String::as_str).unwrap_or_default();
        let is_abort = text.trim_start().starts_with("<turn_aborted>");
        record.injected(if is_abort { Manner::Interrupt } else { Manner::Plain }, text)
    } else {
        record.human(Manner::Plain, &words.join("\n"))
    };
    Row::Item { turn, proven }
}

/// The person's words in a prompt. Of an expanded custom prompt (spec-kit) only the fenced block under
/// `## User Input` is the person's.
fn words_of(text: &str) -> Option<String> {
    let stripped = envelope::strip(Host::Codex, text);
    if stripped.machine {
        return None;
    }
    let Some((before, after)) = stripped.words.split_once("## User Input\n") else {
        return Some(stripped.words);
    };
    let fenced = after.trim_start().strip_prefix("```").and_then(|rest| rest.split_once('\n'));
    let Some((_, rest)) = fenced.filter(|_| before.trim().is_empty() || before.ends_with('\n')) else {
        return Some(stripped.words);
    };
    let words = rest.split_once("```").map_or(rest, |(inside, _)| inside).trim();
    (!words.is_empty()).then(|| words.to_owned())
}

fn event(event: &Fields<'_>, at: Option<DateTime<Utc>>) -> Option<Row> {
    let record = Record { id: None, time: at };
    match event.kind.inside() {
        b"user_message" => {
            let text = event.message.text_up_to(cut::HUMAN).unwrap_or_default();
            let is_plain = !event.prompt_kind.is_some() || event.prompt_kind.inside() == b"plain";
            let turn = match words_of(&text).filter(|_| is_plain) {
                Some(words) => record.human(Manner::Plain, &words),
                None => record.injected(Manner::Plain, &text),
            };
            Some(Row::Prompt(turn))
        }
        b"turn_aborted" => {
            let reason = event.reason.text().unwrap_or_default();
            Some(Row::Turn(record.injected(Manner::Interrupt, &reason)))
        }
        b"thread_rolled_back" => {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small count")]
            let turns = event.num_turns.number().map_or(1, |count| count.clamp(0.0, 1e6) as usize);
            Some(Row::Rollback { turns, time: at })
        }
        b"error" | b"stream_error" => {
            let text = event.message.text_up_to(cut::RESULT).unwrap_or_default();
            Some(Row::Turn(record.agent(Manner::Failed, &text)))
        }
        _ => None,
    }
}

/// A tool's result; a refused command or patch is the person's no, without words.
fn output(value: Value<'_>, record: Record<'_>) -> Turn {
    // Only JSON inside the string has to be seen whole.
    let may_be_json = matches!(value.inside().trim_ascii_start().first(), Some(b'{' | b'\\'));
    let limit = if may_be_json { cut::HUMAN } else { cut::RESULT };
    let whole = value.text_up_to(limit).unwrap_or_default();
    let inner = Cursor::new(whole.as_bytes()).value().unwrap_or_default();
    let text = match inner.get("output").text_up_to(cut::RESULT) {
        Some(text) => text.into_owned(),
        None if value.is_string() => cut::clip(&whole, cut::RESULT).to_owned(),
        None => texts(value.get("content"), cut::RESULT).join("\n"),
    };
    let exit_code = inner.get("metadata").get("exit_code").number().or_else(|| told_exit_code(&text));
    if text.trim_end().ends_with("rejected by user") {
        return record.injected(Manner::Rejection, &text);
    }
    let is_failed = exit_code.is_some_and(|code| code != 0.0) || text.contains("aborted by user");
    record.result(if is_failed { Manner::Failed } else { Manner::Plain }, &text)
}

fn told_exit_code(text: &str) -> Option<f64> {
    let marks = ["Exit code: ", "Process exited with code "];
    let (_, rest) = marks.iter().find_map(|mark| text.split_once(mark))?;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

#[cfg(test)]
#[path = "codex_tests.rs"]
mod tests;
