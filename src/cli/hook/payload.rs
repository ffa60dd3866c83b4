//! The payload: the last argument, or what comes on standard input within a moment.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Read};
use std::sync::mpsc;
use std::thread;
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
        None => read(io::stdin()),
    }
}

/// Reads until the end, until it is whole, or until it was waited for long enough.
fn read(mut input: impl Read + Send + 'static) -> Vec<u8> {
    let (send, receive) = mpsc::channel();
    // It is left alone when the time is over, and ends with the process.
    thread::spawn(move || {
        let mut piece = vec![0; PIECE];
        while let Ok(length @ 1..) = input.read(&mut piece) {
            if send.send(piece.get(..length).unwrap_or_default().to_vec()).is_err() {
                return;
            }
        }
    });
    let end = Instant::now() + LONGEST;
    let mut payload = Vec::new();
    while let Ok(piece) = receive.recv_timeout(SILENCE.min(end.saturating_duration_since(Instant::now()))) {
        let room = KEPT.saturating_sub(payload.len());
        payload.extend_from_slice(piece.get(..room).unwrap_or(&piece));
        if payload.len() <= PIECE && is_whole(&payload) {
            break;
        }
    }
    payload
}

fn is_whole(payload: &[u8]) -> bool {
    payload.trim_ascii_end().last() == Some(&b'}') && serde_json::from_slice::<serde::de::IgnoredAny>(payload).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives these pieces, then nothing, for ever.
    struct Open(Vec<&'static [u8]>);

    impl Read for Open {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() {
                thread::sleep(Duration::from_secs(3600));
            }
            let piece = self.0.remove(0);
            into[..piece.len()].copy_from_slice(piece);
            Ok(piece.len())
        }
    }

    #[test]
    fn a_pipe_that_stays_open_is_not_waited_for() {
        assert_eq!(read(Open(vec![b"{\"a\":", b" {}}\n"])), b"{\"a\": {}}\n");
        assert_eq!(read(Open(vec![b"{\"a\":"])), b"{\"a\":");
        assert_eq!(read(Open(vec![])), b"");
    }

    #[test]
    fn too_much_is_cut_off() {
        assert_eq!(read(io::repeat(b'x').take(20 << 20)).len(), KEPT);
    }

    #[test]
    fn the_last_argument_counts_if_it_is_json() {
        let arguments = ["--flag", "{\"type\": \"agent-turn-complete\"}"].map(OsString::from);
        assert_eq!(payload(&arguments), b"{\"type\": \"agent-turn-complete\"}");
    }
}
