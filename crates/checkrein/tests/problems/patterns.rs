//! The tools that a hook is about.

use crate::with;
use insta::assert_snapshot;

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
    hooks.toml:4:18: hook[0].match.tool: `Edit|Write` contains `|`; write a list of names, or `/Edit|Write/` for a regular expression
    4 | match = { tool = "Edit|Write" }
      |                  ^^^^^^^^^^^^
    "#);
    assert_snapshot!(with("match = { tool = [\"/(/\", \"*Edit\"], except = \"\" }"), @r#"
    hooks.toml:4:19: hook[0].match.tool: `/(/` is not a regular expression: found open group without closing ')'
    4 | match = { tool = ["/(/", "*Edit"], except = "" }
      |                   ^^^^^

    hooks.toml:4:26: hook[0].match.tool: `*Edit` contains `*` before its end; write `/…/` for a regular expression
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
