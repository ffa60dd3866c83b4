//! What the home is made of: lessons, where they hold, how near they are kept, and what happened to each.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::page::Section;
use crate::store::ledger::checksum;
use crate::text::fold::fold;

/// So many hexadecimal digits make a lesson's id after its `l_`.
const ID_DIGITS: usize = 10;
/// The domain of what belongs to no other.
pub const GENERAL: &str = "general";

/// How near a lesson is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// `archive/`: loaded when asked for.
    Cold,
    /// `projects/` and `domains/`: loaded where they fit.
    Warm,
    /// `memory.md`: always loaded.
    Hot,
}

/// Where a lesson holds. The more specific one wins over the more general one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Everywhere, or in all work of one domain (`code`, `writing`, …).
    Domain(String),
    /// In one project; it never leaves `projects/{name}.md` and its archive.
    Project(String),
}

impl Scope {
    /// The scope of what belongs to nothing in particular.
    #[must_use]
    pub fn general() -> Self {
        Self::Domain(GENERAL.to_owned())
    }

    /// The page that holds the lessons of this scope and tier, by its path in the home.
    #[must_use]
    pub fn page(&self, tier: Tier) -> String {
        match (self, tier) {
            (Self::Domain(_), Tier::Hot) => "memory.md".to_owned(),
            (Self::Domain(name), Tier::Warm) => format!("domains/{name}.md"),
            (Self::Domain(name), Tier::Cold) => format!("archive/domain-{name}.md"),
            // Namespaces stay apart: what is taught in one project is never loaded in another.
            (Self::Project(name), Tier::Hot | Tier::Warm) => format!("projects/{name}.md"),
            (Self::Project(name), Tier::Cold) => format!("archive/project-{name}.md"),
        }
    }

    /// The scope of the lessons on a page, where the page tells.
    #[must_use]
    pub fn of_page(page: &str) -> Option<Self> {
        let name = |folder: &str| page.strip_prefix(folder)?.strip_suffix(".md").map(str::to_owned);
        name("projects/")
            .or_else(|| name("archive/project-"))
            .map(Self::Project)
            .or_else(|| name("domains/").or_else(|| name("archive/domain-")).map(Self::Domain))
    }
}

/// The tier of a page.
#[must_use]
pub fn tier_of(page: &str) -> Tier {
    match page.split('/').next() {
        Some("archive") => Tier::Cold,
        Some("projects" | "domains") => Tier::Warm,
        _ => Tier::Hot,
    }
}

/// How a lesson was taught; the order is that of weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum How {
    /// The agent noted it in a reflection of its own.
    Reflected,
    /// A correction that nothing confirmed.
    Pending,
    /// A correction after which the person went on.
    Implicit,
    /// The person stated it.
    Stated,
    /// A correction whose result the person approved of.
    Explicit,
}

/// One line of the home's log: what happened to a lesson, and when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// The lesson.
    pub lesson: String,
    /// When it was said or done.
    pub at: DateTime<Utc>,
    /// What happened.
    #[serde(flatten)]
    pub what: What,
}

/// What happens to a lesson.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "lowercase")]
pub enum What {
    /// It was taught.
    Taught {
        /// How.
        how: How,
        /// Where it was said.
        place: Place,
        /// A checksum of when and in which words it was said: the same in every copy of a session.
        words: String,
        /// The rule.
        text: String,
        /// Its topic.
        tag: String,
        /// Where it holds by itself.
        scope: Scope,
    },
    /// The agent worked by it and said so.
    Cited {
        /// Where it said so.
        place: Place,
        /// A checksum of when and in which words it said so; empty in logs of old.
        #[serde(default)]
        words: String,
    },
    /// The program put it on a page, in a section.
    Placed {
        /// The page.
        page: String,
        /// The section.
        section: Section,
    },
    /// The person moved it there.
    Moved {
        /// The page.
        page: String,
        /// The section.
        section: Section,
    },
    /// The person ticked it, or accepted it in `review`.
    Confirmed,
    /// The person turned it down as a rule in `review`.
    Declined,
    /// The person had it taken off every page.
    Erased,
    /// It contradicts a confirmed one: the person has to decide.
    Contested {
        /// The confirmed one.
        with: String,
    },
    /// Another took its place.
    Replaced {
        /// The other.
        by: String,
    },
    /// The person asked to forget it.
    Forgotten {
        /// Where they said so.
        place: Place,
    },
}

