//! The store as a whole: decisions that reach the disk, and hands that changed it.

mod amend;
mod laws;
mod order;

use std::collections::BTreeMap;
use std::fs;

use tempfile::TempDir;

use super::*;
use crate::memory::{Candidate, Class, Confirmation, Evidence, Intent, Kind, Role, Slug, Ttl};
use crate::reconcile::Op;

fn at(minute: u32) -> DateTime<Utc> {
    let start: DateTime<Utc> = "2026-01-31T10:00:00Z".parse().unwrap();
    start + chrono::Duration::minutes(minute.into())
}

fn now() -> DateTime<Utc> {
    "2026-03-01T00:00:00Z".parse().unwrap()
}

/// A profile said at a minute, on a line of the same number.
fn said(minute: u32, body: &str) -> Candidate {
    Candidate {
        intent: Intent::Keep,
        kind: Kind::Profile,
        class: Class::Preference,
        slug: Slug::new("topic").unwrap(),
        ttl: Ttl::Infinity,
        confirm: Confirmation::None,
        body: body.into(),
        said_at: at(minute),
        replaces: Vec::new(),
        evidence: vec![Evidence {
            host: "openai".into(),
            session: "s1".into(),
            line: minute,
            role: Role::Statement,
            time: at(minute),
            quote: body.into(),
        }],
        reason: "stated".into(),
    }
}

fn asks_to_forget(minute: u32, body: &str) -> Candidate {
    Candidate { intent: Intent::Forget, ..said(minute, body) }
}

fn ops(outcome: &Outcome) -> Vec<Op> {
    outcome.plan.decisions.iter().map(|decision| decision.op).collect()
}

/// Every file under the store with its bytes; the lock is no content.
fn tree(root: &Path) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            if entry.path().is_dir() {
                folders.push(entry.path());
            } else if entry.file_name() != "lock" {
                let name = entry.path().strip_prefix(root).unwrap().to_string_lossy().into_owned();
                files.insert(name, fs::read_to_string(entry.path()).unwrap());
            }
        }
    }
    files
}

fn memories(root: &Path) -> BTreeMap<String, String> {
    let mut files = tree(root);
    files.retain(|name, _| name.ends_with(".md"));
    files
}

fn bodies(root: &Path) -> Vec<String> {
    let mut bodies: Vec<String> = read(root).unwrap().held.into_iter().map(|held| held.body).collect();
    bodies.sort();
    bodies
}

fn store() -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let root = folder.path().join(".reflexio");
    (folder, root)
}

#[test]
fn a_new_store_holds_the_memory_the_ledger_and_the_ignore_file() {
    let (_folder, root) = store();
    let outcome = apply(&root, vec![said(1, "User likes tea.")], now()).unwrap();
    assert_eq!(ops(&outcome), [Op::Create]);
    let files = tree(&root);
    assert_eq!(files[".gitignore"], "*\n");
    assert_eq!(files.len(), 3);
    let (name, text) = memories(&root).pop_first().unwrap();
    let id = outcome.plan.decisions[0].id.clone().unwrap();
    assert_eq!(name, format!("profiles/topic-{}.md", id.suffix()));
    assert_eq!(
        text,
        format!(
            "---\ntype: profile\nid: {id}\ncreated: 2026-01-31T10:01:00Z\nttl: infinity\nexpires: never\n---\n\nUser likes tea.\n"
        )
    );
    assert_eq!(outcome.written.len(), 1);
    fs::remove_file(root.join(".gitignore")).unwrap();
    apply(&root, vec![said(2, "User has a dog.")], now()).unwrap();
    assert!(!root.join(".gitignore").exists(), "the person took it away");
}

#[test]
fn preview_and_idle_runs_touch_nothing() {
    let (_folder, root) = store();
    assert_eq!(ops(&preview(&root, vec![said(1, "User likes tea.")]).unwrap()), [Op::Create]);
    apply(&root, vec![], now()).unwrap();
    assert!(!root.exists());
}

