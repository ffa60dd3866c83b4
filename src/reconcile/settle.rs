//! One session settles its own candidates before they meet the store: what was said twice is one memory with more
//! evidence, and what the person took back or said otherwise later in the same session is not proposed at all.

use super::Comparison::{Distinct, Duplicate, Supersede};
use super::compare;
use crate::memory::{Candidate, Intent};

/// Settles the candidates of one session, given and returned in the order in which they were said.
#[must_use]
pub fn settle(candidates: Vec<Candidate>) -> Vec<Candidate> {
    let mut settled: Vec<Candidate> = Vec::new();
    for candidate in candidates {
        let related = settled.iter().position(|s| {
            kept(s) && kept(&candidate) && s.kind == candidate.kind && compare(&s.body, &candidate.body) != Distinct
        });
        match related.map(|i| (i, compare(&settled[i].body, &candidate.body))) {
            Some((i, Duplicate)) => {
                settled[i].ttl = settled[i].ttl.max(candidate.ttl);
                settled[i].confirm = settled[i].confirm.max(candidate.confirm);
                settled[i].evidence.extend(candidate.evidence);
            }
            Some((i, Supersede)) => settled[i] = candidate,
            _ => settled.push(candidate),
        }
    }
    settled
}

fn kept(candidate: &Candidate) -> bool {
    candidate.intent == Intent::Keep
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;
    use crate::memory::{Class, Confirmation, Evidence, Kind, Role, Slug, Ttl};

    fn said(line: u32, body: &str) -> Candidate {
        Candidate {
            intent: Intent::Keep,
            kind: Kind::Profile,
            class: Class::Preference,
            slug: Slug::new("x").unwrap(),
            ttl: Ttl::Infinity,
            confirm: Confirmation::None,
            body: body.to_owned(),
            said_at: DateTime::UNIX_EPOCH,
            evidence: vec![Evidence {
                host: "h".into(),
                session: "s".into(),
                line,
                role: Role::Statement,
                time: DateTime::UNIX_EPOCH,
                quote: body.to_owned(),
            }],
            reason: String::new(),
        }
    }

    #[test]
    fn said_twice_is_one_memory_and_the_later_value_wins() {
        let settled = settle(vec![
            said(1, "User prefers long answers."),
            said(2, "User prefers long answers."),
            said(3, "User's timezone is UTC."),
            said(4, "User's timezone is CET."),
        ]);
        let bodies: Vec<&str> = settled.iter().map(|c| c.body.as_str()).collect();
        assert_eq!(bodies, ["User prefers long answers.", "User's timezone is CET."]);
        assert_eq!(settled[0].evidence.len(), 2);
    }
}
