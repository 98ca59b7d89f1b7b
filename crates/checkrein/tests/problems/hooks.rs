//! The keys of a hook.

use crate::{problems, with};
use checkrein::Config;
use insta::assert_snapshot;

#[test]
fn event() {
    assert_snapshot!(problems("[[hook]]\nevent = \"PostTooluse\"\ncommand = \"true\"\n"), @r#"
    hooks.toml:2:9: hook[0].event: unknown event `PostTooluse`
    2 | event = "PostTooluse"
      |         ^^^^^^^^^^^^^
    hint: did you mean `PostToolUse`?
    "#);
    assert_snapshot!(problems("[[hook]]\nevent = \"xyz\"\ncommand = \"true\"\n"), @r#"
    hooks.toml:2:9: hook[0].event: unknown event `xyz`
    2 | event = "xyz"
      |         ^^^^^
    hint: the usual ones are `PreToolUse`, `PostToolUse`, `UserPromptSubmit`, `SessionStart` and `Stop`
    "#);
    assert_snapshot!(problems("[[hook]]\nevent = [\"PreToolUse\"]\ncommand = \"true\"\n"), @r#"
    hooks.toml:2:9: hook[0].event: expected a string, found a list
    2 | event = ["PreToolUse"]
      |         ^^^^^^^^^^^^^^
    "#);
    assert_snapshot!(problems("[[hook]]\ncommand = \"true\"\n"), @r#"
    hooks.toml:1:1: hook[0]: a hook needs `event`
    1 | [[hook]]
      | ^^^^^^^^
    hint: for example `event = "PreToolUse"`
    "#);
}

#[test]
fn what_to_run() {
    let command = |line: &str| problems(&format!("[[hook]]\nevent = \"Stop\"\n{line}\n"));
    assert_snapshot!(command(""), @r#"
    hooks.toml:1:1: hook[0]: a hook needs a `command` to run, or a `callable`
    1 | [[hook]]
      | ^^^^^^^^
    "#);
    assert_snapshot!(command("command = \" \""), @r#"
    hooks.toml:3:11: hook[0].command: the command is empty
    3 | command = " "
      |           ^^^
    "#);
    assert_snapshot!(command("command = []"), @r#"
    hooks.toml:3:11: hook[0].command: the list is empty; its first word is the program
    3 | command = []
      |           ^^
    "#);
    assert_snapshot!(command("command = [\"\", \"x\"]"), @r#"
    hooks.toml:3:11: hook[0].command: the program's name is empty
    3 | command = ["", "x"]
      |           ^^^^^^^^^
    "#);
    assert_snapshot!(command("command = [\"a\", 2, true]"), @r#"
    hooks.toml:3:17: hook[0].command[1]: expected a string, found a number
    3 | command = ["a", 2, true]
      |                 ^

    hooks.toml:3:20: hook[0].command[2]: expected a string, found a boolean
    3 | command = ["a", 2, true]
      |                    ^^^^
    "#);
    assert_snapshot!(command("command = \"a\\u0000b\""), @r#"
    hooks.toml:3:11: hook[0].command: the command contains a NUL character, which cannot be passed to a program
    3 | command = "a\u0000b"
      |           ^^^^^^^^^^
    "#);
    assert_snapshot!(command("command = 1979-05-27"), @r#"
    hooks.toml:3:11: hook[0].command: expected a string or a list of strings, found a date
    3 | command = 1979-05-27
      |           ^^^^^^^^^^
    "#);
    assert_snapshot!(command("callable = \"hooks.py\""), @r#"
    hooks.toml:3:12: hook[0].callable: `hooks.py` is not the name of a Python function
    3 | callable = "hooks.py"
      |            ^^^^^^^^^^
    hint: write `module:function`, for example `hooks.guard:check`
    "#);
    assert_snapshot!(command("callable = \"hooks:check\"\ncommand = \"true\""), @r#"
    hooks.toml:3:12: hook[0].callable: a hook has a `command` or a `callable`, not both
    3 | callable = "hooks:check"
      |            ^^^^^^^^^^^^^
    "#);
}

#[test]
fn keys_of_a_hook() {
    assert_snapshot!(with("onfailure = \"deny\""), @r#"
    hooks.toml:4:1: hook[0].onfailure: unknown key `onfailure`
    4 | onfailure = "deny"
      | ^^^^^^^^^
    hint: did you mean `on_failure`?
    "#);
    assert_snapshot!(with("zzz = 1"), @"
    hooks.toml:4:1: hook[0].zzz: unknown key `zzz`
    4 | zzz = 1
      | ^^^
    hint: expected `event`, `name`, `match`, `command`, `callable`, `written_for`, `role`, `timeout`, `on_failure`, `may_allow`, `cwd`, `env`, `files`, `required` or `overridable`
    ");
    assert_snapshot!(with("role = \"judg\""), @r#"
    hooks.toml:4:8: hook[0].role: unknown role `judg`, expected `edit`, `judge` or `observe`
    4 | role = "judg"
      |        ^^^^^^
    hint: did you mean `judge`?
    "#);
    assert_snapshot!(with("role = \"plain\""), @r#"
    hooks.toml:4:8: hook[0].role: unknown role `plain`, expected `edit`, `judge` or `observe`
    4 | role = "plain"
      |        ^^^^^^^
    "#);
    assert_snapshot!(with("on_failure = \"denies\""), @r#"
    hooks.toml:4:14: hook[0].on_failure: unknown answer to a failure `denies`, expected `deny`, `ask` or `ignore`
    4 | on_failure = "denies"
      |              ^^^^^^^^
    hint: did you mean `deny`?
    "#);
    assert_snapshot!(with("on_failure = true"), @r#"
    hooks.toml:4:14: hook[0].on_failure: expected a string, found a boolean
    4 | on_failure = true
      |              ^^^^
    "#);
    assert_snapshot!(with("may_allow = \"yes\""), @r#"
    hooks.toml:4:13: hook[0].may_allow: expected `true` or `false`, found a string
    4 | may_allow = "yes"
      |             ^^^^^
    "#);
    assert_snapshot!(with("cwd = \"/tmp\""), @r#"
    hooks.toml:4:7: hook[0].cwd: unknown working directory `/tmp`, expected `session` or `config`
    4 | cwd = "/tmp"
      |       ^^^^^^
    "#);
    assert_snapshot!(with("name = \"\""), @r#"
    hooks.toml:4:8: hook[0].name: the name is empty
    4 | name = ""
      |        ^^
    hint: leave it out to use the command
    "#);
    assert_snapshot!(with("env = \"TOKEN\""), @r#"
    hooks.toml:4:7: hook[0].env: expected a list of strings, found a string
    4 | env = "TOKEN"
      |       ^^^^^^^
    "#);
    assert_snapshot!(with("env = [\"TOKEN\", \"AWS_*\", \"A=b\", \"\", \"1A\"]"), @r#"
    hooks.toml:4:17: hook[0].env[1]: `AWS_*` is not the name of a variable
    4 | env = ["TOKEN", "AWS_*", "A=b", "", "1A"]
      |                 ^^^^^^^
    hint: each variable is named in full; `NAME=value` and `NAME_*` are not known here

    hooks.toml:4:26: hook[0].env[2]: `A=b` is not the name of a variable
    4 | env = ["TOKEN", "AWS_*", "A=b", "", "1A"]
      |                          ^^^^^
    hint: each variable is named in full; `NAME=value` and `NAME_*` are not known here

    hooks.toml:4:33: hook[0].env[3]: `` is not the name of a variable
    4 | env = ["TOKEN", "AWS_*", "A=b", "", "1A"]
      |                                 ^^
    hint: each variable is named in full; `NAME=value` and `NAME_*` are not known here

    hooks.toml:4:37: hook[0].env[4]: `1A` is not the name of a variable
    4 | env = ["TOKEN", "AWS_*", "A=b", "", "1A"]
      |                                     ^^^^
    hint: each variable is named in full; `NAME=value` and `NAME_*` are not known here
    "#);
}

#[test]
fn an_observer_decides_nothing() {
    assert_snapshot!(with("role = \"observe\"\non_failure = \"deny\"\nmay_allow = true"), @r#"
    hooks.toml:5:14: hook[0].on_failure: an observer decides nothing, so its failure cannot become `deny`
    5 | on_failure = "deny"
      |              ^^^^^^
    hint: its role must be `judge` or `edit` for that

    hooks.toml:6:13: hook[0].may_allow: an observer decides nothing, so it cannot allow
    6 | may_allow = true
      |             ^^^^
    "#);
}

#[test]
fn timeout() {
    for value in ["0", "-1", "0.0", "600.1", "601", "inf", "nan", "1e300", "99999999999999999999", "1e-300"] {
        let problems = with(&format!("timeout = {value}"));
        assert_eq!(problems.first().message(), "expected seconds, more than 0 and at most 600", "{value}");
        assert_eq!(problems.first().key(), "hook[0].timeout");
        assert_eq!(problems.iter().count(), 1);
    }
    assert_snapshot!(with("timeout = \"5\""), @r#"
    hooks.toml:4:11: hook[0].timeout: expected a number, found a string
    4 | timeout = "5"
      |           ^^^
    "#);
    assert_snapshot!(with("timeout = -1"), @r#"
    hooks.toml:4:11: hook[0].timeout: expected seconds, more than 0 and at most 600
    4 | timeout = -1
      |           ^^
    "#);
}

#[test]
fn a_timeout_longer_than_the_event_allows() {
    for (event, most) in [
        ("PreToolUse", 20),
        ("PermissionRequest", 20),
        ("UserPromptSubmit", 20),
        ("SubagentStart", 20),
        ("SessionEnd", 1),
        ("Stop", 600),
        ("PostToolUse", 600),
        ("SubagentStop", 600),
        ("Notification", 600),
    ] {
        let hook = |timeout: f64, role: &str| {
            let text =
                format!("[[hook]]\nevent = \"{event}\"\ncommand = \"true\"\ntimeout = {timeout}\n{role}\n");
            Config::parse(&text, "hooks.toml".as_ref())
        };
        let most = f64::from(most);
        for role in ["", "role = \"judge\"", "role = \"edit\""] {
            assert!(hook(most, role).is_ok(), "{event} {role}");
            if most < 600.0 {
                let problems = hook(most + 0.5, role).unwrap_err();
                let expected = format!("on `{event}` a hook may take at most {most} s");
                assert_eq!(problems.first().message(), expected);
            }
        }
        // Nothing waits for an observer.
        assert!(hook(600.0, "role = \"observe\"").is_ok(), "{event}");
    }
}

#[test]
fn an_observer_cannot_be_required() {
    let problems = with("role = \"observe\"\nrequired = true").to_string();
    assert!(problems.contains("an observer is not waited for, so it cannot be required"), "{problems}");
    assert!(
        problems.contains("hint: to audit without fail, make it a `judge` that answers nothing"),
        "{problems}"
    );
}

#[test]
fn two_hooks_of_one_event_and_name() {
    let hook = |event: &str| format!("[[hook]]\nevent = \"{event}\"\ncommand = \"true\"\nname = \"log\"\n");
    assert_snapshot!(problems(&format!("{}{}", hook("Stop"), hook("Stop"))), @r#"
    hooks.toml:8:8: hook[1].name: another hook of `Stop` is named `log`
    8 | name = "log"
      |        ^^^^^
    hint: hooks are disabled and reported by name, so each hook of an event needs its own
    "#);
    let apart = format!("{}{}", hook("Stop"), hook("PreToolUse"));
    assert!(Config::parse(&apart, "hooks.toml".as_ref()).is_ok());
}
