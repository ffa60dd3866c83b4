//! What in a turn is not speech: code, quotes, links, pasted logs, terminal output, pasted documents, and lines
//! that the agent wrote before. Masked text keeps its place (blanks of the same length) but never matches.

mod handed;

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::pattern::{Pattern, ascii};
use super::script::is_han;

/// How much of a turn was masked, and as what.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Masked {
    /// Lines of code, quotes and documents.
    pub quoted: usize,
    /// Lines that look like an error, a log or a stack trace.
    pub errors: usize,
    /// Lines the agent had written before.
    pub echoed: usize,
    /// Lines that are left as speech.
    pub spoken: usize,
}

/// A text of this many lines without a first-person or imperative frame is a document.
const DOCUMENT_LINES: usize = 12;
/// A block of this many lines under a line that ends in a colon is what that line announces.
const ANNOUNCED_LINES: usize = 4;

/// Returns `text` with everything that is not speech blanked out (same bytes, same offsets), and the count.
#[must_use]
pub fn mask(text: &str, echoes: &[Range<usize>]) -> (String, Masked) {
    let mut counts = Masked::default();
    let mut hidden: Vec<Range<usize>> = echoes.to_vec();
    let mut lines = lines_of(text, echoes);
    mark_fences(&mut lines);
    mark_lines(&mut lines);
    mark_mail(&mut lines);
    mark_chapters(&mut lines);
    mark_announced(&mut lines);
    handed::mark(&mut lines);
    mark_articles(&mut lines);
    mark_document(&mut lines);
    for line in &lines {
        match line.what {
            What::Speech => counts.spoken += 1,
            What::Error => counts.errors += 1,
            What::Echo => counts.echoed += 1,
            What::Quote => counts.quoted += 1,
            What::Blank => {}
        }
        if !matches!(line.what, What::Speech | What::Blank) {
            hidden.push(line.span.clone());
        }
    }
    hidden.extend(lines.iter().filter(|l| l.what == What::Speech).filter_map(handed::behind_the_colon));
    hidden.extend(INLINE.find_iter(text).map(|m| m.range()));
    (blank_out(text, &hidden), counts)
}

/// Inline code, links, and quoted strings of some length.
static INLINE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"`[^`\n]{1,200}`|\b(?:https?|file|ssh|git|sqlite)://[^\s<>"'）)]+|<[a-zA-Z][^<>\n]{0,120}>|"[^"\n]{24,}"|“[^”\n]{12,}”|「[^」\n]{12,}」|(?:^|\s)'[^'\n]{24,}'(?:\s|$|[,.])"#,
    )
});

