//! Classes of bytes, by the names that the rules use.
//!
//! The build script includes this file: it turns the classes into one table, in which each byte has a bit for each class.

/// A class: its name in the rules, and its members as characters and ranges `a-z`. A `-` that is a member is the last character.
pub(crate) const CLASSES: &[(&str, &str)] = &[
    ("hex", "0-9a-f"),
    ("HEX", "0-9A-F"),
    ("xhex", "0-9a-fA-F"),
    ("b62", "0-9A-Za-z"),
    ("b36", "0-9a-z"),
    ("B36", "0-9A-Z"),
    ("b32", "A-Z2-7"),
    ("b32l", "a-z2-7"),
    ("b58", "1-9A-HJ-NP-Za-km-z"),
    ("b64", "0-9A-Za-z+/"),
    ("b64p", "0-9A-Za-z+/="),
    ("b64u", "0-9A-Za-z_-"),
    ("b64up", "0-9A-Za-z_=-"),
    ("b64ud", "0-9A-Za-z_.-"),
    ("b64a", "0-9A-Za-z+/_=-"),
    ("b64enc", "0-9A-Za-z+/%=_-"),
    ("b62d", "0-9A-Za-z-"),
    ("b62du", "0-9A-Za-z._"),
    ("digit", "0-9"),
    ("lower", "a-z"),
    ("bech", "qpzry9x8gf2tvdw0s3jn54khce6mua7l"),
    ("BECH", "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"),
    ("azure", "0-9A-Za-z_.~-"),
    ("uri", "!-!#-&(-;=?-Z_a-z~"),
    // The characters that may follow a name, used to lengthen a short keyword.
    ("joint", " =:\"'_>-"),
    // Before `://`.
    ("scheme", "a-z0-9+"),
];

/// The bytes of a class, in order.
pub(crate) fn members(description: &str) -> Vec<u8> {
    let bytes = description.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(&first) = bytes.get(at) {
        match (bytes.get(at + 1), bytes.get(at + 2)) {
            (Some(b'-'), Some(&last)) => {
                found.extend(first..=last);
                at += 3;
            }
            _ => {
                found.push(first);
                at += 1;
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
