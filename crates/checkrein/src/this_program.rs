//! The file of the running program.

use std::{io, path::PathBuf};

/// Returns the file of the running program. On Linux this is a link that also works after an upgrade has replaced the file;
/// elsewhere it is the path, which then names the new program.
///
/// # Errors
///
/// If the system does not know it.
pub fn this_program() -> io::Result<PathBuf> {
    if cfg!(target_os = "linux") { Ok("/proc/self/exe".into()) } else { std::env::current_exe() }
}
