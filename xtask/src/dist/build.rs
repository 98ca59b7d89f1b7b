//! Builds the program as it is released, for one system.

use super::{Packages, order, text};
use crate::{Failed, Result, cargo, output, root, run, rustc, say};
use serde_json::Value;
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    process::Command,
};

/// The compiler flags of the released program, in addition to the release profile.
///
/// - A fixed address: a position-independent program first relocates thousands of its own pointers, and so
///   touches pages that it would not need. That is a tenth of its run time, for each event of each agent,
///   and more than the budget allows. The loss is small: stack, heap and the kernel's pages are still at
///   random addresses, and an attacker who wants to jump to a known address first has to get past a program
///   in safe Rust.
/// - Function names that include their types: `order` puts only the instances first that run, not all of
///   them.
/// - Code and constants in one segment: each one that the kernel maps costs as much as some thousand
///   instructions. None of it is writable.
/// - Frame pointers: the tables for unwinding then need not say after each instruction of a prologue where the frame is.
const FLAGS: [&str; 4] = [
    "-Crelocation-model=static",
    "-Csymbol-mangling-version=v0",
    "-Clink-arg=-Wl,-z,noseparate-code",
    "-Cforce-frame-pointers=yes",
];

/// The settings that it changes in the release profile.
///
/// It optimises for size: the code for one event is spread over the whole program, and each page that is
/// touched for the first time costs as much as a thousand instructions. Measured, this saves a tenth of a
/// whole process; a batch of many events in one process gets slower by a third, to four microseconds each,
/// which is not noticeable.
const PROFILE: [&str; 1] = ["profile.release.opt-level=\"s\""];

/// The packages of which usual events run nothing or next to nothing: the commands for users, and what only these need. They are made
/// as small as possible, which elsewhere would cost half as many instructions again.
const COLD: [&str; 24] = [
    "anstream",
    "anstyle-parse",
    "anyhow",
    "checkrein-cli",
    "checkrein-code",
    "checkrein-exec",
    "checkrein-git",
    "checkrein-live",
    "checkrein-model",
    "checkrein-sql",
    "checkrein-undo",
    "clap",
    "clap_builder",
    "clap_complete",
    "clap_lex",
    "clap_mangen",
    "miniz_oxide",
    "regex-lite",
    "roff",
    "ruzstd",
    "similar",
    "toml",
    "toml_datetime",
    "toml_parser",
];

/// The way to build one program.
pub(crate) struct Recipe {
    /// The system, by the compiler's name.
    pub(crate) triple: String,
    /// The build directory.
    pub(crate) directory: PathBuf,
    pub(crate) linker: Linker,
    /// Settings of the release profile, on top of [`PROFILE`].
    pub(crate) settings: &'static [&'static str],
    pub(super) variant: Variant,
}

impl Recipe {
    /// Returns how the released program is built on this machine.
    pub(crate) fn of_release(triple: &str, directory: PathBuf) -> Self {
        let triple = triple.to_owned();
        Self { triple, directory, linker: Linker::System, settings: &[], variant: Variant::Release }
    }
}

/// The linker of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Linker {
    /// The one of this machine, for this machine's architecture.
    System,
    /// The one that comes with the compiler. It links static Linux programs for any architecture.
    Compiler,
    /// Zig's, which has the symbols of macOS: the variables with which `cargo-zigbuild`, a program in this
    /// directory, finds it.
    Zig(PathBuf),
}

/// The compiler.
pub(crate) struct Toolchain {
    /// The version, such as `1.95.0`.
    pub(super) version: String,
    pub(super) commit: String,
    pub(super) sysroot: String,
}

impl Toolchain {
    pub(crate) fn find() -> Result<Self> {
        let said = output(rustc().arg("-vV"))?;
        let field = |name: &str| {
            let found = said.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
            found
                .map(str::to_owned)
                .ok_or_else(|| Failed::Because(format!("`rustc -vV` does not say its {name}")))
        };
        let sysroot = output(rustc().args(["--print", "sysroot"]))?.trim().to_owned();
        Ok(Self { version: field("release")?, commit: field("commit-hash")?, sysroot })
    }
}

/// Installs the standard library for the target if it is missing.
pub(crate) fn standard_library(triple: &str) -> Result<()> {
    let directory = output(rustc().args(["--print", "target-libdir", "--target", triple]))?;
    let is_there = || Path::new(directory.trim()).is_dir();
    if is_there() {
        return Ok(());
    }
    say(&format!("the standard library for {triple} is missing; adding it"));
    let added = run(Command::new("rustup").current_dir(root()).args(["target", "add", triple]));
    match added {
        Ok(()) if is_there() => Ok(()),
        Ok(()) | Err(Failed::Exit(_) | Failed::Because(_)) => Err(Failed::Because(format!(
            "the standard library for `{triple}` is missing and could not be added\n\
             hint: run `rustup target add {triple}`; with a toolchain that is not from rustup, install its package of \
             the standard library for that target, so that there is a directory `{}`",
            directory.trim()
        ))),
    }
}

/// The variable that makes the build script of the guard repeat every rule.
const REPEAT_RULES: &str = "CHECKREIN_REPEAT_RULES";

/// The variant of the program to build.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Variant {
    /// The released program.
    Release,
    /// The released program with every rule this many times.
    Rules(u32),
    /// The released program with the system allocator for everything.
    SystemAllocator,
    /// The released program with the names of its functions, in the compiler's order.
    Symbols,
}