#[test]
fn the_same_again_confirms_and_lives_longer() {
    let (_folder, root) = store();
    let short = Candidate { ttl: Ttl::OneMonth, ..said(1, "User is on call.") };
    apply(&root, vec![short], now()).unwrap();
    let longer = Candidate { ttl: Ttl::OneYear, ..said(9, "User is on call.") };
    let outcome = apply(&root, vec![longer.clone()], now()).unwrap();
    assert_eq!(ops(&outcome), [Op::Confirm]);
    assert_eq!(outcome.written[0].change, Change::Rewritten);
    let text = memories(&root).pop_first().unwrap().1;
    assert!(text.contains("ttl: one_year\nexpires: 2027-01-31\n"), "{text}");
    let before = tree(&root);
    let outcome = apply(&root, vec![longer], now()).unwrap();
    assert!(!outcome.plan.decisions[0].new && outcome.written.is_empty());
    assert_eq!(tree(&root), before);
    assert_eq!(read(&root).unwrap().held[0].places.len(), 2);
}

#[test]
fn time_of_statement_decides_whatever_the_order_of_runs() {
    let (_folder, root) = store();
    apply(&root, vec![said(5, "Use pnpm.")], now()).unwrap();
    let late = apply(&root, vec![said(2, "Use npm.")], now()).unwrap();
    assert_eq!(ops(&late), [Op::Skip]);
    let newer = apply(&root, vec![said(7, "Use yarn.")], now()).unwrap();
    assert_eq!(ops(&newer), [Op::Supersede]);
    // The superseded one does not come back, nor does anything older than it.
    let replay = apply(&root, vec![said(2, "Use npm."), said(5, "Use pnpm."), said(6, "Use pnpm.")], now()).unwrap();
    assert_eq!(ops(&replay), [Op::Skip, Op::Skip, Op::Skip]);
    assert_eq!(bodies(&root), ["Use yarn."]);
    let back = apply(&root, vec![said(8, "Use pnpm.")], now()).unwrap();
    assert_eq!(ops(&back), [Op::Supersede]);
    assert!(memories(&root).pop_first().unwrap().1.contains("supersedes: [prof_"));
}

#[test]
fn a_batch_means_the_same_as_single_runs() {
    let (_folder, root) = store();
    let batch = vec![said(3, "Use npm."), said(1, "Use npm."), said(2, "Use pnpm.")];
    assert_eq!(ops(&apply(&root, batch.clone(), now()).unwrap()), [Op::Create, Op::Supersede, Op::Supersede]);
    let before = tree(&root);
    let again = apply(&root, batch, now()).unwrap();
    assert!(again.plan.decisions.iter().all(|decision| !decision.new));
    assert_eq!(tree(&root), before);
}

#[test]
fn what_hands_did_stays() {
    let (_folder, root) = store();
    apply(&root, vec![said(1, "User likes tea."), said(2, "User's name is Ann.")], now()).unwrap();
    for (name, text) in memories(&root) {
        if text.contains("tea") {
            fs::remove_file(root.join(name)).unwrap();
        } else {
            fs::write(root.join(name), text.replace("Ann", "Anna")).unwrap();
        }
    }
    let before = memories(&root);
    let again = vec![
        said(1, "User likes tea."),
        said(50, "User likes tea."),
        said(51, "User's name is Ann."),
        said(52, "User's name is Bob."),
    ];
    let outcome = apply(&root, again.clone(), now()).unwrap();
    assert_eq!(ops(&outcome), [Op::Skip, Op::Skip, Op::Skip, Op::Skip]);
    assert_eq!(memories(&root), before);
    let before = tree(&root);
    let outcome = apply(&root, again, now()).unwrap();
    assert!(outcome.plan.decisions.iter().all(|decision| decision.op == Op::Skip && !decision.new));
    assert_eq!(tree(&root), before);
}

#[test]
fn line_ends_are_no_edit() {
    let (_folder, root) = store();
    apply(&root, vec![said(1, "Use npm.")], now()).unwrap();
    let (name, text) = memories(&root).pop_first().unwrap();
    fs::write(root.join(name), text.replace('\n', "\r\n")).unwrap();
    assert_eq!(ops(&apply(&root, vec![said(2, "Use pnpm.")], now()).unwrap()), [Op::Supersede]);
    assert_eq!(bodies(&root), ["Use pnpm."]);
}

