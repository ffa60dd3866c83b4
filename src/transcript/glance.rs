//! A glance: when the session in a file began, from the file's beginning only.
//!
//! Enough to put thousands of files in the order of time without reading them. The readers themselves are given the
//! head of the file, so that a glance and a whole reading say the same.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use chrono::{DateTime, Utc};

use super::sniff::{self, Format, sniff};
use super::{Host, further, read_as};
use crate::error::{Error, ErrorKind, Result};

/// Bytes that suffice for most files; where they tell no time, [`sniff::HEAD`] are looked at.
const FIRST: usize = 32 << 10;

/// What the beginning of a file tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Glance {
    /// It holds one session.
    One {
        /// Who wrote it.
        host: Host,
        /// When it began.
        started: DateTime<Utc>,
        /// Its id.
        id: String,
    },
    /// It may hold many sessions, or tells no time at its beginning: only a whole reading shows what is in it.
    Hidden,
}

/// Looks at the beginning of a transcript.
///
/// # Errors
/// [`ErrorKind::Io`] if it cannot be read, [`ErrorKind::UnknownFormat`] if it is no transcript that is understood.
pub fn glance(path: &Path) -> Result<Glance> {
    let failed = |error| Error::io("read the transcript", path, error);
    let mut file = File::open(path).map_err(|error| Error::io("open the transcript", path, error))?;
    let mut head = Vec::new();
    for length in [FIRST, sniff::HEAD] {
        let wanted = length - head.len();
        let got = (&mut file).take(wanted as u64).read_to_end(&mut head).map_err(failed)?;
        let is_whole = got < wanted;
        let format = match sniff(&head) {
            Format::Unknown(what) if is_whole || length == sniff::HEAD => {
                return Err(Error::new(ErrorKind::UnknownFormat, format!("this is {what}")).at(path));
            }
            Format::Unknown(_) => continue,
            format if holds_one(format) => format,
            _ => return Ok(Glance::Hidden),
        };
        let end = if is_whole { head.len() } else { memchr::memrchr(b'\n', &head).map_or(0, |at| at + 1) };
        let reading = read_as(format, head.get(..end).unwrap_or_default(), path, UNKNOWN)?;
        match reading.sessions.as_slice() {
            [one] if one.started != UNKNOWN => {
                return Ok(Glance::One { host: one.host, started: one.started, id: one.id.clone() });
            }
            _ if is_whole => break,
            _ => {}
        }
    }
    Ok(Glance::Hidden)
}

/// Stands for the file's time, and shows that the beginning told none.
const UNKNOWN: DateTime<Utc> = DateTime::<Utc>::MIN_UTC;

/// Whether a file of this format is one session, in lines that can be read one by one.
fn holds_one(format: Format) -> bool {
    use further::Kind;
    match format {
        Format::ClaudeCode | Format::Codex | Format::Openclaw => true,
        Format::Further(kind) => matches!(
            kind,
            Kind::Specstory
                | Kind::CursorExport
                | Kind::CursorLines
                | Kind::GeminiLines
                | Kind::Codebuddy
                | Kind::Copilot
        ),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(name: &str, text: &str) -> Result<Glance> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        glance(&path)
    }

    fn prompt(time: &str) -> String {
        let row =
            r#"{"type":"user","uuid":"u","sessionId":"s","timestamp":"TIME","message":{"role":"user","content":"hi"}}"#;
        row.replace("TIME", time) + "\n"
    }

    #[test]
    fn the_first_time_and_id_are_found_behind_rows_that_have_none() {
        let (time, bookkeeping) = ("2026-01-02T03:04:05Z", r#"{"type":"summary","leafUuid":"x","summary":"y"}"#);
        let far = format!("{bookkeeping}\n").repeat(FIRST / bookkeeping.len() + 1);
        for before in [String::new(), far] {
            let text = before + &prompt(time) + &prompt("2026-01-01T00:00:00Z") + "{\"type\":\"us";
            let one = Glance::One { host: Host::ClaudeCode, started: time.parse().unwrap(), id: "s".into() };
            assert_eq!(seen("a.jsonl", &text).unwrap(), one);
        }
    }

    #[test]
    fn what_tells_no_time_is_hidden_and_what_is_no_transcript_an_error() {
        let messages = r#"{"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"Hello."}]}"#;
        assert_eq!(seen("a.jsonl", messages).unwrap(), Glance::Hidden);
        assert_eq!(seen("a.jsonl", "{\"a\":1}\n").unwrap_err().kind(), ErrorKind::UnknownFormat);
        assert_eq!(glance(Path::new("nowhere.jsonl")).unwrap_err().kind(), ErrorKind::Io);
    }
}
