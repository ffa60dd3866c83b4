//! Playbooks: `## When` the situation, `## What` to do, `## Why`.

use super::person::third_person;
use super::words::{WORDS, without_end, without_front};
use super::{Material, shorten};
use crate::detect::{Judgement, Said};
use crate::episode::{Episode, Phase};
use crate::memory::Confirmation;
use crate::rules::Act;
use crate::text::script::{is_chinese, is_han};
use crate::text::sentence::clauses;

/// A composed playbook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Playbook {
    /// The three sections.
    pub body: String,
    /// What the slug is made from.
    pub topic: String,
}

/// A correction of up to so many characters is kept whole; of a longer one only the sentences that teach.
const WHOLE_CHARS: usize = 400;
/// A situation is named in so many characters.
const WHEN_CHARS: usize = 90;

/// The playbook of an episode whose judgement `deciding` teaches; `None` where nothing sayable is left.
#[must_use]
pub fn compose(material: &Material, episode: &Episode, deciding: usize) -> Option<Playbook> {
    let judgement = &material.judgements[deciding];
    let what = what(material, judgement)?;
    let chinese = is_chinese(&what);
    let when = when(material, episode, chinese).unwrap_or_else(|| fallback(&what, chinese));
    let why = why(material, episode, deciding, chinese);
    Some(Playbook { body: format!("## When\n{when}\n\n## What\n{what}\n\n## Why\n{why}"), topic: what })
}

/// The playbook of a correction that the person accepted later, by its words alone.
#[must_use]
pub fn of_words(words: &str) -> String {
    let words = without_front(words.trim(), &[&WORDS.english.openers, &WORDS.chinese.openers]);
    let what = third_person(without_end(words, &[&WORDS.english.trailers, &WORDS.chinese.trailers]));
    let chinese = is_chinese(&what);
    let why = if chinese {
        "用户纠正过这一点，事后认可了这条记录。"
    } else {
        "The user corrected the agent on this, and accepted it in review."
    };
    format!("## When\n{}\n\n## What\n{what}\n\n## Why\n{why}", fallback(&what, chinese))
}

fn what(material: &Material, judgement: &Judgement) -> Option<String> {
    let turn = material.turn(judgement);
    let whole = turn.text.chars().count() <= WHOLE_CHARS;
    let teaches = |said: &&Said| whole || !said.acts.is_empty() || signalled(judgement, said);
    let sentences: Vec<String> = judgement
        .sentences
        .iter()
        .filter(|s| !turn.text.get(s.span.clone()).is_some_and(|t| t.trim_end().ends_with(['?', '？'])))
        .filter(teaches)
        .filter_map(|said| sentence(material, turn.text.get(said.span.clone())?))
        .take(5)
        .collect();
    let joint = if sentences.iter().any(|s| is_chinese(s)) { "" } else { " " };
    (!sentences.is_empty()).then(|| sentences.join(joint))
}

fn signalled(judgement: &Judgement, said: &Said) -> bool {
    let here = |s: &&crate::rules::Signal| said.span.start <= s.span.start && s.span.end <= said.span.end;
    judgement.signals.iter().filter(here).any(|s| matches!(s.act, Act::Rule | Act::Correction))
}

fn sentence(material: &Material, raw: &str) -> Option<String> {
    let clean = material.words(raw);
    if clean.contains("[redacted:") {
        return None;
    }
    let clean = without_front(&clean, &[&WORDS.english.openers, &WORDS.chinese.openers]);
    let clean = without_end(clean, &[&WORDS.english.trailers, &WORDS.chinese.trailers]);
    let clean = clean.split_whitespace().collect::<Vec<_>>().join(" ");
    let said = clean.chars().filter(|c| c.is_alphanumeric()).count();
    (said >= 3 && !is_opener(&clean)).then(|| third_person(&clean))
}

fn is_opener(text: &str) -> bool {
    let folded = crate::text::fold::fold(text);
    let bare = folded.trim_matches(|c: char| !c.is_alphanumeric());
    WORDS.english.openers.iter().chain(&WORDS.chinese.openers).any(|w| w == bare)
}

/// The situation: what the person had asked for when the agent went wrong, as a noun phrase.
fn when(material: &Material, episode: &Episode, chinese: bool) -> Option<String> {
    let &first = episode.corrections.first()?;
    let request = material.judgements.get(..first)?.iter().rev().take(4).find(|j| is_request(material, j))?;
    let text = material.words(&material.turn(request).text);
    let sentence = request.sentences.iter().find(|s| !s.question).or(request.sentences.first())?;
    let line = text.get(sentence.span.clone()).filter(|_| text.len() == material.turn(request).text.len())?;
    if is_chinese(line) != chinese {
        return None;
    }
    if chinese { situation_zh(line) } else { situation_en(line) }
}

fn is_request(material: &Material, judgement: &Judgement) -> bool {
    let text = &material.turn(judgement).text;
    !judgement.is(Act::Correction)
        && !judgement.is(Act::Confirmation)
        && !judgement.is(Act::Approval)
        && !judgement.sentences.is_empty()
        && text.chars().map(|c| if is_han(c) { 2 } else { 1 }).sum::<usize>() >= 8
}

fn situation_zh(line: &str) -> Option<String> {
    let line = without_front(line, &[&WORDS.chinese.openers]);
    let mut line = line;
    while let Some(rest) =
        WORDS.chinese.polite.iter().filter_map(|w| line.strip_prefix(w.as_str())).min_by_key(|r| r.len())
    {
        line = rest.trim_start();
    }
    let clause = clauses(line).into_iter().next().and_then(|c| line.get(c)).unwrap_or(line).trim();
    let clause = clause.trim_end_matches(['吧', '了', '啊', '呗', '。', '，', '！', ',', '.']);
    let clause = clause.split("的时候").next().unwrap_or(clause);
    let fits = (2..=WHEN_CHARS / 2).contains(&clause.chars().count()) && !clause.ends_with(['的', '时']);
    fits.then(|| format!("{}时。", super::person::third_person(clause).trim_end_matches(['。', '.'])))
}

