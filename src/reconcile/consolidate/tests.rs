//! Which memories come together, and what of them is left.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::reconcile::{Hand, Moment};

fn held(kind: Kind, day: u32, body: &str) -> Held {
    let created = DateTime::from_timestamp(1_770_000_000 + i64::from(day) * 86_400, 0).unwrap();
    let id = Id::derive(kind, body, None, day);
    Held {
        file: format!("{}/x-{}.md", kind.folder(), id.suffix()),
        id,
        kind,
        body: body.into(),
        written: None,
        created,
        ttl: Ttl::Infinity,
        expires: None,
        said: Moment::at(created),
        supersedes: Vec::new(),
        places: BTreeSet::new(),
        hand: Hand::Untouched,
    }
}

fn profile(day: u32, body: &str) -> Held {
    held(Kind::Profile, day, body)
}

fn playbook(day: u32, when: &str, what: &str, why: &str) -> Held {
    held(Kind::Playbook, day, &format!("## When\n{when}\n\n## What\n{what}\n\n## Why\n{why}"))
}

fn run(held: &[Held]) -> Vec<Merge> {
    consolidate(&held.iter().collect::<Vec<_>>())
}

fn bodies(merges: &[Merge]) -> Vec<&str> {
    let mut bodies: Vec<&str> = merges.iter().flat_map(|merge| &merge.facts).map(|fact| fact.body.as_str()).collect();
    bodies.sort_unstable();
    bodies
}

#[test]
fn fewer_than_two_memories_are_left_alone() {
    assert_eq!(run(&[]), []);
    assert_eq!(run(&[profile(1, "User likes tea. User likes tea.")]), []);
}

#[test]
fn distinct_facts_are_never_merged() {
    let memories = [
        profile(1, "User prefers tabs in Python."),
        profile(2, "User prefers spaces in Go."),
        profile(3, "User is allergic to peanuts."),
        profile(4, "User is allergic to shellfish."),
        profile(5, "User has a sister in Berlin."),
        profile(6, "User has a brother in Berlin."),
        playbook(7, "Composing a commit message.", "Keep it short.", "User corrected this."),
        playbook(8, "Drawing a chart.", "Keep it short.", "User corrected this."),
    ];
    assert_eq!(run(&memories), []);
}

#[test]
fn a_profile_and_a_playbook_are_never_merged() {
    let rule = playbook(2, "Installing packages.", "Use pnpm, not npm.", "User corrected this.");
    assert_eq!(run(&[profile(1, "Use pnpm, not npm."), rule]), []);
}

#[test]
fn three_wordings_of_one_fact_become_one_that_names_them_all() {
    let memories = [
        profile(1, "User prefers concise answers."),
        profile(2, "User likes short responses."),
        profile(3, "User prefers concise answers"),
        profile(4, "User has a dog."),
    ];
    let merges = run(&memories);
    assert_eq!(bodies(&merges), ["User prefers concise answers."]);
    let sources: Vec<&Id> = memories[..3].iter().map(|held| &held.id).collect();
    assert_eq!(merges[0].facts[0].sources.iter().collect::<Vec<_>>(), sources);
    assert_eq!(merges[0].sources.iter().collect::<Vec<_>>(), sources);
}

#[test]
fn the_most_recent_wins_in_a_contradiction_whatever_the_order_of_files() {
    let memories = [profile(9, "User lives in Austin."), profile(1, "User lives in San Francisco.")];
    assert_eq!(bodies(&run(&memories)), ["User lives in Austin."]);
}

#[test]
fn facts_that_nothing_contradicts_survive_one_a_file() {
    let memories = [
        profile(1, "User likes tea. User lives in Berlin. It is noisy there."),
        profile(2, "User likes tea. User has a dog."),
        profile(3, "User moved to Lisbon."),
    ];
    let merges = run(&memories);
    assert_eq!(bodies(&merges), ["User has a dog.", "User likes tea.", "User moved to Lisbon."]);
    assert_eq!(merges.len(), 1);
    let named: BTreeSet<&Id> = merges[0].facts.iter().flat_map(|fact| &fact.sources).collect();
    assert_eq!(named, memories.iter().map(|held| &held.id).collect());
}

#[test]
fn a_sentence_that_leans_on_another_is_not_cut_off() {
    for (body, expected) in [
        (
            "User is vegan. No meat, no fish. User avoids honey.",
            &["User is vegan. No meat, no fish.", "User avoids honey."][..],
        ),
        ("User works at Acme. User left it in May.", &["User works at Acme. User left it in May."]),
        ("用户喜欢茶。用户住在北京。", &["用户喜欢茶。", "用户住在北京。"]),
        ("用户喜欢茶。用户觉得它很香。", &["用户喜欢茶。用户觉得它很香。"]),
        ("The repo is at /srv. The tests need Docker.", &["The repo is at /srv. The tests need Docker."]),
    ] {
        assert_eq!(facts(body), expected);
    }
}

