//! How long a profile lives: from its own words, else from its class (`rules/ttl.toml`).

use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;

use crate::memory::{Class, Ttl};
use crate::text::fold::fold;

#[derive(Debug, Deserialize)]
struct Lifetimes {
    ttl: Vec<Lifetime>,
    class: Classes,
    lasting: Lifetime,
    perishing: Lifetime,
}

#[derive(Debug, Deserialize)]
struct Lifetime {
    ttl: Ttl,
    pattern: String,
}

#[derive(Debug, Deserialize)]
struct Classes {
    preference: Ttl,
    constraint: Ttl,
    config: Ttl,
    fact: Ttl,
    procedure: Ttl,
}

/// The patterns in the order in which they are asked, and the classes' lifetimes.
type Compiled = (Vec<(Regex, Ttl)>, (Regex, Ttl), (Regex, Ttl), Classes);

static LIFETIMES: LazyLock<Option<Compiled>> = LazyLock::new(|| {
    let file: Lifetimes = toml::from_str(include_str!("../../rules/ttl.toml")).ok()?;
    let compile = |l: &Lifetime| Regex::new(&l.pattern).ok().map(|r| (r, l.ttl));
    let timed = file.ttl.iter().map(compile).collect::<Option<Vec<_>>>()?;
    Some((timed, compile(&file.lasting)?, compile(&file.perishing)?, file.class))
});

/// The lifetime of a statement of `class`; the more generous one where nothing tells.
#[must_use]
pub fn ttl(text: &str, class: Class) -> Ttl {
    let Some((timed, lasting, perishing, classes)) = LIFETIMES.as_ref() else {
        return Ttl::Infinity;
    };
    let folded = fold(text);
    if let Some((_, ttl)) = timed.iter().find(|(pattern, _)| pattern.is_match(&folded)) {
        return *ttl;
    }
    let by_class = match class {
        Class::Preference => classes.preference,
        Class::Constraint => classes.constraint,
        Class::Config => classes.config,
        Class::Fact => classes.fact,
        Class::Procedure => classes.procedure,
    };
    match class {
        Class::Fact if lasting.0.is_match(&folded) => lasting.1,
        Class::Fact | Class::Config if perishing.0.is_match(&folded) => perishing.1,
        _ => by_class,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_decide_before_the_class_does() {
        for (text, class, expected) in [
            ("User is out this afternoon.", Class::Fact, Ttl::OneDay),
            ("用户今天下午不在。", Class::Fact, Ttl::OneDay),
            ("No merges until friday.", Class::Constraint, Ttl::OneWeek),
            ("User is on holiday.", Class::Fact, Ttl::OneMonth),
            ("This sprint is for bug fixes only.", Class::Constraint, Ttl::OneQuarter),
            ("User is a nurse.", Class::Fact, Ttl::OneYear),
            ("User's timezone is CET.", Class::Fact, Ttl::Infinity),
            ("用户对花生过敏。", Class::Fact, Ttl::Infinity),
            ("User prefers tabs.", Class::Preference, Ttl::Infinity),
        ] {
            assert_eq!(ttl(text, class), expected, "{text}");
        }
    }
}
