//! Compressed transcripts: zstd and gzip around one file, zip around an export.
//!
//! What is inside is sniffed like a file of its own. A stream stays a stream: only a zip, whose list of contents
//! stands at its end, is held in memory.

use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

use chrono::{DateTime, Utc};
use flate2::read::MultiGzDecoder;
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};
use zip::ZipArchive;

use super::further::Kind;
use super::sniff::Format;
use super::{Reading, read_as, sniffed, whole};
use crate::error::{Error, ErrorKind, Problem, Result};

/// How a source is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Packing {
    Zstd,
    Gzip,
    Zip,
}

/// Reads the sessions inside.
pub(super) fn read(
    packing: Packing,
    reader: impl Read + Send,
    path: &Path,
    modified: DateTime<Utc>,
) -> Result<Reading> {
    match packing {
        Packing::Zstd => inside(Frames::of(reader), path, modified),
        Packing::Gzip => inside(MultiGzDecoder::new(reader), path, modified),
        Packing::Zip => entries(whole::bytes(reader, path)?, path, modified),
    }
}

fn inside(reader: impl Read + Send, path: &Path, modified: DateTime<Utc>) -> Result<Reading> {
    // Through a box, or the type of a reader inside a reader would never end.
    let reader: Box<dyn Read + Send + '_> = Box::new(reader);
    let (format, reader) = sniffed(reader, path)?;
    let refused = match format {
        Format::Packed(_) => "this is compressed more than once",
        // Its messages would be looked for beside a path that an archive made up.
        Format::Further(Kind::OpencodeTree) => "a session of opencode is read from its folder only",
        _ => "",
    };
    if !refused.is_empty() {
        return Err(Error::new(ErrorKind::UnknownFormat, refused).at(path));
    }
    let reader: Box<dyn Read + Send + '_> = Box::new(reader);
    read_as(format, reader, path, modified)
}

/// Reads every entry of a zip that is a transcript; the others are pictures, accounts and the like.
fn entries(bytes: Vec<u8>, path: &Path, modified: DateTime<Utc>) -> Result<Reading> {
    let broken = |error: zip::result::ZipError| {
        Error::new(ErrorKind::Transcript, "could not read the zip archive").at(path).because(error)
    };
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(broken)?;
    let mut reading = Reading::default();
    let mut has_any = false;
    for index in 0..archive.len() {
        let entry = archive.by_index(index).map_err(broken)?;
        let Ok(name) = entry.name() else { continue };
        let may_be = [".json", ".jsonl", ".md"].iter().any(|ending| name.ends_with(ending));
        // For messages only; nothing is unpacked to a disk.
        let name = path.join(name.trim_start_matches('/'));
        if !entry.is_file() || !may_be {
            continue;
        }
        let found = whole::bytes(entry, &name).and_then(|bytes| inside(Cursor::new(bytes), &name, modified));
        match found {
            Ok(found) => {
                has_any = true;
                reading.sessions.extend(found.sessions);
                reading.problems.extend(found.problems);
            }
            Err(error) if error.kind() == ErrorKind::UnknownFormat => {}
            Err(error) => reading.problems.push(Problem { path: name, line: None, what: error.to_string() }),
        }
    }
    if !has_any && reading.problems.is_empty() {
        let message = "this zip archive holds no transcript";
        return Err(Error::new(ErrorKind::UnknownFormat, message).at(path));
    }
    Ok(reading)
}

/// The frames of a zstd stream, one after the other: a file that is appended to has several.
struct Frames<R: Read> {
    state: State<R>,
}

enum State<R: Read> {
    Between(BufReader<R>),
    Inside(Box<StreamingDecoder<BufReader<R>, FrameDecoder>>),
    Done,
}

impl<R: Read> Frames<R> {
    fn of(reader: R) -> Self {
        Self { state: State::Between(BufReader::new(reader)) }
    }
}

impl<R: Read> Read for Frames<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        loop {
            match std::mem::replace(&mut self.state, State::Done) {
                State::Done => return Ok(0),
                State::Between(mut reader) => {
                    if reader.fill_buf()?.is_empty() {
                        return Ok(0);
                    }
                    let decoder = StreamingDecoder::new(reader).map_err(|error| io::Error::other(error.to_string()))?;
                    self.state = State::Inside(Box::new(decoder));
                }
                State::Inside(mut decoder) => {
                    let got = decoder.read(room)?;
                    if got > 0 || room.is_empty() {
                        self.state = State::Inside(decoder);
                        return Ok(got);
                    }
                    self.state = State::Between(decoder.into_inner());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::super::{Speaker, read_stream};
    use super::*;

    const LOG: &str = "{\"role\":\"user\",\"content\":\"use tabs\"}\n";

    fn humans(bytes: &[u8], name: &str) -> Vec<String> {
        let reading = read_stream(bytes, Path::new(name), DateTime::UNIX_EPOCH).unwrap();
        let turns =
            reading.sessions.iter().flat_map(|session| &session.turns).filter(|turn| turn.speaker == Speaker::Human);
        turns.map(|turn| turn.text.clone()).collect()
    }

    fn gzip(text: &str) -> Vec<u8> {
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(text.as_bytes()).unwrap();
        packed.finish().unwrap()
    }

    #[test]
    fn frames_follow_each_other() {
        let mut zstd = compress_to_vec(LOG.as_bytes(), CompressionLevel::Fastest);
        zstd.extend_from_within(..);
        assert_eq!(humans(&zstd, "a.jsonl.zst").len(), 2);
        let mut gz = gzip(LOG);
        gz.extend_from_within(..);
        assert_eq!(humans(&gz, "a.jsonl.gz").len(), 2);
    }

    #[test]
    fn an_archive_gives_the_transcripts_in_it() {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        let chats = r#"[{"uuid":"c","chat_messages":[{"uuid":"1","sender":"human","text":"use tabs"}]}]"#;
        for (name, text) in [("users.json", "[]"), ("conversations.json", chats)] {
            zip.start_file(name, SimpleFileOptions::default()).unwrap();
            zip.write_all(text.as_bytes()).unwrap();
        }
        let bytes = zip.finish().unwrap().into_inner();
        assert_eq!(humans(&bytes, "export.zip"), ["use tabs"]);
    }

    #[test]
    fn what_is_broken_or_packed_twice_is_an_error() {
        let twice = {
            let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
            packed.write_all(&gzip(LOG)).unwrap();
            packed.finish().unwrap()
        };
        let cases: [&[u8]; 3] = [&twice, b"PK\x03\x04no", b"\x28\xB5\x2F\xFDno"];
        for bytes in cases {
            assert!(read_stream(bytes, Path::new("a"), DateTime::UNIX_EPOCH).is_err());
        }
    }
}
