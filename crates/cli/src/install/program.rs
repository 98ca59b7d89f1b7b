//! The path of the program that is registered with agents: absolute, stable across upgrades, and not writable by others.

use super::{
    agents::{all_on_path, is_program, on_path, reported_version},
    elf,
};
use anyhow::{Context, bail};
use checkrein::{guard, ownership, variable};
use std::{
    fmt,
    path::{Path, PathBuf},
};

/// Returns the path to register. If `PATH` has a link to this program, it returns the link: packagers
/// change a link when they install a new version next to the old one. It prefers a static program of the
/// same version if this one is dynamic: a dynamic one can fail in the loader, before it can deny anything.
pub(crate) fn stable() -> anyhow::Result<PathBuf> {
    let real = std::env::current_exe().context("cannot find the path of this program")?;
    let program =
        lasting(&real).or_else(|| on_path(NAME).filter(|named| is_one(named, &real))).unwrap_or(real);
    let program = static_twin(&program).unwrap_or(program);
    if program.file_name().is_none_or(|name| name != NAME) {
        bail!("this program is named `{}`; agents need one named `checkrein`", program.display());
    }
    if program.to_str().is_none() {
        bail!("`{}` is not UTF-8 and cannot be written to an agent's file", program.display());
    }
    Ok(program)
}

const NAME: &str = "checkrein";

/// Returns the first path of this program that an upgrade leaves in place: a link on `PATH` or in a profile, or the shim
/// of a version manager.
fn lasting(real: &Path) -> Option<PathBuf> {
    let in_home = ["HOME"].into_iter().filter_map(variable).map(PathBuf::from).flat_map(|home| {
        [".nix-profile/bin", ".local/state/nix/profile/bin", ".guix-profile/bin"].map(|bin| home.join(bin))
    });
    let of_user = variable("USER").map(|user| Path::new("/etc/profiles/per-user").join(user).join("bin"));
    let of_system = ["/run/current-system/sw/bin", "/nix/var/nix/profiles/default/bin"].map(PathBuf::from);
    // Homebrew links every program from its `Cellar` into the `bin` next to it.
    let of_brew = real
        .ancestors()
        .find(|above| above.file_name().is_some_and(|name| name == "Cellar"))
        .and_then(Path::parent)
        .map(|prefix| prefix.join("bin"));
    let profiles = in_home.chain(of_user).chain(of_system).chain(of_brew).map(|bin| bin.join(NAME));
    let mut paths = all_on_path(NAME).into_iter().chain(profiles);
    let is_versioned_here = is_versioned(real);
    paths.find(|path| !is_versioned(path) && (is_one(path, real) || is_versioned_here && is_shim(path)))
}

/// Returns true if the path names one version of the program, so that an upgrade removes it.
fn is_versioned(path: &Path) -> bool {
    let is_store = |store: &&str| path.starts_with(store);
    let names_version = |name: &str| name.strip_prefix('v').unwrap_or(name) == env!("CARGO_PKG_VERSION");
    let mut names = path.iter().filter_map(|name| name.to_str());
    ["/nix/store", "/gnu/store"].iter().any(is_store)
        || names.any(|name| name == "Cellar" || names_version(name))
}

/// Returns true if a version manager starts this version of the program here.
fn is_shim(path: &Path) -> bool {
    let is_named = path.parent().and_then(Path::file_name).is_some_and(|name| name == "shims");
    is_named
        && is_program(path)
        && reported_version(path).is_some_and(|version| version.trim() == version_line())
}

/// Returns what this program prints for `--version`.
fn version_line() -> String {
    format!("{NAME} {}", env!("CARGO_PKG_VERSION"))
}

fn is_one(named: &Path, real: &Path) -> bool {
    named.canonicalize().is_ok_and(|named| Some(named) == real.canonicalize().ok())
}

/// Returns the static build of this version on `PATH`, if `program` is dynamic.
fn static_twin(program: &Path) -> Option<PathBuf> {
    if !elf::is_dynamic(program) {
        return None;
    }
    let version = version_line();
    let others = all_on_path(NAME).into_iter().filter(|other| !is_one(other, program));
    let mut fit = others.filter(|other| elf::is_static(other) && unfit(other).is_none());
    fit.find(|other| reported_version(other).is_some_and(|version_line| version_line.trim() == version))
}

/// Returns why this path may not last.
pub(crate) fn doubt(program: &Path) -> Option<String> {
    // Build tools leave these in directories that are emptied now and then.
    let built =
        |directory: &&Path| [".fingerprint", "CACHEDIR.TAG"].iter().any(|mark| directory.join(mark).exists());
    let builds = program.ancestors().skip(1).take(3).find(built)?;
    Some(format!(
        "`{}` is in the build directory `{}`, which may be cleaned; install it on your PATH first, for example with \
         `cargo install --path crates/cli`, and run `checkrein init` again",
        program.display(),
        builds.display()
    ))
}

