//! The prefilter: one pass over the text that looks up four bytes at each position in a table of bits.
//!
//! The cost does not depend on the number of rules. The table has 16 KB; eight positions are looked
//! up without a branch. What the table lets through is compared exactly by the caller.

use crate::{
    gram::{FOLD, hash, hash_folded},
    tables::WORDS,
};

/// One bit for each hash of four bytes.
pub(crate) type Bits = [u64; WORDS];

#[inline]
fn is_set(bits: &Bits, hash: u32) -> u64 {
    bits.get((hash >> 6) as usize).map_or(0, |word| word >> (hash & 63))
}

/// The eight bytes from `at` on, folded.
#[inline]
fn word(text: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*text.get(at..)?.first_chunk()?) | FOLD)
}

/// Calls `found` with each position whose four bytes are in the table, and with their hash.
#[inline]
pub(crate) fn positions(text: &[u8], bits: &Bits, mut found: impl FnMut(usize, u32)) {
    let mut at = 0;
    // Eight positions at once: no branch as long as none of them is in the table.
    while let (Some(low), Some(high)) = (word(text, at), word(text, at + 3)) {
        let any = is_set(bits, hash_folded(low as u32))
            | is_set(bits, hash_folded((low >> 8) as u32))
            | is_set(bits, hash_folded((low >> 16) as u32))
            | is_set(bits, hash_folded((low >> 24) as u32))
            | is_set(bits, hash_folded((low >> 32) as u32))
            | is_set(bits, hash_folded((high >> 16) as u32))
            | is_set(bits, hash_folded((high >> 24) as u32))
            | is_set(bits, hash_folded((high >> 32) as u32));
        if any & 1 == 1 {
            each(text.get(at..at + 11).unwrap_or_default(), at, bits, &mut found);
        }
        at += 8;
    }
    each(text.get(at..).unwrap_or_default(), at, bits, &mut found);
}

/// Looks at each position of a few bytes. Apart from the loop, which would otherwise keep every hash for it.
#[inline(never)]
fn each(bytes: &[u8], at: usize, bits: &Bits, found: &mut impl FnMut(usize, u32)) {
    for (offset, gram) in bytes.windows(4).enumerate() {
        let Ok(gram) = <[u8; 4]>::try_from(gram) else { continue };
        let hash = hash(u32::from_le_bytes(gram));
        if is_set(bits, hash) & 1 == 1 {
            found(at + offset, hash);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_looked_at() {
        let mut bits = [0; WORDS];
        let hash = hash(u32::from_le_bytes(*b"gram"));
        bits[(hash >> 6) as usize] |= 1 << (hash & 63);
        for before in 0..40 {
            for after in 0..12 {
                let text = format!("{}gRAm{}", "-".repeat(before), "-".repeat(after));
                let mut found = Vec::new();
                positions(text.as_bytes(), &bits, |at, _| found.push(at));
                assert_eq!(found, [before], "{text}");
            }
        }
    }
}
