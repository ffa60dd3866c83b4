//! The home on disk: set up, changed, broken off, edited meanwhile.

use super::*;
use crate::experience::feed;
use crate::experience::feed::tests::{day, said};
use crate::experience::hear::Heard;
use crate::experience::lesson::{How, Scope};
use crate::experience::page::Section;

fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join(FOLDER);
    set_up(&root).unwrap();
    (folder, root)
}

fn heard(text: &str, n: i64) -> Vec<Heard> {
    let lessons = vec![said(text, How::Explicit, n, &format!("s{n}"), Scope::general())];
    vec![Heard { lessons, ..Heard::default() }]
}

fn learn(root: &Path, text: &str, n: i64) {
    change(root, |read| feed(&mut read.home, heard(text, n), day(n))).unwrap();
}

fn tree(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut folders = vec![root.to_path_buf()];
    let mut files = BTreeMap::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.insert(path.strip_prefix(root).unwrap().to_path_buf(), fs::read(&path).unwrap());
            }
        }
    }
    files
}

#[test]
fn a_home_is_set_up_once_and_what_is_there_stays() {
    let (_folder, root) = folder();
    fs::write(root.join("memory.md"), "# Mine\n").unwrap();
    let beat = fs::read_to_string(root.join("heartbeat-state.md")).unwrap();
    fs::write(root.join("heartbeat-state.md"), beat.replace("never", "2026-01-05T09:00:00Z")).unwrap();
    set_up(&root).unwrap();
    assert!(!fs::read_to_string(root.join("heartbeat-state.md")).unwrap().contains("never"));
    let before = tree(&root);
    set_up(&root).unwrap();
    assert_eq!(tree(&root), before);
    assert_eq!(fs::read_to_string(root.join("memory.md")).unwrap(), "# Mine\n");
    let names: Vec<String> = before.keys().map(|path| path.display().to_string()).collect();
    assert_eq!(
        names,
        [".afterword/lock", "corrections.md", "heartbeat-state.md", "index.md", "memory.md", "reflections.md"]
    );
}

#[test]
fn what_is_learned_is_written_and_a_second_time_nothing_changes() {
    let (_folder, root) = folder();
    learn(&root, "Use pnpm, not npm.", 0);
    let once = tree(&root);
    assert!(String::from_utf8_lossy(&once[Path::new("memory.md")]).contains("Use pnpm, not npm."));
    assert!(String::from_utf8_lossy(&once[Path::new("index.md")]).contains("| memory.md |"));
    learn(&root, "Use pnpm, not npm.", 0);
    assert_eq!(tree(&root), once);
}

#[test]
fn killed_after_any_write_the_next_run_completes_the_change() {
    let (_folder, root) = folder();
    let before = tree(&root);
    learn(&root, "Use pnpm, not npm.", 0);
    let after = tree(&root);
    let changed: Vec<_> = after.iter().filter(|(name, bytes)| before.get(*name) != Some(*bytes)).collect();
    assert!(changed.len() >= 4, "{changed:?}");
    let entries: Vec<Entry> = changed
        .iter()
        .map(|(name, bytes)| Entry {
            name: name.display().to_string(),
            before: before.get(*name).map(checksum),
            base: before.get(*name).map(|old| String::from_utf8(old.clone()).unwrap()).unwrap_or_default(),
            after: String::from_utf8((*bytes).clone()).unwrap(),
        })
        .collect();
    for done in 0..=changed.len() {
        // The journal is written, and so many of the files.
        for (n, (name, bytes)) in changed.iter().enumerate() {
            let path = root.join(name);
            match before.get(*name) {
                _ if n < done => fs::write(path, bytes).unwrap(),
                Some(old) => fs::write(path, old).unwrap(),
                None => fs::remove_file(path).unwrap_or_default(),
            }
        }
        fs::write(journal(&root), serde_json::to_vec(&entries).unwrap()).unwrap();
        change(&root, |_| ()).unwrap();
        assert_eq!(tree(&root), after, "killed after {done}");
    }
}

