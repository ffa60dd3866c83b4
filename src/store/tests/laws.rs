//! What holds for every history: crashes, torn ledgers, races, repetition and order.

use proptest::prelude::*;

use super::*;

/// A history with every kind of step: a new file, a rewrite, a removal, a file that comes and goes in one batch.
fn eventful() -> (Vec<Candidate>, Vec<Candidate>) {
    let short = Candidate { ttl: Ttl::OneMonth, ..said(1, "User is on call.") };
    let first = vec![short, said(2, "Use npm."), said(3, "User likes green tea.")];
    let longer = Candidate { ttl: Ttl::OneYear, ..said(11, "User is on call.") };
    let second = vec![
        longer,
        said(12, "Use pnpm."),
        asks_to_forget(13, "green tea"),
        said(14, "User's name is Ann."),
        said(15, "User's name is Bob."),
    ];
    (first, second)
}

#[test]
fn a_crash_after_any_step_is_completed_by_the_next_run() {
    let (first, second) = eventful();
    let (_folder, root) = store();
    apply(&root, first.clone(), now()).unwrap();
    apply(&root, second.clone(), now()).unwrap();
    let whole = memories(&root);
    assert_eq!(whole.len(), 3);
    for crash in 0.. {
        let (_folder, root) = store();
        apply(&root, first.clone(), now()).unwrap();
        let view = look(&root).unwrap();
        let all = steps(&view, &events(&view, &plan(&view.known, second.clone()), now()), now()).unwrap();
        for step in all.iter().take(crash) {
            perform(&root, step).unwrap();
        }
        let seen = preview(&root, second.clone()).unwrap();
        let outcome = apply(&root, second.clone(), now()).unwrap();
        assert_eq!(seen.plan, outcome.plan);
        assert_eq!(memories(&root), whole, "crash after {crash} steps");
        let before = tree(&root);
        apply(&root, [first.clone(), second.clone()].concat(), now()).unwrap();
        assert_eq!(tree(&root), before, "crash after {crash} steps");
        if crash >= all.len() {
            break;
        }
    }
}

#[test]
fn a_ledger_torn_at_any_byte_is_mended() {
    let (first, second) = eventful();
    let (_folder, root) = store();
    apply(&root, first.clone(), now()).unwrap();
    apply(&root, second.clone(), now()).unwrap();
    let whole = memories(&root);
    for part in 0..60 {
        let (_folder, root) = store();
        apply(&root, first.clone(), now()).unwrap();
        let view = look(&root).unwrap();
        for step in steps(&view, &events(&view, &plan(&view.known, second.clone()), now()), now()).unwrap() {
            if let Step::Append(lines) = step {
                let torn = lines.len() * part / 60;
                disk::append(&root, &lines[..torn]).unwrap();
                break;
            }
        }
        apply(&root, second.clone(), now()).unwrap();
        assert_eq!(memories(&root), whole, "torn at {part}/60");
        assert!(look(&root).unwrap().known.problems.is_empty());
    }
}

#[test]
fn two_processes_lose_nothing_of_each_other() {
    let (_folder, root) = store();
    std::thread::scope(|scope| {
        for worker in 0..2_u32 {
            let root = &root;
            scope.spawn(move || {
                for round in 0..15_u32 {
                    let minute = round * 2 + worker + 1;
                    let body = format!("User keeps a list of words{minute}.");
                    apply(root, vec![said(minute, &body)], now()).unwrap();
                }
            });
        }
    });
    assert_eq!(memories(&root).len(), 30);
    let ledger = look(&root).unwrap().ledger;
    assert_eq!(ledger.done, ledger.events.len());
}

fn batch() -> impl Strategy<Value = Vec<Candidate>> {
    let bodies = prop::sample::select(vec![
        "Use npm.",
        "Use pnpm.",
        "Use pnpm, not npm.",
        "User likes tea.",
        "User doesn't like tea.",
        "用户喜欢猫。",
        "用户不喜欢猫。",
        "User's name is Ann.",
        "User's name is Bob.",
        "Use tabs.",
        "Use spaces in Python.",
    ]);
    let one = (bodies, 1_u32..200, 0_u8..12).prop_map(|(body, minute, what)| match what {
        0 => asks_to_forget(minute, body),
        1 => Candidate { intent: Intent::Pending, ..said(minute, body) },
        2 => Candidate { ttl: Ttl::OneWeek, ..said(minute, body) },
        _ => said(minute, body),
    });
    prop::collection::vec(one, 0..12)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn applying_twice_is_applying_once(batch in batch()) {
        let (_folder, root) = store();
        apply(&root, batch.clone(), now()).unwrap();
        let before = tree(&root);
        let again = apply(&root, batch, now()).unwrap();
        prop_assert!(again.written.is_empty());
        prop_assert_eq!(tree(&root), before);
    }

    #[test]
    fn the_order_of_candidates_does_not_matter(batch in batch(), turn in 0_usize..12) {
        let (_folder, root) = store();
        let (_other_folder, other) = store();
        apply(&root, batch.clone(), now()).unwrap();
        let mut turned = batch;
        let length = turned.len().max(1);
        turned.rotate_left(turn % length);
        turned.reverse();
        if turned.is_empty() { return Ok(()); }
        apply(&other, turned, now()).unwrap();
        prop_assert_eq!(tree(&root), tree(&other));
    }
}