/// The reason why a program may not be registered: other users, or an agent at work, could replace it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unfit {
    /// It is in a directory for temporary files.
    Temporary(PathBuf),
    /// It is in a project.
    Project(PathBuf, PathBuf),
    /// Others can write to this: the file, or a directory above it.
    Open(PathBuf, PathBuf),
    /// Its path names a version, and goes with the next upgrade.
    Versioned(PathBuf),
    /// It cannot be inspected.
    Unseen(PathBuf, String),
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Temporary(path) => {
                write!(f, "`{}` is in a directory for temporary files", path.display())
            }
            Self::Project(path, project) => write!(
                f,
                "`{}` is in the project `{}`, where anyone who works on it can replace it",
                path.display(),
                project.display()
            ),
            Self::Open(path, open) => {
                write!(f, "others can write to `{}` and so replace `{}`", open.display(), path.display())
            }
            Self::Versioned(path) => {
                write!(f, "`{}` is the path of one version, which an upgrade removes", path.display())
            }
            Self::Unseen(path, why) => write!(f, "cannot inspect `{}`: {why}", path.display()),
        }
    }
}

impl Unfit {
    /// Returns how to fix it.
    pub(crate) const fn fix(&self) -> &'static str {
        match self {
            Self::Open(..) => {
                "remove that permission (`chmod go-w`), or install checkrein where only you or root can write, and run \
                 `checkrein init` from there"
            }
            Self::Versioned(_) => {
                "install checkrein into a profile (`nix profile install`, `brew install`) or link it into `~/.local/bin`, and \
                 run `checkrein init` again"
            }
            Self::Temporary(_) | Self::Project(..) | Self::Unseen(..) => {
                "install checkrein where only you or root can write, for example in `~/.local/bin` or `/usr/local/bin`, and \
                 run `checkrein init` from there"
            }
        }
    }
}

/// Returns why this program may not be registered, or `None` if its location is safe.
pub(crate) fn unfit(program: &Path) -> Option<Unfit> {
    let real = program.canonicalize().ok();
    if is_versioned(program) {
        return Some(Unfit::Versioned(program.to_owned()));
    }
    let mut ways = [Some(program), real.as_deref()].into_iter().flatten();
    if let Some(path) = ways.clone().find(|path| is_temporary(path)) {
        return Some(Unfit::Temporary(path.to_owned()));
    }
    if let Some((path, project)) = ways.find_map(|path| Some((path, project_of(path)?))) {
        return Some(Unfit::Project(path.to_owned(), project.to_owned()));
    }
    match ownership::writable_by_others(program) {
        Ok(None) => None,
        Ok(Some(open)) => Some(Unfit::Open(program.to_owned(), open)),
        Err(error) => Some(Unfit::Unseen(program.to_owned(), error.to_string())),
    }
}

/// Returns true if a path is in a temporary directory of the machine or of this session.
fn is_temporary(path: &Path) -> bool {
    let home = variable("HOME").map(PathBuf::from);
    let of_session =
        ["TMPDIR", "TMP", "TEMP", "XDG_RUNTIME_DIR"].into_iter().filter_map(variable).map(PathBuf::from);
    // Temporary files in the home directory do not make all of it temporary.
    let mut apart = of_session
        .filter(|place| place.is_absolute() && home.as_ref().is_none_or(|home| !home.starts_with(place)))
        .chain(std::iter::once(PathBuf::from("/run/user")));
    guard::is_temporary(&path.to_string_lossy()) || apart.any(|place| path.starts_with(place))
}

/// Returns the project that contains a path: a version-controlled directory, except for tools that are
/// updated through version control.
fn project_of(path: &Path) -> Option<&Path> {
    const KEEPERS: [&str; 5] = [".git", ".hg", ".jj", ".svn", ".checkrein.toml"];
    /// The prefixes of Homebrew, which are repositories themselves.
    const PREFIXES: [&str; 3] = ["/opt/homebrew", "/usr/local", "/home/linuxbrew/.linuxbrew"];
    let home = variable("HOME").map(PathBuf::from);
    let is_tool = |directory: &Path| {
        // `~/.pyenv`, `~/.asdf`; and the home directory itself, for users who keep their dotfiles in
        // version control.
        let hidden = directory.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        let in_home = home.as_deref() == directory.parent();
        hidden && in_home
            || home.as_deref() == Some(directory)
            || PREFIXES.iter().any(|prefix| directory == Path::new(prefix))
    };
    let kept = |directory: &&Path| KEEPERS.iter().any(|name| directory.join(name).symlink_metadata().is_ok());
    path.ancestors().skip(1).find(|directory| kept(directory) && !is_tool(directory))
}
