//! `checkrein test`: policies that are tested like programs.

use crate::Place;
use insta::assert_snapshot;
use std::{fs, os::unix::fs::PermissionsExt, path::Path};

const HOOKS: &str = r#"
[[hook]]
event = "PreToolUse"
name = "judge"
match = { tool = "kind:shell" }
command = '''case "$(cat)" in *delete*) echo "not this" >&2; exit 2;; *publish*) echo '{"decision":"ask","reason":"sure?"}';; esac'''

[[hook]]
event = "PreToolUse"
name = "dry-run"
role = "edit"
command = '''case "$(cat)" in *make*) echo '{"rewrite_args":{"command":"make -n"},"context":"it is a dry run"}';; esac'''
"#;

const PASSING: &str = r#"
[[case]]
command = "ls"
expect = "abstain"

[[case]]
name = "nothing is deleted"
command = "delete it"
expect = "deny"
reason = "judge: not this"

[[case]]
name = "what is published is confirmed"
tool = "shell"
input = { command = "publish it" }
expect = "ask"

[[case]]
command = "make all"
expect = "abstain"
rewritten = { command = "make -n" }
context = "dry run"

[[case]]
payload = { hook_event_name = "UserPromptSubmit", prompt = "delete it" }
expect = "abstain"
"#;

fn with(file: &str, text: &str) -> Place {
    let place = Place::with(HOOKS);
    write(&place, file, text);
    place
}

fn write(place: &Place, file: &str, text: &str) {
    let file = place.path(file);
    fs::create_dir_all(file.parent().unwrap_or(Path::new("."))).unwrap();
    fs::write(file, text).unwrap();
}

fn own(cases: &str) -> String {
    format!("config = \"hooks.toml\"\n{cases}")
}