/// A line of a session.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// The host's name.
    pub host: String,
    /// The session's id.
    pub session: String,
    /// 1-based.
    pub line: u32,
}

/// The id of the lesson that was first taught in these words.
#[must_use]
pub fn id_of(text: &str) -> String {
    let sum = checksum(fold(text));
    format!("l_{}", sum.chars().take(ID_DIGITS).collect::<String>())
}

/// A lesson, as everything that happened to it makes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lesson {
    /// Its id.
    pub id: String,
    /// The rule, in the words that weigh most.
    pub text: String,
    /// Its topic.
    pub tag: String,
    /// The weightiest way in which it was taught.
    pub how: How,
    /// Its scope: that of its first teaching, or a wider one if it was taught elsewhere too.
    pub scope: Scope,
    /// When it was taught or used, one time for each session, in order.
    pub uses: Vec<DateTime<Utc>>,
    /// How many sessions taught it.
    pub taught: usize,
    /// When the person moved it by hand, and to which tier.
    pub moves: Vec<(DateTime<Utc>, Tier)>,
    /// The page and section where it was last put.
    pub last: Option<(String, Section)>,
    /// Whether the person agreed to it as a rule.
    pub is_confirmed: bool,
    /// Whether the person took it out of the confirmed ones again.
    pub is_refused: bool,
    /// Whether it contradicts a confirmed one.
    pub is_contested: bool,
    /// Since when it is forgotten, or another stands in its place.
    pub gone: Option<DateTime<Utc>>,
    /// When the person first stated it outright: that is reason enough to keep it near.
    pub stated_at: Option<DateTime<Utc>>,
}

/// Every lesson, from the log.
#[must_use]
pub fn lessons(log: &[Event]) -> BTreeMap<String, Lesson> {
    let mut by_id: BTreeMap<&str, Vec<&Event>> = BTreeMap::new();
    for event in log {
        by_id.entry(&event.lesson).or_default().push(event);
    }
    by_id.into_iter().filter_map(|(id, events)| Some((id.to_owned(), lesson(id, &events)?))).collect()
}

fn lesson(id: &str, events: &[&Event]) -> Option<Lesson> {
    let mut story = Story::new(id);
    for event in events {
        story.take(event);
    }
    story.end()
}

/// A lesson while its events are told.
struct Story<'e> {
    lesson: Lesson,
    uses: Uses<'e>,
    scopes: Vec<&'e Scope>,
    /// The weightiest teaching: its way, its words, its topic.
    best: Option<(How, &'e str, &'e str)>,
    /// The scope that a person gave it by moving it.
    by_hand: Option<Scope>,
    /// When it was last taught in earnest.
    said_at: Option<DateTime<Utc>>,
    /// Whether the person approved of it, after it was erased if it was.
    is_approved: bool,
    /// When it was erased: what was said before counts no more.
    erased_at: Option<DateTime<Utc>>,
}

impl<'e> Story<'e> {
    fn new(id: &str) -> Self {
        let lesson = Lesson {
            id: id.to_owned(),
            text: String::new(),
            tag: String::new(),
            how: How::Reflected,
            scope: Scope::general(),
            uses: Vec::new(),
            taught: 0,
            moves: Vec::new(),
            last: None,
            is_confirmed: false,
            is_refused: false,
            is_contested: false,
            gone: None,
            stated_at: None,
        };
        Self {
            lesson,
            uses: Uses::default(),
            scopes: Vec::new(),
            best: None,
            by_hand: None,
            said_at: None,
            is_approved: false,
            erased_at: None,
        }
    }

    fn take(&mut self, event: &'e Event) {
        let lesson = &mut self.lesson;
        match &event.what {
            What::Taught { .. } => self.taught(event),
            What::Cited { place, words } => _ = self.uses.add(place, words, event.at),
            What::Placed { page, section } => lesson.last = Some((page.clone(), *section)),
            What::Moved { page, section } => self.moved(page, *section, event.at),
            What::Confirmed => (lesson.is_confirmed, lesson.is_refused) = (true, false),
            What::Declined => (lesson.is_refused, lesson.is_contested) = (true, false),
            What::Erased => self.erased(event.at),
            What::Contested { .. } => lesson.is_contested = true,
            What::Replaced { .. } | What::Forgotten { .. } => lesson.gone = Some(event.at),
        }
    }

