//! What a session held that did not become a memory, and why.

use std::collections::HashSet;

use serde::Serialize;

use super::super::report::{DOUBTFUL, Report, fit};
use super::super::settings::Settings;
use crate::detect::{Judgement, Score};
use crate::memory::Intent;
use crate::pipeline::Studied;
use crate::rules::Act;
use crate::transcript::{Manner, Speaker, Turn};

/// A turn that taught nothing although something in it asked for a look.
#[derive(Serialize)]
pub(super) struct LeftOut {
    session: String,
    line: u32,
    why: String,
    quote: String,
}

impl LeftOut {
    pub(super) fn tell(&self, report: &mut Report) {
        if report.is_jsonl() {
            report.json(&serde_json::json!({ "left_out": self }));
            return;
        }
        let quote = fit(&self.quote, 90);
        report.line(&format!("{:>4}  “{quote}”", self.line));
        report.line(&format!("      {DOUBTFUL}{}{DOUBTFUL:#}", self.why));
    }
}

/// The turns that no person typed, that hold a secret, or whose evidence spoke against a memory.
pub(super) fn left_out(studied: &Studied, settings: &Settings) -> Vec<LeftOut> {
    let kept: HashSet<u32> = studied
        .candidates
        .iter()
        .filter(|c| c.intent == Intent::Keep)
        .flat_map(|c| c.evidence.iter().map(|e| e.line))
        .collect();
    let session = &studied.session;
    let judgement_of = |index| studied.judgements.iter().find(|j| j.turn == index);
    session
        .turns
        .iter()
        .enumerate()
        .filter(|(_, turn)| !kept.contains(&turn.line))
        .filter_map(|(index, turn)| {
            let why = why(turn, judgement_of(index), settings)?;
            Some(LeftOut {
                session: session.id.clone(),
                line: turn.line,
                why,
                quote: settings.redactor.clean(&turn.text).text.into_owned(),
            })
        })
        .collect()
}

fn why(turn: &Turn, judgement: Option<&Judgement>, settings: &Settings) -> Option<String> {
    if turn.speaker == Speaker::Injected && turn.manner == Manner::Plain {
        return Some("No person typed this: the host put it in the person's place.".into());
    }
    let judgement = judgement?;
    if let Some((_, kind)) = turn.text.split_once("[redacted:") {
        let kind = kind.split(']').next().unwrap_or_default();
        return Some(format!("It holds a secret ({kind}), which is never written anywhere."));
    }
    let triggers = settings.rules.triggers();
    let supposed = judgement.signals.iter().find(|s| s.act == Act::Hypothetical);
    if let Some(signal) = supposed {
        let id = &triggers[signal.trigger].entry.id;
        return Some(format!("It is supposed, not stated ({id})."));
    }
    // Only sentences that sounded like something to keep are worth a word.
    judgement.sentences.iter().filter(|said| !said.acts.is_empty()).find_map(|said| against(&said.statement, settings))
}

/// The reason of the evidence that weighed most against it.
fn against(score: &Score, settings: &Settings) -> Option<String> {
    let heaviest = score.parts.iter().filter(|part| part.weight < 0.0).min_by(|a, b| a.weight.total_cmp(&b.weight))?;
    let weights = settings.rules.weights();
    if let Some(evidence) = weights.statement.evidence.get(&heaviest.name) {
        return Some(evidence.reason.clone());
    }
    let triggers = settings.rules.triggers().iter();
    triggers.map(|trigger| &trigger.entry).find(|entry| entry.id == heaviest.name).map(|entry| entry.why.clone())
}
