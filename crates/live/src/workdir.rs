//! The scratch directory of one scenario.

use std::{
    fs::{self, DirBuilder},
    io,
    os::unix::fs::{DirBuilderExt, PermissionsExt},
    path::{Path, PathBuf},
};

/// The scratch directory of one scenario: a home, a project, and the program whose hooks are tested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workdir {
    directory: PathBuf,
    checkrein: PathBuf,
}

impl Workdir {
    pub(crate) fn new(directory: PathBuf, checkrein: PathBuf) -> Self {
        Self { directory, checkrein }
    }

    /// Creates a directory that no other user can read.
    ///
    /// # Errors
    ///
    /// If that is not possible.
    pub fn create(directory: PathBuf, checkrein: PathBuf) -> io::Result<Self> {
        let workdir = Self::new(directory, checkrein);
        let directories =
            [workdir.home(), workdir.project(), workdir.temporary(), workdir.settings(), workdir.empty()];
        for directory in std::iter::once(workdir.directory()).chain(directories.iter().map(PathBuf::as_path))
        {
            DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
        }
        Ok(workdir)
    }

    /// Returns the whole directory.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Returns the program under test.
    #[must_use]
    pub fn checkrein(&self) -> &Path {
        &self.checkrein
    }

    /// Returns the user's home.
    #[must_use]
    pub fn home(&self) -> PathBuf {
        self.directory.join("home")
    }

    /// Returns the project in which the agent works.
    #[must_use]
    pub fn project(&self) -> PathBuf {
        self.directory.join("project")
    }

    pub(crate) fn temporary(&self) -> PathBuf {
        self.directory.join("tmp")
    }

    /// Returns the directory of our user layer.
    #[must_use]
    pub fn settings(&self) -> PathBuf {
        self.home().join(".config/checkrein")
    }

    /// Returns the path of the stand-in for our program.
    pub(crate) fn stand_in(&self) -> PathBuf {
        self.directory.join("checkrein")
    }

    /// Returns the path of the stand-in for other hooks.
    pub(crate) fn foreign(&self) -> PathBuf {
        self.directory.join("foreign")
    }

    /// Returns an empty directory to mount over others.
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

    /// Writes an executable file.
    ///
    /// # Errors
    ///
    /// If that is not possible.
    pub fn write_program(path: &Path, text: &str) -> io::Result<()> {
        Self::write(path, text)?;
        fs::set_permissions(path, fs::Permissions::from_mode(0o700))
    }
}
