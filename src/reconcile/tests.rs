//! Table tests for comparing, and the law behind the index.

use proptest::prelude::*;

use super::Comparison::{Distinct, Duplicate, Supersede};
use super::*;

#[test]
fn the_shared_pairs() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/cases/pairs.jsonl");
    let Ok(text) = std::fs::read_to_string(path) else {
        println!("skipped: {path} is not there");
        return;
    };
    let (mut right, mut total) = (0, 0);
    for line in text.lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let got = compare(case["existing"].as_str().unwrap(), case["new"].as_str().unwrap());
        let got = serde_json::to_value(got).unwrap();
        total += 1;
        if got == case["expect"] {
            right += 1;
        } else {
            println!("{}: {got}, not {}", case["id"], case["expect"]);
        }
    }
    println!("{right} of {total} pairs");
    assert!(right * 22 >= total * 20, "{right} of {total}");
}

#[test]
fn the_table_of_pairs() {
    let mut wrong = Vec::new();
    for line in include_str!("pairs.txt").lines().filter(|line| !line.starts_with('#')) {
        let [verdict, old, new] = line.split('|').map(str::trim).collect::<Vec<_>>()[..] else {
            panic!("not a pair: {line}");
        };
        let expected = match verdict {
            "=" => Duplicate,
            ">" => Supersede,
            _ => Distinct,
        };
        let got = compare(old, new);
        if got != expected {
            let (old, new) = (Reading::new(old), Reading::new(new));
            wrong.push(format!("{line}: {got:?}\n  {old:?}\n  {new:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(compare("", ""), Distinct);
}

#[test]
fn playbooks_are_compared_by_rule_and_situation() {
    let playbook =
        |when: &str, what: &str| format!("## When\n{when}\n\n## What\n{what}\n\n## Why\nUser corrected this ({when}).");
    for (old, new, expected) in [
        (("Composing a commit message.", "Keep it short."), ("Writing commit messages.", "Keep it short."), Duplicate),
        (("Composing a commit message.", "Keep it short."), ("Drawing a chart.", "Keep it short."), Distinct),
        (
            ("Composing a commit message.", "Keep it short."),
            ("Composing a commit message.", "Keep it detailed."),
            Supersede,
        ),
        (
            ("Installing packages.", "DO: use pnpm.\nDON'T: use npm."),
            ("Running the tests.", "Use pnpm, not npm."),
            Duplicate,
        ),
        (("Installing packages.", "- Use npm."), ("Installing packages.", "- Don't use npm."), Supersede),
    ] {
        assert_eq!(compare(&playbook(old.0, old.1), &playbook(new.0, new.1)), expected, "{old:?} {new:?}");
    }
}

proptest! {
    /// The law behind [`index::Index`]: what shares no key is distinct by the rules themselves, not only by the
    /// question that [`judge::judge`] asks first.
    #[test]
    fn pruning_drops_only_what_is_distinct(one in statement(), other in statement()) {
        let (one, other) = (Reading::new(&one), Reading::new(&other));
        if judge::judge_related(&one, &other) != Distinct {
            prop_assert!(!index::keys(&one).is_disjoint(&index::asks(&other)));
            prop_assert!(!index::asks(&one).is_disjoint(&index::keys(&other)));
        }
        prop_assert_eq!(judge::judge(&one, &one.clone()) == Distinct, one.plain.is_empty());
    }

    #[test]
    fn the_index_finds_all_that_brute_force_finds(shelf in prop::collection::vec(statement(), 0..40), new in statement()) {
        let readings: Vec<Reading> = shelf.iter().map(|text| Reading::new(text)).collect();
        let new = Reading::new(&new);
        let mut index = index::Index::default();
        for (at, reading) in (0..).zip(&readings) {
            index.add(at, reading);
        }
        let differs = |at: &u32| judge::judge_related(&readings[*at as usize], &new) != Distinct;
        let brute: Vec<u32> = (0..readings.len() as u32).filter(differs).collect();
        let found: Vec<u32> = index.related(&new).into_iter().filter(differs).collect();
        prop_assert_eq!(found, brute);
    }
}

/// Short statements from few words, so that they often meet.
fn statement() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "use",
        "never",
        "not",
        "likes",
        "instead of",
        "in",
        "for",
        "tabs",
        "spaces",
        "npm",
        "pnpm",
        "always",
        "except",
        "name is",
        "Ann",
        "Bob",
        "port is",
        "80",
        "90",
        ",",
        ".",
        "now",
        "kubernetes",
        "kubernetse",
        "config",
        "不要",
        "喜欢",
        "用",
        "而不是",
        "在",
        "里",
        "时区是",
        "茶",
        "咖啡",
        "喝",
        "，",
    ]);
    prop::collection::vec(word, 0..7).prop_map(|words| words.join(" "))
}

/// Three thousand memories of few words, so that each has relatives: comparing a new one with what the index gives decides
/// exactly as comparing it with all.
#[test]
fn pruning_decides_as_brute_force_among_three_thousand() {
    let config = ProptestConfig { rng_seed: proptest::test_runner::RngSeed::Fixed(3000), ..ProptestConfig::default() };
    let mut runner = proptest::test_runner::TestRunner::new(config);
    let mut made = |count: usize| -> Vec<Reading> {
        let texts = prop::collection::vec(statement(), count);
        let texts = proptest::strategy::ValueTree::current(&texts.new_tree(&mut runner).unwrap());
        texts.iter().map(|text| Reading::new(text)).collect()
    };
    let (shelf, new) = (made(3000), made(60));
    let mut index = index::Index::default();
    for (at, reading) in (0..).zip(&shelf) {
        index.add(at, reading);
    }
    let (mut decided, mut looked_at) = (0, 0);
    for new in &new {
        let verdict = |&at: &u32| {
            let verdict = judge::judge_related(&shelf[at as usize], new);
            (verdict != Distinct).then_some((at, verdict))
        };
        let related = index.related(new);
        let pruned: Vec<_> = related.iter().filter_map(verdict).collect();
        let brute: Vec<_> = (0..3000).collect::<Vec<u32>>().iter().filter_map(verdict).collect();
        assert_eq!(pruned, brute, "{new:?}");
        (decided, looked_at) = (decided + brute.len(), looked_at + related.len());
    }
    assert!(decided > 100, "only {decided} pairs were anything but distinct: this proves little");
    assert!(looked_at < 60 * 3000 / 5, "{looked_at} of {} pairs were looked at: this prunes little", 60 * 3000);
}
