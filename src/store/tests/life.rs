//! A store that is lived with: whatever is done to it in whatever order, nothing is lost, doubled or out of date.

use std::collections::BTreeSet;

use chrono::Duration;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::RngSeed;

use super::*;
use crate::explain::{Archive, Status};
use crate::reconcile::{Comparison, Extent, Hand, compare};

/// Something that is done to a store. `write`, `consolidate`, `reject` and `import` are not among them yet.
#[derive(Debug, Clone)]
enum Deed {
    /// Sessions are read: what was said, each so many minutes before now, or after if a clock is wrong.
    Learn(Vec<(&'static str, i64, Shade)>),
    /// A session that grows is read again, so many turns far.
    Read(u32, &'static str),
    Forget(Index),
    Undo(Index),
    UndoLast,
    UndoRun(Index),
    Sweep,
    EditByHand(Index),
    DeleteByHand(Index),
    /// Another program writes a memory.
    AddByHand(&'static str),
    /// The clock jumps, by hours.
    Clock(i64),
}

#[derive(Debug, Clone, Copy)]
enum Shade {
    Keep,
    Short,
    Playbook,
    Pending,
    Forget,
}

fn body() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "Use npm.",
        "Use pnpm.",
        "Use yarn.",
        "Use pnpm, not npm.",
        "User likes tea.",
        "User doesn't like tea.",
        "User really likes green tea.",
        "用户喜欢猫。",
        "用户不喜欢猫。",
        "User's timezone is CET.",
        "User's timezone is UTC.",
        "User's name is Ann.",
        "User's name is Bob.",
        "Use tabs.",
    ])
}

/// What the program does, and the clock.
fn deed() -> impl Strategy<Value = Deed> {
    let shade = prop_oneof![
        5 => Just(Shade::Keep),
        2 => Just(Shade::Short),
        1 => Just(Shade::Playbook),
        1 => Just(Shade::Pending),
        1 => Just(Shade::Forget),
    ];
    let said = (body(), -30_i64..2000, shade);
    prop_oneof![
        6 => prop::collection::vec(said, 1..5).prop_map(Deed::Learn),
        2 => (1_u32..6, body()).prop_map(|(turns, body)| Deed::Read(turns, body)),
        2 => any::<Index>().prop_map(Deed::Forget),
        3 => any::<Index>().prop_map(Deed::Undo),
        2 => Just(Deed::UndoLast),
        2 => any::<Index>().prop_map(Deed::UndoRun),
        1 => Just(Deed::Sweep),
        2 => prop_oneof![4 => 1_i64..60, 1 => -90_i64..0].prop_map(Deed::Clock),
    ]
}

/// What hands do, and all else.
fn deed_or_hand() -> impl Strategy<Value = Deed> {
    prop_oneof![
        8 => deed(),
        1 => any::<Index>().prop_map(Deed::EditByHand),
        1 => any::<Index>().prop_map(Deed::DeleteByHand),
        1 => body().prop_map(Deed::AddByHand),
    ]
}

/// A store, its clock, and every text that the program ever put into it.
struct Life {
    _folder: TempDir,
    root: PathBuf,
    clock: DateTime<Utc>,
    deeds: u32,
    stored: BTreeSet<String>,
}

impl Life {
    fn new() -> Self {
        let (_folder, root) = store();
        Self { _folder, root, clock: now(), deeds: 0, stored: BTreeSet::new() }
    }

    fn archive(&self) -> Archive {
        Archive::open(&self.root, self.clock.date_naive()).unwrap()
    }

    fn candidate(&self, (body, ago, shade): (&str, i64, Shade), line: u32) -> Candidate {
        let mut one = said(line, body);
        one.said_at = self.clock - Duration::minutes(ago);
        one.evidence[0].time = one.said_at;
        one.evidence[0].session = format!("s{}", ago.rem_euclid(7));
        match shade {
            Shade::Keep => {}
            Shade::Short => one.ttl = Ttl::OneDay,
            Shade::Pending => one.intent = Intent::Pending,
            Shade::Forget => one.intent = Intent::Forget,
            Shade::Playbook => {
                one.kind = Kind::Playbook;
                one.class = Class::Procedure;
                one.body = format!("## When\nWriting code.\n\n## What\n{body}\n\n## Why\nUser corrected this.");
            }
        }
        one
    }

