//! Tests of what counts as a copy.

use std::path::PathBuf;

use chrono::DateTime;

use super::*;

fn turn(speaker: Speaker, text: &str, record: Option<&str>) -> Turn {
    let record = record.map(str::to_owned);
    Turn { speaker, manner: Manner::Plain, text: text.into(), line: 1, time: None, record }
}

fn session(host: Host, turns: Vec<Turn>) -> Session {
    Session {
        host,
        id: String::new(),
        cwd: None,
        started: DateTime::UNIX_EPOCH,
        source: PathBuf::new(),
        turns,
        repeats: false,
    }
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

/// Marks all sessions after having been told of them in this order, and gives how many human turns each keeps.
fn told(mut sessions: Vec<Session>, order: &[usize], copies: &mut Copies) -> (Vec<usize>, Vec<Sketch>) {
    for &at in order {
        copies.note(&sessions[at], 0);
    }
    let sketches = sessions.iter_mut().map(|session| copies.mark(session, 0)).collect();
    (sessions.iter().map(human).collect(), sketches)
}

fn named(id: &str, session: Session) -> Session {
    Session { id: id.into(), ..session }
}

fn records(id: &str, texts: &[&str]) -> Session {
    let turns = texts.iter().map(|text| turn(Speaker::Human, text, Some(text))).collect();
    named(id, session(Host::ClaudeCode, turns))
}

#[test]
fn who_owns_a_turn_does_not_depend_on_the_order_of_telling() {
    let sessions = vec![
        records("a", &["one", "two"]),
        records("b", &["one", "two", "three"]),
        named("c", talk(&["hi", "Hello.", "use pnpm", "Done."])),
        named("d", talk(&["hi", "Hello.", "use pnpm", "Done.", "thanks"])),
    ];
    let there = told(sessions.clone(), &[0, 1, 2, 3], &mut Copies::default());
    assert_eq!(there.0, [2, 1, 2, 1]);
    assert_eq!(there, told(sessions, &[3, 2, 1, 0], &mut Copies::default()));
}

#[test]
fn a_sketch_stands_for_its_session_in_a_later_run() {
    for (original, fork) in [
        (records("a", &["one", "two"]), records("b", &["one", "two", "three"])),
        (talk(&["hi", "Hello.", "use pnpm", "Done."]), talk(&["hi", "Hello.", "use pnpm", "Done.", "thanks"])),
    ] {
        let (original, fork) = (named("a", original), named("b", fork));
        let both = told(vec![original.clone(), fork.clone()], &[0, 1], &mut Copies::default());
        let (_, alone) = told(vec![original.clone()], &[0], &mut Copies::default());
        let mut later = Copies::default();
        later.recall(&alone[0]);
        assert_eq!(told(vec![fork.clone()], &[0], &mut later), (vec![both.0[1]], vec![both.1[1].clone()]));
        assert!(later.agree(&alone[0]));
        // The other way round the fork has to be read again.
        let (_, alone) = told(vec![fork], &[0], &mut Copies::default());
        let mut later = Copies::default();
        later.recall(&alone[0]);
        assert!(later.agree(&alone[0]));
        assert_eq!(told(vec![original], &[0], &mut later), (vec![both.0[0]], vec![both.1[0].clone()]));
        assert!(!later.agree(&alone[0]) && later.agree(&both.1[1]));
    }
}

#[test]
fn what_was_written_at_second_hand_does_not_agree_once_the_first_hand_is_known() {
    let note = Session { host: Host::Specstory, ..named("a", talk(&["use pnpm"])) };
    let (_, alone) = told(vec![note], &[0], &mut Copies::default());
    let mut later = Copies::default();
    later.recall(&alone[0]);
    assert!(later.agree(&alone[0]));
    later.note(&named("a", talk(&["use pnpm"])), 0);
    assert!(!later.agree(&alone[0]));
}
