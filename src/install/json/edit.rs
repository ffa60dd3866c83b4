//! Cuts and additions in the text of a configuration file, in the manner in which it is written.
//!
//! An addition takes over the indentation, the line ends and the trailing commas of its surroundings; a cut takes out
//! what an addition would have put in. Nothing else in the text moves by a byte.

use super::{Fault, Item, Node, Shape, parse, slice};

/// A text after a change, and the containers that had to be made for it, outermost first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::install) struct Changed {
    pub(in crate::install) text: String,
    pub(in crate::install) made: Vec<Vec<String>>,
}

/// Puts `value` (JSON) at the end of the list at `path`, making the list and the objects above it where they are missing.
///
/// # Errors
/// Something else than an object or a list stands on the way.
pub(in crate::install) fn push(text: &str, path: &[String], value: &str) -> Result<Changed, Fault> {
    let mut changed = reach(text, path, "[]")?;
    let root = parse(&changed.text)?;
    let list = walk(&root, path).ok_or_else(|| fault(&root, "a list is missing"))?;
    if !matches!(list.shape, Shape::Array(_)) {
        return Err(fault(list, format!("`{}` is {}, and should be a list", path.join("."), list.name())));
    }
    changed.text = insert(&changed.text, list, None, value)?;
    Ok(changed)
}

/// Sets the entry at `path` to `value` (JSON), making the objects above it where they are missing. Returns the text of
/// the value that stood there as well.
///
/// # Errors
/// Something else than an object stands on the way.
pub(in crate::install) fn set(text: &str, path: &[String], value: &str) -> Result<(Changed, Option<String>), Fault> {
    let root = parse(text)?;
    if let Some(old) = walk(&root, path) {
        let before = slice(text, old.span.clone()).to_owned();
        let text = splice(text, old.span.start, old.span.end, value);
        return Ok((Changed { text, made: Vec::new() }, Some(before)));
    }
    let mut changed = reach(text, path, value)?;
    // The entry itself is no container that is taken out when it is empty.
    changed.made.pop();
    Ok((changed, None))
}

/// Takes the entry at `path` out.
pub(in crate::install) fn unset(text: &str, path: &[String]) -> Result<String, Fault> {
    let root = parse(text)?;
    let Some((name, above)) = path.split_last() else {
        return Ok(text.to_owned());
    };
    let Some(object) = walk(&root, above) else {
        return Ok(text.to_owned());
    };
    let named = |item: &Item| item.key.as_ref().is_some_and(|key| key.name == *name);
    Ok(match object.items().iter().position(named) {
        Some(index) => cut(text, object, index),
        None => text.to_owned(),
    })
}

/// Takes the first entry that `ours` picks out of the list at `path`; `None` if there is none.
pub(in crate::install) fn pull(
    text: &str,
    path: &[String],
    ours: impl Fn(&Node) -> bool,
) -> Result<Option<String>, Fault> {
    let root = parse(text)?;
    let Some(list) = walk(&root, path).filter(|list| matches!(list.shape, Shape::Array(_))) else {
        return Ok(None);
    };
    Ok(list.items().iter().position(|item| ours(&item.value)).map(|index| cut(text, list, index)))
}

/// Takes the container at `path` out if nothing is in it, no comment either.
pub(in crate::install) fn drop_empty(text: &str, path: &[String]) -> Result<String, Fault> {
    let root = parse(text)?;
    let empty = walk(&root, path).is_some_and(|node| {
        matches!(node.shape, Shape::Object(_) | Shape::Array(_)) && inner(text, node).trim().is_empty()
    });
    if empty { unset(text, path) } else { Ok(text.to_owned()) }
}

/// The node at the end of a path of names.
pub(in crate::install) fn walk<'n>(root: &'n Node, path: &[String]) -> Option<&'n Node> {
    path.iter().try_fold(root, |node, name| node.get(name))
}

