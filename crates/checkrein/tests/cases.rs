//! Policy tests: what a test file may say, and what passes.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein::{
    Decision, Dispatcher, Edit, Entry, Failure, Hook, Payload, Retry, Verdict,
    cases::{Case, Difference, TestFile},
    hook_fn,
};
use insta::assert_snapshot;
use proptest::prelude::*;
use serde_json::json;

fn parse(text: &str) -> TestFile {
    TestFile::parse(text, "/p/a.test.toml".as_ref()).unwrap_or_else(|problems| panic!("{problems}"))
}

fn problems(text: &str) -> String {
    TestFile::parse(text, "a.test.toml".as_ref()).unwrap_err().to_string()
}

fn case(lines: &str) -> Case {
    parse(&format!("[[case]]\n{lines}\n")).cases()[0].clone()
}

#[test]
fn three_ways_to_ask() {
    let file = parse(
        r#"
config = "sub/hooks.toml"

[[case]]
command = "ls -l"
cwd = "src"
expect = "abstain"

[[case]]
name = "a tool"
tool = "Read"
input = { file_path = "a", limit = 9007199254740993, ratio = 1.0, list = [{ on = true }] }
expect = "ask"

[[case]]
expect = "deny"
[case.payload]
hook_event_name = "PostToolUse"
session_id = "s"
cwd = "/elsewhere"
tool_name = "Bash"
tool_response = { stdout = "x" }
"#,
    );
    assert_eq!(file.config(), Some("/p/sub/hooks.toml".as_ref()));
    let [command, tool, payload] = file.cases() else { panic!("three cases") };
    assert_eq!((command.name.as_str(), command.line), ("ls -l", 4));
    assert_eq!(command.payload.session.cwd.as_deref(), Some("/p/src"));
    let call = command.payload.event.call().unwrap();
    assert_eq!((call.name.as_str(), call.text("command")), ("Bash", Some("ls -l")));
    assert_eq!((tool.name.as_str(), tool.line, tool.expected.decision), ("a tool", 9, Decision::Ask));
    assert_eq!(tool.payload.session.cwd.as_deref(), Some("/p"));
    let input = serde_json::Value::Object(tool.payload.event.call().unwrap().input.clone());
    let expected =
        json!({"file_path": "a", "limit": 9_007_199_254_740_993_i64, "ratio": 1.0, "list": [{"on": true}]});
    assert_eq!(input, expected);
    assert_eq!((payload.name.as_str(), payload.line), ("PostToolUse", 15));
    assert_eq!(payload.payload.session.cwd.as_deref(), Some("/elsewhere"));
    assert_eq!(payload.payload.event.output().unwrap().text(), "x");
}

#[test]
fn a_directory_of_ours_is_about_the_project_around_it() {
    for (path, directory) in [
        ("/p/a.test.toml", "/p"),
        ("/p/.checkrein/a.test.toml", "/p"),
        ("/p/.checkrein/deep/er/a.test.toml", "/p"),
        ("/p/checkrein/a.test.toml", "/p/checkrein"),
    ] {
        let text = "config = \"c.toml\"\n[[case]]\ncommand = \"a\"\nexpect = \"deny\"\n";
        let file = TestFile::parse(text, path.as_ref()).unwrap();
        assert_eq!(file.directory(), std::path::Path::new(directory));
        assert_eq!(file.config(), Some(std::path::Path::new(path).with_file_name("c.toml").as_path()));
        assert_eq!(file.cases()[0].payload.session.cwd.as_deref(), Some(directory));
    }
}

