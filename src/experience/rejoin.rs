//! A page that a person saved while a change of it was under way: theirs, with what is new in ours.

use std::collections::{BTreeMap, BTreeSet};

use super::corrections::{LATEST, OLDER, REFLECTIONS, appended};
use super::home::Home;
use super::page::{Entry, Page};

/// The page as the person left it, with what the change from `base` to `after` brought. What the person changed
/// themselves stays as they changed it.
#[must_use]
pub(super) fn joined(name: &str, theirs: &str, base: &str, after: &str) -> String {
    if [LATEST, OLDER, REFLECTIONS].contains(&name) {
        return with_lines(theirs, base, after);
    }
    if !Home::is_of_lessons(name) {
        // The others tell what the next run finds out anew.
        return theirs.to_owned();
    }
    let (base, after) = (Page::new(base), Page::new(after));
    let (old, new) = (by_id(&base), by_id(&after));
    let mut page = Page::new(theirs);
    for (id, entry) in &old {
        let was_left = new.get(id).is_none_or(|moved| moved.section != entry.section);
        let here = by_id(&page).remove(id);
        if let (true, Some(here)) = (was_left, here.filter(|here| lines(&page, here) == lines(&base, entry))) {
            page = page.without(&here.span);
        }
    }
    for (id, entry) in &new {
        let is_new = old.get(id).is_none_or(|before| before.section != entry.section);
        if is_new && !by_id(&page).contains_key(id) {
            let lines = lines(&after, entry);
            page = page.with(entry.section, &lines).unwrap_or_else(|| appended(Some(&page), "", &lines));
        }
    }
    page.text().to_owned()
}

fn by_id(page: &Page) -> BTreeMap<String, Entry> {
    page.entries().into_iter().filter_map(|entry| Some((entry.id.clone()?, entry))).collect()
}

fn lines(page: &Page, entry: &Entry) -> String {
    let raw = page.text().get(entry.span.clone()).unwrap_or_default().replace("\r\n", "\n");
    if raw.ends_with('\n') { raw } else { raw + "\n" }
}

/// A log page with the lines that are new in ours at its end.
fn with_lines(theirs: &str, base: &str, after: &str) -> String {
    let known: BTreeSet<&str> = base.lines().chain(theirs.lines()).filter(|line| !line.trim().is_empty()).collect();
    let new: String = after.lines().filter(|line| !known.contains(line)).map(|line| format!("{line}\n")).collect();
    if new.trim().is_empty() {
        theirs.to_owned()
    } else {
        appended(Some(&Page::new(theirs)), "", new.trim_start()).text().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "- [a] One. <!-- l_00000000aa -->\n";
    const B: &str = "- [b] Two. <!-- l_00000000bb -->\n";

    #[test]
    fn what_is_new_stands_beside_what_the_person_wrote() {
        let base = format!("# M\n\n## Patterns\n\n{A}");
        let theirs = format!("# Mine\n\nMy words.\n\n## Patterns\n\n{A}");
        assert_eq!(joined("memory.md", &theirs, &base, &format!("{base}{B}")), format!("{theirs}{B}"));
    }

    #[test]
    fn what_left_the_page_leaves_theirs_unless_they_changed_it() {
        let base = format!("# M\n\n## Patterns\n\n{A}{B}");
        let after = format!("# M\n\n## Patterns\n\n{B}");
        let theirs = format!("# Mine\n\n## Patterns\n\n{A}{B}");
        assert_eq!(joined("memory.md", &theirs, &base, &after), format!("# Mine\n\n## Patterns\n\n{B}"));
        let edited = theirs.replace("One.", "One, and mine.");
        assert_eq!(joined("memory.md", &edited, &base, &after), edited);
    }

    #[test]
    fn what_changed_its_section_changes_it_in_theirs() {
        let base = format!("# M\n\n## Patterns\n\n{A}");
        let after = "# M\n\n## Confirmed Preferences\n\n### a | high <!-- l_00000000aa -->\nOne.\n\n## Patterns\n";
        let joined = joined("memory.md", &format!("# Mine\n\n## Patterns\n\n{A}"), &base, after);
        assert!(joined.contains("# Mine") && joined.contains("### a | high") && !joined.contains("- [a]"), "{joined}");
    }

    #[test]
    fn what_the_person_took_out_stays_out() {
        let base = format!("# M\n\n## Patterns\n\n{A}");
        assert_eq!(joined("memory.md", "# M\n", &base, &format!("{base}{B}")), format!("# M\n\n## Patterns\n\n{B}"));
        let log = "# C\n\n- 2026-01-01 [a] x <!-- c_1 -->\n";
        assert_eq!(joined(LATEST, "# C\n", log, &format!("{log}- new <!-- c_2 -->\n")), "# C\n- new <!-- c_2 -->\n");
    }
}
