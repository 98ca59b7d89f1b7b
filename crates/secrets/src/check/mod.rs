//! Tests of a whole value, after its shape has matched: checksums, structure, and what is next to it.
//!
//! A checksum that fails means that the value is not of this format.

use crate::shape::Matched;
use std::ops::Range;

pub(crate) mod base;
mod block;
mod near;
pub(crate) mod structure;
pub(crate) mod sum;

/// A test, as the rules name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(dead_code, reason = "which of them are used is up to the rules")]
pub(crate) enum Check {
    /// The shape is enough.
    None,
    /// The last six characters are the CRC-32 of those before, without the prefix, in base 62.
    Crc32Base62,
    /// The last eight characters are the CRC-32 of all before the `_`, its bytes in little-endian order.
    Crc32HexLe,
    /// The last seven characters are the CRC-32 of all before, in base 36, and the two before give the length.
    GitlabRoutable,
    /// A macaroon of version 2.
    Macaroon,
    /// Bech32, with its checksum.
    Bech32,
    /// Base58 with the first four bytes of a double SHA-256 at the end.
    Base58,
    /// Base 32 with a CRC-16 at the end.
    Nkey,
    /// The digit at the end is the sum of the others.
    Luhn,
    /// Header and payload are JSON objects.
    Jwt,
    /// Base64 of a user and a password.
    Basic,
    /// A key in PEM, to its last line.
    Pem,
    /// A key of PuTTY, to the end of its private lines.
    Putty,
    /// Letters and digits after a prefix that is short or a word.
    Mixed,
    /// Capital and small letters and digits, and not hexadecimal.
    Mixed3,
    /// The first part is the number of an account.
    Discord,
    /// A secret access key is near.
    AwsPair,
    /// The other parameters of a shared access signature are there.
    AzureSas,
    /// It is not the key of a Firebase web application, which is public.
    NotFirebaseWeb,
    /// Base64 of a JSON object with these keys.
    Base64Json,
}

/// The hidden part of a value that passes, and what else belongs to it.
#[derive(Debug)]
pub(crate) struct Passed {
    pub(crate) hidden: Range<usize>,
    /// The second part of a pair.
    pub(crate) other: Option<Range<usize>>,
}

impl Check {
    /// Applies the test to a value in its text.
    pub(crate) fn pass(self, argument: &str, text: &[u8], matched: &Matched) -> Option<Passed> {
        let whole = text.get(matched.whole.clone())?;
        let hidden = text.get(matched.hidden.clone())?;
        let mut passed = Passed { hidden: matched.hidden.clone(), other: None };
        let is_right = match self {
            Self::None => true,
            Self::Crc32Base62 => sum::is_crc32_base62(whole),
            Self::Crc32HexLe => sum::is_crc32_hex(whole),
            Self::GitlabRoutable => sum::is_gitlab_routable(whole),
            Self::Macaroon => structure::is_macaroon(whole),
            Self::Bech32 => sum::is_bech32(whole),
            Self::Base58 => sum::is_base58(whole),
            Self::Nkey => sum::is_nkey(whole),
            Self::Luhn => sum::is_luhn(whole),
            Self::Jwt => structure::is_jwt(whole),
            Self::Basic => structure::is_basic(hidden),
            Self::Mixed => structure::is_mixed(hidden),
            Self::Mixed3 => structure::is_mixed3(hidden),
            Self::Discord => structure::is_discord(whole),
            Self::Base64Json => structure::is_base64_json(hidden, argument),
            Self::AzureSas => near::is_shared_access_signature(text, &matched.whole),
            Self::NotFirebaseWeb => !near::is_firebase_web(text, &matched.whole),
            Self::AwsPair => {
                passed.other = near::secret_access_key(text, &matched.whole);
                passed.other.is_some()
            }
            Self::Pem => {
                passed.hidden = block::pem(text, matched.whole.end)?;
                true
            }
            Self::Putty => {
                passed.hidden = block::putty(text, matched.whole.end)?;
                true
            }
        };
        is_right.then_some(passed)
    }
}
