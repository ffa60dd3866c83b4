//! The index: what is in the store, word by word, in a file of SQLite with FTS5.
//!
//! It lies in the store's hidden folder and holds nothing of its own: it may be deleted at any time, and is made anew
//! where it is missing, broken, or of another version. Where it cannot be written (a store that is read-only, a full
//! disk), the same tables are made in memory for the one search.
//!
//! Two processes at once are SQLite's business: whoever comes second waits, and finds the work done.

use std::fs;
use std::path::Path;
use std::time::Duration;

use chrono::NaiveDate;
use rusqlite::{Connection, OpenFlags, OptionalExtension, Transaction, params};

use super::lexicon::Lexicon;
use super::page::{Content, Page};
use crate::memory::Kind;

/// The file in the store's hidden folder.
pub(super) const NAME: &str = "search.sqlite";

/// The shape of the tables; an index of another shape is made anew.
const SHAPE: u32 = 2;

/// So long is waited for another process that fills the index.
const PATIENCE: Duration = Duration::from_secs(5);

/// How much a word weighs where it stands: anchor, what, why, name. The seed: the trigger is the search anchor.
const BM25: &str = "bm25(terms, 4.0, 2.0, 0.7, 1.5)";

const TABLES: &str = "
    CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
    CREATE TABLE file (
        number INTEGER PRIMARY KEY, file TEXT NOT NULL UNIQUE, modified INTEGER NOT NULL, size INTEGER NOT NULL,
        sum INTEGER NOT NULL, kind TEXT, id TEXT, created INTEGER, expires TEXT, anchor TEXT, problem TEXT
    );
    CREATE TABLE superseded (id TEXT NOT NULL, by INTEGER NOT NULL, PRIMARY KEY (id, by)) WITHOUT ROWID;
    CREATE INDEX superseded_by ON superseded (by);
    CREATE INDEX broken ON file (number) WHERE problem IS NOT NULL;
    CREATE VIRTUAL TABLE terms USING fts5(anchor, what, why, name, tokenize = 'unicode61 remove_diacritics 0');
    CREATE VIRTUAL TABLE vocabulary USING fts5vocab(terms, 'row');
";

/// The index of one store.
pub(super) struct Index {
    pub(super) db: Connection,
}

/// A memory that may be what is looked for.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) file: String,
    pub(super) sum: i64,
    pub(super) id: String,
    /// Seconds since 1970.
    pub(super) created: i64,
    /// What it is about, as it was written.
    pub(super) anchor: String,
    /// Its tokens: anchor, what, why, name.
    pub(super) fields: [String; 4],
}

/// What a file was when it was indexed.
#[derive(Debug, Clone)]
pub(super) struct Known {
    pub(super) number: i64,
    pub(super) file: String,
    pub(super) stamp: (i64, i64),
}

impl Index {
    /// Opens the index in `folder`, making it if need be.
    pub(super) fn open(folder: &Path, lexicon: &Lexicon) -> rusqlite::Result<Self> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX
            | OpenFlags::SQLITE_OPEN_NOFOLLOW;
        let db = Connection::open_with_flags(folder.join(NAME), flags)?;
        db.busy_timeout(PATIENCE)?;
        // It can be made anew, so a crash of the machine may cost it.
        db.execute_batch("PRAGMA synchronous = OFF; PRAGMA mmap_size = 1073741824;")?;
        Self { db }.prepared(lexicon)
    }

    /// An empty index that leaves no trace.
    pub(super) fn in_memory(lexicon: &Lexicon) -> rusqlite::Result<Self> {
        Self { db: Connection::open_in_memory()? }.prepared(lexicon)
    }

    /// The index with its tables, empty if they were of another version.
    fn prepared(self, lexicon: &Lexicon) -> rusqlite::Result<Self> {
        let version = format!("{SHAPE} {}", lexicon.version);
        if self.text("version")?.as_ref() == Some(&version) {
            return Ok(self);
        }
        let change = Transaction::new_unchecked(&self.db, rusqlite::TransactionBehavior::Immediate)?;
        // Another process may have been quicker.
        if self.text("version")?.as_ref() != Some(&version) {
            for table in ["vocabulary", "terms", "superseded", "file", "meta"] {
                change.execute_batch(&format!("DROP TABLE IF EXISTS {table}"))?;
            }
            change.execute_batch(TABLES)?;
            set(&change, "version", &version)?;
        }
        change.commit()?;
        Ok(self)
    }

    /// What is noted under a key.
    pub(super) fn text(&self, key: &str) -> rusqlite::Result<Option<String>> {
        let exists = "SELECT 1 FROM sqlite_schema WHERE name = 'meta'";
        if self.db.query_row(exists, [], |_| Ok(())).optional()?.is_none() {
            return Ok(None);
        }
        self.db.prepare_cached("SELECT value FROM meta WHERE key = ?")?.query_row([key], |row| row.get(0)).optional()
    }

    /// The files after number `after`, at most `count`, in the order of their numbers.
    pub(super) fn known(&self, after: i64, count: i64) -> rusqlite::Result<Vec<Known>> {
        let sql = "SELECT number, file, modified, size FROM file WHERE number > ? ORDER BY number LIMIT ?";
        let mut statement = self.db.prepare_cached(sql)?;
        let rows = statement.query_map([after, count], |row| {
            Ok(Known { number: row.get(0)?, file: row.get(1)?, stamp: (row.get(2)?, row.get(3)?) })
        })?;
        rows.collect()
    }

    /// How many files there are.
    pub(super) fn len(&self) -> rusqlite::Result<u32> {
        self.db.prepare_cached("SELECT count(*) FROM file")?.query_row([], |row| row.get(0))
    }

    /// The files that could not be understood, with the reason.
    pub(super) fn broken(&self) -> rusqlite::Result<Vec<(String, String)>> {
        let sql = "SELECT file, problem FROM file WHERE problem IS NOT NULL ORDER BY file";
        self.db.prepare_cached(sql)?.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
    }

    /// In how many memories a token stands.
    pub(super) fn frequency(&self, token: &str) -> rusqlite::Result<u32> {
        let sql = "SELECT doc FROM vocabulary WHERE term = ?";
        Ok(self.db.prepare_cached(sql)?.query_row([token], |row| row.get(0)).optional()?.unwrap_or(0))
    }

    /// The tokens from `from` up to `to`, with the number of memories they stand in.
    pub(super) fn vocabulary(&self, from: &str, to: &str) -> rusqlite::Result<Vec<(String, u32)>> {
        let sql = "SELECT term, doc FROM vocabulary WHERE term >= ? AND term < ?";
        self.db.prepare_cached(sql)?.query_map([from, to], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
    }

    /// The `count` best memories by BM25 in which one of the tokens stands, without what expired before `today`, what
    /// another one superseded, and what is of another kind than asked for.
    pub(super) fn candidates(
        &self,
        tokens: &[&str],
        kind: Option<Kind>,
        today: NaiveDate,
        count: u32,
    ) -> rusqlite::Result<Vec<Candidate>> {
        let any: Vec<String> = tokens.iter().map(|token| format!("\"{}\"", token.replace('"', ""))).collect();
        let sql = format!(
            "SELECT f.file, f.sum, f.id, f.created, f.anchor, t.anchor, t.what, t.why, t.name
             FROM (SELECT terms.rowid AS number, {BM25} AS rank FROM terms JOIN file ON file.number = terms.rowid
                   WHERE terms MATCH ?1 AND (?2 IS NULL OR kind = ?2) AND (expires IS NULL OR expires >= ?3)
                   AND id NOT IN (SELECT id FROM superseded) ORDER BY rank, created DESC, file.file LIMIT ?4) AS best
             JOIN file AS f ON f.number = best.number JOIN terms AS t ON t.rowid = best.number
             ORDER BY best.rank, f.created DESC, f.file"
        );
        let mut statement = self.db.prepare_cached(&sql)?;
        let values = params![any.join(" OR "), kind.map(Kind::word), today.to_string(), count];
        let rows = statement.query_map(values, |row| {
            Ok(Candidate {
                file: row.get(0)?,
                sum: row.get(1)?,
                id: row.get(2)?,
                created: row.get(3)?,
                anchor: row.get(4)?,
                fields: [row.get(5)?, row.get(6)?, row.get(7)?, row.get(8)?],
            })
        })?;
        rows.collect()
    }
}

