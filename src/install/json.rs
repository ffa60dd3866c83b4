//! Reads a configuration file without forgetting where anything stands in it: JSON, JSON with comments, JSON5.
//!
//! The hosts' files are edited by people: comments, unusual indentation and trailing commas have to survive. So a file
//! is never written anew from its values; its text is cut and added to at the places that this reader tells
//! (`edit`). A file that cannot be read without doubt is refused, with the line.

pub(super) mod edit;

use std::collections::HashSet;
use std::ops::Range;

/// Deeper files are refused: a reader that calls itself must not run out of stack.
const DEEPEST: usize = 200;

/// A value and the bytes of the text that it takes up.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) span: Range<usize>,
    pub(super) shape: Shape,
}

/// What a value is. Strings are without their quotes and escapes; numbers are as written.
#[derive(Debug, Clone)]
pub(super) enum Shape {
    Object(Vec<Item>),
    Array(Vec<Item>),
    Text(String),
    Number(String),
    Bool(bool),
    Null,
}

/// One entry of an object or of an array (then without a key), and the end of the comma behind it.
#[derive(Debug, Clone)]
pub(super) struct Item {
    pub(super) key: Option<Key>,
    pub(super) value: Node,
    pub(super) comma: Option<usize>,
}

/// The name of an object's entry.
#[derive(Debug, Clone)]
pub(super) struct Key {
    pub(super) name: String,
    pub(super) span: Range<usize>,
}

/// Why a text cannot be read, and at which byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) at: usize,
    pub(super) what: String,
}

impl Item {
    /// Where the entry begins.
    pub(super) fn start(&self) -> usize {
        self.key.as_ref().map_or(self.value.span.start, |key| key.span.start)
    }

    /// Where it ends, with its comma.
    pub(super) fn end(&self) -> usize {
        self.comma.unwrap_or(self.value.span.end)
    }
}

impl Node {
    /// The entries, none for a plain value.
    pub(super) fn items(&self) -> &[Item] {
        match &self.shape {
            Shape::Object(items) | Shape::Array(items) => items,
            _ => &[],
        }
    }

    /// The value of an object's entry.
    pub(super) fn get(&self, name: &str) -> Option<&Self> {
        let Shape::Object(items) = &self.shape else {
            return None;
        };
        items.iter().find(|item| item.key.as_ref().is_some_and(|key| key.name == name)).map(|item| &item.value)
    }

    /// The value at the end of a path of names.
    pub(super) fn at(&self, path: &[&str]) -> Option<&Self> {
        path.iter().try_fold(self, |node, name| node.get(name))
    }

    /// The text, if it is one.
    pub(super) fn text(&self) -> Option<&str> {
        match &self.shape {
            Shape::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The truth value, if it is one.
    pub(super) fn truth(&self) -> Option<bool> {
        match self.shape {
            Shape::Bool(truth) => Some(truth),
            _ => None,
        }
    }

    /// Whether both say the same, however they are written.
    pub(super) fn says_the_same(&self, other: &Self) -> bool {
        match (&self.shape, &other.shape) {
            (Shape::Object(ours), Shape::Object(theirs)) => {
                let same = |item: &Item| {
                    let named = item.key.as_ref().and_then(|key| other.get(&key.name));
                    named.is_some_and(|value| value.says_the_same(&item.value))
                };
                ours.len() == theirs.len() && ours.iter().all(same)
            }
            (Shape::Array(ours), Shape::Array(theirs)) => {
                ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(a, b)| a.value.says_the_same(&b.value))
            }
            (Shape::Text(ours), Shape::Text(theirs)) | (Shape::Number(ours), Shape::Number(theirs)) => ours == theirs,
            (Shape::Bool(ours), Shape::Bool(theirs)) => ours == theirs,
            (Shape::Null, Shape::Null) => true,
            _ => false,
        }
    }

    /// What it is, for a message.
    pub(super) fn name(&self) -> &'static str {
        match self.shape {
            Shape::Object(_) => "an object",
            Shape::Array(_) => "a list",
            Shape::Text(_) => "a text",
            Shape::Number(_) => "a number",
            Shape::Bool(_) => "true or false",
            Shape::Null => "null",
        }
    }
}

/// The text between two bytes; empty where these are no borders of characters.
pub(super) fn slice(text: &str, span: Range<usize>) -> &str {
    text.get(span).unwrap_or_default()
}

/// The 1-based line of a byte.
pub(super) fn line_of(text: &str, at: usize) -> u32 {
    let before = text.as_bytes().get(..at).unwrap_or(text.as_bytes());
    u32::try_from(before.iter().filter(|&&byte| byte == b'\n').count())
        .map_or(u32::MAX, |breaks| breaks.saturating_add(1))
}

