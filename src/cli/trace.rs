//! `trace`: for any turn, the triggers, the scores and the state of each episode.

use serde::Serialize;

use super::args::Trace;
use super::extract::{gather, nothing_there};
use super::report::{BAD, DOUBTFUL, FAINT, GOOD, Outcome, Report, STRONG, fit};
use super::settings::Settings;
use crate::detect::{Judgement, Score};
use crate::episode::{self, Episode, Phase, State};
use crate::error::Result;
use crate::pipeline::Studied;
use crate::rules::Act;
use crate::rules::schema::Model;
use crate::transcript::{Manner, Speaker, Turn};

/// One turn, as programs read it; `line`, `speaker` and `acts` are the contract.
#[derive(Serialize)]
struct TurnRecord<'a> {
    session: &'a str,
    line: u32,
    speaker: Speaker,
    manner: Manner,
    acts: &'a [Act],
    #[serde(skip_serializing_if = "Option::is_none")]
    judged: Option<Judged<'a>>,
}

#[derive(Serialize)]
struct Judged<'a> {
    triggers: Vec<Fired<'a>>,
    context: &'a [(&'static str, f32)],
    correction: &'a Score,
    confirmation: &'a Score,
    lesson: &'a Score,
    procedure: &'a Score,
    statements: Vec<Statement<'a>>,
    episodes: Vec<EpisodeState>,
}

#[derive(Serialize)]
struct Fired<'a> {
    id: &'a str,
    act: Act,
    strength: f32,
    quote: String,
}

#[derive(Serialize)]
struct Statement<'a> {
    quote: String,
    acts: &'a [Act],
    context: &'a [(&'static str, f32)],
    score: &'a Score,
}

/// An episode after a turn, told by source lines.
#[derive(Serialize)]
struct EpisodeState {
    corrections: Vec<u32>,
    phase: Phase,
}

pub(super) fn run(command: &Trace, settings: &Settings, report: &mut Report) -> Result<Outcome> {
    let learned = gather(&command.sources, settings);
    for studied in &learned.sessions {
        let states = states(studied);
        if !report.is_jsonl() {
            let session = &studied.session;
            report.line(&format!(
                "{STRONG}{} {}{STRONG:#} {FAINT}{}{FAINT:#}",
                session.host.name(),
                fit(&session.id, 60),
                fit(&session.source.display().to_string(), 200)
            ));
        }
        for (index, turn) in studied.session.turns.iter().enumerate() {
            if command.line.is_some_and(|l| l != turn.line) || report.is_closed() {
                continue;
            }
            let judgement =
                studied.judgements.iter().position(|j| j.turn == index).map(|i| (&studied.judgements[i], &states[i]));
            if report.is_jsonl() {
                report.json(&record(studied, turn, judgement, settings));
            } else {
                show(studied, turn, judgement, settings, report);
            }
        }
    }
    report.problems(&learned.problems);
    for error in &learned.errors {
        report.error(error);
    }
    Ok(if nothing_there(&learned) {
        Outcome::Nothing
    } else if learned.problems.is_empty() && learned.errors.is_empty() {
        Outcome::Done
    } else {
        Outcome::Problems
    })
}

/// The episodes as they stood after each human turn.
fn states(studied: &Studied) -> Vec<State> {
    let mut states = Vec::new();
    episode::run(&studied.session, &studied.judgements, |_, state| states.push(state.clone()));
    states
}

fn record<'a>(
    studied: &'a Studied,
    turn: &'a Turn,
    judgement: Option<(&'a Judgement, &State)>,
    settings: &'a Settings,
) -> TurnRecord<'a> {
    TurnRecord {
        session: &studied.session.id,
        line: turn.line,
        speaker: turn.speaker,
        manner: turn.manner,
        acts: judgement.map_or(&[], |(j, _)| j.acts.as_slice()),
        judged: judgement.map(|(j, state)| Judged {
            triggers: fired(j, turn, settings),
            context: &j.context.evidence,
            correction: &j.correction,
            confirmation: &j.confirmation,
            lesson: &j.lesson,
            procedure: &j.procedure,
            statements: j
                .sentences
                .iter()
                .map(|s| Statement {
                    quote: quote(turn.text.get(s.span.clone()).unwrap_or_default(), settings),
                    acts: &s.acts,
                    context: &s.evidence,
                    score: &s.statement,
                })
                .collect(),
            episodes: state.iter().map(|e| told(studied, e)).collect(),
        }),
    }
}

