//! `write`: a memory that was not learned from a session.

use std::fs;
use std::io::{self, IsTerminal, Read};
use std::path::Path;

use chrono::Utc;

use super::args::{Text, Write};
use super::extract;
use super::report::{FAINT, Outcome, Report, clean};
use super::settings;
use crate::dictate::{Author, Draft, LONGEST, dictate, rehearse};
use crate::error::{Error, ErrorKind, Result};
use crate::memory::Kind;
use crate::reconcile::Op;
use crate::redact::Redactor;
use crate::store::Change;

pub(super) fn run(command: &Write, report: &mut Report) -> Result<Outcome> {
    let (kind, slug, ttl, text) = match command {
        Write::Profile { slug, ttl, text } => (Kind::Profile, slug, Some(ttl.as_str()), text),
        Write::Playbook { slug, text } => (Kind::Playbook, slug, None, text),
    };
    let body = body(text)?;
    let author = text.agent.as_deref().map_or(Author::Person, Author::Agent);
    let draft = Draft { kind, slug, ttl, body: &body, supersedes: &text.supersedes, author };
    let root = settings::store_to(&text.place);
    let (redactor, now) = (Redactor::builtin(), Utc::now());
    let outcome =
        if text.dry_run { rehearse(&draft, &root, redactor, now)? } else { dictate(&draft, &root, redactor, now)? };
    for decision in &outcome.plan.decisions {
        extract::tell_briefly(decision, &root, report);
    }
    if !report.is_jsonl() {
        for file in outcome.written.iter().filter(|file| file.change != Change::Removed) {
            report.line(&format!("          {FAINT}{}{FAINT:#}", clean(&file.path.display().to_string())));
        }
    }
    report.problems(&outcome.problems);
    let is_kept = outcome.plan.decisions.iter().all(|decision| decision.op != Op::Skip);
    Ok(if is_kept && outcome.problems.is_empty() { Outcome::Done } else { Outcome::Problems })
}

/// The text from where it was said to be; not much more of it than may be written.
fn body(text: &Text) -> Result<String> {
    if let Some(body) = &text.body {
        return Ok(body.clone());
    }
    let limit = u64::try_from(LONGEST * 4 + 4).unwrap_or(u64::MAX);
    let named = text.file.as_deref().filter(|file| *file != Path::new("-"));
    let name = named.unwrap_or(Path::new("<stdin>"));
    let failed = |error| Error::io("read the text", name, error);
    let mut bytes = Vec::new();
    match named {
        Some(file) => fs::File::open(file).and_then(|file| file.take(limit).read_to_end(&mut bytes)).map_err(failed)?,
        None if io::stdin().is_terminal() => {
            let what = "there is no text: give --body or --file, or pipe it in";
            return Err(Error::new(ErrorKind::Usage, what));
        }
        None => io::stdin().take(limit).read_to_end(&mut bytes).map_err(failed)?,
    };
    String::from_utf8(bytes).map_err(|_| Error::new(ErrorKind::Usage, "the text is not UTF-8").at(name))
}
