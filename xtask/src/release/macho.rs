//! Checks a Mac program from the fields of the Mach-O format: its system, and its signature.
//!
//! A Mac with an ARM processor kills a program without a valid signature when it starts. The linker signs "ad hoc":
//! the signature has no author, and a SHA-256 of every page, so that a changed byte is noticed.

use sha2::{Digest, Sha256};

const MAGIC: u32 = 0xfeed_facf;
const EXECUTABLE: u32 = 2;
const CODE_SIGNATURE: u32 = 0x1d;
const BUILD_VERSION: u32 = 0x32;
const LOAD_DYLIB: u32 = 0xc;
const MACOS: u32 = 1;
const SIGNATURE_MAGIC: u32 = 0xfade_0cc0;
const DIRECTORY_MAGIC: u32 = 0xfade_0c02;
const AD_HOC: u32 = 2;
const SHA256: u8 = 2;

/// Checks a program for `architecture`, by the compiler's name, and that it starts on macOS `oldest` (its
/// first number). The error continues the words "the program".
pub(super) fn check(file: &[u8], architecture: &str, oldest: u32) -> Result<(), String> {
    parse(file, architecture, oldest).unwrap_or_else(|| Err("is no complete 64-bit Mach-O file".into()))
}

/// Parses the commands in front of the code; `None` if a field is outside the file.
fn parse(file: &[u8], architecture: &str, oldest: u32) -> Option<Result<(), String>> {
    if little(file, 0)? != MAGIC || little(file, 12)? != EXECUTABLE {
        return None;
    }
    let processor = if architecture == "aarch64" { 0x0100_000c } else { 0x0100_0007 };
    if little(file, 4)? != processor {
        return Some(Err(format!("is not for {architecture}")));
    }
    let (mut at, mut signature, mut system) = (32, None, None);
    for _ in 0..little(file, 16)? {
        let (command, size) = (little(file, at)?, position(little(file, at + 4)?)?);
        match command {
            CODE_SIGNATURE => signature = Some(position(little(file, at + 8)?)?),
            BUILD_VERSION => system = Some((little(file, at + 8)?, little(file, at + 12)? >> 16)),
            LOAD_DYLIB => {
                let name = file.get(at + position(little(file, at + 8)?)?..at.checked_add(size)?)?;
                if !name.starts_with(b"/usr/lib/") && !name.starts_with(b"/System/Library/") {
                    return Some(Err("needs a library that is not part of macOS".into()));
                }
            }
            _ => {}
        }
        if size < 8 {
            return None;
        }
        at = at.checked_add(size)?;
    }
    match system {
        Some((MACOS, version)) if version <= oldest => {}
        Some((MACOS, version)) => return Some(Err(format!("needs macOS {version}"))),
        Some(_) | None => return Some(Err("is not for macOS".into())),
    }
    match signature {
        Some(signature) => signed(file, signature),
        None => Some(Err("has no signature".into())),
    }
}

/// Checks the signature at `at`: an ad-hoc one, whose hashes are those of the pages before it.
fn signed(file: &[u8], at: usize) -> Option<Result<(), String>> {
    if big(file, at)? != SIGNATURE_MAGIC {
        return Some(Err("has a signature of an unknown form".into()));
    }
    for part in 0..position(big(file, at + 8)?)? {
        let directory = at.checked_add(position(big(file, at + 16 + 8 * part)?)?)?;
        if big(file, directory)? == DIRECTORY_MAGIC {
            return hashes(file, at, directory);
        }
    }
    Some(Err("has a signature without hashes".into()))
}

/// Compares the hashes of the directory with the pages; `limit` is where the signature starts.
fn hashes(file: &[u8], limit: usize, directory: usize) -> Option<Result<(), String>> {
    let field = |number: usize| position(big(file, directory + 12 + 4 * number)?);
    let (flags, hash_offset, slots, length) = (big(file, directory + 12)?, field(1)?, field(4)?, field(5)?);
    let [hash_size, kind, _, page_bits] = *file.get(directory + 36..directory + 40)?.first_chunk()?;
    if flags & AD_HOC == 0 || kind != SHA256 || hash_size != 32 {
        return Some(Err("has a signature that is not ad hoc with SHA-256".into()));
    }
    let page = 1_usize.checked_shl(u32::from(page_bits))?;
    if length != limit || slots != length.div_ceil(page) {
        return Some(Err("is not covered by its signature".into()));
    }
    for (index, bytes) in file.get(..length)?.chunks(page).enumerate() {
        let hash = directory.checked_add(hash_offset)?.checked_add(index.checked_mul(32)?)?;
        if file.get(hash..hash.checked_add(32)?)? != Sha256::digest(bytes).as_slice() {
            return Some(Err(format!("was changed after it was signed, in page {index}")));
        }
    }
    Some(Ok(()))
}

fn little(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..at.checked_add(4)?)?.first_chunk()?))
}

fn big(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(*bytes.get(at..at.checked_add(4)?)?.first_chunk()?))
}

fn position(number: u32) -> Option<usize> {
    usize::try_from(number).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: usize = 4096;

    /// Builds a program of two and a half pages with a system and an ad-hoc signature.
    fn program(flags: u32) -> Vec<u8> {
        let code = 2 * PAGE + PAGE / 2;
        let mut file = Vec::new();
        for number in [MAGIC, 0x0100_000c, 0, EXECUTABLE, 2, 40, 0, 0] {
            file.extend(number.to_le_bytes());
        }
        for number in [BUILD_VERSION, 24, MACOS, 11 << 16, 15 << 16, 0] {
            file.extend(number.to_le_bytes());
        }
        for number in [CODE_SIGNATURE, 16, u32::try_from(code).unwrap(), 200] {
            file.extend(number.to_le_bytes());
        }
        file.resize(code, 7);
        let hashes: Vec<u8> = file.chunks(PAGE).flat_map(|page| Sha256::digest(page).to_vec()).collect();
        for number in [SIGNATURE_MAGIC, 0, 1, 0, 20] {
            file.extend(number.to_be_bytes());
        }
        for number in [DIRECTORY_MAGIC, 0, 0x20400, flags, 44, 0, 0, 3, u32::try_from(code).unwrap()] {
            file.extend(number.to_be_bytes());
        }
        file.extend([32, SHA256, 0, 12]);
        file.extend([0; 4]);
        file.extend(hashes);
        file
    }

    #[test]
    fn a_signed_program_passes_and_each_fault_is_named() {
        let good = program(0x20002);
        assert_eq!(check(&good, "aarch64", 11), Ok(()));
        assert_eq!(check(&good, "x86_64", 11), Err("is not for x86_64".into()));
        assert_eq!(check(&good, "aarch64", 10), Err("needs macOS 11".into()));
        let mut changed = good.clone();
        changed[PAGE + 3] ^= 1;
        assert_eq!(check(&changed, "aarch64", 11), Err("was changed after it was signed, in page 1".into()));
        assert!(check(&program(0x20000), "aarch64", 11).is_err_and(|why| why.contains("ad hoc")));
        for length in 0..good.len() {
            assert!(check(&good[..length], "aarch64", 11).is_err(), "{length}");
        }
        let mut unsigned = good;
        unsigned[56..60].copy_from_slice(&0x2a_u32.to_le_bytes());
        assert_eq!(check(&unsigned, "aarch64", 11), Err("has no signature".into()));
    }
}
