//! `install` and `uninstall`: shown first, asked step by step, then done.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use similar::{ChangeTag, TextDiff};

use super::args::{Install, Uninstall};
use super::ask::{ask, somebody_is_there};
use super::report::{BAD, DOUBTFUL, FAINT, GOOD, Outcome, Report, STRONG, fit};
use super::sync::{is_synced, opt_in};
use crate::error::{Error, ErrorKind, Result};
use crate::experience::sync::PRODUCTS;
use crate::host::{HOOKED, Places};
use crate::install::{self, Client, Difference, Draft, Hook, Recall, Route, Search, Step, Wish};
use crate::redact::Redactor;
use crate::transcript::Host;

/// Longer lines of a diff are cut: a configuration may stand on a single line.
const LINE: usize = 400;

/// One step, as programs read it.
#[derive(Serialize)]
struct StepRecord<'a> {
    host: &'a str,
    step: &'a str,
    /// `done`, `declined`, `in_place`, or `proposed` where nothing is written.
    outcome: &'a str,
    files: Vec<PathBuf>,
    diff: String,
}

/// A remark, as programs read it.
#[derive(Serialize)]
struct NoteRecord<'a> {
    host: &'a str,
    note: &'a str,
}

pub(super) fn install(command: &Install, places: &Places, report: &mut Report) -> Result<Outcome> {
    let Some(host) = command.host else {
        return list(places, report);
    };
    if command.sync && !PRODUCTS.iter().any(|(product, _)| *product == host) {
        let what = format!("{} has no global file that can be synced", host.name());
        return Err(Error::new(ErrorKind::Usage, what));
    }
    let program = std::env::current_exe().map_err(|e| Error::io("find this program", Path::new("afterword"), e))?;
    let client = install::client(host, places);
    if client.is_none() && !install::settings(host, places).is_dir() {
        let folder = install::settings(host, places);
        let what = format!(
            "no sign of {}: there is no `{}`, and no `{}` on the PATH",
            host.name(),
            folder.display(),
            install::program(host)
        );
        return Err(Error::new(ErrorKind::Usage, what));
    }
    let search = match &client {
        Some(client) if host == Host::Openclaw => {
            if !report.is_jsonl() {
                report.line(&format!("{FAINT}Asking OpenClaw how its memory search works …{FAINT:#}"));
            }
            install::memory_search(client, &command.agent)
        }
        _ => Search::Unknown,
    };
    let route = if command.notify { Route::Notify } else { Route::Fitting };
    let recall = if command.recall { Recall::On } else { Recall::Off };
    let wish =
        Wish { places, program: &program, agent: &command.agent, client: client.as_ref(), search, route, recall };
    let plan = install::plan(host, &wish)?;
    let mut talk = Talk { host, report, redactor: Redactor::builtin(), yes: command.yes, dry: command.dry_run };
    talk.notes(&plan.notes);
    let mut draft = Draft::open(host, &places.state())?;
    let (mut agreed, mut declined) = (0, 0);
    // Every step is tried before anything is asked: a broken file must not come up after the first yes.
    plan.steps.iter().try_fold(draft.clone(), |draft, step| draft.with(step).map(|(draft, _)| draft))?;
    for step in &plan.steps {
        let (next, differences) = draft.with(step)?;
        if differences.is_empty() {
            talk.step(step, &differences, "in_place");
            draft = next;
        } else if talk.agrees(step, &differences)? {
            draft = next;
            agreed += 1;
        } else {
            declined += 1;
        }
    }
    if command.dry_run {
        talk.notes(&["Nothing was written; without `--dry-run` it is asked step by step.".to_owned()]);
        return in_step(command, host, places, report);
    }
    if agreed > 0 {
        if let Err(error) = draft.commit() {
            talk.notes(&[format!(
                "What was written before the error is taken out by `afterword uninstall {}`.",
                host.name()
            )]);
            return Err(error);
        }
        talk.notes(&plan.afterwards);
    }
    talk.end(agreed, declined);
    in_step(command, host, places, report)
}

/// With `--sync`, the host's global file is one more step.
fn in_step(command: &Install, host: Host, places: &Places, report: &mut Report) -> Result<Outcome> {
    if command.sync { opt_in(host, command.yes, command.dry_run, places, report) } else { Ok(Outcome::Done) }
}

pub(super) fn uninstall(command: &Uninstall, places: &Places, report: &mut Report) -> Result<Outcome> {
    let host = command.host;
    let mut talk = Talk { host, report, redactor: Redactor::builtin(), yes: command.yes, dry: command.dry_run };
    let Some(removal) = install::removal(host, &places.state())? else {
        // The record may be gone with the state folder, while the hooks still stand.
        if install::examine(host, places, None::<&Client>, "main")?.hook != Hook::Absent {
            let what = "Afterword's hooks stand here, but what `install` noted of it is gone from the state folder";
            let way_out = "; take the entries that call `afterword hook` out by hand";
            let settings = install::settings(host, places);
            return Err(Error::new(ErrorKind::Host, format!("{what}{way_out}")).at(&settings));
        }
        talk.notes(&[format!("Nothing was installed for {}.", host.name())]);
        return Ok(Outcome::Done);
    };
    let differences = removal.differences();
    for (path, copy) in removal.copies() {
        talk.notes(&[format!("You changed {}; a copy is kept as {}.", path.display(), copy.display())]);
    }
    let step = Step {
        name: "uninstall",
        question: format!("Take Afterword out of {}?", host.name()),
        why: "Every file becomes what it was before; what you changed since stays. The memories in `.reflexio/` stay too.".into(),
        declined: "everything stays as it is".into(),
        changes: Vec::new(),
    };
    if !talk.agrees(&step, &differences)? {
        return Ok(Outcome::Done);
    }
    if !command.dry_run {
        removal.commit()?;
        if is_synced(host, places)? {
            talk.notes(&[format!("`afterword unsync {}` takes the block out of its global file, too.", host.name())]);
        }
        talk.end(1, 0);
    }
    Ok(Outcome::Done)
}

