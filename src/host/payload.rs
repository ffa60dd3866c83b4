//! A hook's payload: a few words are picked out of it, nothing else is kept.
//!
//! Payloads carry whole conversations (`before_reset`, `notify`), fields of later versions, wrong types, or are cut off.
//! So they are not read into a struct: the words that are asked for are collected while the JSON goes by, and whatever
//! was collected before it breaks counts.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// The names whose text is kept.
const KEPT: [&str; 18] = [
    "action",
    "agentId",
    "cwd",
    "dataDir",
    "directory",
    "event",
    "hook_event_name",
    "sessionFile",
    "sessionID",
    "sessionId",
    "sessionKey",
    "session_id",
    "stateDir",
    "storePath",
    "thread-id",
    "transcript_path",
    "type",
    "workspaceDir",
];

/// The objects that are looked into, in the order in which their words count: of a reset session the earlier one.
const WITHIN: [&str; 8] = [
    "",
    "context.previousSessionEntry.",
    "previousSessionEntry.",
    "context.sessionEntry.",
    "context.",
    "properties.",
    "input.",
    "ctx.",
];

/// A path can be this long, in bytes; whatever is longer is none of the words.
const LONGEST: usize = 4096;

/// The words of a payload, by name, with the names of the objects around it (`context.sessionId`).
#[derive(Debug, Default)]
pub(super) struct Payload {
    words: BTreeMap<String, String>,
}

impl Payload {
    /// Picks the words out of JSON; of anything else nothing.
    pub(super) fn parse(bytes: &[u8]) -> Self {
        let mut words = BTreeMap::new();
        let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
        let mut json = serde_json::Deserializer::from_slice(bytes);
        // What came before the place where it breaks is as good as ever.
        let _ = Pick { words: &mut words, name: String::new() }.deserialize(&mut json);
        Self { words }
    }

    /// The first of these names that has a text.
    pub(super) fn word(&self, names: &[&str]) -> Option<&str> {
        let all = WITHIN.iter().flat_map(|within| names.iter().map(move |name| format!("{within}{name}")));
        all.filter_map(|name| self.words.get(&name)).map(String::as_str).find(|word| !word.is_empty())
    }

    /// The event's name: OpenClaw says it in two parts, Codex's `notify` calls it a type.
    pub(super) fn event(&self) -> Option<String> {
        let top = |name: &str| self.words.get(name).filter(|word| !word.is_empty());
        let parts = || Some(format!("{}:{}", top("type")?, top("action")?));
        let named = top("hook_event_name").or(top("event")).cloned();
        named.or_else(parts).or(top("type").cloned()).map(|event| event.chars().take(80).collect())
    }
}

/// Collects the words of the value called `name`.
struct Pick<'w> {
    words: &'w mut BTreeMap<String, String>,
    name: String,
}

impl Pick<'_> {
    fn is_entered(&self) -> bool {
        let within = format!("{}.", self.name);
        self.name.is_empty() || WITHIN.iter().any(|wanted| wanted.starts_with(&within))
    }

    fn is_kept(&self) -> bool {
        KEPT.contains(&self.name.rsplit('.').next().unwrap_or_default())
    }
}

impl<'de> DeserializeSeed<'de> for Pick<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Pick<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let is_entered = self.is_entered();
        while let Some(key) = map.next_key::<String>()? {
            if is_entered {
                let name = if self.name.is_empty() { key } else { format!("{}.{key}", self.name) };
                map.next_value_seed(Pick { words: self.words, name })?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        if text.len() <= LONGEST && self.is_kept() {
            self.words.insert(self.name, text.to_owned());
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
}
