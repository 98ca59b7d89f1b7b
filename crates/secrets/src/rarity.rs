//! The rarity of a text: the cost of its sequences of three characters in a model of source code and prose.
//!
//! Entropy counts how often each character occurs, so that a long path looks as random as a token. The model knows which
//! characters follow each other in words, names and paths. `cargo xtask trigrams` trains it on source with a permissive licence.

/// The number of symbols that the model tells apart.
pub const SYMBOLS: usize = 32;

/// The size of the model: one byte for each sequence of three symbols.
pub const SIZE: usize = SYMBOLS * SYMBOLS * SYMBOLS;

/// The unit of the model, in bits.
pub const UNIT: f32 = 1.0 / 16.0;

static COSTS: &[u8; SIZE] = include_bytes!("../data/trigrams.bin");

/// Returns the symbol of a byte: a letter without regard to case, a digit, a separator of names or paths, or anything else.
pub const fn symbol(byte: u8) -> usize {
    match byte {
        b'a'..=b'z' => (byte - b'a') as usize,
        b'A'..=b'Z' => (byte - b'A') as usize,
        b'0'..=b'9' => 26,
        b'_' | b'-' => 27,
        b'.' | b'/' | b':' | b'\\' => 28,
        b'+' | b'=' => 29,
        _ => 30,
    }
}

/// The symbol before the first and after the last.
pub const EDGE: usize = 31;

/// Returns the position of three symbols in the model.
pub const fn position(first: usize, second: usize, third: usize) -> usize {
    (first * SYMBOLS + second) * SYMBOLS + third
}

/// Returns the cost of a text in bits for each character, with what changes of case add.
pub fn cost(text: &[u8]) -> f32 {
    let (mut first, mut second, mut total) = (EDGE, EDGE, 0_u32);
    let mut count = 0_u16;
    for byte in text.iter().take(256) {
        let third = symbol(*byte);
        total += u32::from(COSTS.get(position(first, second, third)).copied().unwrap_or(u8::MAX));
        count += 1;
        (first, second) = (second, third);
    }
    let changes = text.windows(2).take(256).filter(|pair| changes_case(pair)).count();
    let changes = u16::try_from(changes).unwrap_or(u16::MAX);
    let length = f32::from(count.max(1));
    // The sum of at most 256 bytes is exact.
    #[allow(clippy::cast_precision_loss, reason = "at most 65,280")]
    let total = total as f32;
    total * UNIT / length + CASE * f32::from(changes) / length
}

/// The cost of a change of case in bits: names change it once a word, random text at every second letter.
const CASE: f32 = 2.0;

fn changes_case(pair: &[u8]) -> bool {
    matches!(pair, [a, b] if (a.is_ascii_uppercase() && b.is_ascii_lowercase())
        || (a.is_ascii_lowercase() && b.is_ascii_uppercase()))
}

/// The least cost of a random value, in bits for each character.
pub const RARE: f32 = 4.9;

/// Returns whether a text is rarer than names, paths and words are.
pub fn is_rare(text: &[u8]) -> bool {
    is_random_hex(text) || cost(text) >= RARE
}

/// The model has one symbol for all digits, so that hexadecimal is told by its mixture of digits and letters.
fn is_random_hex(text: &[u8]) -> bool {
    let changes = text
        .windows(2)
        .filter(|pair| matches!(pair, [a, b] if a.is_ascii_digit() != b.is_ascii_digit()))
        .count();
    text.len() >= 32 && text.iter().all(u8::is_ascii_hexdigit) && changes * 5 >= text.len()
}

/// Returns the entropy of a text in bits for each character, to compare with.
pub fn entropy(text: &[u8]) -> f32 {
    let length = f32::from(u16::try_from(text.len()).unwrap_or(u16::MAX).max(1));
    (0..=u8::MAX)
        .map(|byte| text.iter().filter(|other| **other == byte).count())
        .filter(|count| *count > 0)
        .map(|count| f32::from(u16::try_from(count).unwrap_or(u16::MAX)) / length)
        .map(|share| -share * share.log2())
        .sum()
}
