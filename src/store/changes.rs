//! A plan as events of the ledger: what is new in it, and how the folders have to change for it.
//!
//! A change stands with the statement that brought it about. What is left then, because something older came to light
//! or was withdrawn, is one event of its own.

use std::collections::{BTreeMap, HashMap, HashSet};

use chrono::{DateTime, Utc};

use super::ledger::{Did, Event, Page};
use super::markdown::{self, Document};
use super::view::{View, plain};
use crate::memory::{Id, Intent, Kind, Slug};
use crate::reconcile::{Act, Decision, Memory, Op, Origin, Plan, Standing, fingerprint};

/// The ledger's lines for what is new in a plan; none if nothing is, and the folders are as they should be.
pub(crate) fn events(view: &View, plan: &Plan, now: DateTime<Utc>) -> Vec<Event> {
    let mut folders = Folders::new(view, plan);
    let mut events = Vec::new();
    for heard in &plan.heard {
        events.push(Event { heard: Some(heard.clone()), ..Event::new(Did::Read, now) });
    }
    for decision in plan.decisions.iter().filter(|decision| decision.new) {
        let mut event = told(decision, now);
        if let Some(act) = decision.act.and_then(|act| plan.acts.get(act)) {
            folders.carry_out(act, &mut event);
        }
        let said = event.writes.first().is_some_and(|page| {
            event.id.as_ref() == Some(&page.id) && markdown::body(&page.text) == decision.candidate.body
        });
        if !said {
            event.body = Some(decision.candidate.body.clone());
        }
        events.push(event);
    }
    events.extend(folders.rest(now));
    view.after_hands(events)
}

fn told(decision: &Decision, now: DateTime<Utc>) -> Event {
    let candidate = &decision.candidate;
    let (did, plain) = match decision.op {
        Op::Create => (Did::Create, Intent::Keep),
        Op::Supersede => (Did::Supersede, Intent::Keep),
        Op::Confirm => (Did::Confirm, Intent::Keep),
        Op::Forget => (Did::Forget, Intent::Forget),
        Op::Pending => (Did::Pending, Intent::Pending),
        Op::Skip => (Did::Skip, Intent::Keep),
    };
    Event {
        id: decision.id.clone(),
        intent: (candidate.intent != plain).then_some(candidate.intent),
        kind: Some(candidate.kind),
        class: Some(candidate.class),
        ttl: Some(candidate.ttl),
        confirm: Some(candidate.confirm),
        said_at: Some(candidate.said_at),
        print: Some(fingerprint(candidate)),
        slug: Some(candidate.slug.as_str().to_owned()),
        replaces: candidate.replaces.clone(),
        evidence: candidate.evidence.clone(),
        reason: decision.reason.clone(),
        judged: (candidate.reason != decision.reason).then(|| candidate.reason.clone()),
        ..Event::new(did, now)
    }
}

/// Puts into an event all that the folders have to change by for a plan.
pub(crate) fn bring_in_line(view: &View, plan: &Plan, event: &mut Event) {
    Folders::new(view, plan).bring_in_line(event);
    for page in &mut event.writes {
        let Some(former) = view.former.get(&page.id).filter(|_| page.replaces.is_none()) else {
            continue;
        };
        // What the person had edited before it left comes back so, and with the line ends it had.
        if view.edited_before.contains(&page.id) || plain(&former.text) == page.text {
            *page = Page { replaces: None, ..former.clone() };
        }
    }
}

/// The folders as they are, and as they should be.
struct Folders<'a> {
    plan: &'a Plan,
    view: &'a View,
    /// The files that are there, or will be by the events so far.
    pages: HashMap<Id, Page>,
    /// Those of them that may be changed: nobody's hand did.
    free: HashSet<Id>,
    /// What should be there.
    target: BTreeMap<Id, Page>,
    /// What should stay as it is.
    kept: HashSet<&'a Id>,
}

impl<'a> Folders<'a> {
    fn new(view: &'a View, plan: &'a Plan) -> Self {
        let mut target = BTreeMap::new();
        let mut kept = HashSet::new();
        for memory in &plan.memories {
            match (memory.standing, &memory.origin) {
                (Standing::Gone, _) => {}
                (Standing::Held, Origin::Said(slug)) => {
                    target.insert(memory.id.clone(), page(memory, slug, view));
                }
                (Standing::Held, Origin::Found) => {
                    kept.insert(&memory.id);
                    if let Some(page) = grown(memory, view) {
                        target.entry(memory.id.clone()).or_insert(page);
                    }
                }
                (Standing::Edited, _) => {
                    kept.insert(&memory.id);
                    let edited = view.edited_before.contains(&memory.id);
                    if let Some(former) = former(memory, view).filter(|_| edited) {
                        target.entry(memory.id.clone()).or_insert(former);
                    }
                }
            }
        }
        Self { plan, view, pages: view.pages.clone(), free: view.owned.clone(), target, kept }
    }

