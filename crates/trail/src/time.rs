//! Times in the form of RFC 3339.

/// The year, the month and the day of a number of days since 1970-01-01.
fn civil(days: u64) -> (u64, u64, u64) {
    // Howard Hinnant's algorithm, for days after 1970 only.
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (year_of_era + era * 400 + u64::from(month <= 2), month, day)
}

/// The number of days from 1970-01-01 to a day; `None` if there is no such day.
pub(crate) fn days(year: u64, month: u64, day: u64) -> Option<u64> {
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) || !(1970..=9999).contains(&year) {
        return None;
    }
    let year = if month <= 2 { year - 1 } else { year };
    let (era, year_of_era) = (year / 400, year % 400);
    let day_of_year = (153 * (if month > 2 { month - 3 } else { month + 9 }) + 2) / 5 + day - 1;
    let found = era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    let found = found.checked_sub(719_468)?;
    // The 31st of a month with 30 days is another day.
    (civil(found).2 == day).then_some(found)
}

/// Formats microseconds since 1970: `2026-11-18T05:25:00.123456Z`.
pub fn format_time(micros: u64) -> String {
    let (seconds, fraction) = (micros / 1_000_000, micros % 1_000_000);
    let (year, month, day) = civil(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60);
    let mut text = *b"0000-00-00T00:00:00.000000Z";
    // One value after another: formatting would cost ten times as much, for every record.
    for (value, place) in [
        (year, 0..4),
        (month, 5..7),
        (day, 8..10),
        (hour, 11..13),
        (minute, 14..16),
        (second, 17..19),
        (fraction, 20..26),
    ] {
        let mut left = value;
        for digit in text.get_mut(place).unwrap_or_default().iter_mut().rev() {
            *digit = b'0' + u8::try_from(left % 10).unwrap_or_default();
            left /= 10;
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// Returns the day of a time, `2026-11-18`, at an offset from UTC in seconds.
pub fn local_day(micros: u64, offset: i64) -> String {
    let seconds = (micros / 1_000_000).saturating_add_signed(offset);
    let (year, month, day) = civil(seconds / 86_400);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_dates_are_inverse() {
        for day in (0..40_000).chain([146_096, 146_097, 1_000_000]) {
            let (year, month, date) = civil(day);
            assert_eq!(days(year, month, date), Some(day));
        }
        assert_eq!(format_time(951_782_400_000_001), "2000-02-29T00:00:00.000001Z");
        assert_eq!(days(2026, 2, 29), None);
        assert_eq!(days(2026, 13, 1), None);
        assert_eq!(local_day(1_763_442_000_000_000, -86_400), "2025-11-17");
    }
}