    fn taught(&mut self, event: &'e Event) {
        let What::Taught { how, place, words, text, tag, scope } = &event.what else { return };
        let lesson = &mut self.lesson;
        let is_after = self.erased_at.is_none_or(|erased| event.at > erased);
        lesson.taught += usize::from(self.uses.add(place, words, event.at) && is_after);
        self.is_approved |= *how == How::Explicit && is_after;
        self.scopes.push(scope);
        if *how == How::Stated {
            lesson.stated_at = Some(lesson.stated_at.map_or(event.at, |at| at.min(event.at)));
        }
        if *how >= How::Implicit {
            self.said_at = self.said_at.max(Some(event.at));
        }
        // An approval after the person had taken the rule back counts anew.
        lesson.is_refused &= *how < How::Explicit;
        if self.best.is_none_or(|(weight, ..)| *how > weight) {
            self.best = Some((*how, text, tag));
        }
    }

    fn erased(&mut self, at: DateTime<Utc>) {
        let lesson = &mut self.lesson;
        (lesson.gone, lesson.last, lesson.taught) = (Some(at), None, 0);
        (lesson.is_confirmed, lesson.is_contested) = (false, false);
        (self.is_approved, self.erased_at) = (false, Some(at));
    }

    /// A person's hand decides on the section, the tier and the scope.
    fn moved(&mut self, page: &str, section: Section, at: DateTime<Utc>) {
        let lesson = &mut self.lesson;
        lesson.moves.push((at, tier_of(page)));
        let was_offered = |last: &(String, Section)| [Section::Confirmed, Section::Asked].contains(&last.1);
        lesson.is_refused = section == Section::Patterns && lesson.last.as_ref().is_some_and(was_offered);
        lesson.is_confirmed = section == Section::Confirmed;
        lesson.gone = (section == Section::Withdrawn).then_some(at);
        self.by_hand = Scope::of_page(page).or_else(|| (tier_of(page) == Tier::Hot).then(Scope::general));
        lesson.last = Some((page.to_owned(), section));
    }

    /// The lesson; nothing if it was never taught.
    fn end(self) -> Option<Lesson> {
        let (how, text, tag) = self.best?;
        let mut lesson = self.lesson;
        (lesson.how, lesson.text, lesson.tag) = (how, text.to_owned(), tag.to_owned());
        // Taught again after it left, it is back, in whatever order one hears of it.
        lesson.gone = lesson.gone.filter(|gone| self.said_at.is_none_or(|said| said <= *gone));
        lesson.is_confirmed = (lesson.is_confirmed || self.is_approved) && !lesson.is_refused;
        lesson.scope = self.by_hand.unwrap_or_else(|| joint(&self.scopes));
        lesson.uses = self.uses.times;
        lesson.uses.sort_unstable();
        Some(lesson)
    }
}

/// The scope of what was taught in several: where it was taught first, if never elsewhere; else what holds everywhere.
fn joint(scopes: &[&Scope]) -> Scope {
    let distinct: BTreeSet<_> = scopes.iter().collect();
    match (distinct.len(), scopes.first()) {
        (1, Some(&only)) => only.clone(),
        // Else the domain is that of its first mention outside of a project.
        _ => scopes.iter().find(|s| matches!(s, Scope::Domain(_))).map_or_else(Scope::general, |s| (**s).clone()),
    }
}

/// The times of uses, one for each session, copies of a session counted once.
#[derive(Default)]
struct Uses<'e> {
    sessions: BTreeSet<(&'e str, &'e str)>,
    words: BTreeSet<&'e str>,
    times: Vec<DateTime<Utc>>,
}

impl<'e> Uses<'e> {
    /// Whether it is a new one.
    fn add(&mut self, place: &'e Place, words: &'e str, at: DateTime<Utc>) -> bool {
        let copied = !words.is_empty() && !self.words.insert(words);
        let again = !self.sessions.insert((&place.host, &place.session));
        if copied || again {
            return false;
        }
        self.times.push(at);
        true
    }
}
