//! Where `cargo xtask` has put the agents and the program.

use checkrein_live::{ALL, Subject};
use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
};

/// What to do about anything that is missing.
const HINT: &str = "run `cargo xtask agents`, which installs the agents, builds the program and runs this";

/// All agents as they were installed, each to be tried with the program that was built.
///
/// # Errors
///
/// If something is missing; the error says what to do.
pub fn subjects() -> Result<Vec<Subject>, String> {
    let (_, target) = folders()?;
    let checkrein = checkrein()?;
    let bin = target.join("agents/bin");
    // What the agents find: themselves, their Node, and the system.
    let mut path = OsString::from(&bin);
    path.push(":/usr/local/bin:/usr/bin:/bin");
    ALL.iter()
        .map(|agent| {
            let program = there(bin.join(agent.program()))?;
            Ok(Subject { agent: *agent, program, path: path.clone(), checkrein: checkrein.clone() })
        })
        .collect()
}

/// The program that was built.
///
/// # Errors
///
/// If there is none; the error says what to do.
pub fn checkrein() -> Result<PathBuf, String> {
    let (profile, _) = folders()?;
    there(profile.join("checkrein"))
}

fn there(path: PathBuf) -> Result<PathBuf, String> {
    if path.exists() { Ok(path) } else { Err(format!("there is no `{}`; {HINT}", path.display())) }
}

/// The folder of the profile that this test was built in, and the one below which everything is built.
fn folders() -> Result<(PathBuf, PathBuf), String> {
    let test = env::current_exe().map_err(|error| error.to_string())?;
    // target/debug/deps/live-0123
    let folder = |levels: usize| test.ancestors().nth(levels).map(Path::to_owned);
    match (folder(2), folder(3)) {
        (Some(profile), Some(target)) => Ok((profile, target)),
        _ => Err(format!("`{}` lies in no build folder", test.display())),
    }
}

/// The agents and their versions as the installation pins them, in the order of [`ALL`].
#[must_use]
pub fn pinned() -> Vec<(&'static str, &'static str)> {
    const PINS: &str = include_str!("../install/agents/package.json");
    let version = |package: &str| {
        let line = PINS.lines().find(|line| line.contains(&format!("\"{package}\":")));
        line.and_then(|line| line.split('"').nth(3)).unwrap_or("not pinned")
    };
    vec![("claude", version("@anthropic-ai/claude-code")), ("codex", version("@openai/codex"))]
}
