//! What is put into a TOML file, Codex's: the line `notify`, for versions without hooks, and a table of an MCP server.

use std::ops::Range;

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

/// The text with a server's table, at its end if it is new; `None` if it stands there already. One of ours with another
/// program gets this one.
///
/// # Errors
/// The file is no TOML, or it has a server of this name that is not ours, or servers in a form that cannot be added to.
pub(super) fn server(text: &str, name: &str, command: &str, args: &[String]) -> Result<Option<String>, Fault> {
    parse(text)?;
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let lines = table(name, command, args);
    if let Some(ours) = own_table(text, name, args) {
        let (before, line, behind) = cut(text, ours.command);
        return Ok((line.trim_end() != lines[1]).then(|| format!("{before}{}{newline}{behind}", lines[1])));
    }
    let joint = match text.get(mark(text)..).unwrap_or_default() {
        "" => String::new(),
        text if text.ends_with('\n') => newline.to_owned(),
        _ => [newline, newline].concat(),
    };
    let whole = format!("{text}{joint}{}{newline}", lines.join(newline));
    match parse(&whole) {
        Ok(_) => Ok(Some(whole)),
        Err(_) => {
            let what = format!(
                "a server `{name}` stands here already, or `mcp_servers` in a form that cannot be added to: put `[mcp_servers.{name}]` in by hand"
            );
            Err(Fault { at: text.find("mcp_servers").unwrap_or(0), what })
        }
    }
}

/// The text without a server's table, if it begins as we write it, and without the blank line that was put before it.
/// What was added to the table is about our server, and goes with it.
///
/// # Errors
/// The file is no TOML.
pub(super) fn without_server(text: &str, name: &str, args: &[String]) -> Result<String, Fault> {
    parse(text)?;
    let Some(ours) = own_table(text, name, args) else {
        return Ok(text.to_owned());
    };
    let (before, _, behind) = cut(text, ours.whole);
    let before = ["\r\n\r\n", "\n\n"]
        .iter()
        .find(|end| before.ends_with(**end))
        .map_or(before, |end| slice(before, 0..before.len() - end.len() / 2));
    Ok([before, behind].concat())
}

/// Where our table stands.
struct OwnTable {
    /// From its head to the end of its last entry.
    whole: Range<usize>,
    /// The line that names the program.
    command: Range<usize>,
}

/// The table of a server that begins as we write it, whatever program it names.
fn own_table(text: &str, name: &str, args: &[String]) -> Option<OwnTable> {
    let [head, start, end] = table(name, "", args);
    let start = start.trim_end_matches("\"\"");
    let all: Vec<(usize, &str)> = lines(text).collect();
    let at = all.windows(3).position(|three| match three {
        [one, two, three] => one.1.trim_end() == head && two.1.starts_with(start) && three.1.trim_end() == end,
        _ => false,
    })?;
    let range = |(from, line): (usize, &str)| from..from + line.len();
    let is_entry = |line: &str| !matches!(line.trim_start().chars().next(), None | Some('#'));
    let within = all.iter().skip(at + 1).take_while(|(_, line)| !line.trim_start().starts_with('['));
    let last = within.filter(|(_, line)| is_entry(line)).last()?;
    Some(OwnTable { whole: all[at].0..range(*last).end, command: range(all[at + 1]) })
}

/// What stands before a range, in it, and behind it.
fn cut(text: &str, range: Range<usize>) -> (&str, &str, &str) {
    (slice(text, 0..range.start), slice(text, range.clone()), slice(text, range.end..text.len()))
}

/// The lines of a server's table.
fn table(name: &str, command: &str, args: &[String]) -> [String; 3] {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let args: Vec<String> = args.iter().map(|arg| quoted(arg)).collect();
    [format!("[mcp_servers.{name}]"), format!("command = {}", quoted(command)), format!("args = [{}]", args.join(", "))]
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