static ERROR: LazyLock<Pattern> = LazyLock::new(|| {
    sign(
        r"(?x)^\s*(?:Traceback\ \(most|File\ \x22[^\x22]+\x22,\ line|at\ [\w.$<>\[\]/]+\ ?\(|at\ async\ |Caused\ by:|\.\.\.\ \d+\ more
          |(?:\w+\.)*\w*(?:Error|Exception|Warning|Panic)\b\ ?[:(]|error(?:\[\w+\])?:|warning:|fatal:|panic:|FATAL\b|ERROR\b|WARN\b|E\ {2,}\S|---\ FAIL|FAIL\b|npm\ (?:ERR|error|WARN)
          |[\w./\\-]+\.\w+:\d+(?::\d+)?:?\s|\[[A-Z]{4,}\w*[:\]]|thread\ '.*'\ panicked|\[?\d{4}-\d\d-\d\d[T\ ]\d\d:\d\d|\d\d:\d\d:\d\d[.,]?\d*\ |[EIWD]\ \(\d+\)|[EeWw]:\ (?:file:|/|[A-Z]:)|\[(?:ERROR|WARN|INFO|DEBUG|error|warning|info)\]|E/\w+|=+\ .*\ =+$|[-=]{8,}|>\ {5,}\S|\|\ |│|\s*\^+\s*$|\s*-->\ |exit\ (?:code|status)\b|Uncaught\ |\w+@[\w-]+:?[~/\w-]*[$\#%]\ |\$\ \w|➜\ |%\ \w+\ )",
    )
});

static CODE: LazyLock<Pattern> = LazyLock::new(|| {
    sign(
        r"(?x)^\s*(?:[{}\[\]();,]+\s*$|(?:import|const|let|var|fn|pub|func|return|if|for|while|public|private|class|package|use|using)\b.*[;{]\s*$|def\ \w+\(.*:\s*$
          |</?\w+[^>]*>|[\w.\[\]]+\s*=\s*\S+.*;\s*$|[+-]\ ?\s*\S.*[;{}]\s*$|@@|diff\ --git|[+-]{3}\ |\x22[\w-]+\x22:\s|[\w-]+:\s*\{|[^\t\n]+\t[^\t\n]+\t|[A-Z][A-Z\ .'-]{2,20}:\ |【[^】\n]+】\s*$|SELECT\b|INSERT\b|UPDATE\b|CREATE\b|[⏺⎿●]\ ?)",
    )
});

/// First person, imperative or second person: somebody speaks here.
static FRAME: LazyLock<Pattern> = LazyLock::new(|| {
    sign(r"(?i)\b(?:i|i'm|im|i'd|my|we|our|you|your|please|pls|can you|lets|let's|dont|don't)\b|我|咱|你|请|帮|麻烦|您")
});

/// What is looked for and cut out.
fn pattern(source: &str) -> Regex {
    #[expect(clippy::expect_used, reason = "a constant of this file, compiled by its tests")]
    let regex = Regex::new(&ascii(source)).expect("a valid pattern");
    regex
}

/// What tells of a line, wherever in it the sign stands.
fn sign(source: &str) -> Pattern {
    #[expect(clippy::expect_used, reason = "a constant of this file, compiled by its tests")]
    let pattern = Pattern::new(&ascii(source)).expect("a valid pattern");
    pattern
}

/// A header of a mail.
static MAIL: LazyLock<Pattern> =
    LazyLock::new(|| sign(r"^\s*(?:From|To|Subject|Date|Cc|Sent|发件人|收件人|主题|日期|抄送)\s?[:：]\s?\S"));

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    Speech,
    Quote,
    Error,
    Echo,
    Blank,
}

struct Line<'t> {
    span: Range<usize>,
    text: &'t str,
    what: What,
}

fn lines_of<'t>(text: &'t str, echoes: &[Range<usize>]) -> Vec<Line<'t>> {
    let mut start = 0;
    text.split_inclusive('\n')
        .map(|raw| {
            let span = start..start + raw.len();
            start = span.end;
            let line = raw.trim_end();
            let echoed = echoes.iter().any(|e| e.start <= span.start && span.start < e.end);
            let what = if line.trim().is_empty() {
                What::Blank
            } else if echoed {
                What::Echo
            } else {
                What::Speech
            };
            Line { span, text: line, what }
        })
        .collect()
}

fn mark_fences(lines: &mut [Line]) {
    let mut open: Option<&str> = None;
    for line in lines {
        let text = line.text.trim_start();
        let fence = ["```", "~~~"].into_iter().find(|f| text.starts_with(f));
        match (open, fence) {
            (None, Some(mark)) => {
                // A fence that closes on its own line is inline code.
                if text.len() < 6 || !text.trim_end().ends_with(mark) {
                    open = Some(mark);
                }
                line.what = What::Quote;
            }
            (Some(mark), _) => {
                line.what = What::Quote;
                if fence == Some(mark) {
                    open = None;
                }
            }
            (None, None) => {}
        }
    }
}

fn mark_lines(lines: &mut [Line]) {
    let mut in_trace = false;
    for line in lines {
        if line.what != What::Speech {
            in_trace &= line.what != What::Blank;
            continue;
        }
        if line.text.trim_start().starts_with("> ") || line.text.trim() == ">" {
            line.what = What::Quote;
        } else if ERROR.is_match(line.text) {
            line.what = What::Error;
            in_trace = true;
            continue;
        } else if CODE.is_match(line.text) {
            line.what = What::Quote;
        } else if in_trace && line.text.starts_with([' ', '\t']) {
            line.what = What::Error;
            continue;
        }
        in_trace = false;
    }
}

/// A block under a line that ends in a colon, when it is long, is the thing announced: a document, not speech.
fn mark_announced(lines: &mut [Line]) {
    for i in 0..lines.len() {
        if lines[i].what != What::Speech || !lines[i].text.trim_end().ends_with([':', '：']) {
            continue;
        }
        let mut end = i + 1;
        let mut count = 0;
        let mut blanks = 0;
        while let Some(line) = lines.get(end) {
            match line.what {
                // One blank line may stand between the announcement and its block, not within it.
                What::Blank if count > 0 => break,
                What::Blank if blanks > 0 => break,
                What::Blank => blanks += 1,
                _ => count += 1,
            }
            end += 1;
        }
        if count >= ANNOUNCED_LINES {
            for line in lines.iter_mut().take(end).skip(i + 1).filter(|l| l.what == What::Speech) {
                line.what = What::Quote;
            }
        }
    }
}

/// Two headers of a mail and all that follows are a mail.
fn mark_mail(lines: &mut [Line]) {
    let headers: Vec<usize> = (0..lines.len()).filter(|&i| MAIL.is_match(lines[i].text)).collect();
    if let [first, _, ..] = headers[..] {
        hide(lines, first);
    }
}

/// A text with headings is a document from its first heading on.
fn mark_chapters(lines: &mut [Line]) {
    let heading = |line: &Line| {
        line.what == What::Speech && line.text.starts_with('#') && line.text.trim_start_matches('#').starts_with(' ')
    };
    let first = (0..lines.len()).find(|&i| heading(&lines[i]));
    if let Some(first) = first
        && lines.len() - first > 4
    {
        hide(lines, first);
    }
}

fn hide(lines: &mut [Line], from: usize) {
    for line in lines.iter_mut().skip(from).filter(|l| l.what == What::Speech) {
        line.what = What::Quote;
    }
}

/// Chinese numerals in front of three lines and more are the articles of a requirement or a rule book.
fn mark_articles(lines: &mut [Line]) {
    let article = |line: &Line| {
        let text = line.text.trim_start();
        let rest = text.trim_start_matches(['一', '二', '三', '四', '五', '六', '七', '八', '九', '十']);
        line.what == What::Speech && rest.len() < text.len() && rest.starts_with('、')
    };
    if lines.iter().filter(|l| article(l)).count() >= 3 {
        for line in lines.iter_mut().filter(|l| article(l)) {
            line.what = What::Quote;
        }
    }
}

/// A long text in which hardly anybody speaks is a pasted document; its first line is kept, it may be the request.
fn mark_document(lines: &mut [Line]) {
    let spoken: Vec<usize> = (0..lines.len()).filter(|&i| lines[i].what == What::Speech).collect();
    if spoken.len() < DOCUMENT_LINES {
        return;
    }
    let framed = spoken.iter().filter(|&&i| FRAME.is_match(lines[i].text)).count();
    if framed * 5 < spoken.len() {
        for &i in spoken.iter().skip(1) {
            if !FRAME.is_match(lines[i].text) {
                lines[i].what = What::Quote;
            }
        }
    }
}

fn blank_out(text: &str, hidden: &[Range<usize>]) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for span in hidden {
        for byte in bytes.iter_mut().take(span.end).skip(span.start).filter(|b| **b != b'\n') {
            *byte = b' ';
        }
    }
    String::from_utf8(bytes).unwrap_or_default()
}

