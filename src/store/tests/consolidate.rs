//! Consolidating on the disk: what leaves, what comes, and that it stays so.

use super::*;

/// A memory of another program, as the original writes it.
fn found(root: &Path, kind: Kind, id: &str, front: &str, body: &str) -> PathBuf {
    let folder = root.join(kind.folder());
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(format!("topic-{id}.md"));
    let text = format!("---\ntype: {}\nid: {}_{id}\n{front}---\n\n{body}\n", kind.word(), kind.prefix());
    fs::write(&path, text).unwrap();
    path
}

fn profile(root: &Path, id: &str, day: u32, body: &str) -> PathBuf {
    let front = format!("created: 2026-01-{day:02}T10:00:00Z\nttl: infinity\nexpires: never\n");
    found(root, Kind::Profile, id, &front, body)
}

fn run(root: &Path, minute: u32) -> Consolidated {
    let dress = Dress { clean: &|text| text.replace("hunter22", "[redacted]"), topic: &|_| Slug::new("cut").unwrap() };
    let now = now() + chrono::Duration::minutes(minute.into());
    let preview = consolidation(root, dress, now).unwrap();
    let done = consolidate(root, dress, now).unwrap();
    assert_eq!((&preview.merges, &preview.made), (&done.merges, &done.made));
    done
}

#[test]
fn two_files_of_one_fact_become_one_that_names_both() {
    let (_folder, root) = store();
    profile(&root, "a1b0", 2, "User prefers concise answers.");
    profile(&root, "c2d0", 3, "User likes short responses.");
    profile(&root, "e3f0", 4, "User has a dog.");
    let done = run(&root, 0);
    assert_eq!(done.written.len(), 3);
    let id = &done.made[0];
    assert_eq!(
        memories(&root)[&format!("profiles/topic-{}.md", id.suffix())],
        format!(
            "---\ntype: profile\nid: {id}\ncreated: 2026-01-03T10:00:00Z\nttl: infinity\nexpires: never\nsupersedes: [prof_a1b0, prof_c2d0]\n---\n\nUser prefers concise answers.\n"
        )
    );
    assert_eq!(bodies(&root), ["User has a dog.", "User prefers concise answers."]);
}

#[test]
fn a_second_run_does_nothing() {
    let (_folder, root) = store();
    profile(&root, "a1b0", 2, "User likes tea. User has a dog.");
    profile(&root, "c2d0", 3, "User likes tea.");
    run(&root, 0);
    let before = tree(&root);
    assert_eq!(run(&root, 5), Consolidated::default());
    assert_eq!(tree(&root), before);
    assert!(before.keys().any(|name| name.starts_with("profiles/cut-")), "{:?}", before.keys());
}

#[test]
fn a_store_with_nothing_to_put_together_is_not_touched() {
    let (_folder, root) = store();
    run(&root, 0);
    assert!(!root.exists());
    profile(&root, "a1b0", 2, "User likes tea.");
    let before = tree(&root);
    run(&root, 0);
    assert_eq!(tree(&root), before);
}

#[test]
fn later_runs_keep_the_result() {
    let (_folder, root) = store();
    profile(&root, "a1b0", 2, "User likes tea.");
    apply(&root, vec![said(1, "User's name is Ann.")], now()).unwrap();
    // It comes from a session, and was there before the plugin wrote its own.
    apply(&root, vec![said(2, "User plays chess.")], now()).unwrap();
    profile(&root, "c2d0", 3, "User is a chess player. User plays chess.");
    profile(&root, "e3f0", 4, "User likes tea!");
    let done = run(&root, 0);
    assert_eq!(done.merges.len(), 2);
    let before = memories(&root);
    apply(&root, vec![said(1, "User's name is Ann."), said(2, "User plays chess.")], now()).unwrap();
    assert_eq!(memories(&root), before);
    let later =
        |minute: u32, body: &str| Candidate { said_at: now() + chrono::Duration::hours(2), ..said(minute, body) };
    assert_eq!(ops(&apply(&root, vec![later(3, "User likes tea.")], now()).unwrap()), [Op::Confirm]);
    assert_eq!(ops(&apply(&root, vec![later(4, "User has a dog.")], now()).unwrap()), [Op::Create]);
    assert_eq!(memories(&root).len(), before.len() + 1);
    assert_eq!(ops(&apply(&root, vec![later(5, "User no longer likes tea.")], now()).unwrap()), [Op::Supersede]);
    let superseded = |id: &crate::memory::Id| format!("supersedes: [{id}]");
    let texts = memories(&root);
    assert!(done.made.iter().any(|id| texts.values().any(|text| text.contains(&superseded(id)))));
}

#[test]
fn an_older_statement_that_comes_late_makes_no_double() {
    let (_folder, root) = store();
    profile(&root, "a1b0", 2, "User likes tea. User has a dog.");
    profile(&root, "c2d0", 3, "User likes tea.");
    run(&root, 0);
    let before = memories(&root);
    let early = Candidate { said_at: "2026-01-01T00:00:00Z".parse().unwrap(), ..said(1, "User has a dog.") };
    assert_eq!(ops(&apply(&root, vec![early], now()).unwrap()), [Op::Confirm]);
    assert_eq!(memories(&root), before);
}

