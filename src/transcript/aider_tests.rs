//! What the reader of aider is held to, on small made-up transcripts.

use super::*;

fn sessions(text: &str) -> Vec<Vec<(u32, Speaker, Manner, String)>> {
    let path = Path::new("/w/.aider.chat.history.md");
    let reading = read(text.as_bytes(), path, DateTime::UNIX_EPOCH).unwrap();
    let sessions = reading.sessions.into_iter();
    sessions
        .map(|session| {
            let turns = session.turns.into_iter();
            turns.map(|turn| (turn.line, turn.speaker, turn.manner, turn.text)).collect()
        })
        .collect()
}

#[test]
fn marked_lines_are_the_persons_and_headings_are_not() {
    let text = "\n# aider chat started at 2026-01-02 03:04:05\n\n> Aider v0.86.1  \n\n#### use a retry  \n#### in the client  \n\nSure.\n\n#### Step 1\nWrap it.\n\n> Applied edit to a.py  \n> ^C again to exit  \n> ^C KeyboardInterrupt  \n\n#### /ask why  \n\n# aider chat started at 2026-01-02 04:00:00\n\n> Add a.py to the chat? (Y)es/(N)o/(D)on't ask again [Yes]: n  \n\n#### /undo  \n\n# aider chat started at 2026-01-02 05:00:00\n";
    assert_eq!(
        sessions(text),
        [
            vec![
                (6, Speaker::Human, Manner::Plain, "use a retry\nin the client".to_owned()),
                (9, Speaker::Agent, Manner::Plain, "Sure.\n\n#### Step 1\nWrap it.".into()),
                (14, Speaker::Agent, Manner::Call, "Applied edit to a.py".into()),
                (15, Speaker::Injected, Manner::Interrupt, "^C again to exit".into()),
                (18, Speaker::Human, Manner::Argument, "why".into()),
            ],
            vec![
                (
                    22,
                    Speaker::Injected,
                    Manner::Rejection,
                    "Add a.py to the chat? (Y)es/(N)o/(D)on't ask again [Yes]: n".into()
                ),
                (24, Speaker::Human, Manner::Plain, "/undo".into()),
            ],
        ]
    );
}

#[test]
fn a_copy_without_marks_is_read_by_its_places() {
    let text = "# aider chat started at 2026-01-02 03:04:05\n\n#### first\n#### more\n\nPlan:\n\n#### Step 1\n```\n#### no\n```\n\n> Tokens: 1k sent\n\n#### second\n";
    let humans: Vec<_> = sessions(text)
        .concat()
        .into_iter()
        .filter(|turn| turn.1 == Speaker::Human)
        .map(|turn| (turn.0, turn.3))
        .collect();
    assert_eq!(humans, [(3, "first\nmore".to_owned()), (15, "second".into())]);
}

#[test]
fn a_run_knows_its_folder_and_time() {
    let text = "# aider chat started at 2026-01-02 03:04:05\n\n#### hi  \n";
    let path = Path::new("/w/.aider.chat.history.md");
    let reading = read(text.as_bytes(), path, DateTime::UNIX_EPOCH).unwrap();
    let session = &reading.sessions[0];
    assert_eq!(session.cwd.as_deref(), Some(Path::new("/w")));
    assert_eq!(session.started.to_rfc3339(), "2026-01-02T03:04:05+00:00");
}
