//! Where the headings of a markdown file really stand: not in code, comments, front matter, quotes or lists.
//!
//! `pulldown-cmark` reads the file; this keeps of it only what is needed to cut at whole lines.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag};

/// The mark that some editors put in front of UTF-8.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// A heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Heading {
    /// 1 for the title to 6.
    pub(super) level: u8,
    /// Its words, without marks.
    pub(super) text: String,
    /// The bytes of its lines, the last line end included.
    pub(super) span: Range<usize>,
    /// Whether it stands in a quote or a list.
    pub(super) is_nested: bool,
}

/// The headings of a file, and what hides text from readers of markdown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Outline {
    /// In the order of the file.
    pub(super) headings: Vec<Heading>,
    /// Code, raw HTML and front matter, by bytes, in the order of the file.
    pub(super) hidden: Vec<Range<usize>>,
    /// Where code or a comment begins that never ends.
    pub(super) unclosed: Option<usize>,
}

impl Outline {
    /// Reads `text`.
    pub(super) fn new(text: &str) -> Self {
        let bare = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        let offset = text.len() - bare.len();
        let mut outline = Self::default();
        let mut depth = 0_usize;
        let mut heading: Option<Heading> = None;
        for (event, span) in Parser::new_ext(bare, Options::ENABLE_YAML_STYLE_METADATA_BLOCKS).into_offset_iter() {
            let span = span.start + offset..span.end + offset;
            match event {
                Event::Start(Tag::BlockQuote(_) | Tag::List(_) | Tag::Item) => depth += 1,
                Event::End(end) if is_container(end) => depth = depth.saturating_sub(1),
                Event::Start(Tag::Heading { level, .. }) => {
                    let span = whole_lines(text, span);
                    heading = Some(Heading { level: number(level), text: String::new(), span, is_nested: depth > 0 });
                }
                Event::End(pulldown_cmark::TagEnd::Heading(_)) => outline.headings.extend(heading.take()),
                Event::Text(words) | Event::Code(words) => {
                    if let Some(heading) = &mut heading {
                        heading.text.push_str(&words);
                    }
                }
                Event::Start(Tag::CodeBlock(kind)) => {
                    let is_open = matches!(kind, CodeBlockKind::Fenced(_)) && is_open_fence(text, &span);
                    outline.hide(text, span, is_open && depth == 0);
                }
                Event::Start(Tag::HtmlBlock) => {
                    let is_open = is_open_html(text, &span);
                    outline.hide(text, span, is_open && depth == 0);
                }
                Event::Start(Tag::MetadataBlock(_)) => outline.hide(text, span, false),
                _ => {}
            }
        }
        outline
    }

    fn hide(&mut self, text: &str, span: Range<usize>, is_open: bool) {
        let lines = whole_lines(text, span);
        if is_open {
            self.unclosed.get_or_insert(lines.start);
        }
        self.hidden.push(lines);
    }

    /// Whether the byte lies in code, raw HTML or front matter.
    pub(super) fn is_hidden(&self, at: usize) -> bool {
        self.hidden.iter().any(|span| span.contains(&at))
    }

    /// Where the section of a heading ends: at the next one of its rank or above that stands by itself, else at the end
    /// of the file.
    pub(super) fn section_end(&self, heading: &Heading, text: &str) -> usize {
        self.headings
            .iter()
            .find(|other| other.span.start >= heading.span.end && !other.is_nested && other.level <= heading.level)
            .map_or(text.len(), |other| other.span.start)
    }
}

/// The 1-based number of the line that holds a byte.
pub(super) fn line_number(text: &str, at: usize) -> u32 {
    let breaks = text.bytes().take(at).filter(|&byte| byte == b'\n').count();
    u32::try_from(breaks + 1).unwrap_or(u32::MAX)
}

fn is_container(end: pulldown_cmark::TagEnd) -> bool {
    use pulldown_cmark::TagEnd;
    matches!(end, TagEnd::BlockQuote(_) | TagEnd::List(_) | TagEnd::Item)
}

fn number(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

/// The span from the beginning of its first line to the end of its last one.
fn whole_lines(text: &str, span: Range<usize>) -> Range<usize> {
    let bytes = text.as_bytes();
    let start = bytes.iter().take(span.start).rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let ends = span.end > start && bytes.get(span.end - 1) == Some(&b'\n');
    let rest = || bytes.iter().skip(span.end).position(|&byte| byte == b'\n');
    let end = if ends { span.end } else { rest().map_or(bytes.len(), |more| span.end + more + 1) };
    start..end
}

/// Whether code goes on to the end of the file because nothing closes it.
fn is_open_fence(text: &str, span: &Range<usize>) -> bool {
    let block = text.get(span.clone()).unwrap_or_default();
    let mut lines = block.trim_end().lines();
    let fence = |line: &str| line.trim().chars().next().filter(|mark| matches!(mark, '`' | '~'));
    let length = |line: &str, mark: char| line.trim().chars().take_while(|&c| c == mark).count();
    let Some(first) = lines.next() else { return false };
    let Some(mark) = fence(first) else { return false };
    let closes = |line: &str| line.trim().chars().all(|c| c == mark) && length(line, mark) >= length(first, mark);
    !lines.next_back().is_some_and(closes)
}

/// Whether raw HTML goes on to the end of the file because nothing closes it.
fn is_open_html(text: &str, span: &Range<usize>) -> bool {
    let block = text.get(span.clone()).unwrap_or_default().trim_start().to_ascii_lowercase();
    let pairs = [
        ("<!--", "-->"),
        ("<?", "?>"),
        ("<![cdata[", "]]>"),
        ("<script", "</script>"),
        ("<pre", "</pre>"),
        ("<style", "</style>"),
        ("<textarea", "</textarea>"),
    ];
    pairs.iter().any(|(opens, closes)| block.starts_with(opens) && !block.contains(closes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headings(text: &str) -> Vec<(u8, String, u32)> {
        let outline = Outline::new(text);
        let told = |h: Heading| (h.level, h.text, line_number(text, h.span.start));
        outline.headings.into_iter().filter(|h| !h.is_nested).map(told).collect()
    }

    #[test]
    fn headings_in_code_comments_and_front_matter_are_none() {
        let text = "---\n# a: b\n---\n# One\n```\n# two\n```\n<!--\n# three\n-->\n    # four\n\n<pre>\n# five\n</pre>\n\nSix\n---\n> # seven\n";
        assert_eq!(headings(text), [(1, "One".into(), 4), (2, "Six".into(), 17)]);
    }

    #[test]
    fn what_is_never_closed_is_told() {
        for (text, open) in [
            ("# a\n```\nb\n", Some(4)),
            ("# a\n```\nb\n```\n", None),
            ("# a\n````\nb\n```", Some(4)),
            ("~~~\nb\n~~~~", None),
            ("a\n\n<!-- b\n\nc", Some(3)),
            ("<!-- b -->\nc", None),
            ("> ```\n> a\n\nb", None),
        ] {
            assert_eq!(Outline::new(text).unclosed, open, "{text:?}");
        }
    }

    #[test]
    fn a_byte_order_mark_hides_no_heading() {
        let outline = Outline::new("\u{feff}# A\r\n\r\nb\r\n");
        assert_eq!(outline.headings.len(), 1);
        assert_eq!(outline.headings[0].span, 0..8);
    }
}
