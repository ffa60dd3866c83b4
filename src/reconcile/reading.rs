//! One statement, understood as far as comparing needs it: what it chooses, what it turns down, where that holds,
//! and whether it gives the value of a subject.
//!
//! "Use pnpm, not npm, in this repo" chooses `pnpm`, turns down `npm`, and its scope says nothing. "My timezone is
//! UTC" gives the subject `timezone` the value `utc`. A playbook is read from its `## What`; its `## When` is kept as
//! the situation, and its `## Why` does not count.

use std::collections::BTreeSet;

use super::tokens::join;
use super::words::{Group, Lexeme, Role, Word, lexicon};
use crate::memory::Sections;

/// A statement, taken apart.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Reading {
    /// All its tokens, for sameness to the letter.
    pub(crate) plain: Box<str>,
    /// What it chooses or states.
    pub(crate) taken: Vec<Word>,
    /// What it turns down.
    pub(crate) refused: Vec<Word>,
    /// Where it holds.
    pub(crate) scope: Vec<Word>,
    /// Where it does not.
    pub(crate) exceptions: Vec<Word>,
    /// It allows no exception.
    pub(crate) force: bool,
    /// It tells of a change.
    pub(crate) change: bool,
    /// It adds to what was said before.
    pub(crate) also: bool,
    /// The subject it gives a value, if one of the patterns fits.
    pub(crate) subject: Option<Valued>,
    /// The words of a playbook's situation.
    pub(crate) when: BTreeSet<Box<str>>,
}

/// A subject and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Valued {
    pub(crate) subject: Box<str>,
    pub(crate) value: Vec<Box<str>>,
    pub(crate) scope: Vec<Word>,
}

impl Reading {
    /// Reads a profile's sentence or a playbook's sections.
    pub(crate) fn new(body: &str) -> Self {
        let Sections { when, what, .. } = Sections::of(body);
        let lexemes = lexicon().lexemes(&what);
        let mut reading = parse(&lexemes);
        let raw: Vec<&str> = lexemes
            .iter()
            .filter(|lexeme| !matches!(lexeme.role, Role::Pause | Role::Stop) && &*lexeme.raw != ":")
            .map(|lexeme| &*lexeme.raw)
            .collect();
        reading.plain = raw.join(" ").into();
        reading.subject = subject(&lexemes);
        reading.when = content(&lexicon().lexemes(&when));
        reading
    }

    /// Everything it is about, scope included.
    pub(crate) fn words(&self) -> impl Iterator<Item = &Word> {
        [&self.taken, &self.refused, &self.scope].into_iter().flatten()
    }
}

fn content(lexemes: &[Lexeme]) -> BTreeSet<Box<str>> {
    let words = lexemes.iter().filter(|lexeme| lexeme.role == Role::Word);
    words.map(|lexeme| lexeme.word.text.clone()).collect()
}

/// A clause under one polarity.
#[derive(Default)]
struct Segment {
    refuses: bool,
    /// Whether a polarity word has been seen in it.
    decided: bool,
    /// Whether a choosing or refusing verb has been seen in it.
    verb: bool,
    words: Vec<Word>,
}

/// Where words go at the moment.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Core,
    Scope,
    Condition,
    Exception,
    Reason,
}

struct Parser {
    done: Vec<Segment>,
    now: Segment,
    mode: Mode,
    /// Whether a clause without words of its own refused ("not in English").
    bare_refusal: bool,
    reading: Reading,
}

fn parse(lexemes: &[Lexeme]) -> Reading {
    let mut parser = Parser {
        done: Vec::new(),
        now: Segment::default(),
        mode: Mode::Core,
        bare_refusal: false,
        reading: Reading::default(),
    };
    for lexeme in lexemes {
        parser.step(lexeme);
    }
    parser.turn(false);
    finish(parser)
}

impl Parser {
    fn step(&mut self, lexeme: &Lexeme) {
        match lexeme.role {
            Role::Stop => self.turn(false),
            Role::Pause => self.turn(self.now.refuses),
            Role::Word => self.word(&lexeme.word),
            Role::Person | Role::Filler => {}
            Role::Force => self.reading.force = true,
            Role::Change => self.reading.change = true,
            Role::Also => self.reading.also = true,
            Role::Exception => self.mode = Mode::Exception,
            Role::Purpose => self.mode = Mode::Reason,
            Role::When => self.mode = Mode::Condition,
            Role::Close => {
                if self.mode == Mode::Core {
                    self.reading.scope.append(&mut self.now.words);
                }
                self.mode = Mode::Core;
            }
            // Inside a condition, an exception or a reason, verbs and negations are words like others.
            _ if !matches!(self.mode, Mode::Core | Mode::Scope) => {
                if !matches!(lexeme.role, Role::Scope) {
                    self.word(&lexeme.word);
                }
            }
            Role::Scope => self.mode = Mode::Scope,
            Role::Over if self.chosen() => self.contrast(),
            Role::Over => self.mode = Mode::Scope,
            Role::Contrast if self.now.words.is_empty() => self.negate(),
            Role::Contrast => self.contrast(),
            Role::Take => self.take(),
            Role::Shun => self.shun(),
            Role::Not => self.negate(),
            Role::Never => {
                self.reading.force = true;
                self.negate();
            }
            Role::Quit => {
                self.reading.change = true;
                self.negate();
            }
        }
    }

