//! Rules as the matcher runs them: one automaton over all phrases of all triggers, guards behind it.
//!
//! A phrase is only a prefilter with word boundaries; the pattern and `unless` are run on a sentence whose phrase
//! hit. Patterns compile when they are first needed: a run that ends in milliseconds cannot pay for all of them.

use std::ops::Range;
use std::path::Path;

use aho_corasick::{AhoCorasick, MatchKind};

use super::builtin;
use super::guard::Guard;
use super::opening::opening;
use super::schema::{Act, After, Position, RuleFile, Script, Side, TriggerEntry, Weights};
use crate::error::{Error, ErrorKind, Result};
use crate::text::Speech;
use crate::text::fold::{Folded, fold};
use crate::text::script::is_han;

/// All triggers and weights, ready to run.
#[derive(Debug)]
pub struct Rules {
    triggers: Vec<Trigger>,
    phrases: AhoCorasick,
    /// The trigger of each phrase, and whether the phrase's ends are Latin (and so need a word boundary).
    owners: Vec<(usize, Ends)>,
    weights: Weights,
}

/// One trigger, compiled.
#[derive(Debug)]
pub struct Trigger {
    /// As written.
    pub entry: TriggerEntry,
    /// Its act.
    pub act: Act,
    /// Whose text it reads.
    pub side: Side,
    /// The language of its file.
    pub language: String,
    /// The script that the sentence has to hold.
    script: Option<Script>,
    /// The file it came from.
    pub origin: String,
    pattern: Guard,
    unless: Guard,
}

#[derive(Debug, Clone, Copy)]
struct Ends {
    first: bool,
    last: bool,
}

/// A trigger that fired in a turn.
#[derive(Debug, Clone, PartialEq)]
pub struct Signal {
    /// Index of the trigger in [`Rules::triggers`].
    pub trigger: usize,
    /// Index of the sentence.
    pub sentence: usize,
    /// The phrase's place in the turn's original text.
    pub span: Range<usize>,
    /// What the trigger says.
    pub act: Act,
    /// What it adds to the score of its act.
    pub strength: f32,
}

/// A longer sentence (in bytes) is no speech: a paste without line breaks.
const LONGEST_SENTENCE: usize = 4_096;

impl Rules {
    /// The rules that come with the program.
    ///
    /// # Errors
    /// Only if a file in `rules/` is wrong, which the tests exclude.
    pub fn builtin() -> Result<Self> {
        Self::with_files(builtin::FILES.iter().map(|&(name, text)| (name.to_owned(), text.to_owned())).collect())
    }

    /// The built-in rules and those in the user's `folder` (`**/*.toml`, in the order of their names).
    ///
    /// # Errors
    /// If the folder cannot be read or a file in it is no rule file; the message names file and cause.
    pub fn with_folder(folder: &Path) -> Result<Self> {
        let mut files: Vec<(String, String)> =
            builtin::FILES.iter().map(|&(name, text)| (name.to_owned(), text.to_owned())).collect();
        let own = builtin::user_files(folder)?;
        let names: Vec<String> = own.iter().map(|(name, _)| name.clone()).collect();
        files.extend(own);
        let rules = Self::with_files(files)?;
        // A guard that cannot be compiled would let its phrase fire everywhere.
        match rules.triggers.iter().filter(|t| names.contains(&t.origin)).find_map(|t| Some((t, t.faults().pop()?))) {
            Some((trigger, fault)) => Err(Error::new(ErrorKind::Rule, fault).at(Path::new(&trigger.origin))),
            None => Ok(rules),
        }
    }

    fn with_files(files: Vec<(String, String)>) -> Result<Self> {
        let weights = toml::from_str(builtin::WEIGHTS).map_err(|e| bad(Path::new("rules/weights.toml"), &e))?;
        let mut triggers = Vec::new();
        for (name, text) in files {
            let path = Path::new(&name);
            let file: RuleFile = toml::from_str(&text).map_err(|e| bad(path, &e))?;
            for entry in file.triggers {
                triggers.push(Trigger {
                    act: entry.act.unwrap_or(file.act),
                    side: file.side,
                    script: file.script,
                    language: file.language.clone(),
                    origin: name.clone(),
                    pattern: Guard::new(entry.pattern.as_ref()),
                    unless: Guard::new(entry.unless.as_ref()),
                    entry,
                });
            }
        }
        Self::assemble(triggers, weights)
    }

