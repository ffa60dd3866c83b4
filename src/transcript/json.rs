//! A one-pass reader of JSON that keeps what it is asked for and skips the rest.
//!
//! Nine tenths of a transcript are tool results and file bodies nobody asks for. [`Cursor`] walks a line
//! once: `object` and `array` step into a value, `value` steps over it and keeps its bytes, `skip` only steps
//! over it. Nothing is decoded before it is wanted, so a lone surrogate, a byte that is no UTF-8, a wrong type
//! or a nesting of 20,000 levels costs nothing but itself.

use std::borrow::Cow;

use memchr::memchr;

/// The text is no JSON, or ends too early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Malformed;

/// A place in a JSON text.
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// The bytes of one value, not yet decoded.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Value<'a>(&'a [u8]);

type Step = Result<(), Malformed>;

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Steps into an object and calls `member` at each value; anything else is stepped over.
    pub(super) fn object(&mut self, mut member: impl FnMut(&'a [u8], &mut Self) -> Step) -> Step {
        if self.peek() != Some(b'{') {
            return self.skip();
        }
        self.at += 1;
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(());
        }
        loop {
            if self.peek() != Some(b'"') {
                return Err(Malformed);
            }
            let key = self.value()?;
            self.expect(b':')?;
            member(key.inside(), self)?;
            if self.ends_with(b'}')? {
                return Ok(());
            }
        }
    }

    /// Steps into an array and calls `item` at each value; anything else is stepped over.
    pub(super) fn array(&mut self, mut item: impl FnMut(&mut Self) -> Step) -> Step {
        if self.peek() != Some(b'[') {
            return self.skip();
        }
        self.at += 1;
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(());
        }
        loop {
            item(self)?;
            if self.ends_with(b']')? {
                return Ok(());
            }
        }
    }

    /// Steps over a value and keeps its bytes.
    pub(super) fn value(&mut self) -> Result<Value<'a>, Malformed> {
        self.peek();
        let start = self.at;
        self.skip()?;
        Ok(Value(self.bytes.get(start..self.at).unwrap_or_default()))
    }

    /// Steps over a value.
    pub(super) fn skip(&mut self) -> Step {
        match self.peek().ok_or(Malformed)? {
            b'"' => self.skip_string(),
            b'{' | b'[' => self.skip_nested(),
            byte if is_scalar(byte) => {
                while self.bytes.get(self.at).is_some_and(|&b| is_scalar(b)) {
                    self.at += 1;
                }
                Ok(())
            }
            _ => Err(Malformed),
        }
    }

    /// Whether nothing but white space is left.
    pub(super) fn at_end(&mut self) -> bool {
        self.peek().is_none()
    }

    /// The next byte that is no white space.
    pub(super) fn peek(&mut self) -> Option<u8> {
        while let Some(&byte) = self.bytes.get(self.at) {
            if !matches!(byte, b' ' | b'\t' | b'\n' | b'\r') {
                return Some(byte);
            }
            self.at += 1;
        }
        None
    }

    fn expect(&mut self, byte: u8) -> Step {
        if self.peek() != Some(byte) {
            return Err(Malformed);
        }
        self.at += 1;
        Ok(())
    }

    /// After a member or an item: whether the container ends here, or a comma leads on.
    fn ends_with(&mut self, close: u8) -> Result<bool, Malformed> {
        let byte = self.peek().ok_or(Malformed)?;
        self.at += 1;
        match byte {
            b',' => Ok(false),
            byte if byte == close => Ok(true),
            _ => Err(Malformed),
        }
    }

    /// Looks for quotes only, and at each whether it is escaped: text is full of `\n`, quotes are rarer.
    fn skip_string(&mut self) -> Step {
        let start = self.at + 1;
        self.at = start;
        loop {
            let rest = self.bytes.get(self.at..).ok_or(Malformed)?;
            let end = self.at + quote(rest).ok_or(Malformed)?;
            let inside = self.bytes.get(start..end).unwrap_or_default();
            let slashes = inside.iter().rev().take_while(|&&byte| byte == b'\\');
            self.at = end + 1;
            if slashes.count() % 2 == 0 {
                return Ok(());
            }
        }
    }

    /// Steps over an object or array without recursion, so no depth overflows the stack.
    fn skip_nested(&mut self) -> Step {
        let mut depth = 0_usize;
        loop {
            let byte = *self.bytes.get(self.at).ok_or(Malformed)?;
            match KINDS[usize::from(byte)] {
                Kind::Quote => {
                    self.skip_string()?;
                    continue;
                }
                Kind::Open => depth += 1,
                Kind::Close => {
                    depth -= 1;
                    if depth == 0 {
                        self.at += 1;
                        return Ok(());
                    }
                }
                Kind::Between => {}
                Kind::Foreign => return Err(Malformed),
            }
            self.at += 1;
        }
    }
}

