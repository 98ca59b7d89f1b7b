//! Whatever the configuration is: preventable events are denied with the place of the error, others are told.

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
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"checkrein: hooks.toml:2:9: hook[0].event: unknown event `PreToolUs`\n2 | event = \"PreToolUs\"\n  |         ^^^^^^^^^^^\nhint: did you mean `PreToolUse`?\n\nhooks.toml:7:1: hook[1].comand: unknown key `comand`\n7 | comand = \"true\"\n  | ^^^^^^\nhint: did you mean `command`?\n\nhooks.toml:8:18: hook[1].match.tool: `A|B` holds `|`; write a list of names, or `/A|B/` for a regular expression\n8 | match = { tool = \"A|B\" }\n  |                  ^^^^^\n\nto repair it, a person can edit the file outside of the agent (`checkrein hooks --check` shows what is wrong), or run `checkrein repair` in a terminal to let the agent do it"}}
    --- stderr
    checkrein: the configuration is broken
    hooks.toml:2:9: hook[0].event: unknown event `PreToolUs`
    2 | event = "PreToolUs"
      |         ^^^^^^^^^^^
    hint: did you mean `PreToolUse`?

    hooks.toml:7:1: hook[1].comand: unknown key `comand`
    7 | comand = "true"
      | ^^^^^^
    hint: did you mean `command`?

    hooks.toml:8:18: hook[1].match.tool: `A|B` holds `|`; write a list of names, or `/A|B/` for a regular expression
    8 | match = { tool = "A|B" }
      |                  ^^^^^
    --- exit 0
    "#);
    assert_snapshot!(place.claude(r#"{"hook_event_name":"Stop"}"#), @r#"
    --- stdout
    {"systemMessage":"checkrein: hooks.toml:2:9: hook[0].event: unknown event `PreToolUs`\n2 | event = \"PreToolUs\"\n  |         ^^^^^^^^^^^\nhint: did you mean `PreToolUse`?\n\nhooks.toml:7:1: hook[1].comand: unknown key `comand`\n7 | comand = \"true\"\n  | ^^^^^^\nhint: did you mean `command`?\n\nhooks.toml:8:18: hook[1].match.tool: `A|B` holds `|`; write a list of names, or `/A|B/` for a regular expression\n8 | match = { tool = \"A|B\" }\n  |                  ^^^^^\n\nto repair it, a person can edit the file outside of the agent (`checkrein hooks --check` shows what is wrong), or run `checkrein repair` in a terminal to let the agent do it"}
    --- stderr
    checkrein: the configuration is broken
    hooks.toml:2:9: hook[0].event: unknown event `PreToolUs`
    2 | event = "PreToolUs"
      |         ^^^^^^^^^^^
    hint: did you mean `PreToolUse`?

    hooks.toml:7:1: hook[1].comand: unknown key `comand`
    7 | comand = "true"
      | ^^^^^^
    hint: did you mean `command`?

    hooks.toml:8:18: hook[1].match.tool: `A|B` holds `|`; write a list of names, or `/A|B/` for a regular expression
    8 | match = { tool = "A|B" }
      |                  ^^^^^
    --- exit 0
    "#);
}

#[test]
fn not_toml() {
    assert_snapshot!(Place::with("[[hook]\nevent =").claude(&bash("ls")), @r#"
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"checkrein: hooks.toml:1:8: not valid TOML: unclosed array table, expected `]`\n1 | [[hook]\n  |        ^\n\nto repair it, a person can edit the file outside of the agent (`checkrein hooks --check` shows what is wrong), or run `checkrein repair` in a terminal to let the agent do it"}}
    --- stderr
    checkrein: the configuration is broken
    hooks.toml:1:8: not valid TOML: unclosed array table, expected `]`
    1 | [[hook]
      |        ^
    --- exit 0
    "#);
}

#[test]
fn things_that_are_no_files() {
    let place = Place::new();
    fs::create_dir(place.path("folder")).unwrap();
    assert_snapshot!(under(&place, "folder", &bash("ls")), @r#"
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"checkrein: folder: expected a configuration file, found a directory\n\nto repair it, a person can edit the file outside of the agent (`checkrein hooks --check` shows what is wrong), or run `checkrein repair` in a terminal to let the agent do it"}}
    --- stderr
    checkrein: the configuration is broken
    folder: expected a configuration file, found a directory
    --- exit 0
    "#);
    assert_snapshot!(under(&place, "missing.toml", &bash("ls")), @r#"
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"checkrein: missing.toml: the configuration file does not exist\n\nto repair it, a person can edit the file outside of the agent (`checkrein hooks --check` shows what is wrong), or run `checkrein repair` in a terminal to let the agent do it"}}
    --- stderr
    checkrein: the configuration is broken
    missing.toml: the configuration file does not exist
    --- exit 0
    "#);
    symlink("loop", place.path("loop")).unwrap();
    assert_snapshot!(under(&place, "loop", &bash("ls")), @r#"
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"checkrein: loop: expected a configuration file, found symbolic links that lead in a circle\n\nto repair it, a person can edit the file outside of the agent (`checkrein hooks --check` shows what is wrong), or run `checkrein repair` in a terminal to let the agent do it"}}
    --- stderr
    checkrein: the configuration is broken
    loop: expected a configuration file, found symbolic links that lead in a circle
    --- exit 0
    "#);
    assert!(Command::new("mkfifo").arg(place.path("fifo")).status().unwrap().success());
    assert_snapshot!(under(&place, "fifo", &bash("ls")), @r#"
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"checkrein: fifo: expected a configuration file, found a FIFO\n\nto repair it, a person can edit the file outside of the agent (`checkrein hooks --check` shows what is wrong), or run `checkrein repair` in a terminal to let the agent do it"}}
    --- stderr
    checkrein: the configuration is broken
    fifo: expected a configuration file, found a FIFO
    --- exit 0
    "#);
    assert_snapshot!(under(&place, "/dev/zero", &bash("ls")), @r#"
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"checkrein: /dev/zero: expected a configuration file, found a device\n\nto repair it, a person can edit the file outside of the agent (`checkrein hooks --check` shows what is wrong), or run `checkrein repair` in a terminal to let the agent do it"}}
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
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"checkrein: big.toml: the configuration file is larger than 2 MiB\n\nto repair it, a person can edit the file outside of the agent (`checkrein hooks --check` shows what is wrong), or run `checkrein repair` in a terminal to let the agent do it"}}
    --- stderr
    checkrein: the configuration is broken
    big.toml: the configuration file is larger than 2 MiB
    --- exit 0
    "#);
}
