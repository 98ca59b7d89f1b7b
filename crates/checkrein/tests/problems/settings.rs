//! Settings other than hooks and rules, and limits of what is read.

use crate::problems;
use checkrein::{Config, ConfigError, Layer};
use insta::assert_snapshot;

/// Returns the problems of a file of the user.
fn user(text: &str) -> ConfigError {
    Config::parse_as(Layer::User, text, "config.toml".as_ref()).unwrap_err()
}

#[test]
fn a_replacement_says_what_is_missing() {
    assert_snapshot!(user(
        r#"[[replace]]
program = "npm"
with = "makefile\u0007"

[[replace]]
program = "left"
with = "right"

[[replace]]
program = "npm"
with = "bun"
options = ["silent"]
"#
    ), @r#"
    config.toml:3:8: replace[0].with: control characters are not allowed here
    3 | with = "makefile\u0007"
      |        ^^^^^^^^^^^^^^^^

    config.toml:5:1: replace[1].with: there is no built-in table from `left` to `right`
    5 | [[replace]]
      | ^^^^^^^^^^^
    hint: list the options that `right` understands as `options`

    config.toml:12:12: replace[2].options: `silent` is not an option
    12 | options = ["silent"]
       |            ^^^^^^^^
    hint: for example `--a`, `-b|--bb = --c`, `--d =` or `--e VALUE`
    "#);
}

#[test]
fn a_trail_can_be_required_by_the_administrator_alone() {
    assert_snapshot!(user("trail = \"required\"\n"), @r#"
    config.toml:1:9: trail: only the administrator's file can require the trail
    1 | trail = "required"
      |         ^^^^^^^^^^
    hint: write `summary`, or `full`
    "#);
}

#[test]
fn a_notification_is_a_list() {
    assert_snapshot!(user("[notify]\ncommand = \"tell-me\"\n"), @r#"
    config.toml:2:11: notify.command: the command of a notification is not a script
    2 | command = "tell-me"
      |           ^^^^^^^^^
    hint: write a list, such as `["/usr/local/bin/tell-me"]`: the texts follow as arguments
    "#);
}

#[test]
fn a_monitor_mode_has_an_end() {
    // The day in the hints is one of the next days, whenever the test runs.
    let text = user("[monitor]\nuntil = \"tomorrow\"\n").to_string();
    let (before, day) = text.rsplit_once("hint: for example `").unwrap();
    assert_snapshot!(before, @r#"
    config.toml:2:9: monitor.until: `tomorrow` is not a date
    2 | until = "tomorrow"
      |         ^^^^^^^^^^
    "#);
    assert!(day.starts_with("20"), "{text}");
    let text = user("[monitor]\nuntil = \"2999-01-01\"\n").to_string();
    let (before, after) = text.split_once("until 20").unwrap();
    assert_eq!(before, "config.toml:2:9: monitor.until: monitor mode can last 30 days at most, ");
    assert!(after.ends_with("\n2 | until = \"2999-01-01\"\n  |         ^^^^^^^^^^^^"), "{text}");
    let text = user("[monitor]\nuntil = \"tomorrow\"\nrules = [\"managed.no-push\"]\n").to_string();
    let (_, of_rules) = text.split_once("\n\n").unwrap();
    assert_snapshot!(of_rules, @r#"
    config.toml:3:10: monitor.rules: only the managed layer monitors its rules
    3 | rules = ["managed.no-push"]
      |          ^^^^^^^^^^^^^^^^^
    "#);
    let text = user("[monitor]\n").to_string();
    let (before, day) = text.rsplit_once("until = ").unwrap();
    assert!(
        before.ends_with(
            "monitor mode needs `until`, its last day\n1 | [monitor]\n  | ^^^^^^^^^\nhint: for example `"
        ),
        "{text}"
    );
    assert!(day.starts_with("20"), "{text}");
}

#[test]
fn grades_are_for_built_in_rules_and_a_project_only_tightens() {
    assert_snapshot!(user("[[grade]]\nrule = \"user.no-push\"\ndecision = \"deny\"\n"), @r#"
    config.toml:2:8: grade[0].rule: `user.no-push` is not a built-in rule
    2 | rule = "user.no-push"
      |        ^^^^^^^^^^^^^^
    hint: change the `decision` of the `[[rule]]` itself
    "#);
    let project = "[[grade]]\nrule = \"kubernetes.*\"\ndecision = \"ask\"\n";
    let error = Config::parse_as(Layer::Project, project, ".checkrein.toml".as_ref()).unwrap_err();
    assert_snapshot!(error, @r#"
    .checkrein.toml:3:12: grade[0].decision: a project can only make rules stricter: write `deny`
    3 | decision = "ask"
      |            ^^^^^
    "#);
}

#[test]
fn what_is_too_long_is_said() {
    let long = "x".repeat(20_000);
    let rule = format!(
        "[[rule]]\nid = \"a\"\neffect = \"delete\"\nprograms = [\"\", \"{long}\"]\ndecision = \"deny\"\nreason = \"{long}\"\n"
    );
    assert_snapshot!(user(&rule), @r#"
    config.toml:4:13: rule[0].programs: the pattern is empty
    4 | programs = ["", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
      |             ^^
    hint: `*` matches everything

    config.toml:4:17: rule[0].programs: the pattern is longer than 300 characters
    4 | programs = ["", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
      |                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

    config.toml:6:10: rule[0].reason: the text is longer than 300 characters
    6 | reason = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
      |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    "#);
}

#[test]
fn an_observer_decides_nothing() {
    assert_snapshot!(
        problems(
            "python = \" \"\n\n[[hook]]\nevent = \"PreToolUse\"\ncommand = \"true\"\nrole = \"observe\"\nrequired = true\nmay_allow = true\n"
        ),
        @r#"
    hooks.toml:1:10: python: the interpreter's name is empty
    1 | python = " "
      |          ^^^

    hooks.toml:7:12: hook[0].required: only the managed layer can require a hook
    7 | required = true
      |            ^^^^

    hooks.toml:7:12: hook[0].required: an observer is not waited for, so it cannot be required
    7 | required = true
      |            ^^^^
    hint: to audit without fail, make it a `judge` that answers nothing: the call waits for it, and its failure denies

    hooks.toml:8:13: hook[0].may_allow: an observer decides nothing, so it cannot allow
    8 | may_allow = true
      |             ^^^^
    "#
    );
}

#[test]
fn a_time_limit_is_within_that_of_the_event() {
    assert_snapshot!(
        problems(
            "[[hook]]\nevent = \"PreToolUse\"\ncommand = \"true\"\ntimeout = 30\n\n[[hook]]\nevent = \"SessionEnd\"\ncommand = \"true\"\ntimeout = 599\n"
        ),
        @r#"
    hooks.toml:4:11: hook[0].timeout: on `PreToolUse` a hook may take at most 20 s
    4 | timeout = 30
      |           ^^
    hint: a call waits for it; what takes longer belongs to `Stop`, or to an observer

    hooks.toml:9:11: hook[1].timeout: on `SessionEnd` a hook may take at most 1 s
    9 | timeout = 599
      |           ^^^
    hint: the host waits no longer; an observer may take longer
    "#
    );
}

#[test]
fn a_key_of_an_earlier_version_has_a_name_today() {
    assert_snapshot!(
        user("[[grant]]\nreason = \"x\"\n\n[[rule]]\nid = \"a\"\ndoes = \"delete\"\ndecision = \"deny\"\nreason = \"x\"\n"),
        @r#"
    config.toml:1:3: unknown key `grant`
    1 | [[grant]]
      |   ^^^^^
    hint: it is called `[[allow]]` now

    config.toml:6:1: rule[0].does: unknown key `does`
    6 | does = "delete"
      | ^^^^
    hint: it is called `effect` now
    "#
    );
}
