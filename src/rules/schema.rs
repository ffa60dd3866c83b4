//! The rule files as people write them; `rules/README.md` explains every field.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What a turn does, or what a sentence shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Act {
    /// Something the agent did, said or planned is wrong, unwanted or incomplete.
    Correction,
    /// Finished work is approved.
    Confirmation,
    /// A plan or a choice is approved.
    Approval,
    /// Something the agent did is to be undone.
    Undo,
    /// A durable liking, style or way of working.
    Preference,
    /// A durable fact about the person or their world.
    Fact,
    /// A durable choice of tool, setting or place.
    Config,
    /// A durable prohibition or limit.
    Constraint,
    /// Something known is to be forgotten.
    Forget,
    /// A sign of a rule that holds beyond the moment.
    Rule,
    /// A sign of something that concerns only the task at hand.
    Moment,
    /// It tells the agent how the work is to be done.
    Instruction,
    /// It describes how things are.
    Description,
    /// A question.
    Question,
    /// Something supposed, wished, dictated or reported, not stated.
    Hypothetical,
    /// The agent admits or acknowledges a fault.
    Reaction,
    /// The agent claims that work is done.
    Claim,
    /// The agent says that something is otherwise now than it was.
    Revision,
    /// The agent hands over something new.
    Delivery,
    /// The agent asks, offers or proposes.
    Proposal,
    /// The agent reads back what it has understood, for the person to confirm.
    Readback,
}

impl Act {
    /// The acts of `DESIGN` section 2: what `trace` and `try classify` report.
    pub const REPORTED: [Self; 9] = [
        Self::Correction,
        Self::Confirmation,
        Self::Approval,
        Self::Undo,
        Self::Preference,
        Self::Fact,
        Self::Config,
        Self::Constraint,
        Self::Forget,
    ];

    /// The acts that state something durable.
    pub const DURABLE: [Self; 4] = [Self::Preference, Self::Fact, Self::Config, Self::Constraint];

    /// Whether the act states something durable.
    #[must_use]
    pub fn is_durable(self) -> bool {
        Self::DURABLE.contains(&self)
    }

    /// The word in rule files and in JSONL.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Correction => "correction",
            Self::Confirmation => "confirmation",
            Self::Approval => "approval",
            Self::Undo => "undo",
            Self::Preference => "preference",
            Self::Fact => "fact",
            Self::Config => "config",
            Self::Constraint => "constraint",
            Self::Forget => "forget",
            Self::Rule => "rule",
            Self::Moment => "moment",
            Self::Instruction => "instruction",
            Self::Description => "description",
            Self::Question => "question",
            Self::Hypothetical => "hypothetical",
            Self::Reaction => "reaction",
            Self::Claim => "claim",
            Self::Revision => "revision",
            Self::Delivery => "delivery",
            Self::Proposal => "proposal",
            Self::Readback => "readback",
        }
    }
}

/// Whose text a trigger reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The person's.
    #[default]
    Human,
    /// The agent's; evidence about the human turn beside it, never content.
    Agent,
}

/// Where the phrase has to stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Position {
    /// Within the first words of the turn (interjections such as "hm", "ok", "oh" do not count).
    Turn,
    /// Within the first words of a sentence.
    Sentence,
    /// Anywhere.
    #[default]
    Anywhere,
}

/// What the agent did before the turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum After {
    /// It ended with a question or an offer.
    Question,
    /// It acted: at least one tool call.
    Action,
    /// It claimed that something is done.
    Claim,
    /// It was interrupted, or its step was rejected.
    Interrupt,
    /// Nothing: the turn opens the session.
    Nothing,
}

/// A script that a rule file can ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Script {
    /// Chinese characters.
    Han,
}

/// One rule file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleFile {
    /// `en`, `zh`, `zh-pinyin`, or any other tag: only for people and for `rules list`.
    pub language: String,
    /// The script a sentence has to hold a character of, for files whose phrases are not all in it.
    pub script: Option<Script>,
    /// Act of the triggers that name none themselves.
    pub act: Act,
    /// Whose text they read.
    #[serde(default)]
    pub side: Side,
    /// The triggers.
    #[serde(default, rename = "trigger")]
    pub triggers: Vec<TriggerEntry>,
}

/// One trigger as written.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TriggerEntry {
    /// Unique, `<language>.<act>.<name>`.
    pub id: String,
    /// Overrides the file's act.
    pub act: Option<Act>,
    /// Literals, in any spelling: they are folded like the text. One of them must stand in the sentence.
    pub phrases: Vec<String>,
    /// Regex that has to match the folded sentence too.
    pub pattern: Option<String>,
    /// Regex that must not match the folded sentence.
    pub unless: Option<String>,
    /// Where the phrase has to stand.
    #[serde(default)]
    pub position: Position,
    /// Fires only if the agent did one of these before.
    #[serde(default)]
    pub after: Vec<After>,
    /// Never fires if the agent did one of these before.
    #[serde(default)]
    pub not_after: Vec<After>,
    /// What it adds to the score of its act, in log-odds: 1 is a hint, 2 is good evidence, 3 is nearly certain.
    pub strength: f32,
    /// Why it is there, and why it is guarded as it is.
    pub why: String,
    /// Sentences on which it fires.
    pub examples: Vec<Example>,
    /// Sentences on which it does not.
    pub counter: Vec<Example>,
}

/// An example: a text, or a text with what the agent did before.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Example {
    /// A text on its own.
    Text(String),
    /// A text after something the agent did.
    After {
        /// What the person says.
        text: String,
        /// What the agent did before.
        after: After,
    },
}

impl Example {
    /// What is said, and what the agent did before.
    #[must_use]
    pub fn parts(&self) -> (&str, Option<After>) {
        match self {
            Self::Text(text) => (text, None),
            Self::After { text, after } => (text, Some(*after)),
        }
    }
}

/// `rules/weights.toml`: how evidence adds up, one table per question that is asked.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    /// Does this turn correct the agent?
    pub correction: Model,
    /// Does this turn confirm finished work?
    pub confirmation: Model,
    /// Does this sentence state something durable?
    pub statement: Model,
    /// Does this correction teach something that a later session can use?
    pub lesson: Model,
    /// Does this lesson tell how to do the work (a playbook), or how things are (a profile)?
    pub procedure: Model,
}

/// One question's weights, in log-odds.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// The score with no evidence at all.
    pub bias: f32,
    /// The score from which the answer is yes.
    pub bar: f32,
    /// For statements and lessons: the score from which it is worth a memory.
    #[serde(default)]
    pub memory_bar: f32,
    /// What each named piece of evidence adds.
    pub evidence: BTreeMap<String, Weight>,
}

/// The weight of one piece of evidence, and why it counts.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weight {
    /// Log-odds.
    pub weight: f32,
    /// The reason, one sentence.
    pub reason: String,
}

impl Model {
    /// The weight of `name`; 0 for evidence that this question does not ask about.
    #[must_use]
    pub fn weight(&self, name: &str) -> f32 {
        self.evidence.get(name).map_or(0.0, |w| w.weight)
    }
}