/// The lines of `text` that stand among `said` (folded lines of what the agent wrote before), as spans.
///
/// Short lines ("yes", "done") are everybody's; only lines of some length count.
#[must_use]
pub fn echoes(text: &str, said: &dyn Fn(&str) -> bool) -> Vec<Range<usize>> {
    let mut start = 0;
    let mut found = Vec::new();
    for raw in text.split_inclusive('\n') {
        let span = start..start + raw.len();
        start = span.end;
        if Some(plain_line(raw)).filter(|line| is_of_some_length(line)).is_some_and(said) {
            found.push(span);
        }
    }
    found
}

/// The lines of `text` that are long enough to be somebody's own, as they are compared when text is pasted back.
pub fn plain_lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').map(plain_line).filter(|line| is_of_some_length(line))
}

/// A line without its list marks and blanks.
fn plain_line(line: &str) -> &str {
    line.trim_matches(|c: char| c.is_whitespace() || matches!(c, '>' | '-' | '*' | '⏺' | '●'))
}

/// Whether a line has 24 characters, where a Chinese one counts for three.
fn is_of_some_length(line: &str) -> bool {
    let weight = || line.chars().map(|c| if is_han(c) { 3 } else { 1 }).sum::<usize>();
    // A character that counts for three takes three bytes, so fewer bytes are too few.
    line.len() >= 24 && weight() >= 24
}

