//! Finds the agents on this machine: their programs, versions and directories.

use checkrein::variable;
use checkrein_hosts::{
    Host,
    install::{Recipe, Version, recipes},
};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// The files to change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// The user's own, for all of their sessions.
    User,
    /// Those of the current project.
    Project,
}

/// An agent on this machine.
pub(crate) struct Agent {
    pub(crate) host: &'static Host,
    pub(crate) recipe: &'static Recipe,
    /// The program that a user would start.
    pub(crate) program: Option<PathBuf>,
    pub(crate) version: Option<Version>,
    /// The user's settings directory for it, if its location is known.
    pub(crate) directory: Option<PathBuf>,
}

impl Agent {
    /// Looks for the agent; `None` if we cannot set it up.
    pub(crate) fn look(host: &'static Host) -> Option<Self> {
        let recipe = host.recipe?;
        let program = on_path(recipe.program);
        let version = program.as_deref().and_then(|program| version(program, recipe));
        Some(Self { host, recipe, program, version, directory: directory(recipe) })
    }

    /// Returns true if there is any sign of it.
    pub(crate) fn is_here(&self) -> bool {
        let signs = self.recipe.signs;
        let home = || variable("HOME").map(PathBuf::from).unwrap_or_default();
        self.program.is_some()
            || signs.iter().any(|sign| home().join(sign).is_dir())
            || (signs.is_empty() && self.directory.as_deref().is_some_and(|place| self.is_its_own(place)))
    }

    /// Returns true if the directory exists, and not only because it has our file for another agent that reads it too.
    fn is_its_own(&self, directory: &Path) -> bool {
        let others = recipes().filter(|other| other.directory == self.recipe.directory);
        let mut others = others.filter(|other| other.host != self.recipe.host);
        directory.is_dir() && !others.any(|other| has_only(directory, Path::new(other.file)))
    }

    /// Returns the directory that has its hook files.
    pub(crate) fn place(&self, scope: Scope) -> Option<PathBuf> {
        match scope {
            Scope::User => self.directory.clone(),
            Scope::Project if self.recipe.project.is_empty() => None,
            Scope::Project => Some(project()?.join(self.recipe.project)),
        }
    }
}

/// Returns true if there is nothing in a directory but this file.
fn has_only(directory: &Path, file: &Path) -> bool {
    let mut place = directory.to_owned();
    file.components().all(|part| {
        let Ok(mut entries) = fs::read_dir(&place) else { return false };
        let first = entries.next().and_then(Result::ok).map(|entry| entry.file_name());
        place.push(part);
        entries.next().is_none() && first.as_deref() == Some(part.as_os_str())
    })
}

/// Returns the user's settings directory for an agent.
fn directory(recipe: &Recipe) -> Option<PathBuf> {
    let absolute = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    match absolute(recipe.variable) {
        // Joining an empty path would add a slash.
        Some(directory) if recipe.below_variable.is_empty() => Some(directory),
        Some(above) => Some(above.join(recipe.below_variable)),
        None => Some(absolute("HOME")?.join(recipe.directory)),
    }
}

/// Returns the current project: the repository, or this directory.
pub(crate) fn project() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    let root = here.ancestors().find(|directory| directory.join(".git").symlink_metadata().is_ok());
    Some(root.unwrap_or(&here).to_owned())
}

/// Returns the first program with this name on `PATH`, without resolving links: an upgrade may change a
/// link's target.
pub(crate) fn on_path(name: &str) -> Option<PathBuf> {
    all_on_path(name).into_iter().next()
}

/// Returns every program with this name on `PATH`, in order.
pub(crate) fn all_on_path(name: &str) -> Vec<PathBuf> {
    let path = variable("PATH").unwrap_or_default();
    let directories = std::env::split_paths(&path).filter(|directory| directory.is_absolute());
    directories.map(|directory| directory.join(name)).filter(|file| is_program(file)).collect()
}

/// Returns true if the file is executable.
pub(crate) fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(file).is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

/// Returns the version of an agent's program: from its path or package, and only otherwise by running it.
fn version(program: &Path, recipe: &Recipe) -> Option<Version> {
    let real = program.canonicalize().ok()?;
    real.ancestors().skip(1).take(4).find_map(|directory| of_package(directory, recipe)).or_else(|| {
        // Some installers keep one file per version.
        Version::find(real.file_name()?.to_str()?).or_else(|| Version::find(&reported_version(&real)?))
    })
}

fn of_package(directory: &Path, recipe: &Recipe) -> Option<Version> {
    let text = fs::read_to_string(directory.join("package.json")).ok()?;
    let package: serde_json::Value = serde_json::from_str(&text).ok()?;
    let is_it = package.get("name")?.as_str()? == recipe.package;
    is_it.then(|| Version::find(package.get("version")?.as_str()?)).flatten()
}

/// Returns the output of `--version`, if it comes soon. The program gets only `PATH` from the environment.
pub(crate) fn reported_version(program: &Path) -> Option<String> {
    const PATIENCE: Duration = Duration::from_secs(10);
    let mut child = Command::new(program)
        .arg("--version")
        .env_clear()
        .env("PATH", variable("PATH")?)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let start = Instant::now();
    while child.try_wait().ok()?.is_none() {
        if start.elapsed() > PATIENCE {
            // It may have exited in the meantime.
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        thread::sleep(Duration::from_millis(5));
    }
    // Its output fits into the pipe, or it would not have exited.
    let output = child.wait_with_output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}
