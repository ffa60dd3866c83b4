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
