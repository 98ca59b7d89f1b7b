//! Our bridges under Node, without their agents: each gets the events that its agent gave to a plugin (`corpus/bridges`). What it
//! sends to the program is `corpus/payloads`, and what it does with each answer `corpus/golden/bridges`. `UPDATE_EXPECTED=1` writes
//! both.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein_agents::installed::{checkrein, node};
use serde_json::Value;
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

const BRIDGED: [&str; 4] = ["pi", "opencode", "kilo", "openclaw"];

fn corpus(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus").join(name)
}

/// Returns the module that `init` writes, with another program.
fn module(host: &str, program: &Path) -> String {
    let mut init = Command::new(checkrein().unwrap());
    let printed = init.args(["init", "--print", "--json", "--agent", host]).output().unwrap();
    let files: Value = serde_json::from_slice(&printed.stdout).unwrap();
    let files = files["files"].as_array().unwrap();
    let is_module = |file: &&Value| file["path"].as_str().is_some_and(|path| path.ends_with(".ts"));
    let text = files.iter().find(is_module).unwrap()["content"].as_str().unwrap().to_owned();
    let line = text.lines().find(|line| line.starts_with("const PROGRAM = ")).unwrap();
    text.replace(line, &format!("const PROGRAM = {};", Value::from(program.to_str().unwrap())))
}

/// Returns Node with one of our scripts and a bridge that starts this program.
fn script(name: &str, host: &str, place: &Path, program: &Path) -> Command {
    fs::write(place.join("package.json"), r#"{"type": "module"}"#).unwrap();
    fs::write(place.join("bridge.ts"), module(host, program)).unwrap();
    let mut script = Command::new(node().unwrap());
    script.current_dir(place).arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bridges").join(name));
    script.arg(place.join("bridge.ts")).arg(corpus("bridges").join(host).with_extension("json"));
    script
}

/// Gives the recorded events to a bridge, and returns what it did, one object for each event and answer.
fn driven(host: &str) -> Vec<Value> {
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path();
    let mut drive = script("drive.mjs", host, place, &place.join("program"));
    drive.arg(place);
    let output = drive.output().unwrap();
    assert!(output.status.success(), "{host}: {}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8(output.stdout).unwrap();
    // Some agents do not say where they are, and the bridge runs in their directory.
    let said = said.replace(&format!("\"{}\"", place.display()), "\"/home/dev/project\"");
    let said = said.replace(place.to_str().unwrap(), "[directory]");
    said.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Compares a file of the corpus, or writes it.
fn compare(path: &Path, text: &str, different: &mut Vec<String>) {
    if env::var_os("UPDATE_EXPECTED").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    if fs::read_to_string(path).unwrap_or_default() != text {
        different.push(path.display().to_string());
    }
}

#[test]
fn a_bridge_sends_and_does_what_is_recorded() {
    let mut different = Vec::new();
    for host in BRIDGED {
        let mut golden = String::new();
        for one in driven(host) {
            let (name, said) = (one["name"].as_str().unwrap(), one["said"].as_str().unwrap());
            if said == "none" {
                golden += &format!("{name}\n");
                if !one["sent"].is_null() {
                    let file = corpus("payloads").join(host).join(format!("{name}.json"));
                    let text = serde_json::to_string_pretty(&one["sent"]).unwrap() + "\n";
                    compare(&file, &text, &mut different);
                }
            }
            golden += &format!("  {said:<16} {}\n", one["done"]);
        }
        compare(&corpus("golden/bridges").join(host).with_extension("txt"), &golden, &mut different);
    }
    assert_eq!(different, [""; 0]);
}

/// Whatever goes wrong with the program, the call does not happen and the result is not seen.
#[test]
fn a_bridge_denies_whenever_the_program_fails() {
    let faults = ["no text", "no object", "wrong type", "unknown decision", "exit code 1", "missing"];
    for host in BRIDGED {
        let mut tried = 0;
        for one in driven(host) {
            let (name, said) = (one["name"].as_str().unwrap(), one["said"].as_str().unwrap());
            if !faults.contains(&said) {
                continue;
            }
            let done = one["done"].to_string();
            let is_held = match name.rsplit_once('-').unwrap().0 {
                "tool_call" | "before_tool_call" => done.contains("\"block\":true"),
                "tool.execute.before" | "chat.message" => done.contains("\"thrown\""),
                "input" => done.contains("\"handled\""),
                "tool_result" | "tool.execute.after" => {
                    done.contains("[output withheld]") && !done.contains("hello-from-tool\\n\"")
                }
                _ => continue,
            };
            assert!(is_held, "{host}: {name}: {said}: {done}");
            tried += 1;
        }
        assert!(tried >= 2 * faults.len(), "{host}: only {tried}");
    }
}

/// opencode runs the arguments that it has, so an object in their place would be ignored.
#[test]
fn arguments_are_changed_in_place() {
    for host in BRIDGED {
        let all = driven(host);
        let replaced = all.iter().find(|one| !one["done"]["replaced"].is_null());
        assert_eq!(replaced, None, "{host}");
        // OpenClaw takes other arguments as an answer.
        let edited = |one: &&Value| one["said"] == "input" && one["done"].to_string().contains("edited");
        assert!(all.iter().filter(edited).count() >= 2, "{host}");
    }
}

/// `--nocapture` shows both times.
#[test]
fn a_call_through_a_bridge_costs_little_more_than_the_program() {
    let directory = tempfile::tempdir().unwrap();
    let program = checkrein().unwrap();
    let mut cost = script("cost.mjs", "pi", directory.path(), &program);
    let output = cost.arg(&program).env("HOME", directory.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let times: Value = serde_json::from_slice(&output.stdout).unwrap();
    let [bridge, alone] = ["bridge", "alone"].map(|name| times[name].as_f64().unwrap());
    println!("a call through the bridge: {bridge:.2} ms; the program alone: {alone:.2} ms");
    assert!(bridge <= 1.5 * alone, "{bridge} ms beside {alone} ms");
}
