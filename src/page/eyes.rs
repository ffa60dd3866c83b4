//! How everything reaches the reader: without secrets and hidden characters, with the days and hours of their own clock.

use chrono::{DateTime, NaiveDate, NaiveDateTime, Utc};

use crate::redact::Redactor;
use crate::text::script::is_chinese;

/// The reader's eyes.
pub(super) struct Eyes<'a> {
    /// The reader's clock.
    pub(super) local: &'a dyn Fn(DateTime<Utc>) -> NaiveDateTime,
    /// What takes out secrets.
    pub(super) redactor: &'a Redactor,
}

impl Eyes<'_> {
    /// A text as it may be shown.
    pub(super) fn text(&self, text: &str) -> String {
        self.redactor.clean(text).text.trim().to_owned()
    }

    /// The day of a time.
    pub(super) fn date(&self, at: DateTime<Utc>) -> NaiveDate {
        (self.local)(at).date()
    }

    /// A time, to the minute.
    pub(super) fn minute(&self, at: DateTime<Utc>) -> String {
        (self.local)(at).format("%-d %b %Y, %H:%M").to_string()
    }
}

/// A day, with its month as a word, so that no country reads it as another day.
pub(super) fn day(date: NaiveDate) -> String {
    date.format("%-d %b %Y").to_string()
}

/// The language of a text, for the browser: it decides the shapes of characters and where lines break.
pub(super) fn language(text: &str) -> &'static str {
    if is_chinese(text) { "zh" } else { "en" }
}
