//! Finding memories by words: what fits a question, the best first, or nothing.
//!
//! ```text
//! question → units (filler dropped, stems, Han pairs, words for the same thing) → candidates by BM25 (SQLite's FTS5)
//!          → each weighed as a whole (`score`) → floor → the file read and checked → hits
//! ```
//! No model is asked. What `rules/search.toml` says of words that mean the same does the work of a query rewritten by a
//! model, and a floor keeps unrelated questions from an answer.
//!
//! The index (`index`, `fresh`) is derived from the folders and can be deleted at any time. What is shown is always what
//! stands in the file now; what expired or was superseded never appears.

mod fresh;
mod fuzzy;
mod index;
mod lexicon;
mod page;
mod score;
mod units;

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use chrono::{DateTime, NaiveDate, Utc};

use crate::error::{Error, ErrorKind, Problem, Result};
use crate::memory::{Id, Kind};
use crate::store;
use index::{Candidate, Index};
use lexicon::{Lexicon, lexicon};
use page::Content;
use score::{Fit, Question};

/// So many candidates are weighed as a whole.
const CANDIDATES: u32 = 200;

/// A store of fewer memories than this is searched without an index on disk, if there is none yet.
const WORTH_KEEPING: usize = 200;

/// What is looked for.
#[derive(Debug, Clone, Copy)]
pub struct Query<'q> {
    /// The question, in any words.
    pub text: &'q str,
    /// Only memories of this kind.
    pub kind: Option<Kind>,
    /// At most so many.
    pub limit: usize,
    /// Profiles that expired before this day (UTC) are left out.
    pub today: NaiveDate,
}

/// A memory that fits.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// Its id.
    pub id: Id,
    /// Profile or playbook.
    pub kind: Kind,
    /// Its path in the store.
    pub file: PathBuf,
    /// When it was said.
    pub created: DateTime<Utc>,
    /// The last day of a profile; `None` for one without end.
    pub expires: Option<NaiveDate>,
    /// How well it fits, 0 to 1.
    pub score: f32,
    /// Its text as it stands in the file.
    pub body: String,
    /// Where in the text the words stand that were asked for, in bytes.
    pub matched: Vec<Range<usize>>,
}

/// What was found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Answer {
    /// The best first; none if nothing fits well enough.
    pub hits: Vec<Hit>,
    /// Files of the store that could not be understood.
    pub problems: Vec<Problem>,
}

/// Looks for memories in the store at `root`; one that is not there is empty.
///
/// # Errors
/// If the store is not made of plain folders that may be read.
pub fn search(root: &Path, query: &Query<'_>) -> Result<Answer> {
    if !store::check(root)? {
        return Ok(Answer::default());
    }
    let lexicon = lexicon();
    if let Some(found) = with_index(root, lexicon, |index| look(index, root, query, lexicon)) {
        return found;
    }
    let in_memory = Index::in_memory(lexicon).and_then(|index| look(&index, root, query, lexicon));
    in_memory.unwrap_or_else(|error| Err(failed(root, error)))
}

/// Brings the index of the store at `root` up to date, so that the next search need not; does nothing where none is kept.
///
/// # Errors
/// As for [`search`].
pub fn refresh(root: &Path) -> Result<()> {
    if !store::check(root)? {
        return Ok(());
    }
    let lexicon = lexicon();
    with_index(root, lexicon, |index| fresh::freshen(index, root, lexicon)).unwrap_or(Ok(()))
}

/// Does something with the index on disk, making it if need be; `None` where none is kept or can be.
fn with_index<T>(
    root: &Path,
    lexicon: &Lexicon,
    work: impl Fn(&Index) -> rusqlite::Result<Result<T>>,
) -> Option<Result<T>> {
    let folder = root.join(store::HIDDEN);
    let is_kept = folder.join(index::NAME).exists() || is_worth_keeping(root);
    if !is_kept || !(folder.is_dir() || fs::create_dir(&folder).is_ok()) {
        return None;
    }
    if !folder.join(index::NAME).exists() {
        keep_out_of_commits(&folder);
    }
    let on_disk = || Index::open(&folder, lexicon).and_then(|index| work(&index));
    let mut done = on_disk();
    if done.as_ref().is_err_and(index::is_broken) {
        index::forget(&folder);
        done = on_disk();
    }
    done.ok()
}

