//! The one line that is put into a TOML file: Codex's `notify`, for versions without hooks.

use toml::de::DeTable;

use super::json::{Fault, slice};

const KEY: &str = "notify";

/// The text with the line; `None` if it stands there already.
///
/// # Errors
/// The file is no TOML, or it has another `notify`, which is the person's own.
pub(super) fn notify(text: &str, program: &[String]) -> Result<Option<String>, Fault> {
    let table = parse(text)?;
    let line = line(program);
    if let Some((key, _)) = table.iter().find(|(key, _)| key.get_ref().as_ref() == KEY) {
        if lines(text).any(|(_, found)| found.trim_end() == line) {
            return Ok(None);
        }
        let what =
            "`notify` is set already, and Codex knows only one: call `afterword hook codex` from your own program";
        return Err(Fault { at: key.span().start + mark(text), what: what.into() });
    }
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    // Behind the first table's head it would belong to that table.
    let first_table = lines(text).find(|(at, line)| {
        line.trim_start().starts_with('[')
            && table.iter().any(|(key, _)| line_holds(*at + line.len(), *at, key.span().start + mark(text)))
    });
    let at = first_table.map_or(text.len(), |(at, _)| at);
    let (before, behind) = (slice(text, 0..at), slice(text, at..text.len()));
    let joint = if before.is_empty() || before.ends_with('\n') || at == mark(text) { "" } else { newline };
    Ok(Some(format!("{before}{joint}{line}{newline}{behind}")))
}

/// The text without the line.
///
/// # Errors
/// The file is no TOML.
pub(super) fn without_notify(text: &str, program: &[String]) -> Result<String, Fault> {
    parse(text)?;
    let line = line(program);
    let ours = lines(text).find(|(_, found)| found.trim_end() == line);
    Ok(match ours {
        Some((at, found)) => [slice(text, 0..at), slice(text, at + found.len()..text.len())].concat(),
        None => text.to_owned(),
    })
}

fn line(program: &[String]) -> String {
    let words: Vec<String> = program.iter().map(|word| serde_json::Value::from(word.as_str()).to_string()).collect();
    format!("{KEY} = [{}]", words.join(", "))
}

/// The length of the byte order mark.
fn mark(text: &str) -> usize {
    if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 }
}

/// Each line with its end, and the byte it begins at.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = mark(text);
    slice(text, at..text.len()).split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        (start, line)
    })
}

fn line_holds(end: usize, start: usize, at: usize) -> bool {
    (start..end).contains(&at)
}

fn parse(text: &str) -> Result<DeTable<'_>, Fault> {
    let plain = slice(text, mark(text)..text.len());
    DeTable::parse(plain).map(toml::Spanned::into_inner).map_err(|error| Fault {
        at: error.span().map_or(0, |span| span.start) + mark(text),
        what: format!("it is no TOML: {}", error.message()),
    })
}