/// Notes a text under a key.
pub(super) fn set(change: &Transaction<'_>, key: &str, value: &str) -> rusqlite::Result<()> {
    let sql = "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value";
    change.prepare_cached(sql)?.execute([key, value]).map(drop)
}

/// Takes a file out.
pub(super) fn remove(change: &Transaction<'_>, file: &str) -> rusqlite::Result<()> {
    let number: Option<i64> = change
        .prepare_cached("SELECT number FROM file WHERE file = ?")?
        .query_row([file], |row| row.get(0))
        .optional()?;
    let Some(number) = number else {
        return Ok(());
    };
    for sql in [
        "DELETE FROM file WHERE number = ?",
        "DELETE FROM terms WHERE rowid = ?",
        "DELETE FROM superseded WHERE by = ?",
    ] {
        change.prepare_cached(sql)?.execute([number])?;
    }
    Ok(())
}

/// Puts a file in, in the place of what was known of it.
pub(super) fn put(change: &Transaction<'_>, page: &Page, fields: &[String; 4]) -> rusqlite::Result<()> {
    remove(change, &page.file)?;
    let (modified, size) = page.stamp;
    let Content { kind, id, created, expires, supersedes, anchor, .. } = match &page.content {
        Ok(content) => content,
        Err(problem) => {
            let sql = "INSERT INTO file (file, modified, size, sum, problem) VALUES (?, ?, ?, ?, ?)";
            let values = params![page.file, modified, size, page.sum, problem];
            return change.prepare_cached(sql)?.execute(values).map(drop);
        }
    };
    let sql = "INSERT INTO file (file, modified, size, sum, kind, id, created, expires, anchor) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
    let expires = expires.map(|day| day.to_string());
    let values =
        params![page.file, modified, size, page.sum, kind.word(), id.as_str(), created.timestamp(), expires, anchor];
    change.prepare_cached(sql)?.execute(values)?;
    let number = change.last_insert_rowid();
    let [anchor, what, why, name] = fields;
    let sql = "INSERT INTO terms (rowid, anchor, what, why, name) VALUES (?, ?, ?, ?, ?)";
    change.prepare_cached(sql)?.execute(params![number, anchor, what, why, name])?;
    let mut superseded = change.prepare_cached("INSERT OR IGNORE INTO superseded (id, by) VALUES (?, ?)")?;
    supersedes.iter().try_for_each(|old| superseded.execute(params![old.as_str(), number]).map(drop))
}

/// Whether the file is no index of ours, or one that was damaged.
pub(super) fn is_broken(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase, Unknown};
    matches!(error.sqlite_error_code(), Some(DatabaseCorrupt | NotADatabase | Unknown))
}

/// Removes the index and what SQLite puts beside it. Another process that has it open keeps its own copy.
pub(super) fn forget(folder: &Path) {
    for name in [NAME.to_owned(), format!("{NAME}-journal")] {
        // What cannot be removed cannot be made anew either, and is done without.
        let _ = fs::remove_file(folder.join(name));
    }
}
