//! Checksums inside values.

use super::base;
use sha2::{Digest, Sha256};

/// The digits of base 62, in the order that GitHub and npm use.
pub(crate) const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// The digits of base 36.
pub(crate) const BASE36: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";

/// The four steps of a CRC-32 with a table of sixteen entries: values are short, and a large table would cost pages.
pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    #[allow(clippy::indexing_slicing, reason = "computed by the compiler")]
    const TABLE: [u32; 16] = {
        let mut table = [0; 16];
        let mut index = 0;
        while index < 16 {
            let mut entry = index as u32;
            let mut bit = 0;
            while bit < 4 {
                entry = if entry & 1 == 1 { entry >> 1 ^ 0xedb8_8320 } else { entry >> 1 };
                bit += 1;
            }
            table[index] = entry;
            index += 1;
        }
        table
    };
    let entry = |crc: u32| TABLE.get((crc & 15) as usize).copied().unwrap_or_default();
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        let crc = crc ^ u32::from(*byte);
        let crc = crc >> 4 ^ entry(crc);
        crc >> 4 ^ entry(crc)
    })
}

/// The CRC-16 of XModem.
pub(crate) fn crc16(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0, |crc, byte| {
        (0..8).fold(
            crc ^ u16::from(*byte) << 8,
            |crc, _| if crc & 0x8000 == 0 { crc << 1 } else { crc << 1 ^ 0x1021 },
        )
    })
}

/// Writes a number with these digits, filled up with the first of them.
pub(crate) fn digits(mut number: u32, digits: &[u8], length: usize) -> Vec<u8> {
    let base = u32::try_from(digits.len()).unwrap_or(10);
    let mut written: Vec<u8> = (0..length)
        .map(|_| {
            let digit = digits.get((number % base) as usize).copied().unwrap_or(b'0');
            number /= base;
            digit
        })
        .collect();
    written.reverse();
    written
}

pub(crate) fn is_crc32_base62(value: &[u8]) -> bool {
    let body = value.iter().position(|byte| *byte == b'_').and_then(|at| value.get(at + 1..));
    let parts = body.and_then(|body| body.split_at_checked(30));
    parts.is_some_and(|(random, sum)| sum == digits(crc32(random), BASE62, 6))
}

pub(crate) fn is_crc32_hex(value: &[u8]) -> bool {
    let Some((random, sum)) =
        value.iter().rposition(|byte| *byte == b'_').and_then(|at| value.split_at_checked(at))
    else {
        return false;
    };
    base::hex(sum.get(1..).unwrap_or_default()).is_some_and(|sum| sum == crc32(random).to_le_bytes())
}

pub(crate) fn is_gitlab_routable(value: &[u8]) -> bool {
    let Some((before, sum)) = value.len().checked_sub(7).and_then(|at| value.split_at_checked(at)) else {
        return false;
    };
    let payload = value.iter().position(|byte| *byte == b'.').and_then(|at| value.get("glpat-".len()..at));
    let length = payload.and_then(|payload| u32::try_from(payload.len()).ok());
    let said = before.len().checked_sub(2).and_then(|at| before.get(at..));
    length.is_some_and(|length| said == Some(digits(length, BASE36, 2).as_slice()))
        && sum == digits(crc32(before), BASE36, 7)
}

const BECH32: &[u8; 32] = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";

fn bech32_step(sum: u32, value: u32) -> u32 {
    const GENERATOR: [u32; 5] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3];
    let top = sum >> 25;
    let sum = (sum & 0x01ff_ffff) << 5 ^ value;
    GENERATOR
        .iter()
        .enumerate()
        .fold(sum, |sum, (bit, generator)| if top >> bit & 1 == 1 { sum ^ generator } else { sum })
}

/// The state of a Bech32 checksum after the part before the last `1` and these characters.
pub(crate) fn bech32_sum(prefix: &[u8], data: &[u8]) -> Option<u32> {
    let prefix = prefix.to_ascii_lowercase();
    let high = prefix.iter().map(|byte| u32::from(byte >> 5));
    let low = prefix.iter().map(|byte| u32::from(byte & 31));
    let mut sum = high.chain([0]).chain(low).fold(1, bech32_step);
    for byte in data.to_ascii_lowercase() {
        sum = bech32_step(sum, u32::try_from(BECH32.iter().position(|known| *known == byte)?).ok()?);
    }
    Some(sum)
}

pub(crate) fn is_bech32(value: &[u8]) -> bool {
    let Some((prefix, data)) =
        value.iter().rposition(|byte| *byte == b'1').and_then(|at| value.split_at_checked(at))
    else {
        return false;
    };
    bech32_sum(prefix, data.get(1..).unwrap_or_default()) == Some(1)
}

/// The six characters that make a Bech32 text right.
#[cfg(feature = "sample")]
pub(crate) fn bech32_tail(prefix: &[u8], data: &[u8]) -> Option<Vec<u8>> {
    let sum = (0..6).fold(bech32_sum(prefix, data)?, |sum, _| bech32_step(sum, 0)) ^ 1;
    Some((0..6_u32).rev().filter_map(|at| BECH32.get((sum >> (at * 5) & 31) as usize).copied()).collect())
}

pub(crate) fn is_base58(value: &[u8]) -> bool {
    let decoded = base::base58(value);
    let parts = decoded.as_deref().and_then(|bytes| bytes.split_at_checked(bytes.len().checked_sub(4)?));
    parts.is_some_and(|(bytes, sum)| !bytes.is_empty() && double_sha256(bytes).starts_with(sum))
}

/// SHA-256 of SHA-256.
pub(crate) fn double_sha256(bytes: &[u8]) -> Vec<u8> {
    Sha256::digest(Sha256::digest(bytes)).to_vec()
}

pub(crate) fn is_nkey(value: &[u8]) -> bool {
    let decoded = base::base32(value);
    let parts = decoded.as_deref().and_then(|bytes| bytes.split_at_checked(bytes.len().checked_sub(2)?));
    parts.is_some_and(|(bytes, sum)| crc16(bytes).to_le_bytes() == sum)
}

/// Returns whether a card's number is right and of a network's range, and none of the numbers for tests, which repeat their groups.
pub(crate) fn is_luhn(value: &[u8]) -> bool {
    let digits: Vec<u32> = value.iter().filter_map(|byte| char::from(*byte).to_digit(10)).collect();
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(at, digit)| if at % 2 == 1 { digit * 2 / 10 + digit * 2 % 10 } else { *digit })
        .sum();
    let first = digits.first().copied().unwrap_or_default();
    let distinct = (0..10).filter(|digit| digits.contains(digit)).count();
    (13..=19).contains(&digits.len()) && (2..=6).contains(&first) && distinct > 4 && sum.is_multiple_of(10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sums_are_those_of_their_definitions() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(crc16(b"123456789"), 0x31c3);
        assert_eq!(digits(61, BASE62, 6), b"00000z");
        // Examples of BIP 173.
        assert!(is_bech32(b"A12UEL5L"));
        assert!(!is_bech32(b"A12UEL5Q"));
        assert!(is_luhn(b"4539148803436467"));
        assert!(!is_luhn(b"4539148803436468"));
    }
}
