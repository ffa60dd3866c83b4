//! `stats`: a store in numbers.

use chrono::{DateTime, Utc};

use super::args::Stats;
use super::report::{FAINT, Outcome, Report, STRONG, clean};
use super::settings;
use crate::digest;
use crate::error::Result;
use crate::store::{self, Past};

pub(super) fn run(command: &Stats, report: &mut Report) -> Result<Outcome> {
    let root = settings::store(&command.place);
    let Past { known, events, .. } = store::past(&root)?;
    let waiting = store::waiting(&known).len();
    let stats = digest::stats(&known, &events, waiting, Utc::now().date_naive());
    if report.is_jsonl() {
        report.json(&stats);
    } else {
        let day = |time: Option<DateTime<Utc>>| time.map_or("-".to_owned(), |time| time.date_naive().to_string());
        let ttls = stats.by_ttl.iter().map(|(ttl, count)| format!("{count} {ttl}")).collect::<Vec<_>>().join(", ");
        let done = stats.done.iter().map(|(word, count)| format!("{count} {word}")).collect::<Vec<_>>().join(", ");
        report.line(&format!("{STRONG}{}{STRONG:#}", clean(&root.display().to_string())));
        let ttls = if ttls.is_empty() { String::new() } else { format!("  {FAINT}{ttls}{FAINT:#}") };
        for line in [
            format!("profiles   {}{ttls}", stats.profiles),
            format!("playbooks  {}", stats.playbooks),
            format!("by hand    {} edited", stats.edited),
            format!("expiry     {} within a week, {} passed", stats.expiring, stats.expired),
            format!("waiting    {}", stats.waiting),
            format!(
                "said       {} to {}, in {}",
                day(stats.oldest),
                day(stats.newest),
                super::extract::number(stats.sessions, "session")
            ),
            format!("done       {}", if done.is_empty() { "nothing" } else { &done }),
        ] {
            report.line(&line);
        }
    }
    report.problems(&known.problems);
    Ok(if known.problems.is_empty() { Outcome::Done } else { Outcome::Problems })
}
