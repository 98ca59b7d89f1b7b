//! Broken configurations: preventable events are denied with the place of the error, others report it.

use crate::{Place, bash};
use insta::assert_snapshot;
use std::{fs, os::unix::fs::symlink, process::Command};

fn under(place: &Place, config: &str, event: &str) -> String {
    place.run(&["hook", "--host", "claude", "--config", config], event)
}

#[test]
fn an_error_in_the_text() {
    let place = Place::with(
        "[[hook]]\nevent = \"PreToolUs\"\ncommand = \"true\"\n\n[[hook]]\nevent = \"Stop\"\ncomand = \"true\"\nmatch = { tool = \"A|B\" }\n",
    );
    assert_snapshot!(place.claude(&bash("ls")), @r#"
    --- stdout
    {"systemMessage":"Checkrein blocked this call: hooks.toml:2:9: a key or a value that is not understood hooks.toml:7:1: an unknown key hooks.toml:8:18: a key or a value that is not understood. To fix it, the user can edit the file outside the agent (`checkrein hooks --check` shows the errors), or run `checkrein repair` in a terminal to let the ag…","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"checkrein: hooks.toml:2:9: a key or a value that is not understood\nhooks.toml:7:1: an unknown key\nhooks.toml:8:18: a key or a value that is not understood.\nTo fix it, the user can edit the file outside the agent (`checkrein hooks --check` shows the errors), or run `checkrein repair` in a terminal to let the agent do it"}}
    --- stderr
    checkrein: the configuration is broken
    hooks.toml:2:9: a key or a value that is not understood
    hooks.toml:7:1: an unknown key
    hooks.toml:8:18: a key or a value that is not understood
    --- exit 0
    "#);
    assert_snapshot!(place.claude(r#"{"hook_event_name":"Stop"}"#), @r#"
    --- stdout
    {"systemMessage":"Checkrein: hooks.toml:2:9: a key or a value that is not understood\nhooks.toml:7:1: an unknown key\nhooks.toml:8:18: a key or a value that is not understood.\nTo fix it, the user can edit the file outside the agent (`checkrein hooks --check` shows the errors), or run `checkrein repair` in a terminal to let the agent do it"}
    --- stderr
    checkrein: the configuration is broken
    hooks.toml:2:9: a key or a value that is not understood
    hooks.toml:7:1: an unknown key
    hooks.toml:8:18: a key or a value that is not understood
    --- exit 0
    "#);
}

#[test]
fn not_toml() {
    assert_snapshot!(Place::with("[[hook]\nevent =").claude(&bash("ls")), @r#"
    --- stdout
    {"systemMessage":"Checkrein blocked this call: hooks.toml:1:8: not valid TOML or JSON. To fix it, the user can edit the file outside the agent (`checkrein hooks --check` shows the errors), or run `checkrein repair` in a terminal to let the agent do it","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"checkrein: hooks.toml:1:8: not valid TOML or JSON.\nTo fix it, the user can edit the file outside the agent (`checkrein hooks --check` shows the errors), or run `checkrein repair` in a terminal to let the agent do it"}}
    --- stderr
    checkrein: the configuration is broken
    hooks.toml:1:8: not valid TOML or JSON
    --- exit 0
    "#);
}

#[test]
fn other_kinds_of_files() {
    let place = Place::new();
    fs::create_dir(place.path("directory")).unwrap();
    assert_snapshot!(under(&place, "directory", &bash("ls")), @r#"
    --- stdout
    {"systemMessage":"Checkrein blocked this call: directory: expected a configuration file, found a directory. To fix it, the user can edit the file outside the agent (`checkrein hooks --check` shows the errors), or run `checkrein repair` in a terminal to let the agent do it","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"checkrein: directory: expected a configuration file, found a directory.\nTo fix it, the user can edit the file outside the agent (`checkrein hooks --check` shows the errors), or run `checkrein repair` in a terminal to let the agent do it"}}
    --- stderr
    checkrein: the configuration is broken
    directory: expected a configuration file, found a directory
    --- exit 0
    "#);
    assert_snapshot!(under(&place, "missing.toml", &bash("ls")), @r#"
    --- stdout
    {"systemMessage":"Checkrein blocked this call: missing.toml: the configuration file does not exist. To fix it, the user can edit the file outside the agent (`checkrein hooks --check` shows the errors), or run `checkrein repair` in a terminal to let the agent do it","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"checkrein: missing.toml: the configuration file does not exist.\nTo fix it, the user can edit the file outside the agent (`checkrein hooks --check` shows the errors), or run `checkrein repair` in a terminal to let the agent do it"}}
    --- stderr
    checkrein: the configuration is broken
    missing.toml: the configuration file does not exist
    --- exit 0
    "#);
    symlink("loop", place.path("loop")).unwrap();
    assert_snapshot!(under(&place, "loop", &bash("ls")), @r#"
    --- stdout
    {"systemMessage":"Checkrein blocked this call: loop: expected a configuration file, found symbolic links that lead in a circle. To fix it, the user can edit the file outside the agent (`checkrein hooks --check` shows the errors), or run `checkrein repair` in a terminal to let the agent do it","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"checkrein: loop: expected a configuration file, found symbolic links that lead in a circle.\nTo fix it, the user can edit the file outside the agent (`checkrein hooks --check` shows the errors), or run `checkrein repair` in a terminal to let the agent do it"}}
    --- stderr
    checkrein: the configuration is broken
    loop: expected a configuration file, found symbolic links that lead in a circle
    --- exit 0
    "#);
    assert!(Command::new("mkfifo").arg(place.path("fifo")).status().unwrap().success());
    assert_snapshot!(under(&place, "fifo", &bash("ls")), @r#"
    --- stdout
    {"systemMessage":"Checkrein blocked this call: fifo: expected a configuration file, found a FIFO. To fix it, the user can edit the file outside the agent (`checkrein hooks --check` shows the errors), or run `checkrein repair` in a terminal to let the agent do it","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"checkrein: fifo: expected a configuration file, found a FIFO.\nTo fix it, the user can edit the file outside the agent (`checkrein hooks --check` shows the errors), or run `checkrein repair` in a terminal to let the agent do it"}}
    --- stderr
    checkrein: the configuration is broken
    fifo: expected a configuration file, found a FIFO
    --- exit 0
    "#);
    assert_snapshot!(under(&place, "/dev/zero", &bash("ls")), @r#"
    --- stdout
    {"systemMessage":"Checkrein blocked this call: /dev/zero: expected a configuration file, found a device. To fix it, the user can edit the file outside the agent (`checkrein hooks --check` shows the errors), or run `checkrein repair` in a terminal to let the agent do it","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"checkrein: /dev/zero: expected a configuration file, found a device.\nTo fix it, the user can edit the file outside the agent (`checkrein hooks --check` shows the errors), or run `checkrein repair` in a terminal to let the agent do it"}}
    --- stderr
    checkrein: the configuration is broken
    /dev/zero: expected a configuration file, found a device
    --- exit 0
    "#);
}

#[test]
fn a_gigabyte() {
    let place = Place::new();
    fs::File::create(place.path("big.toml")).unwrap().set_len(1 << 30).unwrap();
    assert_snapshot!(under(&place, "big.toml", &bash("ls")), @r#"
    --- stdout
    {"systemMessage":"Checkrein blocked this call: big.toml: the configuration file is larger than 2 MiB. To fix it, the user can edit the file outside the agent (`checkrein hooks --check` shows the errors), or run `checkrein repair` in a terminal to let the agent do it","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"checkrein: big.toml: the configuration file is larger than 2 MiB.\nTo fix it, the user can edit the file outside the agent (`checkrein hooks --check` shows the errors), or run `checkrein repair` in a terminal to let the agent do it"}}
    --- stderr
    checkrein: the configuration is broken
    big.toml: the configuration file is larger than 2 MiB
    --- exit 0
    "#);
}
