//! One memory as a file: front matter and body, in the seed's order of fields.
//!
//! What the program writes is fixed to the byte. What it reads may have been edited by hand: any YAML, Windows line
//! ends and a byte order mark are fine, and what is missing is filled in from the file's name and place.

use chrono::{DateTime, NaiveDate, SecondsFormat, Utc};
use serde::Deserialize;

use crate::memory::{Id, Kind, Ttl};

/// A memory's file, understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Profile or playbook.
    pub kind: Kind,
    /// Its id.
    pub id: Id,
    /// When it was said, to the second.
    pub created: DateTime<Utc>,
    /// How long it lives; [`Ttl::Infinity`] for playbooks.
    pub ttl: Ttl,
    /// The last day of a profile; `None` for `never`.
    pub expires: Option<NaiveDate>,
    /// The ids it took the place of.
    pub supersedes: Vec<Id>,
    /// The text, without line ends around it.
    pub body: String,
}

/// The file's text.
#[must_use]
pub fn render(document: &Document) -> String {
    let created = document.created.to_rfc3339_opts(SecondsFormat::Secs, true);
    let mut text = format!("---\ntype: {}\nid: {}\ncreated: {created}\n", document.kind.word(), document.id);
    if document.kind == Kind::Profile {
        let expires = document.expires.map_or("never".to_owned(), |day| day.to_string());
        text.push_str(&format!("ttl: {}\nexpires: {expires}\n", document.ttl.word()));
    }
    if !document.supersedes.is_empty() {
        let ids: Vec<&str> = document.supersedes.iter().map(Id::as_str).collect();
        text.push_str(&format!("supersedes: [{}]\n", ids.join(", ")));
    }
    text.push_str("---\n\n");
    text.push_str(trim(&document.body));
    text.push('\n');
    text
}

/// A text without the line ends around it.
pub(crate) fn trim(body: &str) -> &str {
    body.trim_matches(['\n', '\r'])
}

/// The body of a file's text; all of a text without front matter.
#[must_use]
pub fn body(text: &str) -> String {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n");
    trim(split(&text).map_or(&text, |(_, body)| body)).to_owned()
}

/// What front matter may hold; other fields are the person's own.
#[derive(Debug, Default, Deserialize)]
struct Front {
    #[serde(rename = "type")]
    kind: Option<Kind>,
    id: Option<String>,
    created: Option<String>,
    ttl: Option<String>,
    expires: Option<String>,
    supersedes: Option<Ids>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Ids {
    Many(Vec<String>),
    One(String),
}

/// Reads a file's text. `kind` is that of its folder, `name` the file's name without `.md`, and `modified` the file's
/// time, for what the front matter leaves out.
///
/// # Errors
/// Says in one sentence what is wrong with the front matter.
pub fn parse(text: &str, kind: Kind, name: &str, modified: DateTime<Utc>) -> Result<Document, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n");
    let (front, body) = split(&text)?;
    let front: Front = if front.trim().is_empty() {
        Front::default()
    } else if let Some(front) = written(front) {
        front
    } else {
        serde_saphyr::from_str(front).map_err(|error| {
            let error = error.to_string();
            format!("the front matter is not YAML: {}", error.lines().next().unwrap_or_default())
        })?
    };
    if front.kind.is_some_and(|stated| stated != kind) {
        return Err(format!("it says it is no {} but lies in {}/", kind.word(), kind.folder()));
    }
    let id = front.id.as_deref().and_then(Id::parse).or_else(|| {
        let suffix = name.rsplit('-').next().unwrap_or(name);
        Id::parse(&format!("{}_{suffix}", kind.prefix()))
    });
    let created = match front.created.as_deref() {
        Some(created) => moment(created).ok_or_else(|| format!("`created: {created}` is no time"))?,
        None => modified,
    };
    let ttl = match front.ttl.as_deref() {
        Some(word) => Ttl::parse(word).ok_or_else(|| format!("`ttl: {word}` is no TTL"))?,
        None => Ttl::Infinity,
    };
    let expires = match front.expires.as_deref() {
        None => ttl.expiry(created),
        Some("never") => None,
        Some(day) => Some(day.parse().map_err(|_| format!("`expires: {day}` is no date"))?),
    };
    let supersedes = match front.supersedes {
        None => Vec::new(),
        Some(Ids::One(id)) => vec![id],
        Some(Ids::Many(ids)) => ids,
    };
    Ok(Document {
        kind,
        id: id.ok_or("it has no id")?,
        created,
        ttl,
        expires,
        supersedes: supersedes.iter().filter_map(|id| Id::parse(id)).collect(),
        body: trim(body).to_owned(),
    })
}

/// Front matter to the letter as [`render`] writes it. Whatever is otherwise is for the reader of YAML, which takes a
/// hundred times as long: a store holds many files, and hands have edited few.
fn written(front: &str) -> Option<Front> {
    let mut read = Front::default();
    for line in front.split('\n') {
        let (key, value) = line.split_once(": ")?;
        let is_first = match key {
            "type" => read.kind.replace(Kind::ALL.into_iter().find(|kind| kind.word() == value)?).is_none(),
            "id" => read.id.replace(id(value)?).is_none(),
            "created" => read.created.replace(of_digits(value, 20, "-:TZ")?).is_none(),
            "ttl" => read.ttl.replace(Ttl::parse(value)?.word().to_owned()).is_none(),
            "expires" if value == "never" => read.expires.replace(value.to_owned()).is_none(),
            "expires" => read.expires.replace(of_digits(value, 10, "-")?).is_none(),
            "supersedes" => {
                let ids = value.strip_prefix('[')?.strip_suffix(']')?.split(", ").map(id);
                read.supersedes.replace(Ids::Many(ids.collect::<Option<_>>()?)).is_none()
            }
            _ => return None,
        };
        if !is_first {
            return None;
        }
    }
    Some(read)
}

