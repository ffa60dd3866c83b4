//! The sections of a playbook's text.

use super::Kind;

/// What stands under `## When`, `## What` and `## Why`, as it stands there. A person may write the headings in capitals or
/// small letters; what stands under none of them is the rule.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sections {
    /// The situation.
    pub when: String,
    /// The rule.
    pub what: String,
    /// The reason.
    pub why: String,
}

impl Sections {
    /// The sections of a text.
    #[must_use]
    pub fn of(body: &str) -> Self {
        let mut sections = Self::default();
        let mut part = &mut sections.what;
        for line in body.lines() {
            match line.trim().to_lowercase().as_str() {
                "## when" => part = &mut sections.when,
                "## what" => part = &mut sections.what,
                "## why" => part = &mut sections.why,
                _ => part.extend([line, "\n"]),
            }
        }
        sections
    }

    /// The text of these sections; an empty one is left out.
    #[must_use]
    pub fn text(&self) -> String {
        let parts = [("When", &self.when), ("What", &self.what), ("Why", &self.why)];
        let parts = parts.iter().filter(|(_, text)| !text.trim().is_empty());
        parts.map(|(name, text)| format!("## {name}\n{}", text.trim())).collect::<Vec<_>>().join("\n\n")
    }
}

/// What a memory says, in one line: a profile's text, a playbook's rule.
#[must_use]
pub fn headline(kind: Kind, body: &str) -> String {
    match kind {
        Kind::Profile => flat(body),
        Kind::Playbook => flat(&Sections::of(body).what),
    }
}

/// A text on one line.
#[must_use]
pub fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text on one line, cut to at most `most` characters and an ellipsis.
#[must_use]
pub fn shortened(text: &str, most: usize) -> String {
    let flat = flat(text);
    if flat.chars().count() <= most {
        return flat;
    }
    let cut: String = flat.chars().take(most).collect();
    format!("{}…", cut.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sections_of_a_playbook_are_told_apart_and_put_together_again() {
        let body = "## When\nWriting a log.\n\n## What\nGive knots.\nAlways.\n\n## Why\nSaid so.";
        let sections = Sections::of(body);
        assert_eq!(sections.text(), body);
        assert_eq!(headline(Kind::Playbook, body), "Give knots. Always.");
        assert_eq!(headline(Kind::Playbook, "## what\nBy hand."), "By hand.");
        assert_eq!(headline(Kind::Playbook, "No heading\nat all."), "No heading at all.");
        assert_eq!(headline(Kind::Profile, "User\nsails."), "User sails.");
    }
}