    fn does(&mut self, deed: &Deed) {
        self.deeds += 1;
        self.clock += Duration::seconds(1);
        let (root, clock) = (self.root.clone(), self.clock);
        let files: Vec<String> = memories(&root).into_keys().collect();
        let pick = |index: &Index| (!files.is_empty()).then(|| root.join(&files[index.index(files.len())]));
        match deed {
            Deed::Learn(said) => {
                let lines = 1..u32::MAX;
                let batch: Vec<_> = said.iter().zip(lines).map(|(one, line)| self.candidate(*one, line)).collect();
                apply(&root, batch, clock).unwrap();
            }
            Deed::Read(turns, body) => {
                let mut one = said(*turns, body);
                one.evidence[0].session = "grows".into();
                let extent = Extent {
                    host: "openai".into(),
                    session: "grows".into(),
                    started: at(0),
                    until: at(60 * turns),
                    turns: (*turns).into(),
                };
                apply(&root, Batch { candidates: vec![one], sessions: vec![extent] }, clock).unwrap();
            }
            Deed::Forget(index) => {
                let held = read(&root).unwrap().held;
                if !held.is_empty() {
                    forget(&root, &[held[index.index(held.len())].id.clone()], "asked", clock).unwrap();
                }
            }
            Deed::Undo(index) => {
                let archive = self.archive();
                let all = archive.memories();
                if !all.is_empty() {
                    undo(&root, &archive.entry(all[index.index(all.len())]).id, clock).unwrap();
                }
            }
            Deed::UndoLast => {
                if let Some(last) = self.archive().runs().last() {
                    undo_run(&root, last.name, clock).unwrap();
                }
            }
            Deed::UndoRun(index) => {
                let archive = self.archive();
                let standing: Vec<_> = archive.runs().iter().filter(|run| !run.taken_back).collect();
                if !standing.is_empty() {
                    undo_run(&root, standing[index.index(standing.len())].name, clock).unwrap();
                }
            }
            Deed::Sweep => {
                sweep(&root, clock.date_naive(), clock).unwrap();
            }
            Deed::EditByHand(index) => {
                if let Some(path) = pick(index) {
                    let text = fs::read_to_string(&path).unwrap();
                    fs::write(&path, format!("{text}And I said so myself, {}.\n", self.deeds)).unwrap();
                }
                return;
            }
            Deed::DeleteByHand(index) => {
                if let Some(path) = pick(index) {
                    fs::remove_file(path).unwrap();
                }
                return;
            }
            Deed::AddByHand(body) => {
                let front = format!(
                    "---\ntype: profile\nid: prof_mine{}\ncreated: {}\n---\n\n",
                    self.deeds,
                    clock.date_naive()
                );
                fs::create_dir_all(root.join("profiles")).unwrap();
                fs::write(root.join(format!("profiles/mine-mine{}.md", self.deeds)), format!("{front}{body}\n"))
                    .unwrap();
                return;
            }
            Deed::Clock(hours) => {
                self.clock += Duration::hours(*hours);
                return;
            }
        }
        self.stored.extend(memories(&root).into_values().filter(|text| !text.contains("said so myself")));
    }

    fn laws(&self) -> std::result::Result<(), TestCaseError> {
        let view = look(&self.root).unwrap();
        // The folders hold what the ledger comes to.
        let rest = events(&view, &plan(&view.known, Batch::default()), self.clock);
        prop_assert!(rest.is_empty(), "the folders are not in line: {rest:#?}");
        // No two that the program keeps say the same.
        let owned: Vec<_> = view.known.held.iter().filter(|held| held.hand == Hand::Untouched).collect();
        for (at, one) in owned.iter().enumerate() {
            for other in &owned[at + 1..] {
                let by_hand = |held: &&crate::reconcile::Held| held.id.as_str().starts_with("prof_mine");
                let same = compare(&one.body, &other.body) == Comparison::Duplicate;
                prop_assert!(!same || by_hand(one) || by_hand(other), "twice: {} and {}", one.body, other.body);
            }
        }
        // What is listed as active is in the folder, not expired, and nothing listed took its place.
        let archive = self.archive();
        let active = archive.entries(|status| status == Status::Active);
        let replaced: BTreeSet<_> = active.iter().flat_map(|entry| &entry.supersedes).collect();
        let texts = memories(&self.root);
        for entry in &active {
            prop_assert!(entry.expires.is_none_or(|last| last >= self.clock.date_naive()), "expired: {entry:?}");
            prop_assert!(!replaced.contains(&entry.id) || entry.edited, "superseded: {entry:?}");
            let file = entry.file.as_deref().and_then(|file| texts.get(file));
            prop_assert!(file.is_some_and(|text| text.contains(&entry.body)), "no file: {entry:?}");
        }
        let expired = archive.entries(|status| status == Status::Expired);
        let there = active.len() + expired.iter().filter(|entry| archive.is_there(entry)).count();
        prop_assert_eq!(there, texts.len());
        Ok(())
    }

