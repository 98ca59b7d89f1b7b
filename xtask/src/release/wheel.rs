//! The Python wheels, with the program inside, and the source distribution.

use super::{archive::Files, platform::Platform, program::Program};
use crate::{
    Failed, Result, cannot,
    dist::{self, Packages, Toolchain},
    output, root, run, say, target,
};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Variables for a fast build, for tests of the packages and not for users.
pub(super) const FAST: [(&str, &str); 3] = [
    ("CARGO_PROFILE_RELEASE_LTO", "off"),
    ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16"),
    ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1"),
];

/// Builds the wheels of a platform into `directory`, and returns their paths.
pub(super) fn wheels(
    platform: &Platform,
    program: &Program,
    tools: &Path,
    directory: &Path,
    fast: bool,
) -> Result<Vec<PathBuf>> {
    let mut wheels = Vec::new();
    for (triple, tag) in platform.wheels {
        say(&format!("building the wheel for {triple}"));
        dist::standard_library(triple)?;
        let before = files(directory)?;
        let mut maturin = Command::new(tools.join("maturin"));
        maturin.args(["build", "--release", "--zig", "--target", triple]).arg("--out").arg(directory);
        maturin.arg("--target-dir").arg(target().join("release-build/wheels"));
        if let Some(tag) = tag {
            maturin.args(["--compatibility", tag]);
        }
        maturin.current_dir(root().join("crates/python")).env("PATH", dist::with_tools(tools)?);
        maturin.env("CHECKREIN_PROGRAM", &program.file).env("MACOSX_DEPLOYMENT_TARGET", dist::MACOS);
        let paths = dist::renamed_paths(&Toolchain::find()?, &Packages::read(triple)?);
        maturin.env("CARGO_ENCODED_RUSTFLAGS", paths.join("\u{1f}"));
        if fast {
            maturin.envs(FAST);
        }
        run(&mut maturin)?;
        wheels.extend(files(directory)?.into_iter().filter(|file| !before.contains(file)));
    }
    Ok(wheels)
}

/// Returns the wheels in a directory.
fn files(directory: &Path) -> Result<Vec<PathBuf>> {
    let entries =
        fs::read_dir(directory).map_err(|error| cannot("read", &directory.to_string_lossy(), &error))?;
    let wheel = |path: &PathBuf| path.extension().is_some_and(|end| end == "whl");
    Ok(entries.flatten().map(|entry| entry.path()).filter(wheel).collect())
}

/// Files that nothing needs to build the package.
const LEFT_OUT: [&str; 6] = ["corpus/", "docs/", "fuzz/", "tests/agents/install/", ".ci/", "packaging/"];

/// Writes the source distribution into `directory`. The package builds the program too, which no package
/// manager knows, so this is the whole workspace with a `pyproject.toml` on top that names the package.
pub(super) fn source(wheel: &Path, directory: &Path) -> Result<PathBuf> {
    let tracked = output(Command::new("git").current_dir(root()).args(["ls-files", "-z"]))?;
    let mut files = Files::default();
    for name in tracked.split('\0').filter(|name| !name.is_empty()) {
        if !LEFT_OUT.iter().any(|start| name.starts_with(start)) && !name.contains("/tests/corpus") {
            let path = root().join(name);
            let content = fs::read(&path).map_err(|error| cannot("read", &path.to_string_lossy(), &error))?;
            files.add(name, content);
        }
    }
    let project = root().join("crates/python/pyproject.toml");
    let project =
        fs::read_to_string(&project).map_err(|error| cannot("read", &project.to_string_lossy(), &error))?;
    files.add("pyproject.toml", on_top(&project)?);
    files.add("PKG-INFO", metadata(wheel)?);
    let top = format!("checkrein-{VERSION}");
    let archive = directory.join(format!("{top}.tar.gz"));
    files.write(&top, &archive)?;
    Ok(archive)
}

/// Returns the package's `pyproject.toml` for the directory above all crates.
fn on_top(project: &str) -> Result<String> {
    let moved = [
        (
            "python-source = \"python\"",
            "python-source = \"crates/python/python\"\nmanifest-path = \"crates/python/Cargo.toml\"",
        ),
        ("readme = \"README.md\"", "readme = \"crates/python/README.md\""),
    ];
    moved.iter().try_fold(project.to_owned(), |text, (from, to)| {
        if text.matches(from).count() != 1 {
            return Err(Failed::Because(format!("`pyproject.toml` should have one line `{from}`")));
        }
        Ok(text.replace(from, to))
    })
}

/// Returns the description of the package from a wheel, which is a zip archive.
fn metadata(wheel: &Path) -> Result<String> {
    let name = format!("checkrein-{VERSION}.dist-info/METADATA");
    let script =
        "import sys, zipfile; sys.stdout.write(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]).decode())";
    output(Command::new("python3").args(["-c", script]).arg(wheel).arg(name))
}
