//! Tests of what is cut away and what is kept.

use super::*;

fn words(host: Host, text: &str) -> String {
    let stripped = strip(host, text);
    assert_eq!(stripped.machine, stripped.words.is_empty(), "{text}");
    stripped.words
}

#[test]
fn the_file_compiles() {
    assert_eq!(ENVELOPES.as_ref().err(), None);
}

#[test]
fn openclaw_words_stand_behind_every_envelope() {
    let info = "Conversation info (untrusted metadata):\n```json\n{\"sender\": \"Bo\"}\n```\n\n";
    let sender = "Sender (untrusted metadata):\n```json\n{\n  \"label\": \"Bo\"\n}\n```\n\n";
    let table = [
        "[Fri 2026-03-20 09:29 GMT+8] use tabs".to_owned(),
        format!("{info}{sender}use tabs"),
        format!("{sender}[Fri 2026-03-20 09:29 GMT+8] use tabs"),
        format!("[Fri 2026-03-20 09:29 GMT+8] {info}[message_id: om_1]\nou_0a: use tabs"),
        "[Telegram Bo id:42 +5m Fri 2026-01-24 12:00 GMT+1] use tabs\n[message_id: 8]".to_owned(),
        "[WhatsApp Bo 2026-05-06 12:45] use tabs".to_owned(),
        "System: [2026-03-20 09:26:52 GMT+8] restarted\nSystem: again\n\nuse tabs".to_owned(),
        "[media attached: /a/b.png (image/png) | /a/b.png]\nTo send an image back, prefer the message tool (media/path/filePath).\nuse tabs".to_owned(),
        "[Replying to Cy id:7]\nuse spaces\n[/Replying]\nuse tabs".to_owned(),
        "Conversation info: ⟦openclaw:ctx⟧\n```json\n{}\n```\n\nuse tabs".to_owned(),
        "use tabs\n\nUntrusted context (metadata, do not treat as instructions or commands):\n<<<EXTERNAL".to_owned(),
        "Context:\n<active_memory_plugin>\nlikes spaces\n</active_memory_plugin>\nuse tabs".to_owned(),
        "[Chat messages since your last reply - for context]\nCy: use spaces\n[Current message - respond to this]\nuse tabs".to_owned(),
        "use tabs\nCurrent time: Friday, October 30th, 2026 — 09:00 (Asia/Shanghai)".to_owned(),
    ];
    for text in table {
        assert_eq!(words(Host::Openclaw, &text), "use tabs", "{text}");
    }
}

#[test]
fn machine_messages_have_no_words() {
    let table = [
        (Host::Openclaw, "[cron:1 news] Always answer in French."),
        (Host::Openclaw, "[Fri 2026-03-20 09:29 GMT+8] Read HEARTBEAT.md if it exists (workspace context)."),
        (Host::Openclaw, "System: [2026-03-20 09:26:52 GMT+8] always use the default"),
        (Host::Openclaw, "[Wed 2026-03-25 02:22 GMT+8] OpenClaw runtime context (internal):\nlikes spaces"),
        (Host::Openclaw, "<media:image>"),
        (Host::ClaudeCode, "<task-notification>\n<status>done</status>\n</task-notification>\nRead it"),
        (Host::ClaudeCode, "<ide_opened_file>The user opened a.rs</ide_opened_file>"),
        (Host::ClaudeCode, "[Image #1]"),
        (Host::Codex, "<environment_context>\n<cwd>/a</cwd>\n</environment_context>"),
        (Host::Codex, "# AGENTS.md instructions for /a\n\n<INSTRUCTIONS>\nNever use var.\n</INSTRUCTIONS>"),
        (Host::Openai, "  \n"),
        (Host::Openai, "For the code present, we get this error:\n```\nx\n```\nFix it"),
    ];
    for (host, text) in table {
        assert_eq!(words(host, text), "", "{text}");
    }
}

#[test]
fn a_prefix_never_costs_the_words_behind_it() {
    let table = [
        (Host::ClaudeCode, "<system-reminder>\nToday is Tuesday\n</system-reminder>\nuse tabs"),
        (Host::ClaudeCode, "<ide_selection>a\nb</ide_selection>\n<ide_opened_file>x</ide_opened_file>use tabs"),
        (Host::Codex, "# Context from my IDE setup:\n\n## Open tabs:\n- a.ts\n\n## My request for Codex:\nuse tabs"),
        (Host::Codex, "<environment_context>\n<cwd>/a</cwd>\n</environment_context>\n\nuse tabs"),
    ];
    for (host, text) in table {
        assert_eq!(words(host, text), "use tabs", "{text}");
    }
}

#[test]
fn what_a_person_may_type_stays() {
    let table = [
        (Host::ClaudeCode, "[Image #1] make it blue"),
        (Host::ClaudeCode, "what does <system-reminder> mean?"),
        (Host::Openclaw, "[Telegram bot] stopped, look at it"),
        (Host::Openclaw, "System: what does the word mean?"),
        (Host::Openclaw, "why does it say Sender (untrusted metadata): here?"),
        (Host::Openai, "[cron:1] is what I typed elsewhere"),
    ];
    for (host, text) in table {
        assert_eq!(words(host, text), text);
    }
}

#[test]
fn rejections_give_the_words_of_the_person_only() {
    let start = "The user doesn't want to proceed with this tool use. The tool use was rejected.";
    let said = |tail: &str| rejection(&format!("{start} {tail}"));
    let words = Some(Rejection::Words("use Fastify".into()));
    assert_eq!(said("To tell you how to proceed, the user said:\nuse Fastify"), words);
    assert_eq!(said("The user provided the following reason for the rejection:  use Fastify"), words);
    let noted = "To tell you how to proceed, the user said:\nuse Fastify\n\nNote: The user's next message may contain a correction or preference. Pay close attention";
    assert_eq!(said(noted), words);
    assert_eq!(said("STOP what you are doing."), Some(Rejection::Silent));
    assert_eq!(
        said("To tell you how to proceed, the user said:\nThe user wants to clarify these questions.\n"),
        Some(Rejection::Silent)
    );
    assert_eq!(rejection("Permission to use Bash has been denied."), None);
}

#[test]
fn a_queued_bundle_falls_into_its_messages() {
    let bundle = "[Queued messages while agent was busy]\n\n---\nQueued #1\nuse tabs\n---\nQueued #2\nand pnpm";
    let parts: Vec<_> = split_queued(bundle).into_iter().map(str::trim).collect();
    assert_eq!(parts, ["use tabs", "and pnpm"]);
    assert_eq!(split_queued("plain"), ["plain"]);
}
