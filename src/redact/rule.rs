//! A rule as it is written, and as it runs.
//!
//! A pattern is compiled when its keyword is first seen, and whole, so that it tells what to cut out, when it first
//! matches: a program that a hook starts for one short session must not pay for a hundred regexes it never needs.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use regex::{Regex, RegexBuilder};
use serde::Deserialize;

use crate::text::pattern::Pattern;

/// The most a compiled pattern may weigh, in bytes: far above any built-in one, and a bound for a user's.
const SIZE_LIMIT: usize = 8 << 20;

/// A rule file as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    /// Pieces that patterns name as `{{piece}}`.
    #[serde(default)]
    pieces: BTreeMap<String, String>,
    #[serde(default)]
    pub(super) stop: Stop,
    #[serde(rename = "rule")]
    rules: Vec<Written>,
}

/// What stands where a secret would stand, and is none: placeholders, variables, types.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Stop {
    pub(super) patterns: Vec<String>,
}

/// One rule as it is written; the fields are explained at the top of `rules/secrets.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Written {
    pub(super) id: String,
    kind: String,
    #[serde(default)]
    keywords: Vec<String>,
    run: Option<usize>,
    pattern: String,
    #[serde(default)]
    need: Vec<String>,
    #[serde(default)]
    allow: Vec<String>,
    #[serde(default)]
    entropy: f64,
    #[serde(default)]
    pub(super) broken: bool,
    #[serde(default)]
    pub(super) guess: bool,
    #[serde(default)]
    pub(super) examples: Vec<String>,
    #[serde(default)]
    pub(super) counter: Vec<String>,
}

/// One rule as it runs.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) written: Written,
    compiled: OnceLock<std::result::Result<Compiled, String>>,
    /// Whether the pattern matches at all, which is nearly always no, and far cheaper to find out.
    sign: OnceLock<Option<Pattern>>,
}

/// The regexes of a rule.
#[derive(Debug)]
pub(super) struct Compiled {
    pub(super) pattern: Regex,
    /// The indexes of the groups that hold the secret; empty: the whole match is one.
    pub(super) secret: Vec<usize>,
    /// The index of the group that clears the match if it takes part.
    pub(super) not: Option<usize>,
    need: Vec<Regex>,
    allow: Vec<Regex>,
}

impl File {
    /// The rules with their pieces filled in, or what is wrong with the first wrong one.
    pub(super) fn into_rules(self) -> std::result::Result<Vec<Rule>, String> {
        let pieces: Vec<_> = self.pieces.iter().map(|(name, piece)| (format!("{{{{{name}}}}}"), piece)).collect();
        self.rules
            .into_iter()
            .map(|mut written| {
                for (name, piece) in &pieces {
                    if written.pattern.contains(name) {
                        written.pattern = written.pattern.replace(name, piece);
                    }
                }
                Rule::new(written)
            })
            .collect()
    }
}

impl Rule {
    fn new(written: Written) -> std::result::Result<Self, String> {
        let id = &written.id;
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if written.kind.is_empty() || !written.kind.chars().all(plain) {
            return Err(format!("rule {id}: kind must be lower-case letters, digits and hyphens"));
        }
        if written.keywords.iter().any(String::is_empty) {
            return Err(format!("rule {id}: a keyword is empty"));
        }
        if written.keywords.is_empty() && written.run.is_none() {
            return Err(format!("rule {id}: it has neither keywords nor run"));
        }
        Ok(Self { written, compiled: OnceLock::new(), sign: OnceLock::new() })
    }

    pub(super) fn kind(&self) -> &str {
        &self.written.kind
    }

    pub(super) fn keywords(&self) -> &[String] {
        &self.written.keywords
    }

    /// The length of unbroken word that wakes the rule without a keyword.
    pub(super) fn run(&self) -> Option<usize> {
        self.written.run
    }

    /// Whether the pattern may match somewhere in `text`.
    pub(super) fn may_match(&self, text: &str) -> bool {
        let sign = self.sign.get_or_init(|| Pattern::new(&self.written.pattern).ok());
        sign.as_ref().is_none_or(|sign| sign.is_match(text))
    }

    /// The regexes, compiled at the first call.
    pub(super) fn compiled(&self) -> std::result::Result<&Compiled, String> {
        self.compiled.get_or_init(|| compile(&self.written)).as_ref().map_err(Clone::clone)
    }

    /// Whether the rule's own conditions hold for a match.
    pub(super) fn accepts(&self, compiled: &Compiled, whole: &str, secret: &str) -> bool {
        compiled.need.iter().all(|need| need.is_match(secret))
            && !compiled.allow.iter().any(|allow| allow.is_match(whole))
            && (self.written.entropy <= 0.0 || entropy(secret) >= self.written.entropy)
    }
}

fn compile(written: &Written) -> std::result::Result<Compiled, String> {
    let regex = |what: &str, pattern: &str| {
        RegexBuilder::new(pattern)
            .size_limit(SIZE_LIMIT)
            .build()
            .map_err(|error| format!("rule {}: {what}: {error}", written.id))
    };
    let all = |what: &str, patterns: &[String]| {
        patterns.iter().map(|pattern| regex(what, pattern)).collect::<std::result::Result<Vec<_>, _>>()
    };
    let pattern = regex("pattern", &written.pattern)?;
    let named = |wanted: &dyn Fn(&str) -> bool| -> Vec<usize> {
        pattern
            .capture_names()
            .enumerate()
            .filter(|(_, name)| name.is_some_and(wanted))
            .map(|(index, _)| index)
            .collect()
    };
    Ok(Compiled {
        secret: named(&|name| name.starts_with("secret")),
        not: named(&|name| name == "not").first().copied(),
        need: all("need", &written.need)?,
        allow: all("allow", &written.allow)?,
        pattern,
    })
}

/// The Shannon entropy of the bytes of `text`, in bits a byte: 0 for one repeated byte, 4 for evenly mixed hex.
pub(super) fn entropy(text: &str) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in text.bytes() {
        if let Some(count) = counts.get_mut(usize::from(byte)) {
            *count += 1;
        }
    }
    let length = text.len().max(1) as f64;
    counts
        .iter()
        .filter(|&&count| count > 0)
        .map(|&count| f64::from(count) / length)
        .map(|share| -share * share.log2())
        .sum()
}
