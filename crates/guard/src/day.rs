//! A day, in the calendar and as a number.
//!
//! Exceptions end on a day. For that a number of days is enough, and a crate for dates would be larger than the rest of
//! the guard.

use std::{fmt, str::FromStr};

/// A day of the Gregorian calendar, in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(i64);

/// A text that is not a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DayError;

/// The days of 400 years, after which the calendar repeats.
const ERA: i64 = 146_097;
/// The days from the first of March of the year 0 to the first of January 1970.
const EPOCH: i64 = 719_468;

impl Day {
    /// The day of a moment, in seconds since 1970.
    pub fn of_seconds(seconds: u64) -> Self {
        Self(i64::try_from(seconds / 86_400).unwrap_or(i64::MAX / ERA))
    }

    /// Returns the day this many days later.
    #[must_use]
    pub fn after(self, days: u64) -> Self {
        Self(self.0.saturating_add(i64::try_from(days).unwrap_or(i64::MAX / ERA)))
    }

    /// Year, month and day. Years begin in March here, so that a leap day is the last day of its year.
    fn parts(self) -> (i64, i64, i64) {
        let days = self.0 + EPOCH;
        let (era, day) = (days.div_euclid(ERA), days.rem_euclid(ERA));
        let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let month = (5 * day + 2) / 153;
        let day = day - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        (year + era * 400 + i64::from(month <= 2), month, day)
    }

    fn of_parts(year: i64, month: i64, day: i64) -> Self {
        let year = if month <= 2 { year - 1 } else { year };
        let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
        let month = if month > 2 { month - 3 } else { month + 9 };
        let of_year = (153 * month + 2) / 5 + day - 1;
        Self(era * ERA + of_era * 365 + of_era / 4 - of_era / 100 + of_year - EPOCH)
    }
}

impl FromStr for Day {
    type Err = DayError;

    /// `2027-01-31`, and no other form.
    fn from_str(text: &str) -> Result<Self, DayError> {
        let mut fields = text.split('-');
        let mut number = |digits: usize| {
            let field = fields.next().filter(|field| field.len() == digits)?;
            field.bytes().all(|byte| byte.is_ascii_digit()).then(|| field.parse().ok())?
        };
        let parts = (|| Some((number(4)?, number(2)?, number(2)?)))();
        let (year, month, day): (i64, i64, i64) = parts.ok_or(DayError)?;
        if fields.next().is_some() || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
            return Err(DayError);
        }
        // The 31st of April is another day.
        let found = Self::of_parts(year, month, day);
        if found.parts() == (year, month, day) { Ok(found) } else { Err(DayError) }
    }
}

impl fmt::Display for Day {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.parts();
        write!(formatter, "{year:04}-{month:02}-{day:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn days_that_are_known() {
        for (text, seconds) in [
            ("1970-01-01", 0),
            ("1970-01-01", 86_399),
            ("1970-01-02", 86_400),
            ("2000-02-29", 951_782_400),
            ("2026-11-16", 1_794_787_200),
            ("2100-03-01", 4_107_542_400),
        ] {
            assert_eq!(Day::of_seconds(seconds).to_string(), text);
            assert_eq!(text.parse(), Ok(Day::of_seconds(seconds)));
        }
    }

    #[test]
    fn what_is_no_day() {
        for text in [
            "",
            "2026",
            "2026-02-29",
            "2026-04-31",
            "2026-13-01",
            "2026-00-10",
            "26-01-01",
            "2026-1-1",
            "2026-01-01T00:00:00Z",
            "2026-01-01-1",
            "+026-01-01",
            "never",
        ] {
            assert_eq!(text.parse::<Day>(), Err(DayError), "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_day_is_its_text(seconds in 0_u64..253_402_300_800, more in 1_u64..400) {
            let day = Day::of_seconds(seconds);
            prop_assert_eq!(day.to_string().parse(), Ok(day));
            let later = Day::of_seconds(seconds + more * 86_400);
            prop_assert!(later > day);
            prop_assert_ne!(later.to_string(), day.to_string());
        }
    }
}
