//! The store is a function of what was said and when: batches may come in any order and number.

use proptest::prelude::*;
use proptest::sample::Index;

use super::*;
use crate::reconcile::{Batch, Extent};

/// Something said in session `session`, whose lines are minutes of the day; equal times are frequent.
fn utterance() -> impl Strategy<Value = Candidate> {
    let bodies = prop::sample::select(vec![
        "Use npm.",
        "Use pnpm.",
        "Use pnpm, not npm.",
        "Don't use npm.",
        "User likes tea.",
        "User doesn't like tea.",
        "User really likes green tea.",
        "用户喜欢猫。",
        "用户不喜欢猫。",
        "用户的时区是东京。",
        "User's timezone is Asia/Tokyo.",
        "User's timezone is CET.",
        "User's name is Ann.",
        "User's name is Bob.",
        "Use tabs.",
        "Use spaces in Python.",
    ]);
    let ttl = prop::sample::select(vec![Ttl::OneDay, Ttl::OneMonth, Ttl::Infinity]);
    (bodies, 1_u32..40, 1_u32..9, 0_u8..3, 0_u8..16, ttl).prop_map(|(body, line, time, session, what, ttl)| {
        let mut one = Candidate { ttl, said_at: at(time * 60), ..said(line, body) };
        one.evidence[0].session = format!("s{session}");
        one.evidence[0].time = one.said_at;
        match what {
            0 | 1 => one.intent = Intent::Forget,
            2 => one.intent = Intent::Pending,
            3..6 => {
                one.kind = Kind::Playbook;
                one.class = Class::Procedure;
                one.ttl = Ttl::Infinity;
                one.body = format!("## When\nWriting code.\n\n## What\n{body}\n\n## Why\nUser corrected this.");
            }
            _ => {}
        }
        one
    })
}

fn utterances() -> impl Strategy<Value = Vec<Candidate>> {
    prop::collection::vec(utterance(), 0..14)
}

/// The same in another order, cut into batches, some of which come twice.
fn scattered() -> impl Strategy<Value = (Vec<Candidate>, Vec<Vec<Candidate>>)> {
    let shuffled = utterances().prop_flat_map(|all| (Just(all.clone()), Just(all).prop_shuffle()));
    (shuffled, prop::collection::vec(any::<Index>(), 0..5), prop::option::of(any::<Index>())).prop_map(
        |((all, shuffled), cuts, again)| {
            let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(shuffled.len() + 1)).collect();
            cuts.extend([0, shuffled.len()]);
            cuts.sort_unstable();
            let mut batches: Vec<_> = cuts.windows(2).map(|cut| shuffled[cut[0]..cut[1]].to_vec()).collect();
            batches.extend(again.map(|again| batches[again.index(batches.len())].clone()));
            (all, batches)
        },
    )
}

fn applied(batches: &[Vec<Candidate>]) -> (TempDir, PathBuf) {
    let (folder, root) = store();
    for batch in batches {
        apply(&root, batch.clone(), now()).unwrap();
    }
    (folder, root)
}

