//! `report`: everything that was learned, as one HTML page.

use std::path::{Path, PathBuf};

use chrono::{Local, Utc};

use super::args::{InStore, Page};
use super::extract::number;
use super::report::{FAINT, Outcome, Report, STRONG, clean};
use super::settings;
use crate::error::{Problem, Result};
use crate::explain::Archive;
use crate::page::{self, Project, render};
use crate::redact::Redactor;

/// The folder that a project's store is called by default.
const STORE: &str = ".reflexio";

pub(super) fn run(command: &Page, report: &mut Report) -> Result<Outcome> {
    let roots = stores(&command.stores);
    let projects = roots.iter().map(|root| open(root, &roots)).collect::<Result<Vec<_>>>()?;
    let page = render(&projects, &Local::now(), Redactor::builtin())?;
    if !command.force {
        page::check(&command.out)?;
    }
    if !command.dry_run {
        page.save(&command.out)?;
    }
    tell(command, &roots, &page, report);
    let problems: Vec<Problem> = projects.iter().flat_map(|project| project.archive.problems()).cloned().collect();
    report.problems(&problems);
    Ok(if problems.is_empty() { Outcome::Done } else { Outcome::Problems })
}

/// The stores that were named, each once; without any, the one that every other command means.
fn stores(named: &[PathBuf]) -> Vec<PathBuf> {
    if named.is_empty() {
        return vec![settings::store(&InStore { store: None })];
    }
    let mut roots: Vec<PathBuf> = Vec::new();
    for root in named {
        let same = |other: &PathBuf| whole(other) == whole(root);
        if !roots.iter().any(same) {
            roots.push(root.clone());
        }
    }
    roots
}

fn open(root: &Path, roots: &[PathBuf]) -> Result<Project> {
    let archive = Archive::open(root, Utc::now().date_naive())?;
    let (own, path) = (name(root), whole(root));
    let alone = roots.iter().filter(|other| name(other) == own).count() == 1;
    Ok(Project { name: if alone { own } else { path.display().to_string() }, archive })
}

/// The project whose memories a store keeps: the folder that it lies in; a store of another name is called by that.
fn name(root: &Path) -> String {
    let path = whole(root);
    let home = settings::places().map(|places| places.home.join(STORE));
    if home.is_some_and(|home| whole(&home) == path) {
        return "home".to_owned();
    }
    let folder = if path.ends_with(STORE) { path.parent() } else { Some(path.as_path()) };
    let name = folder.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    name.unwrap_or_else(|| path.display().to_string())
}

/// The path from the root of the disk, without links where it leads to something.
fn whole(path: &Path) -> PathBuf {
    path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_path_buf())
}

fn tell(command: &Page, roots: &[PathBuf], page: &page::Page, report: &mut Report) {
    if report.is_jsonl() {
        report.json(&serde_json::json!({
            "file": command.out,
            "stores": roots,
            "active": page.active,
            "waiting": page.waiting,
            "history": page.history,
            "written": !command.dry_run,
        }));
        return;
    }
    let noun = if page.active == 1 { "memory" } else { "memories" };
    let file = clean(&whole(&command.out).display().to_string());
    let note = if command.dry_run { " (dry run: nothing was written)" } else { "" };
    report.line(&format!("{STRONG}{file}{STRONG:#}{note}"));
    report.line(&format!(
        "  {FAINT}{} {noun}, {} waiting, {} in history, from {}{FAINT:#}",
        page.active,
        page.waiting,
        page.history,
        number(roots.len(), "store")
    ));
}
