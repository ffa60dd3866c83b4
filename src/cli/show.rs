//! `show`: one memory as it stands in its file.

use chrono::Utc;
use serde::Serialize;

use super::args::One;
use super::report::{DOUBTFUL, FAINT, Outcome, Report, clean};
use super::settings;
use crate::error::Result;
use crate::explain::{Archive, Entry, Status};

/// The memory, as programs read it.
#[derive(Serialize)]
struct ShowRecord<'a> {
    #[serde(flatten)]
    memory: &'a Entry,
    text: &'a str,
}

pub(super) fn run(command: &One, report: &mut Report) -> Result<Outcome> {
    let archive = Archive::open(&settings::store(&command.place), Utc::now().date_naive())?;
    let number = archive.find(&command.id)?;
    let memory = archive.entry(number);
    let text = archive.text(number).unwrap_or(&memory.body);
    if report.is_jsonl() {
        report.json(&ShowRecord { memory: &memory, text });
        return Ok(Outcome::Done);
    }
    let file = memory.file.as_deref().map_or("it never had a file".to_owned(), clean);
    report.line(&format!("{FAINT}{file}{FAINT:#}"));
    if memory.status != Status::Active {
        let hint = format!("{}; `afterword why {}` says more", memory.status.word(), memory.id);
        report.line(&format!("{DOUBTFUL}{}{DOUBTFUL:#}", clean(&hint)));
    }
    text.lines().for_each(|line| report.line(&clean(line)));
    Ok(Outcome::Done)
}
