//! The lines of sessions that memories come from, and what waits for the person's word.

use chrono::NaiveDate;

use super::Project;
use super::eyes::{Eyes, day, language};
use crate::explain::deed;
use crate::memory::{Confirmation, Evidence, Intent, Kind, Role};
use crate::store::Open;

/// A line of a session.
pub(super) struct Line {
    pub(super) role: Role,
    /// What the person did in it.
    pub(super) deed: &'static str,
    pub(super) language: &'static str,
    pub(super) quote: String,
    /// The host and the session; `None` where no session tells, because a hand or a tool wrote it.
    pub(super) session: Option<(String, String)>,
    /// Where it stands, in words.
    pub(super) place: String,
}

/// Something that waits for the person's word.
pub(super) struct Waiting {
    pub(super) id: String,
    pub(super) project: String,
    pub(super) kind: Kind,
    /// Whether it is a wish to forget, and no correction.
    pub(super) forgets: bool,
    pub(super) date: NaiveDate,
    pub(super) day: String,
    pub(super) text: String,
    pub(super) language: &'static str,
    pub(super) lines: Vec<Line>,
    pub(super) reason: String,
}

/// The lines of an evidence; `confirm` is how the statement was confirmed that it belongs to.
pub(super) fn lines(evidence: &[Evidence], confirm: Confirmation, eyes: &Eyes<'_>) -> Vec<Line> {
    evidence.iter().map(|one| line(one, confirm, eyes)).collect()
}

fn line(evidence: &Evidence, confirm: Confirmation, eyes: &Eyes<'_>) -> Line {
    let (host, session) = (eyes.text(&evidence.host), eyes.text(&evidence.session));
    let place = match evidence.host.as_str() {
        Evidence::HAND => "by hand".to_owned(),
        Evidence::TOOL => "an agent, with a tool".to_owned(),
        Evidence::IMPORT => "imported".to_owned(),
        _ => format!("{host} session {session}, line {}", evidence.line),
    };
    let own = [Evidence::HAND, Evidence::TOOL, Evidence::IMPORT].contains(&evidence.host.as_str());
    Line {
        role: evidence.role,
        deed: deed(evidence.role, confirm),
        language: language(&evidence.quote),
        quote: eyes.text(&evidence.quote),
        session: (!own).then_some((host, session)),
        place,
    }
}

/// What waits in a store, the newest first.
pub(super) fn waiting(project: &Project, eyes: &Eyes<'_>) -> Vec<Waiting> {
    let of = |open: Open| Waiting {
        id: open.id.to_string(),
        project: eyes.text(&project.name),
        kind: open.kind,
        forgets: open.intent == Intent::Forget,
        date: eyes.date(open.said_at),
        day: day(eyes.date(open.said_at)),
        language: language(&open.body),
        text: eyes.text(&open.body),
        lines: lines(&open.evidence, Confirmation::None, eyes),
        reason: eyes.text(&open.reason),
    };
    project.archive.pending().into_iter().rev().map(of).collect()
}
