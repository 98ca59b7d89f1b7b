//! The file as a whole: all mistakes at once, text that is not TOML, and the keys at its top.

use crate::problems;
use insta::assert_snapshot;

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
    hint: did you mean `rewrite`?

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

    hooks.toml:6:37: hook[0].match.except: `Edit|Write` contains `|`; write a list of names, or `/Edit|Write/` for a regular expression
    6 | match = { tools = "Bash", except = ["Edit|Write", "kind:shel"] }
      |                                     ^^^^^^^^^^^^

    hooks.toml:6:51: hook[0].match.except: unknown kind of tool `shel`, did you mean `shell`?
    6 | match = { tools = "Bash", except = ["Edit|Write", "kind:shel"] }
      |                                                   ^^^^^^^^^^^

    hooks.toml:8:1: hook[1]: a hook needs `event`
    8 | [[hook]]
      | ^^^^^^^^
    hint: for example `event = "PreToolUse"`

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
    hint: write `[[hook]]`, and its keys below it
    "#);
    assert_snapshot!(problems("hook = 1\n"), @r#"
    hooks.toml:1:1: hook: expected a list of tables, found a number
    1 | hook = 1
      | ^^^^
    hint: write `[[hook]]`, and its keys below it
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
    hint: write `[[hook]]`, and its keys below it
    "#);
}
