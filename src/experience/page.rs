//! A page of lessons: markdown that people edit, of which every byte is kept that is not one of our own lines.
//!
//! A page is its text. What the program understands of it are [`Entry`]s, by the bytes where they stand; it takes
//! them out and puts them in, whole lines at a time, and never writes the rest anew.

use std::collections::BTreeSet;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::outline::{Outline, line_number};

/// A section of a page, by its `## ` heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Section {
    /// `## Confirmed Preferences`: what the person agreed to; the only ones that are synced.
    Confirmed,
    /// `## To Confirm`: taught three times, and put to the person.
    Asked,
    /// `## Patterns`: tentative.
    Patterns,
    /// `## Withdrawn`, in the archive: forgotten, or replaced.
    Withdrawn,
}

impl Section {
    /// All of them, in the order in which a page has them.
    pub const ALL: [Self; 4] = [Self::Confirmed, Self::Asked, Self::Patterns, Self::Withdrawn];

    /// Its heading.
    #[must_use]
    pub fn heading(self) -> &'static str {
        match self {
            Self::Confirmed => "Confirmed Preferences",
            Self::Asked => "To Confirm",
            Self::Patterns => "Patterns",
            Self::Withdrawn => "Withdrawn",
        }
    }

    fn named(heading: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|section| heading.trim().eq_ignore_ascii_case(section.heading()))
    }
}

/// A lesson as it stands on a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The lesson's id; none for what a person wrote.
    pub id: Option<String>,
    /// The section.
    pub section: Section,
    /// The topic; empty where none is given.
    pub tag: String,
    /// The rule on one line.
    pub text: String,
    /// What stands behind the title's `|`: priority and confidence.
    pub rank: String,
    /// Whether its box is ticked.
    pub is_ticked: bool,
    /// Its bytes, whole lines.
    pub span: Range<usize>,
    /// The 1-based line on which it begins.
    pub line: u32,
}

/// A page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Page {
    text: String,
}