/// Builds the program, and returns its path and the packages that cargo linked into it.
pub(crate) fn build(
    recipe: &Recipe,
    toolchain: &Toolchain,
    packages: &Packages,
) -> Result<(PathBuf, Vec<String>)> {
    let Recipe { triple, directory, variant, .. } = recipe;
    say(&format!("building checkrein-cli in the release profile for {triple}"));
    let mut command = compiler(&recipe.linker)?;
    command.args(["--release", "--locked", "--package", "checkrein-cli", "--bin", "checkrein"]);
    let settings = PROFILE.iter().chain(recipe.settings);
    command.args(["--target", triple]).args(settings.flat_map(|setting| ["--config", setting]));
    for package in COLD {
        command.arg("--config").arg(format!("profile.release.package.{package}.opt-level=\"z\""));
    }
    command.arg("--message-format=json-render-diagnostics").arg("--target-dir").arg(directory);
    // Replaces all flags from the environment or a configuration, so that the program is the same
    // everywhere.
    command.env("CARGO_ENCODED_RUSTFLAGS", flags(recipe, toolchain, packages).join("\u{1f}"));
    // A release has each rule once, whatever the environment contains.
    match *variant {
        Variant::Rules(times) => command.env(REPEAT_RULES, times.to_string()),
        Variant::Release | Variant::SystemAllocator | Variant::Symbols => command.env_remove(REPEAT_RULES),
    };
    // For the last step only: a profile setting or a flag for all crates would change every crate's hash,
    // and with it every function's name. Of identical functions the compiler keeps the one whose name comes
    // first, so it would keep a different one.
    command.arg("--");
    let is_traced = *variant == Variant::Symbols;
    // The release profile says so already, but cargo forgets it for a package with settings of its own.
    command.arg(if is_traced { "-Cstrip=none" } else { "-Cstrip=symbols" });
    // A traced program keeps the compiler's order, which the trace is to replace.
    if !is_traced && recipe.linker == Linker::System && order::script().exists() {
        command.arg(format!("-Clink-arg=-Wl,-T,{}", order::script().display()));
    }
    if *variant == Variant::SystemAllocator {
        command.args(["--cfg", "checkrein_system_allocator"]);
    }
    let said = output(&mut command)?;
    let messages = said.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let (mut executable, mut linked) = (None, Vec::new());
    for message in messages.filter(|message| text(message, "/reason") == "compiler-artifact") {
        let files = message.get("filenames").and_then(Value::as_array).into_iter().flatten();
        // Code that runs during the build, such as a macro and its dependencies, is built for this machine,
        // in another directory.
        let for_target = files
            .filter_map(Value::as_str)
            .any(|file| Path::new(file).strip_prefix(directory).is_ok_and(|file| file.starts_with(triple)));
        if for_target {
            linked.push(text(&message, "/package_id").to_owned());
            executable = message.get("executable").and_then(Value::as_str).map(PathBuf::from).or(executable);
        }
    }
    let executable = executable.ok_or_else(|| Failed::Because("cargo does not say what it built".into()))?;
    Ok((executable, linked))
}

/// Returns cargo's command that builds one program with these settings.
fn compiler(linker: &Linker) -> Result<Command> {
    let Linker::Zig(tools) = linker else {
        let mut command = cargo();
        command.arg("rustc");
        return Ok(command);
    };
    let mut command = Command::new(tools.join("cargo-zigbuild"));
    command.arg("rustc").current_dir(root());
    // It finds Zig as a module of the Python next to it.
    command.env("PATH", with_tools(tools)?).env("MACOSX_DEPLOYMENT_TARGET", MACOS);
    // It asks for an SDK and does without.
    command.env_remove("SDKROOT");
    Ok(command)
}

/// The oldest macOS on which the program starts, which is the oldest one for ARM64.
pub(crate) const MACOS: &str = "11.0";

/// Returns `PATH` with a directory of tools in front.
pub(crate) fn with_tools(tools: &Path) -> Result<OsString> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let directories = std::iter::once(tools.to_owned()).chain(std::env::split_paths(&path));
    std::env::join_paths(directories).map_err(|error| Failed::Because(error.to_string()))
}

/// Returns all flags of a program.
fn flags(recipe: &Recipe, toolchain: &Toolchain, packages: &Packages) -> Vec<String> {
    let mut flags: Vec<String> = match recipe.linker {
        Linker::System => FLAGS.map(str::to_owned).into(),
        // Its linker has no `noseparate-code`, and the gain of a fixed address was not measured there.
        Linker::Compiler => vec!["-Clinker=rust-lld".to_owned(), "-Clink-self-contained=yes".to_owned()],
        Linker::Zig(_) => Vec::new(),
    };
    flags.extend(renamed_paths(toolchain, packages));
    flags
}

/// Returns flags that replace this machine's paths: messages name source files by the paths that everyone
/// has.
pub(crate) fn renamed_paths(toolchain: &Toolchain, packages: &Packages) -> Vec<String> {
    let remap = |from: &str, to: &str| format!("--remap-path-prefix={from}={to}");
    let sources = packages.sources().iter().map(|directory| remap(directory, "/crates"));
    let library = format!("{}/lib/rustlib/src/rust", toolchain.sysroot);
    let ours = [
        remap(&library, &format!("/rustc/{}", toolchain.commit)),
        remap(&root().to_string_lossy(), "/checkrein"),
    ];
    sources.chain(ours).collect()
}
