//! What hosts put around a person's words, and how it is cut away.
//!
//! The forms are data, `rules/envelopes.toml`. Strip, then classify: a prefix never drops a message, since
//! behind it may stand what the person typed; only text that is machine-made to its end is.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use regex::Regex;
use serde::Deserialize;

use super::Host;

/// What is left of a message when the host's part is cut away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stripped {
    /// The person's words; empty where there are none.
    pub words: String,
    /// Whether the message was made by a machine.
    pub machine: bool,
}

/// Cuts away what `host` put around the words in `text`.
///
/// A text of which nothing is left has no words and counts as machine-made.
#[must_use]
pub fn strip(host: Host, text: &str) -> Stripped {
    ENVELOPES.as_ref().map_or_else(|_| plain(text), |rules| rules.strip(host, text))
}

/// A rejection of a tool call, as Claude Code writes it into the tool's result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Rejection {
    /// The person typed these words.
    Words(String),
    /// The person only said no.
    Silent,
}

/// Reads the fixed sentences of a rejection; `None` for every other tool result.
pub(super) fn rejection(text: &str) -> Option<Rejection> {
    let rules = ENVELOPES.as_ref().ok()?;
    let form = &rules.file.rejection;
    if !begins(text, &form.starts) {
        return None;
    }
    let said = form.words_after.iter().find_map(|mark| text.split_once(mark.as_str()));
    let words = said.map(|(_, words)| rules.strip(Host::ClaudeCode, words));
    Some(match words {
        Some(left) if !left.machine && !begins(&left.words, &form.no_words) => Rejection::Words(left.words),
        _ => Rejection::Silent,
    })
}

/// Whether the text only marks that the person interrupted the agent.
pub(super) fn is_interrupt(text: &str) -> bool {
    ENVELOPES.as_ref().is_ok_and(|rules| begins(text.trim_start(), &rules.file.interrupt.starts))
}

/// What stands behind the fixed words in front of answers to the agent's questions.
pub(super) fn answers(text: &str) -> Option<&str> {
    let rules = ENVELOPES.as_ref().ok()?;
    rules.file.answers.starts.iter().find_map(|start| text.strip_prefix(start.as_str()))
}

/// The messages in a bundle of OpenClaw's queue; the text itself where it is none.
pub(super) fn split_queued(text: &str) -> Vec<&str> {
    static MARK: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?m)^---\r?\nQueued #\d+[^\n]*\n").ok());
    let Some((_, bundle)) = text.split_once("[Queued messages while agent was busy]") else {
        return vec![text];
    };
    let Some(mark) = MARK.as_ref() else {
        return vec![text];
    };
    mark.split(bundle).filter(|part| !part.trim().is_empty()).collect()
}

static ENVELOPES: LazyLock<Result<Envelopes, String>> =
    LazyLock::new(|| Envelopes::compile(include_str!("../../rules/envelopes.toml")));

/// `rules/envelopes.toml` as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    whole: Vec<Entry>,
    after: Vec<Entry>,
    tail: Vec<Entry>,
    tag: Vec<Entry>,
    fence: Vec<Entry>,
    lead: Vec<Entry>,
    line: Vec<Entry>,
    rejection: Sentences,
    interrupt: Sentences,
    answers: Sentences,
}

/// One entry; each kind uses the fields of its name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    #[serde(default)]
    hosts: Vec<String>,
    from: String,
    #[serde(default)]
    starts: Vec<String>,
    #[serde(default)]
    marker: String,
    #[serde(default)]
    names: Vec<String>,
    #[serde(default)]
    labels: Vec<String>,
    #[serde(default)]
    pattern: String,
}

/// Fixed sentences of a host.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sentences {
    from: String,
    starts: Vec<String>,
    #[serde(default)]
    words_after: Vec<String>,
    #[serde(default)]
    no_words: Vec<String>,
}

/// The entries, ready for use.
struct Envelopes {
    file: File,
    /// What a text must hold for anything inside it to be cut; most texts hold none of it.
    marks: AhoCorasick,
    leads: Vec<Regex>,
    lines: Vec<Regex>,
}

impl File {
    /// The fixed words of everything that is cut from inside a text.
    fn marks(&self) -> Vec<String> {
        let markers = self.after.iter().map(|entry| entry.marker.clone());
        let tails = self.tail.iter().chain(&self.line).flat_map(|entry| entry.starts.clone());
        let tags = self.tag.iter().flat_map(|entry| &entry.names).map(|name| format!("<{name}"));
        let labels = self.fence.iter().flat_map(|entry| entry.labels.clone());
        markers.chain(tails).chain(tags).chain(labels).collect()
    }
}

impl Entry {
    fn is_for(&self, host: Host) -> bool {
        self.hosts.is_empty() || self.hosts.iter().any(|name| name == host.name())
    }
}

impl Envelopes {
    fn compile(toml: &str) -> Result<Self, String> {
        let file: File = toml::from_str(toml).map_err(|error| error.to_string())?;
        let forms = [&file.whole, &file.after, &file.tail, &file.tag, &file.fence, &file.lead, &file.line];
        let sentences = [&file.rejection, &file.interrupt, &file.answers];
        let unsourced = forms.into_iter().flatten().any(|entry| entry.from.trim().is_empty())
            || sentences.iter().any(|form| form.from.trim().is_empty());
        if unsourced {
            return Err("an entry does not say where it is from".into());
        }
        if file.line.iter().any(|entry| entry.starts.is_empty()) {
            return Err("an entry for lines does not say how they start".into());
        }
        let compile = |entries: &[Entry], before: &str, after: &str| -> Result<Vec<Regex>, String> {
            let regexes = entries.iter().map(|entry| Regex::new(&format!("{before}(?:{}){after}", entry.pattern)));
            regexes.collect::<Result<_, _>>().map_err(|error| error.to_string())
        };
        let leads = compile(&file.lead, r"\A", "")?;
        let lines = compile(&file.line, r"(?m)^[ \t]*", r"[ \t]*\r?(?:\n|\z)")?;
        let marks = AhoCorasick::new(file.marks()).map_err(|error| error.to_string())?;
        Ok(Self { file, marks, leads, lines })
    }

