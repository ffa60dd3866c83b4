//! `index.md` and `heartbeat-state.md`: what the program tells about the home, between lines that people may write.

use chrono::{DateTime, SecondsFormat, Utc};

use super::home::Home;
use super::page::Page;
use super::sync::Synced;

/// The index.
const INDEX: &str = "index.md";
/// The markers' lines.
const OPEN: &str = "<!-- afterword: index -->";
const CLOSE: &str = "<!-- /afterword: index -->";
/// The state of the heartbeat.
pub(super) const STATE: &str = "heartbeat-state.md";

/// What a new home begins with.
pub(super) const FIRST_PAGES: [(&str, &str); 3] = [
    (
        "memory.md",
        "# Memory\n\nAlways loaded, at most 100 lines. Lines with an id move by themselves; write what you like beside them.\n\n\
         ## Confirmed Preferences\n\n## Patterns\n",
    ),
    ("corrections.md", "# Corrections\n\nThe last 50, the newest at the end.\n\n"),
    ("reflections.md", "# Reflections\n"),
];

/// A run of the heartbeat.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Beat {
    /// When it began; none if it never ran.
    pub started: Option<DateTime<Utc>>,
    /// When it last saw that a page had changed.
    pub reviewed: Option<DateTime<Utc>>,
    /// How it ended, one line.
    pub result: String,
    /// What it did, a line each.
    pub actions: Vec<String>,
}

/// Brings the index up to date; what stands around it stays.
pub(super) fn refresh(home: &mut Home, synced: &Synced) {
    if home.closed.contains(INDEX) || home.pages.is_empty() {
        return;
    }
    let mut rows = String::from("| page | lines | lessons |\n|---|---|---|\n");
    for (name, page) in home.pages.iter().filter(|(name, _)| Home::is_of_lessons(name)) {
        rows.push_str(&format!("| {name} | {} | {} |\n", page.lines(), page.entries().len()));
    }
    let status = synced.status(home);
    let last = synced.at.map_or("never".to_owned(), |at| at.format("%Y-%m-%d").to_string());
    let block = format!("{OPEN}\n{rows}\nLast sync: {last}\nStatus: {status}\n{CLOSE}\n");
    let old = home.pages.get(INDEX).map_or("", Page::text);
    let text = match old.split_once(OPEN).and_then(|(before, rest)| Some((before, rest.split_once(CLOSE)?.1))) {
        Some((before, after)) => {
            format!(
                "{before}{block}{}",
                after.strip_prefix("\r\n").or_else(|| after.strip_prefix('\n')).unwrap_or(after)
            )
        }
        None if old.is_empty() => format!("# Index\n\n{block}"),
        None => format!("{old}{}\n{block}", if old.ends_with('\n') { "" } else { "\n" }),
    };
    home.pages.insert(INDEX.to_owned(), Page::new(text));
}

/// Writes down a run of the heartbeat: the values of its keys, and the list of its actions; all else stays.
pub fn beat(home: &mut Home, beat: &Beat) {
    if home.closed.contains(STATE) {
        return;
    }
    let time =
        |at: Option<DateTime<Utc>>| at.map_or("never".into(), |at| at.to_rfc3339_opts(SecondsFormat::Secs, true));
    let result = if beat.result.is_empty() { "never" } else { &beat.result };
    let mut text = home.pages.get(STATE).map_or("", Page::text).to_owned();
    if text.is_empty() {
        text = "# Heartbeat state\n\n".to_owned();
    }
    for (key, value) in [
        ("last_heartbeat_started_at", time(beat.started)),
        ("last_reviewed_change_at", time(beat.reviewed)),
        ("last_heartbeat_result", result.to_owned()),
    ] {
        text = with_value(&text, key, &value);
    }
    let is_old = |line: &str| {
        let number = line.strip_prefix("last_action_").and_then(|rest| rest.split(':').next()?.parse::<usize>().ok());
        number.is_some_and(|number| number > beat.actions.len())
    };
    text = text.split_inclusive('\n').filter(|line| !is_old(line)).collect();
    for (number, action) in (1..).zip(&beat.actions) {
        text = with_value(&text, &format!("last_action_{number}"), action);
    }
    home.pages.insert(STATE.to_owned(), Page::new(text));
}

/// When the heartbeat last saw a change.
#[must_use]
pub fn reviewed(home: &Home) -> Option<DateTime<Utc>> {
    let text = home.pages.get(STATE)?.text();
    text.lines().find_map(|line| line.strip_prefix("last_reviewed_change_at:")?.trim().parse().ok())
}

/// The text with `key: value`, in its old place or at the end.
fn with_value(text: &str, key: &str, value: &str) -> String {
    let start = format!("{key}:");
    let mut found = false;
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if found || !line.starts_with(&start) {
            out.push_str(line);
            continue;
        }
        found = true;
        let end = line.trim_end_matches(['\r', '\n']).len();
        out.push_str(&format!("{start} {value}{}", line.get(end..).unwrap_or_default()));
    }
    if !found {
        let gap = if out.is_empty() || out.ends_with('\n') { "" } else { "\n" };
        out.push_str(&format!("{gap}{start} {value}\n"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_keeps_what_people_write_around_it() {
        let mut home = Home::default();
        home.pages.insert("memory.md".into(), Page::new("# M\n\n## Patterns\n\n- a\n"));
        home.pages.insert(
            INDEX.into(),
            Page::new("mine above\n<!-- afterword: index -->\nold\n<!-- /afterword: index -->\nmine below"),
        );
        refresh(&mut home, &Synced::default());
        let text = home.pages[INDEX].text().to_owned();
        assert!(text.starts_with("mine above\n<!-- afterword: index -->\n| page"), "{text}");
        assert!(text.contains("| memory.md | 5 | 1 |\n\nLast sync: never\nStatus: "), "{text}");
        assert!(text.ends_with("<!-- /afterword: index -->\nmine below"), "{text}");
        refresh(&mut home, &Synced::default());
        assert_eq!(home.pages[INDEX].text(), text);
    }

    #[test]
    fn the_heartbeat_changes_its_values_only() {
        let mut home = Home::default();
        let before = "# Mine\r\nlast_heartbeat_result: old\r\nA note.\r\n";
        home.pages.insert(STATE.into(), Page::new(before));
        let at = Some("2026-11-30T22:00:00Z".parse().unwrap());
        beat(&mut home, &Beat { started: at, reviewed: at, result: "OK".into(), actions: vec!["none".into()] });
        assert_eq!(
            home.pages[STATE].text(),
            "# Mine\r\nlast_heartbeat_result: OK\r\nA note.\r\nlast_heartbeat_started_at: 2026-11-30T22:00:00Z\n\
             last_reviewed_change_at: 2026-11-30T22:00:00Z\nlast_action_1: none\n"
        );
        assert_eq!(reviewed(&home), at);
    }
}
