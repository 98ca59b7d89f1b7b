//! The inputs of the agents' tools: Claude Code's from its package, Codex's from its requests to a model.
//!
//! The built-in guard judges every input that is about commands, scripts, files or the like, or the table
//! lists it.

use crate::{packages, table};
use checkrein_agents::installed::{checkrein, subjects};
use checkrein_live::{Sandbox, offered};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    fs,
    io::Write,
    process::{Command, Stdio},
};

/// Words in the name of an input that may run, write or lead somewhere.
const NAMES: [&str; 14] = [
    "command", "cmd", "script", "code", "path", "file", "dir", "cwd", "keys", "input", "hooks", "settings",
    "args", "workdir",
];

/// Returns the inputs of the tools, `Tool.name`, without nested ones.
fn inputs(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut tool = None;
    for line in source.lines() {
        if let Some(rest) = line.strip_prefix("export interface ") {
            tool = rest.split(' ').next().and_then(|name| name.strip_suffix("Input")).map(str::to_owned);
        } else if let Some(tool) = &tool
            && line.starts_with("  ")
            && !line.starts_with("   ")
            && let Some((name, _)) = line.trim().split_once(':')
        {
            let name = name.trim_end_matches('?');
            if name.chars().all(|char| char.is_ascii_alphanumeric() || char == '_') {
                found.push(format!("{tool}.{name}"));
            }
        }
    }
    found
}

/// Returns the program's answer to a call in which one input is dangerous.
fn answer(host: &str, tool: &str, input: &Value) -> String {
    let home = tempfile::tempdir().unwrap();
    // Targets for paths.
    fs::write(home.path().join("flow.js"), "require('child_process').execSync('rm -rf ~')").unwrap();
    let event = json!({
        "session_id": "s", "cwd": home.path(), "hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": input,
    });
    let mut child = Command::new(checkrein().unwrap())
        .args(["hook", "--host", host, "--event", "PreToolUse"])
        .env_clear()
        .env("HOME", home.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(event.to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let said: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    said["hookSpecificOutput"]["permissionDecision"].as_str().unwrap_or("silent").to_owned()
}

/// Returns true if the name of an input, by its words, suggests that it may run, write or lead somewhere:
/// `scriptPath`, `file_path`.
fn is_telling(name: &str) -> bool {
    let apart: String = name
        .chars()
        .flat_map(|char| char.is_uppercase().then_some('_').into_iter().chain(char.to_lowercase()))
        .collect();
    apart.split('_').any(|word| NAMES.contains(&word.trim_end_matches('s')) || NAMES.contains(&word))
}

#[test]
fn every_input_of_a_tool_is_judged() {
    let source = fs::read_to_string(packages().join("@anthropic-ai/claude-code/sdk-tools.d.ts")).unwrap();
    let all = inputs(&source);
    assert!(all.iter().any(|input| input == "Bash.command") && all.len() > 60, "{all:#?}");
    let speaks = |input: &&String| is_telling(input.split('.').next_back().unwrap());
    let harmless = table("inputs");
    // A sample value for each input, and what else its call needs.
    let samples: BTreeMap<String, Value> =
        table("samples").into_iter().map(|(key, text)| (key, serde_json::from_str(&text).unwrap())).collect();
    let mut wrong = Vec::new();
    let found: Vec<&String> = all.iter().filter(speaks).collect();
    for input in &found {
        let (tool, name) = input.split_once('.').unwrap();
        // For files, the names in the package and in the calls differ.
        let tool = match tool {
            "FileEdit" => "Edit",
            "FileRead" => "Read",
            "FileWrite" => "Write",
            other => other,
        };
        let sample = samples.get(*input).cloned().unwrap_or_else(|| {
            let runs = ["command", "cmd", "script", "code"].iter().any(|word| name.to_lowercase() == *word);
            json!({ name: if runs { "rm -rf ~" } else { "/etc/sudoers.d/x" } })
        });
        match (answer("claude", tool, &sample).as_str(), harmless.get(*input)) {
            ("silent", None) => wrong.push(format!("`{input}`: {sample} is silent, and no table says why")),
            ("silent", Some(_)) | (_, None) => {}
            (said, Some(_)) => {
                wrong.push(format!("`{input}` is said to be harmless, but {sample} is {said}"));
            }
        }
    }
    for key in harmless.keys().filter(|key| !found.iter().any(|input| input == key)) {
        wrong.push(format!("`{key}` is in the table, but no tool has it"));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Words in the description of an input that may run, write or lead somewhere.
const WORDS: [&str; 7] = ["command", "script", "shell", "path", "directory", "stdin", "setting"];

/// Collects the inputs of the tools in a request, `tool.name`, with their descriptions. Tools may be in
/// groups, and a tool whose input is a string has the input `input`.
fn described(tools: &[Value], found: &mut BTreeMap<String, String>) {
    for tool in tools {
        let name = tool["name"].as_str().unwrap_or_default();
        let about = |value: &Value| value["description"].as_str().unwrap_or_default().to_lowercase();
        match tool["type"].as_str().unwrap_or_default() {
            "namespace" => described(tool["tools"].as_array().map(Vec::as_slice).unwrap_or_default(), found),
            "custom" => drop(found.insert(format!("{name}.input"), about(tool))),
            _ => {
                for (input, schema) in tool["parameters"]["properties"].as_object().into_iter().flatten() {
                    found.insert(format!("{name}.{input}"), about(schema));
                }
            }
        }
    }
}

/// The guard judges every input of Codex that is about commands, scripts, paths or settings, in the form in
/// which Codex sends it to hooks; or there is no event for it, and the table says why that is harmless.
#[test]
fn every_input_of_a_codex_tool_is_judged() {
    let subjects = subjects(None).unwrap();
    let subject = subjects.iter().find(|subject| subject.agent.name() == "codex").unwrap();
    let mut all = BTreeMap::new();
    described(&offered(&Sandbox::find().unwrap(), subject).unwrap(), &mut all);
    assert!(all.contains_key("exec_command.cmd") && all.len() > 8, "{all:#?}");
    let (harmless, samples) = (table("codex-inputs"), table("codex-samples"));
    let found: BTreeMap<&String, &String> = all
        .iter()
        .filter(|(input, about)| {
            is_telling(input.split('.').next_back().unwrap()) || WORDS.iter().any(|word| about.contains(word))
        })
        .collect();
    let mut wrong = Vec::new();
    for (input, about) in &found {
        match (samples.get(*input), harmless.contains_key(*input)) {
            (None, false) => wrong.push(format!("no table says what becomes of `{input}`: {about}")),
            (Some(_), true) => wrong.push(format!("two tables speak of `{input}`")),
            (None, true) => {}
            (Some(sample), false) => {
                let call: Value = serde_json::from_str(sample).unwrap();
                let said = answer("codex", call["tool_name"].as_str().unwrap(), &call["tool_input"]);
                if said == "silent" {
                    wrong.push(format!("`{input}`: no rule objects to {sample}"));
                }
            }
        }
    }
    for key in harmless.keys().chain(samples.keys()).filter(|key| !found.contains_key(key)) {
        wrong.push(format!("`{key}` is in a table, but no tool has it"));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
