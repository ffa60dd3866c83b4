//! Asking the person, where there is one.

use std::io::{self, BufRead, IsTerminal, Write};

use crate::error::{Error, ErrorKind, Result};

/// Fails if nobody can be asked.
pub(super) fn somebody_is_there() -> Result<()> {
    if io::stdin().is_terminal() {
        return Ok(());
    }
    let what =
        "standard input is no terminal, so nobody can be asked: look with `--dry-run`, agree to all with `--yes`";
    Err(Error::new(ErrorKind::Usage, what))
}

/// A question on standard error; only a clear yes counts.
pub(super) fn ask(question: &str) -> Result<bool> {
    let failed = |e| Error::new(ErrorKind::Io, "the question could not be asked").because(e);
    let mut err = io::stderr();
    write!(err, "{question} [y/N] ").and_then(|()| err.flush()).map_err(failed)?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer).map_err(failed)?;
    Ok(["y", "yes", "j", "ja", "是", "好"].contains(&answer.trim().to_lowercase().as_str()))
}