/// Reads a whole text.
///
/// # Errors
/// The first thing that is not JSON5, an object that says the same name twice, or nesting beyond [`DEEPEST`].
pub(super) fn parse(text: &str) -> Result<Node, Fault> {
    let mut reader = Reader { text, at: 0 };
    reader.skip()?;
    if reader.peek().is_none() {
        return Err(reader.fault("it is empty"));
    }
    let node = reader.value(0)?;
    reader.skip()?;
    match reader.peek() {
        None => Ok(node),
        Some(_) => Err(reader.fault("something follows the end of the value")),
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        slice(self.text, self.at..self.text.len())
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn take(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    fn fault(&self, what: impl Into<String>) -> Fault {
        Fault { at: self.at, what: what.into() }
    }

    /// Passes over blanks and comments.
    fn skip(&mut self) -> Result<(), Fault> {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').len();
            self.at += blank;
            let rest = self.rest();
            if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                let Some(end) = rest.find("*/") else {
                    return Err(self.fault("a comment does not end"));
                };
                self.at += end + 2;
            } else {
                return Ok(());
            }
        }
    }

    fn value(&mut self, depth: usize) -> Result<Node, Fault> {
        if depth > DEEPEST {
            return Err(self.fault("it is nested too deeply"));
        }
        let start = self.at;
        let shape = match self.peek() {
            Some('{') => Shape::Object(self.items('}', depth)?),
            Some('[') => Shape::Array(self.items(']', depth)?),
            Some('"' | '\'') => Shape::Text(self.string()?),
            Some(_) => self.word()?,
            None => return Err(self.fault("a value is missing at the end")),
        };
        Ok(Node { span: start..self.at, shape })
    }

    fn items(&mut self, close: char, depth: usize) -> Result<Vec<Item>, Fault> {
        let open = self.at;
        self.take();
        let mut items: Vec<Item> = Vec::new();
        let mut names = HashSet::new();
        loop {
            self.skip()?;
            if self.eat(close) {
                return Ok(items);
            }
            if self.peek().is_none() {
                return Err(Fault { at: open, what: format!("what begins here is never closed by `{close}`") });
            }
            if let Some(other @ ('}' | ']')) = self.peek() {
                return Err(self.fault(format!("`{other}` stands where `{close}` is missing")));
            }
            if items.last().is_some_and(|last| last.comma.is_none()) {
                return Err(self.fault("a comma is missing"));
            }
            let key = if close == '}' { Some(self.key(&mut names)?) } else { None };
            let value = self.value(depth + 1)?;
            self.skip()?;
            let comma = self.eat(',').then_some(self.at);
            items.push(Item { key, value, comma });
        }
    }

    fn key(&mut self, names: &mut HashSet<String>) -> Result<Key, Fault> {
        let start = self.at;
        let name = match self.peek() {
            Some('"' | '\'') => self.string()?,
            _ => {
                let rest = self.rest();
                let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
                let name = rest.split(|c| !part(c)).next().unwrap_or_default().to_owned();
                if name.is_empty() {
                    return Err(self.fault("a name is missing"));
                }
                self.at += name.len();
                name
            }
        };
        let span = start..self.at;
        if !names.insert(name.clone()) {
            return Err(Fault { at: start, what: format!("the name `{name}` stands twice in the same object") });
        }
        self.skip()?;
        if !self.eat(':') {
            return Err(self.fault(format!("a colon is missing behind `{name}`")));
        }
        self.skip()?;
        Ok(Key { name, span })
    }

    fn string(&mut self) -> Result<String, Fault> {
        let start = self.at;
        let quote = self.take();
        let mut text = String::new();
        loop {
            let at = self.at;
            match self.take() {
                next if next == quote && next.is_some() => return Ok(text),
                None | Some('\n' | '\r') => {
                    return Err(Fault { at: start, what: "a text does not end on its line".into() });
                }
                Some('\\') => match self.escape() {
                    Some(Some(meant)) => text.push(meant),
                    Some(None) => {}
                    None => return Err(Fault { at, what: "an escape in a text is wrong".into() }),
                },
                Some(plain) => text.push(plain),
            }
        }
    }

    /// What an escape stands for; `Some(None)` for a line that goes on, `None` for a wrong one.
    fn escape(&mut self) -> Option<Option<char>> {
        Some(Some(match self.take()? {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'v' => '\u{b}',
            '0' => '\0',
            'x' => char::from_u32(self.hex(2)?)?,
            'u' => {
                let first = self.hex(4)?;
                if (0xd800..0xdc00).contains(&first) && self.rest().starts_with("\\u") {
                    self.at += 2;
                    let second = self.hex(4)?.checked_sub(0xdc00)?;
                    char::from_u32(0x10000 + ((first - 0xd800) << 10) + second)?
                } else {
                    char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER)
                }
            }
            '\r' => {
                self.eat('\n');
                return Some(None);
            }
            '\n' => return Some(None),
            plain => plain,
        }))
    }

    fn hex(&mut self, digits: usize) -> Option<u32> {
        let code = u32::from_str_radix(self.rest().get(..digits)?, 16).ok()?;
        self.at += digits;
        Some(code)
    }

    fn word(&mut self) -> Result<Shape, Fault> {
        let rest = self.rest();
        let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
        let word = rest.split(|c| !part(c)).next().unwrap_or_default().to_owned();
        let digits = word.trim_start_matches(['+', '-']);
        let shape = match word.as_str() {
            "true" => Shape::Bool(true),
            "false" => Shape::Bool(false),
            "null" => Shape::Null,
            _ if ["Infinity", "NaN"].contains(&digits) => Shape::Number(word.clone()),
            _ if digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') && digits != "." => {
                Shape::Number(word.clone())
            }
            _ => return Err(self.fault("this is no value")),
        };
        self.at += word.len();
        Ok(shape)
    }
}
