//! The id of an event in the trail.
//!
//! A denial shows it, so that a user can ask what happened (`checkrein why ID`). It is made before the answer is
//! written, short enough to be typed, and sorts by time.

use std::{fmt, str::FromStr};

/// The digits, without letters that look like others. They sort like their values.
const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// The number of digits.
const LENGTH: usize = 12;
/// The bits that tell processes apart which have an event in the same microsecond.
const SALT_BITS: u32 = 10;
/// 2024-01-01 in microseconds since 1970: 50 bits are enough until 2059.
const EPOCH: u64 = 1_704_067_200_000_000;

/// The id of an event: its time in microseconds, and ten bits that tell processes apart.
///
/// ```
/// use checkrein_core::EventId;
/// let id = EventId::new(1_800_000_000_000_000, 7);
/// assert_eq!(id.to_string(), "2q80c7er0007");
/// assert_eq!("2Q80C7ER0007".parse(), Ok(id));
/// assert_eq!(id.micros(), 1_800_000_000_000_000);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventId(u64);

impl EventId {
    /// Creates an id from a time in microseconds since 1970, and from anything that differs between processes.
    pub const fn new(micros: u64, salt: u16) -> Self {
        let time = micros.saturating_sub(EPOCH) & ((1 << (LENGTH as u32 * 5 - SALT_BITS)) - 1);
        Self(time << SALT_BITS | (salt as u64 & ((1 << SALT_BITS) - 1)))
    }

    /// Returns the time in microseconds since 1970.
    pub const fn micros(self) -> u64 {
        (self.0 >> SALT_BITS) + EPOCH
    }

    /// Returns the digits.
    fn digits(self) -> [u8; LENGTH] {
        let mut digits = [b'0'; LENGTH];
        for (place, digit) in digits.iter_mut().rev().enumerate() {
            let value = usize::try_from(self.0 >> (5 * place) & 31).unwrap_or_default();
            *digit = DIGITS.get(value).copied().unwrap_or(b'0');
        }
        digits
    }
}

impl fmt::Display for EventId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.digits();
        formatter.pad(std::str::from_utf8(&digits).unwrap_or_default())
    }
}

impl fmt::Debug for EventId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "EventId({self})")
    }
}

/// The error for a text that is not an id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an id: it has {LENGTH} letters and digits, as a denial and `checkrein log` show it")]
pub struct NotAnIdError(String);

impl FromStr for EventId {
    type Err = NotAnIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digit = |letter: u8| DIGITS.iter().position(|digit| *digit == letter.to_ascii_lowercase());
        let value = text.bytes().try_fold(0_u64, |value, letter| {
            // What a user reads aloud or copies by hand.
            let letter = match letter {
                b'o' | b'O' => b'0',
                b'i' | b'I' | b'l' | b'L' => b'1',
                other => other,
            };
            Some(value << 5 | u64::try_from(digit(letter)?).ok()?)
        });
        value.filter(|_| text.len() == LENGTH).map(Self).ok_or_else(|| NotAnIdError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_sort_by_time_as_numbers_and_as_texts() {
        let times = [EPOCH, EPOCH + 1, 1_763_442_000_000_000, 1_763_442_000_000_001, 2_800_000_000_000_000];
        let ids: Vec<EventId> = times.iter().map(|time| EventId::new(*time, 1023)).collect();
        assert!(ids.is_sorted());
        assert!(ids.iter().map(EventId::to_string).collect::<Vec<_>>().is_sorted());
        for (id, time) in ids.iter().zip(times) {
            assert_eq!(id.micros(), time);
            assert_eq!(id.to_string().parse(), Ok(*id));
        }
    }

    #[test]
    fn other_texts_are_no_ids() {
        for text in ["", "2q80c7er000", "2q80c7er0007x", "2q80c7er000u", "2q80c7er0-07", "zzzzzzzzzzzé"] {
            assert!(text.parse::<EventId>().is_err(), "{text}");
        }
        assert_eq!("O00000000i0L".parse::<EventId>().unwrap().to_string(), "000000000101");
    }
}