    /// Puts into a statement's event what it changes.
    fn carry_out(&mut self, act: &Act, event: &mut Event) {
        let plan = self.plan;
        // A statement that confirms writes an older file again; it never writes the first one.
        let there = |at: &&usize| plan.memories.get(**at).is_some_and(|memory| self.pages.contains_key(&memory.id));
        let confirmed = act.confirmed.iter().filter(there);
        let touched: Vec<&Memory> = act.came.iter().chain(confirmed).filter_map(|&at| plan.memories.get(at)).collect();
        for memory in touched.into_iter().filter(|memory| event.id.as_ref() == Some(&memory.id)) {
            let transient = || match &memory.origin {
                // What comes and goes within the batch leaves its text in the ledger.
                Origin::Said(slug) if event.event != Did::Skip => Some(page(memory, slug, self.view)),
                _ => None,
            };
            let wanted = self.target.get(&memory.id).cloned().or_else(transient);
            event.writes.extend(wanted.and_then(|page| self.write(page)));
        }
        for memory in act.left.iter().filter_map(|&at| plan.memories.get(at)) {
            if !self.target.contains_key(&memory.id) && !self.kept.contains(&memory.id) {
                event.removes.extend(self.take(&memory.id));
            }
        }
    }

    /// What the statements themselves do not account for.
    fn rest(&mut self, now: DateTime<Utc>) -> Option<Event> {
        let mut event = Event::new(Did::Revise, now);
        event.reason = "the past is known better now".into();
        self.bring_in_line(&mut event);
        (!event.writes.is_empty() || !event.removes.is_empty()).then_some(event)
    }

    fn bring_in_line(&mut self, event: &mut Event) {
        for page in &event.removes {
            self.take(&page.id);
        }
        for page in self.target.clone().into_values() {
            event.writes.extend(self.write(page));
        }
        let stale = |id: &&Id| !self.target.contains_key(*id) && !self.kept.contains(*id);
        let mut stale: Vec<Id> = self.free.iter().filter(stale).cloned().collect();
        stale.sort();
        event.removes.extend(stale.iter().filter_map(|id| self.take(id)));
    }

    /// The page as it is to be written, if it is not there yet and no hand is in the way.
    fn write(&mut self, page: Page) -> Option<Page> {
        let replaces = match self.pages.get(&page.id) {
            Some(there) if plain(&there.text) == page.text || !self.free.contains(&page.id) => return None,
            Some(there) => Some(there.sha.clone()),
            None => None,
        };
        self.pages.insert(page.id.clone(), page.clone());
        self.free.insert(page.id.clone());
        Some(Page { replaces, ..page })
    }

    fn take(&mut self, id: &Id) -> Option<Page> {
        self.free.remove(id);
        let page = self.pages.remove(id)?;
        Some(Page { replaces: None, ..page })
    }
}

/// The file of a memory that was said.
pub(crate) fn page(memory: &Memory, slug: &Slug, view: &View) -> Page {
    let text = markdown::render(&Document {
        kind: memory.kind,
        id: memory.id.clone(),
        created: memory.created,
        ttl: memory.ttl,
        expires: memory.expires,
        supersedes: memory.supersedes.clone(),
        body: memory.body.clone(),
    });
    let id = memory.id.clone();
    if let Some(there) = view.pages.get(&id).filter(|there| there.text == text) {
        return there.clone();
    }
    // The person may have given the file another name.
    let file = view.pages.get(&id).or_else(|| view.former.get(&id)).map(|page| page.file.clone());
    let file = file.unwrap_or_else(|| format!("{}/{slug}-{}.md", memory.kind.folder(), id.suffix()));
    Page::new(id, file, text)
}

/// The file that a memory had before it left, if it is not there.
fn former(memory: &Memory, view: &View) -> Option<Page> {
    view.former.get(&memory.id).filter(|page| !view.pages.contains_key(&page.id)).cloned()
}

/// The file of a memory of another hand, if it has to be written again: it lives longer because it was said again, or
/// what took its place was withdrawn.
///
/// A file that is not to the letter what this program writes keeps its front matter as it is.
fn grown(memory: &Memory, view: &View) -> Option<Page> {
    let Some(page) = view.pages.get(&memory.id) else {
        return former(memory, view);
    };
    let old = markdown::parse(&page.text, memory.kind, page.id.as_str(), memory.created).ok()?;
    if memory.kind != Kind::Profile || markdown::render(&old) != page.text {
        return None;
    }
    let new = Document { ttl: memory.ttl, expires: memory.expires, ..old };
    let text = markdown::render(&new);
    (text != page.text).then(|| Page::new(page.id.clone(), page.file.clone(), text))
}
