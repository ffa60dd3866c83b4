//! The self-test of the rules: behind `afterword rules check` and behind the tests.

use std::collections::HashSet;

use super::compile::{Rules, Trigger};
use super::schema::{After, Example};
use crate::text::Speech;

/// Every fault of the rules, one sentence each: double ids, patterns that do not compile, examples that do not
/// fire, counter-examples that do, triggers without either, evidence without a reason.
#[must_use]
pub fn faults(rules: &Rules) -> Vec<String> {
    let mut faults = Vec::new();
    let mut ids = HashSet::new();
    for (index, trigger) in rules.triggers().iter().enumerate() {
        let id = &trigger.entry.id;
        if !ids.insert(id.as_str()) {
            faults.push(format!("{id}: this id stands twice (again in {})", trigger.origin));
        }
        faults.extend(trigger.faults());
        faults.extend(shape_faults(trigger));
        for example in trigger.entry.examples.iter().filter(|e| !fires(rules, index, e)) {
            faults.push(format!("{id}: does not fire on its example {:?}", example.parts().0));
        }
        for example in trigger.entry.counter.iter().filter(|e| fires(rules, index, e)) {
            faults.push(format!("{id}: fires on its counter-example {:?}", example.parts().0));
        }
    }
    let weights = rules.weights();
    for (question, model) in [
        ("correction", &weights.correction),
        ("confirmation", &weights.confirmation),
        ("statement", &weights.statement),
        ("lesson", &weights.lesson),
    ] {
        for (name, weight) in &model.evidence {
            if weight.reason.trim().is_empty() {
                faults.push(format!("weights.toml: {question}: {name} has no reason"));
            }
        }
    }
    faults
}

fn shape_faults(trigger: &Trigger) -> Vec<String> {
    let entry = &trigger.entry;
    let mut faults = Vec::new();
    let mut need = |missing: bool, what: &str| {
        if missing {
            faults.push(format!("{}: {what}", entry.id));
        }
    };
    need(entry.phrases.is_empty(), "has no phrases");
    need(entry.phrases.iter().any(|p| p.trim().is_empty()), "has an empty phrase");
    need(entry.examples.is_empty(), "has no examples");
    need(entry.counter.is_empty(), "has no counter-examples");
    need(entry.why.trim().is_empty(), "does not say why it is there");
    faults
}

fn fires(rules: &Rules, trigger: usize, example: &Example) -> bool {
    let (text, after) = example.parts();
    let speech = Speech::new(text, &[]);
    let before: Vec<After> = after.into_iter().collect();
    let side = rules.triggers()[trigger].side;
    rules.signals(&speech, side, &before).iter().any(|s| s.trigger == trigger)
}
