//! Where a sentence really begins: behind interjections, which say nothing.

use super::compile::is_word;

/// Words that open a sentence without saying anything, folded.
const INTERJECTIONS: &[&str] = &[
    "hm",
    "hmm",
    "hmmm",
    "mm",
    "uh",
    "uhh",
    "uhhh",
    "uhm",
    "um",
    "oh",
    "ah",
    "ok",
    "okay",
    "k",
    "well",
    "so",
    "lol",
    "haha",
    "wait",
    "sorry",
    "hey",
    "hi",
    "man",
    "dude",
    "bro",
    "jeez",
    "ugh",
    "argh",
    "btw",
    "and",
    "yeah",
    "yea",
    "yep",
    "wow",
    "omg",
    "omfg",
    "also",
    "please",
    "pls",
    "nice",
    "right",
    "啊",
    "嗯",
    "哦",
    "噢",
    "呃",
    "额",
    "诶",
    "哎",
    "唉",
    "那个",
    "对了",
    "等等",
    "等下",
    "等一下",
    "好的",
    "好吧",
    "好",
    "行",
    "还有",
    "另外",
    "咦",
    "喂",
    "欸",
];

/// The byte offset at which a folded sentence really begins, behind interjections and punctuation.
pub(super) fn opening(text: &str) -> usize {
    let mut at = 0;
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let skipped = rest.len() - rest.trim_start_matches(is_loose).len();
        let word = text.get(at + skipped..).unwrap_or_default();
        let longest = INTERJECTIONS.iter().filter(|w| begins_with(word, w)).max_by_key(|w| w.len());
        let Some(found) = longest else {
            return at + skipped;
        };
        at += skipped + found.len();
    }
}

fn is_loose(c: char) -> bool {
    c.is_whitespace() || c.is_ascii_punctuation() || matches!(c, '，' | '…')
}

fn begins_with(text: &str, word: &str) -> bool {
    text.strip_prefix(word).is_some_and(|rest| !word.is_ascii() || !rest.starts_with(is_word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interjections_do_not_open_a_sentence() {
        for (text, opens) in
            [("hm ok, no", "no"), ("no way", "no way"), ("啊 不对", "不对"), ("oklahoma", "oklahoma"), ("ok", "")]
        {
            assert_eq!(text.get(opening(text)..), Some(opens), "{text}");
        }
    }
}
