//! Two playbooks of one rule as one: the rule in the words of the first, in the situations of both, with the reasons of
//! both.

use std::collections::HashSet;

use crate::memory::Sections;
use crate::reconcile::reading::Reading;
use crate::text::fold::fold;

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
