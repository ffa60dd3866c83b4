//! The payload: the last argument, or what comes on standard input within a moment.

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

/// So much is kept, in bytes; what comes after is only taken off the host's hands.
const KEPT: usize = 16 << 20;

/// When nothing came for so long, nothing comes: some hosts never close the pipe.
const SILENCE: Duration = Duration::from_millis(300);

/// All together not longer than this: Codex kills the hook of a session's end after a second.
const LONGEST: Duration = Duration::from_millis(700);

/// A payload that stands in one piece of at most this length is known to be whole before the pipe is closed.
const PIECE: usize = 1 << 16;

/// The payload of a hook that was called with these arguments.
pub(super) fn payload(arguments: &[OsString]) -> Vec<u8> {
    let last = arguments.last().map(|last| last.as_encoded_bytes());
    match last.filter(|last| last.first() == Some(&b'{')) {
        Some(last) => last.to_vec(),
        None if io::stdin().is_terminal() => Vec::new(),
        None => read(pieces::of(io::stdin())),
    }
}

/// Reads until the end, until it is whole, or until it was waited for long enough. `next` gives the next piece, or
/// nothing at the end or when none came in this time.
fn read(mut next: impl FnMut(Duration) -> Option<Vec<u8>>) -> Vec<u8> {
    let end = Instant::now() + LONGEST;
    let mut payload = Vec::new();
    while let Some(piece) = next(SILENCE.min(end.saturating_duration_since(Instant::now()))) {
        let room = KEPT.saturating_sub(payload.len());
        payload.extend_from_slice(piece.get(..room).unwrap_or(&piece));
        if payload.len() <= PIECE && is_whole(&payload) {
            break;
        }
    }
    payload
}

/// Reading with a limit of time. Where the system can wait so, no thread is started: that is a good part of the time
/// that a hook takes.
#[cfg(unix)]
mod pieces {
    use std::os::fd::AsFd;
    use std::time::Duration;

    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    pub(super) fn of(input: impl AsFd) -> impl FnMut(Duration) -> Option<Vec<u8>> {
        let mut piece = vec![0; super::PIECE];
        move |patience| {
            let patience = Timespec::try_from(patience).ok()?;
            let ready = poll(&mut [PollFd::new(&input, PollFlags::IN)], Some(&patience)).ok()?;
            let length = if ready == 0 { 0 } else { rustix::io::read(&input, &mut piece).ok()? };
            piece.get(..length).filter(|piece| !piece.is_empty()).map(<[u8]>::to_vec)
        }
    }
}

/// Reading with a limit of time: in a thread, which is left alone when the time is over and ends with the process.
#[cfg(not(unix))]
mod pieces {
    use std::io::Read;
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    pub(super) fn of(mut input: impl Read + Send + 'static) -> impl FnMut(Duration) -> Option<Vec<u8>> {
        let (send, receive) = mpsc::channel();
        thread::spawn(move || {
            let mut piece = vec![0; super::PIECE];
            while let Ok(length @ 1..) = input.read(&mut piece) {
                if send.send(piece.get(..length).unwrap_or_default().to_vec()).is_err() {
                    return;
                }
            }
        });
        move |patience| receive.recv_timeout(patience).ok()
    }
}

fn is_whole(payload: &[u8]) -> bool {
    payload.trim_ascii_end().last() == Some(&b'}') && serde_json::from_slice::<serde::de::IgnoredAny>(payload).is_ok()
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::thread;

    use super::*;

    /// What is read of a pipe into which these pieces were written, and which stays open.
    fn read_open(pieces: &[&[u8]]) -> Vec<u8> {
        let (reader, mut writer) = io::pipe().unwrap();
        pieces.iter().for_each(|piece| writer.write_all(piece).unwrap());
        let payload = read(pieces::of(reader));
        drop(writer);
        payload
    }

    #[test]
    fn a_pipe_that_stays_open_is_not_waited_for() {
        assert_eq!(read_open(&[b"{\"a\":", b" {}}\n"]), b"{\"a\": {}}\n");
        assert_eq!(read_open(&[b"{\"a\":"]), b"{\"a\":");
        assert_eq!(read_open(&[]), b"");
    }

    #[test]
    fn what_comes_in_several_pieces_is_put_together() {
        let (reader, mut writer) = io::pipe().unwrap();
        let long = "x".repeat(3 << 20);
        let said = format!("{{\"said\": \"{long}\"}}");
        let all = said.clone();
        let host = thread::spawn(move || writer.write_all(said.as_bytes()).unwrap());
        assert!(read(pieces::of(reader)) == all.as_bytes());
        host.join().unwrap();
    }

    #[test]
    fn too_much_is_cut_off() {
        let mut left = 20 << 20;
        let pieces = |_| {
            left -= PIECE;
            (left > 0).then(|| vec![b'x'; PIECE])
        };
        assert_eq!(read(pieces).len(), KEPT);
    }

    #[test]
    fn the_last_argument_counts_if_it_is_json() {
        let arguments = ["--flag", "{\"type\": \"agent-turn-complete\"}"].map(OsString::from);
        assert_eq!(payload(&arguments), b"{\"type\": \"agent-turn-complete\"}");
    }
}
