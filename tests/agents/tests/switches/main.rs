//! Compares everything that the pinned agents accept with the guard's rules.
//!
//! This covers every option and subcommand in their help, every hidden option of their programs, every
//! environment variable, and every tool input that is about hooks, settings, commands, scripts, paths and
//! the like. Either the guard objects to it, or `harmless.toml` lists it with the reason why it is
//! harmless.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod help;
mod inputs;
mod program;

use checkrein_core::Decision;
use checkrein_guard::{CallContext, EmptyWorld, judge};
use std::{collections::BTreeMap, path::PathBuf};

/// Returns the guard's decision on a command line.
fn decision(text: &str) -> Decision {
    let project = Some("/home/dev/proj".to_owned());
    judge(text, &CallContext { cwd: project.clone(), project, typed: false }, &EmptyWorld::new("/home/dev"))
        .decision
}

/// Returns a table of `harmless.toml`.
fn table(name: &str) -> BTreeMap<String, String> {
    let all: toml::Table = include_str!("harmless.toml").parse().unwrap();
    let rows = all.get(name).unwrap_or_else(|| panic!("no table `{name}`")).as_table().unwrap();
    rows.iter().map(|(key, value)| (key.clone(), value.as_str().unwrap().to_owned())).collect()
}

/// Returns the directory of the agents' packages.
fn packages() -> PathBuf {
    let subjects = checkrein_agents::installed::subjects(None).unwrap();
    let bin = subjects.first().unwrap().program.parent().unwrap().to_owned();
    bin.parent().unwrap().join("agents/node_modules")
}

/// Compares the findings with the guard and the table: `found` has a key, and a command line that uses it.
fn hold(found: &BTreeMap<String, String>, harmless: &BTreeMap<String, String>) {
    let mut wrong = Vec::new();
    for (key, line) in found {
        match (decision(line), harmless.get(key)) {
            (Decision::Ask | Decision::Deny, None) => {}
            (_, None) => {
                wrong.push(format!("`{key}`: the guard is silent about `{line}`, and no table says why"));
            }
            (Decision::Abstain | Decision::Allow, Some(_)) => {}
            (decision, Some(_)) => {
                wrong.push(format!("`{key}` is said to be harmless, but `{line}` is {decision}"));
            }
        }
    }
    for key in harmless.keys().filter(|key| !found.contains_key(*key)) {
        wrong.push(format!("`{key}` is in the table, but the agents do not have it"));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
