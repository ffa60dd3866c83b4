//! A year of 400 sessions on a fixed clock: what recurs, what fades, what contradicts, and who confirmed.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::corrections::LATEST;
use super::feed;
use super::feed::tests::{day, said};
use super::hear::{Heard, Taught};
use super::home::Home;
use super::lesson::{How, Scope, Tier, id_of, tier_of};
use super::page::Section;
use super::plan::{HOT_LINES, WARM_LINES};

const SESSIONS: i64 = 400;

/// The day of a session: 400 in 365 days.
fn date(session: i64) -> i64 {
    session * 365 / SESSIONS
}

const RECURRING: [&str; 3] = [
    "Run the whole test suite before committing.",
    "run the whole test suite before you commit",
    "No, run the whole test suite before committing!",
];
const FADING: &str = "Label every chart with its units.";
const BURST: &str = "Round invoice totals to cents.";
const OLD: &str = "Use npm for installs.";
const NEW: &str = "Use pnpm for installs.";
const CONFIRMED: &str = "Sign letters with full name.";

/// What one session teaches.
fn session(n: i64) -> Heard {
    let mut lessons: Vec<Taught> = Vec::new();
    let mut teach = |text: &str, how: How, scope: Scope| {
        let mut taught = said(text, how, date(n), &format!("s{n}"), scope);
        taught.place.line += u32::try_from(lessons.len()).unwrap();
        lessons.push(taught);
    };
    let project = |name: &str| Scope::Project(name.into());
    // Every fifth session has a small lesson of its own that never comes again.
    let verbs =
        ["Rename", "Archive", "Translate", "Compress", "Colour", "Sort", "Encrypt", "Quote", "Index", "Shorten"];
    let things = ["invoices", "maps", "recipes", "photos", "lyrics", "tickets", "sensors", "menus"];
    if n % 5 == 0 {
        let k = usize::try_from(n / 5).unwrap();
        let place = if n % 3 == 0 { project("shop") } else { Scope::general() };
        teach(
            &format!("{} {} alphabetically by owner {}.", verbs[k % 10], things[k % 8], names(k)),
            How::Implicit,
            place,
        );
    }
    match n {
        // Confirmed in January, and never spoken of again.
        3 => teach(CONFIRMED, How::Explicit, Scope::general()),
        // Three times in a week in spring, then never again.
        100 | 102 | 104 => teach(BURST, How::Implicit, Scope::Domain("code".into())),
        // Stated once in summer.
        200 => teach(FADING, How::Stated, Scope::general()),
        // One contradicts the other.
        50 => teach(OLD, How::Implicit, Scope::general()),
        300 => teach(NEW, How::Implicit, Scope::general()),
        _ => {}
    }
    // The whole year through, in other words, never confirmed.
    if n % 40 == 7 {
        teach(RECURRING[usize::try_from(n / 40).unwrap() % 3], How::Pending, Scope::general());
    }
    // Sixty confirmed preferences: more than memory.md has room for.
    if n % 6 == 1 && n / 6 < 60 {
        let k = usize::try_from(n / 6).unwrap();
        teach(
            &format!("Keep the {} shelf of {} tidy.", names(k), names(k + 17).chars().rev().collect::<String>()),
            How::Explicit,
            Scope::general(),
        );
    }
    Heard { lessons, ..Heard::default() }
}

/// A made-up name for each number.
fn names(k: usize) -> String {
    let first = ["bal", "cor", "dun", "fen", "gor", "hal", "jun", "kel", "lom", "mir", "nor", "pel"];
    let last = ["ada", "eno", "ivy", "oth", "ura", "yme", "izo"];
    format!("{}{}{}", first[k % 12], last[k % 7], first[(k / 7) % 12])
}

fn confirmed(home: &Home) -> BTreeSet<String> {
    let entries = home.pages.iter().filter(|(name, _)| Home::is_of_lessons(name)).flat_map(|(_, page)| page.entries());
    entries.filter(|entry| entry.section == Section::Confirmed).map(|entry| entry.text).collect()
}

fn check(home: &Home, at: i64, approved: &BTreeSet<String>) {
    for (name, page) in &home.pages {
        let most = match (name.as_str(), tier_of(name)) {
            ("memory.md", _) => HOT_LINES,
            (_, Tier::Warm) => WARM_LINES,
            _ => continue,
        };
        assert!(page.lines() <= most, "session {at}: {name} has {} lines", page.lines());
    }
    let corrections = super::corrections::corrections(&home.pages[LATEST]);
    assert!(corrections.len() <= 50, "session {at}: {}", corrections.len());
    assert_eq!(&confirmed(home), approved, "session {at}");
}

/// The home after the year; every step of it was checked.
static YEAR: LazyLock<Home> = LazyLock::new(live);

fn live() -> Home {
    let mut home = Home::default();
    let mut approved = BTreeSet::new();
    for n in 0..SESSIONS {
        let heard = session(n);
        approved.extend(heard.lessons.iter().filter(|l| l.how == How::Explicit).map(|l| l.text.clone()));
        feed(&mut home, vec![heard], day(date(n)));
        if home.pages.contains_key(LATEST) {
            check(&home, n, &approved);
        }
    }
    home
}

fn page_of(home: &Home, text: &str) -> String {
    home.placed().remove(&id_of(text)).map(|placed| placed.page).unwrap_or_default()
}

#[test]
fn after_a_year_every_lesson_is_where_it_belongs() {
    let mut home = YEAR.clone();
    home.settle(day(366));
    let recurring = home.placed().remove(&id_of(RECURRING[0])).unwrap();
    assert_eq!((recurring.page.as_str(), recurring.entry.section), ("domains/general.md", Section::Asked));
    for (text, page) in [
        (FADING, "archive/domain-general.md"),
        (BURST, "archive/domain-code.md"),
        (OLD, "archive/domain-general.md"),
        (NEW, "archive/domain-general.md"),
    ] {
        assert_eq!(page_of(&home, text), page, "{text}");
    }
    assert!(confirmed(&home).contains(CONFIRMED));
    // Half a year earlier they were nearer.
    let mut home = Home::default();
    for n in 0..=110 {
        feed(&mut home, vec![session(n)], day(date(n)));
    }
    assert_eq!(page_of(&home, BURST), "memory.md");
    assert_eq!(page_of(&home, OLD), "domains/general.md");
}

#[test]
fn a_year_lived_twice_gives_the_same_bytes() {
    let mut home = live();
    assert_eq!(home, *YEAR);
    // The same sessions again, one by one and all at once: not a byte changes, in the pages or in the log.
    let now = day(date(SESSIONS - 1));
    for n in (0..SESSIONS).step_by(7) {
        feed(&mut home, vec![session(n)], now);
    }
    feed(&mut home, (0..SESSIONS).map(session).collect(), now);
    assert_eq!(home, *YEAR);
}

#[test]
fn settled_is_settled() {
    let mut home = Home::default();
    for n in 0..120 {
        feed(&mut home, vec![session(n)], day(date(n)));
    }
    for later in [120, 150, 200, 400, 900] {
        home.settle(day(later));
        let once = home.clone();
        assert_eq!(home.settle(day(later)), [], "day {later}");
        assert_eq!(home, once);
    }
}