impl Page {
    /// The page with this text.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into() }
    }

    /// Its text, byte for byte.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many lines it has.
    #[must_use]
    pub fn lines(&self) -> usize {
        self.text.lines().count()
    }

    /// The sections it has.
    #[must_use]
    pub fn sections(&self) -> BTreeSet<Section> {
        let outline = Outline::new(&self.text);
        outline
            .headings
            .iter()
            .filter(|h| h.level == 2 && !h.is_nested)
            .filter_map(|h| Section::named(&h.text))
            .collect()
    }

    /// The lessons on it, in order.
    #[must_use]
    pub fn entries(&self) -> Vec<Entry> {
        let outline = Outline::new(&self.text);
        let mut entries = Vec::new();
        let mut section = None;
        let mut at = 0;
        while let Some(line) = self.line_at(at) {
            let end = at + line.len();
            let heading = outline.headings.iter().find(|h| h.span.start == at && !h.is_nested);
            match heading {
                Some(heading) if heading.level <= 2 => {
                    section = if heading.level == 2 { Section::named(&heading.text) } else { None };
                    at = heading.span.end;
                    continue;
                }
                Some(heading) if heading.level == 3 && section == Some(Section::Confirmed) => {
                    let entry =
                        self.titled(heading.span.clone(), &heading.text, outline.section_end(heading, &self.text));
                    at = entry.span.end;
                    entries.push(entry);
                    continue;
                }
                Some(heading) => {
                    at = heading.span.end;
                    continue;
                }
                None => {}
            }
            if !outline.is_hidden(at)
                && let Some(entry) = self.bullet(at, line, section, &outline)
            {
                at = entry.span.end;
                entries.push(entry);
                continue;
            }
            at = end;
        }
        entries
    }

    fn line_at(&self, at: usize) -> Option<&str> {
        self.text.get(at..).filter(|rest| !rest.is_empty())?.split_inclusive('\n').next()
    }

    /// `### title | rank`, and what stands below it.
    fn titled(&self, title: Range<usize>, text: &str, end: usize) -> Entry {
        let below = self.text.get(title.end..end).unwrap_or_default();
        let content = below.trim_end();
        // A blank line within belongs to it, those behind it do not.
        let rest = below.get(content.len()..).unwrap_or_default();
        let last = rest.find('\n').map_or(rest.len(), |at| at + 1);
        let span_end = if content.is_empty() { title.end } else { title.end + content.len() + last };
        let (name, rank) = text.split_once('|').unwrap_or((text, ""));
        let raw = self.text.get(title.start..span_end).unwrap_or_default();
        let words = without_comments(content);
        let flat = words.split_whitespace().collect::<Vec<_>>().join(" ");
        let flat = flat.strip_prefix("- ").unwrap_or(&flat).to_owned();
        Entry {
            id: marker(raw),
            section: Section::Confirmed,
            tag: name.trim().to_owned(),
            text: if flat.is_empty() { name.trim().to_owned() } else { flat },
            rank: rank.trim().to_owned(),
            is_ticked: false,
            line: line_number(&self.text, title.start),
            span: title.start..span_end,
        }
    }

    /// `- [tag] rule`, with the indented lines below it. Outside of our sections only what carries an id.
    fn bullet(&self, at: usize, line: &str, section: Option<Section>, outline: &Outline) -> Option<Entry> {
        let words = line.strip_prefix("- ").or_else(|| line.strip_prefix("* "))?;
        let id = marker(words);
        let section = match (section, &id) {
            (Some(section), _) => section,
            (None, Some(_)) => Section::Patterns,
            (None, None) => return None,
        };
        let mut end = at + line.len();
        while let Some(next) = self.line_at(end).filter(|next| next.starts_with([' ', '\t']) && !next.trim().is_empty())
            && !outline.headings.iter().any(|h| h.span.start == end)
        {
            end += next.len();
        }
        let words = without_comments(words);
        let words = words.trim();
        let (is_ticked, words) = match words.get(..4) {
            Some("[ ] ") => (false, words.get(4..).unwrap_or_default()),
            Some("[x] " | "[X] ") => (true, words.get(4..).unwrap_or_default()),
            _ => (false, words),
        };
        let tagged = words.strip_prefix('[').and_then(|rest| rest.split_once("] "));
        let (tag, text) = tagged.unwrap_or(("", words));
        Some(Entry {
            id,
            section,
            tag: tag.trim().to_owned(),
            text: text.trim().to_owned(),
            rank: String::new(),
            is_ticked,
            line: line_number(&self.text, at),
            span: at..end,
        })
    }

    /// Takes lines out; the span must be that of an entry of this page.
    #[must_use]
    pub fn without(&self, span: &Range<usize>) -> Self {
        let (before, after) = (self.text.get(..span.start), self.text.get(span.end..));
        Self { text: [before.unwrap_or_default(), after.unwrap_or_default()].concat() }
    }

    /// Puts lines (with `\n` at their ends) at the end of a section, which is made if it is not there. `None` where they
    /// could not be read back: behind code or a comment that never ends.
    #[must_use]
    pub fn with(&self, section: Section, lines: &str) -> Option<Self> {
        let outline = Outline::new(&self.text);
        let eol = if self.text.contains("\r\n") { "\r\n" } else { "\n" };
        let lines = lines.replace('\n', eol);
        let is_it = |name: &str| name.trim().eq_ignore_ascii_case(section.heading());
        let heading = outline.headings.iter().find(|h| h.level == 2 && !h.is_nested && is_it(&h.text));
        let (at, lead) = match heading {
            Some(heading) => {
                let inside = self.text.get(heading.span.end..outline.section_end(heading, &self.text))?.trim_end();
                let at = heading.span.end + inside.len();
                (self.text.get(at..)?.find('\n').filter(|_| !inside.is_empty()).map_or(at, |more| at + more + 1), "")
            }
            None => (self.text.len(), section.heading()),
        };
        let (before, after) = (self.text.get(..at)?, self.text.get(at..)?);
        let mut text = before.to_owned();
        if !text.is_empty() && !text.ends_with('\n') {
            text.push_str(eol);
        }
        if !lead.is_empty() {
            let gap = if text.is_empty() || text.ends_with(&format!("{eol}{eol}")) { "" } else { eol };
            text.push_str(&format!("{gap}## {lead}{eol}{eol}"));
        } else if heading.is_some_and(|h| h.span.end == at) {
            text.push_str(eol);
        }
        text.push_str(&lines);
        if !after.is_empty() && !after.starts_with(['\r', '\n']) {
            // An underlined heading right behind a list would become part of it.
            text.push_str(eol);
        }
        text.push_str(after);
        let page = Self { text };
        let told = |page: &Self| page.entries().into_iter().map(|e| (e.id, e.text)).collect::<Vec<_>>();
        let (mut new, old) = (told(&page), told(self));
        let ours = new.iter().zip(&old).position(|(new, old)| new != old).unwrap_or(old.len());
        // Every entry is read as before, and one more.
        (new.len() == old.len() + 1 && {
            new.remove(ours);
            new == old
        })
        .then_some(page)
    }
}

/// An entry as the program writes it.
#[must_use]
pub fn written(section: Section, id: &str, tag: &str, text: &str, rank: &str) -> String {
    match section {
        Section::Confirmed => {
            // Behind a list mark nothing at the beginning of the text can end the entry.
            let mark = if text.starts_with(char::is_alphabetic) { "" } else { "- " };
            format!("### {tag} | {rank} <!-- {id} -->\n{mark}{text}\n")
        }
        Section::Asked => format!("- [ ] [{tag}] {text} <!-- {id} -->\n"),
        Section::Patterns | Section::Withdrawn => format!("- [{tag}] {text} <!-- {id} -->\n"),
    }
}

/// The id in the first comment that holds one.
fn marker(text: &str) -> Option<String> {
    text.split("<!--").skip(1).find_map(|comment| {
        let word = comment.split("-->").next()?.split_whitespace().next()?;
        let digits = word.strip_prefix("l_")?;
        digits.chars().all(|c| c.is_ascii_hexdigit()).then(|| word.to_owned())
    })
}

fn without_comments(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, comment)) = rest.split_once("<!--") {
        out.push_str(before);
        rest = comment.split_once("-->").map_or("", |(_, after)| after);
    }
    out + rest
}

#[cfg(test)]
#[path = "page_tests.rs"]
mod tests;
