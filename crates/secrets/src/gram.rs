//! Four bytes as a number, without regard to case, and which four of a literal are searched for.
//!
//! The build script includes this file, so that both sides compute the same hash.

/// The number of bits in the table of grams.
pub(crate) const BITS: usize = 1 << LOG_BITS;
const LOG_BITS: u32 = 17;

/// The number of lists that the anchors are sorted into.
#[allow(dead_code, reason = "for the build script")]
pub(crate) const BUCKETS: usize = 1 << 12;

/// The bits that tell capital from small letters. Setting them also maps a few signs onto others, which the exact comparison
/// tells apart.
pub(crate) const FOLD: u64 = 0x2020_2020_2020_2020;

/// Hashes four bytes, in the order of a little-endian number, without regard to case.
#[inline]
pub(crate) const fn hash(gram: u32) -> u32 {
    hash_folded(gram | FOLD as u32)
}

/// Hashes four bytes that are folded already.
#[inline]
pub(crate) const fn hash_folded(gram: u32) -> u32 {
    // A product of 64 bits: one instruction, and no temptation to vectorise it badly.
    ((gram as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - LOG_BITS)) as u32
}

/// Returns the list that a hash belongs to.
#[inline]
pub(crate) const fn bucket(hash: u32) -> usize {
    (hash as usize) / (BITS / BUCKETS)
}

/// Returns where the four bytes of a literal begin that are the rarest in source and prose.
#[allow(dead_code, reason = "for the build script")]
pub(crate) fn rarest(literal: &[u8]) -> Option<usize> {
    // Digits, signs and rare letters are rarer than common letters; of equals, the first counts.
    let rarity = |byte: &u8| match byte.to_ascii_lowercase() {
        b'0'..=b'9' => 5_u32,
        b'q' | b'z' | b'x' | b'j' | b'k' | b'w' | b'v' => 4,
        b'_' | b'-' | b'.' | b'/' | b':' | b'=' | b' ' => 3,
        b'a' | b'e' | b'i' | b'o' | b't' | b'n' | b's' | b'r' => 0,
        _ => 2,
    };
    let score = |gram: &[u8]| {
        let repeated = gram.windows(2).filter(|pair| pair.first() == pair.last()).count();
        // `----` and the like are common.
        gram.iter().map(rarity).sum::<u32>().saturating_sub(if repeated > 1 { 20 } else { 0 })
    };
    let mut best: Option<(u32, usize)> = None;
    for (at, gram) in literal.windows(4).enumerate() {
        let score = score(gram);
        if best.is_none_or(|(most, _)| score > most) {
            best = Some((score, at));
        }
    }
    best.map(|(_, at)| at)
}
