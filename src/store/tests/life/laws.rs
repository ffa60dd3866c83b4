//! The laws: the folder and the ledger agree, nothing is there twice, nothing out of date is found, nothing is lost.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::super::*;
use super::Law;
use super::living::Life;
use crate::explain::{Archive, Entry, Status};
use crate::reconcile::{Comparison, Hand, compare};
use crate::search::{Query, search};
use crate::store::view::plain;

impl Life {
    pub(super) fn laws(&self) -> Law {
        let view = look(&self.root).unwrap();
        let archive = self.archive();
        let active = archive.entries(|status| status == Status::Active);
        self.folder_and_ledger_agree(&view, &archive, &active)?;
        self.nothing_is_there_twice(&view)?;
        self.only_what_holds_is_found(&active)
    }

    fn folder_and_ledger_agree(&self, view: &View, archive: &Archive, active: &[Entry]) -> Law {
        let rest = events(view, &plan(&view.known, Batch::default()), self.clock);
        let told = rest.iter().map(|event| (event.event, &event.found, &event.writes, &event.removes));
        prop_assert!(rest.is_empty(), "the folders are not in line: {:?}", told.collect::<Vec<_>>());
        let texts = memories(&self.root);
        for entry in active {
            let file = entry.file.as_deref().and_then(|file| texts.get(file));
            let body = entry.body.replace('\n', "");
            let says = |text: &String| text.replace(['\r', '\n'], "").contains(&body);
            prop_assert!(file.is_some_and(says), "no file: {entry:?}");
        }
        let expired = archive.entries(|status| status == Status::Expired);
        let there = active.len() + expired.iter().filter(|entry| archive.is_there(entry)).count();
        // A file that another program wrote and a hand broke is nobody's.
        let nobodys = texts.keys().filter(|file| view.known.held.iter().all(|held| held.file != **file)).count();
        prop_assert_eq!(there + nobodys, texts.len());
        prop_assert!(nobodys <= view.known.problems.len(), "passed over in silence");
        Ok(())
    }

    /// By our own rule, among what the program keeps: hands may write what they like.
    fn nothing_is_there_twice(&self, view: &View) -> Law {
        let kept =
            view.known.held.iter().filter(|held| held.hand == Hand::Untouched && !self.foreign.contains(&held.id));
        let mut kept: Vec<_> = kept.collect();
        kept.sort_by_key(|held| held.created);
        for (at, one) in kept.iter().enumerate() {
            for other in &kept[at + 1..] {
                let same = compare(&one.body, &other.body) == Comparison::Duplicate;
                prop_assert!(!same, "twice: {one:?} and {other:?}");
            }
        }
        Ok(())
    }

    fn only_what_holds_is_found(&self, active: &[Entry]) -> Law {
        let replaced: BTreeSet<_> = active.iter().flat_map(|entry| &entry.supersedes).collect();
        for entry in active {
            let theirs = entry.edited || self.foreign.contains(&entry.id);
            prop_assert!(
                !replaced.contains(&entry.id) || theirs || self.is_said_so_by_others(&entry.id, active),
                "superseded: {entry:?}"
            );
        }
        let today = self.clock.date_naive();
        let questions: BTreeSet<&str> = active.iter().map(|entry| entry.headline.as_str()).chain(ALL).collect();
        for text in questions {
            let answer = search(&self.root, &Query { text, kind: None, limit: 100, today }).unwrap();
            let found: BTreeSet<_> = answer.hits.iter().map(|hit| &hit.id).collect();
            for hit in &answer.hits {
                let entry = active.iter().find(|entry| entry.id == hit.id);
                prop_assert!(entry.is_some(), "{text}: found though it does not hold: {hit:?}");
                prop_assert!(!replaced.contains(&hit.id), "{text}: found though superseded: {hit:?}");
            }
            let is_whole = |entry: &&Entry| !entry.body.starts_with("---");
            let asked = active.iter().filter(|entry| entry.headline == text && !replaced.contains(&entry.id));
            let asked = asked.filter(is_whole);
            let missed: Vec<_> = asked.filter(|entry| !found.contains(&entry.id)).collect();
            prop_assert!(missed.is_empty(), "{text}: not found: {missed:?}");
        }
        Ok(())
    }

    /// Whether only front matter that hands or other programs wrote, or edited, says that it was superseded. A search
    /// believes that.
    fn is_said_so_by_others(&self, id: &Id, active: &[Entry]) -> bool {
        let mut by = active.iter().filter(|entry| entry.supersedes.contains(id));
        by.all(|entry| entry.edited || self.foreign.contains(&entry.id))
    }

    /// Every text, but for its line ends, is in a file or in the ledger, and every memory that left comes back when it is named.
    pub(super) fn nothing_is_lost(&self) -> Law {
        let ledger = look(&self.root).unwrap().ledger;
        let pages =
            ledger.events.iter().flat_map(|event| event.writes.iter().chain(&event.removes).chain(&event.found));
        let mut kept: BTreeSet<String> = pages.map(|page| plain(&page.text)).collect();
        kept.extend(memories(&self.root).into_values().map(|text| plain(&text)));
        for text in &self.stored {
            prop_assert!(kept.contains(&plain(text)), "lost: {text}");
        }
        for entry in self.archive().entries(|_| true) {
            // What was superseded before it came was never stored.
            if self.archive().is_there(&entry) || entry.file.is_none() {
                continue;
            }
            let before = memories(&self.root);
            let came = amend(&self.root, Wish::Undo(&entry.id), self.clock);
            prop_assert!(came.is_ok(), "{entry:?}: {came:?}");
            let came = came.unwrap();
            let back = memories(&self.root).into_values().any(|text| markdown::body(&text).contains(&entry.body));
            prop_assert!(back, "{entry:?} does not come back: {came:?}");
            if let Some(run) = came.run {
                amend(&self.root, Wish::UndoRun(run), self.clock).unwrap();
                prop_assert_eq!(memories(&self.root), before, "the undo of {:?} was not undone", entry);
            }
        }
        Ok(())
    }
}

/// Questions about everything that a life can hold, so that what does not hold is asked for too.
const ALL: [&str; 6] =
    ["Use npm, pnpm or yarn?", "User likes green tea.", "猫", "User's timezone", "User's name", "Use tabs."];