/// Makes what is missing of `path`: objects, and at its end `last` (JSON).
fn reach(text: &str, path: &[String], last: &str) -> Result<Changed, Fault> {
    let mut changed = Changed { text: text.to_owned(), made: Vec::new() };
    for (depth, name) in path.iter().enumerate() {
        let root = parse(&changed.text)?;
        let above = path.get(..depth).unwrap_or_default();
        let object = walk(&root, above).ok_or_else(|| fault(&root, "an object is missing"))?;
        if !matches!(object.shape, Shape::Object(_)) {
            let place = if above.is_empty() { "the file".to_owned() } else { format!("`{}`", above.join(".")) };
            return Err(fault(object, format!("{place} is {}, and should be an object", object.name())));
        }
        if object.get(name).is_none() {
            let value = if depth + 1 == path.len() { last } else { "{}" };
            changed.text = insert(&changed.text, object, Some(name), value)?;
            changed.made.push(path.get(..=depth).unwrap_or_default().to_vec());
        }
    }
    Ok(changed)
}

fn fault(node: &Node, what: impl Into<String>) -> Fault {
    Fault { at: node.span.start, what: what.into() }
}

fn splice(text: &str, start: usize, end: usize, new: &str) -> String {
    [slice(text, 0..start), new, slice(text, end..text.len())].concat()
}

/// What stands between the brackets.
fn inner<'t>(text: &'t str, container: &Node) -> &'t str {
    slice(text, container.span.start + 1..container.span.end - 1)
}

/// The blanks that the line of a byte begins with, up to that byte.
fn indent(text: &str, at: usize) -> &str {
    let before = slice(text, 0..at);
    let line = before.rsplit('\n').next().unwrap_or_default();
    let blank = line.trim_start_matches('\u{feff}');
    let blanks = blank.len() - blank.trim_start_matches([' ', '\t']).len();
    slice(blank, 0..blanks)
}

/// Whether only blanks stand before the byte on its line, and there is a line before.
fn opens_a_line(text: &str, at: usize) -> bool {
    let before = slice(text, 0..at);
    let tail = before.trim_end_matches([' ', '\t']);
    tail.ends_with('\n')
}

/// How a text is written.
struct Manner<'t> {
    newline: &'static str,
    unit: &'t str,
    /// What a colon and a comma are followed by where everything stands on one line.
    gap: &'static str,
    bare_keys: bool,
    one_line: bool,
}

impl<'t> Manner<'t> {
    fn of(text: &'t str, root: &Node) -> Self {
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let first = root.items().first();
        let unit = first.filter(|item| opens_a_line(text, item.start())).map(|item| indent(text, item.start()));
        let key = first.and_then(|item| item.key.as_ref());
        let bare_keys = key.is_some_and(|key| slice(text, key.span.clone()) == key.name);
        let one_line = first.is_some() && !slice(text, root.span.clone()).contains('\n');
        let tight = one_line && !text.contains(": ");
        let unit = unit.filter(|unit| !unit.is_empty()).unwrap_or("  ");
        Self { newline, unit, gap: if tight { "" } else { " " }, bare_keys, one_line }
    }

    fn key(&self, name: &str) -> String {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$');
        let bare = self.bare_keys && name.chars().all(plain) && !name.starts_with(|c: char| c.is_ascii_digit());
        if bare { name.to_owned() } else { quoted(name) }
    }

    /// The value on one line.
    fn flat(&self, node: &Node) -> String {
        let gap = self.gap;
        let join = |parts: Vec<String>| parts.join(&format!(",{gap}"));
        match &node.shape {
            Shape::Array(items) => {
                format!("[{}]", join(items.iter().map(|item| self.flat(&item.value)).collect()))
            }
            Shape::Object(items) => {
                let entry = |item: &Item| {
                    let name = item.key.as_ref().map(|key| self.key(&key.name)).unwrap_or_default();
                    format!("{name}:{gap}{}", self.flat(&item.value))
                };
                format!("{{{}}}", join(items.iter().map(entry).collect()))
            }
            _ => plain(node),
        }
    }

