//! What the person asks for by name.

use super::*;

#[test]
fn undo_brings_back_what_left_and_takes_away_what_came() {
    let (_folder, root) = store();
    apply(&root, vec![said(1, "Use npm.")], now()).unwrap();
    let before = memories(&root);
    let outcome = apply(&root, vec![said(2, "Use pnpm.")], now()).unwrap();
    let id = outcome.plan.decisions[0].id.clone().unwrap();
    undo(&root, &id, now()).unwrap();
    assert_eq!(memories(&root), before);
    let replay = apply(&root, vec![said(1, "Use npm."), said(2, "Use pnpm.")], now()).unwrap();
    assert_eq!(ops(&replay), [Op::Confirm, Op::Skip]);
    assert_eq!(memories(&root), before);
    undo(&root, &id, now()).unwrap();
    assert_eq!(bodies(&root), ["Use pnpm."]);
}

#[test]
fn what_expired_or_was_forgotten_by_name_needs_a_newer_statement() {
    let (_folder, root) = store();
    let short = Candidate { ttl: Ttl::OneDay, ..said(1, "User is on call.") };
    let outcome = apply(&root, vec![short.clone(), said(2, "User likes tea.")], now()).unwrap();
    let day = |text: &str| text.parse().unwrap();
    assert!(sweep(&root, day("2026-02-01"), now()).unwrap().is_empty(), "the last day counts");
    assert_eq!(sweep(&root, day("2026-02-02"), now()).unwrap().len(), 1);
    let tea = outcome.plan.decisions[1].id.clone().unwrap();
    assert_eq!(forget(&root, std::slice::from_ref(&tea), "asked", now()).unwrap().len(), 1);
    assert!(forget(&root, &[tea], "asked", now()).is_err());
    let again = vec![short, said(3, "User likes tea.")];
    assert_eq!(ops(&apply(&root, again, now()).unwrap()), [Op::Skip, Op::Skip]);
    let later = Candidate { said_at: now() + chrono::Duration::days(1), ..said(4, "User likes tea.") };
    assert_eq!(ops(&apply(&root, vec![later], now()).unwrap()), [Op::Create]);
}

/// Another time for each run: runs are told apart by it.
fn run(number: u32) -> DateTime<Utc> {
    now() + chrono::Duration::minutes(number.into())
}

#[test]
fn a_run_that_is_taken_back_leaves_the_store_as_it_was_to_the_byte() {
    let (_folder, root) = store();
    let short = Candidate { ttl: Ttl::OneMonth, ..said(1, "User is on call.") };
    let first = vec![short, said(2, "Use npm."), said(3, "User likes green tea.")];
    apply(&root, first.clone(), run(1)).unwrap();
    let before = memories(&root);
    // It lets live longer, replaces, forgets and makes.
    let longer = Candidate { ttl: Ttl::OneYear, ..said(11, "User is on call.") };
    let second = vec![longer, said(12, "Use pnpm."), asks_to_forget(13, "green tea"), said(14, "User plays chess.")];
    let name = apply(&root, second.clone(), run(2)).unwrap().run.unwrap();
    let after = memories(&root);
    assert_eq!(name, RunName(2));
    undo_run(&root, name, run(3)).unwrap();
    assert_eq!(memories(&root), before);
    // The same sessions again bring nothing back, in whatever reading.
    apply(&root, [first, second.clone()].concat(), run(4)).unwrap();
    assert_eq!(memories(&root), before);
    undo_run(&root, RunName(3), run(5)).unwrap();
    assert_eq!(memories(&root), after);
    assert!(undo_run(&root, RunName(9), run(6)).unwrap_err().to_string().contains("no run r9"));
}