#[test]
fn undo_takes_it_back_for_good() {
    for pick in 0..2 {
        let (_folder, root) = store();
        profile(&root, "a1b0", 2, "User likes tea.");
        apply(&root, vec![said(1, "User's name is Ann.")], now()).unwrap();
        profile(&root, "c2d0", 3, "User likes tea!");
        let before = memories(&root);
        let made = run(&root, 0).made;
        let id = [made[0].clone(), crate::memory::Id::parse("prof_a1b0").unwrap()][pick].clone();
        undo(&root, &id, now() + chrono::Duration::minutes(1)).unwrap();
        assert_eq!(memories(&root), before);
        assert_eq!(run(&root, 2), Consolidated::default(), "what the person brought back is theirs");
        apply(&root, vec![said(2, "User plays chess.")], now()).unwrap();
        assert_eq!(memories(&root).len(), before.len() + 1);
    }
}

#[test]
fn what_the_person_edited_is_never_touched() {
    let (_folder, root) = store();
    let path = profile(&root, "a1b0", 2, "User likes tea.");
    apply(&root, vec![said(1, "User's name is Ann.")], now()).unwrap();
    fs::write(&path, fs::read_to_string(&path).unwrap().replace("tea", "green tea")).unwrap();
    profile(&root, "c2d0", 3, "User likes green tea.");
    let before = memories(&root);
    assert_eq!(run(&root, 0), Consolidated::default());
    assert_eq!(memories(&root), before);
}

#[test]
fn what_was_made_is_the_person_s_to_edit_and_to_delete() {
    let (_folder, root) = store();
    profile(&root, "a1b0", 2, "User likes tea.");
    profile(&root, "c2d0", 3, "User likes tea!");
    let path = run(&root, 0).written.iter().find(|file| file.change == Change::Created).unwrap().path.clone();
    fs::write(&path, fs::read_to_string(&path).unwrap().replace("tea", "green tea")).unwrap();
    let outcome = apply(&root, vec![said(1, "User likes green tea.")], now()).unwrap();
    assert_eq!((ops(&outcome), bodies(&root)), (vec![Op::Skip], vec!["User likes green tea.".to_owned()]));
    fs::remove_file(&path).unwrap();
    let anew = Candidate { said_at: now() + chrono::Duration::days(1), ..said(2, "User likes tea.") };
    assert_eq!(ops(&apply(&root, vec![anew], now()).unwrap()), [Op::Skip]);
    assert_eq!(memories(&root).len(), 0);
}

#[test]
fn an_expired_profile_lends_nobody_its_life() {
    let (_folder, root) = store();
    let front = "created: 2026-01-01T10:00:00Z\nttl: one_week\nexpires: 2026-01-08\n";
    found(&root, Kind::Profile, "a1b0", front, "User is on call.");
    profile(&root, "c2d0", 3, "User is on call!");
    assert_eq!(run(&root, 0), Consolidated::default());
}

/// Defect 3 of the original: it could delete any file that a search found.
#[test]
fn files_that_are_no_memories_are_never_touched() {
    let (_folder, root) = store();
    profile(&root, "a1b0", 2, "User likes tea.");
    profile(&root, "c2d0", 3, "User likes tea!");
    let notes = root.parent().unwrap().join("profiles");
    fs::create_dir_all(&notes).unwrap();
    fs::write(notes.join("mine.md"), "---\nid: prof_mine\n---\n\nUser likes tea.\n").unwrap();
    fs::write(root.join("profiles/plain.md"), "User likes tea.\n").unwrap();
    run(&root, 0);
    assert!(notes.join("mine.md").exists() && root.join("profiles/plain.md").exists());
}

/// Defect 8 of the original: a bad slug threw midway, and `id:` was read outside of the front matter.
#[test]
fn odd_files_neither_stop_it_nor_mislead_it() {
    let (_folder, root) = store();
    profile(&root, "a1b0", 2, "User likes tea.\n\nid: prof_c2d0\ncreated: 2030-01-01T00:00:00Z");
    profile(&root, "c2d0", 3, "User has a dog.");
    let odd = profile(&root, "e3f0", 4, "User has a dog!");
    fs::rename(&odd, root.join("profiles/Ünusual Name.md")).unwrap();
    let done = run(&root, 0);
    assert_eq!(done.merges[0].sources.iter().map(|id| id.as_str()).collect::<Vec<_>>(), ["prof_c2d0", "prof_e3f0"]);
    assert_eq!(memories(&root).len(), 2);
}

#[test]
fn what_other_hands_wrote_is_cleaned_when_it_is_written_again() {
    let (_folder, root) = store();
    profile(&root, "a1b0", 2, "User's password is hunter22.");
    profile(&root, "c2d0", 3, "User's password is hunter22!");
    run(&root, 0);
    assert_eq!(bodies(&root), ["User's password is [redacted]."]);
}

#[test]
fn a_run_that_consolidated_can_be_taken_back_and_let_stand_again() {
    let (_folder, root) = store();
    profile(&root, "a1b0", 2, "User likes tea. User has a dog.");
    apply(&root, vec![said(1, "User's name is Ann.")], now()).unwrap();
    profile(&root, "c2d0", 3, "User likes tea!");
    let before = memories(&root);
    run(&root, 1);
    let after = memories(&root);
    let last = || runs(&history(&root).unwrap()).last().unwrap().name;
    let later = |minute: i64| now() + chrono::Duration::minutes(minute);
    undo_run(&root, last(), later(2)).unwrap();
    assert_eq!(memories(&root), before);
    apply(&root, vec![said(1, "User's name is Ann.")], later(3)).unwrap();
    assert_eq!((memories(&root), run(&root, 4)), (before, Consolidated::default()));
    undo_run(&root, last(), later(5)).unwrap();
    assert_eq!(memories(&root), after);
    apply(&root, vec![said(2, "User plays chess.")], later(6)).unwrap();
    assert_eq!(memories(&root).len(), after.len() + 1);
}