/// The hosts that are here, and how each is switched on.
fn list(places: &Places, report: &mut Report) -> Result<Outcome> {
    for host in HOOKED {
        // Its version does not matter here, and asking for it takes time.
        let found = install::settings(host, places).is_dir();
        let health = install::examine(host, places, None::<&Client>, "main")?;
        if report.is_jsonl() {
            report.json(&health);
            continue;
        }
        let (style, what) = match (&health.hook, found) {
            (Hook::Active { .. }, _) => (GOOD, "is switched on".to_owned()),
            (_, true) => (STRONG, format!("found; `afterword install {}` switches it on", host.name())),
            (_, false) => (FAINT, format!("not found (no {})", install::settings(host, places).display())),
        };
        report.line(&format!("{:12} {style}{}{style:#}", host.name(), fit(&what, LINE)));
    }
    Ok(Outcome::Done)
}

/// The conversation with the person about one host.
struct Talk<'r> {
    host: Host,
    report: &'r mut Report,
    redactor: &'static Redactor,
    yes: bool,
    dry: bool,
}

impl Talk<'_> {
    /// Shows a step and asks, unless nothing is written or everything was agreed to.
    fn agrees(&mut self, step: &Step, differences: &[Difference]) -> Result<bool> {
        if self.dry {
            self.step(step, differences, "proposed");
            return Ok(true);
        }
        if self.yes {
            self.step(step, differences, "done");
            return Ok(true);
        }
        somebody_is_there()?;
        if self.report.is_jsonl() {
            self.diff_to(&mut io::stderr(), differences);
        } else {
            self.show(step, differences);
        }
        let agreed = ask(&step.question)?;
        if self.report.is_jsonl() {
            self.step(step, differences, if agreed { "done" } else { "declined" });
        } else if !agreed {
            self.report.line(&format!("  {DOUBTFUL}declined{DOUBTFUL:#}: {}", step.declined));
        }
        Ok(agreed)
    }

    fn step(&mut self, step: &Step, differences: &[Difference], outcome: &str) {
        if self.report.is_jsonl() {
            let files = differences.iter().map(|changed| changed.path.clone()).collect();
            let mut diff = Vec::new();
            self.diff_to(&mut diff, differences);
            let diff = String::from_utf8_lossy(&diff).into_owned();
            self.report.json(&StepRecord { host: self.host.name(), step: step.name, outcome, files, diff });
        } else if differences.is_empty() {
            self.report.line(&format!("{FAINT}{}: in place{FAINT:#}", step.name));
        } else {
            self.show(step, differences);
        }
    }

    fn show(&mut self, step: &Step, differences: &[Difference]) {
        self.report.line(&format!("\n{STRONG}{}{STRONG:#}", step.question));
        self.report.line(&format!("  {}", step.why));
        for changed in differences {
            for (style, line) in lines(changed, self.redactor) {
                self.report.line(&format!("  {style}{line}{style:#}"));
            }
        }
    }

    fn diff_to(&self, out: &mut impl Write, differences: &[Difference]) {
        for changed in differences {
            for (_, line) in lines(changed, self.redactor) {
                // It goes to memory or to standard error; there is nobody to tell of a failure.
                let _ = writeln!(out, "{line}");
            }
        }
    }

    fn notes(&mut self, notes: &[String]) {
        for note in notes {
            if self.report.is_jsonl() {
                self.report.json(&NoteRecord { host: self.host.name(), note });
            } else {
                self.report.line(&format!("{FAINT}note:{FAINT:#} {}", fit(note, LINE)));
            }
        }
    }

    fn end(&mut self, agreed: usize, declined: usize) {
        if self.report.is_jsonl() {
            return;
        }
        let name = self.host.name();
        let text = match (agreed, declined) {
            (0, 0) => format!("{name}: everything is in place already."),
            (0, _) => format!("{name}: nothing was changed."),
            (_, 0) => format!("{name}: done."),
            _ => format!("{name}: done, without what you declined."),
        };
        self.report.line(&format!("\n{GOOD}{text}{GOOD:#}"));
    }
}

/// The lines of a diff with their colours, without secrets.
pub(super) fn lines(changed: &Difference, redactor: &Redactor) -> Vec<(anstyle::Style, String)> {
    let (before, after) = (changed.before.as_deref().unwrap_or_default(), changed.after.as_deref().unwrap_or_default());
    let what = match (&changed.before, &changed.after) {
        (None, _) => " (new)",
        (_, None) => " (removed)",
        _ => "",
    };
    let mut lines = vec![(STRONG, format!("{}{what}", fit(&changed.path.display().to_string(), LINE)))];
    let diff = TextDiff::from_lines(before, after);
    for group in diff.grouped_ops(2) {
        if lines.len() > 1 {
            lines.push((FAINT, "…".into()));
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let (style, sign) = match change.tag() {
                ChangeTag::Delete => (BAD, '-'),
                ChangeTag::Insert => (GOOD, '+'),
                ChangeTag::Equal => (FAINT, ' '),
            };
            // What stands around our change is the person's, keys included.
            let text = redactor.redact(change.value()).text;
            let indented = text.replace('\t', "    ");
            lines.push((style, format!("{sign}{}", fit(indented.trim_end(), LINE))));
        }
    }
    lines
}
