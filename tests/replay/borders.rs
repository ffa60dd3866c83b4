//! The result depends neither on the borders of batches nor on the number of threads: it is that of one `extract`.

use std::num::NonZeroUsize;
use std::path::Path;

use afterword::pipeline::Run;
use afterword::redact::Redactor;
use afterword::replay::{self, Bounds, Request, Source, Unchanged, Wanted};
use afterword::rules::Rules;
use afterword::store::Stores;

use super::sessions::{claude, openclaw, spoken};
use crate::support::sandbox::Sandbox;
use crate::support::sessions::{SAID, saying, ward};
use crate::support::tree::memories;

/// Sessions of several formats that contradict, repeat and copy each other.
fn tangled() -> Sandbox {
    let sandbox = Sandbox::new();
    let cwd = Path::new("/nowhere/at/all");
    sandbox.write(&openclaw("z"), ward().jsonl());
    for (n, said) in SAID.iter().enumerate() {
        let start = format!("2026-03-0{}T10:00:00Z", 9 - n);
        sandbox.write(&openclaw(&format!("{n}")), saying(&format!("s{n}"), &start, said).jsonl());
    }
    let again = ["My timezone is Asia/Tokyo.", "Noted.", "My editor is Zed.", "Noted.", "I live in Porto.", "Noted."];
    for (name, hour, length) in [("a", 9, 6), ("b", 9, 2), ("c", 12, 4), ("d", 12, 6)] {
        sandbox.write(&claude(name), spoken(name, cwd, hour, &again[..length]));
    }
    let database = sandbox.write("home/.openclaw/agents/main/agent/openclaw-agent.sqlite", "");
    ward().database(&database);
    let messages = r#"[{"role":"user","content":"I prefer short answers."},{"role":"assistant","content":"Noted."}]"#;
    sandbox.write("home/.openclaw/agents/main/sessions/messages.json", messages);
    sandbox
}

#[test]
fn neither_batches_nor_threads_show() {
    let sandbox = tangled();
    let home = sandbox.path("home");
    sandbox.run(["extract", "--store", "whole", "home"]).exits(0);
    let whole = memories(&sandbox.path("whole"));
    assert!(whole.len() > SAID.len(), "{whole:#?}");
    let rules = Rules::builtin().unwrap();
    let replayed = |name: &str, bounds: Bounds, jobs: usize| {
        let store = sandbox.path(name);
        let request = Request {
            sources: vec![Source::Named(home.clone())],
            wanted: Wanted::default(),
            stores: Stores { named: Some(store.clone()), home: None },
            run: Run::At("2026-06-01T00:00:00Z".parse().unwrap()),
            state: sandbox.path("state"),
            unchanged: Unchanged::Skip,
            jobs: NonZeroUsize::new(jobs),
            bounds,
            rules: &rules,
            redactor: Redactor::builtin(),
            beside: None,
        };
        let summary = replay::run(&request, &|_| {}).unwrap();
        assert!(summary.errors.is_empty() && summary.files > 10, "{summary:#?}");
        memories(&store)
    };
    for (name, bytes, files, jobs) in
        [("one", 1, 1, 1), ("few", 3_000, 9, 2), ("three", 1 << 20, 3, 3), ("all", 1 << 30, 999, 4)]
    {
        assert_eq!(replayed(name, Bounds { bytes, files }, jobs), whole, "{name}");
    }
}
