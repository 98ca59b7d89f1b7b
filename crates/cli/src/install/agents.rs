//! Which agents are here: their programs, their versions, their directories.

use checkrein::variable;
use checkrein_hosts::{
    Host,
    install::{Recipe, Version},
};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// Whose files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// The user's own: every session of theirs.
    User,
    /// Those of the project that we are in.
    Project,
}

/// An agent as it is found here.
pub(crate) struct Agent {
    pub(crate) host: &'static Host,
    pub(crate) recipe: &'static Recipe,
    /// The program that a user would start.
    pub(crate) program: Option<PathBuf>,
    pub(crate) version: Option<Version>,
    /// The user's directory of its settings, if it is known where that would be.
    pub(crate) directory: Option<PathBuf>,
}

impl Agent {
    /// Looks for it; nothing if it cannot be set up by us.
    pub(crate) fn look(host: &'static Host) -> Option<Self> {
        let recipe = host.recipe?;
        let program = on_path(recipe.program);
        let version = program.as_deref().and_then(|program| version(program, recipe));
        Some(Self { host, recipe, program, version, directory: directory(recipe) })
    }

    /// Whether there is any sign of it.
    pub(crate) fn is_here(&self) -> bool {
        self.program.is_some() || self.directory.as_deref().is_some_and(Path::is_dir)
    }

    /// The file of its hooks.
    pub(crate) fn file(&self, scope: Scope) -> Option<PathBuf> {
        match scope {
            Scope::User => Some(self.directory.as_ref()?.join(self.recipe.file)),
            Scope::Project => Some(project()?.join(self.recipe.directory).join(self.recipe.file)),
        }
    }
}

/// The user's directory of an agent's settings.
fn directory(recipe: &Recipe) -> Option<PathBuf> {
    let absolute = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    absolute(recipe.variable).or_else(|| Some(absolute("HOME")?.join(recipe.directory)))
}

/// The project that we are in: the repository, or this directory.
pub(crate) fn project() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    let root = here.ancestors().find(|directory| directory.join(".git").symlink_metadata().is_ok());
    Some(root.unwrap_or(&here).to_owned())
}

/// The first program of that name on `PATH`, as it is named there: a link that an upgrade turns is kept.
pub(crate) fn on_path(name: &str) -> Option<PathBuf> {
    all_on_path(name).into_iter().next()
}

/// Every program of that name on `PATH`, the first first.
pub(crate) fn all_on_path(name: &str) -> Vec<PathBuf> {
    let path = variable("PATH").unwrap_or_default();
    let directories = std::env::split_paths(&path).filter(|directory| directory.is_absolute());
    directories.map(|directory| directory.join(name)).filter(|file| is_program(file)).collect()
}

/// Whether there is a file that can be started.
pub(crate) fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(file).is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

/// Returns the version of an agent's program: from its path or package, and only otherwise by running it.
fn version(program: &Path, recipe: &Recipe) -> Option<Version> {
    let real = program.canonicalize().ok()?;
    real.ancestors().skip(1).take(4).find_map(|directory| of_package(directory, recipe)).or_else(|| {
        // Installers of their own keep one file per version.
        Version::find(real.file_name()?.to_str()?).or_else(|| Version::find(&said_version(&real)?))
    })
}

fn of_package(directory: &Path, recipe: &Recipe) -> Option<Version> {
    let text = fs::read_to_string(directory.join("package.json")).ok()?;
    let package: serde_json::Value = serde_json::from_str(&text).ok()?;
    let is_it = package.get("name")?.as_str()? == recipe.package;
    is_it.then(|| Version::find(package.get("version")?.as_str()?)).flatten()
}

/// What `--version` says, if it does so soon. It gets nothing of the environment but `PATH`.
pub(crate) fn said_version(program: &Path) -> Option<String> {
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
    // What it wrote fits into the pipe, or it would not have ended.
    let output = child.wait_with_output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}