#[test]
fn all_mistakes_at_once() {
    assert_snapshot!(problems(
        r#"confg = "hooks.toml"

[[case]]
comand = "ls"
expect = "dney"

[[case]]
command = "ls"
input = { a = 1 }
reason = ["", 3]

[[case]]
tool = "Read"
input = { since = 1979-05-27, size = inf }
expect = "abstain"

[[case]]
expect = "ask"

[[case]]
input = {}
expect = "ask"

[[case]]
payload = { tool_name = "Bash" }
command = "ls"
expect = "deny"

[[case]]
payload = { hook_event_name = "PreToolUse" }
expect = "deny"

[[case]]
payload = { hook_event_name = "Stop" }
expect = "abstain"
rewritten = "x"

[[case]]
command = "ls"
expect = "abstain"
rewritten = "ls -l"

[[case]]
command = "ls"
expect = "deny"
rewritten = { command = "ls -l" }

[[case]]
command = "ls"
expect = "deny"
retry = "yes"
stop = true
"#
    ), @r#"
    a.test.toml:1:1: unknown key `confg`
    1 | confg = "hooks.toml"
      | ^^^^^
    hint: did you mean `config`?

    a.test.toml:4:1: case[0].comand: unknown key `comand`
    4 | comand = "ls"
      | ^^^^^^
    hint: did you mean `command`?

    a.test.toml:5:10: case[0].expect: unknown decision `dney`, expected `abstain`, `allow`, `ask` or `deny`
    5 | expect = "dney"
      |          ^^^^^^
    hint: did you mean `deny`?

    a.test.toml:7:1: case[1]: a case needs `expect`
    7 | [[case]]
      | ^^^^^^^^
    hint: for example `expect = "deny"`

    a.test.toml:9:9: case[1].input: a case has a `command` or an `input`, not both
    9 | input = { a = 1 }
      |         ^^^^^^^^^

    a.test.toml:10:15: case[1].reason[1]: expected a string, found a number
    10 | reason = ["", 3]
       |               ^

    a.test.toml:14:19: case[2].input: JSON does not have a date; write a string
    14 | input = { since = 1979-05-27, size = inf }
       |                   ^^^^^^^^^^

    a.test.toml:14:38: case[2].input: `inf` is a number that JSON does not have
    14 | input = { since = 1979-05-27, size = inf }
       |                                      ^^^

    a.test.toml:17:1: case[3]: a case needs a `command`, a `tool` or a `payload`
    17 | [[case]]
       | ^^^^^^^^

    a.test.toml:20:1: case[4]: an `input` needs the `tool` that it is for
    20 | [[case]]
       | ^^^^^^^^

    a.test.toml:25:11: case[5].payload: a payload needs a `hook_event_name`
    25 | payload = { tool_name = "Bash" }
       |           ^^^^^^^^^^^^^^^^^^^^^^
    hint: for example `hook_event_name = "Stop"`

    a.test.toml:26:11: case[5].command: `command` cannot be used together with `payload`
    26 | command = "ls"
       |           ^^^^

    a.test.toml:30:11: case[6].payload: `PreToolUse` needs the field `tool_name`
    30 | payload = { hook_event_name = "PreToolUse" }
       |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

    a.test.toml:36:13: case[7].rewritten: `Stop` has no text that could be rewritten
    36 | rewritten = "x"
       |             ^^^

    a.test.toml:41:13: case[8].rewritten: `PreToolUse` has no text that could be rewritten
    41 | rewritten = "ls -l"
       |             ^^^^^^^

    a.test.toml:46:13: case[9].rewritten: a denial cannot have a rewrite
    46 | rewritten = { command = "ls -l" }
       |             ^^^^^^^^^^^^^^^^^^^^^

    a.test.toml:51:9: case[10].retry: expected `true`, or a table of the arguments to change, found a string
    51 | retry = "yes"
       |         ^^^^^

    a.test.toml:52:8: case[10].stop: expected a string, found a boolean
    52 | stop = true
       |        ^^^^
    "#);
}

#[test]
fn mistakes_of_the_file_as_a_whole() {
    assert_snapshot!(problems("[[case]\n"), @"
    a.test.toml:1:8: not valid TOML: unclosed array table, expected `]`
    1 | [[case]
      |        ^
    ");
    assert_snapshot!(problems("case = 1\n"), @"
    a.test.toml:1:1: case: expected a list of tables, found a number
    1 | case = 1
      | ^^^^
    hint: write `[[case]]`, and its keys below it
    ");
    assert_snapshot!(problems("case = [1]\n"), @"
    a.test.toml:1:9: case[0]: expected a table, found a number
    1 | case = [1]
      |         ^
    ");
    assert_snapshot!(problems("# nothing yet\n"), @"a.test.toml: there is no `[[case]]` in the test file");
    let directory = tempfile::tempdir().unwrap();
    let unread = |name: &str| {
        let problems = TestFile::load(&directory.path().join(name)).unwrap_err().to_string();
        problems.replace(directory.path().to_str().unwrap(), "[directory]")
    };
    assert_snapshot!(unread("a.test.toml"), @"[directory]/a.test.toml: the test file does not exist");
    assert_snapshot!(unread("."), @"[directory]/.: expected a test file, found a directory");
    std::fs::write(directory.path().join("b.test.toml"), b"name = '\xff'").unwrap();
    assert_snapshot!(unread("b.test.toml"), @"[directory]/b.test.toml: the text is not UTF-8");
}

#[test]
fn a_hostile_text_costs_no_more_than_an_honest_one() {
    let mistakes = "[[case]]\nx = 1\n".repeat(50_000);
    assert!(problems(&mistakes).ends_with("there may be more problems after these 100"));
    let cases = "[[case]]\ncommand = \"ls\"\nexpect = \"deny\"\n".repeat(50_000);
    assert_eq!(parse(&cases).cases()[49_999].line, 149_998);
}

fn ask(case: &Case, hook: impl Hook + 'static) -> Vec<Difference> {
    let mut dispatcher = Dispatcher::new();
    dispatcher.add(Entry::new(case.payload.name(), hook));
    case.expected.compare(&dispatcher.decide(case.payload.clone()))
}

/// The differences when a hook named `h` answers so.
fn differences(lines: &str, verdict: &Verdict) -> Vec<(&'static str, String, String)> {
    let verdict = verdict.clone();
    let hook = hook_fn("h", move |_: &Payload| verdict.clone());
    let tuple = |Difference { field, expected, found }| (field, expected, found);
    ask(&case(lines), hook).into_iter().map(tuple).collect()
}

const COMMAND: &str = "command = \"ls\"\n";
const FAILED: &str =
    "payload = { hook_event_name = \"PostToolUseFailure\", tool_name = \"Bash\", error = \"no\" }\n";

fn input(command: &str) -> Edit {
    Edit::Input(json!({"command": command}).as_object().unwrap().clone())
}

#[test]
fn what_passes() {
    for (question, expected, verdict) in [
        (COMMAND, "expect = 'abstain'", Verdict::abstain()),
        (COMMAND, "expect = 'abstain'", Verdict::allow().with_reason("fine").with_context("told")),
        (COMMAND, "expect = 'ask'", Verdict::ask("sure?")),
        (COMMAND, "expect = 'ask'\nreason = ['sure', 'h: ', '?']", Verdict::ask("sure?")),
        (COMMAND, "expect = 'deny'\nreason = 'blocked by hook `h`'", Verdict::deny("")),
        (COMMAND, "expect = 'abstain'\ncontext = 'told'", Verdict::abstain().with_context("you were told")),
        (COMMAND, "expect = 'abstain'\nrewritten = { command = 'ls -l' }", Verdict::edit(input("ls -l"))),
        // Nothing of a call that will not run is changed.
        (COMMAND, "expect = 'deny'", Verdict { edit: Some(input("ls -l")), ..Verdict::deny("no") }),
        (COMMAND, "expect = 'abstain'\nstop = 'enough'", Verdict::abstain().with_stop("it is enough")),
        (
            FAILED,
            "expect = 'abstain'\nretry = true",
            Verdict { retry: Some(Retry::Same), ..Verdict::abstain() },
        ),
        (FAILED, "expect = 'abstain'\nrewritten = ''", Verdict::edit(Edit::Output("".into()))),
    ] {
        assert_eq!(differences(&format!("{question}{expected}"), &verdict), [], "{expected}");
    }
}

#[test]
fn what_fails() {
    let text = |differences: Vec<(&str, String, String)>| {
        differences
            .into_iter()
            .map(|(field, expected, found)| format!("{field}: {expected} | {found}\n"))
            .collect::<String>()
    };
    let differ = |question: &str, expected: &str, verdict: &Verdict| {
        text(differences(&format!("{question}{expected}"), verdict))
    };
    let deny = Verdict::deny("not this");
    assert_snapshot!(differ(COMMAND, "expect = 'abstain'", &deny), @"expect: abstain | deny (h: not this)");
    assert_snapshot!(differ(COMMAND, "expect = 'deny'", &Verdict::abstain()), @"expect: deny | abstain");
    assert_snapshot!(differ(COMMAND, "expect = 'allow'", &Verdict::allow()), @"expect: allow | abstain");
    assert_snapshot!(differ(COMMAND, "expect = 'deny'\nreason = ['not', 'that']", &deny), @"reason: … that … | h: not this");
    assert_snapshot!(differ(COMMAND, "expect = 'abstain'\ncontext = 'a'", &Verdict::abstain()), @"context: … a … | nothing");
    assert_snapshot!(differ(COMMAND, "expect = 'abstain'", &Verdict::edit(input("rm"))), @r#"rewritten: unchanged | {"command":"rm"}"#);
    assert_snapshot!(differ(COMMAND, "expect = 'abstain'\nrewritten = { command = 'ls' }", &Verdict::abstain()), @r#"rewritten: {"command":"ls"} | unchanged"#);
    assert_snapshot!(differ(COMMAND, "expect = 'abstain'\nrewritten = { command = 'ls' }", &Verdict::edit(input("rm"))), @r#"rewritten: {"command":"ls"} | {"command":"rm"}"#);
    assert_snapshot!(differ(FAILED, "expect = 'abstain'", &Verdict::edit(Edit::Output("yes".into()))), @r#"rewritten: unchanged | "yes""#);
    assert_snapshot!(differ(COMMAND, "expect = 'abstain'", &Verdict::abstain().with_stop("enough")), @"stop: nothing | h: enough");
    assert_snapshot!(differ(COMMAND, "expect = 'abstain'\nstop = 'enough'", &Verdict::abstain()), @"stop: … enough … | nothing");
    let again = Verdict { retry: Some(Retry::Same), ..Verdict::abstain() };
    assert_snapshot!(differ(FAILED, "expect = 'abstain'", &again), @"retry: no | yes");
    assert_snapshot!(differ(FAILED, "expect = 'abstain'\nretry = { command = 'a' }", &again), @r#"retry: {"command":"a"} | yes"#);
    assert_snapshot!(differ(FAILED, "expect = 'abstain'\nretry = true", &Verdict::abstain()), @"retry: yes | no");
}

#[test]
fn a_rewrite_that_a_denial_makes_void_is_none() {
    let case = case("command = 'ls'\nexpect = 'deny'");
    let mut dispatcher = Dispatcher::new();
    let editor = hook_fn("editor", |_: &Payload| Verdict::edit(input("ls -l")));
    dispatcher.add(Entry::new(case.payload.name(), editor));
    dispatcher.add(Entry::new(case.payload.name(), hook_fn("judge", |_: &Payload| Verdict::deny("no"))));
    assert_eq!(case.expected.compare(&dispatcher.decide(case.payload.clone())), []);
}

#[test]
fn a_denial_by_failure_is_not_the_denial_that_was_expected() {
    let broken = || {
        hook_fn("h", |_: &Payload| -> Result<Verdict, Failure> { Err(Failure::Other("no such file".into())) })
    };
    let [difference] = &ask(&case("command = 'ls'\nexpect = 'deny'"), broken())[..] else { panic!("one") };
    assert_eq!((difference.field, difference.expected.as_str()), ("failure", "nothing"));
    assert_eq!(difference.found, "h: no such file");
    assert_eq!(ask(&case("command = 'ls'\nexpect = 'deny'\nfailure = 'no such'"), broken()), []);
    let fine = || hook_fn("h", |_: &Payload| Verdict::deny("no"));
    let [difference] = &ask(&case("command = 'ls'\nexpect = 'deny'\nfailure = 'no such'"), fine())[..] else {
        panic!("one")
    };
    assert_eq!((difference.field, difference.found.as_str()), ("failure", "nothing"));
}

proptest! {
    /// Any file results in cases or in mistakes, and each mistake has a place in the text.
    #[test]
    fn no_text_is_too_strange(lines in prop::collection::vec(
        prop_oneof![
            Just("[[case]]".to_owned()),
            Just("[case.payload]".to_owned()),
            "(config|case|name|command|tool|cwd|expect|reason|stop|failure) = (\"deny\"|'ask'|\"\"|\\[\\]|1)",
            "(input|payload|rewritten|retry) = (\\{ ?\\}|\\{ a = (1e9|-0x1|nan|1979-05-27) \\}|true|'x')",
            "hook_event_name = '(Stop|PreToolUse|x)'",
            "\\PC{0,20}",
        ],
        0..12,
    )) {
        let text = lines.join("\n");
        if let Err(problems) = TestFile::parse(&text, "a.test.toml".as_ref()) {
            let count = text.lines().count() + 1;
            prop_assert!(problems.iter().all(|problem| problem.line().is_none_or(|line| line <= count)));
            prop_assert!(!problems.to_string().is_empty());
        }
    }
}
