//! The list of hooks in JSON, which knows less than TOML does.

use checkrein::{Config, ConfigError};
use insta::assert_snapshot;

fn in_list(entry: &str) -> ConfigError {
    Config::parse(&format!("[\n  {entry}\n]\n"), "hooks.json".as_ref()).unwrap_err()
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
    hooks.json:2:3: [0]: a hook needs `event`
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
    hooks.json:2:3: [0]: a hook needs `event`
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
    hooks.json:2:33: not valid JSON: duplicate key `event`
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
