//! Which fields of a Codex row are looked at; everything else is stepped over.

use super::super::json::{Cursor, Malformed, Value};

/// The fields of a row or of its payload that are looked at; older rollouts have both on one level.
#[derive(Default)]
pub(super) struct Fields<'a> {
    pub(super) kind: Value<'a>,
    pub(super) id: Value<'a>,
    pub(super) time: Value<'a>,
    pub(super) cwd: Value<'a>,
    pub(super) source: Value<'a>,
    pub(super) thread_source: Value<'a>,
    pub(super) role: Value<'a>,
    pub(super) content: Value<'a>,
    pub(super) passthrough: Value<'a>,
    pub(super) name: Value<'a>,
    pub(super) arguments: Value<'a>,
    pub(super) output: Value<'a>,
    pub(super) message: Value<'a>,
    pub(super) prompt_kind: Value<'a>,
    pub(super) num_turns: Value<'a>,
    pub(super) reason: Value<'a>,
    pub(super) instructions: Value<'a>,
    pub(super) payload: Option<Box<Fields<'a>>>,
}

impl<'a> Fields<'a> {
    /// Reads a row, and its payload with it, in one pass.
    pub(super) fn at(cursor: &mut Cursor<'a>) -> Result<Self, Malformed> {
        let mut found = Self::default();
        cursor.object(|key, at| {
            let field = match key {
                b"type" => &mut found.kind,
                b"id" => &mut found.id,
                b"timestamp" => &mut found.time,
                b"cwd" => &mut found.cwd,
                b"source" => &mut found.source,
                b"thread_source" => &mut found.thread_source,
                b"role" => &mut found.role,
                b"content" => &mut found.content,
                b"internal_chat_message_metadata_passthrough" => &mut found.passthrough,
                b"name" => &mut found.name,
                b"arguments" | b"input" | b"action" => &mut found.arguments,
                b"output" => &mut found.output,
                b"message" => &mut found.message,
                b"kind" => &mut found.prompt_kind,
                b"num_turns" => &mut found.num_turns,
                b"reason" => &mut found.reason,
                b"instructions" => &mut found.instructions,
                b"payload" if at.peek() == Some(b'{') => {
                    found.payload = Some(Box::new(Self::at(at)?));
                    return Ok(());
                }
                _ => return at.skip(),
            };
            *field = at.value()?;
            Ok(())
        })?;
        Ok(found)
    }
}
