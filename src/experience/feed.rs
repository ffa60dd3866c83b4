//! Feeding: what sessions had to say goes into the home.
//!
//! ```text
//! heard → known evidence? → the lesson it means (by meaning) → log → conflicts → corrections.md → settle
//! ```
//! Evidence counts once, in whatever copy of a session it comes; a longer reading of the same session can only raise the
//! weight of what it taught. So feeding the same sessions again changes no byte.

use chrono::{DateTime, Utc};
use std::collections::BTreeMap;

use super::corrections::{LATEST, OLDER, REFLECTIONS, appended, line, reflection, trimmed};
use super::hear::{Citation, Forget, Heard, Noted, Taught, key};
use super::home::{Change, Home};
use super::lesson::{Event, How, Lesson, Scope, What, id_of, lessons};
use super::page::Page;
use crate::compose::slug::slug;
use crate::memory::Class;
use crate::reconcile::{Comparison, Rule, likeness, names};

/// Two rules this much alike are one lesson: found on made-up pairs in both languages, see the tests of [`likeness`].
const ALIKE: f64 = 0.6;

/// Takes in what sessions had to say, in the order of time, and settles the home at `now`.
pub fn feed(home: &mut Home, heard: Vec<Heard>, now: DateTime<Utc>) -> Vec<Change> {
    let mut all = Heard::default();
    for one in heard {
        all.lessons.extend(one.lessons);
        all.forget.extend(one.forget);
        all.reflections.extend(one.reflections);
        all.citations.extend(one.citations);
    }
    all.lessons.sort_by(|a, b| (a.at, &a.place).cmp(&(b.at, &b.place)));
    all.reflections.sort_by(|a, b| (a.at, &a.place).cmp(&(b.at, &b.place)));
    all.citations.sort_by(|a, b| (a.at, &a.place, &a.words).cmp(&(b.at, &b.place, &b.words)));
    all.forget.sort_by(|a, b| (a.at, &a.place).cmp(&(b.at, &b.place)));
    // The pages as they are now decide which lines were ticked or moved, before anything new comes.
    home.notice(now);
    let mut desk = Desk::new(home);
    for taught in &all.lessons {
        desk.teach(taught);
    }
    for noted in &all.reflections {
        desk.note(noted);
    }
    for citation in &all.citations {
        desk.cite(citation);
    }
    for forget in &all.forget {
        desk.forget(forget);
    }
    trim(home);
    home.settle(now)
}

/// The home while it is fed, with its lessons at hand.
struct Desk<'h> {
    home: &'h mut Home,
    lessons: BTreeMap<String, Lesson>,
    /// The words that stand on a page, where a person may have changed them.
    texts: BTreeMap<String, String>,
    /// Each lesson as it is compared, in those words.
    rules: BTreeMap<String, Rule>,
}

impl<'h> Desk<'h> {
    fn new(home: &'h mut Home) -> Self {
        let texts = home.placed().into_iter().map(|(id, placed)| (id, placed.entry.text)).collect();
        let mut desk = Self { home, lessons: BTreeMap::new(), texts, rules: BTreeMap::new() };
        desk.learn(lessons(&desk.home.log));
        desk
    }

    fn learn(&mut self, lessons: BTreeMap<String, Lesson>) {
        for (id, lesson) in lessons {
            let is_read = self.lessons.get(&id).is_some_and(|old| old.text == lesson.text);
            if !is_read {
                self.rules.insert(id.clone(), Rule::new(self.text(&lesson)));
            }
            self.lessons.insert(id, lesson);
        }
    }

    fn log(&mut self, lesson: &str, at: DateTime<Utc>, what: What) {
        self.home.log.push(Event { lesson: lesson.to_owned(), at, what });
        let events: Vec<Event> = self.home.log.iter().filter(|event| event.lesson == lesson).cloned().collect();
        self.learn(lessons(&events));
    }

    fn text<'a>(&'a self, lesson: &'a Lesson) -> &'a str {
        self.texts.get(&lesson.id).unwrap_or(&lesson.text)
    }

