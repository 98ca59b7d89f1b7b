//! Builds and checks the program of each platform.

use super::{macho, platform::Platform};
use crate::{
    Failed, Result, cannot,
    dist::{self, Packages, Recipe, Toolchain, elf, trial},
    say, target,
};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The largest program that we release.
const LIMIT: usize = 8 * 1024 * 1024;

/// The settings of a fast build, for tests of the packages and not for users.
const FAST: [&str; 3] =
    ["profile.release.lto=false", "profile.release.codegen-units=16", "profile.release.opt-level=1"];

/// A program that was built.
pub(super) struct Program {
    pub(super) file: PathBuf,
    /// Its bill of materials.
    pub(super) bom: Vec<u8>,
    /// The licences of everything in it.
    pub(super) notices: String,
    /// The reason why it was not run here, if it was not.
    pub(super) untried: Option<String>,
    /// The size, if it is above the limit.
    pub(super) too_large: Option<String>,
}

/// Builds the program for a platform in the same way on every machine, checks it, and tries it if this
/// machine can run it.
pub(super) fn build(platform: &Platform, tools: &Path, fast: bool) -> Result<Program> {
    let directory = target().join("release-build").join(if fast { "fast" } else { "full" });
    let triple = platform.triple;
    dist::standard_library(triple)?;
    let (toolchain, packages) = (Toolchain::find()?, Packages::read(triple)?);
    let mut recipe = Recipe::of_release(triple, directory.clone());
    recipe.linker = platform.linker(tools);
    if fast {
        recipe.settings = &FAST;
    } else if recipe.linker == dist::Linker::System {
        // Only here can the functions be put in the order in which they run.
        dist::order_functions(triple, &directory, &toolchain, &packages)?;
    }
    let (executable, linked) = dist::build(&recipe, &toolchain, &packages)?;
    let bytes =
        fs::read(&executable).map_err(|error| cannot("read", &executable.to_string_lossy(), &error))?;
    check(platform, &bytes)
        .map_err(|problem| Failed::Because(format!("the program for {triple} {problem}")))?;
    dist::no_path_of_this_machine(&bytes, &packages)?;
    let is_too_large = !fast && bytes.len() > LIMIT;
    let too_large = is_too_large.then(|| format!("the program has {} bytes, more than {LIMIT}", bytes.len()));
    let untried = platform.emulator().err();
    if let Ok(emulator) = platform.emulator() {
        let emulator: Vec<&str> = emulator.iter().map(String::as_str).collect();
        trial::run(&emulator, &executable, &directory.join("trial").join(platform.name()))?;
    } else if let Some(reason) = &untried {
        say(&format!("{}: {reason}", platform.name()));
    }
    let linked = packages.linked(&linked)?;
    let bom = dist::bill_of_materials(&linked, &toolchain, &dist::checksum(&bytes))?;
    Ok(Program { file: executable, bom, notices: dist::notices(&linked), untried, too_large })
}

fn check(platform: &Platform, bytes: &[u8]) -> std::result::Result<(), String> {
    if platform.is_mac() {
        let oldest = dist::MACOS.split('.').next().and_then(|number| number.parse().ok()).unwrap_or(0);
        macho::check(bytes, platform.architecture(), oldest)
    } else {
        elf::check(bytes, platform.architecture())
    }
}
