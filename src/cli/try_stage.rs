//! `try classify|redact|compare`: one stage by itself, on lines from standard input.

use std::io::{self, BufRead};
use std::path::Path;

use chrono::DateTime;
use serde::{Deserialize, Serialize};

use super::args::Stage;
use super::report::{Outcome, Report};
use super::settings::Settings;
use crate::detect;
use crate::error::{Error, ErrorKind, Result};
use crate::reconcile::{Comparison, compare};
use crate::rules::Act;
use crate::transcript::{Host, Manner, Session, Speaker, Turn, strip};

/// A line of input; plain text is an item with only `text`.
#[derive(Deserialize)]
struct Item {
    #[serde(default)]
    id: serde_json::Value,
    assistant: Option<String>,
    text: Option<String>,
    existing: Option<String>,
    new: Option<String>,
}

#[derive(Serialize)]
struct Classified<'a> {
    id: &'a serde_json::Value,
    acts: Vec<Act>,
    learn: bool,
}

#[derive(Serialize)]
struct Redacted<'a> {
    id: &'a serde_json::Value,
    text: &'a str,
    found: &'a [String],
}

#[derive(Serialize)]
struct Compared<'a> {
    id: &'a serde_json::Value,
    decision: Comparison,
}

pub(super) fn run(stage: Stage, settings: &Settings, report: &mut Report) -> Result<Outcome> {
    for (number, line) in io::stdin().lock().lines().enumerate() {
        let line = line.map_err(|e| Error::new(ErrorKind::Io, "could not read standard input").because(e))?;
        if line.trim().is_empty() {
            continue;
        }
        if report.is_closed() {
            break;
        }
        let number = u32::try_from(number + 1).unwrap_or(u32::MAX);
        let item = item(line, number)?;
        match stage {
            Stage::Classify => classify(&item, settings, report),
            Stage::Redact => redact(&item, settings, report),
            Stage::Compare => compare_pair(&item, number, report)?,
        }
    }
    Ok(Outcome::Done)
}

fn item(line: String, number: u32) -> Result<Item> {
    if line.trim_start().starts_with('{') {
        serde_json::from_str(&line).map_err(|e| {
            Error::new(ErrorKind::Usage, "this line is no JSON object with the fields this stage reads")
                .at(Path::new("<stdin>"))
                .on_line(number)
                .because(format!("column {}, {:?} error", e.column(), e.classify()).to_lowercase())
        })
    } else {
        Ok(Item { id: serde_json::Value::Null, assistant: None, text: Some(line), existing: None, new: None })
    }
}

fn classify(item: &Item, settings: &Settings, report: &mut Report) {
    let session = conversation(item);
    let judgement = detect::judge(&session, &settings.rules).pop();
    let acts: Vec<Act> = judgement.as_ref().map(|j| j.acts.clone()).unwrap_or_default();
    // What holds a secret is refused, not learned.
    let secret = item.text.as_deref().is_some_and(|t| !settings.redactor.clean(t).found.is_empty());
    let learn = judgement.is_some_and(|j| j.teaches()) && !secret;
    if report.is_jsonl() {
        report.json(&Classified { id: &item.id, acts, learn });
    } else {
        let words: Vec<&str> = acts.iter().map(|a| a.word()).collect();
        let words = if words.is_empty() { "nothing".to_owned() } else { words.join(", ") };
        report.line(&format!("{words}{}", if learn { "  → worth learning" } else { "" }));
    }
}

/// A session of up to three turns: what stood before the utterance, the agent's text, the utterance.
fn conversation(item: &Item) -> Session {
    let text = item.text.as_deref().unwrap_or_default();
    let stripped = strip(Host::ClaudeCode, text);
    let turn = |speaker: Speaker, text: &str| Turn {
        speaker,
        manner: Manner::Plain,
        text: text.to_owned(),
        line: 1,
        time: None,
        record: None,
    };
    let mut turns = vec![turn(Speaker::Human, "")];
    turns.extend(item.assistant.as_deref().map(|a| turn(Speaker::Agent, a)));
    if !stripped.machine {
        turns.push(turn(Speaker::Human, &stripped.words));
    }
    Session {
        host: Host::ClaudeCode,
        id: "try".to_owned(),
        cwd: None,
        started: DateTime::UNIX_EPOCH,
        source: "<stdin>".into(),
        turns,
        repeats: false,
    }
}

fn redact(item: &Item, settings: &Settings, report: &mut Report) {
    let redacted = settings.redactor.clean(item.text.as_deref().unwrap_or_default());
    if report.is_jsonl() {
        report.json(&Redacted { id: &item.id, text: &redacted.text, found: &redacted.found });
    } else {
        report.line(&super::report::clean(&redacted.text));
    }
}

fn compare_pair(item: &Item, number: u32, report: &mut Report) -> Result<()> {
    let (Some(existing), Some(new)) = (&item.existing, &item.new) else {
        return Err(Error::new(ErrorKind::Usage, "compare reads JSON lines with \"existing\" and \"new\"")
            .at(Path::new("<stdin>"))
            .on_line(number));
    };
    let decision = compare(existing, new);
    if report.is_jsonl() {
        report.json(&Compared { id: &item.id, decision });
    } else {
        let word = match decision {
            Comparison::Duplicate => "duplicate",
            Comparison::Supersede => "supersede",
            Comparison::Distinct => "distinct",
        };
        report.line(word);
    }
    Ok(())
}
