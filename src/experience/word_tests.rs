//! Yes, no, and "forget X".

use super::*;
use crate::experience::feed;
use crate::experience::feed::tests::{day, said};
use crate::experience::hear::Heard;
use crate::experience::lesson::{How, Scope};

const RULE: &str = "Use pnpm, not npm.";

fn teach(home: &mut Home, text: &str, how: How, n: i64) {
    let lessons = vec![said(text, how, n, &format!("s{n}"), Scope::general())];
    feed(home, vec![Heard { lessons, ..Heard::default() }], day(n));
}

fn all(home: &Home) -> String {
    home.pages.values().map(Page::text).collect()
}

#[test]
fn a_lesson_of_three_sessions_is_asked_about_and_a_yes_confirms_it() {
    let mut home = Home::default();
    (0..3).for_each(|n| teach(&mut home, RULE, How::Implicit, n));
    let asked_now = asked(&home);
    assert_eq!(asked_now.iter().map(|a| a.line.text.as_str()).collect::<Vec<_>>(), [RULE]);
    answer(&mut home, &asked_now[0].lesson, Answer::Yes, day(3));
    assert_eq!(asked(&home), []);
    assert!(home.pages["memory.md"].text().contains("## Confirmed Preferences\n\n### pnpm-npm | high"), "{home:?}");
}

#[test]
fn a_no_leaves_it_tentative_and_is_asked_once() {
    let mut home = Home::default();
    (0..3).for_each(|n| teach(&mut home, RULE, How::Implicit, n));
    let id = asked(&home)[0].lesson.clone();
    answer(&mut home, &id, Answer::No, day(3));
    teach(&mut home, RULE, How::Implicit, 4);
    assert_eq!(asked(&home), []);
    assert_eq!(home.placed()[&id].entry.section, Section::Patterns);
}

#[test]
fn a_yes_to_one_of_two_contradicting_lessons_takes_the_other_back() {
    let mut home = Home::default();
    teach(&mut home, "Use tabs for indentation.", How::Explicit, 0);
    teach(&mut home, "Use spaces for indentation.", How::Implicit, 1);
    let id = asked(&home)[0].lesson.clone();
    answer(&mut home, &id, Answer::Yes, day(2));
    let confirmed: Vec<_> = home.pages["memory.md"].entries().into_iter().map(|e| e.text).collect();
    assert_eq!(confirmed, ["Use spaces for indentation."]);
}

#[test]
fn what_is_forgotten_is_on_no_page_and_stays_away_until_it_is_said_anew() {
    let mut home = Home::default();
    teach(&mut home, RULE, How::Explicit, 1);
    teach(&mut home, "Answer in French.", How::Explicit, 2);
    let mine = home.pages["memory.md"].text().replacen("# Memory\n", "# Memory\n\nMy pnpm notes.\n", 1);
    home.pages.insert("memory.md".into(), Page::new(mine));
    let gone = forget(&mut home, "pnpm", day(3));
    assert_eq!(gone.iter().map(|line| line.source.as_str()).collect::<Vec<_>>(), ["memory.md:7", "corrections.md:3"]);
    assert!(!all(&home).contains(RULE) && all(&home).contains("French"), "{home:?}");
    assert!(all(&home).contains("My pnpm notes."));
    // The same session again, and an older one that is heard of late, bring nothing back.
    teach(&mut home, RULE, How::Explicit, 1);
    teach(&mut home, "use pnpm here, never npm", How::Explicit, 0);
    assert!(!home.placed().values().any(|placed| placed.entry.text.contains("npm")), "{home:?}");
    teach(&mut home, RULE, How::Implicit, 5);
    let again = home.placed().remove(&crate::experience::lesson::id_of(RULE)).unwrap();
    assert_eq!(again.entry.section, Section::Patterns, "an approval that was forgotten counts no more");
}
