//! What an index may never change: what is shown is what stands in the folders now.

use std::fs;
use std::path::{Path, PathBuf};

use afterword::memory::{Id, Kind, Ttl};
use afterword::search::{Query, search};
use afterword::store::markdown::Document;
use chrono::{Days, NaiveDate};
use tempfile::TempDir;

use super::store::{Made, begin, distractors, put, write};

const INDEX: &str = ".ledger/search.sqlite";

/// A store that is large enough to be given an index, and the file of its memory about bees.
fn store() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let mut memories = vec![Made::profile("User keeps bees in the garden.")];
    memories.extend(distractors(400));
    let ids = write(folder.path(), &memories);
    let file = folder.path().join(format!("profiles/made-up-{}.md", ids[0].suffix()));
    assert_eq!(found(folder.path(), "bees"), ["User keeps bees in the garden."]);
    assert!(folder.path().join(INDEX).exists());
    (folder, file)
}

fn bodies(root: &Path, text: &str, kind: Option<Kind>, today: NaiveDate) -> Vec<String> {
    let answer = search(root, &Query { text, kind, limit: 3, today }).unwrap();
    answer.hits.into_iter().map(|hit| hit.body).collect()
}

fn found(root: &Path, text: &str) -> Vec<String> {
    bodies(root, text, None, begin().date_naive())
}

fn document(body: &str, suffix: &str) -> Document {
    Document {
        kind: Kind::Profile,
        id: Id::parse(&format!("prof_{suffix}")).unwrap(),
        created: begin(),
        ttl: Ttl::Infinity,
        expires: None,
        supersedes: Vec::new(),
        body: body.to_owned(),
    }
}

#[test]
fn what_hands_write_edit_rename_and_delete_shows_at_once() {
    let (folder, file) = store();
    let root = folder.path();
    let text = fs::read_to_string(&file).unwrap();
    // In place, of the same length, in the same moment: nothing but the text tells.
    fs::write(&file, text.replace("bees", "moss")).unwrap();
    assert_eq!(found(root, "bees"), [""; 0]);
    assert_eq!(found(root, "moss"), ["User keeps moss in the garden."]);
    fs::write(root.join("profiles/mine.md"), text.replace("bees", "ferrets").replace("prof_", "prof_x")).unwrap();
    assert_eq!(found(root, "ferrets"), ["User keeps ferrets in the garden."]);
    fs::rename(root.join("profiles/mine.md"), root.join("profiles/ours.md")).unwrap();
    assert_eq!(found(root, "ferrets").len(), 1);
    fs::remove_file(root.join("profiles/ours.md")).unwrap();
    assert_eq!(found(root, "ferrets"), [""; 0]);
}

#[test]
fn an_index_that_is_broken_or_gone_is_made_anew() {
    let (folder, _) = store();
    let root = folder.path();
    for damage in ["", "this is no database at all", "SQLite format 3\0 and no more"] {
        fs::write(root.join(INDEX), damage).unwrap();
        assert_eq!(found(root, "bees").len(), 1, "{damage:?}");
        is_sound(root);
    }
    fs::remove_file(root.join(INDEX)).unwrap();
    assert_eq!(found(root, "bees").len(), 1);
    is_sound(root);
    // Cut in the middle.
    let bytes = fs::read(root.join(INDEX)).unwrap();
    fs::write(root.join(INDEX), &bytes[..bytes.len() / 2]).unwrap();
    assert_eq!(found(root, "bees").len(), 1);
    is_sound(root);
}

/// The index is a whole database again: a search would find the same without it.
#[track_caller]
fn is_sound(root: &Path) {
    let index = rusqlite::Connection::open(root.join(INDEX)).unwrap();
    let verdict: String = index.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    let tables: u32 = index.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0)).unwrap();
    assert!(verdict == "ok" && tables > 0, "{verdict}");
}

#[test]
fn a_store_that_cannot_hold_an_index_is_searched_all_the_same() {
    let (folder, _) = store();
    let root = folder.path();
    fs::remove_file(root.join(INDEX)).unwrap();
    // Whoever runs the tests may write everywhere; a folder in its place can be written by nobody.
    fs::create_dir(root.join(INDEX)).unwrap();
    assert_eq!(found(root, "bees").len(), 1);
}