    fn teach(&mut self, taught: &Taught) {
        let known = self.known(taught);
        let is_heavier = known.as_ref().is_none_or(|(_, how)| taught.how > *how);
        if !is_heavier {
            return;
        }
        let is_new = known.is_none();
        let id = known.map(|(id, _)| id).or_else(|| self.meant(taught)).unwrap_or_else(|| id_of(&taught.text));
        let Taught { how, at, place, words, text, tag, scope, .. } = taught.clone();
        self.log(&id, at, What::Taught { how, place, words, text, tag, scope });
        if taught.how >= How::Implicit {
            self.contest(&id);
        }
        // What was forgotten since it was said is not told again.
        let is_gone = self.lessons.get(&id).and_then(|lesson| lesson.gone).is_some_and(|gone| at <= gone);
        if is_new && taught.is_correction && !is_gone {
            let from = match &taught.project {
                Some(project) => format!("{}, {project}", taught.place.host),
                None => taught.place.host.clone(),
            };
            let line = line(at, &taught.tag, &taught.text, &from, &taught.words);
            self.append(LATEST, "Corrections", &line);
        }
    }

    /// The lesson to which this evidence belongs already, and how it was taught by it.
    ///
    /// One turn may teach two things: the same line is the same lesson only if it says the same, or if one of the two
    /// readings has the turn as a whole because nothing had confirmed it yet.
    fn known(&self, taught: &Taught) -> Option<(String, How)> {
        let mut known: BTreeMap<&str, (How, &str)> = BTreeMap::new();
        for event in &self.home.log {
            if let What::Taught { how, place, words, text, .. } = &event.what
                && (*place == taught.place || *words == taught.words)
            {
                let heaviest = known.entry(&event.lesson).or_insert((*how, text));
                *heaviest = (*heaviest).max((*how, text));
            }
        }
        let same = known.into_iter().filter(|(_, (how, text))| {
            *how == How::Pending || taught.how == How::Pending || likeness(text, &taught.text) >= ALIKE
        });
        let likest = |text: &str| likeness(text, &taught.text);
        let best = same.max_by(|(_, one), (_, other)| likest(one.1).total_cmp(&likest(other.1)));
        best.map(|(lesson, (how, _))| (lesson.to_owned(), how))
    }

    /// The lesson that says the same, in whatever words; of several the likest.
    fn meant(&self, taught: &Taught) -> Option<String> {
        let rule = Rule::new(&taught.text);
        let likenesses = self.rules.iter().map(|(id, known)| (known.likeness(&rule), id));
        let alike = likenesses.filter(|(likeness, _)| *likeness >= ALIKE);
        alike.max_by(|one, other| one.0.total_cmp(&other.0).then(other.1.cmp(one.1))).map(|(_, id)| id.clone())
    }

    /// What was taught just now against what holds in the same scope: the later one wins, but against a confirmed one
    /// only what the person confirmed too.
    fn contest(&mut self, id: &str) {
        let Some(new) = self.lessons.get(id).filter(|new| new.gone.is_none()).cloned() else { return };
        let rule = Rule::new(&new.text);
        let rivals: Vec<Lesson> = self
            .lessons
            .values()
            .filter(|old| old.id != id && old.gone.is_none() && is_same_level(&old.scope, &new.scope))
            .filter(|old| self.rules.get(&old.id).is_some_and(|old| old.compare(&rule) == Comparison::Supersede))
            .cloned()
            .collect();
        let said = |lesson: &Lesson| lesson.uses.last().copied();
        for old in rivals {
            let Some(at) = said(&new) else { continue };
            if said(&old) > Some(at) {
                self.log(id, at, What::Replaced { by: old.id });
            } else if !old.is_confirmed || new.is_confirmed {
                self.log(&old.id, at, What::Replaced { by: id.to_owned() });
            } else if !new.is_contested {
                self.log(id, at, What::Contested { with: old.id });
            }
        }
    }

