//! Settings that name a program: with one of them, a command that only reads may run anything.
//!
//! Only an allow rule needs to know this. A rule that objects looks at what a call does; here the question is whether anything
//! outside the call decides what it does.

use crate::{eval::git, world::World};

/// A tool, and the facts apart from its command line that decide which program it runs.
struct Tool {
    /// The names of its programs.
    programs: &'static [&'static str],
    /// Variables that name a program, or a place where code is taken from.
    variables: &'static [&'static str],
    /// Files in the directory and above it, and words in them that name a program.
    files: &'static [(&'static [&'static str], &'static [&'static str])],
    /// Files in the home directory, with those words.
    home: &'static [&'static str],
}

const CARGO_FILES: &[&str] = &[".cargo/config", ".cargo/config.toml"];
/// Words of Cargo's settings that name a program, more settings, or an unstable option of the compiler.
const CARGO_WORDS: &[&str] = &["rustc", "wrapper", "include", "env", "path", "-Z", "credential"];

const TOOLS: &[Tool] = &[
    Tool {
        programs: &["cargo", "rustc", "rustup"],
        variables: &[
            "RUSTC",
            "RUSTC_WRAPPER",
            "RUSTC_WORKSPACE_WRAPPER",
            "RUSTUP_TOOLCHAIN",
            "CARGO_BUILD_RUSTC",
            "CARGO_BUILD_RUSTC_WRAPPER",
            "CARGO_HOME",
            "RUSTUP_HOME",
        ],
        files: &[(&["rust-toolchain", "rust-toolchain.toml"], &["path"]), (CARGO_FILES, CARGO_WORDS)],
        home: CARGO_FILES,
    },
    Tool {
        programs: &["node", "npm"],
        variables: &["NODE_OPTIONS", "NODE_PATH", "NPM_CONFIG_NODE_OPTIONS"],
        files: &[],
        home: &[],
    },
    Tool {
        programs: &["python", "python3", "pip", "pip3", "uv"],
        variables: &["PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "UV_PYTHON"],
        files: &[],
        home: &[],
    },
];

/// The maximum number of directories that are searched upwards.
const DIRECTORIES: usize = 32;

/// Returns true if a setting may make these words run a program that they do not name.
pub(crate) fn name_program(words: &[String], directory: Option<&str>, world: &dyn World) -> bool {
    let Some(program) = words.first() else { return false };
    if program == "git" {
        return git::names_program(words, directory, world);
    }
    let Some(tool) = TOOLS.iter().find(|tool| tool.programs.contains(&program.as_str())) else {
        return false;
    };
    if world.variables(tool.variables).iter().flatten().any(|value| !value.is_empty()) {
        return true;
    }
    let names = |file: &str, words: &[&str]| {
        world.text(file).is_some_and(|text| words.iter().any(|word| text.contains(word)))
    };
    let Some(directory) = directory else { return true };
    let above = and_above(directory).take(DIRECTORIES);
    let in_directories = above.into_iter().any(|directory| {
        let file = |file: &&str| format!("{directory}/{file}");
        tool.files.iter().any(|(files, words)| files.iter().map(&file).any(|file| names(&file, words)))
    });
    let home = world.home();
    in_directories
        || home.is_some_and(|home| tool.home.iter().any(|file| names(&format!("{home}/{file}"), CARGO_WORDS)))
}

/// Returns a directory and those above it.
fn and_above(directory: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(directory.trim_end_matches('/')), |directory| {
        directory.rsplit_once('/').map(|(above, _)| above)
    })
}
