//! Checks whether a program needs a loader: the loader can fail silently, before `main`.

use std::{fs::File, io::Read, path::Path};

/// The segment type that names the loader.
const INTERPRETER: u32 = 3;

/// Returns true if a program is dynamically linked.
pub(crate) fn is_dynamic(program: &Path) -> bool {
    has_interpreter(program) == Some(true)
}

/// Returns true if a program needs only the kernel.
pub(crate) fn is_static(program: &Path) -> bool {
    has_interpreter(program) == Some(false)
}

/// Returns true if an ELF file names a loader; `None` if it is not an ELF file.
fn has_interpreter(program: &Path) -> Option<bool> {
    // The segment table follows the header.
    let mut start = Vec::new();
    File::open(program).ok()?.take(64 * 1024).read_to_end(&mut start).ok()?;
    let is_64_bit_little_endian = start.get(..6)? == b"\x7fELF\x02\x01";
    if !is_64_bit_little_endian {
        return None;
    }
    let number = |at: usize, length: usize| -> Option<usize> {
        let bytes = start.get(at..at.checked_add(length)?)?;
        bytes
            .iter()
            .rev()
            .try_fold(0_usize, |number, byte| number.checked_mul(256)?.checked_add(usize::from(*byte)))
    };
    let (table, size, count) = (number(32, 8)?, number(54, 2)?, number(56, 2)?);
    for segment in 0..count {
        let kind = number(table.checked_add(segment.checked_mul(size)?)?, 4)?;
        if u32::try_from(kind) == Ok(INTERPRETER) {
            return Some(true);
        }
    }
    Some(false)
}

#[cfg(all(test, target_os = "linux", target_pointer_width = "64"))]
mod tests {
    use super::*;

    #[test]
    fn dynamic_and_static_programs_are_recognised() {
        let us = std::env::current_exe().unwrap();
        assert_eq!(is_dynamic(&us), cfg!(not(target_feature = "crt-static")));
        assert_eq!(is_static(&us), cfg!(target_feature = "crt-static"));
        let directory = tempfile::tempdir().unwrap();
        let text = directory.path().join("text");
        std::fs::write(&text, "#!/bin/sh\n").unwrap();
        assert!(!is_dynamic(&text) && !is_static(&text));
        // The same program without a loader.
        let mut bytes = std::fs::read(&us).unwrap();
        let count = usize::from(bytes[56]);
        for segment in 0..count {
            let at = 64 + 56 * segment;
            if bytes[at] == 3 {
                bytes[at] = 0;
            }
        }
        let plain = directory.path().join("plain");
        std::fs::write(&plain, bytes).unwrap();
        assert!(is_static(&plain));
    }
}
