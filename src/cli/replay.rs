//! `replay`: everything that is saved on this machine, oldest first.

mod progress;
pub(super) mod since;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;

use self::progress::Progress;
use super::args::Replay;
use super::experience::feed::Feed;
use super::extract::{self, number};
use super::hook;
use super::report::{FAINT, Outcome, Report, STRONG, fit};
use super::settings::{self, Settings};
use crate::error::Result;
use crate::host::{self, Places};
use crate::pipeline::{Counts, Run};
use crate::replay::{self, Beside, Bounds, News, Request, Source, Summary, Unchanged, Wanted};
use crate::transcript::Host;

/// More threads than this only wait for each other.
const MOST_JOBS: NonZeroUsize = NonZeroUsize::MIN.saturating_add(63);

pub(super) fn run(command: &Replay, settings: &Settings, report: &mut Report) -> Result<Outcome> {
    let began = Instant::now();
    let places = settings::places_at_home()?;
    if !command.dry_run && command.sources.is_empty() {
        // The transcripts are found without it too.
        if let Err(error) = hook::work_off(&places, &settings.rules, settings.redactor) {
            report.error(&error);
        }
    }
    let feed = Feed::of(Some(&places.home), settings.redactor).filter(|_| !command.dry_run);
    let beside = feed.as_ref().map(|feed| -> &dyn Beside { feed });
    let request = Request { beside, ..request(command, settings, &places)? };
    let looked_at = request.sources.len();
    let progress = Progress::new(report.format);
    let printer = Mutex::new(&mut *report);
    let mut summary = replay::run(&request, &|news| match news {
        News::Waiting => progress.say("another replay is running; waiting for it to end"),
        News::Found { files, bytes } => progress.found(files, bytes),
        News::Read(bytes) => progress.read(bytes),
        News::Kept(store, outcome) => {
            let mut report = printer.lock().unwrap_or_else(PoisonError::into_inner);
            // Of thousands of sessions people want to see the sum, unless they ask what would be written.
            if report.is_jsonl() || command.dry_run {
                progress.aside(|| {
                    for decision in &outcome.plan.decisions {
                        extract::tell(decision, store, command.dry_run, &mut report);
                    }
                });
            }
        }
    })?;
    progress.end();
    if let Some((problems, errors)) = feed.map(Feed::left_out) {
        summary.problems.extend(problems);
        summary.errors.extend(errors);
    }
    tell(&summary, command, began.elapsed(), report);
    report.problems(&summary.problems);
    for error in &summary.errors {
        report.error(error);
    }
    if looked_at == 0 && !report.is_jsonl() {
        report.line("No transcripts were found: none of the agents that are known keeps any in your home folder.");
    }
    let nothing = looked_at == 0 || summary.files + summary.unchanged == 0 && !summary.errors.is_empty();
    Ok(match (nothing, summary.problems.is_empty() && summary.errors.is_empty()) {
        (true, _) => Outcome::Nothing,
        (false, true) => Outcome::Done,
        (false, false) => Outcome::Problems,
    })
}

fn request<'a>(command: &Replay, settings: &'a Settings, places: &Places) -> Result<Request<'a>> {
    let hosts: Vec<Host> =
        Host::ALL.into_iter().filter(|host| command.hosts.iter().any(|h| h == host.name())).collect();
    let homes = host::AT_HOME.into_iter().filter(|host| hosts.is_empty() || hosts.contains(host));
    let sources: Vec<Source> = if command.sources.is_empty() {
        homes.flat_map(|host| host::transcripts(host, places)).map(Source::Home).collect()
    } else {
        command.sources.iter().cloned().map(Source::Named).collect()
    };
    let since = command.since.as_deref().map(|text| since::parse(text, settings.now)).transpose()?;
    Ok(Request {
        sources,
        wanted: Wanted { hosts, project: command.project.as_deref().map(project), since },
        stores: settings.stores(command.store.as_deref()),
        run: if command.dry_run { Run::Dry } else { Run::At(settings.now) },
        state: places.state(),
        unchanged: if command.again { Unchanged::Again } else { Unchanged::Skip },
        jobs: command.jobs.map(|jobs| jobs.min(MOST_JOBS)),
        bounds: Bounds::default(),
        rules: &settings.rules,
        redactor: settings.redactor,
        beside: None,
    })
}

/// A folder as sessions know it; a single word stays one.
fn project(named: &Path) -> PathBuf {
    let is_folder = named.is_dir() || named.components().count() > 1;
    let whole = if is_folder { std::path::absolute(named).ok() } else { None };
    // `.` and `..` are no part of what a session calls its folder.
    whole.map(|path| path.canonicalize().unwrap_or(path)).unwrap_or_else(|| named.to_path_buf())
}

#[derive(Serialize)]
struct GroupRecord<'a> {
    host: &'a str,
    project: Option<&'a Path>,
    #[serde(flatten)]
    counts: &'a Counts,
}

#[derive(Serialize)]
struct TotalRecord {
    #[serde(flatten)]
    counts: Counts,
    files: usize,
    unchanged: usize,
    bytes: u64,
    seconds: f64,
    bad_lines: usize,
    unreadable: usize,
}

/// Prints what was done: a line for each host and project, then everything together.
fn tell(summary: &Summary, command: &Replay, took: Duration, report: &mut Report) {
    let total = summary.total();
    if report.is_jsonl() {
        for (group, counts) in &summary.groups {
            report.json(&GroupRecord { host: group.host.name(), project: group.project.folder(), counts });
        }
        let total = TotalRecord {
            counts: total,
            files: summary.files,
            unchanged: summary.unchanged,
            bytes: summary.bytes,
            seconds: took.as_secs_f64(),
            bad_lines: summary.problems.len(),
            unreadable: summary.errors.len(),
        };
        report.json(&serde_json::json!({ "summary": total }));
        return;
    }
    let mut host = None;
    for (group, counts) in &summary.groups {
        if host.replace(group.host) != Some(group.host) {
            report.line(&format!("{STRONG}{}{STRONG:#}", group.host.name()));
        }
        report.line(&format!("  {:40} {}", fit(&group.project.to_string(), 80), extract::sentence(counts, [])));
    }
    let note = if command.dry_run { " (dry run: nothing was written)" } else { "" };
    report.line(&format!(
        "{STRONG}all{STRONG:#}  {}{note}",
        extract::sentence(&total, [(summary.problems.len(), "problem"), (summary.errors.len(), "unreadable source")])
    ));
    let rate = speed(summary.bytes, took);
    let mut files = format!("{}, {rate}", number(summary.files, "file"));
    if summary.unchanged > 0 {
        files += &format!("; {} passed over, unchanged since the last time", summary.unchanged);
    }
    report.line(&format!("{FAINT}{files}{FAINT:#}"));
}

/// `12.3 MB in 0.1 s (123 MB/s)`.
#[allow(clippy::cast_precision_loss, reason = "shown with one digit behind the point")]
fn speed(bytes: u64, took: Duration) -> String {
    let (megabytes, seconds) = (bytes as f64 / 1e6, took.as_secs_f64());
    format!("{megabytes:.1} MB in {seconds:.1} s ({:.0} MB/s)", megabytes / seconds.max(0.001))
}
