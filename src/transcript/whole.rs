//! Files that are read whole: Markdown, text and JSON exports, whose turns have no row of their own.

use std::io::Read;
use std::ops::Range;
use std::path::Path;

use crate::error::{Error, ErrorKind, Result};

/// The largest file that is read whole, in bytes: it has to be held in memory.
const LARGEST_FILE: usize = 96 << 20;

/// The bytes of a file without their byte order mark.
pub(super) fn bytes(reader: impl Read, path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader
        .take(LARGEST_FILE as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Error::io("read the transcript", path, error))?;
    if bytes.len() > LARGEST_FILE {
        let message =
            format!("a file of this kind is read whole, and this one has more than {} MiB", LARGEST_FILE >> 20);
        return Err(Error::new(ErrorKind::Transcript, message).at(path));
    }
    if bytes.starts_with(b"\xEF\xBB\xBF") {
        bytes.drain(..3);
    }
    Ok(bytes)
}

/// The text of a file; bytes that are no UTF-8 become U+FFFD.
pub(super) fn text(reader: impl Read, path: &Path) -> Result<String> {
    let bytes = bytes(reader, path)?;
    Ok(String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

/// A line of a text: its 1-based number, its bytes in the text, and itself without its end.
#[derive(Clone)]
pub(super) struct Line<'a> {
    pub(super) number: u32,
    pub(super) range: Range<usize>,
    pub(super) text: &'a str,
}

/// The lines of a text.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut end = 0;
    (1_u32..).zip(text.split_inclusive('\n')).map(move |(number, line)| {
        let start = end;
        end += line.len();
        Line { number, range: start..end, text: line.trim_end_matches(['\n', '\r']) }
    })
}

/// What one speaker said, under a header that names the speaker.
pub(super) struct Block<'a, H> {
    pub(super) header: H,
    /// The line of the header.
    pub(super) line: u32,
    /// The bytes under the header, up to the next one.
    pub(super) body: Range<usize>,
    pub(super) text: &'a str,
}

/// Cuts a text at the lines that `header` takes for headers; what stands before the first is left out.
pub(super) fn blocks<'a, H>(text: &'a str, mut header: impl FnMut(&Line<'a>) -> Option<H>) -> Vec<Block<'a, H>> {
    let mut blocks: Vec<Block<'a, H>> = Vec::new();
    for line in lines(text) {
        let Some(header) = header(&line) else {
            continue;
        };
        if let Some(last) = blocks.last_mut() {
            last.body.end = line.range.start;
        }
        blocks.push(Block { header, line: line.number, body: line.range.end..text.len(), text: "" });
    }
    for block in &mut blocks {
        block.text = text.get(block.body.clone()).unwrap_or_default();
    }
    blocks
}

/// A block's text without the rule (`---`) that closes it and the space around.
pub(super) fn without_rule(text: &str) -> &str {
    let text = text.trim();
    text.strip_suffix("---").filter(|rest| rest.is_empty() || rest.ends_with('\n')).map_or(text, str::trim_end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_keep_their_lines_and_lose_their_rule() {
        let text = "# title\r\n== a\r\none\r\n---\r\n== b\n\ntwo\n---\nthree\n";
        let found = blocks(text, |line| line.text.strip_prefix("== ").map(str::to_owned));
        let seen: Vec<_> =
            found.iter().map(|block| (block.header.as_str(), block.line, without_rule(block.text))).collect();
        assert_eq!(seen, [("a", 2, "one"), ("b", 5, "two\n---\nthree")]);
    }

    #[test]
    fn a_mark_is_cut_and_foreign_bytes_are_replaced() {
        let read = text(b"\xEF\xBB\xBFa\xFFb".as_slice(), Path::new("f")).unwrap();
        assert_eq!(read, "a\u{fffd}b");
    }
}