/// Defect 1 of the original: the new candidate's TTL won, and a durable fact expired.
#[test]
fn the_ttl_is_that_of_the_most_durable_source() {
    let day = |month: u32| chrono::NaiveDate::from_ymd_opt(2027, month, 1);
    let year = Held { ttl: Ttl::OneYear, expires: day(1), ..profile(1, "User is on call.") };
    let week = Held { ttl: Ttl::OneWeek, expires: day(2), ..profile(2, "User is on call") };
    let fact = |memories: &[Held]| run(memories)[0].facts[0].clone();
    let both = fact(&[year.clone(), week.clone()]);
    assert_eq!((both.ttl, both.expires), (Ttl::OneYear, day(2)));
    let all = fact(&[year, week, profile(0, "User is on call!")]);
    assert_eq!((all.ttl, all.expires), (Ttl::Infinity, None));
}

/// Defect 2 of the original: merged playbooks were rewritten to a few sentences and lost their sections.
#[test]
fn playbooks_keep_when_what_and_why() {
    let memories = [
        playbook(1, "Composing a commit message.", "Keep it short.", "User corrected a long one."),
        playbook(2, "Writing commit messages.", "Keep it short.", "The log is read on a phone."),
    ];
    assert_eq!(
        bodies(&run(&memories)),
        [
            "## When\nComposing a commit message.\nWriting commit messages.\n\n## What\nKeep it short.\n\n## Why\nUser corrected a long one.\nThe log is read on a phone."
        ]
    );
}

#[test]
fn a_playbook_that_holds_in_more_situations_keeps_them_all() {
    let memories = [
        playbook(1, "Installing packages.", "Use pnpm, not npm.", "Lock files differ."),
        playbook(2, "Setting up the build server.", "Use pnpm, not npm.", "Lock files differ."),
    ];
    assert_eq!(
        bodies(&run(&memories)),
        [
            "## When\nInstalling packages.\nSetting up the build server.\n\n## What\nUse pnpm, not npm.\n\n## Why\nLock files differ."
        ]
    );
}

#[test]
fn reasons_of_what_was_contradicted_do_not_survive() {
    let memories = [
        playbook(1, "Installing packages.", "Use pnpm, not npm.", "Lock files differ."),
        playbook(2, "Installing packages.", "Use npm, not pnpm.", "The build server has no pnpm."),
    ];
    let newest =
        "## When\nInstalling packages.\n\n## What\nUse npm, not pnpm.\n\n## Why\nThe build server has no pnpm.";
    assert_eq!(bodies(&run(&memories)), [newest]);
}

/// Defect 6 and 8 of the original: texts without front matter or sections were judged against nothing.
#[test]
fn a_playbook_without_a_rule_is_left_alone() {
    let memories = [held(Kind::Playbook, 1, "Keep it short."), held(Kind::Playbook, 2, "Keep it short.")];
    assert_eq!(run(&memories), []);
}

fn statement() -> impl Strategy<Value = String> {
    let sentence = prop::sample::select(vec![
        "User prefers tabs.",
        "User prefers spaces.",
        "User prefers tabs in Python.",
        "User prefers tabs, not spaces.",
        "User likes tea.",
        "User really likes tea.",
        "User no longer likes tea.",
        "User doesn't like tea.",
        "User lives in Berlin.",
        "User moved to Lisbon.",
        "User always uses pnpm.",
        "Use pnpm, not npm.",
        "Use npm.",
        "User uses pnpm except on the server.",
        "用户喜欢茶。",
        "用户不喜欢茶。",
        "It is noisy there.",
        "User's timezone is UTC.",
        "User's timezone is UTC+8.",
        "User validates the manifests.",
        "User validates the manifets.",
    ]);
    prop::collection::vec(sentence, 1..4).prop_map(|sentences| sentences.join(" "))
}

proptest! {
    /// Every memory that leaves is named by what takes its place, no other is; and a second run has nothing to do.
    #[test]
    fn nothing_is_lost_and_a_second_run_does_nothing(
        memories in prop::collection::vec((0_u32..5, statement(), any::<bool>()), 0..10),
    ) {
        let memories: Vec<Held> = (100..).zip(memories).map(|(number, (day, body, rule))| {
            let memory = if rule { playbook(day, "Working.", &body, "Said.") } else { profile(day, &body) };
            Held { id: Id::derive(memory.kind, &body, None, number), ..memory }
        }).collect();
        let merges = run(&memories);
        let mut left: Vec<Held> = memories.clone();
        for merge in &merges {
            prop_assert!(merge.sources.len() > 1 && !merge.facts.is_empty());
            let named: BTreeSet<&Id> = merge.facts.iter().flat_map(|fact| &fact.sources).collect();
            prop_assert_eq!(named, merge.sources.iter().collect::<BTreeSet<_>>());
            left.retain(|held| !merge.sources.contains(&held.id));
        }
        let made = merges.iter().flat_map(|merge| merge.facts.iter().map(|fact| (merge.kind, fact)));
        left.extend((1000..).zip(made).map(|(number, (kind, fact))| Held {
            id: Id::derive(kind, &fact.body, None, number),
            created: fact.created,
            said: Moment::at(fact.created),
            ttl: fact.ttl,
            expires: fact.expires,
            ..held(kind, 0, &fact.body)
        }));
        let again = run(&left);
        prop_assert_eq!(&again, &[], "after {:?}", bodies(&merges));
    }
}
