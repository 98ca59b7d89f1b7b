//! Python functions as hooks of the program.

use crate::Place;
use serde_json::{Value, json};
use std::fs;

const HOOKS: &str = "\
import os, time

def guard(payload):
    return {'decision': 'deny', 'reason': 'not ' + payload['tool_input']['command']}

def watch(payload):
    directory = os.environ['HOOK_CONFIG_DIR']
    with open(os.path.join(directory, 'seen.part'), 'w') as file:
        file.write(payload['decision'])
    os.rename(os.path.join(directory, 'seen.part'), os.path.join(directory, 'seen'))

def broken(payload):
    return payload['no such key']
";

fn ask(hooks: &str) -> (Place, Value) {
    let place = Place::with(hooks);
    fs::write(place.path("hooks.py"), HOOKS).unwrap();
    let event =
        json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}});
    let output = place
        .output(&["hook", "--host", "checkrein", "--config", "hooks.toml"], event.to_string().as_bytes());
    let answer = serde_json::from_slice(&output.stdout).unwrap();
    (place, answer)
}

fn hook(function: &str, line: &str) -> String {
    format!(
        "[[hook]]\nevent = \"PreToolUse\"\nname = \"{function}\"\ncallable = \"hooks:{function}\"\n{line}\n"
    )
}

#[test]
fn a_function_decides() {
    let (_, answer) = ask(&hook("guard", ""));
    assert_eq!((&answer["decision"], &answer["reason"]), (&json!("deny"), &json!("guard: not ls")));
}

#[test]
fn a_function_that_fails_denies() {
    let (_, answer) = ask(&hook("broken", ""));
    let reason = "broken: the hook failed: KeyError: 'no such key' (hooks.py, line 13)";
    assert_eq!((&answer["decision"], &answer["reason"]), (&json!("deny"), &json!(reason)));
    let (_, answer) = ask(&format!("python = \"no-such-python\"\n{}", hook("guard", "")));
    let reason = "guard: the hook failed: cannot start: `no-such-python` is in no absolute directory of PATH";
    assert_eq!(answer["reason"], reason);
}

#[test]
fn a_function_observes() {
    let hooks = hook("watch", "role = \"observe\"");
    let (place, answer) = ask(&hooks);
    assert_eq!(answer["decision"], "abstain");
    let seen = place.path("seen");
    let begun = std::time::Instant::now();
    while !seen.exists() && begun.elapsed().as_secs() < 20 {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert_eq!(fs::read_to_string(seen).unwrap(), "abstain");
}
