//! Which fields of a Claude Code row are looked at; everything else is stepped over.

use super::super::json::{Cursor, Malformed, Value};

/// The fields of a row that are looked at.
#[derive(Default)]
pub(super) struct Fields<'a> {
    pub(super) kind: Value<'a>,
    pub(super) uuid: Value<'a>,
    pub(super) parent: Value<'a>,
    pub(super) session: Value<'a>,
    pub(super) cwd: Value<'a>,
    pub(super) time: Value<'a>,
    pub(super) is_meta: Value<'a>,
    pub(super) is_sidechain: Value<'a>,
    pub(super) is_summary: Value<'a>,
    pub(super) is_hidden: Value<'a>,
    pub(super) is_api_error: Value<'a>,
    pub(super) prompt_source: Value<'a>,
    pub(super) origin: Value<'a>,
    pub(super) subtype: Value<'a>,
    pub(super) notice: Value<'a>,
    pub(super) attachment: Value<'a>,
    pub(super) answers: Value<'a>,
    pub(super) model: Value<'a>,
    pub(super) text: Value<'a>,
    pub(super) blocks: Vec<Block<'a>>,
}

/// One block of a message's content.
#[derive(Default)]
pub(super) struct Block<'a> {
    pub(super) kind: Value<'a>,
    pub(super) text: Value<'a>,
    pub(super) name: Value<'a>,
    pub(super) input: Value<'a>,
    pub(super) content: Value<'a>,
    pub(super) is_error: Value<'a>,
}

impl<'a> Fields<'a> {
    /// Reads a row in one pass.
    pub(super) fn of(line: &'a [u8]) -> Result<Self, Malformed> {
        let mut found = Self::default();
        let mut cursor = Cursor::new(line);
        cursor.object(|key, at| {
            let field = match key {
                b"type" => &mut found.kind,
                b"uuid" => &mut found.uuid,
                b"parentUuid" => &mut found.parent,
                b"sessionId" => &mut found.session,
                b"cwd" => &mut found.cwd,
                b"timestamp" => &mut found.time,
                b"isMeta" => &mut found.is_meta,
                b"isSidechain" => &mut found.is_sidechain,
                b"isCompactSummary" => &mut found.is_summary,
                b"isVisibleInTranscriptOnly" => &mut found.is_hidden,
                b"isApiErrorMessage" => &mut found.is_api_error,
                b"promptSource" => &mut found.prompt_source,
                b"origin" => &mut found.origin,
                b"subtype" => &mut found.subtype,
                b"content" => &mut found.notice,
                b"attachment" => &mut found.attachment,
                b"toolUseResult" => {
                    return at.object(|key, at| match key {
                        b"answers" => at.value().map(|value| found.answers = value),
                        _ => at.skip(),
                    });
                }
                b"message" => {
                    return at.object(|key, at| match key {
                        b"model" => at.value().map(|value| found.model = value),
                        b"content" => content(at, &mut found),
                        _ => at.skip(),
                    });
                }
                _ => return at.skip(),
            };
            *field = at.value()?;
            Ok(())
        })?;
        if cursor.at_end() { Ok(found) } else { Err(Malformed) }
    }
}

fn content<'a>(at: &mut Cursor<'a>, found: &mut Fields<'a>) -> Result<(), Malformed> {
    if at.peek() != Some(b'[') {
        found.text = at.value()?;
        return Ok(());
    }
    at.array(|at| {
        let mut block = Block::default();
        at.object(|key, at| {
            let field = match key {
                b"type" => &mut block.kind,
                b"text" => &mut block.text,
                b"name" => &mut block.name,
                b"input" => &mut block.input,
                b"content" => &mut block.content,
                b"is_error" => &mut block.is_error,
                _ => return at.skip(),
            };
            *field = at.value()?;
            Ok(())
        })?;
        found.blocks.push(block);
        Ok(())
    })
}
