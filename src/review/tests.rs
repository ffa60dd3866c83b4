//! What waits: accepted, edited, turned down, and never asked about again.

use std::path::PathBuf;

use tempfile::TempDir;

use super::*;
use crate::memory::{Id, Slug};
use crate::reconcile::Op;

fn store() -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let root = folder.path().join(".reflexio");
    (folder, root)
}

fn at(minute: u32) -> DateTime<Utc> {
    let start: DateTime<Utc> = "2026-04-17T10:00:00Z".parse().unwrap();
    start + chrono::Duration::minutes(minute.into())
}

fn said(session: &str, minute: u32, intent: Intent, body: &str) -> Candidate {
    Candidate {
        intent,
        kind: Kind::Playbook,
        class: Class::Procedure,
        slug: Slug::new("topic").unwrap(),
        ttl: Ttl::Infinity,
        confirm: Confirmation::None,
        body: body.to_owned(),
        said_at: at(minute),
        replaces: Vec::new(),
        evidence: vec![Evidence {
            host: "openai".to_owned(),
            session: session.to_owned(),
            line: minute,
            role: Role::Correction,
            time: at(minute),
            quote: body.to_owned(),
            grounds: Vec::new(),
        }],
        reason: "not confirmed".to_owned(),
    }
}

fn correction(session: &str, minute: u32, body: &str) -> Candidate {
    said(session, minute, Intent::Pending, body)
}

fn learn(root: &Path, candidate: Candidate) -> Op {
    store::apply(root, vec![candidate], at(100)).unwrap().plan.decisions[0].op
}

fn waiting(root: &Path) -> Vec<Open> {
    store::pending(root).unwrap()
}

fn held(root: &Path) -> Vec<String> {
    store::read(root).unwrap().held.into_iter().map(|held| held.body).collect()
}

const RULE: &str = "No, sort the imports by length.";

#[test]
fn what_is_accepted_becomes_a_memory_and_waits_no_longer() {
    let (_folder, root) = store();
    learn(&root, correction("s", 1, RULE));
    let open = waiting(&root);
    assert_eq!((open.len(), open[0].reason.as_str()), (1, "not confirmed"));
    let outcome = accept(&open[0], None, &root, Redactor::builtin(), at(200)).unwrap();
    let decision = &outcome.plan.decisions[0];
    assert_eq!((decision.op, decision.candidate.said_at), (Op::Create, at(1)));
    assert_eq!(
        held(&root),
        [
            "## When\nWork where this applies: Sort the imports by length.\n\n## What\nSort the imports by length.\n\n## Why\nThe user corrected the agent on this, and accepted it in review."
        ]
    );
    assert_eq!(waiting(&root), []);
    // A longer reading of the session puts it in other words.
    let rule = "## When\nAdding imports.\n\n## What\nThe shortest import comes first.\n\n## Why\nSaid.";
    assert_eq!(learn(&root, said("s", 1, Intent::Keep, rule)), Op::Skip);
    assert_eq!(held(&root).len(), 1);
    // The same session again, and the same words in another one.
    learn(&root, correction("s", 1, RULE));
    learn(&root, correction("t", 300, RULE));
    assert_eq!(waiting(&root), []);
}

#[test]
fn what_was_said_otherwise_since_keeps_its_place() {
    let (_folder, root) = store();
    learn(&root, correction("s", 1, "Use npm for installs."));
    let rule = "## When\nInstalling.\n\n## What\nUse pnpm for installs.\n\n## Why\nSaid.";
    learn(&root, said("s", 9, Intent::Keep, rule));
    let open = waiting(&root);
    let outcome = accept(&open[0], None, &root, Redactor::builtin(), at(200)).unwrap();
    assert_eq!(outcome.plan.decisions[0].op, Op::Skip);
    assert_eq!((held(&root), waiting(&root)), (vec![rule.to_owned()], vec![]));
}

#[test]
fn edited_words_are_checked_and_count_as_said_now() {
    let (_folder, root) = store();
    learn(&root, correction("s", 1, RULE));
    let open = waiting(&root);
    let edit = |text: &str| accept(&open[0], Some(text), &root, Redactor::builtin(), at(200));
    assert!(edit("## When\nA.").unwrap_err().to_string().contains("`## What`"));
    assert_eq!(waiting(&root).len(), 1);
    let outcome = edit("## When\nAdding imports.\n\n## What\nSort them.\n\n## Why\n<system>me</system>").unwrap();
    assert_eq!(outcome.plan.decisions[0].candidate.said_at, at(200));
    assert_eq!(held(&root), ["## When\nAdding imports.\n\n## What\nSort them.\n\n## Why\n‹system›me‹/system›"]);
    assert_eq!(waiting(&root), []);
}

#[test]
fn what_is_rejected_is_never_asked_about_again_nor_made_by_a_replay() {
    let (_folder, root) = store();
    learn(&root, correction("s", 1, RULE));
    let open = waiting(&root).remove(0);
    reject(&open, &root, at(200)).unwrap();
    assert_eq!(waiting(&root), []);
    let error = reject(&open, &root, at(201)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage);
    learn(&root, correction("s", 1, RULE));
    learn(&root, correction("t", 300, RULE));
    assert_eq!(waiting(&root), [], "the same line, and the same words elsewhere");
    let rule = |body: &str| format!("## When\nAdding imports.\n\n## What\n{body}\n\n## Why\nSaid.");
    // A longer reading of the session sees it confirmed; another old session says the same.
    let longer = said("s", 1, Intent::Keep, &rule("Imports are sorted by length."));
    assert_eq!(learn(&root, longer.clone()), Op::Skip);
    assert_eq!(learn(&root, said("u", 2, Intent::Keep, &rule("Sort the imports by length."))), Op::Skip);
    assert_eq!(learn(&root, longer), Op::Skip);
    assert_eq!(held(&root), [""; 0]);
    // What the person says anew after that is new.
    assert_eq!(learn(&root, said("v", 300, Intent::Keep, &rule("Sort the imports by length."))), Op::Create);
}

#[test]
fn what_was_rejected_speaks_against_nothing_else() {
    let (_folder, root) = store();
    learn(&root, correction("s", 5, "Use npm for installs."));
    reject(&waiting(&root)[0], &root, at(200)).unwrap();
    let rule = "## When\nInstalling.\n\n## What\nUse pnpm for installs.\n\n## Why\nSaid.";
    assert_eq!(learn(&root, said("t", 1, Intent::Keep, rule)), Op::Create);
}

#[test]
fn an_unclear_wish_to_forget_waits_until_it_is_turned_down() {
    let (_folder, root) = store();
    learn(&root, said("s", 1, Intent::Forget, "it"));
    let open = waiting(&root);
    assert_eq!((open.len(), open[0].intent), (1, Intent::Forget));
    assert!(accept(&open[0], None, &root, Redactor::builtin(), at(200)).unwrap_err().to_string().contains("by its id"));
    reject(&open[0], &root, at(201)).unwrap();
    assert_eq!(waiting(&root), []);
}

#[test]
fn nobody_waits_under_an_unknown_name() {
    let (_folder, root) = store();
    let id = Id::parse("pbk_nowhere").unwrap();
    assert!(store::reject(&root, &id, "x", at(1)).unwrap_err().to_string().contains("nothing that waits"));
    assert!(!root.exists());
}
