//! The paths where `cargo xtask` has put the agents and the program.

use crate::machine::Machine;
use checkrein_hosts::install::{HERMES_CONSENT, Recipe};
use checkrein_live::{ALL, Agent, Form, Own, OwnFile, Subject};
use std::{
    env,
    ffi::{OsStr, OsString},
    fs,
    path::{Path, PathBuf},
};

/// The hint for anything that is missing.
const HINT: &str = "run `cargo xtask agents`, which installs the agents, builds the program and runs this";

/// The variable that names the agents to try, separated by spaces or commas, if not all of them: `cargo xtask test` tries two.
const CHOSEN: &str = "CHECKREIN_AGENTS";

/// Returns the agents to try, in the order of [`ALL`].
///
/// # Panics
///
/// If the variable names something else: a run that tries nothing must not pass.
#[allow(clippy::panic, reason = "the suite has no other way to end")]
pub fn chosen() -> Vec<&'static dyn Agent> {
    named(&env::var(CHOSEN).unwrap_or_default()).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the agents of a list of names, in the order of [`ALL`]; all of them if it is empty.
fn named(list: &str) -> Result<Vec<&'static dyn Agent>, String> {
    let is_between = |c: char| c == ',' || c.is_whitespace();
    let named: Vec<&str> = list.split(is_between).filter(|name| !name.is_empty()).collect();
    if let Some(unknown) = named.iter().find(|name| !ALL.iter().any(|agent| agent.name() == **name)) {
        let known: Vec<&str> = ALL.iter().map(|agent| agent.name()).collect();
        return Err(format!("{CHOSEN} names `{unknown}`, which is none of: {}", known.join(", ")));
    }
    Ok(ALL.iter().copied().filter(|agent| named.is_empty() || named.contains(&agent.name())).collect())
}

/// Returns the agents to try, each with the program that was built, and with the settings of `machine`.
///
/// # Errors
///
/// If something is missing; the error says what to do.
pub fn subjects(machine: Option<&Machine>) -> Result<Vec<Subject>, String> {
    let (_, target) = directories()?;
    let checkrein = checkrein()?;
    let bin = target.join("agents/bin");
    // The agents' PATH: themselves, their Node, and the system.
    let mut path = OsString::from(&bin);
    path.push(":/usr/local/bin:/usr/bin:/bin");
    chosen()
        .into_iter()
        .map(|agent| {
            let program = there(bin.join(agent.program()))?;
            let own = machine.map(|machine| own(machine, agent.recipe(), &path, &checkrein));
            let plugins = Some(there(target.join("plugins"))?);
            Ok(Subject { agent, program, path: path.clone(), checkrein: checkrein.clone(), own, plugins })
        })
        .collect()
}

/// Returns the settings of `machine`, as `checkrein doctor --live` would find them.
fn own(machine: &Machine, recipe: &Recipe, path: &OsStr, checkrein: &Path) -> Own {
    let directory = machine.path(recipe.directory);
    let file = |name: &str, form| {
        let path = directory.join(name);
        OwnFile { text: fs::read_to_string(&path).ok(), path, form }
    };
    let files = match recipe.host {
        "codex" => vec![file(recipe.file, Form::Hooks), file("config.toml", Form::Toml)],
        "hermes" => vec![file(recipe.file, recipe.content), file(HERMES_CONSENT, Form::Plain)],
        "gemini" => vec![file(recipe.file, recipe.content), file("trustedFolders.json", Form::Plain)],
        _ => recipe
            .files()
            .iter()
            .map(|name| file(name, recipe.content))
            .chain((recipe.host == "openclaw").then(|| file("openclaw.json", Form::Commented)))
            .filter(|file| file.text.is_some())
            .collect(),
    };
    Own {
        home: machine.home().to_owned(),
        project: machine.path("shop"),
        cwd: machine.path("shop"),
        directory,
        is_named: false,
        files,
        programs: env::split_paths(path).chain([checkrein.to_owned()]).collect(),
        switches: Vec::new(),
    }
}

/// Returns the program that was built.
///
/// # Errors
///
/// If there is none; the error says what to do.
pub fn checkrein() -> Result<PathBuf, String> {
    let (profile, _) = directories()?;
    there(profile.join("checkrein"))
}

/// Returns the Node that the agents run on.
///
/// # Errors
///
/// If there is none; the error says what to do.
pub fn node() -> Result<PathBuf, String> {
    let (_, target) = directories()?;
    there(target.join("agents/bin/node"))
}

/// Returns the directory of the packages that one directory of `install` pins.
///
/// # Errors
///
/// If there is none; the error says what to do.
pub fn packages(name: &str) -> Result<PathBuf, String> {
    let (_, target) = directories()?;
    there(target.join("agents").join(name).join("node_modules"))
}

fn there(path: PathBuf) -> Result<PathBuf, String> {
    if path.exists() { Ok(path) } else { Err(format!("there is no `{}`; {HINT}", path.display())) }
}

/// Returns the directory of the profile that this test was built in, and the target directory.
fn directories() -> Result<(PathBuf, PathBuf), String> {
    let test = env::current_exe().map_err(|error| error.to_string())?;
    // target/debug/deps/live-0123
    let directory = |levels: usize| test.ancestors().nth(levels).map(Path::to_owned);
    match (directory(2), directory(3)) {
        (Some(profile), Some(target)) => Ok((profile, target)),
        _ => Err(format!("`{}` is not in a build directory", test.display())),
    }
}

/// The files that pin the agents.
const PINS: [&str; 12] = [
    include_str!("../install/agents/package.json"),
    include_str!("../install/gemini/package.json"),
    include_str!("../install/qwen/package.json"),
    include_str!("../install/copilot/package.json"),
    include_str!("../install/cline/package.json"),
    include_str!("../install/pi/package.json"),
    include_str!("../install/opencode/package.json"),
    include_str!("../install/kilo/package.json"),
    include_str!("../install/kimi/package.json"),
    include_str!("../install/grok/package.json"),
    include_str!("../install/openclaw/package.json"),
    include_str!("../install/hermes/requirements.txt"),
];

/// Returns the chosen agents and their pinned versions, in the order of [`ALL`].
#[must_use]
pub fn pinned() -> Vec<(&'static str, &'static str)> {
    let version = |package: &str| {
        let lines = || PINS.iter().flat_map(|pins| pins.lines());
        let of_npm = lines().find(|line| line.contains(&format!("\"{package}\":")));
        let of_npm = of_npm.and_then(|line| line.split('"').nth(3));
        let of_python =
            || lines().find_map(|line| line.strip_prefix(package)?.strip_prefix("==")?.split(' ').next());
        of_npm.or_else(of_python).unwrap_or("not pinned")
    };
    chosen().into_iter().map(|agent| (agent.name(), version(agent.recipe().package))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_agents_names_known_ones_only() {
        let names = |list: &str| -> Result<Vec<&str>, String> {
            named(list).map(|agents| agents.iter().map(|agent| agent.name()).collect())
        };
        assert_eq!(names("codex claude"), Ok(vec!["claude", "codex"]));
        assert_eq!(names("codex, claude,"), names("claude codex"));
        assert_eq!(names(" ").map(|all| all.len()), Ok(ALL.len()));
        for wrong in ["claude;codex", "claude:codex", "cladue", "claude codexx"] {
            let error = names(wrong).unwrap_err();
            assert!(error.contains("claude, codex, "), "{error}");
        }
    }
}
