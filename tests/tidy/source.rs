//! The sources: short files that say what they are, arrows that point down, one place to print and one to write.

use std::fs;
use std::path::Path;

use afterword::error::{Error, ErrorKind};
use regex::Regex;

/// What a module of the crate may import; one that is missing here fails the test.
const ARROWS: [(&str, &[&str]); 26] = [
    ("error", &[]),
    ("disk", &["error"]),
    ("text", &[]),
    ("memory", &["text"]),
    ("rules", &["text", "error"]),
    ("redact", &["text", "error", "rules"]),
    ("transcript", &["text", "error"]),
    ("detect", &["text", "rules", "transcript"]),
    ("episode", &["text", "memory", "rules", "transcript", "detect"]),
    ("compose", &["text", "memory", "rules", "redact", "transcript", "detect", "episode"]),
    ("reconcile", &["text", "error", "memory", "rules"]),
    ("store", &["text", "error", "memory", "reconcile", "transcript"]),
    ("dictate", &["error", "memory", "redact", "reconcile", "store"]),
    ("digest", &["memory", "reconcile", "store"]),
    ("review", &["error", "memory", "redact", "compose", "store", "dictate"]),
    ("explain", &["error", "memory", "reconcile", "store"]),
    ("page", &["error", "disk", "text", "memory", "redact", "reconcile", "store", "explain"]),
    ("search", &["text", "error", "memory", "store"]),
    ("mcp", &["error", "memory", "redact", "reconcile", "store", "dictate", "explain", "search"]),
    ("host", &["error", "transcript"]),
    ("spool", &["error", "transcript", "host"]),
    ("install", &["error", "disk", "transcript", "host", "store", "spool"]),
    (
        "experience",
        &["error", "disk", "text", "memory", "redact", "transcript", "compose", "reconcile", "host", "store"],
    ),
    (
        "pipeline",
        &["error", "memory", "rules", "redact", "transcript", "detect", "episode", "compose", "reconcile", "store"],
    ),
    ("replay", &["error", "rules", "redact", "transcript", "reconcile", "store", "pipeline"]),
    (
        "cli",
        &[
            "error",
            "text",
            "memory",
            "rules",
            "redact",
            "transcript",
            "detect",
            "episode",
            "compose",
            "reconcile",
            "store",
            "dictate",
            "digest",
            "review",
            "explain",
            "page",
            "search",
            "mcp",
            "host",
            "spool",
            "install",
            "experience",
            "pipeline",
            "replay",
        ],
    ),
];

/// A source file: its path under `src`, its text, and the text without its tests.
struct Source {
    path: String,
    text: String,
    code: String,
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders = vec![root.clone()];
    let mut sources = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                let path = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
                let tests = path.ends_with("tests.rs") || path.contains("/tests/");
                let code = if tests { "" } else { text.split("#[cfg(test)]").next().unwrap() };
                let code = code.lines().filter(|line| !line.trim_start().starts_with("//"));
                let code = code.collect::<Vec<_>>().join("\n");
                sources.push(Source { path, text, code });
            }
        }
    }
    assert!(sources.len() > 40, "the sources were not found");
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    sources
}

/// Every place where `pattern` stands in the code of the files that `within` picks.
fn found(pattern: &str, within: impl Fn(&str) -> bool) -> Vec<String> {
    let pattern = Regex::new(pattern).unwrap();
    let mut found = Vec::new();
    for source in sources().iter().filter(|source| within(&source.path)) {
        let hits = pattern.find_iter(&source.code);
        found.extend(hits.map(|hit| format!("{}: {}", source.path, hit.as_str())));
    }
    found
}

fn module(path: &str) -> &str {
    path.split('/').next().unwrap().trim_end_matches(".rs")
}

#[test]
fn no_file_is_longer_than_400_lines() {
    let long = sources().into_iter().map(|s| (s.text.lines().count(), s.path));
    assert_eq!(long.filter(|(lines, _)| *lines > 400).collect::<Vec<_>>(), []);
}

#[test]
fn every_file_opens_by_saying_what_it_is() {
    let silent = sources().into_iter().filter(|s| !s.text.starts_with("//! ")).map(|s| s.path);
    assert_eq!(silent.collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn imports_point_down_only() {
    let import = Regex::new(r"\bcrate::(?:\{([^}]*)\}|(\w+))").unwrap();
    let mut upward = Vec::new();
    for source in sources() {
        let module = module(&source.path);
        if ["lib", "main"].contains(&module) {
            continue;
        }
        let (_, allowed) = ARROWS.iter().find(|(name, _)| *name == module).unwrap_or_else(|| panic!("{module} is new"));
        for import in import.captures_iter(&source.code) {
            let names = import.get(1).or(import.get(2)).unwrap().as_str();
            for name in names.split(',').map(|name| name.trim().split("::").next().unwrap()) {
                if !name.is_empty() && name != module && !allowed.contains(&name) {
                    upward.push(format!("{} imports {name}", source.path));
                }
            }
        }
    }
    assert_eq!(upward, [""; 0]);
}

#[test]
fn only_the_command_line_prints_or_reads_the_environment() {
    let pattern = r"\be?print(?:ln)?!|\bdbg!|\benv::(?:var|home_dir|current_dir|args)|io::std(?:in|out|err)\b";
    assert_eq!(found(pattern, |path| module(path) != "cli"), [""; 0]);
    assert!(!found(pattern, |path| module(path) == "cli").is_empty(), "the pattern finds nothing");
}

#[test]
fn only_the_store_the_spool_and_the_disk_write_files() {
    let pattern = r"\bfs::(?:write|rename|remove_\w+|create_dir\w*|copy|set_permissions)\b|\bFile::create\b|\bOpenOptions\b|\.persist\w*\(";
    // What a replay notes, and the search's index, is no memory, and can be deleted without harm.
    let own = ["disk.rs", "replay/notes.rs", "search.rs", "search/index.rs"];
    let writes = |path: &str| ["store", "spool"].contains(&module(path)) || own.contains(&path);
    assert_eq!(found(pattern, |path| !writes(path)), [""; 0]);
    assert!(!found(pattern, |path| module(path) == "store").is_empty(), "the pattern finds nothing");
}

#[test]
fn nothing_is_a_stub() {
    let stub = Regex::new(r"\b(?:todo|unimplemented)!|#\[ignore").unwrap();
    let stubs = sources().into_iter().filter(|s| stub.is_match(&s.text)).map(|s| s.path);
    assert_eq!(stubs.collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn every_kind_of_error_knows_a_way_out() {
    /// The kind after `kind`; a new kind has to be put in here.
    fn next(kind: ErrorKind) -> Option<ErrorKind> {
        match kind {
            ErrorKind::Io => Some(ErrorKind::UnknownFormat),
            ErrorKind::UnknownFormat => Some(ErrorKind::Transcript),
            ErrorKind::Transcript => Some(ErrorKind::Rule),
            ErrorKind::Rule => Some(ErrorKind::Store),
            ErrorKind::Store => Some(ErrorKind::Host),
            ErrorKind::Host => Some(ErrorKind::Name),
            ErrorKind::Name => Some(ErrorKind::Usage),
            ErrorKind::Usage => None,
        }
    }
    let kinds = std::iter::successors(Some(ErrorKind::Io), |&kind| next(kind));
    let hints: Vec<String> = kinds.map(|kind| Error::new(kind, "x").hint()).collect();
    assert!(hints.iter().all(|hint| hint.len() > 10 && !hint.ends_with('.')), "{hints:?}");
    let mut distinct = hints.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), hints.len(), "{hints:?}");
}
