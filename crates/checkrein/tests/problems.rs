//! Every error of a configuration, as a person sees it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein::{Config, Layer, Problems};
use insta::assert_snapshot;

fn problems(text: &str) -> Problems {
    Config::parse(text, "hooks.toml".as_ref()).unwrap_err()
}

/// What is wrong with a hook for `PreToolUse` that runs `true` and has these lines besides.
fn with(lines: &str) -> Problems {
    problems(&format!("[[hook]]\nevent = \"PreToolUse\"\ncommand = \"true\"\n{lines}\n"))
}

fn in_list(entry: &str) -> Problems {
    Config::parse(&format!("[\n  {entry}\n]\n"), "hooks.json".as_ref()).unwrap_err()
}

#[test]
fn all_problems_at_once_in_the_order_of_the_text() {
    assert_snapshot!(problems(
        r#"retries = 3

[[hook]]
event = "PreToolUSe"
comand = "./a.sh"
match = { tools = "Bash", except = ["Edit|Write", "kind:shel"] }

[[hook]]
command = ["./b.sh", 1]
role = "judges"
timeout = 601
"#
    ), @r#"
    hooks.toml:1:1: unknown key `retries`
    1 | retries = 3
      | ^^^^^^^
    hint: expected `hook`, `rule`, `allow`, `grant`, `exceptions`, `disable`, `untrusted` or `python`

    hooks.toml:4:9: hook[0].event: unknown event `PreToolUSe`
    4 | event = "PreToolUSe"
      |         ^^^^^^^^^^^^
    hint: did you mean `PreToolUse`?

    hooks.toml:5:1: hook[0].comand: unknown key `comand`
    5 | comand = "./a.sh"
      | ^^^^^^
    hint: did you mean `command`?

    hooks.toml:6:11: hook[0].match.tools: unknown key `tools`
    6 | match = { tools = "Bash", except = ["Edit|Write", "kind:shel"] }
      |           ^^^^^
    hint: did you mean `tool`?

    hooks.toml:6:37: hook[0].match.except: `Edit|Write` holds `|`; write a list of names, or `/Edit|Write/` for a regular expression
    6 | match = { tools = "Bash", except = ["Edit|Write", "kind:shel"] }
      |                                     ^^^^^^^^^^^^

    hooks.toml:6:51: hook[0].match.except: unknown kind of tool `shel`, did you mean `shell`?
    6 | match = { tools = "Bash", except = ["Edit|Write", "kind:shel"] }
      |                                                   ^^^^^^^^^^^

    hooks.toml:8:1: hook[1]: a hook needs an `event`
    8 | [[hook]]
      | ^^^^^^^^
    hint: for example `event = "PreToolUse"`, which is asked before a tool runs

    hooks.toml:9:22: hook[1].command[1]: expected a string, found a number
    9 | command = ["./b.sh", 1]
      |                      ^

    hooks.toml:10:8: hook[1].role: unknown role `judges`, expected `edit`, `judge` or `observe`
    10 | role = "judges"
       |        ^^^^^^^^
    hint: did you mean `judge`?

    hooks.toml:11:11: hook[1].timeout: expected seconds, more than 0 and at most 600
    11 | timeout = 601
       |           ^^^
    "#);
}

#[test]
fn not_toml() {
    assert_snapshot!(problems("[[hook]]\nevent = PreToolUse\ncommand = \"true\nname = \"x\"\n"), @r#"
    hooks.toml:2:9: not valid TOML: string values must be quoted, expected literal string
    2 | event = PreToolUse
      |         ^^^^^^^^^^

    hooks.toml:3:16: not valid TOML: invalid basic string, expected `"`
    3 | command = "true
      |                ^
    "#);
    assert_snapshot!(problems("[[hook]]\nname = \"a\"\nname = \"b\"\n"), @r#"
    hooks.toml:3:1: not valid TOML: duplicate key
    3 | name = "b"
      | ^^^^
    "#);
    assert_snapshot!(problems("[[hook"), @r#"
    hooks.toml:1:7: not valid TOML: unclosed array table, expected `]]`
    1 | [[hook
      |       ^
    "#);
    assert_snapshot!(problems("just some words"), @r#"
    hooks.toml:1:6: not valid TOML: key with no value, expected `=`
    1 | just some words
      |      ^
    "#);
}

#[test]
fn the_top_of_the_file() {
    assert_snapshot!(problems("[[hooks]]\nevent = \"PreToolUse\"\n"), @r#"
    hooks.toml:1:3: unknown key `hooks`
    1 | [[hooks]]
      |   ^^^^^
    hint: did you mean `hook`?
    "#);
    assert_snapshot!(problems("[hook]\nevent = \"PreToolUse\"\n"), @r#"
    hooks.toml:1:2: hook: expected a list of tables, found a table
    1 | [hook]
      |  ^^^^
    hint: write `[[hook]]`, and the event below it
    "#);
    assert_snapshot!(problems("hook = 1\n"), @r#"
    hooks.toml:1:1: hook: expected a list of tables, found a number
    1 | hook = 1
      | ^^^^
    hint: write `[[hook]]`, and the event below it
    "#);
    assert_snapshot!(problems("hook = [1]\n"), @r#"
    hooks.toml:1:9: hook[0]: expected a table, found a number
    1 | hook = [1]
      |         ^
    "#);
    assert_snapshot!(problems("[[hook.PreToolUse]]\ncommand = \"true\"\n"), @r#"
    hooks.toml:1:3: hook: expected a list of tables, found a table
    1 | [[hook.PreToolUse]]
      |   ^^^^
    hint: write `[[hook]]`, and the event below it
    "#);
}

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
    hooks.toml:1:1: hook[0]: a hook needs an `event`
    1 | [[hook]]
      | ^^^^^^^^
    hint: for example `event = "PreToolUse"`, which is asked before a tool runs
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
    hooks.toml:3:11: hook[0].command: the command holds a NUL character, which no program can be given
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
    hint: expected `event`, `name`, `match`, `command`, `callable`, `role`, `timeout`, `on_failure`, `grants`, `cwd`, `env`, `files`, `required` or `loosenable`
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
    assert_snapshot!(with("grants = \"yes\""), @r#"
    hooks.toml:4:10: hook[0].grants: expected `true` or `false`, found a string
    4 | grants = "yes"
      |          ^^^^^
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
    assert_snapshot!(with("role = \"observe\"\non_failure = \"deny\"\ngrants = true"), @r#"
    hooks.toml:5:14: hook[0].on_failure: an observer decides nothing, so its failure cannot become `deny`
    5 | on_failure = "deny"
      |              ^^^^^^
    hint: its role must be `judge` or `edit` for that

    hooks.toml:6:10: hook[0].grants: an observer decides nothing, so it cannot grant
    6 | grants = true
      |          ^^^^
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
fn patterns() {
    assert_snapshot!(with("match = \"Bash\""), @r#"
    hooks.toml:4:9: hook[0].match: expected a table, found a string
    4 | match = "Bash"
      |         ^^^^^^
    "#);
    assert_snapshot!(with("match = { tool = 1 }"), @r#"
    hooks.toml:4:18: hook[0].match.tool: expected a string or a list of strings, found a number
    4 | match = { tool = 1 }
      |                  ^
    "#);
    assert_snapshot!(with("match = { tool = [] }"), @r#"
    hooks.toml:4:18: hook[0].match.tool: an empty list matches no tool, so the hook would never run
    4 | match = { tool = [] }
      |                  ^^
    hint: leave `match` out to match every tool
    "#);
    assert_snapshot!(with("match = { tool = [\"Bash\", 1], except = { a = 1 } }"), @r#"
    hooks.toml:4:27: hook[0].match.tool[1]: expected a string, found a number
    4 | match = { tool = ["Bash", 1], except = { a = 1 } }
      |                           ^

    hooks.toml:4:40: hook[0].match.except: expected a string or a list of strings, found a table
    4 | match = { tool = ["Bash", 1], except = { a = 1 } }
      |                                        ^^^^^^^^^
    "#);
    assert_snapshot!(with("match = { tool = \"Edit|Write\" }"), @r#"
    hooks.toml:4:18: hook[0].match.tool: `Edit|Write` holds `|`; write a list of names, or `/Edit|Write/` for a regular expression
    4 | match = { tool = "Edit|Write" }
      |                  ^^^^^^^^^^^^
    "#);
    assert_snapshot!(with("match = { tool = [\"/(/\", \"*Edit\"], except = \"\" }"), @r#"
    hooks.toml:4:19: hook[0].match.tool: `/(/` is not a regular expression: found open group without closing ')'
    4 | match = { tool = ["/(/", "*Edit"], except = "" }
      |                   ^^^^^

    hooks.toml:4:26: hook[0].match.tool: `*Edit` holds `*` before its end; write `/…/` for a regular expression
    4 | match = { tool = ["/(/", "*Edit"], except = "" }
      |                          ^^^^^^^

    hooks.toml:4:45: hook[0].match.except: the pattern is empty; write `*` for every tool
    4 | match = { tool = ["/(/", "*Edit"], except = "" }
      |                                             ^^
    "#);
    assert_snapshot!(with("match = { exept = \"Bash\" }"), @r#"
    hooks.toml:4:11: hook[0].match.exept: unknown key `exept`
    4 | match = { exept = "Bash" }
      |           ^^^^^
    hint: did you mean `except`?
    "#);
}

#[test]
fn two_hooks_of_one_event_and_name() {
    let hook = |event: &str| format!("[[hook]]\nevent = \"{event}\"\ncommand = \"true\"\nname = \"log\"\n");
    assert_snapshot!(problems(&format!("{}{}", hook("Stop"), hook("Stop"))), @r#"
    hooks.toml:8:8: hook[1].name: another hook of `Stop` is named `log`
    8 | name = "log"
      |        ^^^^^
    hint: hooks are removed and blamed by name, so each of an event needs its own
    "#);
    let apart = format!("{}{}", hook("Stop"), hook("PreToolUse"));
    assert!(Config::parse(&apart, "hooks.toml".as_ref()).is_ok());
}

#[test]
fn the_json_list() {
    assert_snapshot!(in_list(r#"{"event": "PreToolUse", "command": "true"}, {"event": "Stop", "command": "true"}"#), @r#"
    hooks.json:2:57: [1].event: unknown event `Stop`
    2 |   {"event": "PreToolUse", "command": "true"}, {"event": "Stop", "command": "true"}
      |                                                         ^^^^^^
    hint: expected `PreToolUse`, `PostToolUse`, `PostToolUseFailure`, `SessionStart` or `UserPromptSubmit`
    "#);
    assert_snapshot!(in_list(r#"{"event": "PreTool", "command": "true"}"#), @r#"
    hooks.json:2:13: [0].event: unknown event `PreTool`
    2 |   {"event": "PreTool", "command": "true"}
      |             ^^^^^^^^^
    hint: did you mean `PreToolUse`?
    "#);
    assert_snapshot!(in_list(r#"{"command": "true"}"#), @r#"
    hooks.json:2:3: [0]: a hook needs an `event`
    2 |   {"command": "true"}
      |   ^^^^^^^^^^^^^^^^^^^
    "#);
    assert_snapshot!(in_list(r#"{"event": "PreToolUse"}"#), @r#"
    hooks.json:2:3: [0]: a hook needs a `command` to run, or a `callable`
    2 |   {"event": "PreToolUse"}
      |   ^^^^^^^^^^^^^^^^^^^^^^^
    "#);
    assert_snapshot!(in_list(r#"{"event": "PreToolUse", "command": "a", "callable": "b:c"}"#), @r#"
    hooks.json:2:55: [0].callable: a hook has a `command` or a `callable`, not both
    2 |   {"event": "PreToolUse", "command": "a", "callable": "b:c"}
      |                                                       ^^^^^
    "#);
    assert_snapshot!(in_list(r#"{"event": "PreToolUse", "callable": "b"}"#), @r#"
    hooks.json:2:39: [0].callable: `b` is not the name of a Python function
    2 |   {"event": "PreToolUse", "callable": "b"}
      |                                       ^^^
    hint: write `module:function`, for example `hooks.guard:check`
    "#);
    assert_snapshot!(in_list(r#"{"event": "PreToolUse", "command": "a", "role": "judge", "tiemout": 1}"#), @r#"
    hooks.json:2:43: [0].role: unknown key `role`
    2 |   {"event": "PreToolUse", "command": "a", "role": "judge", "tiemout": 1}
      |                                           ^^^^^^
    hint: the JSON list has no `role`; write the configuration in TOML

    hooks.json:2:60: [0].tiemout: unknown key `tiemout`
    2 |   {"event": "PreToolUse", "command": "a", "role": "judge", "tiemout": 1}
      |                                                            ^^^^^^^^^
    hint: did you mean `timeout`?
    "#);
    assert_snapshot!(in_list(r#"{"event": "PreToolUse", "command": "a", "match": {"tool": 5}}"#), @r#"
    hooks.json:2:61: [0].match.tool: expected a string or a list of strings, found a number
    2 |   {"event": "PreToolUse", "command": "a", "match": {"tool": 5}}
      |                                                             ^
    "#);
    assert_snapshot!(in_list(r#"{"event": "PreToolUse", "command": "a", "match": {"tool": ["a", {}], "path": "x"}}"#), @r#"
    hooks.json:2:67: [0].match.tool[1]: expected a string, found an object
    2 |   {"event": "PreToolUse", "command": "a", "match": {"tool": ["a", {}], "path": "x"}}
      |                                                                   ^^

    hooks.json:2:72: [0].match.path: unknown key `path`
    2 |   {"event": "PreToolUse", "command": "a", "match": {"tool": ["a", {}], "path": "x"}}
      |                                                                        ^^^^^^
    hint: expected `tool`
    "#);
    assert_snapshot!(in_list(r#"{"event": "PreToolUse", "command": "a", "match": {"except": "x"}}"#), @r#"
    hooks.json:2:53: [0].match.except: unknown key `except`
    2 |   {"event": "PreToolUse", "command": "a", "match": {"except": "x"}}
      |                                                     ^^^^^^^^
    hint: the JSON list has no `except`; write the configuration in TOML
    "#);
    assert_snapshot!(in_list(r#"{"event": "PreToolUse", "command": "a", "timeout": "5"}"#), @r#"
    hooks.json:2:54: [0].timeout: expected a number, found a string
    2 |   {"event": "PreToolUse", "command": "a", "timeout": "5"}
      |                                                      ^^^
    "#);
    assert_snapshot!(in_list(r#"{}, 7, [], null"#), @r#"
    hooks.json:2:3: [0]: a hook needs an `event`
    2 |   {}, 7, [], null
      |   ^^

    hooks.json:2:3: [0]: a hook needs a `command` to run, or a `callable`
    2 |   {}, 7, [], null
      |   ^^

    hooks.json:2:7: [1]: expected an object, found a number
    2 |   {}, 7, [], null
      |       ^

    hooks.json:2:10: [2]: expected an object, found a list
    2 |   {}, 7, [], null
      |          ^^

    hooks.json:2:14: [3]: expected an object, found null
    2 |   {}, 7, [], null
      |              ^^^^
    "#);
}

#[test]
fn not_json() {
    assert_snapshot!(in_list(r#"{"event": "PreToolUse", "command": "a",}"#), @r#"
    hooks.json:2:42: not valid JSON: trailing comma
    2 |   {"event": "PreToolUse", "command": "a",}
      |                                          ^
    "#);
    assert_snapshot!(in_list(r#"{"event": "PreToolUse", "event": "PostToolUse", "command": "a"}"#), @r#"
    hooks.json:2:33: not valid JSON: the key `event` stands twice
    2 |   {"event": "PreToolUse", "event": "PostToolUse", "command": "a"}
      |                                 ^
    "#);
    assert_snapshot!(in_list(r#"{"event": "PreToolUse", "#), @r#"
    hooks.json:3:1: not valid JSON: key must be a string
    3 | ]
      | ^
    "#);
    assert_snapshot!(Config::parse("{\"hooks\": {}}", "settings.json".as_ref()).unwrap_err(), @r#"
    settings.json:1:1: expected a list of hooks, found an object
    1 | {"hooks": {}}
      | ^^^^^^^^^^^^^
    hint: for example `[{"event": "PreToolUse", "command": "./hook.sh"}]`
    "#);
    assert_snapshot!(Config::parse("[{}] x", "hooks.json".as_ref()).unwrap_err(), @r#"
    hooks.json:1:6: not valid JSON: trailing characters
    1 | [{}] x
      |      ^
    "#);
}

#[test]
fn what_is_shown_cannot_act_on_a_terminal() {
    assert_snapshot!(problems("\t\"ev\\u001b[2Jent\" = \"\u{202e}\"\r\n"), @r#"
    hooks.toml:1:2: unknown key `ev\u{1b}[2Jent`
    1 |  "ev\u001b[2Jent" = "�"
      |  ^^^^^^^^^^^^^^^^
    hint: expected `hook`, `rule`, `allow`, `grant`, `exceptions`, `disable`, `untrusted` or `python`
    "#);
    assert_snapshot!(problems("\t\"ev\\u001b[2Jent\" = 1 # \u{1b}[31m\u{202e}\r\n"), @r#"
    hooks.toml:1:25: not valid TOML: invalid comment character, expected printable characters
    1 |  "ev\u001b[2Jent" = 1 # �[31m�
      |                         ^
    "#);
}

#[test]
fn a_long_line_is_cut_around_the_place() {
    let long = format!("hook = [{}{{ event = 5 }}, {}]", "{},".repeat(30), "{},".repeat(3000));
    let problems = problems(&long);
    let wrong = problems.iter().find(|problem| problem.key() == "hook[30].event").unwrap();
    assert_snapshot!(wrong, @r#"
    hooks.toml:1:109: hook[30].event: expected a string, found a number
    1 | …},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{ event = 5 }, {},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}…
      |                                                                                            ^
    "#);
}

#[test]
fn a_wide_character_counts_once() {
    assert_snapshot!(with("match = { tool = [\"né…日\", \"é|b\"] }"), @r#"
    hooks.toml:4:27: hook[0].match.tool: `é|b` holds `|`; write a list of names, or `/é|b/` for a regular expression
    4 | match = { tool = ["né…日", "é|b"] }
      |                           ^^^^^
    "#);
}

#[test]
fn there_is_an_end_to_the_list() {
    let problems = problems(&"[[hook]]\n".repeat(100_000));
    assert!(problems.is_cut());
    assert_eq!(problems.iter().count(), Problems::MOST);
    assert!(problems.to_string().ends_with("\n\nthere may be more problems after these 100"));
}

#[test]
fn one_line() {
    assert_snapshot!(with("role = \"judg\"").one_line(), @r#"
    hooks.toml:4:8: hook[0].role: unknown role `judg`, expected `edit`, `judge` or `observe` (did you mean `judge`?)
    "#);
    assert_snapshot!(problems("[[hook]]\n").one_line(), @r#"
    hooks.toml:1:1: hook[0]: a hook needs an `event` (for example `event = "PreToolUse"`, which is asked before a tool runs); and 1 more problem
    "#);
    assert_snapshot!(problems("[[hook]]\nx = 1\n").one_line(), @r#"
    hooks.toml:1:1: hook[0]: a hook needs an `event` (for example `event = "PreToolUse"`, which is asked before a tool runs); and 2 more problems
    "#);
}

#[test]
fn the_parts_of_a_problem() {
    let problems = with("role = \"judg\"");
    let problem = problems.first();
    assert_eq!(problem.file(), "hooks.toml");
    assert_eq!((problem.line(), problem.column()), (Some(4), Some(8)));
    assert_eq!(problem.key(), "hook[0].role");
    assert_eq!(problem.message(), "unknown role `judg`, expected `edit`, `judge` or `observe`");
    assert_eq!(problem.hint(), Some("did you mean `judge`?"));
}

/// What is wrong with a rule of a project.
fn rule(text: &str) -> Problems {
    Config::parse_as(Layer::Project, text, ".checkrein.toml".as_ref()).unwrap_err()
}

#[test]
fn everything_that_is_wrong_with_rules() {
    assert_snapshot!(rule(
        r#"[[rule]]
id = "No pushes"
does = ["send", "overwrites"]
zone = "projct"
marks = ["somehow-quickly"]
program = "git*"
decision = "allow"
reason = "a\nb"

[[rule]]
names = []
decision = 1

[[rule]]
id = "a"
does = "delete"
programs = ["", 3]
decision = "denied"
reason = "because"

[[rule]]
id = "a"
"#
    ), @r#"
    .checkrein.toml:2:6: rule[0].id: `No pushes` is no id
    2 | id = "No pushes"
      |      ^^^^^^^^^^^
    hint: up to 60 small letters, digits and `-`, such as `no-push-to-main`

    .checkrein.toml:3:17: rule[0].does: unknown effect `overwrites`
    3 | does = ["send", "overwrites"]
      |                 ^^^^^^^^^^^^
    hint: did you mean `overwrite`?

    .checkrein.toml:4:8: rule[0].zone: unknown zone `projct`
    4 | zone = "projct"
      |        ^^^^^^^^
    hint: did you mean `project`?

    .checkrein.toml:5:10: rule[0].marks: unknown mark `somehow-quickly`
    5 | marks = ["somehow-quickly"]
      |          ^^^^^^^^^^^^^^^^^
    hint: did you mean `some`?

    .checkrein.toml:6:1: rule[0].program: unknown key `program`
    6 | program = "git*"
      | ^^^^^^^
    hint: did you mean `programs`?

    .checkrein.toml:7:12: rule[0].decision: unknown decision `allow`, expected `ask` or `deny`
    7 | decision = "allow"
      |            ^^^^^^^
    hint: a rule can only make answers stricter

    .checkrein.toml:8:10: rule[0].reason: the text holds a line break, or a character that is not shown
    8 | reason = "a\nb"
      |          ^^^^^^

    .checkrein.toml:10:1: rule[1]: a rule needs `id`
    10 | [[rule]]
       | ^^^^^^^^
    hint: for example `id = "no-push-to-main"`

    .checkrein.toml:10:1: rule[1]: a rule needs `does`
    10 | [[rule]]
       | ^^^^^^^^
    hint: for example `does = "send"`

    .checkrein.toml:10:1: rule[1]: a rule needs `reason`
    10 | [[rule]]
       | ^^^^^^^^
    hint: for example `reason = "pushes to main go through a review"`

    .checkrein.toml:11:9: rule[1].names: the list is empty
    11 | names = []
       |         ^^
    hint: leave the key out to say nothing

    .checkrein.toml:12:12: rule[1].decision: expected a string, found a number
    12 | decision = 1
       |            ^

    .checkrein.toml:17:17: rule[2].programs[1]: expected a string, found a number
    17 | programs = ["", 3]
       |                 ^

    .checkrein.toml:18:12: rule[2].decision: unknown decision `denied`, expected `ask` or `deny`
    18 | decision = "denied"
       |            ^^^^^^^^
    hint: did you mean `deny`?

    .checkrein.toml:21:1: rule[3]: a rule needs `does`
    21 | [[rule]]
       | ^^^^^^^^
    hint: for example `does = "send"`

    .checkrein.toml:21:1: rule[3]: a rule needs `decision`
    21 | [[rule]]
       | ^^^^^^^^
    hint: for example `decision = "deny"`

    .checkrein.toml:21:1: rule[3]: a rule needs `reason`
    21 | [[rule]]
       | ^^^^^^^^
    hint: for example `reason = "pushes to main go through a review"`

    .checkrein.toml:22:6: rule[3].id: another rule of this file has the id `a`
    22 | id = "a"
       |      ^^^
    "#);
    assert_snapshot!(rule("rule = 3\n"), @"
    .checkrein.toml:1:1: rule: expected a list of tables, found a number
    1 | rule = 3
      | ^^^^
    hint: write `[[rule]]`, and what it is about below it
    ");
    assert_snapshot!(rule("rule = [3]\n"), @"
    .checkrein.toml:1:9: rule[0]: expected a table, found a number
    1 | rule = [3]
      |         ^
    ");
}

#[test]
fn an_example_that_does_not_hold() {
    assert_snapshot!(rule(
        r#"[[rule]]
id = "no-push-to-main"
does = "send"
programs = "git*"
names = "main"
decision = "deny"
reason = "changes of main go through a review"
matches = ["git push origin main", "git push origin topic"]
free = ["git push origin topic", "git -C . push -q origin HEAD:refs/heads/main", "echo git push origin main"]
"#
    ), @r#"
    .checkrein.toml:8:36: rule[0].matches[1]: the rule is not about `git push origin topic`
    8 | matches = ["git push origin main", "git push origin topic"]
      |                                    ^^^^^^^^^^^^^^^^^^^^^^^
    hint: `checkrein explain COMMAND` shows what a command does, in the words of rules

    .checkrein.toml:9:34: rule[0].free[1]: the rule is about `git -C . push -q origin HEAD:refs/heads/main`, which should be free
    9 | free = ["git push origin topic", "git -C . push -q origin HEAD:refs/heads/main", "echo git push origin …
      |                                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    hint: `checkrein explain COMMAND` shows what a command does, in the words of rules
    "#);
}

#[test]
fn rules_and_their_examples_are_not_endless() {
    let rule_with = |id: usize, more: &str| {
        format!("[[rule]]\nid = \"r{id}\"\ndoes = \"delete\"\ndecision = \"ask\"\nreason = \"x\"\n{more}\n")
    };
    let many: String = (0..501).map(|id| rule_with(id, "")).collect();
    assert_snapshot!(rule(&many).first().one_line(), @".checkrein.toml:1:3: rule: 501 times `[[rule]]`, and a file may have 500");
    let long = rule_with(0, &format!("free = [\"{}\", \"ls\", \"ls\"]", "x".repeat(64 * 1024)));
    assert_snapshot!(rule(&long), @r#"
    .checkrein.toml:6:65549: rule[0].free[1]: the examples of a file may have 65536 bytes together
    6 | …xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "ls", "ls"]
      |                                                                                            ^^^^
    hint: longer ones belong in a `*.test.toml`
    "#);
}

#[test]
fn exceptions_and_grants() {
    assert_snapshot!(problems(
        r#"exceptions = "refuse"

[[allow]]
rules = ["git.force-puhs", "*", "protection.ourselves", "managed.a"]
directory = "work"
until = "soon"

[[allow]]
rule = "git.*"
reason = " "
until = 2027-01-31

[[grant]]
programs = ["*", "ls"]
does = ["reads", "opaque"]
zone = "unknown"

[[grant]]
does = "read"
"#
    ), @r#"
    hooks.toml:1:1: exceptions: only the managed and the user's layer decide about exceptions of others
    1 | exceptions = "refuse"
      | ^^^^^^^^^^

    hooks.toml:3:1: allow[0]: an exception needs `reason`
    3 | [[allow]]
      | ^^^^^^^^^
    hint: for example `reason = "the fixtures hold no real keys"`

    hooks.toml:4:10: allow[0].rules: there is no rule `git.force-puhs`
    4 | rules = ["git.force-puhs", "*", "protection.ourselves", "managed.a"]
      |          ^^^^^^^^^^^^^^^^
    hint: did you mean `git.force-push`?

    hooks.toml:4:28: allow[0].rules: `*` names no rules
    4 | rules = ["git.force-puhs", "*", "protection.ourselves", "managed.a"]
      |                            ^^^
    hint: name a rule, such as `git.force-push`, or a pack, such as `secrets.*`

    hooks.toml:4:33: allow[0].rules: there are no exceptions to `protection`
    4 | rules = ["git.force-puhs", "*", "protection.ourselves", "managed.a"]
      |                                 ^^^^^^^^^^^^^^^^^^^^^^

    hooks.toml:4:57: allow[0].rules: only the managed layer makes exceptions to its rules
    4 | rules = ["git.force-puhs", "*", "protection.ourselves", "managed.a"]
      |                                                         ^^^^^^^^^^^

    hooks.toml:5:13: allow[0].directory: `work` is no folder below which something can be excused
    5 | directory = "work"
      |             ^^^^^^
    hint: write a whole path without patterns, such as `~/work/shop`

    hooks.toml:6:9: allow[0].until: `soon` is no day
    6 | until = "soon"
      |         ^^^^^^
    hint: for example `2027-01-31`, or `never`

    hooks.toml:9:1: allow[1].rule: unknown key `rule`
    9 | rule = "git.*"
      | ^^^^
    hint: did you mean `rules`?

    hooks.toml:10:10: allow[1].reason: the text is empty
    10 | reason = " "
       |          ^^^

    hooks.toml:11:9: allow[1].until: expected a string, found a date
    11 | until = 2027-01-31
       |         ^^^^^^^^^^

    hooks.toml:14:13: grant[0].programs: `*` does not begin with the name of a program
    14 | programs = ["*", "ls"]
       |             ^^^
    hint: name each program, such as `git log *`

    hooks.toml:15:9: grant[0].does: unknown effect `reads`
    15 | does = ["reads", "opaque"]
       |         ^^^^^^^
    hint: did you mean `read`?

    hooks.toml:15:18: grant[0].does: what is not known before it runs cannot be granted
    15 | does = ["reads", "opaque"]
       |                  ^^^^^^^^

    hooks.toml:16:8: grant[0].zone: a place that is not known cannot be granted
    16 | zone = "unknown"
       |        ^^^^^^^^^

    hooks.toml:18:1: grant[1]: a grant needs `programs`
    18 | [[grant]]
       | ^^^^^^^^^
    hint: for example `programs = ["git status", "git log *"]`
    "#);
    let project = |text| Config::parse_as(Layer::Project, text, ".checkrein.toml".as_ref()).unwrap_err();
    assert_snapshot!(project("allow = []\ngrant = []\nexceptions = \"accept\"\n"), @r#"
    .checkrein.toml:1:1: allow: a project cannot make exceptions; write it into your own file
    1 | allow = []
      | ^^^^^

    .checkrein.toml:2:1: grant: a project cannot grant permissions
    2 | grant = []
      | ^^^^^

    .checkrein.toml:3:1: exceptions: only the managed and the user's layer decide about exceptions of others
    3 | exceptions = "accept"
      | ^^^^^^^^^^
    "#);
}
