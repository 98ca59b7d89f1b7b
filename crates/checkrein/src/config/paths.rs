//! The paths of the layers' files.

use checkrein_core::Session;
use std::{
    ffi::OsString,
    io::ErrorKind,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

/// The name of a project's configuration.
pub const PROJECT_FILE: &str = ".checkrein.toml";

/// The files of every layer, and the directory for what we remember.
///
/// Nothing here can be moved by a project: the managed file has a fixed place, the others follow from the user's
/// own environment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// The administrator's file.
    pub managed: Option<PathBuf>,
    /// The user's file.
    pub user: Option<PathBuf>,
    /// The projects' files, the outermost first.
    pub projects: Vec<PathBuf>,
    /// The file that the command line names.
    pub flag: Option<PathBuf>,
    /// The directory of our state.
    pub state: Option<PathBuf>,
    /// The home directory: it and the directories above it belong to no project.
    pub home: Option<PathBuf>,
}

impl Places {
    /// The places of this machine and of the user whose variables these are, without any project.
    pub fn of(variable: impl Fn(&str) -> Option<OsString>) -> Self {
        // A relative path is ignored: it would depend on the working directory.
        let absolute = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let below = |name: &str, fallback: &str| {
            let base = absolute(name).or_else(|| Some(absolute("HOME")?.join(fallback)));
            base.map(|base| base.join("checkrein"))
        };
        // Without `HOME` the account's home directory counts: an empty environment must not remove the configuration.
        let account = || {
            let home =
                std::env::home_dir().filter(|home| variable("HOME").is_none() && home.is_absolute())?;
            Some(home.join(".config/checkrein"))
        };
        let configured = below("XDG_CONFIG_HOME", ".config").or_else(account);
        Self {
            managed: Some(crate::MANAGED_FILE.into()),
            user: configured.map(|directory| directory.join("config.toml")),
            state: below("XDG_STATE_HOME", ".local/state"),
            home: absolute("HOME"),
            ..Self::default()
        }
    }

