//! The release build: one static program, what it is made of, and proof that it runs.
//!
//! Static, because a host starts the program for every event and a dynamic linker takes several times as long as the
//! answer. Everything that makes the released program differ from a plain `cargo build --release` is in this file, so
//! that a plain build stays plain.

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

/// How the released program is compiled, beside what the release profile says.
///
/// At a fixed address: a program that can lie anywhere first corrects thousands of its own pointers, and so touches
/// pages that it would never have touched. That is a tenth of its whole life, for each event of each agent, and more
/// than the budget has left. What is given up is small here: stack, heap and the kernel's pages still lie at random
/// places, and whoever wants to jump to a known address must first get past a program in safe Rust.
///
/// With names that say for which types a function was made: `order` puts those first that run, and not all of their like.
///
/// Code and constants in one piece of memory: one that the kernel maps costs as much as some thousand instructions. None of
/// it can be written.
const FLAGS: [&str; 3] =
    ["-Crelocation-model=static", "-Csymbol-mangling-version=v0", "-Clink-arg=-Wl,-z,noseparate-code"];

/// What it sets in the release profile.
///
/// Small code: what one event needs is spread over the whole program, and each page of it that is touched for the first
/// time costs as much as a thousand instructions. Measured, this is a tenth of a whole process; a batch of many events
/// in one process gets slower by a third, to four microseconds for each, which nobody will notice.
const PROFILE: [&str; 1] = ["profile.release.opt-level=\"s\""];

/// Builds, checks, writes `target/dist/`, says what is there, and returns where the program is.
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

/// Builds the program as a release in `directory`, with every rule of the guard so often. It is to be measured and nothing else.
pub(crate) fn with_rules(times: u32, directory: &Path) -> Result<PathBuf> {
    to_measure(Variant::Rules(times), &directory.join("build"), directory)
}

/// Builds the program as a release, but `hook` uses the system allocator. It is to be measured and nothing else.
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

/// Finds out which functions usual events run, for the linker to put them next to each other. This takes a build with the
/// names of all functions, which shares everything but the last step with the release, and valgrind. Without valgrind
/// the release only needs more pages.
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

/// Copies a program to its place. Renamed into it: a program that runs at the moment cannot be overwritten.
fn put(executable: &Path, program: &Path) -> Result<()> {
    let new = program.with_extension("new");
    fs::copy(executable, &new).map_err(|error| cannot("write", &new.to_string_lossy(), &error))?;
    fs::rename(&new, program).map_err(|error| cannot("write", &program.to_string_lossy(), &error))
}

/// The compiler that is used.
pub(crate) struct Toolchain {
    /// Such as `1.95.0`.
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

/// The standard library for the target, added if it is missing.
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

/// What asks `crates/guard/build.rs` for every rule several times.
const REPEAT_RULES: &str = "CHECKREIN_REPEAT_RULES";

/// What is built.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Variant {
    /// The released program.
    Release,
    /// The same with every rule so often.
    Rules(u32),
    /// The same with the allocator of the system for everything.
    SystemAllocator,
    /// The same with the names of its functions, in the compiler's order.
    Symbols,
}

/// Builds the program, and says where it is and which packages cargo linked into it.
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
    // Instead of all flags that the environment or a configuration gives: the same program everywhere.
    command.env("CARGO_ENCODED_RUSTFLAGS", flags(toolchain, packages).join("\u{1f}"));
    // A release has each rule once, whatever the environment says.
    match variant {
        Variant::Rules(times) => command.env(REPEAT_RULES, times.to_string()),
        Variant::Release | Variant::SystemAllocator | Variant::Symbols => command.env_remove(REPEAT_RULES),
    };
    // For the last step alone: a setting of the profile, or another flag for all, would give every crate another number,
    // and with it every function another name. Of functions that are alike the compiler keeps the one whose name comes
    // first, so that another one would be left.
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
        // What runs during the build, such as a macro and what it needs, is built for this machine, in another directory.
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

/// Where a message of the program names a source file, it names it as everybody has it.
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
        // A home of `/` says nothing about a machine.
        if directory != "/" && program.windows(directory.len()).any(|bytes| bytes == directory.as_bytes()) {
            return Err(Failed::Because(format!("the program holds a path of this machine, `{directory}`")));
        }
    }
    Ok(())
}

/// The text at `pointer`, or none.
fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(|error| cannot("read", &path.to_string_lossy(), &error))
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(path, bytes).map_err(|error| cannot("write", &path.to_string_lossy(), &error))
}
