//! Redaction: nothing secret is ever written.
//!
//! What counts as a secret is data (`rules/secrets.toml`): keys that tell by their own shape, then values found
//! by the name beside them. One aho-corasick pass looks for the rules' keywords; only the regexes whose keyword
//! was seen are compiled and run, so text without any costs one pass.
//!
//! ```
//! use afterword::redact::Redactor;
//!
//! let spoken = ["my db password is hunter", "22, keep it"].concat();
//! let redacted = Redactor::builtin().redact(&spoken);
//! assert_eq!(redacted.text, "my db password is [redacted:password], keep it");
//! assert_eq!(redacted.found, ["password"]);
//! ```
//!
//! Laws, each with a test: redacting twice changes nothing more, no input panics, ordinary text comes back
//! borrowed.

mod broken;
mod check;
mod inert;
mod rule;
mod sample;
mod scan;
mod view;

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;
use std::sync::{LazyLock, OnceLock};

use aho_corasick::AhoCorasick;
use regex::RegexSet;

pub use inert::inert;

use crate::error::{Error, ErrorKind, Result};
use rule::{File, Rule};

/// The rules that come with the program.
const BUILTIN: &str = include_str!("../rules/secrets.toml");

/// How often text is looked through again after a find. A second look matters where one secret hid the name or
/// the boundary of the next; real text is quiet at the second look.
const LOOKS: usize = 16;

/// Finds secrets and puts `[redacted:kind]` in their place.
#[derive(Debug)]
pub struct Redactor {
    rules: Vec<Rule>,
    keywords: AhoCorasick,
    /// `owners[k]` is the rule that keyword `k` belongs to.
    owners: Vec<usize>,
    stop_patterns: Vec<String>,
    /// Compiled when the first guess is to be judged.
    stop: OnceLock<Option<RegexSet>>,
}

/// Text without its secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redacted<'t> {
    /// The text with each secret replaced by `[redacted:kind]`; borrowed if there was none.
    pub text: Cow<'t, str>,
    /// The kind of each secret, in the order they were found; never the secret itself.
    pub found: Vec<String>,
}

/// One find: where, and the rule that gives it its kind (the earlier rule weighs more).
#[derive(Debug, Clone, PartialEq, Eq)]
struct Find {
    span: Range<usize>,
    rule: usize,
}

impl Redactor {
    /// The redactor with the built-in rules.
    ///
    /// # Panics
    /// If the built-in rules are broken, which a test rules out: to go on without them would let secrets pass.
    #[must_use]
    pub fn builtin() -> &'static Self {
        static BUILT: LazyLock<Redactor> =
            LazyLock::new(|| match Redactor::parse(BUILTIN, Path::new("rules/secrets.toml")) {
                Ok(redactor) => redactor,
                Err(error) => panic!("the built-in rules are broken: {error}"),
            });
        &BUILT
    }

    /// A redactor with the rules in `toml`, all of them compiled.
    ///
    /// # Errors
    /// [`ErrorKind::Rule`] that names `origin` and the rule when the file, a pattern or a kind is wrong.
    pub fn from_toml(toml: &str, origin: &Path) -> Result<Self> {
        let redactor = Self::parse(toml, origin)?;
        RegexSet::new(&redactor.stop_patterns)
            .map_err(|error| Error::new(ErrorKind::Rule, "a pattern in [stop] is wrong").at(origin).because(error))?;
        for rule in &redactor.rules {
            rule.compiled().map_err(|message| Error::new(ErrorKind::Rule, message).at(origin))?;
        }
        Ok(redactor)
    }

    /// Reads the rules; their patterns are compiled when they are first needed.
    fn parse(toml: &str, origin: &Path) -> Result<Self> {
        let wrong = |message: String| Error::new(ErrorKind::Rule, message).at(origin);
        let file: File = toml::from_str(toml).map_err(|error| {
            let line = error.span().map_or(1, |span| toml.bytes().take(span.start).filter(|&b| b == b'\n').count() + 1);
            wrong("not a rule file".into()).on_line(u32::try_from(line).unwrap_or(u32::MAX)).because(error.message())
        })?;
        let stop_patterns = file.stop.patterns.clone();
        let rules = file.into_rules().map_err(wrong)?;
        let (owners, words): (Vec<_>, Vec<_>) = rules
            .iter()
            .enumerate()
            .flat_map(|(owner, rule)| rule.keywords().iter().map(move |word| (owner, word)))
            .unzip();
        let keywords = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(words)
            .map_err(|error| wrong("the keywords cannot be searched for".into()).because(error))?;
        Ok(Self { rules, keywords, owners, stop_patterns, stop: OnceLock::new() })
    }

    /// Replaces each secret in `text`. Linear in the length of `text`.
    #[must_use]
    pub fn redact<'t>(&self, text: &'t str) -> Redacted<'t> {
        let mut text = Cow::Borrowed(text);
        let mut found = Vec::new();
        for _ in 0..LOOKS {
            let finds = self.finds(&text);
            if finds.is_empty() {
                break;
            }
            text = Cow::Owned(self.replace(&text, &finds));
            found.extend(finds.iter().filter_map(|find| self.rules.get(find.rule)).map(|rule| rule.kind().to_owned()));
        }
        Redacted { text, found }
    }

    /// `text` as it may be written: made [inert], then redacted. The order matters, for an invisible character
    /// inside a key would hide it from the rules.
    #[must_use]
    pub fn clean(&self, text: &str) -> Redacted<'static> {
        let text = inert(text);
        let redacted = self.redact(&text);
        Redacted { text: Cow::Owned(redacted.text.into_owned()), found: redacted.found }
    }

    /// Every fault of the rules: double ids, patterns that do not compile, examples that do not fire,
    /// counter-examples that do. Empty when all is well.
    #[must_use]
    pub fn check(&self) -> Vec<String> {
        check::faults(self)
    }

    /// Whether a guessed secret is a placeholder, a variable or a type. With broken stop patterns none is: too
    /// much is redacted then, never too little.
    fn stops(&self, secret: &str) -> bool {
        self.stop
            .get_or_init(|| RegexSet::new(&self.stop_patterns).ok())
            .as_ref()
            .is_some_and(|stop| stop.is_match(secret))
    }

    fn replace(&self, text: &str, finds: &[Find]) -> String {
        let mut out = String::with_capacity(text.len());
        let mut kept = 0;
        for find in finds {
            out.push_str(text.get(kept..find.span.start).unwrap_or_default());
            let kind = self.rules.get(find.rule).map_or("secret", Rule::kind);
            out.push_str(scan::PLACEHOLDER_START);
            out.push_str(kind);
            out.push(']');
            kept = find.span.end;
        }
        out.push_str(text.get(kept..).unwrap_or_default());
        out
    }
}
