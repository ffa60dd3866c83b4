//! What comes of being fed: recurrence by meaning, copies, conflicts, wishes to forget, citations.

use chrono::TimeDelta;

use super::*;
use crate::experience::corrections::{Reflection, corrections};
use crate::experience::lesson::Place;
use crate::experience::page::Section;

pub(crate) fn day(n: i64) -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + TimeDelta::days(20_454 + n)
}

pub(crate) fn said(text: &str, how: How, n: i64, session: &str, scope: Scope) -> Taught {
    let project = if let Scope::Project(name) = &scope { Some(name.clone()) } else { None };
    Taught {
        how,
        at: day(n),
        place: Place { host: "codex".into(), session: session.into(), line: 3 },
        words: key(day(n), text),
        text: text.into(),
        tag: slug(text).to_string(),
        scope,
        project,
        is_correction: how != How::Stated,
    }
}

fn general(text: &str, how: How, n: i64) -> Heard {
    heard(vec![said(text, how, n, &format!("s{n}"), Scope::general())])
}

fn heard(lessons: Vec<Taught>) -> Heard {
    Heard { lessons, ..Heard::default() }
}

fn text<'a>(home: &'a Home, page: &str) -> &'a str {
    home.pages.get(page).map_or("", Page::text)
}

#[test]
fn an_approved_correction_is_confirmed_and_a_tacit_one_tentative() {
    let mut home = Home::default();
    let lessons = vec![general("Use pnpm, not npm.", How::Explicit, 0), general("Answer in French.", How::Implicit, 1)];
    feed(&mut home, lessons, day(1));
    assert_eq!(
        text(&home, "memory.md"),
        format!(
            "# Memory\n\n## Confirmed Preferences\n\n### pnpm-npm | medium <!-- {} -->\nUse pnpm, not npm.\n",
            id_of("Use pnpm, not npm.")
        )
    );
    let warm = format!(
        "# Domain: general\n\n## Patterns\n\n- [answer-french] Answer in French. <!-- {} -->\n",
        id_of("Answer in French.")
    );
    assert_eq!(text(&home, "domains/general.md"), warm);
    let corrected: Vec<_> = corrections(&home.pages["corrections.md"]).into_iter().map(|(_, words)| words).collect();
    assert_eq!(
        corrected,
        ["2026-01-01 [pnpm-npm] Use pnpm, not npm. (codex)", "2026-01-02 [answer-french] Answer in French. (codex)"]
    );
}

#[test]
fn three_pending_corrections_in_other_words_are_put_to_the_person() {
    let mut home = Home::default();
    let wordings =
        ["Run the tests before committing.", "No, run the tests before you commit!", "run tests before committing"];
    for (n, words) in (0..).zip(wordings) {
        assert!(!text(&home, "memory.md").contains("To Confirm"));
        feed(&mut home, vec![general(words, How::Pending, 2 * n)], day(2 * n));
    }
    let id = id_of(wordings[0]);
    let asked = format!("## To Confirm\n\n- [ ] [run-tests-before-committing] {} <!-- {id} -->\n", wordings[0]);
    assert!(text(&home, "memory.md").ends_with(&asked), "{}", text(&home, "memory.md"));
    // Ticked by hand, it is confirmed.
    let ticked = text(&home, "memory.md").replace("- [ ]", "- [x]");
    home.pages.insert("memory.md".into(), Page::new(ticked));
    home.settle(day(5));
    let entries = home.pages["memory.md"].entries();
    assert_eq!(
        entries.iter().map(|e| (e.section, e.rank.as_str())).collect::<Vec<_>>(),
        [(Section::Confirmed, "high")]
    );
}

#[test]
fn copies_of_a_session_and_longer_readings_count_once() {
    let mut home = Home::default();
    let mut fork = said("Use pnpm, not npm.", How::Pending, 0, "fork", Scope::general());
    let first = said("Use pnpm, not npm.", How::Pending, 0, "s0", Scope::general());
    feed(&mut home, vec![heard(vec![first.clone()]), heard(vec![fork.clone()])], day(0));
    feed(&mut home, vec![heard(vec![first])], day(0));
    fork.how = How::Explicit;
    fork.text = "User uses pnpm.".into();
    feed(&mut home, vec![heard(vec![fork])], day(1));
    let all = lessons(&home.log);
    let lesson = all.values().next().unwrap();
    assert_eq!((all.len(), lesson.taught, lesson.how), (1, 1, How::Explicit));
    assert_eq!(corrections(&home.pages["corrections.md"]).len(), 1);
}

