//! The presentation of problems: the place, the line around it, and an end to the list.

use crate::{problems, with};
use checkrein::ConfigError;
use insta::assert_snapshot;

#[test]
fn what_is_shown_cannot_act_on_a_terminal() {
    assert_snapshot!(problems("\t\"ev\\u001b[2Jent\" = \"\u{202e}\"\r\n"), @r#"
    hooks.toml:1:2: unknown key `ev\u{1b}[2Jent`
    1 |  "ev\u001b[2Jent" = "�"
      |  ^^^^^^^^^^^^^^^^
    hint: expected `disable`, `untrusted`, `python`, `exceptions`, `secrets`, `mcp`, `trail`, `trail_sync`, `trail_days`, `trail_megabytes`, `unattended`, `greeting`, `monitor`, `notify`, `undo`, `learn`, `rewrite`, `replace`, `trailer`, `hook`, `rule`, `grade`, `exception` or `allow`
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
    hooks.toml:4:27: hook[0].match.tool: `é|b` contains `|`; write a list of names, or `/é|b/` for a regular expression
    4 | match = { tool = ["né…日", "é|b"] }
      |                           ^^^^^
    "#);
}

#[test]
fn there_is_an_end_to_the_list() {
    let problems = problems(&"[[hook]]\n".repeat(100_000));
    assert!(problems.is_cut());
    assert_eq!(problems.iter().count(), ConfigError::MOST);
    assert!(problems.to_string().ends_with("\n\nthere may be more problems after these 100"));
}

#[test]
fn one_line() {
    assert_snapshot!(with("role = \"judg\"").one_line(), @r#"
    hooks.toml:4:8: hook[0].role: unknown role `judg`, expected `edit`, `judge` or `observe` (did you mean `judge`?)
    "#);
    assert_snapshot!(problems("[[hook]]\n").one_line(), @r#"
    hooks.toml:1:1: hook[0]: a hook needs `event` (for example `event = "PreToolUse"`); and 1 more problem
    "#);
    assert_snapshot!(problems("[[hook]]\nx = 1\n").one_line(), @r#"
    hooks.toml:1:1: hook[0]: a hook needs `event` (for example `event = "PreToolUse"`); and 2 more problems
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