/// Where the next quote is. Most strings are keys and ids: a search that is fast over long ones starts too slowly for them.
fn quote(bytes: &[u8]) -> Option<usize> {
    let (words, _) = bytes.as_chunks::<8>();
    for (at, word) in words.iter().take(SHORT / 8).enumerate() {
        // A byte that was a quote is zero now, and only such a one (or one behind it) gets its high bit.
        let word = u64::from_le_bytes(*word) ^ (u64::from(b'"') * ONES);
        let found = word.wrapping_sub(ONES) & !word & (0x80 * ONES);
        if found != 0 {
            return Some(at * 8 + found.trailing_zeros() as usize / 8);
        }
    }
    let from = SHORT.min(words.len() * 8);
    memchr(b'"', bytes.get(from..)?).map(|at| from + at)
}

/// Bytes that are searched on the spot.
const SHORT: usize = 24;
/// A one in each byte of a word.
const ONES: u64 = u64::from_le_bytes([1; 8]);

/// What a byte between strings is.
#[derive(Clone, Copy)]
enum Kind {
    Quote,
    Open,
    Close,
    /// White space, a comma, a colon, or a part of a scalar.
    Between,
    Foreign,
}

/// The kind of each byte.
const KINDS: [Kind; 256] = {
    let mut kinds = [Kind::Foreign; 256];
    let mut byte = 0;
    while byte < 128 {
        kinds[byte] = match byte as u8 {
            b'"' => Kind::Quote,
            b'{' | b'[' => Kind::Open,
            b'}' | b']' => Kind::Close,
            b',' | b':' | b' ' | b'\t' | b'\n' | b'\r' => Kind::Between,
            scalar if is_scalar(scalar) => Kind::Between,
            _ => Kind::Foreign,
        };
        byte += 1;
    }
    kinds
};

/// Bytes that numbers, `true`, `false` and `null` are made of.
const fn is_scalar(byte: u8) -> bool {
    matches!(
        byte,
        b'0'..=b'9' | b'-' | b'+' | b'.' | b'E' | b'a' | b'e' | b'f' | b'l' | b'n' | b'r' | b's' | b't' | b'u'
    )
}

impl<'a> Value<'a> {
    /// Whether there is a value, and one that is not `null`.
    pub(super) fn is_some(self) -> bool {
        !self.0.is_empty() && self.0 != b"null"
    }

    pub(super) fn is_true(self) -> bool {
        self.0 == b"true"
    }

    pub(super) fn is_string(self) -> bool {
        self.0.first() == Some(&b'"')
    }

    pub(super) fn is_array(self) -> bool {
        self.0.first() == Some(&b'[')
    }

    pub(super) fn is_object(self) -> bool {
        self.0.first() == Some(&b'{')
    }

