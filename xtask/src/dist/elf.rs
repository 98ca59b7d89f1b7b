//! Checks the kind of a program from a few fields of the ELF format.

/// The offsets of header fields in a 64-bit little-endian file.
mod field {
    pub(super) const MACHINE: usize = 18;
    pub(super) const SEGMENTS: usize = 32;
    pub(super) const SECTIONS: usize = 40;
    pub(super) const SEGMENT_SIZE: usize = 54;
    pub(super) const SEGMENT_COUNT: usize = 56;
    pub(super) const SECTION_SIZE: usize = 58;
    pub(super) const SECTION_COUNT: usize = 60;
}

const SEGMENT_LOAD: u64 = 1;
const SEGMENT_DYNAMIC: u64 = 2;
const SEGMENT_INTERPRETER: u64 = 3;
const SEGMENT_STACK: u64 = 0x6474_e551;
const EXECUTABLE: u64 = 1;
const WRITABLE: u64 = 2;
const DYNAMIC_NEEDED: u64 = 1;
const SECTION_SYMBOLS: u64 = 2;

/// Checks that the program needs no other file to start, contains no symbols, and has no memory that is
/// both writable and executable, and that it is for this architecture, by the compiler's name. The error
/// continues the words "the program".
pub(crate) fn check(file: &[u8], architecture: &str) -> Result<(), String> {
    let incomplete = || "is no complete 64-bit little-endian ELF file".to_owned();
    let machine = match architecture {
        "x86_64" => 62,
        "aarch64" => 183,
        other => return Err(format!("is for `{other}`, which nobody has checked")),
    };
    if number(file, field::MACHINE, 2).ok_or_else(incomplete)? != machine {
        return Err(format!("is not for {architecture}"));
    }
    parse(file).unwrap_or_else(|| Err(incomplete()))
}

/// Parses the headers; `None` if a field is outside the file.
fn parse(file: &[u8]) -> Option<Result<(), String>> {
    if !file.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    for segment in table(file, field::SEGMENTS, field::SEGMENT_SIZE, field::SEGMENT_COUNT)? {
        let (kind, flags) = (number(segment, 0, 4)?, number(segment, 4, 4)?);
        let both = flags & EXECUTABLE != 0 && flags & WRITABLE != 0;
        match kind {
            SEGMENT_INTERPRETER => return Some(Err("needs a dynamic linker to start".into())),
            SEGMENT_LOAD | SEGMENT_STACK if both => return Some(Err("can run what it can write".into())),
            SEGMENT_DYNAMIC => {
                let (from, length) = (position(segment, 8)?, position(segment, 32)?);
                let entries = file.get(from..from.checked_add(length)?)?.chunks_exact(16);
                if entries.filter_map(|entry| number(entry, 0, 8)).any(|tag| tag == DYNAMIC_NEEDED) {
                    return Some(Err("needs a shared library".into()));
                }
            }
            _ => {}
        }
    }
    for section in table(file, field::SECTIONS, field::SECTION_SIZE, field::SECTION_COUNT)? {
        if number(section, 4, 4)? == SECTION_SYMBOLS {
            return Some(Err("is not stripped".into()));
        }
    }
    Some(Ok(()))
}

/// Returns the entries of the table whose offset, entry size and count are in the header at these
/// positions.
fn table(file: &[u8], place: usize, size: usize, count: usize) -> Option<Vec<&[u8]>> {
    let from = position(file, place)?;
    let size = usize::try_from(number(file, size, 2)?).ok()?;
    let count = usize::try_from(number(file, count, 2)?).ok()?;
    (0..count)
        .map(|index| {
            let start = from.checked_add(index * size)?;
            file.get(start..start + size)
        })
        .collect()
}

fn position(bytes: &[u8], at: usize) -> Option<usize> {
    usize::try_from(number(bytes, at, 8)?).ok()
}

fn number(bytes: &[u8], at: usize, length: usize) -> Option<u64> {
    let bytes = bytes.get(at..at + length)?;
    Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Builds a program with `segments` (kind, flags, offset, length) and `sections` (kind), with 32 bytes
    /// of `dynamic` at 64.
    fn program(segments: &[(u32, u32, u64, u64)], sections: &[u32], dynamic: u64) -> Vec<u8> {
        let mut file = b"\x7fELF\x02\x01".to_vec();
        file.resize(18, 0);
        file.extend(62_u16.to_le_bytes());
        file.resize(32, 0);
        file.extend(96_u64.to_le_bytes());
        file.extend((96 + 56 * segments.len() as u64).to_le_bytes());
        file.resize(54, 0);
        for number in [56, segments.len(), 64, sections.len()] {
            file.extend(u16::try_from(number).unwrap().to_le_bytes());
        }
        file.resize(64, 0);
        file.extend(5_u64.to_le_bytes());
        file.extend([0; 8]);
        file.extend(dynamic.to_le_bytes());
        file.extend([0; 8]);
        for (kind, flags, place, length) in segments {
            let start = file.len();
            file.extend(kind.to_le_bytes());
            file.extend(flags.to_le_bytes());
            file.extend(place.to_le_bytes());
            file.resize(start + 32, 0);
            file.extend(length.to_le_bytes());
            file.resize(start + 56, 0);
        }
        for kind in sections {
            let start = file.len();
            file.extend([0; 4]);
            file.extend(kind.to_le_bytes());
            file.resize(start + 64, 0);
        }
        file
    }

    #[test]
    fn each_fault_is_named() {
        let stack = (0x6474_e551, 6, 0, 0);
        let cases: [(&[_], &[_], u64, Result<(), &str>); 7] = [
            (&[(1, 5, 0, 10), (1, 6, 0, 10), stack], &[3, 1], 0, Ok(())),
            (&[(2, 6, 64, 32)], &[], 7, Ok(())),
            (&[(2, 6, 64, 32)], &[], 1, Err("needs a shared library")),
            (&[(3, 4, 0, 0)], &[], 0, Err("needs a dynamic linker to start")),
            (&[(1, 7, 0, 10)], &[], 0, Err("can run what it can write")),
            (&[(0x6474_e551, 7, 0, 0)], &[], 0, Err("can run what it can write")),
            (&[(1, 5, 0, 10)], &[1, 2], 0, Err("is not stripped")),
        ];
        for (segments, sections, dynamic, expected) in cases {
            let file = program(segments, sections, dynamic);
            assert_eq!(check(&file, "x86_64"), expected.map_err(str::to_owned), "{segments:?} {sections:?}");
            for length in 0..file.len() {
                // A truncated file is never accepted.
                assert!(check(&file[..length], "x86_64").is_err(), "{length}");
            }
            assert_eq!(check(&file, "aarch64"), Err("is not for aarch64".to_owned()));
        }
    }

    #[test]
    fn this_test_program_is_not_static_or_not_stripped() {
        let file = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        if file.starts_with(b"\x7fELF") {
            assert!(check(&file, std::env::consts::ARCH).is_err());
        }
    }
}
