//! aider's chat history: Markdown to which every run is appended.
//!
//! `# aider chat started at …` opens a run. The person's lines begin with `#### `, the program's with `> `, the
//! rest is the model's, whose own headings may begin with `#### ` too. aider ends each line of the person with two
//! spaces: where any does, all must; in a copy without them (an editor trimmed it) a line counts that follows a
//! blank one, but not under the model's words: the program reports its tokens before it asks again.

use std::io::Read;
use std::path::Path;

use chrono::{DateTime, NaiveDateTime, Utc};

use super::draft::{Draft, Record, stem};
use super::{Host, Manner, Reading, Session, Speaker, Turn, cut, whole};
use crate::error::Result;

/// What opens a run.
pub(super) const RUN: &str = "# aider chat started at ";

/// Reads one file; each run in which the person spoke is a session.
pub(super) fn read(reader: impl Read, path: &Path, modified: DateTime<Utc>) -> Result<Reading> {
    let text = whole::text(reader, path)?;
    let has_marks = text.lines().any(|line| line.starts_with("#### ") && line.ends_with("  "));
    let mut runs: Vec<Run> = Vec::new();
    let (mut is_fenced, mut after_blank) = (false, true);
    for line in whole::lines(&text) {
        if let Some(time) = line.text.strip_prefix(RUN) {
            runs.push(Run::of(time.trim(), path));
            is_fenced = false;
            continue;
        }
        if runs.is_empty() {
            runs.push(Run::of("", path));
        }
        let Some(run) = runs.last_mut() else { continue };
        is_fenced ^= line.text.starts_with("```");
        let said = line.text.strip_prefix("####").filter(|rest| {
            let is_theirs = if has_marks {
                line.text.ends_with("  ")
            } else {
                run.is_asking() || after_blank && !is_fenced && !run.is_answering()
            };
            is_theirs && (rest.is_empty() || rest.starts_with(' '))
        });
        after_blank = line.text.trim().is_empty();
        match (said, line.text.strip_prefix('>')) {
            (Some(said), _) => run.ask(line.number, said),
            (None, Some(told)) if !is_fenced => run.tell(line.number, told.trim()),
            _ => run.answer(line.number, line.text),
        }
    }
    let sessions = runs.into_iter().filter_map(|run| run.finish(path, modified)).collect();
    Ok(Reading { sessions, problems: Vec::new() })
}

/// One run of the program.
struct Run {
    draft: Draft,
    /// Who the last lines belong to, and what they say so far.
    open: Option<(Speaker, u32, String)>,
}

const RECORD: Record<'static> = Record { id: None, time: None };

impl Run {
    fn of(time: &str, path: &Path) -> Self {
        let mut draft = Draft::default();
        draft.id = Some(format!("{}#{time}", stem(path)));
        draft.cwd = path.parent().filter(|folder| folder.is_absolute()).map(Path::to_path_buf);
        // The clock of the machine, whose zone is not told.
        draft.started = NaiveDateTime::parse_from_str(time, "%Y-%m-%d %H:%M:%S").ok().map(|time| time.and_utc());
        Self { draft, open: None }
    }

    fn is_asking(&self) -> bool {
        matches!(self.open, Some((Speaker::Human, _, _)))
    }

    fn is_answering(&self) -> bool {
        matches!(self.open, Some((Speaker::Agent, _, _)))
    }

    fn ask(&mut self, line: u32, said: &str) {
        let said = said.strip_prefix(' ').unwrap_or(said).trim_end();
        let said = if said == "<blank>" { "" } else { said };
        self.extend(Speaker::Human, line, said, cut::HUMAN);
    }

    fn answer(&mut self, line: u32, text: &str) {
        if matches!(self.open, Some((Speaker::Agent, _, _))) || !text.trim().is_empty() {
            self.extend(Speaker::Agent, line, text, cut::AGENT);
        } else {
            self.close();
        }
    }

    /// What the program itself says: edits it made, questions it asked and their answers, interrupts.
    fn tell(&mut self, line: u32, told: &str) {
        self.close();
        let is_no =
            told.rsplit_once("]: ").is_some_and(|(asked, answer)| asked.contains("(Y)es") && is_refusal(answer));
        let turn = match () {
            () if told.starts_with("^C") => {
                let was_told = self.draft.turns.last().is_some_and(|last| last.manner == Manner::Interrupt);
                if was_told {
                    return;
                }
                RECORD.injected(Manner::Interrupt, told)
            }
            () if is_no => RECORD.injected(Manner::Rejection, told),
            () if told.starts_with("Applied edit to ") || told.starts_with("Commit ") => {
                Turn { manner: Manner::Call, ..RECORD.agent(Manner::Call, told) }
            }
            () => return,
        };
        self.draft.turns.push(Turn { line, ..turn });
    }

    fn extend(&mut self, speaker: Speaker, line: u32, text: &str, limit: usize) {
        if self.open.as_ref().is_none_or(|open| open.0 != speaker) {
            self.close();
        }
        let (_, _, said) = self.open.get_or_insert_with(|| (speaker, line, String::new()));
        if said.len() < limit {
            said.push_str(text);
            said.push('\n');
        }
    }

    fn close(&mut self) {
        let Some((speaker, line, text)) = self.open.take() else {
            return;
        };
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        let turn = if speaker == Speaker::Human { human(text) } else { RECORD.agent(Manner::Plain, text) };
        self.draft.turns.push(Turn { line, ..turn });
    }

    fn finish(mut self, path: &Path, modified: DateTime<Utc>) -> Option<Session> {
        self.close();
        let has_words = self.draft.turns.iter().any(|turn| turn.speaker == Speaker::Human);
        has_words.then(|| self.draft.finish(Host::Aider, path, modified))
    }
}

/// The words behind a command that speaks to the model; other commands as they are.
fn human(text: &str) -> Turn {
    const SPEAKING: [&str; 5] = ["/ask", "/code", "/architect", "/context", "/copy-context"];
    let argument = text
        .split_once(char::is_whitespace)
        .filter(|(command, _)| SPEAKING.contains(command))
        .map(|(_, words)| words.trim());
    match argument {
        Some(words) => RECORD.human(Manner::Argument, words),
        None => RECORD.human(Manner::Plain, text),
    }
}

fn is_refusal(answer: &str) -> bool {
    matches!(answer.trim().to_ascii_lowercase().as_str(), "n" | "no" | "d" | "don't" | "s")
}

#[cfg(test)]
#[path = "aider_tests.rs"]
mod tests;
