//! Asking at a terminal, one by one.

use std::io::{self, BufRead, Write};
use std::path::Path;
use std::process::Command;

use super::{Desk, at, show};
use crate::cli::report::{FAINT, Outcome, Report};
use crate::error::{Error, Result};
use crate::memory::Intent;
use crate::review::draft;
use crate::store::Open;

/// Shows one after the other and does what is answered; an end of input is "quit".
pub(super) fn one_by_one(desk: &Desk, open: &[Open], report: &mut Report) -> Result<Outcome> {
    if open.is_empty() {
        report.line("nothing waits for your word");
    }
    for (number, one) in (1..).zip(open) {
        report.line(&format!("{FAINT}{number} of {}{FAINT:#}", open.len()));
        show(one, report);
        loop {
            match answer(one, report)?.as_str() {
                "a" if one.intent != Intent::Forget => match desk.accept(one, None, report) {
                    Ok(_) => break,
                    Err(error) => report.error(&error),
                },
                "e" if one.intent != Intent::Forget => match edited(one) {
                    Ok(None) => report.line("left as it is"),
                    // A text that breaks a rule can be edited again.
                    Ok(Some(words)) => match desk.accept(one, Some(&words), report) {
                        Ok(_) => break,
                        Err(error) => report.error(&error),
                    },
                    Err(error) => report.error(&error),
                },
                "r" => {
                    desk.reject(one, report)?;
                    break;
                }
                "s" | "" => break,
                "q" => return Ok(Outcome::Done),
                _ => {}
            }
        }
    }
    Ok(Outcome::Done)
}

fn answer(open: &Open, report: &mut Report) -> Result<String> {
    let choices = match open.intent {
        Intent::Forget => "[r]eject for good, [s]kip, [q]uit",
        _ => "[a]ccept, [e]dit, [r]eject for good, [s]kip, [q]uit",
    };
    report.line(choices);
    let mut line = String::new();
    let read =
        io::stdin().lock().read_line(&mut line).map_err(|e| Error::io("read the answer", Path::new("<stdin>"), e))?;
    Ok(if read == 0 { "q".to_owned() } else { line.trim().to_lowercase() })
}

/// The draft as the person edited it; `None` if they changed nothing or emptied it.
fn edited(open: &Open) -> Result<Option<String>> {
    let draft = draft(open);
    let failed = |e| Error::io("make a file to edit", Path::new("review.md"), e);
    let mut file = tempfile::Builder::new().prefix("review-").suffix(".md").tempfile().map_err(failed)?;
    file.write_all(draft.as_bytes()).and_then(|()| file.flush()).map_err(failed)?;
    let var = |name: &str| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
    let editor = var("VISUAL").or_else(|| var("EDITOR")).unwrap_or_else(|| DEFAULT.to_owned());
    let mut words = editor.split_whitespace();
    let program = words.next().unwrap_or(DEFAULT);
    let status = Command::new(program).args(words).arg(file.path()).status();
    let status =
        status.map_err(|error| at(Path::new(program), "the editor does not start; set EDITOR").because(error))?;
    if !status.success() {
        return Err(at(Path::new(program), "the editor ended with an error, and nothing was taken over"));
    }
    let text = std::fs::read_to_string(file.path()).map_err(|e| Error::io("read", file.path(), e))?;
    Ok(Some(text).filter(|text| !text.trim().is_empty() && text.trim() != draft.trim()))
}

/// The editor where none is named.
const DEFAULT: &str = if cfg!(windows) { "notepad" } else { "vi" };
