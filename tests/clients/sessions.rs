//! Real clients hold a session, turn by turn, with a model that is played: the hook that `install` put in is called as
//! the client calls it, and the memories are there when the client ends.
//!
//! `session.sh` drives a client by the recipes beside the checkout (`../shared/real-clients`); `AFTERWORD_CLIENTS` names
//! the folder that `install.sh` there has filled. Where one of the two is missing, these tests say so and pass.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use crate::support::tree::tree;

/// What the English session teaches.
const ENGLISH: [&str; 5] =
    ["without bullet points", "port 8443", "release manager", "Release notes live in docs/releases", "pnpm here"];

/// What the Chinese one teaches.
const CHINESE: [&str; 5] = ["不要用表格", "主要写 Python", "端口是 5433", "放 data/daily 目录，用 CSV 格式", "用 uv"];

/// One client at a time: they are slow starters, and the seconds after the end are counted.
static TURN: Mutex<()> = Mutex::new(());

/// The folder of the recipes and that of the clients; `None`, with a printed line, where there is none.
pub(super) fn recipes_and_clients() -> Option<(PathBuf, PathBuf)> {
    let recipes = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/real-clients");
    if !recipes.is_dir() {
        println!("skipped: {} is not there", recipes.display());
        return None;
    }
    let Some(folder) = std::env::var_os("AFTERWORD_CLIENTS") else {
        println!("skipped: AFTERWORD_CLIENTS names no folder with real clients");
        return None;
    };
    let clients = Path::new(&folder).join("clients");
    if !clients.join("node_modules/.bin").is_dir() {
        println!("skipped: there are no clients in {}", clients.display());
        return None;
    }
    Some((recipes.canonicalize().unwrap(), clients.canonicalize().unwrap()))
}

/// The client holds the session in a fresh home; what it teaches is there 5 s after its end.
#[track_caller]
fn holds(client: &str, session: &str, teaches: &[&str]) {
    let Some((recipes, clients)) = recipes_and_clients() else {
        return;
    };
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().unwrap();
    // The checkout may lie below a home, which the client does not see.
    let program = folder.path().join("afterword");
    fs::copy(env!("CARGO_BIN_EXE_afterword"), &program).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients/session.sh");
    let mut command = Command::new("bash");
    command.arg(script).arg(folder.path()).args([session, client]);
    command.env("RECIPES", recipes).env("CLIENTS", clients).env("PROGRAM", &program);
    let output = command.stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    print!("{said}");
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));

    let run = folder.path().join(format!("{client}-{session}"));
    let memories = memory_files(&run.join("store"));
    let text: String = memories.iter().map(|(_, text)| text.as_str()).collect();
    for words in teaches {
        assert!(text.contains(words), "{client} {session} does not teach {words:?}: {memories:?}\n{said}");
    }
    assert!(!text.contains(&["gh", "p_"].concat()), "{text}");
    assert_eq!(
        memories,
        memory_files(&run.join("extracted")),
        "{client} {session}: one `extract` gives something else"
    );

    let health: Value = serde_json::from_slice(&fs::read(run.join("doctor.json")).unwrap()).unwrap();
    assert_eq!((&health["hook"]["state"], &health["last"]["how"]), (&"active".into(), &"done".into()), "{health}");
    assert_eq!(health["pending"], 0, "{health}");

    for (name, before) in tree(&run.join("before")) {
        if name.starts_with("work/") || name.starts_with("hooks/") {
            continue;
        }
        let after = fs::read(run.join("home").join(&name)).unwrap();
        // Codex itself adds there what was agreed to on its screen.
        let is_given_back = if name == ".codex/config.toml" { after.starts_with(&before) } else { after == before };
        assert!(is_given_back, "{name} is not what it was: {}", String::from_utf8_lossy(&after));
    }
    assert!(!said.contains("left behind"), "{said}");
}

/// Name and text of each memory in a store.
fn memory_files(store: &Path) -> Vec<(String, String)> {
    let kinds = ["profiles", "playbooks"].map(|kind| (kind, tree(&store.join(kind))));
    let files = kinds.into_iter().flat_map(|(kind, files)| files.into_iter().map(move |file| (kind, file)));
    files.map(|(kind, (name, bytes))| (format!("{kind}/{name}"), String::from_utf8(bytes).unwrap())).collect()
}

#[test]
fn claude_code_in_english() {
    holds("claude-code", "en", &ENGLISH);
}

#[test]
fn claude_code_in_chinese() {
    holds("claude-code", "zh", &CHINESE);
}

#[test]
fn codex_in_english() {
    holds("codex", "en", &ENGLISH);
}

#[test]
fn codex_in_chinese() {
    holds("codex", "zh", &CHINESE);
}

#[test]
fn opencode_in_english() {
    holds("opencode", "en", &ENGLISH);
}

#[test]
fn opencode_in_chinese() {
    holds("opencode", "zh", &CHINESE);
}

#[test]
fn gemini_in_english() {
    holds("gemini", "en", &ENGLISH);
}

#[test]
fn gemini_in_chinese() {
    holds("gemini", "zh", &CHINESE);
}

#[test]
fn openclaw_in_english_until_its_gateway_ends() {
    holds("openclaw", "en", &ENGLISH);
}

#[test]
fn openclaw_in_chinese_until_a_reset() {
    holds("openclaw", "zh", &CHINESE);
}
