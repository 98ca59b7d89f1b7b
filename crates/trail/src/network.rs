//! File systems of other machines, on which locks and appends are not reliable.

use std::path::Path;

/// Returns whether a directory is on a network file system. On systems that do not tell, it is not.
#[cfg(not(target_os = "macos"))]
pub fn is_network(directory: &Path) -> bool {
    kind(directory).is_some_and(is_network_kind)
}

/// Returns whether a directory is on a network file system: one without the flag `MNT_LOCAL` of `<sys/mount.h>`.
#[cfg(target_os = "macos")]
pub fn is_network(directory: &Path) -> bool {
    const LOCAL: u32 = 0x1000;
    rustix::fs::statfs(directory).is_ok_and(|found| found.f_flags & LOCAL == 0)
}

#[cfg(target_os = "linux")]
fn kind(directory: &Path) -> Option<u32> {
    // The numbers have 32 bits; the field is wider on some machines, and signed on others.
    let found = rustix::fs::statfs(directory).ok()?.f_type;
    #[allow(
        clippy::unnecessary_cast,
        clippy::cast_possible_truncation,
        reason = "the type differs between machines"
    )]
    Some(found as u32)
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
const fn kind(_: &Path) -> Option<u32> {
    None
}

/// The numbers of `statfs(2)` for NFS, SMB, CIFS, AFS, Coda, 9P, Ceph, GFS2, OCFS2 and Lustre, and FUSE, behind which sshfs
/// and others are.
#[cfg(not(target_os = "macos"))]
const fn is_network_kind(kind: u32) -> bool {
    matches!(
        kind,
        0x6969
            | 0x517b
            | 0xff53_4d42
            | 0xfe53_4d42
            | 0x5346_414f
            | 0x6b41_4653
            | 0x7375_7245
            | 0x0102_1997
            | 0x00c3_6400
            | 0x0116_1970
            | 0x7461_636f
            | 0x0bd0_0bd0
            | 0x6573_5546
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_local_directory_is_not_on_the_network() {
        assert!(!is_network(Path::new("/dev")));
    }

    #[cfg(not(target_os = "macos"))]
    #[test]
    fn file_systems_have_numbers() {
        assert!(is_network_kind(0x6969) && !is_network_kind(0xef53));
    }
}
