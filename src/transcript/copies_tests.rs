//! Tests of what counts as a copy.

use std::path::PathBuf;

use chrono::DateTime;

use super::*;

fn turn(speaker: Speaker, text: &str, record: Option<&str>) -> Turn {
    let record = record.map(str::to_owned);
    Turn { speaker, manner: Manner::Plain, text: text.into(), line: 1, time: None, record }
}

fn session(host: Host, turns: Vec<Turn>) -> Session {
    Session { host, id: String::new(), cwd: None, started: DateTime::UNIX_EPOCH, source: PathBuf::new(), turns }
}

fn talk(texts: &[&str]) -> Session {
    let speakers = [Speaker::Human, Speaker::Agent].into_iter().cycle();
    let turns = texts.iter().zip(speakers).map(|(text, speaker)| turn(speaker, text, None));
    session(Host::Codex, turns.collect())
}

fn human(session: &Session) -> usize {
    session.turns.iter().filter(|turn| turn.speaker == Speaker::Human).count()
}

#[test]
fn the_same_record_counts_in_the_first_session_only() {
    let one = |text| turn(Speaker::Human, text, Some("r1"));
    let mut sessions = [
        session(Host::ClaudeCode, vec![one("use pnpm")]),
        session(Host::ClaudeCode, vec![one("use pnpm"), turn(Speaker::Human, "new", Some("r2"))]),
        session(Host::ClaudeCode, vec![one("another text under an id by chance")]),
    ];
    drop_copies(&mut sessions);
    assert_eq!(sessions.iter().map(human).collect::<Vec<_>>(), [1, 1, 1]);
    assert_eq!(sessions[1].turns[0].manner, Manner::Copy);
}

#[test]
fn a_history_written_anew_counts_once() {
    let mut sessions = [
        talk(&["hi", "Hello.", "use pnpm", "Done."]),
        talk(&["hi", "Hello.", "use pnpm", "Done.", "thanks"]),
        talk(&["hi", "Hello.", "use tabs"]),
        talk(&["hi", "Hello."]),
    ];
    drop_copies(&mut sessions);
    assert_eq!(sessions.iter().map(human).collect::<Vec<_>>(), [2, 1, 2, 1]);
}

#[test]
fn dropping_copies_twice_changes_nothing_more() {
    let mut sessions = [talk(&["a", "b", "c"]), talk(&["a", "b", "c", "d", "e"])];
    drop_copies(&mut sessions);
    let once = sessions.clone();
    drop_copies(&mut sessions);
    assert_eq!(sessions, once);
}

#[test]
fn specstory_yields_to_the_product_whose_session_it_wrote_down() {
    let one = |host, id: &str| Session { id: id.into(), ..session(host, vec![turn(Speaker::Human, "use pnpm", None)]) };
    let mut sessions = [one(Host::Specstory, "a"), one(Host::Specstory, "b"), one(Host::ClaudeCode, "a")];
    drop_copies(&mut sessions);
    assert_eq!(sessions.each_ref().map(human), [0, 1, 1]);
}
