//! The release build: one static program, its bill of materials, and a check that it runs.
//!
//! It is static because a host starts the program for every event, and a dynamic linker takes several times
//! as long as the answer. Everything that makes the released program differ from a plain `cargo build
//! --release` is in this file, so that a plain build stays plain.

use crate::{Failed, Result, cannot, root, say, target};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::{
    env,
    env::consts::{ARCH, OS},
    fs,
    path::{Path, PathBuf},
};

mod build;
pub(crate) mod elf;
mod notices;
mod order;
mod packages;
mod sbom;
pub(crate) mod trial;

use build::Variant;
pub(crate) use build::{
    Linker, MACOS, Recipe, Toolchain, build, renamed_paths, standard_library, with_tools,
};
pub(crate) use notices::notices;
use packages::Package;
pub(crate) use packages::Packages;

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
    let recipe = Recipe::of_release(&triple, directory.join("build"));
    let (executable, linked) = build(&recipe, &toolchain, &packages)?;

    say("looking into the program");
    let bytes = read(&executable)?;
    elf::check(&bytes, ARCH).map_err(|problem| Failed::Because(format!("the program {problem}")))?;
    no_path_of_this_machine(&bytes, &packages)?;
    trial::run(&[], &executable, &directory.join("trial"))?;

    let checksum = checksum(&bytes);
    let linked = packages.linked(&linked)?;
    let bom = bill_of_materials(&linked, &toolchain, &checksum)?;
    let program = directory.join("checkrein");
    put(&executable, &program)?;
    write(&directory.join("checkrein.sha256"), format!("{checksum}  checkrein\n").as_bytes())?;
    write(&directory.join("checkrein.cdx.json"), &bom)?;

    println!("program     {}", program.display());
    println!("size        {} bytes", bytes.len());
    println!("sha256      {checksum}");
    println!("components  {}, listed in {}.cdx.json", linked.len(), program.display());
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
    let recipe = Recipe { variant, ..Recipe::of_release(&triple, build_directory.to_owned()) };
    let (executable, _) = build(&recipe, &toolchain, &packages)?;
    // A file that the linker wrote starts a seventh slower than a copy of it, and the release is a copy.
    let program = directory.join("checkrein");
    fs::create_dir_all(directory).map_err(|error| cannot("create", &directory.to_string_lossy(), &error))?;
    put(&executable, &program)?;
    Ok(program)
}

/// Finds the functions that usual events run, so that the linker puts them next to each other. This needs
/// valgrind, and a build with the names of all functions, which shares everything but the last step with
/// the release. Without valgrind the release only needs more pages.
pub(crate) fn order_functions(
    triple: &str,
    directory: &Path,
    toolchain: &Toolchain,
    packages: &Packages,
) -> Result<()> {
    if !order::is_possible() {
        say(
            "there is no valgrind here: functions stay in the compiler's order, and the program starts slower",
        );
        return order::forget();
    }
    let recipe = Recipe { variant: Variant::Symbols, ..Recipe::of_release(triple, directory.join("build")) };
    let (executable, _) = build(&recipe, toolchain, packages)?;
    order::write(&executable)
}

/// Copies a program to its place. It is renamed into place, because a running program cannot be
/// overwritten.
fn put(executable: &Path, program: &Path) -> Result<()> {
    let new = program.with_extension("new");
    fs::copy(executable, &new).map_err(|error| cannot("write", &new.to_string_lossy(), &error))?;
    fs::rename(&new, program).map_err(|error| cannot("write", &program.to_string_lossy(), &error))
}

/// Checks that the program contains no directory of this machine.
pub(crate) fn no_path_of_this_machine(program: &[u8], packages: &Packages) -> Result<()> {
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

/// Returns the bill of materials of a program with this SHA-256, as a file.
pub(crate) fn bill_of_materials(
    linked: &[Package],
    toolchain: &Toolchain,
    checksum: &str,
) -> Result<Vec<u8>> {
    let bom = sbom::write(linked, toolchain, checksum);
    serde_json::to_vec_pretty(&bom).map_err(|error| Failed::Because(error.to_string()))
}

/// Returns the SHA-256 of `bytes` in hexadecimal digits.
pub(crate) fn checksum(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
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