    fn word(&mut self, word: &Word) {
        let generic = lexicon().generic.contains(&word.text);
        match self.mode {
            Mode::Core => self.now.words.push(word.clone()),
            Mode::Exception => self.reading.exceptions.push(word.clone()),
            Mode::Scope | Mode::Condition if !generic => self.reading.scope.push(word.clone()),
            Mode::Scope | Mode::Condition | Mode::Reason => {}
        }
    }

    /// Ends the clause; the next starts with the given polarity.
    fn turn(&mut self, refuses: bool) {
        let next = Segment { refuses, ..Segment::default() };
        let done = std::mem::replace(&mut self.now, next);
        if done.words.is_empty() {
            self.bare_refusal |= done.refuses;
        } else {
            self.done.push(done);
        }
        self.mode = Mode::Core;
    }

    fn chosen(&self) -> bool {
        self.now.verb && !self.now.words.is_empty()
    }

    fn contrast(&mut self) {
        self.turn(true);
        self.now.decided = true;
        self.now.verb = true;
    }

    fn take(&mut self) {
        if self.chosen() {
            self.turn(false);
        }
        if !self.now.decided {
            self.now.refuses = false;
        }
        self.now.decided = true;
        self.now.verb = true;
        self.mode = Mode::Core;
    }

    fn negate(&mut self) {
        if self.chosen() {
            self.turn(false);
        }
        self.now.refuses = !self.now.decided || !self.now.refuses;
        self.now.decided = true;
        self.mode = Mode::Core;
    }

    fn shun(&mut self) {
        self.negate();
        self.now.verb = true;
    }
}

fn finish(parser: Parser) -> Reading {
    let mut reading = parser.reading;
    let mut done = parser.done;
    // The order of clauses does not matter, that of words inside a clause does.
    done.sort_by(|one, other| one.words.cmp(&other.words));
    for segment in done {
        if segment.refuses {
            reading.refused.extend(segment.words);
        } else {
            reading.taken.extend(segment.words);
        }
    }
    if reading.taken.is_empty() && reading.refused.is_empty() {
        let scope = std::mem::take(&mut reading.scope);
        if parser.bare_refusal {
            reading.refused = scope;
        } else {
            reading.taken = scope;
        }
    }
    drop_implied(&mut reading);
    reading
}

/// Takes away words for the subject that a value implies: "tabs for indentation" is "tabs".
fn drop_implied(reading: &mut Reading) {
    let groups: Vec<&Group> =
        reading.words().filter_map(|word| lexicon().groups.get(usize::from(word.group?))).collect();
    if groups.is_empty() {
        return;
    }
    let implied = |word: &Word| groups.iter().any(|group| group.about.contains(&word.text));
    for words in [&mut reading.taken, &mut reading.refused, &mut reading.scope] {
        words.retain(|word| word.group.is_some() || !implied(word));
    }
}

/// The first sentence that gives a subject its value.
fn subject(lexemes: &[Lexeme]) -> Option<Valued> {
    let sentences = lexemes.split(|lexeme| lexeme.role == Role::Stop);
    sentences.take(3).find_map(valued)
}

fn valued(sentence: &[Lexeme]) -> Option<Valued> {
    let raw: Vec<&str> = sentence
        .iter()
        .filter(|lexeme| !matches!(lexeme.role, Role::Person | Role::Force | Role::Change | Role::Pause))
        .map(|lexeme| &*lexeme.raw)
        .map(|raw| if raw == ":" { "=" } else { raw })
        .collect();
    let text = join(&raw).replace("favourite", "favorite").replace("time zone", "timezone");
    lexicon().subjects.iter().find_map(|subject| {
        // Most patterns do not fit, and asking for captures costs more than asking.
        let fits = subject.pattern.is_match(&text);
        let captures = fits.then(|| subject.pattern.captures(&text)).flatten()?;
        let name = captures.name("subject").map_or("", |m| m.as_str());
        let lexemes = lexicon().lexemes(captures.name("value")?.as_str());
        let denied = lexemes
            .first()
            .is_none_or(|first| matches!(first.role, Role::Not | Role::Never | Role::Quit | Role::Contrast));
        if denied {
            return None;
        }
        let opened = lexemes
            .iter()
            .position(|lexeme| matches!(lexeme.role, Role::Scope | Role::When | Role::Exception | Role::Purpose))
            .unwrap_or(lexemes.len());
        let (value, rest) = lexemes.split_at(opened);
        if value.iter().all(|lexeme| lexeme.role == Role::Filler) {
            return None;
        }
        Some(Valued {
            subject: format!("{}:{name}", subject.id).into(),
            value: value.iter().filter(|lexeme| lexeme.role != Role::Filler).map(|lexeme| lexeme.raw.clone()).collect(),
            scope: rest
                .iter()
                .filter(|lexeme| lexeme.role == Role::Word && !lexicon().generic.contains(&lexeme.word.text))
                .map(|lexeme| lexeme.word.clone())
                .collect(),
        })
    })
}
