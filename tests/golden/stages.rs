//! Every fixture through every stage. A fixture is a file of `tests/fixtures/`, its snapshots have its name.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use afterword::pipeline::{self, Studied};
use afterword::redact::Redactor;
use afterword::rules::Rules;
use afterword::{store, transcript};
use chrono::{DateTime, Utc};

use crate::support::snapshot::snapshot;
use crate::support::tree::memories;

fn fixtures() -> Vec<(String, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut fixtures: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_stem().unwrap().to_str().unwrap().to_owned(), path))
        .collect();
    fixtures.sort();
    fixtures
}

/// Where a fixture has no times, it is as old as this.
fn modified() -> DateTime<Utc> {
    "2026-04-01T12:00:00Z".parse().unwrap()
}

fn studied(path: &Path) -> Vec<Studied> {
    let bytes = fs::read(path).unwrap();
    let name = Path::new(path.file_name().unwrap());
    let reading = transcript::read_stream(bytes.as_slice(), name, modified()).unwrap();
    let rules = Rules::builtin().unwrap();
    let learned = pipeline::learn_from(vec![reading], Vec::new(), &rules, Redactor::builtin());
    assert_eq!(learned.problems, [], "{}", path.display());
    learned.sessions
}

#[test]
fn turns() {
    for (name, path) in fixtures() {
        let mut text = String::new();
        for Studied { session, .. } in studied(&path) {
            writeln!(text, "{} {} {}", session.host.name(), session.id, session.started).unwrap();
            for turn in &session.turns {
                let line = format!("{:>3} {:?} {:?}", turn.line, turn.speaker, turn.manner).to_lowercase();
                writeln!(text, "{line}: {:?}", turn.text).unwrap();
            }
        }
        snapshot("turns", &name, &text);
    }
}

#[test]
fn judgements() {
    for (name, path) in fixtures() {
        let mut text = String::new();
        for studied in studied(&path) {
            for judgement in &studied.judgements {
                let turn = &studied.session.turns[judgement.turn];
                let acts: Vec<_> = judgement.acts.iter().map(|act| act.word()).collect();
                writeln!(text, "{:>3} [{}] {:?}", turn.line, acts.join(", "), turn.text).unwrap();
            }
            for episode in &studied.episodes {
                let lines = episode.corrections.iter().map(|&i| studied.session.turns[studied.judgements[i].turn].line);
                writeln!(text, "episode of {:?}: {:?}", lines.collect::<Vec<_>>(), episode.phase).unwrap();
            }
        }
        snapshot("judgements", &name, &text);
    }
}

#[test]
fn candidates() {
    for (name, path) in fixtures() {
        let sessions = studied(&path);
        let mut candidates: Vec<_> = sessions.into_iter().flat_map(|s| s.candidates).collect();
        // The grounds stand in what `trace` shows of a turn.
        candidates.iter_mut().flat_map(|c| &mut c.evidence).for_each(|evidence| evidence.grounds.clear());
        snapshot("candidates", &name, &serde_json::to_string_pretty(&candidates).unwrap());
    }
}

#[test]
fn files() {
    for (name, path) in fixtures() {
        let folder = tempfile::tempdir().unwrap();
        let candidates: Vec<_> = studied(&path).into_iter().flat_map(|s| s.candidates).collect();
        store::apply(folder.path(), candidates, modified()).unwrap();
        let mut text = String::new();
        for (file, body) in memories(folder.path()) {
            write!(text, "=== {file}\n{body}").unwrap();
        }
        snapshot("files", &name, &text);
    }
}