fn situation_en(line: &str) -> Option<String> {
    let line = without_front(line, &[&WORDS.english.openers, &WORDS.english.polite]);
    let line = clauses(line).into_iter().next().and_then(|c| line.get(c)).unwrap_or(line).trim();
    let line = line.split(" and ").next().unwrap_or(line).trim().trim_end_matches(['.', '!', '?', ',']);
    let mut words = line.split_whitespace();
    let verb = words.next()?.to_lowercase();
    let rest: Vec<&str> = words.collect();
    let imperative = WORDS.english.verbs.contains(&verb);
    if !imperative || rest.is_empty() || line.chars().count() > WHEN_CHARS {
        return None;
    }
    let phrase = third_person(&format!("{} {}", gerund(&verb), rest.join(" ")));
    Some(phrase.replace("User's", "the user's"))
}

/// The -ing form of a verb.
fn gerund(verb: &str) -> String {
    let list = &WORDS.english;
    match verb.strip_suffix('e') {
        Some(stem) if verb.len() > 2 && !stem.ends_with(['e', 'o', 'y']) && verb != "be" => {
            format!("{stem}ing")
        }
        _ if list.doubling.iter().any(|v| v == verb) && !list.nodoubling.iter().any(|v| v == verb) => {
            let last = verb.chars().next_back().unwrap_or_default();
            format!("{verb}{last}ing")
        }
        _ => format!("{verb}ing"),
    }
}

/// Where no request names the situation, what the rule speaks of does: its names, else its first words.
fn fallback(what: &str, chinese: bool) -> String {
    let names: Vec<&str> = what
        .split(|c: char| c.is_whitespace() || is_han(c) || matches!(c, ',' | '，' | '。' | '(' | ')' | '"' | '“' | '”'))
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|word| {
            word.chars()
                .skip(1)
                .any(|c| matches!(c, '/' | '_' | '.' | '-') || c.is_ascii_uppercase() || c.is_ascii_digit())
        })
        .take(2)
        .collect();
    if !names.is_empty() {
        let names = names.join(if chinese { "、" } else { " and " });
        return if chinese { format!("涉及 {names} 时。") } else { format!("Work that involves {names}.") };
    }
    let first = clauses(what).into_iter().next().and_then(|c| what.get(c)).unwrap_or(what).trim();
    let plain: String = first.chars().filter(|c| !matches!(c, '"' | '“' | '”' | '「' | '」')).collect();
    let short: String = plain.chars().take(WHEN_CHARS / 2).collect();
    // Never in the middle of a word.
    let whole = plain.len() == short.len() || chinese;
    let topic = if whole { short.as_str() } else { short.rsplit_once(' ').map_or(short.as_str(), |(front, _)| front) };
    let topic = topic.trim_end_matches(['.', '。', '!', '！']);
    if chinese { format!("处理这类事情时：{topic}。") } else { format!("Work where this applies: {topic}.") }
}

/// The reason that was given, the earlier wordings, and what confirmed it.
fn why(material: &Material, episode: &Episode, deciding: usize, chinese: bool) -> String {
    let mut parts = Vec::new();
    let earlier: Vec<String> = episode
        .corrections
        .iter()
        .filter(|&&i| i != deciding)
        .map(|&i| format!("\"{}\"", shorten(material.words(&material.turn(&material.judgements[i]).text).trim())))
        .collect();
    let confirming =
        episode.confirmed_by.map(|i| shorten(material.words(&material.turn(&material.judgements[i]).text).trim()));
    if chinese {
        parts.push("用户纠正过这一点。".to_owned());
        if !earlier.is_empty() {
            parts.push(format!("相关的纠正：{}。", earlier.join("、")));
        }
        parts.push(match (episode.phase, confirming) {
            (Phase::Confirmed(Confirmation::Explicit), Some(words)) => {
                format!("改正后用户明确认可：{}", cited(&words, '。'))
            }
            _ => "改正后用户没有再提出异议。".to_owned(),
        });
        return parts.concat();
    }
    parts.push("The user corrected the agent on this.".to_owned());
    if !earlier.is_empty() {
        parts.push(format!("Also said about it: {}.", earlier.join(", ")));
    }
    parts.push(match (episode.phase, confirming) {
        (Phase::Confirmed(Confirmation::Explicit), Some(words)) => {
            format!("They approved of the result: {}", cited(&words, '.'))
        }
        _ => "They went on without objecting to the result.".to_owned(),
    });
    parts.join(" ")
}

/// Words in quotes at the end of a sentence, which ends once only.
fn cited(words: &str, stop: char) -> String {
    if words.ends_with(['.', '!', '?', '。', '！', '？', '…']) {
        format!("\"{words}\"")
    } else {
        format!("\"{words}\"{stop}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_becomes_a_situation() {
        for (request, situation) in [
            ("Write a commit message for the change and commit it.", Some("Writing a commit message for the change.")),
            ("can you please run the tests", Some("Running the tests.")),
            ("the page is broken", None),
            ("commit that", Some("Committing that.")),
            ("fig 3 from the last run", None),
        ] {
            assert_eq!(situation_en(request).as_deref(), situation, "{request}");
        }
        assert_eq!(situation_zh("帮我导出昨天的日报，发给我").as_deref(), Some("导出昨天的日报时。"));
        assert_eq!(situation_zh("失败的时候给个提示").as_deref(), Some("失败时。"));
        assert_eq!(situation_zh("按你说的").as_deref(), None);
    }
}
