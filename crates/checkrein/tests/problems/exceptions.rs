//! Exceptions and allow rules, and which layer may make them.

use crate::problems;
use checkrein::{Config, Layer};
use insta::assert_snapshot;

#[test]
fn exceptions_and_allow_rules() {
    assert_snapshot!(problems(
        r#"exceptions = "refuse"

[[exception]]
rules = ["git.force-puhs", "*", "protection.ourselves", "managed.a"]
directory = "work"
until = "soon"

[[exception]]
rule = "git.*"
reason = " "
until = 20270131

[[allow]]
programs = ["*", "ls"]
effect = ["reads", "opaque"]
zone = "unknown"

[[allow]]
effect = "read"
"#
    ), @r#"
    hooks.toml:1:1: exceptions: only the managed and the user's layer decide about exceptions of others
    1 | exceptions = "refuse"
      | ^^^^^^^^^^

    hooks.toml:3:1: exception[0]: an exception needs `reason`
    3 | [[exception]]
      | ^^^^^^^^^^^^^
    hint: for example `reason = "the keys of the fixtures open nothing"`

    hooks.toml:4:10: exception[0].rules: there is no rule `git.force-puhs`
    4 | rules = ["git.force-puhs", "*", "protection.ourselves", "managed.a"]
      |          ^^^^^^^^^^^^^^^^
    hint: did you mean `git.force-push`?

    hooks.toml:4:28: exception[0].rules: `*` names no rules
    4 | rules = ["git.force-puhs", "*", "protection.ourselves", "managed.a"]
      |                            ^^^
    hint: name a rule, such as `git.force-push`, or a pack, such as `secrets.*`

    hooks.toml:4:33: exception[0].rules: there are no exceptions to `protection`
    4 | rules = ["git.force-puhs", "*", "protection.ourselves", "managed.a"]
      |                                 ^^^^^^^^^^^^^^^^^^^^^^

    hooks.toml:4:57: exception[0].rules: only the managed layer makes exceptions to its rules
    4 | rules = ["git.force-puhs", "*", "protection.ourselves", "managed.a"]
      |                                                         ^^^^^^^^^^^

    hooks.toml:5:13: exception[0].directory: `work` is not a directory in which findings can be suppressed
    5 | directory = "work"
      |             ^^^^^^
    hint: write a whole path without patterns, such as `~/shop`

    hooks.toml:6:9: exception[0].until: `soon` is not a day
    6 | until = "soon"
      |         ^^^^^^
    hint: for example `2027-01-31`, or `never`

    hooks.toml:9:1: exception[1].rule: unknown key `rule`
    9 | rule = "git.*"
      | ^^^^
    hint: did you mean `rules`?

    hooks.toml:10:10: exception[1].reason: the text is empty
    10 | reason = " "
       |          ^^^

    hooks.toml:11:9: exception[1].until: expected a string, found a number
    11 | until = 20270131
       |         ^^^^^^^^

    hooks.toml:14:13: allow[0].programs: `*` does not begin with the name of a program
    14 | programs = ["*", "ls"]
       |             ^^^
    hint: name each program, such as `git log *`

    hooks.toml:15:11: allow[0].effect: unknown effect `reads`
    15 | effect = ["reads", "opaque"]
       |           ^^^^^^^
    hint: did you mean `read`?

    hooks.toml:15:20: allow[0].effect: what is not known before it runs cannot be allowed
    15 | effect = ["reads", "opaque"]
       |                    ^^^^^^^^

    hooks.toml:16:8: allow[0].zone: a place that is not known cannot be allowed
    16 | zone = "unknown"
       |        ^^^^^^^^^

    hooks.toml:18:1: allow[1]: an allow rule needs `programs`
    18 | [[allow]]
       | ^^^^^^^^^
    hint: for example `programs = ["ls *", "git status", "git log *"]`
    "#);
    let project = |text| Config::parse_as(Layer::Project, text, ".checkrein.toml".as_ref()).unwrap_err();
    assert_snapshot!(project("exception = []\nallow = []\nexceptions = \"accept\"\n"), @r#"
    .checkrein.toml:1:1: exception: a project cannot make exceptions; write it into your own file
    1 | exception = []
      | ^^^^^^^^^

    .checkrein.toml:2:1: allow: a project cannot grant permissions
    2 | allow = []
      | ^^^^^

    .checkrein.toml:3:1: exceptions: only the managed and the user's layer decide about exceptions of others
    3 | exceptions = "accept"
      | ^^^^^^^^^^
    "#);
}
