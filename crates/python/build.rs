//! Builds the program for the wheel.
//!
//! `pip install checkrein` must install the program itself, not a script that starts Python: a host starts
//! it for every event, and an interpreter would cost ten times as much as everything else. A wheel contains
//! the output of building one crate, so this build script builds the program too, in its own directory.
//! `CHECKREIN_PROGRAM` names an existing one, such as the static one of `cargo xtask dist`.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=CHECKREIN_PROGRAM");
    if env::var_os("CARGO_FEATURE_WHEEL").is_none() {
        return;
    }
    if let Err(why) = program() {
        println!("cargo::error=the program for the wheel: {why}");
    }
}

fn program() -> Result<(), String> {
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("no OUT_DIR")?);
    let built = match env::var_os("CHECKREIN_PROGRAM").filter(|program| !program.is_empty()) {
        Some(program) => {
            println!("cargo::rerun-if-changed={}", program.display());
            PathBuf::from(program)
        }
        None => build(&out)?,
    };
    fs::copy(&built, out.join("checkrein")).map_err(|error| format!("{}: {error}", built.display()))?;
    Ok(())
}

fn build(out: &Path) -> Result<PathBuf, String> {
    let crates = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or("no CARGO_MANIFEST_DIR")?).join("..");
    // The program's sources: rebuild it after any change.
    for name in ["cli", "checkrein", "core", "exec", "guard", "hosts"] {
        println!("cargo::rerun-if-changed={}", crates.join(name).display());
    }
    let release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let target = env::var("TARGET").map_err(|error| error.to_string())?;
    // A separate directory: the outer build locks its own.
    let directory = out.join("program");
    let mut cargo = Command::new(env::var_os("CARGO").ok_or("no CARGO")?);
    cargo
        .args(["build", "--locked", "--bin", "checkrein", "--target", &target])
        .arg("--manifest-path")
        .arg(crates.join("cli/Cargo.toml"));
    cargo.arg("--target-dir").arg(&directory);
    if release {
        cargo.arg("--release");
    }
    // Settings of the outer build for its own crate.
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_FEATURE_") || text.starts_with("CARGO_ENCODED_RUSTFLAGS") {
            cargo.env_remove(&name);
        }
    }
    let status = cargo.status().map_err(|error| error.to_string())?;
    if !status.success() {
        return Err(format!("cargo ended with {status}"));
    }
    Ok(directory.join(target).join(if release { "release" } else { "debug" }).join("checkrein"))
}
