//! Two playbooks of one rule as one: the rule in the words of the first, in the situations of both, with the reasons of
//! both.

use std::collections::HashSet;

use crate::reconcile::reading::Reading;
use crate::text::fold::fold;

/// The sections of a playbook; headings of others are part of the section they stand in.
#[derive(Debug, Default)]
struct Sections {
    when: String,
    what: String,
    why: String,
}

impl Sections {
    fn of(body: &str) -> Self {
        let mut sections = Self::default();
        let mut open = None;
        for line in body.lines() {
            match line.trim().to_lowercase().as_str() {
                "## when" => open = Some(0),
                "## what" => open = Some(1),
                "## why" => open = Some(2),
                _ => {
                    let text = match open {
                        Some(0) => &mut sections.when,
                        Some(2) => &mut sections.why,
                        _ => &mut sections.what,
                    };
                    text.extend([line, "\n"]);
                }
            }
        }
        sections
    }

    fn text(&self) -> String {
        let parts = [("When", &self.when), ("What", &self.what), ("Why", &self.why)];
        let parts = parts.iter().filter(|(_, text)| !text.trim().is_empty());
        parts.map(|(name, text)| format!("## {name}\n{}", text.trim())).collect::<Vec<_>>().join("\n\n")
    }
}

/// Whether a playbook has a rule, under its heading.
pub(super) fn is_whole(body: &str) -> bool {
    let headed = body.lines().any(|line| line.trim().eq_ignore_ascii_case("## what"));
    headed && !Sections::of(body).what.trim().is_empty()
}

/// The first playbook with the situations and reasons of the other added.
pub(super) fn blend(first: &str, other: &str) -> String {
    let (mut sections, added) = (Sections::of(first), Sections::of(other));
    let (here, there) = (Reading::new(first).when, Reading::new(other).when);
    sections.when = if here.is_superset(&there) && here != there && !there.is_empty() {
        // The rule holds in the wider situation already.
        added.when
    } else if here.is_subset(&there) && !here.is_empty() {
        sections.when
    } else {
        joined(&sections.when, &added.when)
    };
    sections.why = joined(&sections.why, &added.why);
    sections.text()
}

/// The lines of the first, and those of the other that are not among them.
fn joined(first: &str, other: &str) -> String {
    let plain = |line: &str| fold(line.trim());
    let known: HashSet<String> = first.lines().map(plain).collect();
    let mut text = first.trim_end().to_owned();
    for line in other.lines().filter(|line| !line.trim().is_empty() && !known.contains(&plain(line))) {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(line);
    }
    text
}
