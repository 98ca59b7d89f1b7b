//! The Python package: an environment below the build directory, the wheel, and all of its checks.
//!
//! It needs only Python 3.10 and the registry. Tests run against the installed wheel, not against the
//! sources next to them: we test what users install.

use crate::{Failed, Result, cannot, cargo, root, run, say, target};
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// The profile of the extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    /// For tests: builds quickly, from what is compiled already.
    Dev,
    /// As released, plus the baselines that the benchmark compares it with.
    Bench,
}

impl Profile {
    const fn name(self) -> &'static str {
        match self {
            Self::Dev => "dev",
            Self::Bench => "release",
        }
    }
}

/// Builds the wheel, and runs all of its checks.
pub(crate) fn test() -> Result<()> {
    let env = Env::make()?;
    run(cargo().args(["build", "--package", "checkrein-cli", "--target-dir"]).arg(target()))?;
    let wheel = env.wheel(Profile::Dev)?;
    env.install(&wheel)?;
    say("the Python package: tests");
    run(env.python(&["-m", "pytest"]).env("CHECKREIN_WHEEL", &wheel))?;
    say("the Python package: types");
    run(&mut env.python(&["-m", "mypy"]))?;
    run(&mut env.python(&["-m", "mypy.stubtest", "checkrein._native"]))?;
    run(env.python(&["-m", "pyright", "--pythonpath"]).arg(env.program("python")))?;
    say("the corpus of semantics through the Python package");
    let door = env.door()?;
    run(cargo().args(["run", "--package", "checkrein-testkit", "--example", "door", "--"]).arg(door))
}

/// Tests the adapters against the real frameworks, which take longer to install than everything else.
pub(crate) fn adapters() -> Result<()> {
    let tools = Env::make()?;
    run(cargo().args(["build", "--package", "checkrein-cli", "--target-dir"]).arg(target()))?;
    let wheel = tools.wheel(Profile::Dev)?;
    let env = Env::with_frameworks()?;
    env.install(&wheel)?;
    crate::agents::servers()?;
    say("the adapters: tests with the real frameworks");
    let strands = "adapter_tests/test_strands.py";
    let mut tests = env.python(&["-m", "pytest", "-W", "default", "adapter_tests", "--ignore", strands]);
    run(tests.env("CHECKREIN_TARGET", target()))?;
    say("the adapters: types");
    run(&mut env.python(&["-m", "mypy", "--config-file", "adapter_tests/mypy.ini"]))?;
    say("the example for Strands");
    let env = Env::with_strands()?;
    env.install(&wheel)?;
    run(&mut env.python(&["-m", "pytest", "-W", "default", strands]))
}

/// Measures the wheel as released, plus the baselines.
pub(crate) fn bench() -> Result<()> {
    let env = Env::make()?;
    env.install(&env.wheel(Profile::Bench)?)?;
    run(&mut env.python(&["benches/bench.py"]))
}

/// A virtual environment with our tools.
pub(crate) struct Env {
    directory: PathBuf,
}

impl Env {
    /// Creates or updates the environment.
    pub(crate) fn make() -> Result<Self> {
        Self::of("python/env", "tests/requirements.txt")
    }

    /// Creates or updates the environment with the frameworks that we have adapters for.
    fn with_frameworks() -> Result<Self> {
        Self::of("python/frameworks", "adapter_tests/requirements.txt")
    }

    /// Creates or updates the environment with Strands, whose dependencies do not fit those of the other frameworks.
    fn with_strands() -> Result<Self> {
        Self::of("python/strands", "adapter_tests/requirements-strands.txt")
    }

    /// Creates or updates the environment with what a release is built with.
    pub(crate) fn for_release() -> Result<Self> {
        Self::of("python/release", "../../packaging/requirements.txt")
    }

    /// Returns the directory of its programs.
    pub(crate) fn programs(&self) -> PathBuf {
        self.directory.join("bin")
    }