    /// Every text is in the ledger, and every memory that left comes back when it is named.
    fn nothing_is_lost(&self) -> std::result::Result<(), TestCaseError> {
        let ledger = look(&self.root).unwrap().ledger;
        let pages =
            ledger.events.iter().flat_map(|event| event.writes.iter().chain(&event.removes).chain(&event.found));
        let kept: BTreeSet<&str> = pages.map(|page| page.text.as_str()).collect();
        for text in &self.stored {
            let by_hand = text.contains("prof_mine");
            prop_assert!(by_hand || kept.contains(text.as_str()), "lost: {text}");
        }
        for entry in self.archive().entries(|_| true) {
            // What was superseded before it came was never stored.
            if self.archive().is_there(&entry) || entry.file.is_none() {
                continue;
            }
            let before = memories(&self.root);
            let came = amend(&self.root, Wish::Undo(&entry.id), self.clock).unwrap();
            let back = memories(&self.root).into_values().any(|text| text.contains(&entry.body));
            prop_assert!(back, "{entry:?} does not come back: {came:?}");
            if let Some(run) = came.run {
                undo_run(&self.root, run, self.clock).unwrap();
                prop_assert_eq!(memories(&self.root), before, "the undo of {:?} was not undone", entry);
            }
        }
        Ok(())
    }
}

fn lives(deeds: &[Deed]) -> std::result::Result<(), TestCaseError> {
    let mut life = Life::new();
    for deed in deeds {
        life.does(deed);
        let failed = |why| TestCaseError::fail(format!("deed {}, {deed:?}: {why}", life.deeds));
        life.laws().map_err(failed)?;
    }
    life.nothing_is_lost()
}

fn config(cases: u32) -> ProptestConfig {
    let rng_seed = RngSeed::Fixed(20);
    ProptestConfig { cases, max_shrink_iters: 300, failure_persistence: None, rng_seed, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config(30))]

    #[test]
    fn a_short_life_with_hands_in_it_keeps_the_laws(deeds in prop::collection::vec(deed_or_hand(), 1..20)) {
        lives(&deeds)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 0, ..config(1) })]

    #[test]
    fn a_life_of_five_hundred_deeds_keeps_the_laws(deeds in prop::collection::vec(deed(), 500)) {
        lives(&deeds)?;
    }

    #[test]
    fn undoing_every_run_leaves_what_hands_made(deeds in prop::collection::vec(deed(), 1..30)) {
        let mut life = Life::new();
        let mut before = Vec::new();
        for deed in deeds.iter().filter(|deed| matches!(deed, Deed::Learn(_) | Deed::Forget(_) | Deed::Undo(_) | Deed::Sweep)) {
            let runs = life.archive().runs().len();
            let texts = memories(&life.root);
            life.does(deed);
            before.extend((life.archive().runs().len() > runs).then_some(texts));
        }
        // Backwards, each undo gives the folder that was before the run, to the byte; forwards again, the one after it.
        let mut after = memories(&life.root);
        for (number, texts) in before.iter().enumerate().rev() {
            let undone = amend(&life.root, Wish::UndoRun(RunName(number + 1)), life.clock).unwrap();
            prop_assert_eq!(&memories(&life.root), texts, "r{} was not undone", number + 1);
            let again = undo_run(&life.root, undone.run.unwrap(), life.clock);
            prop_assert!(again.is_ok());
            prop_assert_eq!(&memories(&life.root), &after, "the undo of r{} was not undone", number + 1);
            undo_run(&life.root, RunName(number + 1), life.clock).unwrap();
            after = texts.clone();
        }
        prop_assert_eq!(memories(&life.root).len(), 0);
    }
}