    fn strip(&self, host: Host, text: &str) -> Stripped {
        let left = text.trim();
        if self.is_whole(host, left) {
            return machine();
        }
        let is_marked = self.marks.is_match(left);
        let mut left = if is_marked { self.without_marked(host, left) } else { left.to_owned() };
        if self.cut_leads(host, &mut left) == Made::ByMachine {
            return machine();
        }
        if is_marked {
            for (entry, pattern) in self.file.line.iter().zip(&self.lines) {
                if entry.is_for(host) && pattern.is_match(&left) {
                    left = pattern.replace_all(&left, "").into_owned();
                }
            }
            if self.cut_leads(host, &mut left) == Made::ByMachine {
                return machine();
            }
        }
        plain(&left)
    }

    /// Cuts what the host put before, behind and among the words.
    fn without_marked(&self, host: Host, mut left: &str) -> String {
        for entry in self.file.after.iter().filter(|entry| entry.is_for(host)) {
            if let Some((_, words)) = left.rsplit_once(entry.marker.as_str()) {
                left = words;
            }
        }
        let mut left = self.without_tails(host, left).to_owned();
        for name in self.file.tag.iter().filter(|entry| entry.is_for(host)).flat_map(|entry| &entry.names) {
            cut_tag(&mut left, name);
        }
        for entry in self.file.fence.iter().filter(|entry| entry.is_for(host)) {
            entry.labels.iter().for_each(|label| cut_fences(&mut left, label));
        }
        left
    }

    fn is_whole(&self, host: Host, text: &str) -> bool {
        self.file.whole.iter().filter(|entry| entry.is_for(host)).any(|entry| begins(text, &entry.starts))
    }

    fn without_tails<'a>(&self, host: Host, mut text: &'a str) -> &'a str {
        for start in self.file.tail.iter().filter(|entry| entry.is_for(host)).flat_map(|entry| &entry.starts) {
            let at_line_start = |&(at, _): &(usize, &str)| at == 0 || text.as_bytes().get(at - 1) == Some(&b'\n');
            let found = text.match_indices(start.as_str()).find(at_line_start);
            if let Some((at, _)) = found {
                text = text.get(..at).unwrap_or(text);
            }
        }
        text
    }

    /// Cuts every beginning that fits, until none does or the rest proves machine-made.
    fn cut_leads(&self, host: Host, text: &mut String) -> Made {
        loop {
            let rest = text.trim_start();
            if self.is_whole(host, rest) {
                return Made::ByMachine;
            }
            let leads = self.file.lead.iter().zip(&self.leads).filter(|(entry, _)| entry.is_for(host));
            let end = leads.filter_map(|(_, lead)| lead.find(rest)).map(|found| found.end()).find(|&end| end > 0);
            let Some(end) = end else { return Made::Unknown };
            *text = rest.get(end..).unwrap_or_default().to_owned();
        }
    }
}

/// What the stripping found out about a text.
#[derive(PartialEq, Eq)]
enum Made {
    ByMachine,
    Unknown,
}

fn machine() -> Stripped {
    Stripped { words: String::new(), machine: true }
}

fn plain(text: &str) -> Stripped {
    let words = text.trim().to_owned();
    Stripped { machine: words.is_empty(), words }
}

fn begins(text: &str, starts: &[String]) -> bool {
    starts.iter().any(|start| text.starts_with(start.as_str()))
}

/// Cuts every `<name>…</name>`; one that is never closed stays, the person may have typed it.
fn cut_tag(text: &mut String, name: &str) {
    let (open, close) = (format!("<{name}"), format!("</{name}>"));
    let mut from = 0;
    while let Some(start) = text.get(from..).and_then(|rest| rest.find(&open)).map(|at| from + at) {
        let inner = text.get(start + open.len()..).unwrap_or_default();
        if !inner.starts_with(['>', ' ', '\n', '\t']) {
            from = start + open.len();
            continue;
        }
        let Some(length) = inner.find(&close) else {
            return;
        };
        text.replace_range(start..start + open.len() + length + close.len(), "");
        from = start;
    }
}

/// Cuts every line that is `label` (or, for a label that is only a mark, ends with it) together with the fence
/// under it, or, without a fence, with the text up to the next blank line.
fn cut_fences(text: &mut String, label: &str) {
    while let Some(found) = text.find(label) {
        let start = text.get(..found).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
        // Behind a time stamp the label stands at the start all the same.
        let before = text.get(start..found).unwrap_or_default().trim_end();
        if !before.is_empty() && !before.ends_with(']') && !label.starts_with('⟦') {
            return;
        }
        let start = if label.starts_with('⟦') { start } else { found };
        let after = text.get(found + label.len()..).unwrap_or_default();
        let body = after.trim_start();
        let length = if let Some(inner) = body.strip_prefix("```") {
            let close = inner.find("\n```").map_or(inner.len(), |at| at + "\n```".len());
            after.len() - inner.len() + close
        } else {
            after.find("\n\n").unwrap_or(after.len())
        };
        text.replace_range(start..found + label.len() + length, "");
    }
}

#[cfg(test)]
#[path = "envelope_tests.rs"]
mod tests;
