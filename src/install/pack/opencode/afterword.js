// Written by `afterword install opencode`. Tells Afterword which session rests; never waits, never fails, and passes on
// no message text. Only where it was installed with `--recall`, each message is looked at on this machine.
import { spawn } from "node:child_process"

const PROGRAM = {{program}}
const RECALL = {{recall}}

{{start}}
{{ask}}
function tell(note) {
  try {
    start("opencode", note)
  } catch {
    // The host's work is worth more than this note.
  }
}

// Memories that fit the message, beside it as a part that is marked as no words of the person.
async function remember(sessionID, output, directory) {
  const said = output.parts.filter((part) => part.type === "text" && !part.synthetic)
  const last = said[said.length - 1]
  if (!last) return
  const prompt = said.map((part) => part.text).join("\n")
  const remembered = await ask("opencode", { event: "chat.message", sessionID, directory, prompt })
  if (!remembered) return
  const { sessionID: session, messageID } = last
  output.parts.push({ id: `${last.id}r`, sessionID: session, messageID, type: "text", text: remembered, synthetic: true })
}

export const Afterword = async ({ directory }) => {
  let last
  return {
    ...(RECALL && {
      "chat.message": async (input, output) => {
        try {
          await remember(input?.sessionID, output, directory)
        } catch {
          // The host's work is worth more than this.
        }
      },
    }),
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