    fn of(directory: &str, requirements: &str) -> Result<Self> {
        let env = Self { directory: target().join(directory) };
        let wanted = package().join(requirements);
        let wanted_text = read(&wanted)?;
        let stamp = env.directory.join("requirements.txt");
        if fs::read_to_string(&stamp).is_ok_and(|made| made == wanted_text) {
            return Ok(env);
        }
        say("making a Python environment below the build directory");
        let python = python()?;
        run(Command::new(&python).args(["-m", "venv", "--clear"]).arg(&env.directory))?;
        let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"];
        run(env.python(&install).arg(&wanted))?;
        fs::write(&stamp, wanted_text).map_err(|error| cannot("write", &stamp.to_string_lossy(), &error))?;
        Ok(env)
    }

    /// Returns the path of a program in the environment.
    fn program(&self, name: &str) -> PathBuf {
        self.programs().join(name)
    }

    /// Returns its Python, in the directory of the package.
    pub(crate) fn python(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.program("python"));
        command.args(arguments).current_dir(package());
        // Nothing from the user's own environment, and no files next to the sources.
        command.env_remove("PYTHONPATH").env("PYTHONDONTWRITEBYTECODE", "1");
        command
    }

    /// Builds the wheel; a release is built as anyone with a checkout would.
    pub(crate) fn wheel(&self, profile: Profile) -> Result<PathBuf> {
        say(&format!("building the wheel in the profile `{}`", profile.name()));
        let wheels = target().join("python/wheels").join(profile.name());
        // Only one may be there afterwards.
        if wheels.exists() {
            fs::remove_dir_all(&wheels)
                .map_err(|error| cannot("remove", &wheels.to_string_lossy(), &error))?;
        }
        let mut maturin = Command::new(self.program("maturin"));
        maturin.args(["build", "--profile", profile.name(), "--target-dir"]).arg(target());
        maturin.arg("--interpreter").arg(self.program("python")).arg("--out").arg(&wheels);
        match profile {
            // The program's tests have built it.
            Profile::Dev => maturin.env("CHECKREIN_PROGRAM", target().join("debug/checkrein")),
            Profile::Bench => maturin.args(["--features", "wheel,bench"]),
        };
        run(maturin.current_dir(package()))?;
        let built =
            fs::read_dir(&wheels).map_err(|error| cannot("read", &wheels.to_string_lossy(), &error))?;
        let wheel = built
            .flatten()
            .map(|entry| entry.path())
            .find(|path| path.extension().is_some_and(|end| end == "whl"));
        wheel.ok_or_else(|| Failed::Because(format!("maturin left no wheel in `{}`", wheels.display())))
    }

    pub(crate) fn install(&self, wheel: &Path) -> Result<()> {
        let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
        run(self.python(&install).args(["--no-deps", "--no-index", "--force-reinstall"]).arg(wheel))
    }

    /// Writes a program that answers events with the installed package.
    fn door(&self) -> Result<PathBuf> {
        use std::os::unix::fs::PermissionsExt;
        let door = target().join("python/door");
        let quoted = |path: &Path| format!("'{}'", path.to_string_lossy().replace('\'', r"'\''"));
        let (python, script) = (self.program("python"), package().join("tests/door.py"));
        let text = format!("#!/bin/sh\nexec {} {} \"$@\"\n", quoted(&python), quoted(&script));
        let written = fs::write(&door, text)
            .and_then(|()| fs::set_permissions(&door, fs::Permissions::from_mode(0o755)));
        written.map_err(|error| cannot("write", &door.to_string_lossy(), &error))?;
        Ok(door)
    }
}

fn package() -> PathBuf {
    root().join("crates/python")
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(|error| cannot("read", &path.to_string_lossy(), &error))
}

/// Finds a Python that is new enough. `CHECKREIN_PYTHON` names another one.
fn python() -> Result<String> {
    let named = env::var("CHECKREIN_PYTHON").ok();
    let usual = ["python3", "python3.13", "python3.12", "python3.11", "python3.10"].map(str::to_owned);
    let is_new_enough = |python: &String| {
        let mut command = Command::new(python);
        command.args(["-c", "import sys, venv; sys.exit(sys.version_info < (3, 10))"]);
        command.stderr(Stdio::null()).status().is_ok_and(|status| status.success())
    };
    let found = named.into_iter().chain(usual).find(is_new_enough);
    found.ok_or_else(|| {
        let why =
            "the Python package needs Python 3.10 or newer, with `venv`; `CHECKREIN_PYTHON` may name it";
        Failed::Because(why.to_owned())
    })
}
