//! What the agent said and did in SpecStory's Markdown: text, `<think>` and `<tool-use>` elements.

use std::ops::Range;

use super::super::draft::Record;
use super::super::envelope::{self, Rejection};
use super::super::json::Value;
use super::super::whole::{self, Block};
use super::super::{Manner, Turn, claude_code, cut};
use super::Header;

/// The places of all `<tool-use …>` elements, outermost first where they nest.
///
/// One that is never closed (cut off output) is none, so that it does not swallow the turns behind it.
pub(super) fn elements(text: &str) -> Vec<Range<usize>> {
    let (mut open, mut closed) = (Vec::new(), Vec::new());
    for line in whole::lines(text) {
        if line.text.starts_with("<tool-use data-") {
            open.push(line.range.start);
        }
        if line.text.ends_with("</tool-use>")
            && let Some(start) = open.pop()
        {
            closed.push(start..line.range.end);
        }
    }
    closed.sort_by_key(|element| (element.start, usize::MAX - element.end));
    let mut end = 0;
    closed.retain(|element| {
        let is_outermost = element.start >= end;
        if is_outermost {
            end = element.end;
        }
        is_outermost
    });
    closed
}

/// The turns in an agent's block.
pub(super) fn agent_turns(
    block: &Block<'_, Header<'_>>,
    elements: &[Range<usize>],
    text: &str,
    manner: Manner,
    record: Record<'_>,
) -> Vec<Turn> {
    let mut turns = Vec::new();
    let mut at = block.body.start;
    let line_at = |place: usize| {
        let before = text.get(block.body.start..place).unwrap_or_default();
        let breaks = memchr::memchr_iter(b'\n', before.as_bytes()).count();
        block.line.saturating_add(1).saturating_add(u32::try_from(breaks).unwrap_or(u32::MAX))
    };
    let first = elements.partition_point(|element| element.start < block.body.start);
    let inside = elements.iter().skip(first).take_while(|element| element.end <= block.body.end);
    for element in inside {
        turns.extend(said(text.get(at..element.start).unwrap_or_default(), line_at(at), manner, record));
        let tool = text.get(element.clone()).unwrap_or_default();
        turns.extend(tool_turns(tool, line_at(element.start), record));
        at = element.end;
    }
    turns.extend(said(text.get(at..block.body.end).unwrap_or_default(), line_at(at), manner, record));
    turns
}

/// The agent's words in `text`, without its thoughts and old tool elements.
fn said(text: &str, line: u32, manner: Manner, record: Record<'_>) -> Vec<Turn> {
    let mut words = text.to_owned();
    let mut turns = Vec::new();
    cut_between(&mut words, "<think>", "</think>");
    for tool in cut_between(&mut words, "<details>", "</details>") {
        let summary = between(&tool, "<summary>", "</summary>").unwrap_or_default();
        let turn = record.result(Manner::Plain, summary);
        turns.push(Turn { line, ..turn });
    }
    let words = whole::without_rule(&words);
    if !words.is_empty() {
        let turn = record.agent(manner, words);
        turns.insert(0, Turn { line, ..turn });
    }
    turns
}

/// Cuts every part from `open` at the start of a line up to `close`; gives what was cut.
fn cut_between(text: &mut String, open: &str, close: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut from = 0;
    while let Some(start) = text.get(from..).and_then(|rest| rest.find(open)).map(|at| from + at) {
        let is_at_line = text.get(..start).is_some_and(|before| before.is_empty() || before.ends_with('\n'));
        let length = text.get(start..).and_then(|rest| rest.find(close));
        match length {
            Some(length) if is_at_line => {
                let end = start + length + close.len();
                parts.extend(text.get(start..end).map(str::to_owned));
                text.replace_range(start..end, "");
                from = start;
            }
            Some(_) => from = start + open.len(),
            None => break,
        }
    }
    parts
}

/// A call and its result. What the person said in the result (a rejection, an answer) is their turn.
fn tool_turns(element: &str, line: u32, record: Record<'_>) -> Vec<Turn> {
    let name = between(element, "data-tool-name=\"", "\"").unwrap_or("tool");
    let summary_end = element.find("</summary>").map(|at| at + "</summary>".len());
    let body = element.get(summary_end.unwrap_or_default()..).unwrap_or_default();
    let body = body.trim_end().trim_end_matches("</tool-use>").trim_end_matches("</details>");
    // The result is the last fence; old files have only a text.
    let (call, result) = body.split_once("\n```text\n").unwrap_or((body, ""));
    let call = call.trim().trim_matches('`').trim();
    let told = format!("{name} {}", cut::clip(call, cut::ARGUMENTS));
    let mut turns = vec![Turn {
        speaker: super::Speaker::Agent,
        manner: Manner::Call,
        ..record.result(Manner::Plain, told.trim_end())
    }];
    turns.push(result_turn(name, call, result.trim_end().trim_end_matches("```"), record));
    for turn in &mut turns {
        turn.line = line;
    }
    turns
}

fn result_turn(name: &str, call: &str, result: &str, record: Record<'_>) -> Turn {
    match envelope::rejection(result) {
        Some(Rejection::Words(words)) => return record.human(Manner::Rejection, &words),
        Some(Rejection::Silent) => return record.injected(Manner::Rejection, result),
        None => {}
    }
    let pairs = envelope::answers(result).map(|pairs| claude_code::answer_words(Value::default(), pairs));
    let told =
        call.rsplit_once("\n**Answer:**").filter(|_| name == "AskUserQuestion").map(|(_, answer)| chosen(answer));
    if let Some(words) = pairs.or(told).filter(|words| !words.is_empty()) {
        return record.human(Manner::Answer, &words);
    }
    let is_failed = result.starts_with("<tool_use_error>") || result.starts_with("Exit code ");
    let manner = if is_failed { Manner::Failed } else { Manner::Plain };
    record.result(manner, result)
}

/// The choices in an answer, one a line. Behind one stands what its preview showed: the next choice follows the
/// preview's last comma.
fn chosen(answer: &str) -> String {
    let mut parts = answer.trim().split("\" selected preview:");
    let mut words = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        if let Some((_, next)) = part.rsplit_once(", ") {
            words.push('\n');
            words.push_str(next.trim());
        }
    }
    words
}

fn between<'a>(text: &'a str, open: &str, close: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(open)?;
    rest.split_once(close).map(|(inside, _)| inside.trim())
}
