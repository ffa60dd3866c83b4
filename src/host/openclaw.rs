//! OpenClaw: `~/.openclaw`, or `OPENCLAW_STATE_DIR`; its two older names.
//!
//! Its hooks name no transcript: an event gives a session's key and mostly its id. Up to 2026.7 the session is a file
//! (renamed when the session is reset or deleted), from then on rows of the agent's database. `sessionFile` may be a
//! marker, `sqlite:<agent>:<session id>:<path of sessions.json>`, of which only the parts are good.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{Moment, Note, Places};

/// Its state folder.
pub(super) fn home(places: &Places) -> PathBuf {
    places.folder("OPENCLAW_STATE_DIR", ".openclaw")
}

/// `agents/<agent>/sessions/*.jsonl` and, since 2026.7, `agents/<agent>/agent/openclaw-agent.sqlite`.
pub(super) fn transcripts(places: &Places) -> Vec<PathBuf> {
    std::iter::once(home(places)).chain(older(places)).map(|state| state.join("agents")).collect()
}

fn older(places: &Places) -> [PathBuf; 2] {
    [".clawdbot", ".moltbot"].map(|name| places.home.join(name))
}

/// What an event of its hooks (`session:compact:before`) or of its plugins (`before_compaction`) means.
pub(super) fn moment(event: &str) -> Option<Moment> {
    match event {
        "session:compact:before"
        | "command:stop"
        | "command:new"
        | "command:reset"
        | "session:auto-reset"
        | "before_compaction"
        | "before_reset"
        | "session_end" => Some(Moment::End),
        "session:compact:after" | "after_compaction" | "agent_end" => Some(Moment::Turn),
        "gateway:startup" | "gateway:shutdown" | "gateway:pre-restart" | "gateway_start" | "gateway_stop" => {
            Some(Moment::CatchUp)
        }
        _ => None,
    }
}

/// The state folder that a path below `agents` belongs to.
pub(super) fn state_of(path: &Path) -> Option<PathBuf> {
    let agents = path.ancestors().find(|above| above.file_name().is_some_and(|name| name == "agents"))?;
    agents.parent().map(Path::to_path_buf)
}

/// What a marker tells: the agent, the session, and a path below the agent's folder.
fn marker(transcript: Option<&Path>) -> Option<(&str, &str, &Path)> {
    let mut parts = transcript?.to_str()?.strip_prefix("sqlite:")?.splitn(3, ':');
    Some((parts.next()?, parts.next()?, Path::new(parts.next()?)))
}

/// The id of the session that a note is about: as it says, else by the marker, else by the key in `sessions.json`.
pub(super) fn session(note: &Note, places: &Places) -> Option<String> {
    let marked = || marker(note.transcript.as_deref()).map(|(_, session, _)| session.to_owned());
    let listed = || {
        let entry = |state: PathBuf| entry(&state.join("agents").join(agent(note)), note.key.as_deref()?);
        states(note, places).into_iter().find_map(entry)
    };
    note.session.clone().or_else(marked).or_else(listed)
}

/// Where the session of a note may lie: the file it names, the agent's database, the agent's files of that id.
pub(super) fn find(note: &Note, places: &Places) -> Vec<PathBuf> {
    let named = note.transcript.iter().filter(|path| path.is_absolute()).cloned();
    let marked = marker(note.transcript.as_deref()).map(|(_, _, path)| path.to_path_buf());
    let is_database = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "sqlite");
    let mut found: Vec<PathBuf> = named.chain(marked.filter(is_database)).collect();
    let session = session(note, places);
    for state in states(note, places) {
        let agent = state.join("agents").join(agent(note));
        found.push(agent.join("agent/openclaw-agent.sqlite"));
        if let Some(session) = &session {
            found.extend(files(&agent.join("sessions"), session));
        }
    }
    found.retain(|path| path.is_file());
    found.sort();
    found.dedup();
    found
}

/// The state folders that can be meant; the older names only where the present one does not exist.
fn states(note: &Note, places: &Places) -> Vec<PathBuf> {
    let marked = marker(note.transcript.as_deref()).and_then(|(_, _, path)| state_of(path));
    let usual = note.home.clone().unwrap_or_else(|| home(places));
    let mut states: Vec<PathBuf> = marked.into_iter().chain([usual]).filter(|state| state.is_dir()).collect();
    if states.is_empty() {
        states.extend(older(places).into_iter().filter(|state| state.is_dir()));
    }
    states
}

/// The agent: as the note says, else by the key (`agent:<agent>:…`), else by the marker, else the first one.
fn agent(note: &Note) -> &str {
    let by_key = || note.key.as_deref()?.strip_prefix("agent:")?.split(':').next();
    let marked = || marker(note.transcript.as_deref()).map(|(agent, _, _)| agent);
    let is_name = |agent: &&str| !agent.is_empty() && !agent.contains(['/', '\\']) && *agent != "..";
    note.agent.as_deref().or_else(by_key).or_else(marked).filter(is_name).unwrap_or("main")
}

/// The session's file, those of its topics, and what they became when it was reset or deleted.
fn files(folder: &Path, session: &str) -> Vec<PathBuf> {
    let is_of_session = |name: &str| {
        let Some((stem, rest)) = name.split_once(".jsonl") else {
            return false;
        };
        let is_whole = rest.is_empty() || [".reset.", ".deleted.", ".bak."].iter().any(|mark| rest.starts_with(mark));
        let topic = stem.strip_prefix(session).is_some_and(|rest| rest.is_empty() || rest.starts_with("-topic-"));
        is_whole && topic
    };
    let list = fs::read_dir(folder).into_iter().flatten().flatten();
    list.filter(|entry| is_of_session(&entry.file_name().to_string_lossy())).map(|entry| entry.path()).collect()
}

/// The session's id by its key.
fn entry(agent: &Path, key: &str) -> Option<String> {
    let index = fs::read(agent.join("sessions/sessions.json")).ok()?;
    let index: Value = serde_json::from_slice(&index).ok()?;
    Some(index.get(key)?.get("sessionId")?.as_str()?.to_owned())
}