#[test]
fn forgetting_removes_what_is_older_and_lets_the_newer_in() {
    let (_folder, root) = store();
    apply(&root, vec![said(1, "User likes green tea."), said(2, "User's name is Ann.")], now()).unwrap();
    let outcome = apply(&root, vec![asks_to_forget(5, "that I like green tea")], now()).unwrap();
    assert_eq!(ops(&outcome), [Op::Forget]);
    assert_eq!(bodies(&root), ["User's name is Ann."]);
    let before = memories(&root);
    let replay = vec![
        said(1, "User likes green tea."),
        said(3, "User really likes green tea."),
        asks_to_forget(5, "that I like green tea"),
    ];
    assert_eq!(ops(&apply(&root, replay, now()).unwrap()), [Op::Skip, Op::Skip, Op::Skip]);
    assert_eq!(memories(&root), before);
    assert_eq!(ops(&apply(&root, vec![said(9, "User likes green tea.")], now()).unwrap()), [Op::Create]);
}

#[test]
fn pending_is_noted_once_and_has_no_file() {
    let (_folder, root) = store();
    let pending = Candidate { intent: Intent::Pending, ..said(1, "Sort the imports.") };
    apply(&root, vec![pending.clone()], now()).unwrap();
    let before = tree(&root);
    assert_eq!(before.len(), 2);
    assert_eq!(ops(&apply(&root, vec![pending], now()).unwrap()), [Op::Pending]);
    assert_eq!(tree(&root), before);
}

#[test]
fn a_rule_is_never_both_profile_and_playbook() {
    let (_folder, root) = store();
    apply(&root, vec![said(1, "Use pnpm, not npm.")], now()).unwrap();
    let playbook = Candidate {
        kind: Kind::Playbook,
        class: Class::Procedure,
        body: "## When\nInstalling packages.\n\n## What\nUse pnpm, not npm.\n\n## Why\nUser corrected this.".into(),
        ..said(2, "")
    };
    assert_eq!(ops(&apply(&root, vec![playbook], now()).unwrap()), [Op::Confirm]);
}

#[test]
fn broken_files_are_problems_and_stay_as_they_are() {
    let (_folder, root) = store();
    apply(&root, vec![said(1, "Use npm.")], now()).unwrap();
    let (name, _) = memories(&root).pop_first().unwrap();
    fs::write(root.join(&name), "---\nid: [\n---\nUse npm.").unwrap();
    fs::write(root.join("profiles/note.md"), b"\xff\xfe").unwrap();
    fs::write(root.join("profiles/other-ab12.md"), "---\ntype: profile\nid: prof_ab12\ncreated: 2026-01-01T00:00:00Z\nttl: infinity\nexpires: never\n---\n\nUser likes tea.\n").unwrap();
    let outcome =
        apply(&root, vec![said(1, "Use npm."), said(2, "Use pnpm."), said(3, "User likes tea.")], now()).unwrap();
    assert_eq!(ops(&outcome), [Op::Skip, Op::Skip, Op::Confirm]);
    assert_eq!(outcome.problems.len(), 3, "{:?}", outcome.problems);
}

#[test]
fn a_store_of_links_or_files_is_refused() {
    let (folder, root) = store();
    fs::write(&root, "x").unwrap();
    let error = apply(&root, vec![said(1, "Use npm.")], now()).unwrap_err();
    assert!(error.to_string().contains("a file stands where"), "{error}");
    fs::remove_file(&root).unwrap();
    #[cfg(unix)]
    {
        fs::create_dir(&root).unwrap();
        std::os::unix::fs::symlink(folder.path(), root.join("profiles")).unwrap();
        let error = apply(&root, vec![said(1, "Use npm.")], now()).unwrap_err();
        assert!(error.to_string().contains("symbolic link"), "{error}");
    }
    let nested = folder.path().join("plain.txt");
    fs::write(&nested, "x").unwrap();
    assert!(apply(&nested.join(".reflexio"), vec![said(1, "Use npm.")], now()).is_err());
}
