//! Checks that only root can change the administrator's file.
//!
//! The file binds the user, so anyone else who can write it, or replace it through one of the directories above it, would be
//! the administrator. Such a file is neither believed nor ignored: it is broken.

use std::{
    fs, io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

/// Path of the administrator's file.
pub const MANAGED_FILE: &str = "/etc/checkrein/config.toml";

/// A file, or a directory above it, that other users than root can change.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{}` can be changed by users other than root ({why}), so it cannot bind them; to fix it: `{}`",
    path.display(),
    self.fix()
)]
pub struct Exposed {
    path: PathBuf,
    why: String,
}

impl Exposed {
    /// The commands that close it.
    pub fn fix(&self) -> String {
        let path = self.path.display();
        format!("sudo chown root:root {path} && sudo chmod go-w {path}")
    }
}

/// Returns true if the directory of `path` has an entry that is not a directory: a dangling link, or a file. A
/// configuration was meant to be there, so it is broken and not absent.
pub(crate) fn is_cut_off(path: &Path) -> bool {
    path.parent().is_some_and(|directory| {
        directory
            .symlink_metadata()
            .is_ok_and(|of| !of.is_dir() && !directory.metadata().is_ok_and(|of| of.is_dir()))
    })
}

/// Looks at the file at `path`, at every directory above it, and at where links lead. A path that does not exist cannot be
/// written.
pub fn exposed(path: &Path) -> Option<Exposed> {
    let real = path.canonicalize().ok();
    let places = [Some(path), real.as_deref().filter(|real| *real != path)];
    places.into_iter().flatten().flat_map(Path::ancestors).find_map(|place| {
        let of = match fs::symlink_metadata(place) {
            // Only who can write its directory can change a link.
            Ok(of) if of.is_symlink() && of.uid() == 0 => return None,
            Ok(of) => of,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
            Err(error) => return Some(Exposed { path: place.to_owned(), why: error.to_string() }),
        };
        let (owner, mode) = (of.uid(), of.mode() & 0o7777);
        let why = match (owner, mode & 0o022) {
            (0, 0) => return None,
            (0, _) => format!("its mode is {mode:o}"),
            (_, _) => format!("its owner is user {owner}"),
        };
        Some(Exposed { path: place.to_owned(), why })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_that_is_none_hides_the_file() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name).join("config.toml");
        fs::create_dir(directory.path().join("there")).unwrap();
        fs::write(directory.path().join("file"), "").unwrap();
        for (target, name) in
            [("nowhere", "dangling"), ("there", "link"), ("circle", "circle"), ("file", "odd")]
        {
            std::os::unix::fs::symlink(target, directory.path().join(name)).unwrap();
        }
        for (name, expected) in [
            ("none", false),
            ("there", false),
            ("link", false),
            ("file", true),
            ("odd", true),
            ("dangling", true),
            ("circle", true),
        ] {
            assert_eq!(is_cut_off(&path(name)), expected, "{name}");
        }
    }
}