#[test]
fn what_was_taken_back_comes_with_the_next_time_it_is_said() {
    let (_folder, root) = store();
    apply(&root, vec![said(1, "Use npm.")], run(1)).unwrap();
    undo_run(&root, RunName(1), run(2)).unwrap();
    let error = undo_run(&root, RunName(1), run(3)).unwrap_err().to_string();
    assert!(error.contains("taken back already by r2"), "{error}");
    // Another reading of the same line is nothing new.
    let reworded = Candidate { reason: "judged by newer rules".into(), ..said(1, "Use npm.") };
    assert_eq!(ops(&apply(&root, vec![reworded], run(4)).unwrap()), [Op::Skip]);
    assert_eq!(ops(&apply(&root, vec![said(7, "Use npm.")], run(5)).unwrap()), [Op::Create]);
}

#[test]
fn a_run_that_is_taken_back_leaves_alone_what_hands_did_since() {
    let (_folder, root) = store();
    apply(&root, vec![said(1, "User likes tea."), said(2, "User has a dog."), said(3, "Use npm.")], run(1)).unwrap();
    for (name, text) in memories(&root) {
        if text.contains("tea") {
            fs::write(root.join(&name), text.replace("tea", "green tea")).unwrap();
        } else if text.contains("dog") {
            fs::remove_file(root.join(&name)).unwrap();
        }
    }
    undo_run(&root, RunName(1), run(2)).unwrap();
    assert_eq!(bodies(&root), ["User likes green tea."]);
    undo_run(&root, RunName(2), run(3)).unwrap();
    assert_eq!(bodies(&root), ["Use npm.", "User likes green tea."]);
}

#[test]
fn an_edited_memory_that_was_forgotten_comes_back_as_edited() {
    let (_folder, root) = store();
    apply(&root, vec![said(1, "User likes green tea.")], run(1)).unwrap();
    let (name, text) = memories(&root).pop_first().unwrap();
    fs::write(root.join(&name), text.replace("green tea", "green tea a lot")).unwrap();
    fs::File::options().write(true).open(root.join(&name)).unwrap().set_modified(at(2).into()).unwrap();
    let before = memories(&root);
    apply(&root, vec![asks_to_forget(5, "green tea")], run(2)).unwrap();
    assert!(memories(&root).is_empty());
    undo_run(&root, RunName(2), run(3)).unwrap();
    assert_eq!(memories(&root), before);
    // It is still the person's: nothing replaces it.
    assert_eq!(ops(&apply(&root, vec![said(9, "User likes green tea.")], run(4)).unwrap()), [Op::Skip]);
    assert_eq!(memories(&root), before);
}

#[test]
fn a_file_deleted_by_hand_comes_back_by_name() {
    let (_folder, root) = store();
    let outcome = apply(&root, vec![said(1, "Use npm.")], run(1)).unwrap();
    let before = memories(&root);
    fs::remove_file(root.join(before.keys().next().unwrap())).unwrap();
    undo(&root, outcome.plan.decisions[0].id.as_ref().unwrap(), run(2)).unwrap();
    assert_eq!(memories(&root), before);
    assert_eq!(ops(&apply(&root, vec![said(9, "Use npm.")], run(3)).unwrap()), [Op::Confirm]);
}

#[test]
fn what_comes_back_by_name_makes_room_for_itself() {
    let (_folder, root) = store();
    let batch = vec![said(1, "Use npm."), said(2, "Use pnpm."), said(3, "Use yarn.")];
    let outcome = apply(&root, batch, run(1)).unwrap();
    assert_eq!(bodies(&root), ["Use yarn."]);
    undo(&root, outcome.plan.decisions[0].id.as_ref().unwrap(), run(2)).unwrap();
    assert_eq!(bodies(&root), ["Use npm."]);
    undo_run(&root, RunName(2), run(3)).unwrap();
    assert_eq!(bodies(&root), ["Use yarn."]);
}

#[test]
fn a_clock_that_was_set_back_undoes_what_it_did_ahead() {
    let (_folder, root) = store();
    let id = apply(&root, vec![said(1, "Use npm.")], run(1)).unwrap().plan.decisions[0].id.clone().unwrap();
    let ahead = now() + chrono::Duration::days(400);
    forget(&root, std::slice::from_ref(&id), "asked", ahead).unwrap();
    undo(&root, &id, run(2)).unwrap();
    assert_eq!(bodies(&root), ["Use npm."]);
    apply(&root, vec![said(5, "User has a dog.")], run(3)).unwrap();
    assert_eq!(bodies(&root), ["Use npm.", "User has a dog."]);
}

