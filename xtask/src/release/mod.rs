//! The release: one command makes every package for every system, as far as this machine can, and says what it could
//! not make or try. Publishing is not part of it: a maintainer does that.

use crate::{
    Failed, Result, cannot, cargo, dist, output,
    plugins::{self, Carried},
    python, root, run, target,
};
use std::{
    fs,
    path::{Path, PathBuf},
};

pub(crate) mod archive;
mod debian;
mod install;
mod install_system;
mod macho;
mod npm;
mod pages;
mod platform;
mod program;
mod server;
mod sign;
mod templates;
mod twice;
mod wheel;

use archive::Files;
use platform::{PLATFORMS, Platform};
use program::Program;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The options of the command.
#[derive(Debug, Default)]
struct Options {
    /// Build quickly, for tests of the packages and not for users.
    fast: bool,
    /// Install and use every package that this machine can run.
    try_packages: bool,
    /// Also the packages for whole systems.
    try_systems: bool,
    /// The platforms by name; empty for all.
    only: Vec<String>,
    /// No Python packages.
    no_wheels: bool,
    /// The secret key of minisign to sign with.
    key: Option<PathBuf>,
}

/// Makes the packages in `target/packages`.
pub(crate) fn release(arguments: &[&str]) -> Result<()> {
    if let ["--twice", rest @ ..] = arguments {
        return match rest {
            [] => twice::twice(false),
            ["--fast"] => twice::twice(true),
            _ => Err(Failed::Because("use `release --twice [--fast]`".into())),
        };
    }
    if arguments == ["--pages"] {
        return pages::write();
    }
    let options = Options::parse(arguments)?;
    let tools = python::Env::for_release()?.programs();
    check_workflows(&tools)?;
    let directory = target().join(if options.fast { "packages-fast" } else { "packages" });
    empty(&directory)?;
    let documents = Documents::write()?;
    let (mut untried, mut too_large) = (Vec::new(), Vec::new());
    let mut wheels = Vec::new();
    let mut carried = Vec::new();
    for platform in options.platforms() {
        let program = program::build(platform, &tools, options.fast)?;
        pack(platform, &program, &documents, &directory)?;
        debian::pack(platform, &program, &documents, &directory)?;
        npm::platform(platform, &program.file, &directory)?;
        // A fast run only shows that packages work, which a wheel for another machine cannot.
        let is_native = platform.emulator().is_ok_and(|emulator| emulator.is_empty());
        if !options.no_wheels && (is_native || !options.fast) {
            wheels.extend(wheel::wheels(platform, &program, &tools, &directory, options.fast)?);
        }
        carried.push(Carried { platform: platform.name(), file: program.file.clone() });
        untried.extend(program.untried.map(|reason| (platform.name(), reason)));
        too_large.extend(program.too_large.map(|reason| format!("{}: {reason}", platform.name())));
    }
    plugins::make(&carried, &directory)?;
    npm::main(&directory)?;
    if let Some(wheel) = wheels.first() {
        wheel::source(wheel, &directory)?;
    }
    templates::write(&directory, &options.platforms())?;
    checksums(&directory)?;
    pages::check(&directory, options.only.is_empty() && !options.no_wheels)?;
    if let Some(key) = &options.key {
        sign::sign(&directory, key)?;
    }
    if options.try_packages {
        install::all(&directory, &tools, &options.platforms(), options.try_systems)?;
    }
    report(&directory, &untried)?;
    // The packages work, so a maintainer can look at them; but this is not a release.
    if too_large.is_empty() { Ok(()) } else { Err(Failed::Because(too_large.join("\n"))) }
}

/// Compares the workflows with their schema. They have never run, so this is all that is known about them.
fn check_workflows(tools: &Path) -> Result<()> {
    let mut check = std::process::Command::new(tools.join("check-jsonschema"));
    check.current_dir(root()).args(["--builtin-schema", "vendor.github-workflows"]);
    run(check.args([".github/workflows/ci.yml", ".github/workflows/release.yml"]))
}

/// Builds the programs of the platforms that are named, or of all, for plugins.
pub(crate) fn programs(arguments: &[&str]) -> Result<Vec<Carried>> {
    let options = Options::parse(&[&["--dry-run"], arguments].concat())?;
    let tools = python::Env::for_release()?.programs();
    let mut carried = Vec::new();
    for platform in options.platforms() {
        let program = program::build(platform, &tools, options.fast)?;
        carried.push(Carried { platform: platform.name(), file: program.file });
    }
    Ok(carried)
}

