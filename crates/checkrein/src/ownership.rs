//! Finds out which other users can change a file, directly or by replacing it.

use std::{
    fs::{self, Metadata},
    io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

const ROOT: u32 = 0;
const STICKY: u32 = 0o1000;
const GROUP: u32 = 0o020;
const OTHERS: u32 = 0o002;

/// Groups whose members administer the machine: root's own, and those that own the places for programs of the machine.
const ADMINISTRATORS: &[u32] = if cfg!(target_os = "macos") { &[0, 80] } else { &[0, 10, 50] };

/// Returns the first of a file and the directories above it, both as named and with every link resolved, that is
/// writable by a user who is neither root, nor us, nor an administrator of the machine.
///
/// # Errors
///
/// If it cannot be looked at.
pub fn writable_by_others(file: &Path) -> io::Result<Option<PathBuf>> {
    let us = rustix::process::geteuid().as_raw();
    for path in [file.to_owned(), file.canonicalize()?] {
        for path in path.ancestors() {
            let found = fs::symlink_metadata(path)?;
            if !found.is_symlink() && can_others_write(&found, us) {
                return Ok(Some(path.to_owned()));
            }
        }
    }
    Ok(None)
}

fn can_others_write(found: &Metadata, us: u32) -> bool {
    let (owner, group, mode) = (found.uid(), found.gid(), found.mode());
    // Many systems give each user a group of their own, with the same number.
    let alone = group == owner || ADMINISTRATORS.contains(&group);
    // In such a directory no user can replace the files of another.
    let open = mode & OTHERS != 0 && !(found.is_dir() && mode & STICKY != 0);
    ![ROOT, us].contains(&owner) || open || mode & GROUP != 0 && !alone
}

/// Returns true if this is a regular file of root that no other user can write, or replace through a directory above
/// it.
///
/// In a user namespace its creator is root, so nothing there counts as root's.
pub fn is_roots_alone(file: &Path) -> bool {
    let is_roots = |found: &Metadata| found.uid() == ROOT && found.mode() & (GROUP | OTHERS) == 0;
    let Some(directory) = file.parent().and_then(|directory| directory.canonicalize().ok()) else {
        return false;
    };
    fs::symlink_metadata(file).is_ok_and(|found| found.is_file() && is_roots(&found))
        && directory.ancestors().all(|directory| fs::metadata(directory).is_ok_and(|found| is_roots(&found)))
        && root_is_root()
}

/// Returns true if the user id of root means the machine's root.
fn root_is_root() -> bool {
    if !cfg!(target_os = "linux") {
        return true;
    }
    let map = fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
    map.lines().any(|line| line.split_whitespace().take(2).eq(["0", "0"]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn a_user_who_can_write_a_directory_can_replace_the_file() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("a/b")).unwrap();
        let file = root.join("a/b/file");
        fs::write(&file, "").unwrap();
        symlink(&file, root.join("link")).unwrap();
        let mode = |path: &Path, mode: u32| fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
        let found = |path: &Path| writable_by_others(path).unwrap();
        assert_eq!(found(&file), None);
        for open in [root.join("a"), root.join("a/b"), file.clone()] {
            let before = fs::metadata(&open).unwrap().mode();
            mode(&open, 0o777);
            assert_eq!(found(&file), Some(open.clone()));
            assert_eq!(found(&root.join("link")), Some(open.clone()));
            mode(&open, before);
        }
        // As `/tmp` is.
        mode(&root.join("a"), 0o1777);
        assert_eq!(found(&file), None);
        assert!(writable_by_others(&root.join("none")).is_err());
    }

    #[test]
    fn what_a_user_can_write_is_not_roots_alone() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("automation");
        fs::write(&file, "uninstall").unwrap();
        // Every user can write to the directory of temporary files.
        assert!(!is_roots_alone(&file));
        assert!(!is_roots_alone(Path::new("/nowhere/at/all")));
        assert!(!is_roots_alone(Path::new("/etc")));
    }
}
