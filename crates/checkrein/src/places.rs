//! Where the layers lie.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

/// The name of a project's configuration.
pub const PROJECT_FILE: &str = ".checkrein.toml";

/// The files of every layer, and the folder for what we remember.
///
/// Nothing here can be moved by a project: the managed file has a fixed place, the others follow from the person's
/// own environment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// The administrator's file.
    pub managed: Option<PathBuf>,
    /// The person's file.
    pub user: Option<PathBuf>,
    /// The projects' files, the outermost first.
    pub projects: Vec<PathBuf>,
    /// The file that the command line names.
    pub flag: Option<PathBuf>,
    /// The folder of our state.
    pub state: Option<PathBuf>,
}

impl Places {
    /// The places of this machine and of the person whose variables these are, without any project.
    pub fn of(variable: impl Fn(&str) -> Option<OsString>) -> Self {
        // A relative one is no place: it would follow the working directory.
        let absolute = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let below = |name: &str, fallback: &str| {
            let base = absolute(name).or_else(|| Some(absolute("HOME")?.join(fallback)));
            base.map(|base| base.join("checkrein"))
        };
        Self {
            managed: Some("/etc/checkrein/config.toml".into()),
            user: below("XDG_CONFIG_HOME", ".config").map(|folder| folder.join("config.toml")),
            state: below("XDG_STATE_HOME", ".local/state"),
            ..Self::default()
        }
    }

    /// The same with the projects that `folder` lies in: from the root of its repository down to itself, so that a
    /// file further down adds to those above and cannot replace them.
    #[must_use]
    pub fn project(mut self, folder: &Path) -> Self {
        // A folder that is reached over a link lies in two places, and no project of either is passed over.
        // Most are not; to look is cheaper than to let the system resolve the whole.
        let linked = folder.is_absolute() && below_root(folder).any(Path::is_symlink);
        let real = linked.then(|| folder.canonicalize().ok()).flatten();
        for file in [Some(folder), real.as_deref()].into_iter().flatten().flat_map(project_files) {
            // Only a link makes one file of two names.
            let same = |known: &PathBuf| {
                *known == file
                    || linked
                        && known
                            .canonicalize()
                            .is_ok_and(|known| file.canonicalize().is_ok_and(|file| file == known))
            };
            if !self.projects.iter().any(same) {
                self.projects.push(file);
            }
        }
        self
    }

    /// The same with the file that the command line names.
    #[must_use]
    pub fn flag(mut self, file: Option<&Path>) -> Self {
        self.flag = file.map(Path::to_owned);
        self
    }
}

/// A folder and those above it, without the root, which is no link.
fn below_root(folder: &Path) -> impl Iterator<Item = &Path> {
    folder.ancestors().filter(|ancestor| ancestor.parent().is_some())
}

/// The configuration files from the repository's root down to `folder`; outside of a repository only its own.
fn project_files(folder: &Path) -> Vec<PathBuf> {
    if !folder.is_absolute() {
        return Vec::new();
    }
    let root = folder.ancestors().find(|ancestor| ancestor.join(".git").symlink_metadata().is_ok());
    let root = root.unwrap_or(folder);
    let mut files: Vec<PathBuf> = folder
        .ancestors()
        .take_while(|ancestor| ancestor.starts_with(root))
        .map(|ancestor| ancestor.join(PROJECT_FILE))
        // Whatever has the name: something that is no file is a broken layer, not an absent one.
        .filter(|file| file.symlink_metadata().is_ok())
        .collect();
    files.reverse();
    files
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn of(variables: &[(&str, &str)]) -> Places {
        Places::of(|name| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into()))
    }

    #[test]
    fn the_persons_own_places() {
        let places = of(&[("HOME", "/home/a")]);
        assert_eq!(places.user, Some("/home/a/.config/checkrein/config.toml".into()));
        assert_eq!(places.state, Some("/home/a/.local/state/checkrein".into()));
        let places = of(&[("HOME", "/home/a"), ("XDG_CONFIG_HOME", "/c"), ("XDG_STATE_HOME", "s")]);
        assert_eq!(places.user, Some("/c/checkrein/config.toml".into()));
        assert_eq!(places.state, Some("/home/a/.local/state/checkrein".into()));
        assert_eq!(of(&[]).user, None);
    }

    #[test]
    fn a_project_reaches_from_its_root_to_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir_all(path("outer/repository/a/b")).unwrap();
        for place in ["outer", "outer/repository", "outer/repository/a/b"] {
            fs::write(path(place).join(PROJECT_FILE), "").unwrap();
        }
        let files = |place: &str| Places::default().project(&path(place)).projects;
        let at = |place: &str| path(place).join(PROJECT_FILE);
        assert_eq!(files("outer/repository/a/b"), [at("outer/repository/a/b")]);
        fs::create_dir(path("outer/repository/.git")).unwrap();
        assert_eq!(files("outer/repository/a/b"), [at("outer/repository"), at("outer/repository/a/b")]);
        assert_eq!(files("outer/repository/a"), [at("outer/repository")]);
        assert_eq!(files("outer"), [at("outer")]);
        assert!(Places::default().project(Path::new("a")).projects.is_empty());
        // By whatever way one comes, once.
        std::os::unix::fs::symlink("outer/repository/a", path("link")).unwrap();
        assert_eq!(files("link"), [at("outer/repository")]);
        assert_eq!(
            Places::default().project(&path("outer/repository/a/b")).project(&path("link/b")).projects.len(),
            2
        );
    }
}