#[test]
fn a_clock_that_stands_still_tells_commands_apart() {
    let (_folder, root) = store();
    let id = apply(&root, vec![said(1, "Use npm.")], now()).unwrap().plan.decisions[0].id.clone().unwrap();
    forget(&root, std::slice::from_ref(&id), "asked", now()).unwrap();
    undo_run(&root, RunName(2), now()).unwrap();
    assert_eq!(bodies(&root), ["Use npm."]);
    undo_run(&root, RunName(3), now()).unwrap();
    assert!(bodies(&root).is_empty());
}

#[test]
fn grounds_explain_and_make_no_statement_new() {
    let (_folder, root) = store();
    apply(&root, vec![said(1, "Use npm.")], run(1)).unwrap();
    let before = tree(&root);
    let mut again = said(1, "Use npm.");
    again.evidence[0].grounds = vec![crate::memory::Ground { name: "en.config.use".into(), weight: 240 }];
    apply(&root, vec![again], run(2)).unwrap();
    assert_eq!(tree(&root), before);
}

#[test]
fn an_undo_of_a_deletion_by_hand_can_be_taken_back() {
    let (_folder, root) = store();
    let id = apply(&root, vec![said(1, "Use yarn.")], run(1)).unwrap().plan.decisions[0].id.clone().unwrap();
    let (name, _) = memories(&root).pop_first().unwrap();
    fs::remove_file(root.join(name)).unwrap();
    apply(&root, vec![said(2, "Use npm.")], run(2)).unwrap();
    let before = memories(&root);
    let undone = amend(&root, Wish::Undo(&id), run(3)).unwrap();
    assert_eq!(bodies(&root), ["Use yarn."]);
    amend(&root, Wish::UndoRun(undone.run.unwrap()), run(4)).unwrap();
    assert_eq!(memories(&root), before);
    assert_eq!(ops(&apply(&root, vec![said(9, "Use yarn.")], run(5)).unwrap()), [Op::Skip], "deleted it stays");
}

#[test]
fn an_edit_by_hand_changes_nothing_that_was_decided_before_it() {
    let (_folder, root) = store();
    apply(&root, vec![said(1, "User likes tea.")], run(1)).unwrap();
    let (name, text) = memories(&root).pop_first().unwrap();
    fs::write(root.join(&name), text.replace("tea", "green tea")).unwrap();
    let known = vec![said(5, "User likes green tea.")];
    assert_eq!(ops(&apply(&root, known.clone(), run(2)).unwrap()), [Op::Skip]);
    // Edited on, the file no longer says what kept that statement out; it stays out all the same.
    fs::write(root.join(&name), text.replace("tea", "black tea")).unwrap();
    apply(&root, [known, vec![said(6, "User has a dog.")]].concat(), run(3)).unwrap();
    assert_eq!(bodies(&root), ["User has a dog.", "User likes black tea."]);
}

#[test]
fn what_stood_together_comes_back_together() {
    let (_folder, root) = store();
    apply(&root, vec![said(1, "Use npm.")], run(1)).unwrap();
    let front = "---\ntype: profile\nid: prof_mine\ncreated: 2026-01-31T10:02:00Z\n---\n\n";
    fs::write(root.join("profiles/mine-mine.md"), format!("{front}Use pnpm.\n")).unwrap();
    let before = memories(&root);
    apply(&root, vec![said(9, "Use yarn.")], run(2)).unwrap();
    assert_eq!(bodies(&root), ["Use yarn."]);
    amend(&root, Wish::Undo(&crate::memory::Id::parse("prof_mine").unwrap()), run(3)).unwrap();
    assert_eq!(memories(&root), before);
}
