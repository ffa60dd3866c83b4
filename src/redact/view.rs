//! The same text as a reader sees it: full-width and other compatibility forms of letters and digits as ASCII.
//!
//! `ｇｈｐ＿…` is pasted as easily as `ghp_…` where an input method is on. Rules are written for ASCII, so they run
//! on this view too, and what they find is brought back to the text by its offsets.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;

/// Text with compatibility forms folded, and where each of its bytes came from.
#[derive(Debug)]
pub(super) struct View {
    pub(super) text: String,
    /// `origin[i]` is the offset of the character that byte `i` came from; one more entry closes the last span.
    origin: Vec<usize>,
}

impl View {
    /// The view of `text`, or `None` where no letter or digit in it is folded: most text.
    pub(super) fn of(text: &str) -> Option<Self> {
        if text.is_ascii() || !text.chars().any(|c| folded(c).is_some_and(|c| c.is_ascii_alphanumeric())) {
            return None;
        }
        let mut view =
            Self { text: String::with_capacity(text.len()), origin: Vec::with_capacity(text.len().saturating_add(1)) };
        for (offset, c) in text.char_indices() {
            view.text.push(folded(c).unwrap_or(c));
            view.origin.resize(view.text.len(), offset);
        }
        view.origin.push(text.len());
        Some(view)
    }

    /// The span of the text that a span of the view came from.
    pub(super) fn original(&self, span: &Range<usize>) -> Option<Range<usize>> {
        Some(*self.origin.get(span.start)?..*self.origin.get(span.end)?)
    }
}

/// The ASCII character that `c` is a form of. The marks of Chinese sentences (，：；！？ and round brackets) stay:
/// there they end what is said.
fn folded(c: char) -> Option<char> {
    if c.is_ascii() || matches!(c, '，' | '：' | '；' | '！' | '？' | '（' | '）') {
        return None;
    }
    let mut forms = c.nfkc();
    let form = forms.next().filter(char::is_ascii)?;
    let wide = ('\u{ff01}'..='\u{ff5e}').contains(&c) || c == '\u{3000}';
    (forms.next().is_none() && (wide || form.is_ascii_alphanumeric())).then_some(form)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_come_back_to_the_text() {
        let text = "是ｇｈ＿1，好";
        let view = View::of(text).unwrap();
        assert_eq!(view.text, "是gh_1，好");
        assert_eq!(view.original(&(3..7)).and_then(|span| text.get(span)), Some("ｇｈ＿1"));
    }

    #[test]
    fn ordinary_text_has_no_view() {
        for text in ["plain", "密码不对！（真的）", "a … b ｜ c", "naïve café"] {
            assert!(View::of(text).is_none(), "{text}");
        }
    }
}
