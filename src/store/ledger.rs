//! The ledger: one JSON line for everything that was done to the store, only ever appended to.
//!
//! A line holds the full text of what was said, of what was written and of what left, so that everything can be judged
//! again when something older comes to light, a crashed run completed, a removal undone and every memory explained.
//! `done` closes a batch; what stands after the last `done` may not have reached the folders yet. A torn last line (a
//! crash while appending) counts as not written. Lines of unknown events are kept and passed over.

use chrono::{DateTime, Utc};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::memory::{Class, Confirmation, Evidence, Id, Intent, Kind, Ttl};
use crate::reconcile::Heard;

/// One line of the ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// What was done.
    pub event: Did,
    /// When the program did it.
    pub at: DateTime<Utc>,
    /// The memory it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Id>,
    /// What was asked of the store, where `event` leaves that open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent: Option<Intent>,
    /// Profile or playbook.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// The class of what was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<Class>,
    /// The TTL of what was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ttl: Option<Ttl>,
    /// How it was confirmed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirm: Option<Confirmation>,
    /// When it was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said_at: Option<DateTime<Utc>>,
    /// The candidate's fingerprint, see [`crate::reconcile::fingerprint`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub print: Option<String>,
    /// What was said, where no file that the event writes says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// The topic of what was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slug: Option<String>,
    /// The memories whose place it takes by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replaces: Vec<Id>,
    /// The file that another hand wrote or edited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<Page>,
    /// The run that an `undo` takes back as a whole, by the time of its events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<DateTime<Utc>>,
    /// The reading of a session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heard: Option<Heard>,
    /// The files it writes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub writes: Vec<Page>,
    /// The files it removes, as they were.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removes: Vec<Page>,
    /// The evidence of what was said, the deciding line first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
    /// Why.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// Why what was said was judged as it was, where that is not the reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judged: Option<String>,
}

/// What an event did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Did {
    /// Wrote a new memory.
    Create,
    /// Noted more evidence, and wrote the file again if its TTL grew.
    Confirm,
    /// Wrote a new memory in the place of others.
    Supersede,
    /// Removed what the person asked to forget.
    Forget,
    /// Noted a correction that has no file yet.
    Pending,
    /// Noted a statement that changes nothing as things stand.
    Skip,
    /// Noted how far a session was read, and what it proposed by then.
    Read,
    /// Brought the files in line with what came to be known of the past.
    Revise,
    /// Noted a memory that a person or another program wrote.
    Found,
    /// Noted how the person edited a memory.
    Edited,
    /// Noted that the person deleted a memory's file.
    Deleted,
    /// Removed what had expired.
    Sweep,
    /// Put memories that say the same, or contradict each other, together: one fact a file.
    Consolidate,
    /// Noted that the person turned down what was pending.
    Reject,
    /// Took back what the last event on a memory did, or all that a run did.
    Undo,
    /// Everything before it has reached the folders.
    Done,
    /// Something a newer version did.
    #[serde(other)]
    Unknown,
}

/// A file's full text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Page {
    /// The id of the memory in it.
    pub id: Id,
    /// Its path in the store, with `/`.
    pub file: String,
    /// Its text, as written or as removed.
    pub text: String,
    /// The [`checksum`] of the text.
    pub sha: String,
    /// The checksum of the text that a rewrite replaces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaces: Option<String>,
}

impl Page {
    /// A page with its checksum.
    #[must_use]
    pub fn new(id: Id, file: String, text: String) -> Self {
        Self { sha: checksum(&text), id, file, text, replaces: None }
    }
}

impl Event {
    /// An event with nothing in it yet.
    #[must_use]
    pub fn new(event: Did, at: DateTime<Utc>) -> Self {
        Self {
            event,
            at,
            id: None,
            intent: None,
            kind: None,
            class: None,
            ttl: None,
            confirm: None,
            said_at: None,
            print: None,
            body: None,
            slug: None,
            replaces: Vec::new(),
            found: None,
            run: None,
            heard: None,
            writes: Vec::new(),
            removes: Vec::new(),
            evidence: Vec::new(),
            reason: String::new(),
            judged: None,
        }
    }
}

/// The SHA-256 of a text, or of any bytes, in hexadecimal.
#[must_use]
pub fn checksum(text: impl AsRef<[u8]>) -> String {
    let digest = Sha256::digest(text);
    digest.iter().flat_map(|byte| [byte >> 4, byte & 15]).filter_map(|half| char::from_digit(half.into(), 16)).collect()
}

