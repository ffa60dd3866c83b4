//! The page: what was learned, as one HTML file that opens from disk and asks nothing of the network.
//!
//! ```text
//! page.html     the page, filled in by askama; whole and readable without the script
//! style.css     light and dark, wide and narrow, on paper
//! script.js     filters and search, on what already stands in the page
//! card          a memory as the page shows it: its words, what it took the place of, how it left
//! line          the lines that memories come from, and what waits
//! timeline      the memories by month, the newest first
//! weeks         learned and corrected, week by week, as a chart
//! eyes          how everything reaches the reader: without secrets, in their own time
//! ```
//!
//! Architecture invariant: nothing that a memory says becomes markup. Every value is escaped; what is put in as it stands
//! are the stylesheet and the script that come with the program, and the page's policy names their hashes: no other style
//! or script runs in it, and nothing is fetched. The script gets no data but the page itself.

mod card;
mod eyes;
mod line;
mod timeline;
mod weeks;

use std::collections::BTreeSet;
use std::path::Path;

use askama::Template;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, TimeZone, Utc};
use sha2::{Digest, Sha256};

use crate::disk::{self, Privacy};
use crate::error::{Error, ErrorKind, Result};
use crate::explain::Archive;
use crate::memory::Kind;
use crate::redact::Redactor;
use card::{Card, cards};
use eyes::Eyes;
use line::{Waiting, waiting};
use timeline::{Month, months};
use weeks::{Weeks, heard, weeks};

/// What every page begins with; by this it is known from a file of somebody else.
const MARK: &str = "<!doctype html>\n<!-- a report of afterword -->\n";

const STYLE: &str = include_str!("page/style.css");
const SCRIPT: &str = include_str!("page/script.js");

/// The stylesheet and the script.
struct Own {
    style: String,
    script: String,
}

impl Own {
    /// With plain line ends, as a browser hashes them: a checkout on Windows may have others.
    fn new() -> Self {
        Self { style: STYLE.replace("\r\n", "\n"), script: SCRIPT.replace("\r\n", "\n") }
    }

    /// The Content-Security-Policy of the page: these two, and nothing else from anywhere.
    fn policy(&self) -> String {
        let hash = |text: &str| STANDARD.encode(Sha256::digest(text));
        let (style, script) = (hash(&self.style), hash(&self.script));
        let rest = "base-uri 'none'; form-action 'none'";
        format!("default-src 'none'; style-src 'sha256-{style}'; script-src 'sha256-{script}'; {rest}")
    }
}

/// So many things that wait are shown at once; more of them are folded away at first.
const UNFOLDED: usize = 3;

/// A store as a page shows it: under the name of the project whose memories it keeps.
#[derive(Debug)]
pub struct Project {
    /// The name.
    pub name: String,
    /// The store, read.
    pub archive: Archive,
}

/// A page, and what is in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// The HTML.
    pub html: String,
    /// Memories that are active.
    pub active: usize,
    /// Memories that are not, whatever became of them.
    pub history: usize,
    /// What waits for the person's word.
    pub waiting: usize,
}

impl Page {
    /// Writes the page in one step. It holds what the stores hold: a new file is for the person's eyes alone, one that is
    /// there keeps its mode.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, file: &Path) -> Result<()> {
        disk::write(file, self.html.as_bytes(), Privacy::Own)
    }
}

/// Refuses to write over a file that is no page.
///
/// # Errors
/// If the file is there and something else, or cannot be read.
pub fn check(file: &Path) -> Result<()> {
    let what = "it is there and is no report; name another with `--out`, or write over it with `--force`";
    match disk::read(file)? {
        Some(bytes) if !bytes.starts_with(MARK.as_bytes()) => Err(Error::new(ErrorKind::Usage, what).at(file)),
        _ => Ok(()),
    }
}

/// Everything that stands in the page.
#[derive(Template)]
#[template(path = "page.html", config = "src/page/askama.toml")]
struct Sheet<'a> {
    mark: &'a str,
    policy: String,
    own: Own,
    version: &'a str,
    written: String,
    projects: Vec<String>,
    profiles: usize,
    playbooks: usize,
    history: usize,
    sessions: usize,
    weeks: Option<Weeks>,
    waiting: Vec<Waiting>,
    months: Vec<Month>,
}

/// The page of some stores, as of `now`, with every time in the zone of `now`.
///
/// Secrets that a hand wrote into a store are taken out by `redactor`: the page is one more file.
///
/// # Errors
/// None that is known; the signature is that of the template.
pub fn render<Z: TimeZone>(projects: &[Project], now: &DateTime<Z>, redactor: &Redactor) -> Result<Page> {
    let local = |at: DateTime<Utc>| at.with_timezone(&now.timezone()).naive_local();
    let eyes = Eyes { local: &local, redactor };
    let cards: Vec<Card> = (0..).zip(projects).flat_map(|(at, project)| cards(at, project, &eyes)).collect();
    let waiting: Vec<Waiting> = projects.iter().flat_map(|project| waiting(project, &eyes)).collect();
    let active = |kind| cards.iter().filter(|card| card.is_active() && card.kind == kind).count();
    let (profiles, playbooks) = (active(Kind::Profile), active(Kind::Playbook));
    let history = cards.len() - profiles - playbooks;
    let own = Own::new();
    let sheet = Sheet {
        mark: MARK,
        policy: own.policy(),
        own,
        version: env!("CARGO_PKG_VERSION"),
        written: eyes.minute(now.to_utc()),
        projects: projects.iter().map(|project| eyes.text(&project.name)).collect(),
        profiles,
        playbooks,
        history,
        sessions: sessions(&cards),
        weeks: weeks(&heard(&cards, &waiting), now.naive_local().date()),
        months: months(cards),
        waiting,
    };
    let html = sheet.render().map_err(|e| Error::new(ErrorKind::Io, "the page could not be made").because(e))?;
    Ok(Page { html, active: profiles + playbooks, history, waiting: sheet.waiting.len() })
}

/// How many sessions the memories come from.
fn sessions(cards: &[Card]) -> usize {
    let lines = cards.iter().flat_map(|card| &card.said).flat_map(|said| &said.lines);
    lines.filter_map(|line| line.session.as_ref()).collect::<BTreeSet<_>>().len()
}

impl Sheet<'_> {
    fn is_empty(&self) -> bool {
        self.months.is_empty() && self.waiting.is_empty()
    }

    /// Whether what waits is unfolded at first.
    fn unfolded(&self) -> bool {
        self.waiting.len() <= UNFOLDED
    }
}