    fn note(&mut self, noted: &Noted) {
        let Noted { at, place, words, project } = noted;
        let said = key(*at, &words.lesson);
        let scope = super::domain::scope(&words.lesson, Class::Procedure, project.as_deref());
        let taught = Taught {
            how: How::Reflected,
            at: *at,
            place: place.clone(),
            words: said.clone(),
            text: words.lesson.clone(),
            tag: slug(&words.lesson).to_string(),
            scope,
            project: project.clone(),
            is_correction: false,
        };
        if self.known(&taught).is_some() || words.lesson.is_empty() {
            return;
        }
        self.teach(&taught);
        self.append(REFLECTIONS, "Reflections", &reflection(&said, &words.context, &words.reflection, &words.lesson));
    }

    fn cite(&mut self, citation: &Citation) {
        let Citation { at, place, words, .. } = citation;
        let is_known = self.home.log.iter().any(|event| {
            matches!(&event.what, What::Cited { place: before, words: said } if said == words || before == place && said.is_empty())
        });
        if let (false, Some(id)) = (is_known, self.cited(citation)) {
            self.log(&id, *at, What::Cited { place: place.clone(), words: words.clone() });
        }
    }

    /// The lesson that a citation means: the likest on the page it names, else the one on the line it names.
    fn cited(&self, citation: &Citation) -> Option<String> {
        let entries = self.home.pages.get(&citation.page)?.entries();
        let known =
            || entries.iter().filter_map(|e| Some((e, e.id.clone().filter(|id| self.lessons.contains_key(id))?)));
        let likest = known()
            .map(|(entry, id)| (likeness(&entry.text, &citation.text), id))
            .filter(|(likeness, _)| *likeness >= ALIKE)
            .max_by(|one, other| one.0.total_cmp(&other.0));
        let on_line = || known().find(|(entry, _)| Some(entry.line) == citation.line).map(|(_, id)| id);
        likest.map(|(_, id)| id).or_else(on_line)
    }

    fn forget(&mut self, forget: &Forget) {
        let is_done = |event: &Event| matches!(&event.what, What::Forgotten { place } if *place == forget.place);
        if self.home.log.iter().any(is_done) {
            return;
        }
        let earlier = |lesson: &&Lesson| lesson.uses.first().is_some_and(|first| *first <= forget.at);
        // As the store asks it, and by likeness where the rule is told again.
        let named = |lesson: &&Lesson| {
            let text = self.text(lesson);
            names(&forget.text, text) || likeness(text, &forget.text) >= ALIKE
        };
        let ids: Vec<String> =
            self.lessons.values().filter(earlier).filter(named).map(|lesson| lesson.id.clone()).collect();
        for id in ids {
            self.log(&id, forget.at, What::Forgotten { place: forget.place.clone() });
        }
    }

    fn append(&mut self, page: &str, title: &str, lines: &str) {
        if !self.home.closed.contains(page) {
            let longer = appended(self.home.pages.get(page), title, lines);
            self.home.pages.insert(page.to_owned(), longer);
        }
    }
}

/// Whether two scopes are of one rank, and the same project where they are projects: the more specific one wins anyway.
fn is_same_level(one: &Scope, other: &Scope) -> bool {
    match (one, other) {
        (Scope::Domain(_), Scope::Domain(_)) => true,
        (one, other) => one == other,
    }
}

/// Keeps the last corrections in their log, and the others in the archive.
fn trim(home: &mut Home) {
    let Some(page) = home.pages.get(LATEST) else { return };
    let (kept, left) = trimmed(page);
    if left.is_empty() || home.closed.contains(OLDER) {
        return;
    }
    let older = appended(home.pages.get(OLDER).map(|page: &Page| page), "Older corrections", &left);
    home.pages.insert(LATEST.to_owned(), kept);
    home.pages.insert(OLDER.to_owned(), older);
}

#[cfg(test)]
#[path = "feed_tests.rs"]
pub(super) mod tests;