    /// The value with each entry on a line of its own; `indent` is that of the line it begins on.
    fn tall(&self, node: &Node, indent: &str) -> String {
        let (open, close) = match &node.shape {
            Shape::Object(items) if !items.is_empty() => ('{', '}'),
            // A list of plain values is easier to read on one line.
            Shape::Array(items) if items.iter().any(|item| !item.value.items().is_empty()) => ('[', ']'),
            _ => return self.flat(node),
        };
        let deeper = format!("{indent}{}", self.unit);
        let entry = |item: &Item| {
            let name = item.key.as_ref().map(|key| format!("{}: ", self.key(&key.name))).unwrap_or_default();
            format!("{}{deeper}{name}{}", self.newline, self.tall(&item.value, &deeper))
        };
        let entries: Vec<String> = node.items().iter().map(entry).collect();
        format!("{open}{}{}{indent}{close}", entries.join(","), self.newline)
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn plain(node: &Node) -> String {
    match &node.shape {
        Shape::Text(text) => quoted(text),
        Shape::Number(number) => number.clone(),
        Shape::Bool(truth) => truth.to_string(),
        _ => "null".to_owned(),
    }
}

/// Adds an entry at the end of a container.
fn insert(text: &str, container: &Node, key: Option<&str>, value: &str) -> Result<String, Fault> {
    let root = parse(text)?;
    let manner = Manner::of(text, &root);
    let value = parse(value)?;
    let name = key.map(|key| manner.key(key));
    let close = container.span.end - 1;
    let flat = || {
        let name = name.as_ref().map(|name| format!("{name}:{}", manner.gap)).unwrap_or_default();
        format!("{name}{}", manner.flat(&value))
    };
    let tall = |indent: &str| {
        let name = name.as_ref().map(|name| format!("{name}: ")).unwrap_or_default();
        format!("{}{indent}{name}{}", manner.newline, manner.tall(&value, indent))
    };
    let Some(last) = container.items().last() else {
        let inside = inner(text, container);
        // A list of plain values is easier to read on one line.
        let is_short = key.is_none() && value.items().is_empty();
        if (manner.one_line || is_short) && inside.trim().is_empty() {
            return Ok(splice(text, container.span.start + 1, close, &flat()));
        }
        let outer = indent(text, container.span.start);
        let entry = tall(&format!("{outer}{}", manner.unit));
        // Comments stay where they are, before the entry.
        let kept = container.span.start + 1 + inside.trim_end().len();
        return Ok(splice(text, kept, close, &format!("{entry}{}{outer}", manner.newline)));
    };
    let at = last.end();
    if !opens_a_line(text, last.start()) {
        let entry = flat();
        let gap = manner.gap;
        let entry = if last.comma.is_some() { format!("{gap}{entry},") } else { format!(",{gap}{entry}") };
        return Ok(splice(text, at, at, &entry));
    }
    let entry = tall(indent(text, last.start()));
    let kept = at + slice(text, at..close).trim_end().len();
    let behind = if last.comma.is_some() { "," } else { "" };
    let with_entry = splice(text, kept, kept, &format!("{entry}{behind}"));
    Ok(if last.comma.is_some() { with_entry } else { splice(&with_entry, at, at, ",") })
}

/// Takes an entry out of a container.
fn cut(text: &str, container: &Node, index: usize) -> String {
    let items = container.items();
    let Some(item) = items.get(index) else {
        return text.to_owned();
    };
    let close = container.span.end - 1;
    let before = slice(text, 0..item.start());
    let blanks_start = before.trim_end().len();
    if items.len() == 1 {
        let rest = [slice(text, container.span.start + 1..blanks_start), slice(text, item.end()..close)];
        if rest.iter().all(|part| part.trim().is_empty()) {
            return splice(text, container.span.start + 1, close, "");
        }
    }
    if index + 1 < items.len() {
        let line_end = slice(text, item.end()..close).find('\n').map(|at| item.end() + at + 1);
        let alone = opens_a_line(text, item.start());
        return match line_end {
            Some(end) if alone && slice(text, item.end()..end).trim().is_empty() => {
                let start = before.trim_end_matches([' ', '\t']).len();
                splice(text, start, end, "")
            }
            _ => {
                let rest = slice(text, item.end()..close);
                let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
                splice(text, item.start(), item.end() + blanks, "")
            }
        };
    }
    // The last one: the blanks before it go, and with it the comma that only it called for. A line comment before it
    // keeps its line end where something would else be drawn into it.
    let follows = slice(text, item.end()..close);
    let ends_line = follows.trim_start_matches([' ', '\t', '\r']).starts_with('\n');
    let comment_before = opens_a_line(text, item.start())
        && slice(text, 0..blanks_start).rsplit('\n').next().is_some_and(|line| line.contains("//"));
    let start = if comment_before && !ends_line { item.start() } else { blanks_start };
    let without = splice(text, start, item.end(), "");
    let previous = index.checked_sub(1).and_then(|index| items.get(index)).and_then(|item| item.comma);
    match (item.comma, previous) {
        (None, Some(comma)) => splice(&without, comma - 1, comma, ""),
        _ => without,
    }
}
