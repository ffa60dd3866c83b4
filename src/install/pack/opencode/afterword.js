// Written by `afterword install opencode`. Tells Afterword which session rests; never waits, never fails, and passes on
// no message text.
import { spawn } from "node:child_process"

const PROGRAM = {{program}}

{{start}}
function tell(note) {
  try {
    start("opencode", note)
  } catch {
    // The host's work is worth more than this note.
  }
}

export const Afterword = async ({ directory }) => {
  let last
  return {
    event: async ({ event }) => {
      if (event?.type !== "session.idle" && event?.type !== "session.compacted") return
      last = event.properties?.sessionID
      tell({ event: event.type, sessionID: last, directory })
    },
    // The last word: opencode ends right after `session.idle`, and waits for this one.
    dispose: async () => {
      if (last) tell({ event: "dispose", sessionID: last, directory })
    },
  }
}
