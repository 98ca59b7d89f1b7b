//! Builds what the benchmark measures, and starts it.
//!
//! The measuring is in the package `checkrein-benches`. A build that this machine cannot make is said and left out;
//! the benchmark then leaves out its row.

use crate::{Failed, Result, cannot, cargo, root, run, say, target};
use std::{
    env::consts::{ARCH, OS},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// What can be asked for alone. Checked here, because the builds below take a minute.
const SECTIONS: [&str; 3] = ["dispatch", "process", "command"];

pub(crate) fn bench(sections: &[&str]) -> Result<()> {
    if let Some(unknown) = sections.iter().find(|section| !SECTIONS.contains(section)) {
        let known = SECTIONS.join("`, `");
        return Err(Failed::Because(format!("unknown section `{unknown}`; there are `{known}`")));
    }
    let target = target();
    build(&target, "checkrein-benches", None)?;
    let mut bench = Command::new(target.join("release/checkrein-benches"));
    if sections.is_empty() || sections.iter().any(|section| *section != "dispatch") {
        let folder = target.join("bench/empty");
        fs::create_dir_all(&folder).map_err(|error| cannot("create", &folder.to_string_lossy(), &error))?;
        bench.arg("--folder").arg(folder);
        if let Some(echo) = possible(echo(&target)) {
            bench.arg("--echo").arg(echo);
        }
        build(&target, "checkrein-cli", None)?;
        bench.arg("--dynamic").arg(target.join("release/checkrein"));
        if let Some(program) = possible(static_program(&target)) {
            bench.arg("--static").arg(program);
        }
    }
    run(bench.args(sections))
}

fn build(target: &Path, package: &str, triple: Option<&str>) -> Result<()> {
    say(&format!("building {package} in the release profile"));
    let mut command = cargo();
    // Said, so that no configuration of cargo puts it elsewhere.
    command.args(["build", "--release", "--package", package, "--target-dir"]).arg(target);
    if let Some(triple) = triple {
        command.args(["--target", triple]);
    }
    run(&mut command)
}

/// The least that a hook process can cost, see the file itself.
fn echo(target: &Path) -> Result<PathBuf> {
    if OS != "linux" || !["x86_64", "aarch64"].contains(&ARCH) {
        return Err(Failed::Because(format!("the echo is not written for {ARCH} {OS}")));
    }
    say("building the echo, with neither libc nor start-up code");
    let program = target.join("bench/echo");
    let link = ["-nostartfiles", "-nostdlib", "-static"].map(|flag| format!("-Clink-arg={flag}"));
    let mut rustc = Command::new("rustc");
    rustc.current_dir(root()).args(["--edition=2024", "-Cpanic=abort", "-Copt-level=2", "-Cstrip=symbols"]);
    rustc.args(["-Crelocation-model=static", "benches/echo.rs"]).args(link).arg("-o").arg(&program);
    run(&mut rustc)?;
    Ok(program)
}

/// Our program without a dynamic linker to start, as it is released.
fn static_program(target: &Path) -> Result<PathBuf> {
    if OS != "linux" {
        return Err(Failed::Because(format!("there is no static build for {OS}")));
    }
    let triple = format!("{ARCH}-unknown-linux-musl");
    say(&format!("adding the target {triple}, if it is missing"));
    // A toolchain that did not come from rustup may still have the target.
    let _ = possible(run(Command::new("rustup").current_dir(root()).args(["target", "add", &triple])));
    build(target, "checkrein-cli", Some(&triple))?;
    Ok(target.join(&triple).join("release/checkrein"))
}

/// Says why something cannot be had, and goes on without it.
fn possible<T>(wanted: Result<T>) -> Option<T> {
    match wanted {
        Ok(wanted) => Some(wanted),
        Err(Failed::Because(reason)) => {
            say(&format!("{reason}; going on without it"));
            None
        }
        Err(Failed::Exit(code)) => {
            say(&format!("that ended with exit code {code}; going on without it"));
            None
        }
    }
}