    fn assemble(triggers: Vec<Trigger>, weights: Weights) -> Result<Self> {
        let mut literals = Vec::new();
        let mut owners = Vec::new();
        for (index, trigger) in triggers.iter().enumerate() {
            for phrase in &trigger.entry.phrases {
                let folded = fold(phrase);
                let latin = |c: Option<char>| c.is_some_and(is_word);
                let ends = Ends { first: latin(folded.chars().next()), last: latin(folded.chars().last()) };
                literals.push(folded);
                owners.push((index, ends));
            }
        }
        // Overlapping matches need `Standard`: the leftmost kinds lose phrases that start inside others.
        let phrases = AhoCorasick::builder()
            .match_kind(MatchKind::Standard)
            .build(&literals)
            .map_err(|e| Error::new(ErrorKind::Rule, "the phrases do not fit one automaton").because(e))?;
        Ok(Self { triggers, phrases, owners, weights })
    }

    /// All triggers, in the order of their files.
    #[must_use]
    pub fn triggers(&self) -> &[Trigger] {
        &self.triggers
    }

    /// How evidence adds up.
    #[must_use]
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The triggers of `side` that fire in a turn, in the order of the text; each at most once a sentence.
    #[must_use]
    pub fn signals(&self, speech: &Speech, side: Side, before: &[After]) -> Vec<Signal> {
        let mut found: Vec<Signal> = Vec::new();
        for (index, sentence) in speech.sentences().iter().enumerate() {
            let folded = speech.folded(index);
            for (trigger, span) in self.fired(folded, index, side, before) {
                let original = folded.original(span);
                let span = sentence.span.start + original.start..sentence.span.start + original.end;
                let entry = &self.triggers[trigger];
                found.push(Signal { trigger, sentence: index, span, act: entry.act, strength: entry.entry.strength });
            }
        }
        found
    }

    fn fired(&self, folded: &Folded, index: usize, side: Side, before: &[After]) -> Vec<(usize, Range<usize>)> {
        let text = folded.as_str();
        let opening = opening(text);
        let han = text.chars().any(is_han);
        let mut seen: Vec<(usize, Range<usize>)> = Vec::new();
        if text.len() > LONGEST_SENTENCE {
            return seen;
        }
        // What the guards say does not depend on the place of the phrase: they are asked once.
        let mut refused: Vec<usize> = Vec::new();
        for hit in self.phrases.find_overlapping_iter(text) {
            let (owner, ends) = self.owners[hit.pattern().as_usize()];
            let trigger = &self.triggers[owner];
            if trigger.side != side
                || trigger.script == Some(Script::Han) && !han
                || seen.iter().any(|(t, _)| *t == owner)
                || refused.contains(&owner)
                || !bounded(text, &hit.range(), ends)
                || !trigger.stands(index, hit.start(), opening)
                || !trigger.follows(before)
            {
                continue;
            }
            if trigger.pattern.matches(text) == Some(false) || trigger.unless.matches(text) == Some(true) {
                refused.push(owner);
                continue;
            }
            seen.push((owner, hit.range()));
        }
        seen
    }
}

impl Trigger {
    fn stands(&self, sentence: usize, at: usize, opening: usize) -> bool {
        match self.entry.position {
            Position::Turn => sentence == 0 && at <= opening,
            Position::Sentence => at <= opening,
            Position::Anywhere => true,
        }
    }

    fn follows(&self, before: &[After]) -> bool {
        let wanted = &self.entry.after;
        (wanted.is_empty() || wanted.iter().any(|a| before.contains(a)))
            && !self.entry.not_after.iter().any(|a| before.contains(a))
    }

    /// The faults of its guards, one sentence each.
    #[must_use]
    pub fn faults(&self) -> Vec<String> {
        let faults = [&self.pattern, &self.unless].into_iter().filter_map(Guard::fault);
        faults.map(|fault| format!("{}: pattern does not compile: {fault}", self.entry.id)).collect()
    }
}

fn bad(path: &Path, error: &toml::de::Error) -> Error {
    Error::new(ErrorKind::Rule, error.to_string().trim_end().to_owned()).at(path)
}

pub(super) fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// English phrases match on word boundaries; Chinese has none.
fn bounded(text: &str, span: &Range<usize>, ends: Ends) -> bool {
    let before = text.get(..span.start).and_then(|t| t.chars().next_back());
    let after = text.get(span.end..).and_then(|t| t.chars().next());
    let runs_on = |inside: bool, beside: Option<char>| inside && beside.is_some_and(is_word);
    !runs_on(ends.first, before) && !runs_on(ends.last, after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn english_phrases_need_word_boundaries_and_chinese_ones_do_not() {
        let latin = Ends { first: true, last: true };
        assert!(!bounded("another", &(0..2), latin));
        assert!(bounded("an other", &(0..2), latin));
        assert!(bounded("用pnpm吧", &(3..7), latin));
    }
}
