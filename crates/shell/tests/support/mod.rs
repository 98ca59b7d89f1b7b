//! Support for the tests that compare our parser with real shells.

use std::{io::Write as _, path::PathBuf};

/// Returns the path of a program. A missing one fails the test where `CI` is set; elsewhere it is reported on the
/// real stderr, which the test runner does not hide: a comparison that did not happen must not look like one that
/// did.
pub(crate) fn program_or_skip(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found =
        std::env::split_paths(&path).map(|directory| directory.join(name)).find(|program| program.exists());
    if found.is_none() {
        assert!(std::env::var_os("CI").is_none(), "`{name}` is not installed, and CI must compare with it");
        let test = std::thread::current().name().unwrap_or_default().to_owned();
        let _ = writeln!(std::io::stderr(), "SKIPPED {test}: `{name}` is not installed");
    }
    found
}