#[test]
fn everything_passes() {
    let place = with("policy.test.toml", &own(PASSING));
    assert_snapshot!(place.run(&["test", "policy.test.toml"], ""), @"
    --- stdout
    5 passed, 0 failed
    --- exit 0
    ");
    // A directory means every test file below it.
    assert_snapshot!(place.run(&["test", "."], ""), @"
    --- stdout
    5 passed, 0 failed
    --- exit 0
    ");
}

const FAILING: &str = r#"
[[case]]
name = "passes"
command = "ls"
expect = "abstain"

[[case]]
name = "is too strict"
command = "delete it"
expect = "ask"
reason = ["judge", "sure?"]

[[case]]
command = "make all"
expect = "abstain"

[[case]]
name = "is rewritten otherwise\u001b[31m"
command = "make all"
expect = "abstain"
rewritten = { command = "make --dry-run" }
context = "on a dry run"
"#;

#[test]
fn a_failure_is_shown_next_to_the_expectation() {
    let place = with("policy.test.toml", &own(FAILING));
    assert_snapshot!(place.run(&["test", "policy.test.toml"], ""), @r#"
    --- stdout
    failed  policy.test.toml:8: is too strict
      expect
        expected  ask
        found     deny (judge: not this)
      reason
        expected  … sure? …
        found     judge: not this
    failed  policy.test.toml:14: make all
      rewritten
        expected  unchanged
        found     {"command":"make -n"}
    failed  policy.test.toml:18: is rewritten otherwise\u{1b}[31m
      context
        expected  … on a dry run …
        found     dry-run: it is a dry run
      rewritten
        expected  {"command":"make --dry-run"}
        found     {"command":"make -n"}
    1 passed, 3 failed
    --- exit 1
    "#);
    assert_snapshot!(place.run(&["test", "--json", "policy.test.toml"], ""), @r#"
    --- stdout
    {"passed":1,"failed":3,"cases":[{"file":"policy.test.toml","line":3,"name":"passes","passed":true,"differences":[]},{"file":"policy.test.toml","line":8,"name":"is too strict","passed":false,"differences":[{"field":"expect","expected":"ask","found":"deny (judge: not this)"},{"field":"reason","expected":"… sure? …","found":"judge: not this"}]},{"file":"policy.test.toml","line":14,"name":"make all","passed":false,"differences":[{"field":"rewritten","expected":"unchanged","found":"{\"command\":\"make -n\"}"}]},{"file":"policy.test.toml","line":18,"name":"is rewritten otherwise\u001b[31m","passed":false,"differences":[{"field":"context","expected":"… on a dry run …","found":"dry-run: it is a dry run"},{"field":"rewritten","expected":"{\"command\":\"make --dry-run\"}","found":"{\"command\":\"make -n\"}"}]}]}
    --- exit 1
    "#);
}

#[test]
fn a_hook_that_fails_fails_the_case() {
    let place = Place::with("[[hook]]\nevent = \"PreToolUse\"\nname = \"gone\"\ncommand = [\"./gone.sh\"]\n");
    write(&place, "a.test.toml", &own("[[case]]\ncommand = \"ls\"\nexpect = \"deny\"\n"));
    assert_snapshot!(place.run(&["test", "a.test.toml"], ""), @"
    --- stdout
    failed  a.test.toml:2: ls
      failure
        expected  nothing
        found     gone: cannot start: `[directory]/./gone.sh` does not exist
    0 passed, 1 failed
    --- exit 1
    ");
}

#[test]
fn a_broken_test_file_does_not_pass() {
    let place = with("a.test.toml", "[[case]]\ncommand = \"ls\"\nexpect = \"denny\"\n");
    write(&place, "b.test.toml", "[[cases]]\n");
    write(&place, "c.test.toml", &own(PASSING));
    assert_snapshot!(place.run(&["test", "."], ""), @r#"
    --- stderr
    checkrein: a test file is broken
    ./a.test.toml:3:10: case[0].expect: unknown decision `denny`, expected `abstain`, `allow`, `ask` or `deny`
    3 | expect = "denny"
      |          ^^^^^^^
    hint: did you mean `deny`?

    ./b.test.toml:1:3: unknown key `cases`
    1 | [[cases]]
      |   ^^^^^
    hint: did you mean `case`?
    --- exit 3
    "#);
    assert_snapshot!(place.run(&["test", "gone.test.toml"], ""), @"
    --- stderr
    checkrein: a test file is broken
    gone.test.toml: the test file does not exist
    --- exit 3
    ");
    write(&place, "empty/readme", "");
    assert_snapshot!(place.run(&["test", "empty"], ""), @"
    --- stderr
    checkrein: there is no `*.test.toml` file below `empty`
    --- exit 3
    ");
}

#[test]
fn a_broken_configuration_is_not_a_denial() {
    let place = with("a.test.toml", &own("[[case]]\ncommand = \"ls\"\nexpect = \"deny\"\n"));
    fs::write(place.path("hooks.toml"), "[[hook]]\nevent = \"Stopp\"\ncommand = \"true\"\n").unwrap();
    assert_snapshot!(place.run(&["test", "a.test.toml"], ""), @r#"
    --- stderr
    checkrein: the configuration is broken
    hooks.toml:2:9: hook[0].event: unknown event `Stopp`
    2 | event = "Stopp"
      |         ^^^^^^^
    hint: did you mean `Stop`?
    --- exit 3
    "#);
    fs::remove_file(place.path("hooks.toml")).unwrap();
    assert_snapshot!(place.run(&["test", "a.test.toml"], ""), @"
    --- stderr
    checkrein: the configuration is broken
    hooks.toml: the configuration file does not exist
    --- exit 3
    ");
}

#[test]
fn by_default_the_tests_next_to_the_configuration_run() {
    let place = Place::with(HOOKS);
    assert_snapshot!(place.run(&["test", "--config", "hooks.toml"], ""), @r#"
    --- stderr
    checkrein: there is no `*.test.toml` file next to an active configuration file

    hint: write `policy.test.toml` next to the configuration, for example

        [[case]]
        name = "a force push is denied"
        command = "git push --force"
        expect = "deny"

    or name test files and directories: `checkrein test FILE`
    --- exit 3
    "#);
    write(&place, "policy.test.toml", PASSING);
    write(&place, "deeper/policy.test.toml", FAILING);
    assert_snapshot!(place.run(&["test", "--config", "hooks.toml"], ""), @"
    --- stdout
    5 passed, 0 failed
    --- exit 0
    ");
}

/// Runs in the directory, with a home in it.
fn at_home(place: &Place, arguments: &[&str]) -> String {
    let mut command = place.command(arguments);
    let output = command.env("HOME", place.path("home")).output().unwrap();
    crate::shown(&output, place.directory.path())
}

#[test]
fn the_tests_of_the_users_own_layer() {
    let place = Place::new();
    write(&place, "home/.config/checkrein/config.toml", HOOKS);
    write(&place, "home/.config/checkrein/policy.test.toml", PASSING);
    assert_snapshot!(at_home(&place, &["test"]), @"
    --- stdout
    5 passed, 0 failed
    --- exit 0
    ");
}

#[test]
fn an_untrusted_project_tests_nothing() {
    let place = Place::new();
    write(&place, ".checkrein.toml", HOOKS);
    write(&place, ".checkrein/policy.test.toml", "[[case]]\ncommand = \"ls\"\nexpect = \"abstain\"\n");
    assert_snapshot!(at_home(&place, &["test"]), @"
    --- stdout
    failed  .checkrein/policy.test.toml:1: ls
      hooks
        expected  all hooks can run
        found     hook `judge` of [directory]/.checkrein.toml is skipped: no user has trusted it; a user can look at it with `checkrein trust`
                  hook `dry-run` of [directory]/.checkrein.toml is skipped: no user has trusted it; a user can look at it with `checkrein trust`
    0 passed, 1 failed
    hint: `checkrein test --as-trusted` runs the project's hooks without trust, for CI
    --- exit 1
    ");
    // Nor does it run other hooks indirectly, unless a user names the file.
    write(&place, ".checkrein/hooks.toml", "[[hook]]\nevent = \"PreToolUse\"\ncommand = \"touch ran\"\n");
    write(&place, ".checkrein/detour.test.toml", &own("[[case]]\ncommand = \"ls\"\nexpect = \"abstain\"\n"));
    assert_snapshot!(at_home(&place, &["test"]), @"
    --- stderr
    checkrein: a test file is broken
    .checkrein/detour.test.toml: a test file of a project cannot set `config`, which chooses the hooks to run
    hint: remove `config`, or name the file: `checkrein test .checkrein/detour.test.toml`
    --- exit 3
    ");
    assert!(!place.path("ran").exists());
    assert_snapshot!(at_home(&place, &["test", ".checkrein/detour.test.toml"]), @"
    --- stdout
    1 passed, 0 failed
    --- exit 0
    ");
    assert!(place.path("ran").exists());
}

#[test]
fn a_repair_permit_makes_no_test_pass() {
    let place = Place::new();
    write(&place, "home/.local/state/checkrein/repair-until", "99999999999");
    let permit = place.path("home/.local/state/checkrein/repair-until");
    fs::set_permissions(permit, fs::Permissions::from_mode(0o600)).unwrap();
    write(&place, ".checkrein.toml", "[[hook]]\n");
    write(&place, "a.test.toml", "[[case]]\ncommand = \"ls\"\nexpect = \"abstain\"\n");
    let said = at_home(&place, &["test", "a.test.toml"]);
    assert!(said.starts_with("--- stderr\ncheckrein: the configuration is broken\n"), "{said}");
    assert!(said.ends_with("--- exit 3\n"), "{said}");
}

/// CI tests the hooks of the code that it checked out, and no user is there to trust them.
#[test]
fn ci_tests_a_project_as_if_it_were_trusted() {
    let home = crate::layers::Home::new();
    home.project("[[hook]]\nevent = \"PreToolUse\"\nname = \"no-ls\"\ncommand = \"grep -q '\\\"ls\\\"' && exit 2; exit 0\"\n");
    let tests = "[[case]]\ncommand = \"ls\"\nexpect = \"deny\"\n\n[[case]]\nname = \"<a> & \\\"b\\\"\"\ncommand = \"pwd\"\nexpect = \"deny\"\n";
    fs::write(home.place.path("project/policy.test.toml"), tests).unwrap();
    let said = home.run(&["test"], "");
    assert!(
        said.contains("0 passed, 2 failed") && said.contains("hint: `checkrein test --as-trusted`"),
        "{said}"
    );
    let report = home.place.path("report.xml");
    let said = home.run_apart(&["test", "--as-trusted", "--junit", report.to_str().unwrap()]);
    assert!(said.contains("1 passed, 1 failed"), "{said}");
    let report = fs::read_to_string(report).unwrap();
    assert!(report.contains("<testsuites tests=\"2\" failures=\"1\">"), "{report}");
    assert!(report.contains("name=\"&lt;a&gt; &amp; &quot;b&quot;\""), "{report}");
    // The trust was for that run.
    assert!(home.run(&["test"], "").contains("0 passed, 2 failed"));
    let state = home.place.path(".local/state/checkrein");
    let left = state.read_dir().map_or(0, |names| {
        names.flatten().filter(|name| name.file_name().to_string_lossy().starts_with("test-")).count()
    });
    assert_eq!(left, 0);
    // An agent does not run what no user has seen.
    let mut command = home.command(&["test", "--as-trusted"]);
    let output = command.env("CLAUDECODE", "1").output().unwrap();
    assert_eq!(output.status.code(), Some(3));
}
