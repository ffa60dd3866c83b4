//! Patterns that are only asked whether they match: guards, kinds of lines, signs of a secret.
//!
//! A whole [`Regex`] can also tell where a match begins and what its groups hold. For that it compiles a second automaton
//! that runs backwards, literals to look ahead for, and room for each thread to simulate them in. There are hundreds of
//! patterns here and most texts are sentences, so compiling and holding all that costs more than matching does: one
//! automaton that runs forwards, and is built as far as the text leads, tells the same.

use std::fmt;

use regex::Regex;
use regex_automata::Input;
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson::{self, Compiler, WhichCaptures};
use regex_automata::util::pool::Pool;

/// A regex without its groups. The syntax is that of [`regex`].
pub struct Pattern(How);

/// Nearly all patterns run as an automaton; one that looks for a Unicode word boundary cannot.
enum How {
    Forwards {
        automaton: Box<DFA>,
        /// What each thread has built of it so far.
        built: Pool<Cache, Create>,
    },
    Whole(Regex),
}

type Create = Box<dyn Fn() -> Cache + Send + Sync + std::panic::UnwindSafe + std::panic::RefUnwindSafe>;

impl Pattern {
    /// Compiles `source`.
    ///
    /// # Errors
    /// As [`Regex::new`].
    pub fn new(source: &str) -> Result<Self, regex::Error> {
        let config = DFA::config().skip_cache_capacity_check(true);
        let one_way = COMPILER.with(|compiler| compiler.build(source).ok());
        let automaton = one_way.and_then(|nfa| DFA::builder().configure(config).build_from_nfa(nfa).ok());
        let Some(automaton) = automaton.map(Box::new) else {
            // Either it needs more than the automaton can do, or it is wrong, and this tells how.
            return Regex::new(source).map(|regex| Self(How::Whole(regex)));
        };
        let own = automaton.clone();
        let create: Create = Box::new(move || own.create_cache());
        Ok(Self(How::Forwards { automaton, built: Pool::new(create) }))
    }

    /// Whether it matches somewhere in `text`.
    #[must_use]
    pub fn is_match(&self, text: &str) -> bool {
        match &self.0 {
            How::Forwards { automaton, built } => {
                let found = automaton.try_search_fwd(&mut built.get(), &Input::new(text).earliest(true));
                // A search gives up only where it was told to, and this one was not.
                found.is_ok_and(|found| found.is_some())
            }
            How::Whole(regex) => regex.is_match(text),
        }
    }
}

thread_local! {
    /// One for all patterns: a compiler sets aside half a megabyte for its Unicode classes, which takes longer than many a
    /// pattern does.
    static COMPILER: Compiler = {
        // The groups of a guard are there for its alternatives: nobody asks what they hold.
        let one_way = thompson::Config::new().which_captures(WhichCaptures::None).nfa_size_limit(Some(SIZE_LIMIT));
        let mut compiler = Compiler::new();
        compiler.configure(one_way);
        compiler
    };
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match &self.0 {
            How::Forwards { .. } => "Pattern(forwards)",
            How::Whole(_) => "Pattern(whole)",
        })
    }
}

/// Letters, digits and word boundaries are those of ASCII: code and logs hold no others, and the tables of Unicode make
/// a pattern ten times as slow to compile.
pub(super) fn ascii(source: &str) -> String {
    source.replace(r"\w", "[0-9A-Za-z_]").replace(r"\d", "[0-9]").replace(r"\b", r"(?-u:\b)")
}

/// The most that a compiled pattern may weigh, in bytes; that of [`Regex::new`].
const SIZE_LIMIT: usize = 10 << 20;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Every construct that the rules use: alternatives, classes, bounds, anchors, boundaries, lazy dots, flags.
    const SOURCES: [&str; 9] = [
        r"^[^a-z0-9_]*(?:no+|nope)(?-u:\b)[ \t,.]+[a-z]",
        r"(?-u:\b)(?:use|put) (?:[a-z]+ ){0,2}b(?-u:\b)|a\?[^a-z]*$",
        r"(?i)我|a.{0,3}?B",
        r"(?m)^- ",
        r"\bé",
        "",
        r"[^b]$",
        r"(?:不要|别)[^。]{0,4}了",
        r"\A\s*\d{2,}",
    ];

    #[test]
    fn a_wrong_pattern_is_told_as_regex_tells_it() {
        let wrong = String::from("(");
        assert_eq!(Pattern::new(&wrong).unwrap_err().to_string(), Regex::new(&wrong).unwrap_err().to_string());
    }

    proptest! {
        #[test]
        fn it_matches_where_a_whole_regex_does(text in "[a-cnoBéu 用我不要了。,.?\n0-9_-]{0,24}") {
            for source in SOURCES {
                let (pattern, regex) = (Pattern::new(source).unwrap(), Regex::new(source).unwrap());
                prop_assert_eq!(pattern.is_match(&text), regex.is_match(&text), "{} in {:?}", source, text);
            }
        }
    }
}
