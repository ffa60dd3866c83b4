//! What is heard in a session, and what is not.

use std::path::PathBuf;

use super::*;
use crate::memory::Evidence;
use crate::transcript::Turn;

fn at() -> DateTime<Utc> {
    "2026-01-10T08:00:00Z".parse().unwrap()
}

fn session(host: Host, cwd: &str, agent: &str) -> Session {
    let turn = Turn {
        speaker: Speaker::Agent,
        manner: Manner::Plain,
        text: agent.to_owned(),
        line: 7,
        time: Some(at()),
        record: None,
    };
    Session {
        host,
        id: "s1".into(),
        cwd: Some(PathBuf::from(cwd)),
        started: at(),
        source: PathBuf::from("s1.jsonl"),
        turns: vec![turn],
        repeats: false,
    }
}

fn candidate(kind: Kind, class: Class, confirm: Confirmation, body: &str) -> Candidate {
    let evidence = Evidence {
        host: "codex".into(),
        session: "s1".into(),
        line: 3,
        role: if kind == Kind::Playbook { Role::Correction } else { Role::Statement },
        time: at(),
        quote: body.to_owned(),
        grounds: Vec::new(),
    };
    Candidate {
        intent: Intent::Keep,
        kind,
        class,
        slug: slug(body),
        ttl: Ttl::Infinity,
        confirm,
        body: body.to_owned(),
        said_at: at(),
        evidence: vec![evidence],
        reason: String::new(),
        replaces: Vec::new(),
    }
}

fn heard(host: Host, cwd: &str, candidate: &Candidate) -> Vec<Taught> {
    let session = session(host, cwd, "");
    hear(&session, std::slice::from_ref(candidate), Some(Path::new("/home/ann")), Redactor::builtin()).lessons
}

#[test]
fn a_playbook_is_heard_by_its_what_and_by_how_it_was_confirmed() {
    let body = "## When\nInstalling.\n\n## What\nUse pnpm,\nnot npm.\n\n## Why\nBecause.";
    for (confirm, how) in [(Confirmation::Explicit, How::Explicit), (Confirmation::Implicit, How::Implicit)] {
        let found = heard(Host::Codex, "/nowhere/shop", &candidate(Kind::Playbook, Class::Procedure, confirm, body));
        assert_eq!((found[0].text.as_str(), found[0].how), ("Use pnpm, not npm.", how));
        assert_eq!(found[0].scope, Scope::Project("shop".into()));
        assert!(found[0].is_correction);
    }
}

#[test]
fn facts_and_what_holds_for_a_while_are_not_heard() {
    let fact = candidate(Kind::Profile, Class::Fact, Confirmation::None, "User is a nurse.");
    let mut brief = candidate(Kind::Profile, Class::Preference, Confirmation::None, "User prefers tea this week.");
    brief.ttl = Ttl::OneWeek;
    assert_eq!(heard(Host::Codex, "/nowhere/shop", &fact), []);
    assert_eq!(heard(Host::Codex, "/nowhere/shop", &brief), []);
}

#[test]
fn a_workspace_and_the_home_folder_are_no_projects() {
    let rule = candidate(Kind::Profile, Class::Config, Confirmation::None, "Backups go to the blue disk.");
    for (host, cwd) in [(Host::Openclaw, "/nowhere/workspace"), (Host::Codex, "/home/ann")] {
        assert_eq!(heard(host, cwd, &rule)[0].scope, Scope::general(), "{cwd}");
    }
}

#[test]
fn citations_and_reflections_of_the_agent_are_heard_without_secrets() {
    let key = ["sk-ant-", "api03-", "Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4"].concat();
    let text = format!(
        "Using the list rule (from projects/shop.md:12) and using tabs (from `memory.md:3`).\n\n\
         CONTEXT: Setup\nREFLECTION: Printed {key}\nLESSON: Never print keys\n"
    );
    let heard = hear(&session(Host::Codex, "/nowhere/shop", &text), &[], None, Redactor::builtin());
    let cited: Vec<_> = heard.citations.iter().map(|c| (c.text.as_str(), c.page.as_str(), c.line)).collect();
    assert_eq!(cited, [("the list rule", "projects/shop.md", Some(12)), ("tabs", "memory.md", Some(3))]);
    assert_eq!(heard.reflections.len(), 1);
    assert!(!format!("{heard:?}").contains(&key));
}
