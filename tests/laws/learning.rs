//! Laws of the whole journey, for any input.

use std::path::Path;
use std::sync::LazyLock;

use afterword::error::ErrorKind;
use afterword::pipeline::{self, Learned};
use afterword::redact::Redactor;
use afterword::rules::Rules;
use afterword::{store, transcript};
use chrono::DateTime;
use proptest::prelude::*;

use crate::support::sandbox::Sandbox;
use crate::support::secrets::secrets;
use crate::support::sessions::{Script, session, ward};
use crate::support::tree::tree;

static RULES: LazyLock<Rules> = LazyLock::new(|| Rules::builtin().unwrap());

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

fn learn<'a>(transcripts: impl IntoIterator<Item = &'a str>) -> Learned {
    let readings = transcripts
        .into_iter()
        .map(|text| transcript::read_stream(text.as_bytes(), Path::new("s.jsonl"), DateTime::UNIX_EPOCH).unwrap())
        .collect();
    pipeline::learn_from(readings, Vec::new(), &RULES, Redactor::builtin())
}

/// Everything that could be written, as text.
fn all(learned: &Learned) -> String {
    let candidates: Vec<_> = learned.sessions.iter().flat_map(|s| &s.candidates).collect();
    serde_json::to_string(&candidates).unwrap()
}

/// A transcript in which some bytes were changed, put in or lost.
fn damaged() -> impl Strategy<Value = Vec<u8>> {
    let whole = ward().jsonl().into_bytes();
    let harm = (0..whole.len(), any::<u8>(), 0..3_u8);
    prop::collection::vec(harm, 1..40).prop_map(move |harms| {
        let mut bytes = whole.clone();
        for (at, byte, how) in harms {
            let at = at % bytes.len().max(1);
            match how {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ => bytes.truncate(bytes.len().min(at.max(40))),
            }
        }
        bytes
    })
}

/// Words that rules look for, so that what is said is often learned.
fn said() -> impl Strategy<Value = String> {
    let cue = prop::sample::select(vec![
        "I prefer ",
        "Never use ",
        "My editor is ",
        "We always use ",
        "No, not that, use ",
        "I'm a ",
        "Remember: ",
        "Perfect, thanks. ",
        "我喜欢",
        "以后都用",
        "不对，应该用",
        "记住：",
        "",
        "",
    ]);
    (cue, "\\PC{0,30}", prop::sample::select(vec![".", "。", "", "?", "\n"]))
        .prop_map(|(cue, junk, end)| format!("{cue}{junk}{end}"))
}

/// What is said, with a secret in the middle of it.
fn telling_a_secret() -> impl Strategy<Value = (String, String)> {
    let edge = || prop::sample::select(vec![" ", "\n", "\"", "，", ": ", " `", " (", "。"]);
    (said(), edge(), prop::sample::select(secrets()), edge(), said())
        .prop_map(|(before, left, secret, right, after)| (format!("{before}{left}{secret}{right}{after}"), secret))
}

fn conversation(id: &str, start: &str, turns: &[String]) -> Script {
    let mut script = session(id, start);
    for (number, said) in turns.iter().enumerate() {
        script = script.says(said);
        script = match number % 3 {
            0 => script.answers("Noted."),
            1 => script.runs("make").answers("You're right, sorry. Done: it is written."),
            _ => script.answers("Shall I go on?"),
        };
    }
    script
}

proptest! {
    #![proptest_config(config(64))]

    #[test]
    fn no_bytes_bring_it_down(bytes in prop_oneof![prop::collection::vec(any::<u8>(), 0..600), damaged()]) {
        match transcript::read_stream(bytes.as_slice(), Path::new("s.jsonl"), DateTime::UNIX_EPOCH) {
            Ok(reading) => {
                let _ = pipeline::learn_from(vec![reading], Vec::new(), &RULES, Redactor::builtin());
            }
            Err(error) => {
                prop_assert!(matches!(error.kind(), ErrorKind::UnknownFormat | ErrorKind::Transcript), "{error}");
            }
        }
    }

    #[test]
    fn no_secret_is_ever_proposed(told in prop::collection::vec(telling_a_secret(), 1..6)) {
        let turns: Vec<String> = told.iter().map(|(text, _)| text.clone()).collect();
        let text = all(&learn([conversation("s", "2026-02-04T10:00:00Z", &turns).jsonl().as_str()]));
        for (_, secret) in &told {
            prop_assert!(!text.contains(secret.as_str()), "{secret} in {text}");
        }
    }

    #[test]
    fn the_order_of_sessions_does_not_matter(
        (sessions, shuffled) in prop::collection::vec(prop::collection::vec(said(), 1..5), 2..5)
            .prop_map(|sessions| {
                let script = |(n, turns): (usize, &Vec<String>)| {
                    // Two may begin in the same minute.
                    conversation(&format!("s{n}"), &format!("2026-02-04T10:0{}:00Z", n / 2), turns).jsonl()
                };
                sessions.iter().enumerate().map(script).collect::<Vec<_>>()
            })
            .prop_flat_map(|sessions| (Just(sessions.clone()), Just(sessions).prop_shuffle()))
    ) {
        let one = learn(sessions.iter().map(String::as_str));
        let other = learn(shuffled.iter().map(String::as_str));
        prop_assert_eq!(all(&one), all(&other));
    }

    #[test]
    fn the_same_session_twice_changes_nothing(turns in prop::collection::vec(said(), 1..8)) {
        let folder = tempfile::tempdir().unwrap();
        let rows = conversation("s", "2026-02-04T10:00:00Z", &turns).jsonl();
        let apply = |now: &str| {
            let candidates = learn([rows.as_str()]).sessions.remove(0).candidates;
            store::apply(folder.path(), candidates, now.parse().unwrap()).unwrap();
            tree(folder.path())
        };
        let once = apply("2026-03-01T00:00:00Z");
        prop_assert_eq!(once, apply("2026-03-02T00:00:00Z"));
    }
}

proptest! {
    // Each case runs the program.
    #![proptest_config(config(8))]

    #[test]
    fn a_damaged_file_ends_with_0_or_1(bytes in prop_oneof![prop::collection::vec(any::<u8>(), 0..600), damaged()]) {
        let sandbox = Sandbox::new();
        let file = sandbox.write("s.jsonl", bytes);
        let finished = sandbox.extract(&[&file]);
        prop_assert!(matches!(finished.code, Some(0 | 1)), "{}", finished.both());
    }

    #[test]
    fn no_secret_is_ever_printed_or_written(told in prop::collection::vec(telling_a_secret(), 20..40)) {
        let sandbox = Sandbox::new();
        let turns: Vec<String> = told.iter().map(|(text, _)| text.clone()).collect();
        let file = sandbox.write("s.jsonl", conversation("s", "2026-02-04T10:00:00Z", &turns).jsonl());
        let file = file.to_str().unwrap();
        let mut seen = String::new();
        for args in [
            &["trace", file][..],
            &["trace", "--format", "jsonl", file],
            &["extract", "--dry-run", "--store", "store", file],
            &["extract", "--format", "jsonl", "--store", "store", file],
        ] {
            seen += &sandbox.run(args).exits(0).both();
        }
        for (name, bytes) in tree(&sandbox.path("store")) {
            seen += &name;
            seen += &String::from_utf8(bytes).unwrap();
        }
        for (_, secret) in &told {
            let at = seen.find(secret.as_str());
            prop_assert!(at.is_none(), "{secret} in {:?}", seen.get(at.unwrap_or(0).saturating_sub(200)..));
        }
    }
}
