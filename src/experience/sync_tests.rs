//! Sync on real files: agreed to, backed up, taken back, interrupted.

use std::fs;

use super::*;
use crate::experience::page::Page;

struct Desk {
    _folder: tempfile::TempDir,
    file: PathBuf,
    hidden: PathBuf,
}

fn desk(text: impl AsRef<[u8]>) -> Desk {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("CLAUDE.md");
    fs::write(&file, text).unwrap();
    Desk { file, hidden: folder.path().join("home/.afterword"), _folder: folder }
}

fn now() -> DateTime<Utc> {
    "2026-11-30T22:00:00Z".parse().unwrap()
}

fn later() -> DateTime<Utc> {
    "2026-12-01T08:00:00Z".parse().unwrap()
}

fn lines() -> Vec<String> {
    vec!["- [pnpm] Use pnpm.".into(), "- [tone] Be brief.".into()]
}

fn memory(confirmed: &str) -> Home {
    let mut home = Home::default();
    home.pages.insert(
        "memory.md".into(),
        Page::new(format!("# M\n\n## Confirmed Preferences\n\n{confirmed}\n## Patterns\n\n- no\n")),
    );
    home
}

#[test]
fn only_confirmed_preferences_are_compiled_one_on_a_line() {
    let home = memory("### Package manager | HIGH\nUse pnpm,\nnot npm.\n\n### tone\n- Be brief.\n");
    assert_eq!(compile(&home).unwrap(), ["- [package-manager] Use pnpm, not npm.", "- [tone] Be brief."]);
}

#[test]
fn of_too_many_the_high_ones_and_then_the_surer_ones_are_kept() {
    let low: String = (0..40).map(|n| format!("### low{n} | 0.{:02}\nLow {n}.\n", n + 10)).collect();
    let home = memory(&format!("{low}### last | HIGH\nThe high one.\n"));
    let lines = compile(&home).unwrap();
    assert_eq!(lines.len(), MOST_PREFERENCES);
    assert_eq!(lines.last().unwrap(), "- [last] The high one.");
    assert_eq!(lines[0], "- [low13] Low 13.");
}

#[test]
fn a_secret_that_a_person_wrote_down_is_not_spread() {
    let key = ["sk-ant-", "api03-", "Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4"].concat();
    let lines = compile(&memory(&format!("### key\nThe key is {key}, <!-- x --> use it.\n"))).unwrap();
    assert!(!lines.concat().contains(&key), "{lines:?}");
}

#[test]
fn a_file_is_written_once_and_given_back_byte_for_byte() {
    for text in
        ["", "# Rules\n\nBe kind.", "# Rules\r\n\r\nBe kind.\r\n", "\u{feff}# A\n\n## Learnings\n\nText.\n\n## B\n"]
    {
        let Desk { file, hidden, _folder } = desk(text);
        assert!(sync(&file, &lines(), &hidden, now()).unwrap().is_some());
        let once = fs::read_to_string(&file).unwrap();
        assert!(once.contains("- [pnpm] Use pnpm."));
        assert_eq!(sync(&file, &lines(), &hidden, later()).unwrap(), None);
        assert_eq!(fs::read_to_string(&file).unwrap(), once);
        sync(&file, &lines()[..1], &hidden, later()).unwrap();
        unsync(&file, &hidden).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
        assert_eq!(Synced::read(&hidden).unwrap().files.len(), 0);
        let copies = fs::read_dir(hidden.join("backups")).unwrap().map(|copy| fs::read(copy.unwrap().path()).unwrap());
        assert!(copies.into_iter().any(|copy| copy == text.as_bytes()), "{text:?}");
    }
}

#[test]
fn a_memory_that_cannot_be_read_is_not_taken_for_an_empty_one() {
    let mut home = memory("### tone\n- Be brief.\n");
    home.pages.remove("memory.md");
    home.closed.insert("memory.md".into());
    assert!(compile(&home).unwrap_err().to_string().contains("nothing is synced"));
}

#[test]
fn a_yes_is_taken_back_even_where_the_block_is_gone() {
    let Desk { file, hidden, _folder } = desk("# Rules\n");
    sync(&file, &lines(), &hidden, now()).unwrap();
    fs::write(&file, "# Rules\n").unwrap();
    assert_eq!(unsync(&file, &hidden).unwrap(), None);
    assert_eq!(Synced::read(&hidden).unwrap().files.len(), 0);
}

#[test]
fn each_file_is_stale_by_itself() {
    let Desk { file, hidden, _folder } = desk("# Rules\n");
    let other = file.with_file_name("AGENTS.md");
    let home = memory("### tone\n- Be brief.\n");
    let lines = compile(&home).unwrap();
    sync(&file, &lines, &hidden, now()).unwrap();
    sync(&other, &["- [old] Be long.".to_owned()], &hidden, now()).unwrap();
    assert_eq!(Synced::read(&hidden).unwrap().status(&home), "stale");
    sync(&other, &lines, &hidden, later()).unwrap();
    assert_eq!(Synced::read(&hidden).unwrap().status(&home), "in_sync");
}

