//! `checkrein check`, for people and for programs.

use crate::Place;
use insta::assert_snapshot;

const HOOKS: &str = r#"
[[hook]]
event = "PreToolUse"
name = "judge"
role = "judge"
command = '''case "$(cat)" in *delete*) echo "not this" >&2; exit 2;; *publish*) echo '{"decision":"ask","reason":"sure?"}';; esac'''
"#;

fn timeless(text: &str) -> String {
    text.lines()
        .map(|line| match (line.find("\"micros\":"), line.split_once(" µs")) {
            (Some(at), _) => format!("{}\"micros\":[time]}}\n", &line[..at]),
            (None, Some((before, _))) => {
                format!("{}[time]\n", before.trim_end_matches(|c: char| c.is_ascii_digit()))
            }
            (None, None) => format!("{line}\n"),
        })
        .collect()
}

fn check(arguments: &[&str], stdin: &str) -> String {
    let mut all = vec!["check", "--config", "hooks.toml"];
    all.extend(arguments);
    timeless(&Place::with(HOOKS).run(&all, stdin))
}

#[test]
fn the_exit_code_is_the_decision() {
    assert_snapshot!(check(&["list", "it"], ""), @"");
    assert_snapshot!(check(&["publish", "it"], ""), @"");
    assert_snapshot!(check(&["delete", "-rf", "it"], ""), @"");
    assert_snapshot!(check(&[], ""), @"");
    assert_snapshot!(check(&["--frob"], ""), @"");
    assert_snapshot!(check(&["--cwd", "nowhere", "ls"], ""), @"");
}

#[test]
fn json() {
    assert_snapshot!(check(&["--json", "delete it"], ""), @"");
    assert_snapshot!(check(&["--json", "--tool", "Write", "--input", r#"{"file_path":"delete"}"#], ""), @"");
    assert_snapshot!(check(&["--tool", "Write", "--input", "[]"], ""), @"");
}

#[test]
fn batch_answers_every_line_in_order() {
    let lines = r#"{"id":1,"command":"list"}
{"id":"two","command":"delete"}
not json

{"id":4}
{"id":5,"command":7}
{"id":6,"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"publish"}}
{"id":7,"hook_event_name":"Nope"}
{"id":8,"hook_event_name":"Stop"}"#;
    assert_snapshot!(check(&["--batch"], lines), @"");
}

#[test]
fn a_broken_configuration_answers_as_it_would_answer_an_agent() {
    let place = Place::with("[[hook]]\nevent = \"PreToolUse\"\ncomand = \"true\"\n");
    assert_snapshot!(timeless(&place.run(&["check", "--config", "hooks.toml", "ls"], "")), @"");
    assert_snapshot!(timeless(&place.run(&["check", "--config", "hooks.toml", "--batch"], r#"{"command":"ls"}"#)), @"");
}

#[test]
fn help() {
    let place = Place::new();
    assert_snapshot!(place.run(&["--help"], ""), @"");
    assert_snapshot!(place.run(&["check", "--help"], ""), @"");
    assert_snapshot!(place.run(&["hook", "--help"], ""), @"");
    assert_snapshot!(place.run(&["frob"], ""), @"");
    assert_snapshot!(place.run(&[], ""), @"");
}
