//! OpenClaw: `~/.openclaw`, or `OPENCLAW_STATE_DIR`; its two older names.

use std::path::PathBuf;

use super::Places;

/// Its state folder.
pub(super) fn home(places: &Places) -> PathBuf {
    places.folder("OPENCLAW_STATE_DIR", ".openclaw")
}

/// `agents/<agent>/sessions/*.jsonl` and, since 2026.7, `agents/<agent>/agent/openclaw-agent.sqlite`.
pub(super) fn transcripts(places: &Places) -> Vec<PathBuf> {
    let older = [".clawdbot", ".moltbot"].map(|name| places.home.join(name));
    std::iter::once(home(places)).chain(older).map(|state| state.join("agents")).collect()
}
