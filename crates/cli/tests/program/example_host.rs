//! A host is one directory and one row: this runs the made-up one of `crates/hosts/src/example` through
//! everything that knows hosts. It exists only with the feature `example-host`; nothing else in the
//! repository names it.

use crate::{Place, machine::Machine};
use serde_json::{Value, json};
use std::fs;

/// Returns an event in its format.
fn event(moment: &str, command: &str) -> String {
    json!({"moment": moment, "session_id": "s", "cwd": "/srv/shop", "tool_name": "Bash",
           "tool_input": {"command": command}})
    .to_string()
}

fn answer(place: &Place, event: &str) -> Value {
    let output = place.output(&["hook", "--host", "example"], event.as_bytes());
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn it_is_decoded_and_answered() {
    let place = Place::new();
    assert_eq!(answer(&place, &event("before_tool", "ls -la src")), json!({}));
    let denied = answer(&place, &event("before_tool", "git push --force origin main"));
    assert_eq!(denied["decision"], "block", "{denied}");
    assert!(denied["reason"].as_str().unwrap().contains("git.force-push"), "{denied}");
    // An unknown event is refused, in its own format.
    let output = place.output(&["hook", "--host", "example"], b"{\"moment\": \"lunch\"}");
    assert_eq!(output.status.code(), Some(2));
    let refused: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(refused["decision"], "block", "{refused}");
}

/// It cannot prompt, so `ask` becomes a denial with a code; and it cannot edit, so a rewrite becomes a
/// denial.
#[test]
fn missing_abilities_make_answers_stricter() {
    let hook = |answer: Value| {
        format!(
            "[[hook]]\nevent = \"PreToolUse\"\nname = \"h\"\ncommand = \"\"\"cat >/dev/null; echo '{answer}'\"\"\"\n"
        )
    };
    for said in [json!({"decision": "ask", "reason": "sure?"}), json!({"rewrite_args": {"command": "ls"}})] {
        let place = Place::with(&hook(said.clone()));
        let arguments = ["hook", "--host", "example", "--config", "hooks.toml"];
        let output = place.output(&arguments, event("before_tool", "ls -la src").as_bytes());
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(answer["decision"], "block", "{said}: {answer}");
    }
    // `ask` from the guard is remembered, since it is a denial here.
    let place = Place::new();
    let asked = place.run(&["check", "npm publish"], "");
    assert!(asked.starts_with("--- stdout\nask"), "{asked}");
    let denied = answer(&place, &event("before_tool", "npm publish"));
    assert!(denied["reason"].as_str().unwrap().contains("checkrein allow "), "{denied}");
}

#[test]
fn it_is_installed_checked_and_uninstalled() {
    let machine = Machine::with(&[".example"]);
    machine.agent("example", "example 1.1.0");
    machine.init();
    let hooks: Value = serde_json::from_str(&machine.read(".example/hooks.json")).unwrap();
    let events: Vec<&String> = hooks["hooks"].as_object().unwrap().keys().collect();
    // This version does not send the other one.
    assert_eq!(events, ["PreToolUse"], "{hooks}");
    let command = hooks["hooks"]["PreToolUse"][0]["hooks"][0]["command"].as_str().unwrap().to_owned();
    assert!(command.ends_with("hook --host example --event PreToolUse"), "{command}");

    let report = |name: &str| -> Value {
        let output = machine.output(&["doctor", "--json", "--agent", name]);
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let ids = |report: &Value| -> Vec<String> {
        let findings = report["agents"][0]["findings"].as_array().unwrap();
        findings.iter().map(|finding| finding["id"].as_str().unwrap().to_owned()).collect()
    };
    let healthy = report("example");
    assert_eq!(ids(&healthy), Vec::<String>::new(), "{healthy}");
    assert_eq!(healthy["agents"][0]["version"], "1.1.0");
    machine.write(".example/off", "");
    assert_eq!(ids(&report("example")), ["all-disabled"]);
    fs::remove_file(machine.path(".example/off")).unwrap();
    // Another host's setting has no meaning here.
    machine.write(".example/settings.json", "{\"disableAllHooks\": true}");
    assert_eq!(ids(&report("example")), Vec::<String>::new());

    let said = machine.uninstall("");
    assert!(said.ends_with("--- exit 0\n"), "{said}");
    assert!(!machine.path(".example/hooks.json").exists(), "{said}");
}

#[test]
fn it_is_named_and_recognised() {
    let place = Place::new();
    let said = place.run(&["hook", "--host", "examples"], "{}");
    assert!(said.contains("[agents] (did you mean `example`?)"), "{said}");
    for command in ["init", "hook"] {
        // As printed: `run` replaces the list of agents. The list may wrap, a name does not.
        let help = place.output(&[command, "--help"], b"").stdout;
        assert!(String::from_utf8(help).unwrap().contains("`example`"), "{command}");
    }
    let said = place.run(&["init", "--agent", "nobody"], "");
    assert!(said.contains("expected [agents]"), "{said}");
    // A process that it starts may not allow anything.
    let output = place.command(&["repair"]).env("EXAMPLE_AGENT", "1").output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("`EXAMPLE_AGENT` is set"), "{said}");
}

/// The project that the agent names in its variable stays active.
#[test]
fn its_project_is_active() {
    let place = Place::new();
    fs::create_dir_all(place.path("project/.git")).unwrap();
    fs::write(place.path("project/.checkrein.toml"), "[[hook]\n").unwrap();
    let mut command = place.command(&["hook", "--host", "example"]);
    command.env("EXAMPLE_PROJECT", place.path("project"));
    let output = crate::ended_with(command.spawn().unwrap(), event("before_tool", "ls").as_bytes());
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["decision"], "block", "{answer}");
}

#[test]
fn its_files_are_imported() {
    let place = Place::new();
    let file = json!({"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [
        {"type": "command", "command": "/opt/look.sh", "colour": "red"}]}]}});
    fs::write(place.path("hooks.json"), file.to_string()).unwrap();
    // By content that only its files have, and by its name.
    for arguments in [&["import", "hooks.json"][..], &["import", "--from", "example", "hooks.json"]] {
        let said = place.run(arguments, "");
        assert!(said.contains("# The hooks of Example in `hooks.json`"), "{said}");
        assert!(said.contains("timeout = 7  # the default of Example"), "{said}");
        assert!(said.contains("`colour` was left out: nothing is painted here"), "{said}");
    }
    let said = place.run(&["import", "--from", "nobody", "hooks.json"], "");
    assert!(said.contains("expected [agents], `codex-fork` or `list`"), "{said}");
}