    /// The first bytes of the value as written.
    pub(super) fn head(self, limit: usize) -> &'a [u8] {
        self.0.get(..limit).unwrap_or(self.0)
    }

    /// A cursor at the value, to step into it.
    pub(super) fn cursor(self) -> Cursor<'a> {
        Cursor::new(self.0)
    }

    /// A number as it was written; a string of digits is not one.
    pub(super) fn number(self) -> Option<f64> {
        std::str::from_utf8(self.0).ok()?.parse().ok()
    }

    /// The string exactly as written, escapes and all; empty where there is no string.
    pub(super) fn inside(self) -> &'a [u8] {
        match self.0 {
            [b'"', inside @ .., b'"'] => inside,
            _ => &[],
        }
    }

    /// The decoded string, `None` for any other type.
    pub(super) fn text(self) -> Option<Cow<'a, str>> {
        self.text_up_to(usize::MAX)
    }

    /// The decoded beginning of the string: at most about `limit` bytes, cut at a character.
    pub(super) fn text_up_to(self, limit: usize) -> Option<Cow<'a, str>> {
        self.is_string().then(|| decode(self.inside(), limit))
    }

    /// The member `key` of an object.
    pub(super) fn get(self, key: &str) -> Value<'a> {
        let mut found = Value::default();
        // The bytes were stepped over before, so they are well-formed here.
        let _ = self.cursor().object(|name, at| {
            if name == key.as_bytes() {
                found = at.value()?;
                Ok(())
            } else {
                at.skip()
            }
        });
        found
    }

    /// The items of an array, none for any other type.
    pub(super) fn items(self) -> Vec<Value<'a>> {
        let mut items = Vec::new();
        if self.is_array() {
            let _ = self.cursor().array(|at| {
                items.push(at.value()?);
                Ok(())
            });
        }
        items
    }
}

/// Decodes the inside of a JSON string; what cannot be decoded becomes U+FFFD.
fn decode(mut raw: &[u8], limit: usize) -> Cow<'_, str> {
    if raw.len() > limit && memchr(b'\\', raw.get(..limit).unwrap_or_default()).is_none() {
        raw = raw.get(..limit).unwrap_or_default();
        return Cow::Owned(without_torn_end(lossy(raw).into_owned()));
    }
    if memchr(b'\\', raw).is_none() {
        return lossy(raw);
    }
    // Whether all of it is UTF-8 is asked once, at the end: pieces between escapes are short.
    let mut text = Vec::with_capacity(raw.len().min(limit));
    while let Some(found) = memchr(b'\\', raw) {
        let (plain, escape) = raw.split_at(found);
        if text.len() + plain.len() > limit {
            break;
        }
        text.extend_from_slice(plain);
        raw = push_escape(escape, &mut text);
    }
    let room = limit.saturating_sub(text.len()).min(raw.len());
    text.extend_from_slice(raw.get(..room).unwrap_or_default());
    let text = String::from_utf8(text).unwrap_or_else(|error| lossy(error.as_bytes()).into_owned());
    Cow::Owned(if room < raw.len() { without_torn_end(text) } else { text })
}

/// The bytes as text. Nearly all are UTF-8, and that is checked many bytes at a time, as replacing is not.
fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// A cut inside a character leaves replacement characters at the very end.
fn without_torn_end(mut text: String) -> String {
    text.truncate(text.trim_end_matches('\u{fffd}').len());
    text
}

/// Decodes the escape at the start of `raw` onto `text`; gives what follows it.
fn push_escape<'a>(raw: &'a [u8], text: &mut Vec<u8>) -> &'a [u8] {
    match raw.get(1) {
        Some(b'n') => text.push(b'\n'),
        Some(b't') => text.push(b'\t'),
        Some(b'r') => text.push(b'\r'),
        Some(b'b') => text.push(8),
        Some(b'f') => text.push(12),
        Some(&byte @ (b'"' | b'\\' | b'/')) => text.push(byte),
        Some(b'u') => return push_unicode(raw, text),
        _ => push(text, '\u{fffd}'),
    }
    raw.get(2..).unwrap_or_default()
}

fn push_unicode<'a>(raw: &'a [u8], text: &mut Vec<u8>) -> &'a [u8] {
    let (decoded, length) = match (unit(raw), raw.get(6..).and_then(unit)) {
        (None, _) => (None, 2),
        (Some(high @ 0xD800..0xDC00), Some(low @ 0xDC00..0xE000)) => {
            (char::from_u32(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)), 12)
        }
        (Some(code), _) => (char::from_u32(code), 6),
    };
    push(text, decoded.unwrap_or('\u{fffd}'));
    raw.get(length..).unwrap_or_default()
}

fn push(text: &mut Vec<u8>, c: char) {
    text.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
}

/// The code unit of `\uXXXX` at the start of `raw`.
fn unit(raw: &[u8]) -> Option<u32> {
    let [b'\\', b'u', digits @ ..] = raw else {
        return None;
    };
    let digits = std::str::from_utf8(digits.get(..4)?).ok()?;
    if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    u32::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
#[path = "json_tests.rs"]
mod tests;
