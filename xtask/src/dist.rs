//! The release build: one static program, its bill of materials, and a check that it runs.
//!
//! It is static because a host starts the program for every event, and a dynamic linker takes several times
//! as long as the answer. Everything that makes the released program differ from a plain `cargo build
//! --release` is in this file, so that a plain build stays plain.

use crate::{Failed, Result, cannot, cargo, output, root, run, rustc, say, target};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::{
    env,
    env::consts::{ARCH, OS},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

mod elf;
mod order;
mod packages;
mod sbom;
mod trial;

use packages::Packages;

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
const FLAGS: [&str; 3] =
    ["-Crelocation-model=static", "-Csymbol-mangling-version=v0", "-Clink-arg=-Wl,-z,noseparate-code"];

/// The settings that it changes in the release profile.
///
/// It optimises for size: the code for one event is spread over the whole program, and each page that is
/// touched for the first time costs as much as a thousand instructions. Measured, this saves a tenth of a
/// whole process; a batch of many events in one process gets slower by a third, to four microseconds each,
/// which is not noticeable.
const PROFILE: [&str; 1] = ["profile.release.opt-level=\"s\""];

/// Builds, checks and writes `target/dist/`, prints its content, and returns the program's path.
pub(crate) fn dist() -> Result<PathBuf> {
    if OS != "linux" {
        return Err(Failed::Because(format!(
            "there is no static build for {OS}; `cargo build --release` leaves the program in `target/release`"
        )));
    }
    let triple = format!("{ARCH}-unknown-linux-musl");
    let toolchain = Toolchain::find()?;
    standard_library(&triple)?;
    let packages = Packages::read(&triple)?;
    let directory = target().join("dist");
    order_functions(&triple, &directory, &toolchain, &packages)?;
    let (executable, linked) =
        build(&triple, &directory.join("build"), &toolchain, &packages, Variant::Release)?;

    say("looking into the program");
    let bytes = read(&executable)?;
    elf::check(&bytes).map_err(|problem| Failed::Because(format!("the program {problem}")))?;
    no_path_of_this_machine(&bytes, &packages)?;
    trial::run(&executable, &directory.join("trial"))?;

    let checksum: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    let linked = packages.linked(&linked)?;
    let bom = sbom::write(&linked, &toolchain, &checksum);
    let components = bom.get("components").and_then(Value::as_array).map_or(0, Vec::len);
    let bom = serde_json::to_vec_pretty(&bom).map_err(|error| Failed::Because(error.to_string()))?;
    let program = directory.join("checkrein");
    put(&executable, &program)?;
    write(&directory.join("checkrein.sha256"), format!("{checksum}  checkrein\n").as_bytes())?;
    write(&directory.join("checkrein.cdx.json"), &bom)?;

    println!("program     {}", program.display());
    println!("size        {} bytes", bytes.len());
    println!("sha256      {checksum}");
    println!("components  {components}, listed in {}.cdx.json", program.display());
    Ok(program)
}

/// Builds the program as a release in `directory`, with every rule of the guard `times` times. It is only
/// for measuring.
pub(crate) fn with_rules(times: u32, directory: &Path) -> Result<PathBuf> {
    to_measure(Variant::Rules(times), &directory.join("build"), directory)
}

/// Builds the program as a release in which `hook` uses the system allocator. It is only for measuring.
pub(crate) fn with_system_allocator(directory: &Path) -> Result<PathBuf> {
    to_measure(Variant::SystemAllocator, &target().join("dist/build"), directory)
}

fn to_measure(variant: Variant, build_directory: &Path, directory: &Path) -> Result<PathBuf> {
    let triple = format!("{ARCH}-unknown-linux-musl");
    let toolchain = Toolchain::find()?;
    standard_library(&triple)?;
    let packages = Packages::read(&triple)?;
    let (executable, _) = build(&triple, build_directory, &toolchain, &packages, variant)?;
    // A file that the linker wrote starts a seventh slower than a copy of it, and the release is a copy.
    let program = directory.join("checkrein");
    fs::create_dir_all(directory).map_err(|error| cannot("create", &directory.to_string_lossy(), &error))?;
    put(&executable, &program)?;
    Ok(program)
}

/// Finds the functions that usual events run, so that the linker puts them next to each other. This needs
/// valgrind, and a build with the names of all functions, which shares everything but the last step with
/// the release. Without valgrind the release only needs more pages.
fn order_functions(triple: &str, directory: &Path, toolchain: &Toolchain, packages: &Packages) -> Result<()> {
    if !order::is_possible() {
        say(
            "there is no valgrind here: functions stay in the compiler's order, and the program starts slower",
        );
        return order::forget();
    }
    let (executable, _) = build(triple, &directory.join("build"), toolchain, packages, Variant::Symbols)?;
    order::write(&executable)
}

/// Copies a program to its place. It is renamed into place, because a running program cannot be
/// overwritten.
fn put(executable: &Path, program: &Path) -> Result<()> {
    let new = program.with_extension("new");
    fs::copy(executable, &new).map_err(|error| cannot("write", &new.to_string_lossy(), &error))?;
    fs::rename(&new, program).map_err(|error| cannot("write", &program.to_string_lossy(), &error))
}

/// The compiler.
pub(crate) struct Toolchain {
    /// The version, such as `1.95.0`.
    version: String,
    commit: String,
    sysroot: String,
}

impl Toolchain {
    fn find() -> Result<Self> {
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
fn standard_library(triple: &str) -> Result<()> {
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
enum Variant {
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
fn build(
    triple: &str,
    directory: &Path,
    toolchain: &Toolchain,
    packages: &Packages,
    variant: Variant,
) -> Result<(PathBuf, Vec<String>)> {
    say("building checkrein-cli in the release profile, static");
    let mut command = cargo();
    command.args(["rustc", "--release", "--locked", "--package", "checkrein-cli", "--bin", "checkrein"]);
    command.args(["--target", triple]).args(PROFILE.iter().flat_map(|setting| ["--config", setting]));
    command.arg("--message-format=json-render-diagnostics").arg("--target-dir").arg(directory);
    // Replaces all flags from the environment or a configuration, so that the program is the same
    // everywhere.
    command.env("CARGO_ENCODED_RUSTFLAGS", flags(toolchain, packages).join("\u{1f}"));
    // A release has each rule once, whatever the environment contains.
    match variant {
        Variant::Rules(times) => command.env(REPEAT_RULES, times.to_string()),
        Variant::Release | Variant::SystemAllocator | Variant::Symbols => command.env_remove(REPEAT_RULES),
    };
    // For the last step only: a profile setting or a flag for all crates would change every crate's hash,
    // and with it every function's name. Of identical functions the compiler keeps the one whose name comes
    // first, so it would keep a different one.
    command.arg("--");
    if variant == Variant::Symbols {
        command.arg("-Cstrip=none");
    } else if order::script().exists() {
        command.arg(format!("-Clink-arg=-Wl,-T,{}", order::script().display()));
    }
    if variant == Variant::SystemAllocator {
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

/// Returns flags that replace this machine's paths: messages name source files by the paths that everyone
/// has.
fn flags(toolchain: &Toolchain, packages: &Packages) -> Vec<String> {
    let remap = |from: &str, to: &str| format!("--remap-path-prefix={from}={to}");
    let mut flags: Vec<String> = FLAGS.map(str::to_owned).into();
    flags.extend(packages.sources().iter().map(|directory| remap(directory, "/crates")));
    flags.push(remap(
        &format!("{}/lib/rustlib/src/rust", toolchain.sysroot),
        &format!("/rustc/{}", toolchain.commit),
    ));
    flags.push(remap(&root().to_string_lossy(), "/checkrein"));
    flags
}

fn no_path_of_this_machine(program: &[u8], packages: &Packages) -> Result<()> {
    let home = env::var("HOME").unwrap_or_default();
    let directories = [home, root().to_string_lossy().into_owned(), target().to_string_lossy().into_owned()];
    for directory in directories.iter().chain(packages.sources()) {
        let directory = format!("{}/", directory.trim_end_matches('/'));
        // A home of `/` reveals nothing about a machine.
        if directory != "/" && program.windows(directory.len()).any(|bytes| bytes == directory.as_bytes()) {
            return Err(Failed::Because(format!("the program holds a path of this machine, `{directory}`")));
        }
    }
    Ok(())
}

/// Returns the string at `pointer`, or an empty one.
fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(|error| cannot("read", &path.to_string_lossy(), &error))
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(path, bytes).map_err(|error| cannot("write", &path.to_string_lossy(), &error))
}
