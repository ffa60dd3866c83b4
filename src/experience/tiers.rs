//! How near a lesson is kept: a pure function of when it was used and of now.
//!
//! The numbers are the seed's ("Automatic Promotion/Demotion"). What a person stated outright is near from the start
//! ("Preference signals -> add to memory.md if explicit"), but tentative: near is not confirmed. A lesson that is obeyed is silent, so a confirmed one
//! does not fade; only want of room moves it ([`super::plan`]).

use chrono::{DateTime, TimeDelta, Utc};

use super::lesson::{Lesson, Tier};

/// So many uses …
pub const HOT_USES: usize = 3;
/// … within so many days bring a lesson into `memory.md`.
pub const HOT_DAYS: i64 = 7;
/// Not used for so many days, it leaves `memory.md`.
pub const WARM_DAYS: i64 = 30;
/// Not used for so many days, it goes to the archive.
pub const COLD_DAYS: i64 = 90;
/// Taught in so many sessions, it is put to the person as a rule.
pub const ASK_AFTER: usize = 3;

/// The tier of a tentative lesson at `now`.
#[must_use]
pub fn tier(lesson: &Lesson, now: DateTime<Utc>) -> Tier {
    let uses = lesson.uses.iter().map(|&at| (at, None));
    let moves = lesson.moves.iter().map(|&(at, tier)| (at, Some(tier)));
    let mut steps: Vec<(DateTime<Utc>, Option<Tier>)> = uses.chain(moves).collect();
    steps.sort_unstable();
    let mut now_at = Tier::Warm;
    let mut recent: Vec<DateTime<Utc>> = Vec::new();
    for (index, &(at, moved)) in steps.iter().enumerate() {
        if let Some(&(before, _)) = index.checked_sub(1).and_then(|i| steps.get(i)) {
            now_at = faded(now_at, at - before);
        }
        now_at = match moved {
            // A hand that moves a line knows why.
            Some(tier) => tier,
            None => {
                recent.retain(|&used| at - used < TimeDelta::days(HOT_DAYS));
                recent.push(at);
                let is_burst = recent.len() >= HOT_USES;
                let is_stated = lesson.stated_at == Some(at);
                if is_burst || is_stated { Tier::Hot } else { now_at.max(Tier::Warm) }
            }
        };
    }
    steps.last().map_or(now_at, |&(last, _)| faded(now_at, now - last))
}

fn faded(tier: Tier, unused: TimeDelta) -> Tier {
    if unused >= TimeDelta::days(COLD_DAYS) {
        Tier::Cold
    } else if unused >= TimeDelta::days(WARM_DAYS) {
        tier.min(Tier::Warm)
    } else {
        tier
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experience::lesson::{Event, How, Place, Scope, What, lessons};

    fn day(n: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::days(20_000 + n)
    }

    fn taught(days: &[i64], how: How) -> Lesson {
        let event = |&n: &i64| Event {
            lesson: "l_1".into(),
            at: day(n),
            what: What::Taught {
                how,
                place: Place { host: "codex".into(), session: format!("s{n}"), line: 1 },
                words: n.to_string(),
                text: "Use pnpm.".into(),
                tag: "pnpm".into(),
                scope: Scope::general(),
            },
        };
        lessons(&days.iter().map(event).collect::<Vec<_>>()).remove("l_1").unwrap()
    }

    #[test]
    fn the_numbers_of_the_seed_decide() {
        for (days, how, now, expected) in [
            (&[0][..], How::Implicit, 0, Tier::Warm),
            (&[0, 3], How::Implicit, 3, Tier::Warm),
            (&[0, 3, 6], How::Implicit, 6, Tier::Hot),
            (&[0, 3, 7], How::Implicit, 7, Tier::Warm),
            (&[0, 3, 6], How::Implicit, 35, Tier::Hot),
            (&[0, 3, 6], How::Implicit, 36, Tier::Warm),
            (&[0, 3, 6], How::Implicit, 95, Tier::Warm),
            (&[0, 3, 6], How::Implicit, 96, Tier::Cold),
            (&[0, 3, 6, 60], How::Implicit, 60, Tier::Warm),
            (&[0, 100], How::Implicit, 100, Tier::Warm),
            (&[0], How::Stated, 29, Tier::Hot),
            (&[0], How::Stated, 30, Tier::Warm),
        ] {
            assert_eq!(tier(&taught(days, how), day(now)), expected, "{days:?} {how:?} {now}");
        }
    }

    #[test]
    fn a_hand_that_moves_a_line_counts_as_a_use() {
        let mut lesson = taught(&[0], How::Implicit);
        lesson.moves.push((day(200), Tier::Hot));
        assert_eq!(tier(&lesson, day(229)), Tier::Hot);
        assert_eq!(tier(&lesson, day(230)), Tier::Warm);
    }
}
