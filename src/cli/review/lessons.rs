//! Lessons of the experience home that wait: taught in three sessions, or contradicting a confirmed preference.

use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use chrono::Utc;

use crate::cli::experience::note;
use crate::cli::report::{DOUBTFUL, FAINT, GOOD, Report, STRONG, clean, fit};
use crate::cli::settings;
use crate::cli::sync::in_step;
use crate::error::{Error, Result};
use crate::experience::folder::{self, FOLDER};
use crate::experience::word::{self, Answer, Asked};

/// The home, where it is switched on, and what waits in it.
pub(super) struct Lessons {
    root: PathBuf,
    pub(super) asked: Vec<Asked>,
    dry_run: bool,
}

impl Lessons {
    /// What waits in the person's home.
    pub(super) fn waiting(dry_run: bool) -> Result<Option<Self>> {
        let root = settings::places().map(|places| places.home.join(FOLDER)).filter(|root| folder::is_on(root));
        let Some(root) = root else { return Ok(None) };
        let asked = word::asked(&folder::look(&root)?.home);
        Ok(Some(Self { root, asked, dry_run }))
    }

    pub(super) fn find(&self, id: &str) -> Option<&Asked> {
        self.asked.iter().find(|asked| asked.lesson == id)
    }

    /// Takes the person's answer, and brings the agents' files up to date.
    pub(super) fn answer(&self, asked: &Asked, answer: Answer, report: &mut Report) -> Result<()> {
        let now = Utc::now();
        if !self.dry_run {
            folder::change(&self.root, |read| word::answer(&mut read.home, &asked.lesson, answer, now))?;
            in_step(&self.root, now)?.iter().for_each(|refused| report.error(refused));
        }
        let (style, op) = if answer == Answer::Yes { (GOOD, "confirmed") } else { (DOUBTFUL, "declined") };
        if report.is_jsonl() {
            report.json(&serde_json::json!({ "op": op, "lesson": asked.lesson, "text": asked.line.text }));
        } else {
            report.line(&format!("{style}{op:9}{style:#}  {}", fit(&asked.line.text, 160)));
        }
        Ok(())
    }

    pub(super) fn list(&self, report: &mut Report) {
        for asked in &self.asked {
            if report.is_jsonl() {
                report.json(asked);
            } else {
                show(asked, report);
            }
        }
    }

    /// One after the other at a terminal.
    pub(super) fn one_by_one(&self, report: &mut Report) -> Result<()> {
        for asked in &self.asked {
            show(asked, report);
            report.line("A rule? [y]es, [n]o, [s]kip");
            let mut line = String::new();
            let failed = |e| Error::io("read the answer", Path::new("<stdin>"), e);
            if io::stdin().lock().read_line(&mut line).map_err(failed)? == 0 {
                return Ok(());
            }
            match line.trim().to_lowercase().as_str() {
                "y" | "yes" | "a" => self.answer(asked, Answer::Yes, report)?,
                "n" | "no" | "r" => self.answer(asked, Answer::No, report)?,
                _ => note("left as it is", report),
            }
        }
        Ok(())
    }
}

fn show(asked: &Asked, report: &mut Report) {
    report.line(&format!("{STRONG}{}{STRONG:#}  {}", asked.lesson, fit(&asked.line.text, 300)));
    report.line(&format!(
        "              {FAINT}{}: taught again and again, or against a confirmed one{FAINT:#}",
        clean(&asked.line.source)
    ));
}
