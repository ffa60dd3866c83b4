//! The self-test of the rules, behind `afterword rules check` and the test suite.

use std::collections::HashSet;

use super::Redactor;
use super::rule::Rule;
use super::sample;

/// Every fault of the rules, one sentence each.
pub(super) fn faults(redactor: &Redactor) -> Vec<String> {
    let mut faults = Vec::new();
    let mut seen = HashSet::new();
    for (index, rule) in redactor.rules.iter().enumerate() {
        let id = &rule.written.id;
        if !seen.insert(id) {
            faults.push(format!("rule {id}: its id is used twice"));
        }
        if let Err(fault) = rule.compiled() {
            faults.push(fault);
            continue;
        }
        faults.extend(rule_faults(redactor, index, rule));
    }
    faults
}

fn rule_faults(redactor: &Redactor, index: usize, rule: &Rule) -> Vec<String> {
    let id = &rule.written.id;
    let fires = |example: &String| {
        let text = sample::fill(example);
        redactor.fires(index, &text)
    };
    let mut faults = Vec::new();
    if rule.written.examples.is_empty() {
        faults.push(format!("rule {id}: it has no example"));
    }
    for example in rule.written.examples.iter().filter(|e| !fires(e)) {
        faults.push(format!("rule {id}: does not fire on its example `{example}`"));
    }
    for counter in rule.written.counter.iter().filter(|c| fires(c)) {
        faults.push(format!("rule {id}: fires on its counter-example `{counter}`"));
    }
    faults
}
