//! One store that is lived with: its clock, what is done to it, and what there ever was in it.

use std::collections::{BTreeMap, BTreeSet};

use chrono::Duration;
use proptest::sample::Index;

use super::super::*;
use super::deeds::{Deed, Edit, Front, Hands, Said, Shade};
use crate::dictate::{Author, Draft, dictate};
use crate::explain::Archive;
use crate::reconcile::{Comparison, Extent, compare};
use crate::redact::Redactor;
use crate::review;

/// A store, its clock, and what there ever was in it.
pub(super) struct Life {
    folder: TempDir,
    pub(super) root: PathBuf,
    pub(super) clock: DateTime<Utc>,
    deeds: u32,
    /// Every text that stood in a file when the program wrote.
    pub(super) stored: BTreeSet<String>,
    /// The ids of the memories that other hands brought in.
    pub(super) foreign: BTreeSet<Id>,
    /// What the program wrote into files that a hand edited since.
    written: BTreeMap<String, String>,
}

impl Life {
    pub(super) fn new() -> Self {
        let (folder, root) = store();
        let (stored, foreign, written) = Default::default();
        Self { folder, root, clock: now(), deeds: 0, stored, foreign, written }
    }

    pub(super) fn archive(&self) -> Archive {
        Archive::open(&self.root, self.clock.date_naive()).unwrap()
    }