/// The store's own `.gitignore` may be missing: another program's store has none, and the person may have removed it to
/// commit their memories. The index is worth no commit in either.
fn keep_out_of_commits(folder: &Path) {
    let path = folder.join(".gitignore");
    if !path.exists() {
        // A folder that cannot be written gets no index either.
        let _ = fs::write(path, format!("{}*\n", index::NAME));
    }
}

fn failed(root: &Path, error: rusqlite::Error) -> Error {
    Error::new(ErrorKind::Store, "the store could not be searched").at(root).because(error)
}

fn is_worth_keeping(root: &Path) -> bool {
    let entries = |kind: Kind| fs::read_dir(root.join(kind.folder())).into_iter().flatten();
    entries(Kind::Profile).chain(entries(Kind::Playbook)).take(WORTH_KEEPING).count() == WORTH_KEEPING
}

/// One search in an index: the outer result is SQLite's, the inner one the store's.
fn look(index: &Index, root: &Path, query: &Query<'_>, lexicon: &Lexicon) -> rusqlite::Result<Result<Answer>> {
    if let Err(error) = fresh::freshen(index, root, lexicon)? {
        return Ok(Err(error));
    }
    let problem = |(file, what): (String, String)| Problem { path: root.join(file), line: None, what };
    let problems = index.broken()?.into_iter().map(problem).collect();
    let mut hits = Vec::new();
    // A file that changed unnoticed is read again, and all are weighed once more.
    for _ in 0..3 {
        let question = Question::new(query.text, index, lexicon)?;
        let ranked = ranked(index, &question, query, lexicon)?;
        let mut stale = Vec::new();
        hits = checked(root, ranked, &question, query, lexicon, &mut stale);
        if stale.is_empty() {
            break;
        }
        fresh::reread(index, root, stale, lexicon)?;
    }
    Ok(Ok(Answer { hits, problems }))
}

/// The candidates that fit well enough, the best first; of equals the newest.
fn ranked(
    index: &Index,
    question: &Question,
    query: &Query<'_>,
    lexicon: &Lexicon,
) -> rusqlite::Result<Vec<(Candidate, Fit)>> {
    let tokens = question.search_for();
    if tokens.is_empty() {
        return Ok(Vec::new());
    }
    let candidates = index.candidates(&tokens, query.kind, query.today, CANDIDATES)?;
    let weighed = candidates.into_iter().map(|candidate| {
        let fit = question.fit(&candidate, lexicon);
        (candidate, fit)
    });
    let mut ranked: Vec<(Candidate, Fit)> = weighed.filter(|(_, fit)| fit.is_enough()).collect();
    // A hundredth more or less is no difference.
    #[expect(clippy::cast_possible_truncation, reason = "a number from 0 to 100")]
    let rank = |fit: &Fit| (fit.score() * 100.0) as i32;
    ranked
        .sort_by(|(one, a), (other, b)| (rank(b), other.created, &one.file).cmp(&(rank(a), one.created, &other.file)));
    Ok(ranked)
}

/// The hits, each as its file says now. Names in `stale` the files that say something else than the index.
fn checked(
    root: &Path,
    ranked: Vec<(Candidate, Fit)>,
    question: &Question,
    query: &Query<'_>,
    lexicon: &Lexicon,
    stale: &mut Vec<String>,
) -> Vec<Hit> {
    let mut hits: Vec<Hit> = Vec::new();
    for (candidate, fit) in ranked {
        if hits.len() == query.limit {
            break;
        }
        if hits.iter().any(|hit| hit.id.as_str() == candidate.id) {
            continue;
        }
        match page::read(root, &candidate.file) {
            Some(page::Page { sum, content: Ok(content), .. }) if sum == candidate.sum => {
                hits.push(hit(&candidate, fit, content, question, lexicon));
            }
            _ => stale.push(candidate.file),
        }
    }
    hits
}

fn hit(candidate: &Candidate, fit: Fit, content: Content, question: &Question, lexicon: &Lexicon) -> Hit {
    let Content { id, kind, created, expires, body, .. } = content;
    let mut matched: Vec<Range<usize>> = Vec::new();
    for unit in units::units(&body, lexicon).into_iter().filter(|unit| question.asks_for(unit)) {
        match matched.last_mut() {
            Some(last) if unit.span.start <= last.end => last.end = last.end.max(unit.span.end),
            _ => matched.push(unit.span),
        }
    }
    Hit { id, kind, file: candidate.file.clone().into(), created, expires, score: fit.score(), body, matched }
}
