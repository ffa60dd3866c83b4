//! The home as one zip file: every page as it stands, and the log that knows what was taught, forgotten and asked.
//!
//! What belongs to one machine stays there: which global files are synced, their backups, the settings.

use std::path::Path;

use super::folder::{self, LOG, look};
use super::home::Home;
use super::lesson::{Event, What};
use super::page::Page;
use crate::error::{Error, ErrorKind, Problem, Result};
use crate::redact::Redactor;
use crate::store::{Files, pack, unpacked};

/// So many bytes may come out of one page, and of the log.
const MOST_OF_PAGE: u64 = 16 << 20;
const MOST_OF_LOG: u64 = 1 << 30;

/// Writes the home at `root` into a new zip file; how many pages are in it.
///
/// # Errors
/// If the home cannot be read, or the file is there or cannot be written.
pub fn export(root: &Path, to: &Path) -> Result<(usize, Vec<Problem>)> {
    let read = look(root)?;
    let pages = read.home.pages.iter().map(|(name, page)| (name.clone(), page.text().as_bytes().to_vec()));
    let mut files: Files = pages.collect();
    let count = files.len();
    let log: String =
        read.home.log.iter().filter_map(|event| serde_json::to_string(event).ok()).map(|l| l + "\n").collect();
    files.insert(LOG.to_owned(), log.into_bytes());
    pack(&files, to)?;
    Ok((count, read.problems))
}

/// What an archive brings: pages without secrets, and the log. Nothing is written.
///
/// # Errors
/// If it is no archive of a home.
pub fn read(archive: &Path, redactor: &Redactor) -> Result<(Home, Vec<Problem>)> {
    let (files, mut problems) = unpacked(archive, most)?;
    let mut home = Home::default();
    for (name, bytes) in files {
        let path = archive.join(&name);
        let Ok(text) = String::from_utf8(bytes) else {
            problems.push(Problem { path, line: None, what: "it is not UTF-8, and is passed over".to_owned() });
            continue;
        };
        if name == LOG {
            home.log = log(&text, &path, redactor, &mut problems);
        } else {
            home.pages.insert(name, Page::new(redactor.redact(&text).text));
        }
    }
    if home.pages.is_empty() {
        return Err(Error::new(ErrorKind::Usage, "there is no experience home in this archive").at(archive));
    }
    Ok((home, problems))
}

fn log(text: &str, path: &Path, redactor: &Redactor, problems: &mut Vec<Problem>) -> Vec<Event> {
    let mut events = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        match serde_json::from_str::<Event>(line) {
            Ok(mut event) => {
                if let What::Taught { text, tag, .. } = &mut event.what {
                    (*text, *tag) = (redactor.clean(text).text.into_owned(), redactor.clean(tag).text.into_owned());
                }
                events.push(event);
            }
            Err(error) => {
                let what = format!("a line of the log is not understood, and passed over: {error}");
                problems.push(Problem { path: path.to_path_buf(), line: Some(number), what });
            }
        }
    }
    events
}

/// Makes the home at `root` what the archive holds. Pages of a new home give way; what a person wrote does not.
///
/// # Errors
/// If something was learned there already; if it cannot be written.
pub fn restore(root: &Path, home: &Home) -> Result<Vec<Problem>> {
    folder::set_up(root)?;
    let (is_new, problems) = folder::change(root, |read| {
        let is_new = is_new(&read.home);
        if is_new {
            read.home.pages.extend(home.pages.clone());
            read.home.log.clone_from(&home.log);
        }
        is_new
    })?;
    if is_new {
        return Ok(problems);
    }
    let what = "something was learned here already, and two homes are not mixed; move this one away first";
    Err(Error::new(ErrorKind::Usage, what).at(root))
}

/// Whether nothing was learned, and no one wrote a lesson down.
#[must_use]
pub fn is_new(home: &Home) -> bool {
    let mut pages = home.pages.iter().filter(|(name, _)| Home::is_of_lessons(name));
    home.log.is_empty() && home.closed.is_empty() && pages.all(|(_, page)| page.entries().is_empty())
}

/// How large a file of that name may be; `None` if no home has one.
fn most(name: &str) -> Option<u64> {
    if name == LOG {
        return Some(MOST_OF_LOG);
    }
    folder::is_page(name).then_some(MOST_OF_PAGE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experience::feed;
    use crate::experience::feed::tests::{day, said};
    use crate::experience::hear::Heard;
    use crate::experience::lesson::{How, Scope};

    #[test]
    fn a_home_comes_back_as_it_was_and_is_mixed_with_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let (here, there, zip) = (folder.path().join("a"), folder.path().join("b"), folder.path().join("m.zip"));
        folder::set_up(&here).unwrap();
        let lessons = vec![said("Use pnpm, not npm.", How::Explicit, 0, "s0", Scope::general())];
        folder::change(&here, |read| {
            feed(&mut read.home, vec![Heard { lessons: lessons.clone(), ..Heard::default() }], day(0));
        })
        .unwrap();
        let (pages, _) = export(&here, &zip).unwrap();
        let (home, problems) = super::read(&zip, Redactor::builtin()).unwrap();
        assert_eq!((pages, problems), (home.pages.len(), vec![]));
        restore(&there, &home).unwrap();
        let (one, other) = (look(&here).unwrap().home, look(&there).unwrap().home);
        assert_eq!(one, other);
        assert!(restore(&there, &home).unwrap_err().to_string().contains("move this one away"));
        assert!(export(&here, &zip).unwrap_err().to_string().contains("name another"));
    }

    #[test]
    fn names_that_lead_elsewhere_are_passed_over() {
        for name in
            ["../x.md", "/etc/x.md", "projects/../../x.md", ".afterword/sync.json", "a/b.md", "projects/.x.md", "x.txt"]
        {
            assert_eq!(most(name), None, "{name}");
        }
        for name in ["memory.md", "projects/shop.md", "archive/domain-code.md", LOG] {
            assert!(most(name).is_some(), "{name}");
        }
    }
}
