//! The extended attributes of a file.

use rustix::{fs, io::Errno};
use std::{
    ffi::OsStr,
    os::{fd::BorrowedFd, unix::ffi::OsStrExt},
};

/// The maximum length of all extended attributes of a file.
const LONGEST: usize = 64 * 1024;

/// Returns the extended attributes that are the user's. The system's own ones can give rights.
pub(crate) fn attributes(file: BorrowedFd<'_>) -> rustix::io::Result<Vec<(Vec<u8>, Vec<u8>)>> {
    let mut names = vec![0_u8; 4096];
    let length = loop {
        match fs::flistxattr(file, names.as_mut_slice()) {
            // There are more names than usual.
            Err(Errno::RANGE) if names.len() < LONGEST => names.resize(LONGEST, 0),
            Err(Errno::OPNOTSUPP | Errno::NOSYS) => return Ok(Vec::new()),
            other => break other?,
        }
    };
    let names = names.get(..length).unwrap_or_default();
    let mut found = Vec::new();
    for name in names.split(|byte| *byte == 0).filter(|name| name.starts_with(b"user.") || is_acl(name)) {
        let mut value = vec![0; LONGEST];
        match fs::fgetxattr(file, OsStr::from_bytes(name), value.as_mut_slice()) {
            Ok(length) => {
                value.truncate(length);
                found.push((name.to_vec(), value));
            }
            // Another process removed it in the meantime, or the file system has the name alone.
            Err(Errno::NODATA | Errno::OPNOTSUPP) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}

fn is_acl(name: &[u8]) -> bool {
    matches!(name, b"system.posix_acl_access" | b"system.posix_acl_default")
}