/// A ledger as it was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ledger {
    /// The events that were understood, in order.
    pub events: Vec<Event>,
    /// How many of them are known to have reached the folders.
    pub done: usize,
    /// How many bytes of the file hold whole lines; what follows is torn.
    pub whole: u64,
    /// Whether the last whole line still lacks its line end.
    pub open: bool,
    /// The 1-based numbers of lines that are no events, the torn one not counted.
    pub broken: Vec<u32>,
}

/// Reads the bytes of a ledger; never fails.
#[must_use]
pub fn read(bytes: &[u8]) -> Ledger {
    let mut ledger = Ledger::default();
    let lines: Vec<&[u8]> = bytes.split_inclusive(|&b| b == b'\n').collect();
    let events: Vec<Option<Event>> = lines.par_iter().map(|line| event(line)).collect();
    for ((number, line), event) in (1..).zip(lines).zip(events) {
        let ended = line.ends_with(b"\n");
        if !ended && event.is_none() {
            break;
        }
        ledger.whole += u64::try_from(line.len()).unwrap_or_default();
        ledger.open = !ended;
        match event {
            Some(event) => {
                let done = event.event == Did::Done;
                ledger.events.push(event);
                if done {
                    ledger.done = ledger.events.len();
                }
            }
            None if line.iter().all(u8::is_ascii_whitespace) => {}
            None => ledger.broken.push(number),
        }
    }
    ledger
}

fn event(line: &[u8]) -> Option<Event> {
    serde_json::from_slice::<Event>(line).ok().filter(Event::stays_inside)
}

impl Event {
    /// Whether every file it tells of is a memory of this store. A ledger that came with somebody else's repository must
    /// not lead a write, or a removal, to any other place.
    fn stays_inside(&self) -> bool {
        self.writes.iter().chain(&self.removes).chain(&self.found).all(|page| {
            let name = Kind::ALL
                .iter()
                .find_map(|kind| page.file.strip_prefix(kind.folder())?.strip_prefix('/'))
                .and_then(|name| name.strip_suffix(".md"));
            name.is_some_and(|n| !n.is_empty() && !n.starts_with('.') && !n.contains(['/', '\\', ':', '\0']))
        })
    }
}

/// The lines of some events.
///
/// # Errors
/// Never for events of this program; the signature is that of the serializer.
pub fn lines(events: &[Event]) -> serde_json::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    for event in events {
        serde_json::to_writer(&mut bytes, event)?;
        bytes.push(b'\n');
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(did: Did) -> Event {
        Event::new(did, "2026-01-01T00:00:00Z".parse().unwrap())
    }

    #[test]
    fn a_ledger_cannot_lead_out_of_the_store() {
        for (file, inside) in [
            ("profiles/short-answers-ab12cd34ef.md", true),
            ("playbooks/x.md", true),
            ("/tmp/x.md", false),
            ("profiles/../../x.md", false),
            ("profiles/.hidden.md", false),
            ("profiles/x.sh", false),
            ("x.md", false),
        ] {
            let id = Id::parse("prof_ab12cd34ef").unwrap();
            let page = Page { id, file: file.into(), text: String::new(), sha: String::new(), replaces: None };
            let event = Event { writes: vec![page], ..event(Did::Create) };
            assert_eq!(event.stays_inside(), inside, "{file}");
        }
    }

    #[test]
    fn a_torn_line_counts_as_not_written() {
        let mut bytes = lines(&[event(Did::Create), event(Did::Done), event(Did::Pending)]).unwrap();
        let whole = bytes.len();
        bytes.extend(b"{\"event\":\"crea");
        let ledger = read(&bytes);
        assert_eq!((ledger.events.len(), ledger.done, ledger.whole, ledger.open), (3, 2, whole as u64, false));
        let ledger = read(&bytes[..whole - 1]);
        assert_eq!((ledger.events.len(), ledger.whole, ledger.open), (3, whole as u64 - 1, true));
    }

    #[test]
    fn unknown_events_and_broken_lines_cost_themselves() {
        let ledger = read(b"{\"event\":\"dance\",\"at\":\"2026-01-01T00:00:00Z\",\"partner\":1}\nnot json\n\xff\n");
        assert_eq!(ledger.events[0].event, Did::Unknown);
        assert_eq!(ledger.broken, [2, 3]);
    }
}