#[test]
fn one_turn_may_teach_two_things() {
    let mut home = Home::default();
    let one = said("Use pnpm, not npm.", How::Explicit, 0, "s0", Scope::general());
    let mut other = said("Answer in French.", How::Explicit, 0, "s0", Scope::general());
    other.words.clone_from(&one.words);
    feed(&mut home, vec![heard(vec![one.clone(), other.clone()])], day(0));
    let before = home.clone();
    feed(&mut home, vec![heard(vec![other, one])], day(0));
    assert_eq!(home, before);
    assert_eq!(home.pages["memory.md"].entries().len(), 2);
}

#[test]
fn a_project_s_lesson_stays_there_until_another_project_teaches_it() {
    let mut home = Home::default();
    let at = |n: i64, project: &str| {
        heard(vec![said("Use pnpm, not npm.", How::Implicit, n, &format!("s{n}"), Scope::Project(project.into()))])
    };
    feed(&mut home, vec![at(0, "shop"), at(1, "shop")], day(1));
    assert!(text(&home, "projects/shop.md").contains("Use pnpm"));
    assert_eq!(text(&home, "memory.md"), "");
    feed(&mut home, vec![at(2, "blog")], day(2));
    assert!(!text(&home, "projects/shop.md").contains("Use pnpm"));
    assert!(text(&home, "memory.md").contains("Use pnpm"), "asked after three times: {home:?}");
}

#[test]
fn the_later_of_two_contradicting_lessons_wins() {
    let mut home = Home::default();
    feed(&mut home, vec![general("Use tabs for indentation.", How::Implicit, 0)], day(0));
    feed(&mut home, vec![general("Use spaces for indentation.", How::Implicit, 1)], day(1));
    assert!(
        text(&home, "archive/domain-general.md")
            .contains("## Withdrawn\n\n- [tabs-indentation] Use tabs for indentation.")
    );
    assert!(text(&home, "domains/general.md").contains("Use spaces for indentation."));
    // The older one replayed after the newer one changes nothing.
    let before = home.pages.clone();
    feed(&mut home, vec![general("Use tabs for indentation.", How::Implicit, 0)], day(1));
    assert_eq!(home.pages, before);
}

#[test]
fn against_a_confirmed_preference_the_person_is_asked() {
    let mut home = Home::default();
    feed(&mut home, vec![general("Use tabs for indentation.", How::Explicit, 0)], day(0));
    feed(&mut home, vec![general("Use spaces for indentation.", How::Implicit, 1)], day(1));
    let entries = home.pages["memory.md"].entries();
    let told: Vec<_> = entries.iter().map(|e| (e.section, e.text.as_str())).collect();
    assert_eq!(told, [(Section::Confirmed, "Use tabs for indentation.")]);
    let asked = home.pages["domains/general.md"].entries();
    assert_eq!(asked.iter().map(|e| e.section).collect::<Vec<_>>(), [Section::Asked]);
    feed(&mut home, vec![general("Use spaces for indentation.", How::Explicit, 2)], day(2));
    assert!(text(&home, "archive/domain-general.md").contains("Use tabs for indentation."), "{home:?}");
}

#[test]
fn what_a_person_takes_out_stays_out() {
    let mut home = Home::default();
    feed(&mut home, vec![general("Answer in French.", How::Implicit, 0)], day(0));
    home.pages.insert("domains/general.md".into(), Page::new("# Domain: general\n"));
    for n in 1..6 {
        feed(&mut home, vec![general("Answer in French.", How::Implicit, n)], day(n));
    }
    assert_eq!(text(&home, "domains/general.md"), "# Domain: general\n");
    assert_eq!(text(&home, "memory.md"), "");
}

#[test]
fn a_line_of_the_person_s_own_is_not_said_twice() {
    let mine = "# My memory\n\n## Patterns\n\n- use pnpm, not npm\n";
    let mut home = Home::default();
    home.pages.insert("memory.md".into(), Page::new(mine));
    feed(&mut home, vec![general("Use pnpm, not npm.", How::Stated, 0)], day(0));
    assert_eq!(text(&home, "memory.md"), mine);
}