/// An id of this program: no other reading of such a word is possible.
fn id(value: &str) -> Option<String> {
    let is_plain = value.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    (is_plain && (value.starts_with("prof_") || value.starts_with("pbk_"))).then(|| value.to_owned())
}

/// A time or a day, in so many digits and `marks`.
fn of_digits(value: &str, length: usize, marks: &str) -> Option<String> {
    let is_made_of_them = value.chars().all(|c| c.is_ascii_digit() || marks.contains(c));
    (value.len() == length && is_made_of_them).then(|| value.to_owned())
}

fn split(text: &str) -> Result<(&str, &str), String> {
    let rest = text.strip_prefix("---\n").ok_or("it has no front matter")?;
    if let Some(body) = rest.strip_prefix("---\n") {
        return Ok(("", body));
    }
    rest.split_once("\n---\n")
        .or_else(|| Some((rest.strip_suffix("\n---")?, "")))
        .ok_or_else(|| "its front matter does not end".to_owned())
}

/// A time, or a day that a person typed.
fn moment(text: &str) -> Option<DateTime<Utc>> {
    let time = DateTime::parse_from_rfc3339(text).ok();
    let midnight = || {
        let day: NaiveDate = text.parse().ok()?;
        Some(day.and_hms_opt(0, 0, 0)?.and_utc())
    };
    time.map(|time| time.with_timezone(&Utc)).or_else(midnight)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn time(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    #[test]
    fn a_profile_looks_as_in_the_seed() {
        let document = Document {
            kind: Kind::Profile,
            id: Id::parse("prof_k3x9a0b7qz").unwrap(),
            created: time("2026-01-31T10:00:00Z"),
            ttl: Ttl::OneMonth,
            expires: Ttl::OneMonth.expiry(time("2026-01-31T10:00:00Z")),
            supersedes: vec![Id::parse("prof_a1b0").unwrap(), Id::parse("prof_c2d0").unwrap()],
            body: "User is on call.".into(),
        };
        assert_eq!(
            render(&document),
            "---\ntype: profile\nid: prof_k3x9a0b7qz\ncreated: 2026-01-31T10:00:00Z\nttl: one_month\n\
             expires: 2026-02-28\nsupersedes: [prof_a1b0, prof_c2d0]\n---\n\nUser is on call.\n"
        );
    }

    #[test]
    fn reads_what_hands_have_edited() {
        let text = "\u{feff}---\r\nid: 'prof_ab12' # mine\r\nsupersedes: prof_old1\r\nmood: fine\r\ntype: \"profile\"\r\ncreated: 2026-02-01\r\n---\r\nUser likes tea.\r\n";
        let document = parse(text, Kind::Profile, "tea-ab12", time("2026-05-05T00:00:00Z")).unwrap();
        assert_eq!(document.id.as_str(), "prof_ab12");
        assert_eq!(document.created, time("2026-02-01T00:00:00Z"));
        assert_eq!(document.body, "User likes tea.");
        assert_eq!(document.supersedes.len(), 1);
        for broken in [
            "User likes tea.",
            "---\nid: x\n",
            "---\nid: [\n---\nx",
            "---\nttl: long\n---\nx",
            "---\ntype: playbook\n---\nx",
        ] {
            assert!(parse(broken, Kind::Profile, "x", time("2026-05-05T00:00:00Z")).is_err(), "{broken}");
        }
    }

    proptest! {
        #[test]
        fn parsing_undoes_rendering(
            body in "[^\r\n\u{feff}][^\r]{0,80}[^\r\n]", seconds in 0_i64..4_000_000_000, pick in 0_usize..6, playbook: bool, old in "[a-z0-9]{4,10}",
        ) {
            let ttls = [Ttl::OneDay, Ttl::OneWeek, Ttl::OneMonth, Ttl::OneQuarter, Ttl::OneYear, Ttl::Infinity];
            let kind = if playbook { Kind::Playbook } else { Kind::Profile };
            let created = DateTime::from_timestamp(seconds, 0).unwrap();
            let ttl = if playbook { Ttl::Infinity } else { ttls[pick] };
            let document = Document {
                kind, id: Id::derive(kind, &body, None, 0), created, ttl, expires: ttl.expiry(created),
                supersedes: vec![Id::parse(&format!("prof_{old}")).unwrap()], body,
            };
            let text = render(&document);
            prop_assert!(written(split(&text).unwrap().0).is_some());
            // A mark that YAML passes over makes it the other reader's.
            let edited = text.replacen("\n---\n", " # mine\n---\n", 1);
            prop_assert_eq!(parse(&edited, kind, "x", created).unwrap(), document.clone());
            prop_assert_eq!(parse(&text, kind, "x", created).unwrap(), document);
        }
    }
}
