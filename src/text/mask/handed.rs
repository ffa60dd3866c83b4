//! Words that are handed over to be worked on: "translate: …", a memo under "put this in nicer English:", 下面这段发群里.
//! They are other people's, or a text to be; the person states nothing in them.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::super::pattern::Pattern;
use super::{Line, What, hide, pattern, sign};

/// A request to work on, or a report of, what stands behind the colon: not the person's own statement.
static CONTENT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?xi)\b(?:translate|rewrite|rephrase|reword|polish|proofread|summari[sz]e|reply|write|say|says|said|wrote|writes|mention|caption|title|text|message|mail|e-?mail|post|tweet|sentence|paragraph|quote)\b[^:\n.?!]{0,60}:\s
          |(?:润色|翻译|译成|改写|改成英文|回复|回他|写上|写成|写|文案|标题|短信|邮件|原话|说|回)[^：:\n。？！]{0,16}[：:]",
    )
});
/// The person's own words behind a colon.
static OWN_WORDS: LazyLock<Pattern> = LazyLock::new(|| {
    sign(
        r"(?i)\bi (?:\w+ )?(?:said|say|told|wrote|mean)\b|\b(?:rule|note|remember|reminder)\b|我说|我的意思|记住|规则|注意",
    )
});
/// A line that hands over the text below it.
static HANDS_OVER: LazyLock<Pattern> = LazyLock::new(|| {
    sign(
        r"(?xi)\b(?:translate|rewrite|rephrase|reword|polish|proofread|summari[sz]e|shorten|tidy\ up|into\ (?:english|german|french|spanish|chinese))\b
          |\b(?:here\ is|here's|heres|this\ is|text|memo|notice|letter|mail|e-?mail|message|bio|blurb|caption|abstract|announcement|post)\b[^.?!]*:\s*$
          |\b(?:wrote|sent\ (?:me|us)|got\ this|posted)\b[^.?!]*:\s*$
          |(?:下面|以下|底下)(?:这|這|是|的)|(?:帮我|幫我|麻烦|请|請)?(?:改写|改寫|润色|潤色|翻译|翻譯|翻成|译成|譯成|缩成|縮成|精简|精簡|转发|轉發|转群里|轉群裡|校对|校對)|(?:通知|公告|文案|邮件|郵件|短信|简讯|簡訊|原文|全文|正文|留言|评论|評論)[^。？！]{0,8}[:：]\s*$",
    )
});

/// A line that hands over a text hides all that stands below it, if it ends in a colon or (in Chinese) names the text
/// below.
pub(super) fn mark(lines: &mut [Line]) {
    let is_speech = |line: &Line| line.what == What::Speech;
    // What is marked as a quote below it is what it announces.
    let below = |i: usize| lines[i + 1..].iter().find(|line| line.what != What::Blank);
    let hands_over = |i: usize| {
        let text = lines[i].text.trim_end();
        let points = text.ends_with([':', '：']) || ["下面", "以下", "底下"].iter().any(|word| text.contains(word));
        is_speech(&lines[i])
            && below(i).is_some_and(is_speech)
            && points
            && HANDS_OVER.is_match(text)
            && !OWN_WORDS.is_match(text)
    };
    if let Some(cue) = (0..lines.len().saturating_sub(1)).find(|&i| hands_over(i)) {
        hide(lines, cue + 1);
    }
}

/// What a line announces on itself: "translate: …", "文案写：…".
pub(super) fn behind_the_colon(line: &Line) -> Option<Range<usize>> {
    if !line.text.contains([':', '：']) {
        return None;
    }
    let found = CONTENT.find(line.text)?;
    let lead = line.text.get(..found.end())?;
    (!OWN_WORDS.is_match(lead)).then(|| line.span.start + found.end()..line.span.end)
}