    fn candidate(&self, (body, ago, shade): Said, line: u32) -> Candidate {
        let mut one = super::super::said(line, body);
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
                one.body = playbook(body);
            }
        }
        one
    }

    fn candidates(&self, said: &[Said]) -> Vec<Candidate> {
        said.iter().zip(1..).map(|(one, line)| self.candidate(*one, line)).collect()
    }

    pub(super) fn does(&mut self, deed: &Deed) {
        self.deeds += 1;
        self.clock += Duration::seconds(1);
        let events = history(&self.root).unwrap().len();
        self.acts(deed);
        if history(&self.root).unwrap().len() > events {
            let files: BTreeSet<String> = look(&self.root).unwrap().pages.into_values().map(|page| page.file).collect();
            let texts = memories(&self.root).into_iter().filter(|(file, _)| files.contains(file));
            self.stored.extend(texts.map(|(_, text)| text));
        }
    }

    fn acts(&mut self, deed: &Deed) {
        let (root, clock) = (self.root.clone(), self.clock);
        match deed {
            Deed::Extract(said) => drop(apply(&root, self.candidates(said), clock).unwrap()),
            Deed::Read(turns, body) => {
                let mut one = super::super::said(*turns, body);
                one.evidence[0].session = "grows".into();
                let (host, session, started) = ("openai".into(), "grows".into(), at(0));
                let extent = Extent { host, session, started, until: at(60 * turns), turns: (*turns).into() };
                apply(&root, Batch { candidates: vec![one], sessions: vec![extent] }, clock).unwrap();
            }
            Deed::Write(body, by, of) => self.write(body, *by, of.as_ref()),
            Deed::Forget(index) => {
                if let Some(held) = pick(index, &read(&root).unwrap().held) {
                    amend(&root, Wish::Forget(std::slice::from_ref(&held.id), "asked"), clock).unwrap();
                }
            }
            Deed::Undo(index) => {
                let archive = self.archive();
                if let Some(number) = pick(index, &archive.memories()) {
                    amend(&root, Wish::Undo(&archive.entry(*number).id), clock).unwrap();
                }
            }
            Deed::UndoLast => {
                if let Some(last) = self.archive().runs().last().filter(|run| !run.taken_back) {
                    amend(&root, Wish::UndoRun(last.name), clock).unwrap();
                }
            }
            Deed::UndoRun(index) => {
                let archive = self.archive();
                let standing: Vec<_> = archive.runs().iter().filter(|run| !run.taken_back).collect();
                if let Some(run) = pick(index, &standing) {
                    amend(&root, Wish::UndoRun(run.name), clock).unwrap();
                }
            }
            Deed::Sweep => drop(amend(&root, Wish::Sweep(clock.date_naive()), clock).unwrap()),
            Deed::Consolidate => {
                drop(consolidate(&root, Dress { clean: &str::to_owned, topic: &topic }, clock).unwrap())
            }
            Deed::Accept(index) => {
                let waiting = pending(&root).unwrap();
                if let Some(open) = pick(index, &waiting).filter(|open| open.intent == Intent::Pending) {
                    review::accept(open, None, &root, Redactor::builtin(), clock).unwrap();
                }
            }
            Deed::Reject(index) => {
                if let Some(open) = pick(index, &pending(&root).unwrap()) {
                    review::reject(open, &root, clock).unwrap();
                }
            }
            Deed::Import(said, foreign) => {
                let (_folder, other) = store();
                apply(&other, self.candidates(said), clock).unwrap();
                self.add(&other, Kind::Profile, foreign, Front::Plain);
                self.takes_in(&other, &root);
            }
            Deed::Move => {
                self.root = self.folder.path().join(format!("store{}", self.deeds));
                self.takes_in(&root, &self.root);
                if memories(&self.root) != memories(&root) {
                    // What could not be restored came as if it were said now; the rest is in the old store.
                    self.stored.clear();
                    self.foreign.clear();
                    self.nothing_stayed_behind(&root);
                }
            }
            Deed::Edit(index, edit) => self.edit(index, *edit),
            Deed::Delete(index) => {
                if let Some(file) = self.file(index) {
                    fs::remove_file(root.join(file)).unwrap();
                }
            }
            Deed::Rename(index) => {
                if let Some(file) = self.file(index) {
                    let (front, suffix) = file.rsplit_once('-').unwrap();
                    fs::rename(root.join(&file), root.join(format!("{front}-renamed-{suffix}"))).unwrap();
                }
            }
            Deed::Add(kind, body, front) => {
                let id = self.add(&root, *kind, body, *front);
                self.foreign.insert(id);
            }
            Deed::Clock(hours) => self.clock += Duration::hours(*hours),
        }
    }

    fn write(&self, body: &str, by: Hands, of: Option<&Index>) {
        let held = read(&self.root).unwrap().held;
        let of = of.and_then(|index| pick(index, &held));
        let supersedes: Vec<String> = of.map(|held| held.id.to_string()).into_iter().collect();
        let author = match by {
            Hands::Person => Author::Person,
            Hands::Agent => Author::Agent("write"),
        };
        let (kind, ttl, slug) = (Kind::Profile, Some("one_week"), "written");
        let draft = Draft { kind, slug, ttl, body, supersedes: &supersedes, author };
        // An agent is refused what the person edited.
        let refused = of.is_some_and(|held| held.hand == crate::reconcile::Hand::Edited) && author != Author::Person;
        assert_eq!(dictate(&draft, &self.root, Redactor::builtin(), self.clock).is_err(), refused);
    }

    /// Exports one store, if there is anything in it, and imports it into another.
    fn takes_in(&self, from: &Path, into: &Path) {
        let archive = self.folder.path().join(format!("{}.zip", self.deeds));
        if export(from, &archive).is_ok() {
            import(into, Import { archive: &archive, clean: &str::to_owned, topic: &topic }, self.clock).unwrap();
        }
    }

    /// Whatever one store holds, another holds too, or something else on the same subject.
    fn nothing_stayed_behind(&self, old: &Path) {
        let new = read(&self.root).unwrap().held;
        for held in read(old).unwrap().held {
            let is_there = new.iter().any(|other| compare(&held.body, &other.body) != Comparison::Distinct);
            assert!(is_there, "stayed behind: {held:?}");
        }
    }

    fn file(&self, index: &Index) -> Option<String> {
        let files: Vec<String> = memories(&self.root).into_keys().collect();
        pick(index, &files).cloned()
    }

    /// A hand puts a text into a file, at the time of the clock.
    fn put(&self, root: &Path, file: &str, text: &str) {
        let path = root.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        fs::File::options().append(true).open(&path).unwrap().set_modified(self.clock.into()).unwrap();
    }

    fn edit(&mut self, index: &Index, edit: Edit) {
        let Some(file) = self.file(index) else {
            return;
        };
        let text = fs::read_to_string(self.root.join(&file)).unwrap();
        let field = |name: &str, value: &str| {
            let line = text.lines().find(|line| line.starts_with(name));
            line.map_or(text.clone(), |line| text.replacen(line, &format!("{name}: {value}"), 1))
        };
        let new = match edit {
            Edit::Append => format!("{text}And I said so myself, {}.\n", self.deeds),
            Edit::Say(body) => text.replace(&markdown::body(&text), body),
            Edit::Expires(day) => field("expires", day),
            Edit::Created(time) => field("created", time),
            Edit::Mood => text.replacen("---\n\n", "mood: fine\n---\n\n", 1),
            Edit::Break => text.replacen("---\n", "---\n[: broken\n", 1),
            Edit::LineEnds => text.replace("\r\n", "\n").replace('\n', "\r\n"),
            Edit::Back => self.written.get(&file).cloned().unwrap_or(text.clone()),
        };
        self.written.entry(file.clone()).or_insert(text);
        self.put(&self.root, &file, &new);
    }

    fn add(&self, root: &Path, kind: Kind, body: &str, front: Front) -> Id {
        let id = Id::parse(&format!("{}_mine{}", kind.prefix(), self.deeds)).unwrap();
        let held = read(root).unwrap().held;
        let more = match (front, held.first()) {
            (Front::Expired, _) => "expires: 2026-02-01\n".to_owned(),
            (Front::Supersedes, Some(held)) => format!("supersedes: [{}]\n", held.id),
            _ => String::new(),
        };
        let body = if kind == Kind::Playbook { playbook(body) } else { body.to_owned() };
        let created = self.clock.date_naive();
        let text = format!("---\ntype: {}\nid: {id}\ncreated: {created}\n{more}---\n\n{body}\n", kind.word());
        self.put(root, &format!("{}/mine-mine{}.md", kind.folder(), self.deeds), &text);
        id
    }
}

fn playbook(body: &str) -> String {
    format!("## When\nWriting code.\n\n## What\n{body}\n\n## Why\nUser corrected this.")
}

fn topic(_: &str) -> Slug {
    Slug::new("put-together").unwrap()
}

fn pick<'a, T>(index: &Index, among: &'a [T]) -> Option<&'a T> {
    (!among.is_empty()).then(|| &among[index.index(among.len())])
}
