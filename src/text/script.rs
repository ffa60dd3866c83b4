//! Which script a text is written in, as far as it decides how to read and to answer it.

/// Whether `c` is a Chinese character.
#[must_use]
pub fn is_han(c: char) -> bool {
    matches!(c, '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{2ebef}')
}

/// Whether a text reads as Chinese: at least one Han character for every twelve letters of other scripts.
///
/// Chinese speech about software is full of Latin names, so a small share of Han decides.
#[must_use]
pub fn is_chinese(text: &str) -> bool {
    let han = text.chars().filter(|&c| is_han(c)).count();
    let other = text.chars().filter(|&c| c.is_alphabetic() && !is_han(c)).count();
    han > 0 && han * 12 >= other
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chinese_sentence_may_be_full_of_latin_names() {
        assert!(is_chinese("这个仓库用 pnpm workspace 管理依赖"));
        assert!(!is_chinese("translate the word 你好 and put it into the title of the page for everybody to see"));
        assert!(!is_chinese("plain english"));
    }
}
