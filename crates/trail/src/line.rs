//! A line of the trail and its seal: the number, the hash of the line before, and its own.

use checkrein_core::EventId;

/// The hash before the first line.
pub(crate) const START: [u8; 64] = [b'0'; 64];
/// The longest end of a line that [`Seal::of_end`] needs.
pub(crate) const SEAL: usize = 192;

/// An event without secrets, ready to be appended: a JSON object without its last brace.
#[derive(Clone, Debug)]
pub struct Line {
    pub(crate) id: EventId,
    pub(crate) open: Vec<u8>,
    /// True if it is synced under [`Sync::Deny`](crate::Sync).
    pub(crate) is_denial: bool,
}

impl Line {
    /// The id of the event.
    pub const fn id(&self) -> EventId {
        self.id
    }

    /// Returns the JSON text as it would be stored, without number and hashes.
    pub fn text(&self) -> String {
        let mut text = String::from_utf8_lossy(&self.open).into_owned();
        text.push('}');
        text
    }
}

/// The end of a line: its number, the hash of the line before, and its own hash, in hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seal {
    /// The number of the line, from 1 on.
    pub n: u64,
    /// The hash of the line before.
    pub prev: [u8; 64],
    /// The hash of this line: BLAKE3 of its bytes up to `,"hash":`.
    pub hash: [u8; 64],
}

impl Seal {
    /// The state before the first line.
    pub(crate) const BEGINNING: Self = Self { n: 0, prev: START, hash: START };

    /// Appends a line with its seal to `buffer`, and returns the seal.
    pub(crate) fn add(self, open: &[u8], buffer: &mut Vec<u8>) -> Self {
        let start = buffer.len();
        let n = self.n.saturating_add(1);
        buffer.extend_from_slice(open);
        buffer.extend_from_slice(b",\"n\":");
        crate::json::write_number(n, buffer);
        buffer.extend_from_slice(b",\"prev\":\"");
        buffer.extend_from_slice(&self.hash);
        buffer.push(b'"');
        let hash = hash(buffer.get(start..).unwrap_or_default());
        buffer.extend_from_slice(b",\"hash\":\"");
        buffer.extend_from_slice(&hash);
        buffer.extend_from_slice(b"\"}\n");
        Self { n, prev: self.hash, hash }
    }

    /// Reads the seal at the end of a line without its line break. It does not check the hash.
    pub fn of_end(line: &[u8]) -> Option<Self> {
        let (line, hash) = field(line.strip_suffix(b"}")?, b",\"hash\":\"")?;
        let (line, prev) = field(line, b",\"prev\":\"")?;
        let digits = line.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let (line, number) = line.split_at_checked(line.len().checked_sub(digits)?)?;
        line.strip_suffix(b",\"n\":")?;
        // The same number has one spelling.
        let is_short = number.len() == 1 || number.first() != Some(&b'0');
        let n = std::str::from_utf8(number).ok().filter(|_| is_short)?.parse().ok()?;
        Some(Self { n, prev, hash })
    }

    /// Returns whether the hash of a line is that of its content.
    pub fn is_of(&self, line: &[u8]) -> bool {
        const END: usize = ",\"hash\":\"\"}".len() + 64;
        let content = line.len().checked_sub(END).and_then(|end| line.get(..end));
        content.is_some_and(|content| hash(content) == self.hash)
    }
}

/// Takes a hash and the name before it from the end of a text.
fn field<'l>(line: &'l [u8], name: &[u8]) -> Option<(&'l [u8], [u8; 64])> {
    let line = line.strip_suffix(b"\"")?;
    let (line, hash) = line.split_at_checked(line.len().checked_sub(64)?)?;
    // Without a branch for each byte.
    let is_hex = hash.iter().fold(true, |all, byte| all & matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let hash = is_hex.then(|| hash.try_into().ok())??;
    Some((line.strip_suffix(name)?, hash))
}

/// BLAKE3 in hexadecimal digits. SHA-256 costs as much as all else together on processors without instructions for it.
fn hash(bytes: &[u8]) -> [u8; 64] {
    let mut hex = START;
    crate::json::write_hex(blake3::hash(bytes).as_bytes(), &mut hex);
    hex
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seal_is_read_back_and_fits_in_the_end() {
        let open = format!("{{\"a\":\"{}\"", "x".repeat(100)).into_bytes();
        let mut buffer = Vec::new();
        let seal = Seal { n: u64::MAX - 2, ..Seal::BEGINNING }.add(&open, &mut buffer);
        let line = buffer.strip_suffix(b"\n").unwrap();
        assert_eq!(Seal::of_end(line), Some(seal));
        assert!(seal.is_of(line));
        assert!(line.len() - open.len() < SEAL);
        assert_eq!(Seal::of_end(&line[line.len() - SEAL + 10..]), Some(seal));
        for at in 0..line.len() {
            let mut other = line.to_vec();
            other[at] ^= 1;
            assert!(!Seal::of_end(&other).is_some_and(|found| found.is_of(&other)), "byte {at}");
        }
    }
}
