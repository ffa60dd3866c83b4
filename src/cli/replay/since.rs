//! `--since`: a day, a time, or how long ago.

use chrono::{DateTime, NaiveDate, NaiveTime, TimeDelta, Utc};

use crate::error::{Error, ErrorKind, Result};

/// The time that was typed. A day begins at midnight UTC, as transcripts count time.
pub(in crate::cli) fn parse(text: &str, now: DateTime<Utc>) -> Result<DateTime<Utc>> {
    let day = || text.parse::<NaiveDate>().ok().map(|day| day.and_time(NaiveTime::MIN).and_utc());
    let time = || DateTime::parse_from_rfc3339(text).ok().map(|time| time.to_utc());
    day().or_else(time).or_else(|| now.checked_sub_signed(length(text)?)).ok_or_else(|| {
        let what = "--since takes a day (2026-01-31), a time (2026-01-31T08:00:00Z) or how long ago (12h, 7d, 4w)";
        Error::new(ErrorKind::Usage, what)
    })
}

fn length(text: &str) -> Option<TimeDelta> {
    let number = |unit: char| text.strip_suffix(unit)?.parse::<u32>().ok().map(i64::from);
    let hours = || number('h').and_then(TimeDelta::try_hours);
    let days = || number('d').and_then(TimeDelta::try_days);
    let weeks = || number('w').and_then(TimeDelta::try_weeks);
    hours().or_else(days).or_else(weeks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_times_and_lengths_are_understood() {
        let now: DateTime<Utc> = "2026-03-10T12:00:00Z".parse().unwrap();
        for (text, expected) in [
            ("2026-01-31", "2026-01-31T00:00:00Z"),
            ("2026-01-31T08:00:00+02:00", "2026-01-31T06:00:00Z"),
            ("12h", "2026-03-10T00:00:00Z"),
            ("7d", "2026-03-03T12:00:00Z"),
            ("4w", "2026-02-10T12:00:00Z"),
        ] {
            assert_eq!(parse(text, now).unwrap(), expected.parse::<DateTime<Utc>>().unwrap(), "{text}");
        }
        for text in ["", "yesterday", "7", "-7d", "d", "2026-13-01", "99999999999w"] {
            assert_eq!(parse(text, now).unwrap_err().kind(), ErrorKind::Usage, "{text}");
        }
    }
}
