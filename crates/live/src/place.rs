//! The scratch directory of one trial.

use std::{
    fs::{self, DirBuilder},
    io,
    os::unix::fs::{DirBuilderExt, PermissionsExt},
    path::{Path, PathBuf},
};

/// The scratch directory of one trial: a home, a project, and the program whose hooks are tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    directory: PathBuf,
    checkrein: PathBuf,
}

impl Place {
    pub(crate) fn new(directory: PathBuf, checkrein: PathBuf) -> Self {
        Self { directory, checkrein }
    }

    /// Makes a directory that nobody else can look into.
    pub(crate) fn create(directory: PathBuf, checkrein: PathBuf) -> io::Result<Self> {
        let place = Self::new(directory, checkrein);
        let directories = [place.home(), place.project(), place.temporary(), place.settings(), place.empty()];
        for directory in std::iter::once(place.directory()).chain(directories.iter().map(PathBuf::as_path)) {
            DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
        }
        Ok(place)
    }

    /// The whole.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The program under trial.
    #[must_use]
    pub fn checkrein(&self) -> &Path {
        &self.checkrein
    }

    /// The user's home.
    #[must_use]
    pub fn home(&self) -> PathBuf {
        self.directory.join("home")
    }

    /// Where the agent works.
    #[must_use]
    pub fn project(&self) -> PathBuf {
        self.directory.join("project")
    }

    pub(crate) fn temporary(&self) -> PathBuf {
        self.directory.join("tmp")
    }

    /// Where our user layer lies.
    pub(crate) fn settings(&self) -> PathBuf {
        self.home().join(".config/checkrein")
    }

    /// Where something stands in for our program.
    pub(crate) fn stand_in(&self) -> PathBuf {
        self.directory.join("checkrein")
    }

    /// What stands in for the hooks of others.
    pub(crate) fn foreign(&self) -> PathBuf {
        self.directory.join("foreign")
    }

    /// What is seen where nothing is to be seen.
    pub(crate) fn empty(&self) -> PathBuf {
        self.directory.join("empty")
    }

    pub(crate) fn plan(&self) -> PathBuf {
        self.directory.join("plan.json")
    }

    pub(crate) fn report(&self) -> PathBuf {
        self.directory.join("report.json")
    }

    /// Writes a file, with the directories that it needs.
    ///
    /// # Errors
    ///
    /// If that is not possible.
    pub fn write(path: &Path, text: &str) -> io::Result<()> {
        if let Some(directory) = path.parent() {
            fs::create_dir_all(directory)?;
        }
        fs::write(path, text)
    }

    /// Writes a file that can be run.
    pub(crate) fn write_program(path: &Path, text: &str) -> io::Result<()> {
        Self::write(path, text)?;
        fs::set_permissions(path, fs::Permissions::from_mode(0o700))
    }
}
