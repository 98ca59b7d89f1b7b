//! Tags, which replace secrets: `secret_github_token_k3f7q2x`.
//!
//! A tag has word characters only, so that it survives JSON, quotes, globs and shells, and matches no rule. Its end is a keyed
//! digest of the value: equal values have equal tags, and without the key a tag tells nothing about a value.

use crate::tables;
use sha2::{Digest, Sha256};
use std::ops::Range;

const PREFIX: &str = "secret_";
/// The number of characters of the digest: 35 bits.
const LENGTH: usize = 7;
const DIGITS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
/// The label of values without a format of their own.
const PLAIN: &str = "value";

/// The key of a machine, under which values become tags and fingerprints.
#[derive(Clone)]
pub struct Key([u8; 32]);

impl std::fmt::Debug for Key {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Key(…)")
    }
}

impl Key {
    /// A key from 32 random bytes, which the caller keeps.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Returns HMAC-SHA-256 of a text under this key.
    pub fn digest(&self, text: &[u8]) -> [u8; 32] {
        let block = |pad: u8| {
            let mut block = [pad; 64];
            block.iter_mut().zip(self.0).for_each(|(byte, key)| *byte ^= key);
            block
        };
        let inner = Sha256::new().chain_update(block(0x36)).chain_update(text).finalize();
        Sha256::new().chain_update(block(0x5c)).chain_update(inner).finalize().into()
    }

    /// Returns the keyed BLAKE3 of a text under this key: for long texts, at a fraction of the cost of [`digest`](Self::digest).
    pub fn keyed_hash(&self, text: &[u8]) -> [u8; 32] {
        *blake3::keyed_hash(&self.0, text).as_bytes()
    }

    /// Returns the tag for a value with this label.
    pub fn tag(&self, label: &str, value: &[u8]) -> String {
        let digest = self.digest(value);
        let number = digest.iter().take(5).fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
        let mut tag = String::with_capacity(PREFIX.len() + label.len() + LENGTH + 1);
        tag.push_str(PREFIX);
        tag.push_str(label);
        tag.push('_');
        for at in 0..LENGTH {
            let digit = DIGITS.get((number >> (5 * at) & 31) as usize).copied().unwrap_or(b'a');
            tag.push(char::from(digit));
        }
        tag
    }
}

/// Returns whether a text is a tag.
pub fn is_tag(text: &[u8]) -> bool {
    let Some((label, digest)) = text
        .strip_prefix(PREFIX.as_bytes())
        .and_then(|rest| rest.split_at_checked(rest.len().checked_sub(LENGTH)?))
    else {
        return false;
    };
    let label = label.strip_suffix(b"_");
    digest.iter().all(|byte| DIGITS.contains(byte))
        && label.is_some_and(|label| {
            label == PLAIN.as_bytes() || tables::labels().any(|known| known.as_bytes() == label)
        })
}

/// Returns the places of the tags in a text, in order.
pub fn tags(text: &str) -> impl Iterator<Item = Range<usize>> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let bytes = text.as_bytes();
    text.match_indices(PREFIX).filter_map(move |(start, _)| {
        let is_start =
            start.checked_sub(1).and_then(|before| bytes.get(before)).is_none_or(|byte| !is_word(byte));
        let length = bytes.get(start..)?.iter().take_while(|byte| is_word(byte)).count();
        let tag = start..start + length;
        (is_start && is_tag(bytes.get(tag.clone())?)).then_some(tag)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_is_hmac() {
        // RFC 4231, test case 2, whose key is filled up with zeros to a block anyway.
        let mut key = [0; 32];
        key[..4].copy_from_slice(b"Jefe");
        let digest = Key::new(key).digest(b"what do ya want for nothing?");
        assert_eq!(digest[..8], [0x5b, 0xdc, 0xc1, 0x46, 0xbf, 0x60, 0x75, 0x4e]);
    }

    #[test]
    fn a_tag_is_recognised_and_tells_values_apart() {
        let key = Key::new([7; 32]);
        let tag = key.tag("github_token", b"one");
        assert!(is_tag(tag.as_bytes()), "{tag}");
        assert_eq!(tag, key.tag("github_token", b"one"));
        assert_ne!(tag, key.tag("github_token", b"two"));
        assert_ne!(tag, Key::new([8; 32]).tag("github_token", b"one"));
        let text = format!("A={tag}, my{tag} {tag}x ({tag})");
        let found: Vec<_> = tags(&text).map(|range| text.get(range).unwrap()).collect();
        assert_eq!(found, [tag.as_str(); 2]);
        assert!(!is_tag(b"secret_unknown_label_abcdefg"));
        assert!(!is_tag(b"secret_abcdefg"));
    }
}
