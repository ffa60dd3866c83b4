//! A score: named parts that add up, so that it can be explained.

use serde::Serialize;

use crate::rules::Signal;
use crate::rules::schema::Model;

/// A sum of named evidence, in log-odds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Score {
    /// The sum.
    pub total: f32,
    /// What it is made of, in the order in which it was added.
    pub parts: Vec<Part>,
}

/// One piece of evidence and what it adds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Part {
    /// The trigger's id, or the name in `rules/weights.toml`.
    pub name: String,
    /// What it adds, in log-odds.
    pub weight: f32,
}

impl Score {
    /// The score with no evidence.
    #[must_use]
    pub fn new(model: &Model) -> Self {
        Self { total: model.bias, parts: Vec::new() }
    }

    /// Whether it clears the model's bar.
    #[must_use]
    pub fn passes(&self, model: &Model) -> bool {
        self.total > model.bar
    }

    /// Adds triggers, each once however often it fired.
    #[must_use]
    pub fn signals<'s>(self, signals: impl Iterator<Item = &'s Signal>, name: impl Fn(&Signal) -> String) -> Self {
        self.capped(signals, name, 1.0, f32::INFINITY)
    }

    /// Adds triggers, each once, times `sign`, until together they have added `cap`.
    #[must_use]
    pub fn capped<'s>(
        mut self,
        signals: impl Iterator<Item = &'s Signal>,
        name: impl Fn(&Signal) -> String,
        sign: f32,
        cap: f32,
    ) -> Self {
        let mut seen = Vec::new();
        let mut sum = 0.0;
        for signal in signals {
            if seen.contains(&signal.trigger) || sum >= cap {
                continue;
            }
            seen.push(signal.trigger);
            let strength = signal.strength.min(cap - sum);
            sum += strength;
            self.add(name(signal), strength * sign);
        }
        self
    }

    /// Adds named evidence with the model's weights; `amount` scales the weight (1 for what is simply there).
    #[must_use]
    pub fn evidence(mut self, model: &Model, evidence: &[(&'static str, f32)]) -> Self {
        for &(name, amount) in evidence {
            let weight = model.weight(name) * amount;
            if weight != 0.0 {
                self.add(name.to_owned(), weight);
            }
        }
        self
    }

    fn add(&mut self, name: String, weight: f32) {
        self.total += weight;
        self.parts.push(Part { name, weight });
    }
}
