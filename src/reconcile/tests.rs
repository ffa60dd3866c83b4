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
        let got = compare(
            case["existing"].as_str().unwrap(),
            case["new"].as_str().unwrap(),
        );
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
fn english() {
    let mut wrong = Vec::new();
    for (old, new, expected) in [
        (
            "User prefers tabs for indentation.",
            "User prefers spaces for indentation.",
            Supersede,
        ),
        ("User's name is Ann.", "User's name is Bob.", Supersede),
        ("My wife's name is Ann.", "My name is Bob.", Distinct),
        (
            "User's timezone is UTC+1.",
            "User's time zone is UTC+8.",
            Supersede,
        ),
        ("User likes cats.", "User likes dogs.", Distinct),
        ("User likes cats.", "User doesn't like cats.", Supersede),
        ("User likes cats.", "User no longer likes cats.", Supersede),
        ("User lives in Berlin.", "User moved to Lisbon.", Supersede),
        (
            "User is a backend engineer.",
            "User is a product manager.",
            Supersede,
        ),
        ("User is a backend engineer.", "User is a father.", Distinct),
        ("Use npm.", "Use pnpm.", Supersede),
        ("Use npm.", "Use pnpm, not npm.", Supersede),
        ("Use pnpm, not npm.", "Use pnpm.", Duplicate),
        ("Don't use npm.", "Use npm.", Supersede),
        ("Use Go.", "Use Rust.", Distinct),
        ("We use Go.", "We now use Rust.", Supersede),
        (
            "Use tabs in Makefiles.",
            "Use spaces in Python files.",
            Distinct,
        ),
        ("Use tabs.", "Use spaces in Python.", Distinct),
        ("Never skip the tests.", "Run the linter.", Distinct),
        (
            "Don't commit generated files.",
            "Commit messages are in English.",
            Distinct,
        ),
        (
            "Write commit messages in English.",
            "Write commit messages in Chinese.",
            Supersede,
        ),
        ("User speaks English.", "User speaks Chinese.", Distinct),
        ("Use 2 spaces.", "Use 4 spaces.", Supersede),
        (
            "Ticket 12 is important.",
            "Ticket 14 is important.",
            Distinct,
        ),
        ("Deploy to staging.", "Deploy to production.", Supersede),
        (
            "User prefers concise answers.",
            "User likes short responses.",
            Duplicate,
        ),
        (
            "User prefers short answers.",
            "User prefers detailed answers.",
            Supersede,
        ),
        ("User likes tea.", "User also likes coffee.", Distinct),
        (
            "Service A depends on service B.",
            "Service B depends on service A.",
            Distinct,
        ),
        (
            "Always validate the kubernetes manifests.",
            "Always validate the kubernetse manifests.",
            Duplicate,
        ),
        ("", "", Distinct),
    ] {
        if compare(old, new) != expected {
            wrong.push(format!(
                "{old} / {new}: not {expected:?}\n  {:?}\n  {:?}",
                Reading::new(old),
                Reading::new(new)
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn chinese() {
    let mut wrong = Vec::new();
    for (old, new, expected) in [
        ("用户喜欢深色模式。", "用户更喜欢浅色模式。", Supersede),
        ("用户喜欢猫。", "用户不喜欢猫。", Supersede),
        ("用户喜欢猫。", "用户喜欢狗。", Distinct),
        ("用 npm。", "用 pnpm，不要用 npm。", Supersede),
        ("用 pnpm，不要用 npm。", "用 npm，不要用 pnpm。", Supersede),
        ("用pnpm而不是npm", "不要用npm，用pnpm", Duplicate),
        ("我的名字是小明", "我的名字是小红", Supersede),
        ("我叫小明", "我叫小红", Supersede),
        ("时区是东八区", "时区是东九区", Supersede),
        ("我住在北京", "我搬到上海了", Supersede),
        ("我喜欢喝咖啡", "我喜欢喝茶", Supersede),
        ("我喜歡喝咖啡。", "我喜欢喝咖啡", Duplicate),
        ("提交信息用英文写", "提交信息用中文写", Supersede),
        ("我会说英文", "我会说中文", Distinct),
        (
            "不要在提交信息里加表情符号",
            "提交信息里不要加表情",
            Duplicate,
        ),
        ("代码注释用中文", "代码注释不要用中文", Supersede),
        ("数据库是主库", "测试要先跑", Distinct),
        ("我是后端工程师", "我现在是产品经理", Supersede),
        ("用户名不能重复", "用户喜欢重复", Distinct),
    ] {
        if compare(old, new) != expected {
            wrong.push(format!(
                "{old} / {new}: not {expected:?}\n  {:?}\n  {:?}",
                Reading::new(old),
                Reading::new(new)
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

proptest! {
    /// The law behind [`index::Index`]: what shares no key is distinct by the rules themselves, not only by the
    /// question that [`judge::judge`] asks first.
    #[test]
    fn pruning_drops_only_what_is_distinct(one in statement(), other in statement()) {
        let (one, other) = (Reading::new(&one), Reading::new(&other));
        if judge::judge_related(&one, &other) != Distinct {
            prop_assert!(!one.keys().is_disjoint(&other.keys()));
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

#[test]
fn zz_probe() {
    let Ok(text) = std::fs::read_to_string("/tmp/probe.txt") else {
        return;
    };
    let (mut right, mut total) = (0, 0);
    for line in text.lines().filter(|l| !l.is_empty()) {
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let got = compare(parts[1], parts[2]);
        total += 1;
        let want = match parts[0] {
            "=" => Duplicate,
            ">" => Supersede,
            _ => Distinct,
        };
        if got == want {
            right += 1
        } else {
            let show = |t: &str| {
                let r = Reading::new(t);
                format!(
                    "+{:?} -{:?} @{:?} x{:?} s{:?} f{} ",
                    r.taken.iter().map(|w| &*w.text).collect::<Vec<_>>(),
                    r.refused.iter().map(|w| &*w.text).collect::<Vec<_>>(),
                    r.scope.iter().map(|w| &*w.text).collect::<Vec<_>>(),
                    r.exceptions.len(),
                    r.subject.map(|s| (s.subject, s.value)),
                    r.force
                )
            };
            println!(
                "{got:?} not {want:?}: {line}\n    {}\n    {}",
                show(parts[1]),
                show(parts[2])
            );
        }
    }
    println!("probe {right}/{total}");
}

#[test]
#[ignore]
fn zz_bench() {
    use std::time::Instant;
    let mut held = Vec::new();
    let time = "2026-01-01T00:00:00Z".parse().unwrap();
    let nouns = [
        "commit", "branch", "linter", "test", "config", "server", "database", "frontend", "editor",
        "report",
    ];
    for n in 0..100_000_u32 {
        let a = nouns[n as usize % 10];
        let b = nouns[(n as usize / 10) % 10];
        let body = format!(
            "User prefers the {a} number{n} with the {b} kept near part{} for review.",
            n / 7
        );
        held.push(Held {
            id: crate::memory::Id::derive(crate::memory::Kind::Profile, &body, None, 0),
            kind: crate::memory::Kind::Profile,
            file: String::new(),
            body,
            written: None,
            created: time,
            ttl: crate::memory::Ttl::Infinity,
            said: Moment {
                time,
                session: String::new(),
                line: 0,
            },
            supersedes: vec![],
            places: Default::default(),
            hand: Hand::Untouched,
        });
    }
    let known = Known {
        held,
        ..Known::default()
    };
    let candidates: Vec<crate::memory::Candidate> = (0..20_u32)
        .map(|n| crate::memory::Candidate {
            intent: crate::memory::Intent::Keep,
            kind: crate::memory::Kind::Profile,
            class: crate::memory::Class::Fact,
            slug: crate::memory::Slug::new("x").unwrap(),
            ttl: crate::memory::Ttl::Infinity,
            confirm: crate::memory::Confirmation::None,
            body: format!("User prefers the commit reviewed by person{n}."),
            said_at: time,
            evidence: vec![],
            reason: String::new(),
        })
        .collect();
    let start = Instant::now();
    let none = plan(&known, vec![]);
    println!("empty {:?} {}", start.elapsed(), none.decisions.len());
    let start = Instant::now();
    let some = plan(&known, candidates);
    println!("20 {:?} {}", start.elapsed(), some.decisions.len());
}