impl Options {
    fn parse(arguments: &[&str]) -> Result<Self> {
        let mut options = Self::default();
        let mut dry_run = false;
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            match *argument {
                "--dry-run" => dry_run = true,
                "--fast" => options.fast = true,
                "--try" => options.try_packages = true,
                "--try-systems" => (options.try_packages, options.try_systems) = (true, true),
                "--no-wheels" => options.no_wheels = true,
                "--sign" => {
                    let key = arguments
                        .next()
                        .ok_or_else(|| Failed::Because("`--sign` needs a key file".into()))?;
                    options.key = Some(PathBuf::from(key));
                }
                "--platform" => {
                    let name = arguments.next().copied().unwrap_or_default();
                    if !PLATFORMS.iter().any(|platform| platform.name() == name) {
                        let names = PLATFORMS.each_ref().map(Platform::name).join(", ");
                        return Err(Failed::Because(format!("unknown platform `{name}`; there are {names}")));
                    }
                    options.only.push(name.to_owned());
                }
                unknown => return Err(Failed::Because(format!("unknown argument `{unknown}`"))),
            }
        }
        if !dry_run {
            return Err(Failed::Because(
                "use `release --dry-run`: it makes every package, and a maintainer publishes them".into(),
            ));
        }
        Ok(options)
    }

    fn platforms(&self) -> Vec<&'static Platform> {
        let wanted = |platform: &&Platform| self.only.is_empty() || self.only.contains(&platform.name());
        PLATFORMS.iter().filter(wanted).collect()
    }
}

/// The pages and completions, which are the same on every platform.
struct Documents {
    manual: PathBuf,
    completions: [(&'static str, String); 3],
}

impl Documents {
    /// Lets a program of this machine write them.
    fn write() -> Result<Self> {
        let manual = target().join("release-build/man");
        empty(&manual)?;
        run(checkrein(&["man"]).arg(&manual))?;
        let completions = [
            ("share/bash-completion/completions/checkrein", "bash"),
            ("share/zsh/site-functions/_checkrein", "zsh"),
            ("share/fish/vendor_completions.d/checkrein.fish", "fish"),
        ];
        let mut written = Vec::new();
        for (path, shell) in completions {
            written.push((path, output(&mut checkrein(&["completions", shell]))?));
        }
        let completions = written.try_into().map_err(|_| Failed::Because("three shells".into()))?;
        Ok(Self { manual, completions })
    }
}

fn checkrein(arguments: &[&str]) -> std::process::Command {
    let mut command = cargo();
    command.args(["run", "--quiet", "--package", "checkrein-cli", "--"]).args(arguments);
    command
}

/// Writes the archive of a platform.
fn pack(platform: &Platform, program: &Program, documents: &Documents, directory: &Path) -> Result<()> {
    let mut files = Files::default();
    files.add_program("bin/checkrein", read(&program.file)?);
    files.add_directory("share/man/man1", &documents.manual)?;
    for (path, text) in &documents.completions {
        files.add(*path, text.as_bytes());
    }
    for name in ["README.md", "CHANGELOG.md", "SECURITY.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        files.add(name, read(&root().join(name))?);
    }
    files.add("NOTICES.txt", program.notices.as_bytes());
    files.add("checkrein.cdx.json", program.bom.as_slice());
    let name = format!("checkrein-{VERSION}-{}", platform.triple);
    files.write(&name, &directory.join(format!("{name}.tar.gz")))
}

/// Writes the checksums of all files, in the form that `sha256sum --check` reads.
fn checksums(directory: &Path) -> Result<()> {
    let mut text = String::new();
    for (name, _) in listed(directory)? {
        text.push_str(&format!("{}  {name}\n", dist::checksum(&read(&directory.join(&name))?)));
    }
    let path = directory.join("SHA256SUMS");
    fs::write(&path, text).map_err(|error| cannot("write", &path.to_string_lossy(), &error))
}

/// Prints what was made, and what could not be tried.
fn report(directory: &Path, untried: &[(String, String)]) -> Result<()> {
    println!("made in {}:", directory.display());
    for (name, size) in listed(directory)? {
        println!("  {:>9} KiB  {name}", size.div_ceil(1024));
    }
    for (platform, reason) in untried {
        println!("not tried: {platform}: {reason}");
    }
    Ok(())
}

/// Returns the names and sizes of the files in a directory, in alphabetical order.
fn listed(directory: &Path) -> Result<Vec<(String, u64)>> {
    let unreadable = |error| cannot("read", &directory.to_string_lossy(), &error);
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let size = entry.metadata().map_err(unreadable)?.len();
        files.push((entry.file_name().to_string_lossy().into_owned(), size));
    }
    files.sort_unstable();
    Ok(files)
}

/// Makes sure that a directory exists and is empty.
fn empty(directory: &Path) -> Result<()> {
    // It may not be there yet.
    let _ = fs::remove_dir_all(directory);
    fs::create_dir_all(directory).map_err(|error| cannot("create", &directory.to_string_lossy(), &error))
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(|error| cannot("read", &path.to_string_lossy(), &error))
}
