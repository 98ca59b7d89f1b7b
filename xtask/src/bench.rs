//! Builds what the benchmark measures, and starts it.
//!
//! The package `checkrein-benches` measures. If this machine cannot make a build, this reports it, and the
//! benchmark skips that row.

use crate::{
    Failed, Result, cannot, cargo,
    dist::{dist, with_rules, with_system_allocator},
    python, root, run, rustc, say, target,
};
use std::{
    env::consts::{ARCH, OS},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The sections that can be selected. Checked here, because the builds below take a minute.
const SECTIONS: [&str; 13] = [
    "dispatch", "process", "dialects", "config", "command", "guard", "verdict", WORK, "harness", "secrets",
    TRAIL, UNDO, PYTHON,
];

/// The section about the trail and the replay.
const TRAIL: &str = "trail";

/// The section about commands of everyday work, and about the slowest ones.
const WORK: &str = "work";

/// The section about what undo keeps.
const UNDO: &str = "undo";

/// The section that is measured from Python.
const PYTHON: &str = "python";

/// Sections that need no program but the benchmark itself.
const ALONE: [&str; 6] = ["dispatch", "verdict", WORK, "harness", "secrets", PYTHON];

/// The number of copies of the rules in the program that shows the cost of a larger policy.
const TIMES: u32 = 10;

pub(crate) fn bench(sections: &[&str]) -> Result<()> {
    if let Some(unknown) = sections.iter().find(|section| !SECTIONS.contains(section)) {
        let known = SECTIONS.join("`, `");
        return Err(Failed::Because(format!("unknown section `{unknown}`; there are `{known}`")));
    }
    if sections == [PYTHON] {
        return python::bench();
    }
    let target = target();
    build(&target, "checkrein-benches")?;
    let mut bench = Command::new(target.join("release/checkrein-benches"));
    let directory = target.join("bench/empty");
    fs::create_dir_all(&directory).map_err(|error| cannot("create", &directory.to_string_lossy(), &error))?;
    bench.arg("--directory").arg(directory);
    let wanted = |section: &str| sections.is_empty() || sections.contains(&section);
    if SECTIONS.into_iter().any(|section| wanted(section) && !ALONE.contains(&section)) {
        if let Some(echo) = possible(echo(&target)) {
            bench.arg("--echo").arg(echo);
        }
        if let Some(program) = possible(dist()) {
            bench.arg("--static").arg(program);
            if wanted("process")
                && let Some(program) = possible(with_system_allocator(&target.join("bench/system-allocator")))
            {
                bench.arg("--system-allocator").arg(program);
            }
            if wanted("guard")
                && let Some(program) = possible(with_rules(TIMES, &target.join("bench/many-rules")))
            {
                bench.arg("--many-rules").arg(program);
            }
        }
    }
    if wanted("process") || wanted("secrets") {
        build(&target, "checkrein-cli")?;
        bench.arg("--dynamic").arg(target.join("release/checkrein"));
    }
    if wanted("guard") || wanted(TRAIL) {
        bench.arg("--commands").arg(root().join("corpus/guard/commands.jsonl"));
    }
    if wanted(WORK) {
        for list in work_lists()? {
            bench.arg("--work").arg(list);
        }
    }
    run(bench.args(sections.iter().filter(|section| **section != PYTHON)))?;
    if wanted(PYTHON) { python::bench() } else { Ok(()) }
}

/// Returns the lists of commands that are everyday work.
fn work_lists() -> Result<Vec<PathBuf>> {
    let directory = root().join("corpus/guard/own");
    let entries = fs::read_dir(&directory).map_err(|error| cannot("read", "corpus/guard/own", &error))?;
    let is_work = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("work-") || name.starts_with("everyday-")
    };
    let mut lists: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(is_work).collect();
    lists.sort();
    Ok(lists)
}

fn build(target: &Path, package: &str) -> Result<()> {
    say(&format!("building {package} in the release profile"));
    let mut command = cargo();
    // Explicit, so that no cargo configuration puts it elsewhere.
    run(command.args(["build", "--release", "--package", package, "--target-dir"]).arg(target))
}

/// Builds the smallest possible hook process; see the file itself.
fn echo(target: &Path) -> Result<PathBuf> {
    if OS != "linux" || !["x86_64", "aarch64"].contains(&ARCH) {
        return Err(Failed::Because(format!("the echo is not written for {ARCH} {OS}")));
    }
    say("building the echo, with neither libc nor start-up code");
    let program = target.join("bench/echo");
    let link = ["-nostartfiles", "-nostdlib", "-static"].map(|flag| format!("-Clink-arg={flag}"));
    let mut rustc = rustc();
    rustc.args(["--edition=2024", "-Cpanic=abort", "-Copt-level=2", "-Cstrip=symbols"]);
    rustc.args(["-Crelocation-model=static", "benches/echo.rs"]).args(link).arg("-o").arg(&program);
    run(&mut rustc)?;
    Ok(program)
}

/// Reports why something is not available, and continues without it.
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