#[cfg(test)]
mod tests {
    use super::*;

    fn speech(text: &str) -> String {
        mask(text, &[]).0.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn only_speech_is_left() {
        for (text, left) in [
            ("run it\n```\nnever push\n```\nthen stop", "run it then stop"),
            ("see `never` here", "see here"),
            ("they wrote:\n> always use TLS\nis that true", "they wrote: is that true"),
            (
                "crashes\nTraceback (most recent call last):\n  File \"a.py\", line 3, in f\nValueError: never",
                "crashes",
            ),
            ("see https://x.example/never/again ok", "see ok"),
            ("lint says\nsrc/a.rs:14:5: always use guards", "lint says"),
            ("fires\n[FIRING] never lags", "fires"),
            ("照这个改\n一、必须登录\n二、不得为空\n三、一律保留", "照这个改"),
            ("Translate into German: I live in Rome", "Translate into German:"),
            ("帮我润色一下：我在北京工作", "帮我润色一下："),
            (
                "memo for the staff, nicer English please:\n\nAlways knock. We never shout.",
                "memo for the staff, nicer English please:",
            ),
            ("下面这段缩成一句\n今后大家一律走侧门。", "下面这段缩成一句"),
            (
                "translate the menu into German\n\nand I never want the old names",
                "translate the menu into German and I never want the old names",
            ),
            ("three house rules:\n\nalways knock", "three house rules: always knock"),
            ("I said: use the small one", "I said: use the small one"),
            ("answer him\nFrom: Pat\nSubject: hi\nI always call first", "answer him"),
            ("does it fit\n# Style\n- long\n- never short\n- always dry\n- or wet", "does it fit"),
            ("MARA: I never lie.\nis that too much", "is that too much"),
            (
                "from the rules:\n\nA must do b.\nB never does c.\nC always does d.\nD does.\n\nis it so",
                "from the rules: is it so",
            ),
        ] {
            assert_eq!(speech(text), left, "{text}");
        }
    }

    #[test]
    fn masking_keeps_offsets() {
        let text = "中文 `代码` 再来";
        let (masked, _) = mask(text, &[]);
        assert_eq!(masked.len(), text.len());
        assert_eq!(masked.find("再来"), text.find("再来"));
    }

    #[test]
    fn a_long_text_in_which_nobody_speaks_is_a_document() {
        let document: String = (0..14).map(|i| format!("Rule {i} must always hold.\n")).collect();
        assert_eq!(speech(&document), "Rule 0 must always hold.");
        let spoken: String = (0..14).map(|i| format!("I want rule {i} to hold.\n")).collect();
        assert!(speech(&spoken).contains("rule 13"));
    }

    #[test]
    fn lines_the_agent_wrote_are_found() {
        let text = "You said:\n- I always add the header to every file\nwhy?";
        let spans = echoes(text, &|line| line == "I always add the header to every file");
        assert_eq!(spans.len(), 1);
        assert!(text.get(spans[0].clone()).unwrap().contains("header"));
    }
}
