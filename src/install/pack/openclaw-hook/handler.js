// Written by `afterword install openclaw`. Tells Afterword where a session lies; never waits, never fails, and passes on
// no message text.
import { spawn } from "node:child_process"

const PROGRAM = {{program}}

{{start}}
const text = (value) => (typeof value === "string" && value !== "" ? value : undefined)

export default function handler(event) {
  try {
    const context = event?.context ?? {}
    // After /new and /reset the current entry may be the next session's already.
    const entry = context.previousSessionEntry ?? context.sessionEntry ?? {}
    const sessionKey = text(event?.sessionKey)
    const note = {
      event: `${event?.type}:${event?.action}`,
      sessionKey,
      sessionId: text(entry.sessionId) ?? text(context.sessionId),
      agentId: text(context.agentId) ?? sessionKey?.match(/^agent:([^:]+):/)?.[1],
      sessionFile: text(entry.sessionFile),
      workspaceDir: text(context.workspaceDir),
      storePath: text(context.storePath),
      stateDir: text(process.env.OPENCLAW_STATE_DIR),
    }
    start("openclaw", note)
  } catch {
    // The host's work is worth more than this note.
  }
}
