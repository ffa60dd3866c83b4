//! Lines of a big file: read in blocks cut at line ends, worked on side by side, given back in order.
//!
//! Only a few blocks are in memory at a time, whatever the size of the file; the next ones are read while
//! the last ones are worked on.

use std::io::{self, Read};
use std::path::Path;

use rayon::prelude::*;

use super::json::Malformed;
use crate::error::{Error, Problem};

/// Bytes in a block; longer lines make a longer block.
const BLOCK: usize = 512 << 10;

/// Blocks worked on side by side.
const BATCH: usize = 4;

/// The longest line that is looked at, in bytes; longer ones are scanned over and reported.
pub(super) const LONGEST_LINE: usize = 64 << 20;

/// Some whole lines, or the place of a line that was too long.
enum Block {
    Lines(Vec<u8>),
    TooLong,
}

/// What became of one line.
pub(super) enum Seen<T> {
    /// What `parse` made of it.
    Parsed(T),
    /// It was longer than [`LONGEST_LINE`].
    TooLong,
}

/// Calls `parse` on every line that is not blank (side by side) and `take` on what it gave (in order, with
/// the 1-based number of the line). A byte order mark and the line ends (`\n`, `\r\n`) are cut away first.
pub(super) fn each_line<T: Send>(
    reader: impl Read + Send,
    parse: impl Fn(&[u8]) -> Option<T> + Sync,
    mut take: impl FnMut(u32, Seen<T>),
) -> io::Result<()> {
    let mut blocks = Blocks { reader, carry: Vec::new(), spare: Vec::new(), at_start: true, at_end: false };
    let mut batch = blocks.batch()?;
    let mut before = 0_u32;
    while !batch.is_empty() {
        let (next, done) = rayon::join(
            || blocks.batch(),
            || batch.par_iter().map(|block| parse_block(block, &parse)).collect::<Vec<_>>(),
        );
        for (lines, count) in done {
            for (line, seen) in lines {
                take(before.saturating_add(line), seen);
            }
            before = before.saturating_add(count);
        }
        blocks.reuse(std::mem::replace(&mut batch, next?));
    }
    Ok(())
}

/// [`each_line`] for rows of JSON: a line that is none, or too long, becomes a problem of the file `name`.
pub(super) fn each_row<T: Send>(
    reader: impl Read + Send,
    name: &Path,
    problems: &mut Vec<Problem>,
    parse: impl Fn(&[u8]) -> Result<Option<T>, Malformed> + Sync,
    mut take: impl FnMut(u32, T),
) -> crate::error::Result<()> {
    let parse = |line: &[u8]| parse(line).transpose();
    each_line(reader, parse, |line, seen| {
        let what = match seen {
            Seen::Parsed(Ok(row)) => return take(line, row),
            Seen::Parsed(Err(Malformed)) => "this line is no valid JSON, or was cut off".to_owned(),
            Seen::TooLong => format!("this line is longer than {} MiB", LONGEST_LINE >> 20),
        };
        problems.push(Problem { path: name.to_path_buf(), line: Some(line), what });
    })
    .map_err(|error| Error::io("read the transcript", name, error))
}

/// What a block's lines gave, each with its number inside the block, and how many lines it has.
fn parse_block<T>(block: &Block, parse: &impl Fn(&[u8]) -> Option<T>) -> (Vec<(u32, Seen<T>)>, u32) {
    let Block::Lines(bytes) = block else {
        return (vec![(1, Seen::TooLong)], 1);
    };
    let (mut seen, mut count) = (Vec::new(), 0);
    let mut rest = bytes.as_slice();
    while !rest.is_empty() {
        count += 1;
        let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let (line, after) = rest.split_at(end);
        rest = after.get(1..).unwrap_or_default();
        let line = line.trim_ascii();
        if line.is_empty() {
            continue;
        }
        if let Some(parsed) = parse(line) {
            seen.push((count, Seen::Parsed(parsed)));
        }
    }
    (seen, count)
}

struct Blocks<R> {
    reader: R,
    /// The beginning of the line that the last block cut.
    carry: Vec<u8>,
    /// Room of blocks that are done with.
    spare: Vec<Vec<u8>>,
    at_start: bool,
    at_end: bool,
}

