//! Parses amounts of bytes as programs take them: `10M`, `1GiB`, `2T`.

use checkrein_shell::Word;

/// More than a user makes on purpose without looking at the disk first.
pub(super) const HUGE: u128 = 256 << 30;
/// The size from which a file with holes is huge; it takes no room until it is filled.
pub(super) const HUGE_WITH_HOLES: u128 = 16 << 40;

/// The number of bytes that a word says.
pub(super) fn bytes(word: &Word) -> Option<u128> {
    let text = word.constant()?;
    let text = text.trim_start_matches(['+', '-', '<', '>', '/', '%']);
    let end = text.find(|char: char| !char.is_ascii_digit()).unwrap_or(text.len());
    let (digits, unit) = text.split_at_checked(end)?;
    let number: u128 = digits.parse().ok()?;
    let power = match unit.chars().next().map(|unit| unit.to_ascii_lowercase()) {
        None | Some('b' | 'c' | 'w') => 0,
        Some('k') => 1,
        Some('m') => 2,
        Some('g') => 3,
        Some('t') => 4,
        Some('p') => 5,
        Some('e') => 6,
        Some('z') => 7,
        Some('y') => 8,
        Some(_) => return None,
    };
    number.checked_shl(10 * power).filter(|bytes| *bytes >= number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_read_as_programs_read_them() {
        let of = |text: &str| bytes(&Word::text(text, 0..0));
        assert_eq!(of("512"), Some(512));
        assert_eq!(of("10M"), Some(10 << 20));
        assert_eq!(of("+2GiB"), Some(2 << 30));
        assert_eq!(of("900GB"), Some(900 << 30));
        assert_eq!(of("1P"), Some(1 << 50));
        assert_eq!(of("x"), None);
        assert_eq!(of("99999999999999999999999999999999999999999999Y"), None);
    }
}
