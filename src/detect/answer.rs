//! Elliptical answers: "helsinki" is a fact once the agent has asked "Which timezone should I use for you?".
//!
//! The question gives the subject; which subjects stay true beyond the task is data (`rules/answers.toml`).
//! A numbered answer belongs to the question of the same number.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::rules::Act;
use crate::text::fold::fold;
use crate::text::sentence::{Sentence, sentences};

/// A subject that an answer can have.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Subject {
    asked: Vec<String>,
    /// How it is called in a memory.
    pub name: String,
    /// What sort of statement the answer is.
    #[serde(rename = "class")]
    pub act: Act,
}

#[derive(Debug, Default, Deserialize)]
struct Subjects {
    subject: Vec<Subject>,
}

static SUBJECTS: LazyLock<Vec<Subject>> =
    LazyLock::new(|| toml::from_str::<Subjects>(include_str!("../../rules/answers.toml")).unwrap_or_default().subject);

/// A longer sentence has a subject of its own.
const ELLIPTICAL_CHARS: usize = 90;

/// The subject of an answer: what `question` (the end of the agent's text) asked for, if that is something lasting.
#[must_use]
pub fn subject(question: &str, answer: &Sentence, text: &str) -> Option<&'static Subject> {
    let folded = fold(text);
    if text.chars().count() > ELLIPTICAL_CHARS || answer.question || says_nothing(&folded) {
        return None;
    }
    let asked = sentences(question);
    let of = |s: &Sentence| {
        let question = fold(question.get(s.span.clone()).unwrap_or_default());
        SUBJECTS.iter().find(|subject| subject.asked.iter().any(|noun| question.contains(noun)))
    };
    match answer.item {
        Some(number) => asked.iter().filter(|s| s.item == Some(number)).find_map(of),
        None => asked.iter().rev().filter(|s| s.question).take(1).find_map(of),
    }
}

/// Whether an answer only agrees, refuses, puts off or picks a number.
fn says_nothing(folded: &str) -> bool {
    const EMPTY: &[&str] = &[
        "yes",
        "no",
        "yep",
        "nope",
        "ok",
        "okay",
        "sure",
        "not yet",
        "later",
        "none",
        "any",
        "whatever",
        "dont care",
        "doesnt matter",
        "you choose",
        "up to you",
        "好",
        "好的",
        "是",
        "不是",
        "不用",
        "随便",
        "都行",
        "可以",
        "没有",
        "以后再说",
    ];
    let bare = folded.trim_matches(|c: char| !c.is_alphanumeric());
    bare.chars().count() < 2
        || EMPTY.contains(&bare)
        || ["not sure", "dont know", "no idea", "不知道", "what ", "why "].iter().any(|w| bare.starts_with(w))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(question: &str, answer: &str) -> Option<&'static str> {
        let sentence = &sentences(answer)[0];
        subject(question, sentence, answer.get(sentence.span.clone()).unwrap()).map(|s| s.name.as_str())
    }

    #[test]
    fn the_question_gives_the_subject() {
        for (question, answer, expected) in [
            ("Sure. Which timezone should I use?", "lisbon", Some("timezone")),
            ("Which timezone should I use?", "not sure", None),
            ("Which colour should it have?", "red", None),
            ("1. How many?\n2. Which storage class?", "2) fast-ssd", Some("storage class")),
            ("1. How many?\n2. Which storage class?", "1) three", None),
            ("请问您在哪个时区？", "北京", Some("时区")),
            ("Which timezone is it? I can also guess it from the log. Shall I?", "go on", None),
        ] {
            assert_eq!(name(question, answer), expected, "{question} {answer}");
        }
    }
}