#[test]
fn a_file_that_was_not_there_goes_again() {
    let Desk { file, hidden, _folder } = desk("");
    fs::remove_file(&file).unwrap();
    sync(&file, &lines(), &hidden, now()).unwrap();
    assert!(file.exists());
    unsync(&file, &hidden).unwrap();
    assert!(!file.exists());
}

#[cfg(unix)]
#[test]
fn links_stay_links_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let Desk { file, hidden, _folder } = desk("# Rules\n");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    let link = file.with_file_name("AGENTS.md");
    symlink("CLAUDE.md", &link).unwrap();
    sync(&link, &lines(), &hidden, now()).unwrap();
    assert!(link.is_symlink());
    assert!(fs::read_to_string(&file).unwrap().contains("Use pnpm."));
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
}

#[test]
fn a_file_of_five_megabytes_keeps_every_byte() {
    let text = "# Notes\n\nA line of somebody's notes, with `code` and a [link](x).\n\n".repeat(80_000);
    assert!(text.len() > 5 << 20);
    let Desk { file, hidden, _folder } = desk(&text);
    sync(&file, &lines(), &hidden, now()).unwrap();
    assert!(fs::read_to_string(&file).unwrap().starts_with(&text));
    unsync(&file, &hidden).unwrap();
    assert!(fs::read_to_string(&file).unwrap() == text);
}

#[test]
fn a_folder_that_is_not_there_is_made_for_the_file() {
    let Desk { file, hidden, _folder } = desk("");
    let far = file.with_file_name("not").join("there").join("AGENTS.md");
    sync(&far, &lines(), &hidden, now()).unwrap();
    assert!(fs::read_to_string(&far).unwrap().contains("Use pnpm."));
}

#[cfg(unix)]
#[test]
fn a_chain_of_links_leads_to_the_file_and_stays() {
    use std::os::unix::fs::symlink;
    let Desk { file, hidden, _folder } = desk("# Rules\n");
    let (one, two) = (file.with_file_name("one.md"), file.with_file_name("two.md"));
    symlink("CLAUDE.md", &one).unwrap();
    symlink("one.md", &two).unwrap();
    sync(&two, &lines(), &hidden, now()).unwrap();
    assert!(one.is_symlink() && two.is_symlink());
    assert!(fs::read_to_string(&file).unwrap().contains("Use pnpm."));
}

#[cfg(unix)]
#[test]
fn protected_linked_and_broken_files_are_refused() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let refused = |file: &Path, hidden: &Path| sync(file, &lines(), hidden, now()).unwrap_err().to_string();
    let Desk { file, hidden, _folder } = desk("# Rules\n");
    let other = file.with_file_name("other.md");
    fs::hard_link(&file, &other).unwrap();
    assert!(refused(&file, &hidden).contains("hard link"));
    fs::remove_file(&other).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
    assert!(refused(&file, &hidden).contains("read-only"));
    symlink("nowhere", &other).unwrap();
    assert!(refused(&other, &hidden).contains("leads nowhere"));
    let folder = file.with_file_name("folder");
    fs::create_dir(&folder).unwrap();
    assert!(refused(&folder, &hidden).contains("could not read"));
    let utf16 = file.with_file_name("utf16.md");
    fs::write(&utf16, b"\xff\xfe#\x00").unwrap();
    assert!(refused(&utf16, &hidden).contains("not UTF-8"));
    let twice = file.with_file_name("twice.md");
    fs::write(&twice, "## Learnings\n\n### Patterns\n\n### Patterns\n").unwrap();
    assert!(refused(&twice, &hidden).contains("twice.md:5: there is more than one `### Patterns`"));
    assert_eq!(fs::read_to_string(&file).unwrap(), "# Rules\n");
    assert_eq!(Synced::read(&hidden).unwrap(), Synced::default());
}

#[test]
fn a_file_that_changes_before_it_is_written_is_read_anew() {
    let Desk { file, hidden, _folder } = desk("# Rules\n");
    let mut changes = 0;
    let change = || {
        if changes == 0 {
            fs::write(&file, "# Rules\n\nSaved meanwhile.\n").unwrap();
        }
        changes += 1;
    };
    settle(&hidden, || draft(&file, &lines(), None, now()), change).unwrap();
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("Saved meanwhile.") && text.contains("Use pnpm."), "{text}");
}

#[test]
fn a_file_that_never_rests_is_left_alone() {
    let Desk { file, hidden, _folder } = desk("# Rules\n");
    let mut n = 0;
    let change = || {
        n += 1;
        fs::write(&file, format!("# {n}\n")).unwrap();
    };
    let error = settle(&hidden, || draft(&file, &lines(), None, now()), change).unwrap_err();
    assert!(error.to_string().contains("keeps changing"), "{error}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "# 3\n");
}