impl<R: Read> Blocks<R> {
    fn batch(&mut self) -> io::Result<Vec<Block>> {
        let mut batch = Vec::with_capacity(BATCH);
        let mut bytes = 0;
        while bytes < BATCH * BLOCK && batch.len() < BATCH {
            let Some(block) = self.block()? else { break };
            if let Block::Lines(lines) = &block {
                bytes += lines.len();
            }
            batch.push(block);
        }
        Ok(batch)
    }

    fn block(&mut self) -> io::Result<Option<Block>> {
        if self.at_end {
            return Ok(None);
        }
        let mut bytes = self.spare.pop().unwrap_or_default();
        bytes.append(&mut self.carry);
        let mut searched = 0;
        loop {
            // Exactly, or the room for a long line would double with each step.
            bytes.reserve_exact(searched.max(BLOCK));
            let got = (&mut self.reader).take(BLOCK as u64).read_to_end(&mut bytes)?;
            if std::mem::take(&mut self.at_start) && bytes.starts_with(b"\xEF\xBB\xBF") {
                bytes.drain(..3);
            }
            if got < BLOCK {
                self.at_end = true;
                return Ok((!bytes.is_empty()).then_some(Block::Lines(bytes)));
            }
            let fresh = bytes.get(searched..).unwrap_or_default();
            if let Some(found) = memchr::memrchr(b'\n', fresh) {
                self.carry.extend(bytes.drain(searched + found + 1..));
                return Ok(Some(Block::Lines(bytes)));
            }
            searched = bytes.len();
            if searched > LONGEST_LINE {
                drop(bytes);
                self.scan_to_line_end()?;
                return Ok(Some(Block::TooLong));
            }
        }
    }

    /// Drops the rest of a line that is too long.
    fn scan_to_line_end(&mut self) -> io::Result<()> {
        let mut room = Vec::with_capacity(BLOCK);
        loop {
            room.clear();
            let got = (&mut self.reader).take(BLOCK as u64).read_to_end(&mut room)?;
            if let Some(found) = memchr::memchr(b'\n', &room) {
                self.carry = room.split_off(found + 1);
                return Ok(());
            }
            if got < BLOCK {
                self.at_end = true;
                return Ok(());
            }
        }
    }

    /// Takes back the room of a batch, except of blocks that a long line stretched.
    fn reuse(&mut self, batch: Vec<Block>) {
        for block in batch {
            if let Block::Lines(mut bytes) = block
                && bytes.capacity() <= 2 * BLOCK
            {
                bytes.clear();
                self.spare.push(bytes);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Vec<(u32, String)> {
        let mut lines = Vec::new();
        let parse = |line: &[u8]| Some(String::from_utf8_lossy(line).into_owned());
        each_line(bytes, parse, |number, seen| match seen {
            Seen::Parsed(text) => lines.push((number, text)),
            Seen::TooLong => lines.push((number, "too long".into())),
        })
        .unwrap();
        lines
    }

    #[test]
    fn marks_and_line_ends_are_cut_and_blank_lines_counted() {
        let lines = read(b"\xEF\xBB\xBFone\r\n\r\n\ntwo\nthree");
        assert_eq!(lines, [(1, "one".into()), (4, "two".into()), (5, "three".into())]);
        assert!(read(b"").is_empty());
    }

    #[test]
    fn numbers_and_order_hold_over_blocks() {
        let mut text = String::new();
        for number in 1..=60_000 {
            text.push_str(&format!("{number} {}\n", "x".repeat(300)));
        }
        let lines = read(text.as_bytes());
        assert_eq!(lines.len(), 60_000);
        assert!(lines.iter().all(|(number, line)| line.starts_with(&format!("{number} "))));
    }

    #[test]
    fn a_line_longer_than_the_limit_costs_itself_only() {
        let mut bytes = b"first\n".to_vec();
        bytes.resize(LONGEST_LINE + 3 * BLOCK, b'y');
        bytes.extend_from_slice(b"\nlast\n");
        let lines = read(&bytes);
        assert_eq!(lines, [(1, "first".into()), (2, "too long".into()), (3, "last".into())]);
    }

    #[test]
    fn a_line_of_several_blocks_is_read_whole() {
        let mut bytes = vec![b'z'; 5 * BLOCK];
        bytes.extend_from_slice(b"\nend");
        let lines = read(&bytes);
        assert_eq!((lines[0].1.len(), lines[1].clone()), (5 * BLOCK, (2, "end".into())));
    }
}
