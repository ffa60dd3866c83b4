//! Real clients with `install --recall`: the model is sent the memory that fits a question, and none beside another one.
//!
//! As `sessions.rs`, with `recall.sh`; skipped, with a printed line, where the clients or their recipes are missing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A copy of the recipes whose model logs whole requests.
fn logging(recipes: &Path, folder: &Path) -> PathBuf {
    let copy = folder.join("recipes");
    let copied = Command::new("cp").arg("-r").arg(recipes).arg(&copy).status().unwrap();
    assert!(copied.success());
    let model = copy.join("mock_model.py");
    let text = fs::read_to_string(&model).unwrap();
    let whole = text
        .replace("user=turn.text[:400]", "body=body")
        .replace("def note(self, path, turn, text, tool):", "def note(self, path, turn, text, tool, body=None):")
        .replace("self.note(path, turn, text, tool)\n", "self.note(path, turn, text, tool, body)\n");
    assert_ne!(text, whole, "the recipe is another one");
    fs::remove_file(&model).unwrap();
    fs::write(&model, whole).unwrap();
    copy
}

/// The requests of a client: those that ask about the commit, and those that ask about the river first of all.
#[track_caller]
fn recalls(client: &str) {
    let Some((recipes, clients)) = super::sessions::recipes_and_clients() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("afterword");
    fs::copy(env!("CARGO_BIN_EXE_afterword"), &program).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients/recall.sh");
    let mut command = Command::new("bash");
    command.arg(script).arg(folder.path()).args(["en", client]);
    command.env("RECIPES", logging(&recipes, folder.path())).env("CLIENTS", clients).env("PROGRAM", &program);
    let output = command.stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let requests = fs::read_to_string(folder.path().join(format!("{client}-en/requests.jsonl"))).unwrap();
    let told = |question: &str| {
        let asked: Vec<&str> = requests.lines().filter(|request| request.contains(question)).collect();
        assert!(!asked.is_empty(), "{client} never asked: {question}");
        // Twice would be a memory that is told again.
        asked.iter().map(|request| request.matches("[pbk_aaaaaaaa]").count()).max().unwrap()
    };
    assert_eq!(told("parser fix"), 1, "{requests}");
    let alone = requests.lines().filter(|request| request.contains("Budapest") && !request.contains("parser fix"));
    let alone: Vec<&str> = alone.collect();
    assert!(!alone.is_empty(), "the unrelated question was never asked in a conversation of its own: {requests}");
    assert!(alone.iter().all(|request| !request.contains("[pbk_aaaaaaaa]")), "{requests}");
}

#[test]
fn claude_code_is_told_what_fits_and_nothing_else() {
    recalls("claude-code");
}

#[test]
fn openclaw_is_told_what_fits_and_nothing_else() {
    recalls("openclaw");
}