/// What a hand does to a file, by its place among the files.
#[derive(Debug, Clone)]
enum Meddling {
    Delete(Index),
    Edit(Index),
    Add(&'static str),
    Forget(Index),
    Undo(Index),
}

fn meddling() -> impl Strategy<Value = Meddling> {
    let added = prop::sample::select(vec!["Use yarn.", "User likes tea.", "User's timezone is UTC.", "用户喜欢猫。"]);
    prop_oneof![
        any::<Index>().prop_map(Meddling::Delete),
        any::<Index>().prop_map(Meddling::Edit),
        added.prop_map(Meddling::Add),
        any::<Index>().prop_map(Meddling::Forget),
        any::<Index>().prop_map(Meddling::Undo),
    ]
}

/// Does it; returns the file that the hand made what it is now, which must stay so.
fn meddle(root: &Path, meddling: &Meddling) -> Option<(String, Option<String>)> {
    let files: Vec<String> = memories(root).into_keys().collect();
    let pick = |index: &Index| (!files.is_empty()).then(|| files[index.index(files.len())].clone());
    let id = |file: &str| {
        let held = read(root).unwrap().held;
        held.into_iter().find(|held| held.file == file).unwrap().id
    };
    match meddling {
        Meddling::Delete(index) => {
            let file = pick(index)?;
            fs::remove_file(root.join(&file)).unwrap();
            Some((file, None))
        }
        Meddling::Edit(index) => {
            let file = pick(index)?;
            let text = fs::read_to_string(root.join(&file)).unwrap() + "And I said so myself.\n";
            fs::write(root.join(&file), &text).unwrap();
            Some((file, Some(text)))
        }
        Meddling::Add(body) => {
            fs::create_dir_all(root.join("profiles")).unwrap();
            let front = "---\ntype: profile\nid: prof_mine\ncreated: 2026-01-31T14:00:00Z\nttl: infinity\nexpires: never\n---\n\n";
            fs::write(root.join("profiles/mine-mine.md"), format!("{front}{body}\n")).unwrap();
            None
        }
        Meddling::Forget(index) => {
            let file = pick(index)?;
            forget(root, &[id(&file)], "asked", now()).unwrap();
            None
        }
        Meddling::Undo(index) => {
            let file = pick(index)?;
            undo(root, &id(&file), now()).ok();
            None
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, max_shrink_iters: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn batches_in_any_order_come_to_the_same_as_one((all, batches) in scattered()) {
        let (_one_folder, one) = applied(std::slice::from_ref(&all));
        let (_many_folder, many) = applied(&batches);
        prop_assert_eq!(memories(&one), memories(&many));
        // And whoever comes once more changes not one byte.
        let before = tree(&many);
        apply(&many, all.clone(), now()).unwrap();
        for batch in batches {
            apply(&many, batch, now()).unwrap();
        }
        prop_assert_eq!(tree(&many), before);
    }

    #[test]
    fn a_crash_between_any_steps_is_completed_by_whoever_comes_next(
        (all, batches) in scattered(), crash in any::<Index>(), order in any::<bool>(),
    ) {
        let (_one_folder, one) = applied(&[all]);
        let (_folder, root) = store();
        let mut missed = Vec::new();
        for batch in &batches {
            let view = look(&root).unwrap();
            let steps = steps(&view, &events(&view, &plan(&view.known, batch.clone()), now()), now()).unwrap();
            let done = crash.index(steps.len() + 1);
            if done > 0 {
                drop(disk::lock_to_write(&root).unwrap());
            }
            for step in steps.iter().take(done) {
                perform(&root, step).unwrap();
            }
            missed.push(batch.clone());
        }
        if order {
            missed.reverse();
        }
        for batch in missed {
            apply(&root, batch, now()).unwrap();
        }
        prop_assert_eq!(memories(&one), memories(&root));
    }

    #[test]
    fn what_hands_did_holds_in_any_order(
        base in utterances(), meddling in meddling(), (all, batches) in scattered(),
    ) {
        let (_one_folder, one) = applied(std::slice::from_ref(&base));
        let (_many_folder, many) = applied(std::slice::from_ref(&base));
        let kept = meddle(&one, &meddling);
        meddle(&many, &meddling);
        // A file's time is part of what a hand did.
        for file in memories(&one).into_keys() {
            let time = fs::metadata(one.join(&file)).unwrap().modified().unwrap();
            fs::File::options().write(true).open(many.join(&file)).unwrap().set_modified(time).unwrap();
        }
        apply(&one, [base.clone(), all].concat(), now()).unwrap();
        for batch in &batches {
            apply(&many, batch.clone(), now()).unwrap();
        }
        apply(&many, base, now()).unwrap();
        prop_assert_eq!(memories(&one), memories(&many));
        if let Some((file, text)) = kept {
            prop_assert_eq!(memories(&many).remove(&file), text);
        }
        let before = tree(&many);
        for batch in batches {
            apply(&many, batch, now()).unwrap();
        }
        prop_assert_eq!(tree(&many), before);
    }

    #[test]
    fn of_all_readings_of_a_session_the_longest_counts(
        readings in prop::collection::vec(utterances(), 1..4).prop_flat_map(|readings| {
            let numbered: Vec<_> = (1_u32..).zip(readings).collect();
            (Just(numbered.clone()), Just(numbered).prop_shuffle())
        }),
        others in utterances(),
    ) {
        // All of session `grows`; a later reading goes further and proposes what it likes.
        let reading = |(turns, candidates): &(u32, Vec<Candidate>)| {
            let mut candidates = candidates.clone();
            for evidence in candidates.iter_mut().flat_map(|candidate| &mut candidate.evidence) {
                evidence.session = "grows".into();
            }
            Batch { candidates, sessions: vec![extent(*turns)] }
        };
        let (numbered, shuffled) = readings;
        let (_one_folder, one) = applied(std::slice::from_ref(&others));
        apply(&one, reading(numbered.last().unwrap()), now()).unwrap();
        let (_many_folder, many) = applied(&[others]);
        for each in shuffled.iter().chain(numbered.last()) {
            apply(&many, reading(each), now()).unwrap();
        }
        prop_assert_eq!(memories(&one), memories(&many));
        let before = tree(&many);
        for each in &shuffled {
            apply(&many, reading(each), now()).unwrap();
        }
        prop_assert_eq!(tree(&many), before);
    }
}

fn extent(turns: u32) -> Extent {
    Extent {
        host: "openai".into(),
        session: "grows".into(),
        started: at(0),
        until: at(60 * turns),
        turns: turns.into(),
    }
}

#[test]
fn a_shorter_reading_is_withdrawn_but_not_what_the_person_edited() {
    let (_folder, root) = store();
    let early = |minute: u32, body: &str| {
        let mut one = said(minute, body);
        one.evidence[0].session = "grows".into();
        one
    };
    let pending = Candidate { intent: Intent::Pending, ..early(3, "Sort the imports.") };
    let first = vec![early(1, "Use npm."), early(2, "User likes tea."), pending.clone()];
    apply(&root, Batch { candidates: first.clone(), sessions: vec![extent(1)] }, now()).unwrap();
    let edited = memories(&root).into_iter().find(|(_, text)| text.contains("tea")).unwrap();
    fs::write(root.join(&edited.0), edited.1.replace("tea", "green tea")).unwrap();
    let kept = Candidate { intent: Intent::Keep, ..pending };
    let outcome = apply(&root, Batch { candidates: vec![kept], sessions: vec![extent(2)] }, now()).unwrap();
    assert_eq!(ops(&outcome), [Op::Create]);
    assert_eq!(bodies(&root), ["Sort the imports.", "User likes green tea."]);
    // A hook that was slow changes nothing, and neither does the same session cut off at its head.
    let before = tree(&root);
    let late = apply(&root, Batch { candidates: first, sessions: vec![extent(1)] }, now()).unwrap();
    assert!(late.plan.decisions.iter().all(|decision| decision.op == Op::Skip && !decision.new));
    assert_eq!(tree(&root), before);
    let other = Extent { started: at(5), ..extent(9) };
    apply(&root, Batch { candidates: vec![early(9, "Use tabs.")], sessions: vec![other] }, now()).unwrap();
    assert_eq!(bodies(&root), ["Sort the imports.", "Use tabs.", "User likes green tea."]);
}

#[test]
fn a_ledger_of_the_first_version_is_read_as_if_it_told_everything() {
    let batch = || vec![said(3, "Use npm."), said(5, "User likes tea."), said(6, "User likes tea.")];
    let late = || vec![said(1, "Use yarn."), said(2, "User likes tea.")];
    let (_folder, root) = applied(&[batch()]);
    let ledger = root.join(".ledger/ledger.jsonl");
    let old = fs::read_to_string(&ledger).unwrap().lines().fold(String::new(), |old, line| {
        let mut event: serde_json::Value = serde_json::from_str(line).unwrap();
        for field in ["slug", "body", "judged"] {
            event.as_object_mut().unwrap().remove(field);
        }
        format!("{old}{event}\n")
    });
    fs::write(&ledger, old).unwrap();
    let before = memories(&root);
    apply(&root, batch(), now()).unwrap();
    assert_eq!(memories(&root), before);
    apply(&root, late(), now()).unwrap();
    let (_other_folder, other) = applied(&[[batch(), late()].concat()]);
    assert_eq!(memories(&root), memories(&other));
}

#[test]
fn a_memory_of_another_program_speaks_to_what_comes_after_it() {
    let (_folder, root) = applied(&[vec![said(1, "Use npm.")]]);
    let foreign = |body: &str| {
        format!(
            "---\ntype: profile\nid: prof_ab12\ncreated: 2026-01-31T10:05:00Z\nttl: infinity\nexpires: never\n---\n\n{body}\n"
        )
    };
    fs::write(root.join("profiles/other-ab12.md"), foreign("Use pnpm.")).unwrap();
    // What was there stays; what comes late is older than the other program's word, and what is newer takes its place.
    apply(&root, vec![said(2, "User likes tea.")], now()).unwrap();
    assert_eq!(bodies(&root), ["Use npm.", "Use pnpm.", "User likes tea."]);
    let outcome = apply(&root, vec![said(3, "Use yarn."), said(9, "Use bun.")], now()).unwrap();
    assert_eq!(ops(&outcome), [Op::Skip, Op::Supersede]);
    assert_eq!(bodies(&root), ["Use bun.", "User likes tea."]);
    let text = memories(&root).into_values().find(|text| text.contains("bun")).unwrap();
    assert!(text.contains("prof_ab12"), "{text}");
    // Deleted by hand, it is never written again.
    fs::write(root.join("profiles/other-ab12.md"), foreign("User likes cake.")).unwrap();
    assert_eq!(ops(&apply(&root, vec![said(20, "User likes cake.")], now()).unwrap()), [Op::Confirm]);
    fs::remove_file(root.join("profiles/other-ab12.md")).unwrap();
    assert_eq!(ops(&apply(&root, vec![said(30, "User likes cake.")], now()).unwrap()), [Op::Skip]);
    assert_eq!(bodies(&root), ["Use bun.", "User likes tea."]);
}

#[test]
fn the_same_line_may_say_the_same_twice() {
    let again = |minute: u32| Candidate { said_at: at(minute), ..said(1, "Use pnpm.") };
    let all = vec![again(1), said(2, "Use npm."), again(3), said(4, "Use npm."), again(5)];
    let (_one_folder, one) = applied(std::slice::from_ref(&all));
    let mut backwards: Vec<_> = all.into_iter().map(|each| vec![each]).collect();
    backwards.reverse();
    let (_many_folder, many) = applied(&backwards);
    assert_eq!(memories(&one), memories(&many));
    let before = tree(&many);
    apply(&many, backwards.concat(), now()).unwrap();
    assert_eq!(tree(&many), before);
}

#[test]
fn a_late_request_to_forget_may_bring_a_later_statement_to_life() {
    // The second confirmed the first, which in truth had been forgotten by then.
    let (first, forget, second) = (said(1, "Use pnpm, not npm."), asks_to_forget(2, "Use pnpm."), said(3, "Use pnpm."));
    let third = said(4, "Use pnpm.");
    let (_one_folder, one) = applied(&[vec![first.clone(), forget.clone(), second.clone(), third.clone()]]);
    let (_many_folder, many) = applied(&[vec![first, second], vec![forget, third.clone()]]);
    assert_eq!(memories(&one), memories(&many));
    apply(&many, vec![third, said(9, "Use tabs.")], now()).unwrap();
    apply(&one, vec![said(9, "Use tabs.")], now()).unwrap();
    assert_eq!(memories(&one), memories(&many));
}
