//! Tools that do what a subcommand of git does, by their arguments.

use super::{ToolCommand, has, words};
use checkrein_core::Map;
use serde_json::Value;

/// Arguments that say where the repository is.
const DIRECTORIES: &[&str] = &["repo_path", "repository_path", "repo", "path", "cwd", "directory", "workdir"];
/// Arguments that are operands, in the order in which git wants them.
const OPERANDS: &[&str] = &[
    "action",
    "subcommand",
    "remote",
    "remote_name",
    "name",
    "branch",
    "branch_name",
    "target",
    "ref",
    "revision",
    "commit",
    "tag",
    "base_branch",
    "start_point",
    "refspec",
    "url",
    "stash",
    "files",
    "paths",
];
/// Arguments whose value is a switch: `mode: "hard"` is `--hard`.
const MODES: &[&str] = &["mode", "type", "strategy"];
/// Arguments that are options with a value.
const VALUES: &[&str] = &["message", "max_count", "format", "author", "date"];

/// The command of git that a call comes to; nothing, if the tool is none of git.
pub(super) fn command(own: &[String], all: &[String], input: &Map) -> Option<ToolCommand<'static>> {
    if !has(all, "git") {
        return None;
    }
    let subcommand = own.iter().find(|word| !matches!(word.as_str(), "git" | "mcp" | "run" | "repo"))?;
    let text = |name: &str| input.get(name).and_then(Value::as_str);
    // A tool that takes any command of git.
    if matches!(subcommand.as_str(), "command" | "execute" | "exec") {
        return None;
    }
    let mut line = vec!["git".to_owned()];
    if let Some(directory) = DIRECTORIES.iter().find_map(|name| text(name)) {
        line.extend(["-C".to_owned(), directory.to_owned()]);
    }
    line.push(subcommand.clone());
    line.extend(
        own.iter()
            .skip_while(|word| *word != subcommand)
            .skip(1)
            .filter(|_| subcommand == "stash" || subcommand == "worktree" || subcommand == "reflog")
            .cloned(),
    );
    for (name, value) in input {
        match value {
            Value::Bool(true) => line.push(format!("--{}", words(name).join("-"))),
            Value::String(mode) if MODES.contains(&name.as_str()) => line.push(format!("--{mode}")),
            Value::String(text) if VALUES.contains(&name.as_str()) => line.push(format!("--{name}={text}")),
            _ => {}
        }
    }
    for name in OPERANDS {
        match input.get(*name) {
            Some(Value::String(text)) => line.push(text.clone()),
            Some(Value::Array(list)) => line.extend(list.iter().filter_map(Value::as_str).map(str::to_owned)),
            _ => {}
        }
    }
    for list in ["args", "arguments", "options", "flags"] {
        if let Some(Value::Array(list)) = input.get(list) {
            line.extend(list.iter().filter_map(Value::as_str).map(str::to_owned));
        }
    }
    Some(ToolCommand::Arguments(line))
}