#[test]
fn a_small_store_gets_no_index_and_no_folder() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &[Made::profile("User keeps bees.")]);
    assert_eq!(found(folder.path(), "bees").len(), 1);
    assert!(!folder.path().join(".ledger").exists());
    assert_eq!(found(&folder.path().join("nowhere"), "bees"), [""; 0]);
}

#[test]
fn what_expired_or_was_superseded_never_appears() {
    let folder = tempfile::tempdir().unwrap();
    let today = begin().date_naive();
    let until = |day| Document { expires: Some(day), ..document("User is on call this week.", "call000001") };
    put(folder.path(), &until(today), "call");
    assert_eq!(found(folder.path(), "on call").len(), 1, "its last day counts");
    assert_eq!(bodies(folder.path(), "on call", None, today + Days::new(1)), [""; 0]);
    let old = document("User drinks black tea.", "tea0000001");
    let new = Document { supersedes: vec![old.id.clone()], ..document("User drinks green tea.", "tea0000002") };
    put(folder.path(), &old, "old");
    put(folder.path(), &new, "new");
    assert_eq!(found(folder.path(), "which tea"), ["User drinks green tea."]);
}

#[test]
fn a_kind_is_not_crowded_out_by_the_other() {
    let folder = tempfile::tempdir().unwrap();
    let many = (0..50).map(|number| Made::profile(format!("User wrote commit number {number} by hand.")));
    let one = Made::playbook("Composing a commit message.", "DO name the ticket.");
    write(folder.path(), &many.chain([one]).collect::<Vec<_>>());
    let bodies = bodies(folder.path(), "commit", Some(Kind::Playbook), begin().date_naive());
    assert!(bodies.len() == 1 && bodies[0].contains("ticket"), "{bodies:?}");
}

#[test]
fn the_newest_of_equals_comes_first() {
    let folder = tempfile::tempdir().unwrap();
    let older = document("User keeps bees.", "bees000001");
    let newer = Document { created: begin() + Days::new(9), ..document("User keeps bees.", "bees000002") };
    put(folder.path(), &older, "a");
    put(folder.path(), &newer, "b");
    let query = Query { text: "bees", kind: None, limit: 3, today: begin().date_naive() };
    let hits = search(folder.path(), &query).unwrap().hits;
    assert_eq!(hits[0].id, newer.id);
}

#[test]
fn a_misspelt_word_finds_what_was_meant() {
    let (folder, _) = store();
    fs::write(folder.path().join("profiles/k.md"), "---\n---\n\nUser runs Kubernetes at home.\n").unwrap();
    for typed in ["kuberentes", "kubernets", "kubernettes"] {
        assert_eq!(found(folder.path(), typed), ["User runs Kubernetes at home."], "{typed}");
    }
}

#[test]
fn traditional_and_simplified_find_each_other() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &[Made::profile("用户的数据库端口是 5433。")]);
    assert_eq!(found(folder.path(), "資料庫的端口").len(), 1);
    assert_eq!(found(folder.path(), "數據庫連接埠").len(), 1);
}

#[test]
fn a_broken_file_is_told_and_hides_nothing() {
    let (folder, _) = store();
    fs::write(folder.path().join("profiles/broken.md"), "User keeps bees, too.").unwrap();
    for _ in 0..2 {
        let query = Query { text: "bees", kind: None, limit: 3, today: begin().date_naive() };
        let answer = search(folder.path(), &query).unwrap();
        assert_eq!((answer.hits.len(), answer.problems.len()), (1, 1));
        assert!(answer.problems[0].path.ends_with("profiles/broken.md"));
    }
}

#[cfg(unix)]
#[test]
fn a_link_is_not_followed() {
    let (folder, file) = store();
    let outside = folder.path().join("outside.md");
    fs::rename(&file, &outside).unwrap();
    std::os::unix::fs::symlink(&outside, &file).unwrap();
    assert_eq!(found(folder.path(), "bees"), [""; 0]);
}