    /// Adds the projects that `directory` is in: from the outermost directory below the home directory down to
    /// itself, so that a file further down adds to those above and cannot replace them. Being in a repository of its
    /// own, or in none, changes nothing: an agent can create one.
    #[must_use]
    pub fn project(mut self, directory: &Path) -> Self {
        // A directory that is reached through a link is in two places, and no project of either is skipped. Most are
        // not; looking is cheaper than letting the system resolve the whole path.
        let linked = directory.is_absolute() && below_root(directory).any(Path::is_symlink);
        let real = linked.then(|| directory.canonicalize().ok()).flatten();
        for file in [Some(directory), real.as_deref()]
            .into_iter()
            .flatten()
            .flat_map(|directory| project_files(directory, self.home.as_deref()).collect::<Vec<_>>())
        {
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

    /// Adds the projects of a session: the one that it was started for stays active wherever the agent goes.
    #[must_use]
    pub fn session(mut self, session: &Session) -> Self {
        for directory in [&session.project_dir, &session.cwd].into_iter().flatten() {
            self = self.project(Path::new(directory));
        }
        self
    }

    /// Sets the file that the command line names.
    #[must_use]
    pub fn flag(mut self, file: Option<&Path>) -> Self {
        self.flag = file.map(Path::to_owned);
        self
    }
}

/// A directory and those above it, without the root, which is not a link.
fn below_root(directory: &Path) -> impl Iterator<Item = &Path> {
    directory.ancestors().filter(|ancestor| ancestor.parent().is_some())
}

/// Returns the configuration files that concern `directory`, outermost first. Within its repository all of them do.
/// Further up only those count that the user, root or the owner of `directory` has put there: every user can write to
/// `/tmp`.
fn project_files(directory: &Path, home: Option<&Path>) -> impl Iterator<Item = PathBuf> {
    let ancestors = || directory.ancestors().take_while(|_| directory.is_absolute());
    let root = ancestors().find(|ancestor| is_there(&ancestor.join(".git")) != Presence::Absent);
    let root = root.unwrap_or(directory);
    let is_end = |directory: &Path| directory.parent().is_none() || Some(directory) == home;
    let mut files: Vec<PathBuf> = ancestors()
        .take_while(|ancestor| ancestor.starts_with(root) || !is_end(ancestor))
        .filter_map(|ancestor| {
            let file = ancestor.join(PROJECT_FILE);
            match is_there(&file) {
                Presence::Absent => None,
                Presence::Of(owner) if !ancestor.starts_with(root) && !is_believed(owner, directory) => None,
                // Anything with this name counts: if it is not a file, the layer is broken, not absent.
                Presence::Of(_) | Presence::Hidden => Some(file),
            }
        })
        .collect();
    files.reverse();
    files.into_iter()
}

/// The known facts about a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Presence {
    /// Nothing is there.
    Absent,
    /// Something of this user is.
    Of(u32),
    /// Unknown: a directory that cannot be searched may contain anything.
    Hidden,
}

fn is_there(path: &Path) -> Presence {
    match path.symlink_metadata() {
        Ok(metadata) => Presence::Of(metadata.uid()),
        Err(error) => match error.kind() {
            ErrorKind::NotFound
            | ErrorKind::NotADirectory
            | ErrorKind::InvalidFilename
            | ErrorKind::InvalidInput => Presence::Absent,
            _ => Presence::Hidden,
        },
    }
}

fn is_believed(owner: u32, directory: &Path) -> bool {
    owner == 0
        || owner == rustix::process::geteuid().as_raw()
        || directory.metadata().is_ok_and(|directory| directory.uid() == owner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn of(variables: &[(&str, &str)]) -> Places {
        Places::of(|name| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into()))
    }

    #[test]
    fn the_users_own_places() {
        let places = of(&[("HOME", "/home/a")]);
        assert_eq!(places.user, Some("/home/a/.config/checkrein/config.toml".into()));
        assert_eq!(places.state, Some("/home/a/.local/state/checkrein".into()));
        let places = of(&[("HOME", "/home/a"), ("XDG_CONFIG_HOME", "/c"), ("XDG_STATE_HOME", "s")]);
        assert_eq!(places.user, Some("/c/checkrein/config.toml".into()));
        assert_eq!(places.state, Some("/home/a/.local/state/checkrein".into()));
    }

    /// A hook that is started without any variables has the same configuration, and writes nothing.
    #[test]
    fn without_home_the_account_has_one() {
        let account = std::env::home_dir().filter(|home| home.is_absolute());
        assert_eq!(of(&[]).user, account.map(|home| home.join(".config/checkrein/config.toml")));
        assert_eq!(of(&[]).state, None);
        assert_eq!(of(&[("HOME", "relative")]).user, None);
    }

    #[test]
    fn a_project_reaches_from_its_root_to_the_directory() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        fs::create_dir_all(path("outer/repository/a/b")).unwrap();
        for place in ["outer", "outer/repository", "outer/repository/a/b"] {
            fs::write(path(place).join(PROJECT_FILE), "").unwrap();
        }
        let home = Places { home: Some(path("outer")), ..Places::default() };
        let files = |place: &str| home.clone().project(&path(place)).projects;
        let at = |place: &str| path(place).join(PROJECT_FILE);
        assert_eq!(files("outer/repository/a/b"), [at("outer/repository"), at("outer/repository/a/b")]);
        fs::create_dir(path("outer/repository/.git")).unwrap();
        assert_eq!(files("outer/repository/a/b"), [at("outer/repository"), at("outer/repository/a/b")]);
        assert_eq!(files("outer/repository/a"), [at("outer/repository")]);
        // A nested repository removes nothing, whether an agent made it or it is a submodule.
        fs::create_dir(path("outer/repository/a/.git")).unwrap();
        assert_eq!(files("outer/repository/a/b"), [at("outer/repository"), at("outer/repository/a/b")]);
        fs::write(path("outer/repository/a/b/.git"), "gitdir: elsewhere\n").unwrap();
        assert_eq!(files("outer/repository/a/b"), [at("outer/repository"), at("outer/repository/a/b")]);
        // The home directory is no project, unless one is in it.
        assert_eq!(files("outer"), [at("outer")]);
        assert!(Places::default().project(Path::new("a")).projects.is_empty());
        // By whatever way one comes, once.
        std::os::unix::fs::symlink("outer/repository/a", path("link")).unwrap();
        assert_eq!(files("link"), [at("outer/repository")]);
        let twice = home.clone().project(&path("outer/repository/a/b")).project(&path("link/b"));
        assert_eq!(twice.projects.len(), 2);
        // In a home directory that is a repository itself, everything belongs to that.
        fs::remove_dir(path("outer/repository/a/.git")).unwrap();
        fs::remove_dir(path("outer/repository/.git")).unwrap();
        fs::create_dir(path("outer/.git")).unwrap();
        assert_eq!(files("outer/repository/a"), [at("outer"), at("outer/repository")]);
    }

    #[test]
    fn a_directory_that_cannot_be_searched_may_hold_a_configuration() {
        let directory = tempfile::tempdir().unwrap();
        // A circle of links cannot be searched, not even by root.
        std::os::unix::fs::symlink("circle", directory.path().join("circle")).unwrap();
        assert_eq!(is_there(&directory.path().join("circle").join(PROJECT_FILE)), Presence::Hidden);
        assert_eq!(is_there(&directory.path().join("none").join(PROJECT_FILE)), Presence::Absent);
        let circle = directory.path().join("circle");
        assert_eq!(Places::default().project(&circle).projects, [circle.join(PROJECT_FILE)]);
    }

    #[test]
    fn what_others_have_put_above_a_project_does_not_count() {
        let directory = tempfile::tempdir().unwrap();
        let us = rustix::process::geteuid().as_raw();
        assert!(is_believed(0, directory.path()) && is_believed(us, directory.path()));
        assert!(!is_believed(us + 4242, directory.path()));
    }
}
