//! `review`: what waits for the person's word, one by one.

mod ask;
mod lessons;

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use chrono::Utc;
use serde::Serialize;

use super::args::Review;
use super::extract::tell_briefly;
use super::report::{DOUBTFUL, FAINT, Outcome, Report, STRONG, clean, fit};
use super::settings;
use crate::error::{Error, ErrorKind, Result};
use crate::experience::word::Answer;
use crate::memory::Intent;
use crate::reconcile::Op;
use crate::redact::Redactor;
use crate::review::{accept, accepted, draft, reject};
use crate::store::{self, Open};
use lessons::Lessons;

/// What waits, as programs read it, with the text that it would be kept with.
#[derive(Serialize)]
struct OpenRecord<'a> {
    #[serde(flatten)]
    open: &'a Open,
    draft: Option<String>,
}

pub(super) fn run(command: &Review, report: &mut Report) -> Result<Outcome> {
    let desk = Desk { root: settings::store(&command.place), dry_run: command.dry_run };
    let open = store::pending(&desk.root)?;
    let lessons = Lessons::waiting(command.dry_run)?;
    if command.accept.is_empty() && command.reject.is_empty() {
        let asks = !command.list && !report.is_jsonl() && io::stdin().is_terminal() && io::stdout().is_terminal();
        return if asks {
            let outcome = ask::one_by_one(&desk, &open, report)?;
            lessons.map_or(Ok(()), |lessons| lessons.one_by_one(report))?;
            Ok(outcome)
        } else {
            Ok(list(&open, lessons.as_ref(), report))
        };
    }
    // All names are looked up before anything is done.
    let lesson = |id: &String| lessons.as_ref().and_then(|lessons| Some((lessons, lessons.find(id)?)));
    let find = |id: &&String| {
        let unknown = || {
            Error::new(ErrorKind::Usage, format!("nothing that waits is called {id:?}; see `afterword review --list`"))
        };
        open.iter().find(|open| open.id.as_str() == *id).ok_or_else(unknown)
    };
    let of_store = |ids: &[String]| -> Result<Vec<&Open>> {
        ids.iter().filter(|id| lesson(id).is_none()).map(|id| find(&id)).collect()
    };
    let (accepted, rejected) = (of_store(&command.accept)?, of_store(&command.reject)?);
    for (ids, answer) in [(&command.accept, Answer::Yes), (&command.reject, Answer::No)] {
        for (lessons, asked) in ids.iter().filter_map(lesson) {
            lessons.answer(asked, answer, report)?;
        }
    }
    let mut outcome = Outcome::Done;
    for open in accepted {
        if !desk.accept(open, None, report)? {
            outcome = Outcome::Problems;
        }
    }
    for open in rejected {
        desk.reject(open, report)?;
    }
    Ok(outcome)
}

/// Where the words of the person take effect.
struct Desk {
    root: PathBuf,
    dry_run: bool,
}

impl Desk {
    /// Whether it became a memory, or is one already.
    fn accept(&self, open: &Open, words: Option<&str>, report: &mut Report) -> Result<bool> {
        let (redactor, now) = (Redactor::builtin(), Utc::now());
        let outcome = if self.dry_run {
            store::preview(&self.root, vec![accepted(open, words, redactor, now)?])?
        } else {
            accept(open, words, &self.root, redactor, now)?
        };
        outcome.plan.decisions.iter().for_each(|decision| tell_briefly(decision, &self.root, report));
        report.problems(&outcome.problems);
        Ok(outcome.plan.decisions.iter().all(|decision| decision.op != Op::Skip))
    }

    fn reject(&self, open: &Open, report: &mut Report) -> Result<()> {
        if !self.dry_run {
            reject(open, &self.root, Utc::now())?;
        }
        if report.is_jsonl() {
            report.json(&serde_json::json!({ "op": "reject", "id": open.id, "body": open.body }));
        } else {
            report.line(&format!("{DOUBTFUL}rejected{DOUBTFUL:#}  {}", fit(&open.body, 160)));
        }
        Ok(())
    }
}

fn list(open: &[Open], lessons: Option<&Lessons>, report: &mut Report) -> Outcome {
    for open in open {
        if report.is_jsonl() {
            report.json(&OpenRecord { open, draft: (open.intent != Intent::Forget).then(|| draft(open)) });
        } else {
            show(open, report);
        }
    }
    lessons.iter().for_each(|lessons| lessons.list(report));
    if !report.is_jsonl() {
        let told = match open.len() + lessons.map_or(0, |lessons| lessons.asked.len()) {
            0 => "nothing waits for your word".to_owned(),
            1 => "1 waits; `--accept ID` makes a memory of it, `--reject ID` turns it down for good".to_owned(),
            many => format!("{many} wait; `--accept ID` makes a memory of one, `--reject ID` turns it down for good"),
        };
        report.line(&told);
    }
    Outcome::Done
}

fn show(open: &Open, report: &mut Report) {
    let asked = if open.intent == Intent::Forget { "forget: " } else { "" };
    report.line(&format!("{STRONG}{}{STRONG:#}  {asked}{}", open.id, fit(&open.body, 300)));
    for evidence in &open.evidence {
        let place =
            format!("{} {}, line {}, {}", evidence.host, evidence.session, evidence.line, open.said_at.date_naive());
        report.line(&format!("          {FAINT}{}{FAINT:#}", clean(&place)));
    }
    report.line(&format!("          {FAINT}{}{FAINT:#}", clean(&open.reason)));
}

/// For the messages of an editor that does not start.
fn at(path: &Path, what: &str) -> Error {
    Error::new(ErrorKind::Usage, what).at(path)
}
