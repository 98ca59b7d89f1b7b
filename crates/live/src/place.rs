//! The scratch folder of one trial.

use std::{
    fs::{self, DirBuilder},
    io,
    os::unix::fs::{DirBuilderExt, PermissionsExt},
    path::{Path, PathBuf},
};

/// The scratch folder of one trial: a home, a project, and the program whose hooks are tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    folder: PathBuf,
    checkrein: PathBuf,
}

impl Place {
    pub(crate) fn new(folder: PathBuf, checkrein: PathBuf) -> Self {
        Self { folder, checkrein }
    }

    /// Makes a folder that nobody else can look into.
    pub(crate) fn create(folder: PathBuf, checkrein: PathBuf) -> io::Result<Self> {
        let place = Self::new(folder, checkrein);
        let folders = [place.home(), place.project(), place.temporary(), place.settings(), place.empty()];
        for folder in std::iter::once(place.folder()).chain(folders.iter().map(PathBuf::as_path)) {
            DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        }
        Ok(place)
    }

    /// The whole.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The program under trial.
    #[must_use]
    pub fn checkrein(&self) -> &Path {
        &self.checkrein
    }

    /// The person's home.
    #[must_use]
    pub fn home(&self) -> PathBuf {
        self.folder.join("home")
    }

    /// Where the agent works.
    #[must_use]
    pub fn project(&self) -> PathBuf {
        self.folder.join("project")
    }

    pub(crate) fn temporary(&self) -> PathBuf {
        self.folder.join("tmp")
    }

    /// Where our user layer lies.
    pub(crate) fn settings(&self) -> PathBuf {
        self.home().join(".config/checkrein")
    }

    /// Where something stands in for our program.
    pub(crate) fn stand_in(&self) -> PathBuf {
        self.folder.join("checkrein")
    }

    /// What stands in for the hooks of others.
    pub(crate) fn foreign(&self) -> PathBuf {
        self.folder.join("foreign")
    }

    /// What is seen where nothing is to be seen.
    pub(crate) fn empty(&self) -> PathBuf {
        self.folder.join("empty")
    }

    pub(crate) fn plan(&self) -> PathBuf {
        self.folder.join("plan.json")
    }

    pub(crate) fn report(&self) -> PathBuf {
        self.folder.join("report.json")
    }

    /// Writes a file, with the folders that it needs.
    ///
    /// # Errors
    ///
    /// If that is not possible.
    pub fn write(path: &Path, text: &str) -> io::Result<()> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(path, text)
    }

    /// Writes a file that can be run.
    pub(crate) fn write_program(path: &Path, text: &str) -> io::Result<()> {
        Self::write(path, text)?;
        fs::set_permissions(path, fs::Permissions::from_mode(0o700))
    }
}