#[test]
fn to_forget_is_to_withdraw_and_teaching_again_brings_back() {
    let mut home = Home::default();
    feed(&mut home, vec![general("Use pnpm, not npm.", How::Explicit, 0)], day(0));
    let place = Place { host: "codex".into(), session: "s1".into(), line: 9 };
    let forget = Forget { at: day(1), place, text: "use pnpm, not npm".into() };
    let wish = Heard { forget: vec![forget], ..Heard::default() };
    feed(&mut home, vec![wish.clone()], day(1));
    assert!(text(&home, "archive/domain-general.md").contains("Use pnpm"));
    assert!(!text(&home, "memory.md").contains("Use pnpm"));
    feed(&mut home, vec![general("Use pnpm, not npm.", How::Explicit, 3), wish], day(3));
    assert!(text(&home, "memory.md").contains("Use pnpm"));
}

#[test]
fn taught_forgotten_and_taught_again_it_is_there_in_whatever_order_one_hears_of_it() {
    let place = Place { host: "codex".into(), session: "s1".into(), line: 9 };
    let forget = Forget { at: day(1), place, text: "use pnpm, not npm".into() };
    let wish = Heard { forget: vec![forget], ..Heard::default() };
    let rule = |at: i64| general("Use pnpm, not npm.", How::Explicit, at);
    for batches in [
        vec![vec![rule(0), wish.clone(), rule(3)]],
        vec![vec![rule(3)], vec![rule(0), wish.clone()]],
        vec![vec![rule(0), rule(3)], vec![wish.clone()]],
    ] {
        let mut home = Home::default();
        for batch in batches {
            feed(&mut home, batch, day(4));
        }
        assert!(text(&home, "memory.md").contains("Use pnpm"), "{home:?}");
    }
}

#[test]
fn what_an_agent_cites_counts_as_a_use() {
    let mut home = Home::default();
    feed(&mut home, vec![general("Answer in French.", How::Implicit, 0)], day(0));
    let cite = |n: i64, copy: &str| Heard {
        citations: vec![Citation {
            at: day(n),
            place: Place { host: "codex".into(), session: format!("c{n}{copy}"), line: 5 },
            words: format!("w{n}"),
            text: "the French rule".into(),
            page: "domains/general.md".into(),
            line: Some(5),
        }],
        ..Heard::default()
    };
    feed(&mut home, vec![cite(1, ""), cite(1, ""), cite(1, "-fork")], day(1));
    feed(&mut home, vec![cite(1, "-resumed")], day(1));
    assert_eq!(text(&home, "memory.md"), "");
    feed(&mut home, vec![cite(2, "")], day(2));
    assert!(text(&home, "memory.md").contains("## Patterns\n\n- [answer-french] Answer in French."), "{home:?}");
}

#[test]
fn a_reflection_comes_to_memory_when_it_recurs() {
    let mut home = Home::default();
    let note = |n: i64| Heard {
        reflections: vec![Noted {
            at: day(n),
            place: Place { host: "codex".into(), session: format!("r{n}"), line: 5 },
            words: Reflection {
                context: "UI build".into(),
                reflection: "Spacing was wrong".into(),
                lesson: "Check visual spacing before showing to user".into(),
            },
            project: None,
        }],
        ..Heard::default()
    };
    feed(&mut home, vec![note(0), note(0), note(1)], day(1));
    assert_eq!(text(&home, "reflections.md").matches("LESSON:").count(), 2);
    assert_eq!(text(&home, "memory.md"), "");
    feed(&mut home, vec![note(2)], day(2));
    assert!(text(&home, "memory.md").contains("Check visual spacing"), "{home:?}");
}

#[test]
fn a_hand_that_moves_a_lesson_decides_on_its_scope_and_section() {
    let mut home = Home::default();
    feed(&mut home, vec![general("Use pnpm, not npm.", How::Explicit, 0)], day(0));
    let line = "- [pnpm-npm] Use pnpm, not npm. <!-- l_d602761407 -->\n";
    home.pages.insert("memory.md".into(), Page::new("# Memory\n"));
    home.pages.insert("projects/shop.md".into(), Page::new(format!("# Shop\n\n## Patterns\n\n{line}")));
    home.settle(day(1));
    feed(&mut home, vec![general("Use pnpm, not npm.", How::Pending, 2)], day(2));
    assert_eq!(text(&home, "memory.md"), "# Memory\n");
    assert_eq!(text(&home, "projects/shop.md"), format!("# Shop\n\n## Patterns\n\n{line}"));
}
