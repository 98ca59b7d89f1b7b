//! The version of another copy of the program, read from its bytes: `doctor` starts nothing.

use checkrein_hosts::install::Version;
use std::{fs, path::Path};

/// The words before the version.
const BEFORE: &str = "checkrein, the program, version ";

/// The version in the bytes of this program. Nothing uses the text, so the compiler is told to keep it.
#[used]
static MARK: &str = concat!("checkrein, the program, version ", env!("CARGO_PKG_VERSION"), ".\n");

/// Returns the version of a program of ours, if its bytes tell.
pub(super) fn version_of(program: &Path) -> Option<Version> {
    let bytes = fs::read(program).ok()?;
    let mut rest = bytes.as_slice();
    // The words alone are in a program, too: they are what we look for.
    while let Some(place) = find(rest, BEFORE.as_bytes()) {
        let after = rest.get(place + BEFORE.len()..)?;
        let end = after.iter().position(|byte| *byte == b'\n').filter(|end| *end < 64);
        let version = end.and_then(|end| {
            Version::find(std::str::from_utf8(after.get(..end)?).ok()?.trim_end_matches('.'))
        });
        if version.is_some() {
            return version;
        }
        rest = after;
    }
    None
}

/// Returns the version of this program.
pub(super) fn own_version() -> Option<Version> {
    Version::find(env!("CARGO_PKG_VERSION"))
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_in_the_bytes_of_a_program() {
        let this = std::env::current_exe().unwrap();
        assert_eq!(version_of(&this), own_version());
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("checkrein");
        for (bytes, version) in [
            (format!("\0{BEFORE}\0junk{BEFORE}0.0.9.\n\0"), Some(Version(0, 0, 9))),
            (format!("{BEFORE}soon\n"), None),
            ("another program".to_owned(), None),
        ] {
            fs::write(&file, bytes).unwrap();
            assert_eq!(version_of(&file), version);
        }
    }
}
