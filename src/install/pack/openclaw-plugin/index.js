// Written by `afterword install openclaw`. Tells Afterword where a session lies; never waits, never fails, and passes on
// no message text. Only where it was installed with `--recall`, each message is looked at on this machine.
import { spawn } from "node:child_process"

const PROGRAM = {{program}}
const RECALL = {{recall}}

{{start}}
{{ask}}
// A compaction in the middle of a run, and the end of a session, reach a plugin only, never a hook of a HOOK.md.
const HOOKS = ["before_compaction", "before_reset", "session_end"]

const text = (value) => (typeof value === "string" && value !== "" ? value : undefined)

function tell(name, event, context) {
  try {
    const sessionKey = text(context?.sessionKey) ?? text(event?.sessionKey)
    const note = {
      event: name,
      reason: text(event?.reason),
      sessionKey,
      sessionId: text(event?.sessionId) ?? text(context?.sessionId),
      agentId: text(context?.agentId) ?? sessionKey?.match(/^agent:([^:]+):/)?.[1],
      sessionFile: text(event?.sessionFile),
      workspaceDir: text(context?.workspaceDir),
      storePath: text(context?.storePath),
      stateDir: text(process.env.OPENCLAW_STATE_DIR),
    }
    start("openclaw", note)
  } catch {
    // The host's work is worth more than this note.
  }
}

// Memories that fit the message, put before it as data; where the person asked for that with `--recall`.
async function remember(event, context) {
  const sessionKey = text(context?.sessionKey)
  const prompt = text(event?.prompt)
  // Only what a person says is looked at: no scheduled run, no other agent.
  if (!prompt || /:(cron|subagent|heartbeat|hook):/.test(`${sessionKey}:`)) return undefined
  const note = {
    event: "before_prompt_build",
    sessionKey,
    sessionId: text(context?.sessionId),
    workspaceDir: text(context?.workspaceDir),
    prompt,
  }
  const remembered = await ask("openclaw", note)
  return remembered ? { prependContext: remembered } : undefined
}

export default {
  id: "afterword",
  name: "Afterword",
  description: "Writes down what a session taught when it ends",
  register(api) {
    for (const name of HOOKS) api.on(name, (event, context) => tell(name, event, context))
    if (RECALL) api.on("before_prompt_build", remember)
  },
}
