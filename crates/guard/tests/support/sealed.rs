//! Held-out lists, kept so that they are not read by accident: a search through the repository does not show them.
//!
//! This hides nothing from readers who want to look. It keeps the lists from being seen during a search for something
//! else.

/// Their path from the root of the repository.
pub(crate) const FILE: &str = "corpus/guard/blind/held-back.sealed";

/// Seals a text, or opens a sealed one: both are the same.
pub(crate) fn veil(bytes: &[u8]) -> Vec<u8> {
    let mut state: u64 = 0x6865_6c64_2062_6163;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes().into_iter().fold(0_u8, |all, byte| all ^ byte)
    };
    bytes.iter().map(|byte| byte ^ next()).collect()
}