#[test]
fn killed_and_then_edited_by_a_person_both_are_kept() {
    let (_folder, root) = folder();
    learn(&root, "Answer in French.", 0);
    let before = tree(&root);
    learn(&root, "Use pnpm, not npm.", 1);
    let after = tree(&root);
    let text = |tree: &BTreeMap<PathBuf, Vec<u8>>, name: &Path| {
        tree.get(name).map(|bytes| String::from_utf8(bytes.clone()).unwrap())
    };
    let changed: Vec<_> = after.iter().filter(|(name, bytes)| before.get(*name) != Some(*bytes)).collect();
    let entry = |name: &PathBuf| Entry {
        name: name.display().to_string(),
        before: before.get(name).map(checksum),
        base: text(&before, name).unwrap_or_default(),
        after: text(&after, name).unwrap(),
    };
    let entries: Vec<Entry> = changed.iter().map(|(name, _)| entry(name)).collect();
    // The journal is written and nothing else; then the person saves two pages.
    before.iter().for_each(|(name, bytes)| fs::write(root.join(name), bytes).unwrap());
    fs::write(journal(&root), serde_json::to_vec(&entries).unwrap()).unwrap();
    for (name, mine) in [("memory.md", "# Mine\n"), ("corrections.md", "# My log\n")] {
        let saved = fs::read_to_string(root.join(name)).unwrap();
        fs::write(root.join(name), format!("{mine}{}", saved.split_once('\n').unwrap().1)).unwrap();
    }
    change(&root, |read| _ = read.home.settle(day(2))).unwrap();
    let memory = fs::read_to_string(root.join("memory.md")).unwrap();
    for words in ["# Mine\n", "Answer in French.", "Use pnpm, not npm."] {
        assert!(memory.contains(words), "{memory}");
    }
    let log = fs::read_to_string(root.join("corrections.md")).unwrap();
    assert!(log.starts_with("# My log\n") && log.contains("Use pnpm, not npm."), "{log}");
    let home = look(&root).unwrap().home;
    assert!(home.placed().values().all(|placed| placed.entry.section == Section::Confirmed), "{home:?}");
    assert_eq!(home.placed().len(), 2);
}

#[test]
fn a_page_saved_by_a_person_meanwhile_is_read_anew() {
    let (_folder, root) = folder();
    let mut saves = 0;
    change(&root, |read| {
        feed(&mut read.home, heard("Use pnpm, not npm.", 0), day(0));
        if saves == 0 {
            fs::write(root.join("memory.md"), "# Saved just now\n").unwrap();
        }
        saves += 1;
    })
    .unwrap();
    let text = fs::read_to_string(root.join("memory.md")).unwrap();
    assert!(text.starts_with("# Saved just now\n") && text.contains("Use pnpm"), "{text}");
    assert_eq!(saves, 2);
}

#[test]
fn a_page_that_never_rests_is_left_alone() {
    let (_folder, root) = folder();
    let mut n = 0;
    let error = change(&root, |read| {
        n += 1;
        fs::write(root.join("memory.md"), format!("# {n}\n")).unwrap();
        feed(&mut read.home, heard("Use pnpm, not npm.", 0), day(0));
    })
    .unwrap_err();
    assert!(error.to_string().contains("keep changing"), "{error}");
    assert_eq!(fs::read_to_string(root.join("memory.md")).unwrap(), "# 3\n");
}

#[test]
fn a_page_that_is_no_text_is_told_and_left_alone() {
    let (_folder, root) = folder();
    fs::write(root.join("memory.md"), b"\xff\xfe# \x00").unwrap();
    let (_, problems) = change(&root, |read| feed(&mut read.home, heard("Use pnpm, not npm.", 0), day(0))).unwrap();
    assert_eq!(problems.len(), 1);
    assert_eq!(fs::read(root.join("memory.md")).unwrap(), b"\xff\xfe# \x00");
}

#[test]
fn an_unknown_line_of_the_log_stays_in_it() {
    let (_folder, root) = folder();
    learn(&root, "Use pnpm, not npm.", 0);
    let log = root.join(LOG);
    let text = format!("{}{{\"from\": \"the future\"}}", fs::read_to_string(&log).unwrap());
    fs::write(&log, &text).unwrap();
    learn(&root, "Answer in French.", 1);
    assert!(fs::read_to_string(&log).unwrap().starts_with(&format!("{text}\n")));
}
