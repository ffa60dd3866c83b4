//! Inert text: a memory is read by a model later, so nothing in it may act on that model or hide from a person.
//!
//! Removed: control, bidi, zero-width and tag characters. Disarmed, still readable: role and system tags,
//! chat-template marks, HTML comments, front-matter fences. Ordinary text (`a < b`, `Vec<String>`) stays.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Captures, Regex};

/// Tags that hosts and chat templates give a meaning to. Names a host prefixes count too (`antml:invoke`).
const TAGS: &str = concat!(
    r"(?i)<(/?\s*(?:(?:system|developer|assistant|user|human|tool|function|instructions?|prompt|context|memory)",
    r"(?:[-_][a-z0-9_-]+)?|local-command[a-z-]*|command-(?:name|message|args|contents)|ide_[a-z_]+|environment_[a-z_]+|",
    r"(?:antml|anthropic):[a-z_-]+|tool_(?:call|use|result|response)s?|function_(?:call|result)s?|invoke|thinking|think|",
    r"task-notification|persisted-output|bash-(?:input|stdout|stderr)|reminder|im_(?:start|end|sep))",
    r"(?:\s[^<>\n]{0,200})?/?)>",
);

/// Marks of chat templates: ChatML, Llama, Mistral, Gemma.
const MARKS: &str = r"(?i)<(\|[a-z_ ]{1,40}\|)>|\[(/?(?:INST|SYS|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS))\]|<(<\s*/?\s*SYS\s*>)>|<(/?(?:start|end)_of_turn|/?s|bos|eos)>|<(｜[^<>\n]{1,40}｜)>";

static TAG: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(TAGS).ok());
static MARK: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(MARKS).ok());

/// `text` as it may stand in a file that a model will read. Idempotent.
///
/// Line ends become `\n`; a line that is only a fence (`---`, `+++`) becomes `- - -`; `<system>` becomes `‹system›`,
/// `[INST]` becomes `(INST)`, `<!-- x -->` becomes `‹!- x -›`.
#[must_use]
pub fn inert(text: &str) -> String {
    let text = visible(text);
    let text = without_comments(text);
    let text = replace(&MARK, text, |captures| {
        let inner = captures.iter().skip(1).flatten().next();
        let inner = inner.map_or("", |inner| inner.as_str());
        if captures.get_match().as_str().starts_with('[') {
            format!("({inner})")
        } else {
            disarmed(inner)
        }
    });
    let text = replace(&TAG, text, |captures| {
        disarmed(captures.get(1).map_or("", |inner| inner.as_str()))
    });
    without_fences(&text)
}

/// A tag's inside between quotation marks that no parser reads.
fn disarmed(inner: &str) -> String {
    format!(
        "‹{}›",
        inner.replace(['<', '>'], "").replace(['|', '｜'], "¦")
    )
}

fn replace(
    regex: &LazyLock<Option<Regex>>,
    text: String,
    with: impl Fn(&Captures<'_>) -> String,
) -> String {
    let Some(regex) = regex.as_ref() else {
        return text;
    };
    match regex.replace_all(&text, with) {
        Cow::Borrowed(_) => text,
        Cow::Owned(replaced) => replaced,
    }
}

/// Without the characters that cannot be seen, and with one kind of line end.
fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' => {
                chars.next_if_eq(&'\n');
                out.push('\n');
            }
            '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => out.push('\n'),
            '\n' | '\t' => out.push(c),
            c if hidden(c) => {}
            c => out.push(c),
        }
    }
    out
}

/// Control, bidi, zero-width, filler and tag characters, variation selectors beyond the emoji one, noncharacters.
fn hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0e}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}'
            | '\u{e0000}'..='\u{e0fff}')
}

/// Comment marks disarmed: a comment is invisible where markdown is shown, and read by a model.
fn without_comments(text: String) -> String {
    if text.contains("<!-") || text.contains("->") {
        // `-->` alone is an arrow to a person, and the end of a comment only after `<!--`.
        let opened = text.contains("<!-");
        let text = text.replace("<!-", "‹!");
        return if opened {
            text.replace("-->", "-›")
        } else {
            text
        };
    }
    text
}

/// Lines that are only a fence of front matter, spaced so that no reader takes them for one.
fn without_fences(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match line.trim() {
            "---" => out.push_str("- - -"),
            "+++" => out.push_str("+ + +"),
            "..." => out.push('…'),
            _ => {
                out.push_str(line);
                continue;
            }
        }
        if line.ends_with('\n') {
            out.push('\n');
        }
    }
    out
}