fn fired<'a>(judgement: &Judgement, turn: &Turn, settings: &'a Settings) -> Vec<Fired<'a>> {
    let triggers = settings.rules.triggers();
    judgement
        .signals
        .iter()
        .map(|s| Fired {
            id: &triggers[s.trigger].entry.id,
            act: s.act,
            strength: s.strength,
            quote: quote(turn.text.get(s.span.clone()).unwrap_or_default(), settings),
        })
        .collect()
}

fn told(studied: &Studied, episode: &Episode) -> EpisodeState {
    let line = |&i: &usize| studied.session.turns[studied.judgements[i].turn].line;
    EpisodeState { corrections: episode.corrections.iter().map(line).collect(), phase: episode.phase }
}

fn quote(text: &str, settings: &Settings) -> String {
    settings.redactor.clean(text).text.into_owned()
}

fn show(
    studied: &Studied,
    turn: &Turn,
    judgement: Option<(&Judgement, &State)>,
    settings: &Settings,
    report: &mut Report,
) {
    let text = fit(&quote(&turn.text, settings), 100);
    let who = match turn.speaker {
        Speaker::Human => "human",
        Speaker::Injected => "injected",
        Speaker::Agent => "agent",
        Speaker::Tool => "tool",
    };
    let Some((judgement, state)) = judgement else {
        report.line(&format!("{FAINT}{:>6} {who:8} {text}{FAINT:#}", turn.line));
        return;
    };
    report.line(&format!("{:>6} {STRONG}{who:8}{STRONG:#} {text}", turn.line));
    let acts: Vec<&str> = judgement.acts.iter().map(|a| a.word()).collect();
    let acts = if acts.is_empty() { "nothing to learn from".to_owned() } else { acts.join(", ") };
    report.line(&format!("       {GOOD}{acts}{GOOD:#}"));
    for f in fired(judgement, turn, settings) {
        report.line(&format!(
            "         {} {FAINT}{:+.1} for {}: “{}”{FAINT:#}",
            f.id,
            f.strength,
            f.act.word(),
            fit(&f.quote, 40)
        ));
    }
    let weights = settings.rules.weights();
    score("correction", &judgement.correction, &weights.correction, report);
    score("confirmation", &judgement.confirmation, &weights.confirmation, report);
    if judgement.is(Act::Correction) {
        score("lesson", &judgement.lesson, &Model { bar: weights.lesson.memory_bar, ..weights.lesson.clone() }, report);
        score("procedure", &judgement.procedure, &weights.procedure, report);
    }
    for said in judgement.sentences.iter().filter(|s| !s.acts.is_empty()) {
        let words = fit(&quote(turn.text.get(said.span.clone()).unwrap_or_default(), settings), 60);
        report.line(&format!("         {FAINT}states?{FAINT:#} “{words}”"));
        score(
            "statement",
            &said.statement,
            &Model { bar: weights.statement.memory_bar, ..weights.statement.clone() },
            report,
        );
    }
    for episode in state {
        let EpisodeState { corrections, phase } = told(studied, episode);
        let lines: Vec<String> = corrections.iter().map(u32::to_string).collect();
        report.line(&format!(
            "         {DOUBTFUL}episode of line {}{DOUBTFUL:#}: {}",
            lines.join(", "),
            phase_word(phase)
        ));
    }
}

fn score(name: &str, score: &Score, model: &Model, report: &mut Report) {
    if score.parts.is_empty() {
        return;
    }
    let parts: Vec<String> = score.parts.iter().map(|p| format!("{} {:+.1}", p.name, p.weight)).collect();
    let (style, verdict) = if score.total > model.bar { (GOOD, "yes") } else { (BAD, "no") };
    report.line(&format!(
        "         {name}: {style}{verdict}{style:#} {:.2} (bar {:.1}) {FAINT}= {:.1} {}{FAINT:#}",
        score.total,
        model.bar,
        model.bias,
        parts.join(" ")
    ));
}

fn phase_word(phase: Phase) -> String {
    match phase {
        Phase::Corrected => "corrected, not yet adjusted".into(),
        Phase::Adjusted => "adjusted, not yet confirmed".into(),
        Phase::Quiet(n) => format!("adjusted, {n} quiet turn since"),
        Phase::Confirmed(how) => format!(
            "confirmed ({})",
            if how == crate::memory::Confirmation::Explicit { "explicit" } else { "implicit" }
        ),
        Phase::Abandoned => "abandoned".into(),
        Phase::Unconfirmed => "unconfirmed".into(),
    }
}
