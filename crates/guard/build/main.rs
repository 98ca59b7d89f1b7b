//! Turns the data of the guard into tables of the program, so that nothing is parsed when it starts.
//!
//! Every word of the data is checked against the vocabulary. A mistake is an error of the build that names the file and the line.

// The words and what checks them; `tests/tables.rs` includes the same modules.
#[allow(dead_code, unused_imports, unreachable_pub, reason = "the build needs the words only")]
#[path = "../src/program/flag.rs"]
mod flag;
#[allow(dead_code, unused_imports, unreachable_pub, reason = "the build needs the words only")]
#[path = "../src/notation.rs"]
mod notation;
mod tables;
#[allow(dead_code, unused_imports, unreachable_pub, reason = "the build needs the words only")]
#[path = "../src/vocabulary/mod.rs"]
mod vocabulary;

use std::{path::PathBuf, process::ExitCode};

fn main() -> ExitCode {
    for part in [
        "build",
        "data",
        "programs",
        "rules",
        "src/notation.rs",
        "src/program/flag.rs",
        "src/vocabulary",
        "src/eval/handlers/registry.rs",
    ] {
        println!("cargo::rerun-if-changed={part}");
    }
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default()).join("data.rs");
    let written = tables::generate()
        .and_then(|code| std::fs::write(&out, code).map_err(|error| tables::Problem::about(&out, error)));
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            println!("cargo::error={problem}");
            ExitCode::FAILURE
        }
    }
}
