//! What holds for any sessions in any order: nothing placed is lost, once is enough, the copies of a session count once.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::feed;
use super::feed::tests::{day, said};
use super::hear::Heard;
use super::home::Home;
use super::lesson::{How, Scope, What};
use super::page::{Page, Section};
use super::sync::compile;
use super::word::{Answer, answer, asked};

const RULES: [&str; 8] = [
    "Use pnpm, not npm.",
    "Use npm, not pnpm.",
    "Use tabs for indentation.",
    "Use spaces for indentation.",
    "Answer in French.",
    "Run the tests before committing.",
    "No, run the tests before you commit!",
    "代码注释一律用英文。",
];

/// Sessions of one lesson each, by rule, weight, day and scope.
fn sessions() -> impl Strategy<Value = Vec<Heard>> {
    let hows = prop::sample::select(vec![How::Pending, How::Implicit, How::Stated, How::Explicit]);
    let scopes = prop::sample::select(vec![
        Scope::general(),
        Scope::Domain("code".into()),
        Scope::Project("shop".into()),
        Scope::Project("blog".into()),
    ]);
    let one = (0..RULES.len(), hows, 0..200_i64, scopes, 0..30_u8);
    prop::collection::vec(one, 1..25).prop_map(|all| {
        let heard = |(rule, how, n, scope, session): (usize, How, i64, Scope, u8)| Heard {
            lessons: vec![said(RULES[rule], how, n, &format!("s{session}-{n}-{rule}"), scope)],
            ..Heard::default()
        };
        all.into_iter().map(heard).collect()
    })
}

fn on_pages(home: &Home) -> Vec<String> {
    let pages = home.pages.iter().filter(|(name, _)| Home::is_of_lessons(name));
    pages.flat_map(|(_, page)| page.entries()).filter_map(|entry| entry.id).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_placed_is_lost_and_once_is_enough(sessions in sessions(), batch in 1..8_usize) {
        let mut home = Home::default();
        home.pages.insert("memory.md".into(), Page::new("# Mine\n\nMy own words.\n"));
        for some in sessions.chunks(batch) {
            feed(&mut home, some.to_vec(), day(200));
        }
        let placed: BTreeSet<String> = home
            .log
            .iter()
            .filter(|event| matches!(event.what, What::Placed { .. }))
            .map(|event| event.lesson.clone())
            .collect();
        let mut here = on_pages(&home);
        here.sort();
        prop_assert_eq!(here, placed.into_iter().collect::<Vec<_>>());
        prop_assert!(home.pages["memory.md"].text().starts_with("# Mine\n\nMy own words.\n"));
        // Settled is settled, and the same sessions again, as copies too, teach nothing.
        let once = home.clone();
        prop_assert_eq!(home.settle(day(200)), []);
        feed(&mut home, sessions.clone(), day(200));
        prop_assert_eq!(&home, &once);
        let mut copies = sessions;
        for taught in copies.iter_mut().flat_map(|heard| &mut heard.lessons) {
            taught.place.session.push_str("-fork");
        }
        feed(&mut home, copies, day(200));
        prop_assert_eq!(&home, &once);
    }

    #[test]
    fn only_what_the_person_agreed_to_is_compiled(sessions in sessions(), yes in any::<bool>()) {
        let mut home = Home::default();
        feed(&mut home, sessions.clone(), day(200));
        if yes {
            asked(&home).iter().for_each(|asked| answer(&mut home, &asked.lesson, Answer::Yes, day(200)));
        }
        let agreed: BTreeSet<&str> = home
            .log
            .iter()
            .filter(|event| matches!(event.what, What::Taught { how: How::Explicit, .. } | What::Confirmed))
            .map(|event| event.lesson.as_str())
            .collect();
        for entry in home.pages.get("memory.md").map(Page::entries).unwrap_or_default() {
            let is_agreed = agreed.contains(entry.id.as_deref().unwrap_or_default());
            prop_assert!(entry.section != Section::Confirmed || is_agreed, "{:?}", entry);
        }
        if agreed.is_empty() {
            prop_assert_eq!(compile(&home).unwrap(), Vec::<String>::new());
        }
    }
}
