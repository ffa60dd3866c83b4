//! One session settles its own candidates before they meet the store: what was said twice is one memory with more
//! evidence, and what the person took back or said otherwise later in the same session is not proposed at all.

use super::Comparison::{Distinct, Duplicate, Supersede};
use super::judge::judge;
use super::reading::Reading;
use crate::memory::{Candidate, Intent};

/// So many candidates back a session is compared with itself; further back only the store compares.
const WINDOW: usize = 200;

/// Settles the candidates of one session, given and returned in the order in which they were said.
#[must_use]
pub fn settle(candidates: Vec<Candidate>) -> Vec<Candidate> {
    let mut settled: Vec<(Candidate, Reading)> = Vec::new();
    // What stands before something was forgotten is the store's matter: it may be said anew behind it.
    let mut barrier = 0;
    for candidate in candidates {
        let reading = Reading::new(&candidate.body);
        let from = barrier.max(settled.len().saturating_sub(WINDOW));
        let related = settled.iter().enumerate().skip(from).find_map(|(i, (other, theirs))| {
            let same_sort =
                other.intent == Intent::Keep && candidate.intent == Intent::Keep && other.kind == candidate.kind;
            let relation = if same_sort { judge(theirs, &reading) } else { Distinct };
            (relation != Distinct).then_some((i, relation))
        });
        match related {
            Some((i, Duplicate)) => {
                let (known, _) = &mut settled[i];
                known.ttl = known.ttl.max(candidate.ttl);
                known.confirm = known.confirm.max(candidate.confirm);
                known.evidence.extend(candidate.evidence);
            }
            Some((i, Supersede)) => settled[i] = (candidate, reading),
            _ => {
                let forgets = candidate.intent == Intent::Forget;
                settled.push((candidate, reading));
                if forgets {
                    barrier = settled.len();
                }
            }
        }
    }
    settled.into_iter().map(|(candidate, _)| candidate).collect()
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
            replaces: Vec::new(),
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
