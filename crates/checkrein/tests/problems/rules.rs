//! Rules of a layer, and their examples.

use checkrein::{Config, ConfigError, Layer};
use insta::assert_snapshot;

/// Returns the problems of a project's rule.
fn rule(text: &str) -> ConfigError {
    Config::parse_as(Layer::Project, text, ".checkrein.toml".as_ref()).unwrap_err()
}

#[test]
fn everything_that_is_wrong_with_rules() {
    assert_snapshot!(rule(
        r#"[[rule]]
id = "No pushes"
effect = ["send", "overwrites"]
zone = "projct"
with = ["somehow-quickly"]
program = "git*"
decision = "allow"
reason = "a\nb"

[[rule]]
target = []
decision = 1

[[rule]]
id = "a"
effect = "delete"
programs = ["", 3]
decision = "denied"
reason = "because"

[[rule]]
id = "a"
"#
    ), @r#"
    .checkrein.toml:2:6: rule[0].id: `No pushes` is not a valid id
    2 | id = "No pushes"
      |      ^^^^^^^^^^^
    hint: up to 60 lower-case letters, digits and `-`, such as `no-push-to-main`

    .checkrein.toml:3:19: rule[0].effect: unknown effect `overwrites`
    3 | effect = ["send", "overwrites"]
      |                   ^^^^^^^^^^^^
    hint: did you mean `overwrite`?

    .checkrein.toml:4:8: rule[0].zone: unknown zone `projct`
    4 | zone = "projct"
      |        ^^^^^^^^
    hint: did you mean `project`?

    .checkrein.toml:5:9: rule[0].with: unknown modifier `somehow-quickly`
    5 | with = ["somehow-quickly"]
      |         ^^^^^^^^^^^^^^^^^
    hint: did you mean `some`?

    .checkrein.toml:6:1: rule[0].program: unknown key `program`
    6 | program = "git*"
      | ^^^^^^^
    hint: did you mean `programs`?

    .checkrein.toml:7:12: rule[0].decision: unknown decision `allow`, expected `ask` or `deny`
    7 | decision = "allow"
      |            ^^^^^^^
    hint: a rule can only make answers stricter

    .checkrein.toml:8:10: rule[0].reason: the text contains a line break or a hidden character
    8 | reason = "a\nb"
      |          ^^^^^^

    .checkrein.toml:10:1: rule[1]: a rule needs `id`
    10 | [[rule]]
       | ^^^^^^^^
    hint: for example `id = "keep-keys"`

    .checkrein.toml:10:1: rule[1]: a rule needs `effect`
    10 | [[rule]]
       | ^^^^^^^^
    hint: for example `effect = ["delete", "move"]`

    .checkrein.toml:10:1: rule[1]: a rule needs `reason`
    10 | [[rule]]
       | ^^^^^^^^
    hint: for example `reason = "the keys of this project are nowhere else"`

    .checkrein.toml:11:10: rule[1].target: the list is empty
    11 | target = []
       |          ^^
    hint: leave the key out instead

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

    .checkrein.toml:21:1: rule[3]: a rule needs `effect`
    21 | [[rule]]
       | ^^^^^^^^
    hint: for example `effect = ["delete", "move"]`

    .checkrein.toml:21:1: rule[3]: a rule needs `decision`
    21 | [[rule]]
       | ^^^^^^^^
    hint: for example `decision = "deny"`

    .checkrein.toml:21:1: rule[3]: a rule needs `reason`
    21 | [[rule]]
       | ^^^^^^^^
    hint: for example `reason = "the keys of this project are nowhere else"`

    .checkrein.toml:22:6: rule[3].id: another rule of this file has the id `a`
    22 | id = "a"
       |      ^^^
    "#);
    assert_snapshot!(rule("rule = 3\n"), @"
    .checkrein.toml:1:1: rule: expected a list of tables, found a number
    1 | rule = 3
      | ^^^^
    hint: write `[[rule]]`, and its keys below it
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
effect = "send"
programs = "git*"
target = "main"
decision = "deny"
reason = "changes of main go through a review"
match = ["git push origin main", "git push origin topic"]
not_match = ["git push origin topic", "git -C . push -q origin HEAD:refs/heads/main", "echo git push origin main"]
"#
    ), @r#"
    .checkrein.toml:8:34: rule[0].match[1]: the rule does not match `git push origin topic`
    8 | match = ["git push origin main", "git push origin topic"]
      |                                  ^^^^^^^^^^^^^^^^^^^^^^^
    hint: `checkrein explain COMMAND` shows what a command does, in the words of rules

    .checkrein.toml:9:39: rule[0].not_match[1]: the rule matches `git -C . push -q origin HEAD:refs/heads/main`, which it should not
    9 | not_match = ["git push origin topic", "git -C . push -q origin HEAD:refs/heads/main", "echo git push origin …
      |                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    hint: `checkrein explain COMMAND` shows what a command does, in the words of rules
    "#);
}

#[test]
fn rules_and_their_examples_are_not_endless() {
    let rule_with = |id: usize, more: &str| {
        format!("[[rule]]\nid = \"r{id}\"\neffect = \"delete\"\ndecision = \"ask\"\nreason = \"x\"\n{more}\n")
    };
    let many: String = (0..501).map(|id| rule_with(id, "")).collect();
    assert_snapshot!(rule(&many).first().one_line(), @".checkrein.toml:1201:1: rule: 501 times `[[rule]]`, and a file of this layer may have 200");
    let long = rule_with(0, &format!("not_match = [\"{}\", \"ls\", \"ls\"]", "x".repeat(64 * 1024)));
    assert_snapshot!(rule(&long), @r#"
    .checkrein.toml:6:65554: rule[0].not_match[1]: the examples of a file may have 65536 bytes together
    6 | …xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "ls", "ls"]
      |                                                                                            ^^^^
    hint: longer ones belong in a `*.test.toml`
    "#);
}

/// An old word is an error that names the new one, without further errors.
#[test]
fn old_words_name_the_new_ones() {
    let rule = |more: &str| {
        format!("[[rule]]\nid = \"a\"\neffect = \"send\"\ndecision = \"ask\"\nreason = \"x\"\n{more}\n")
    };
    let hook = |more: &str| format!("[[hook]]\nevent = \"Stop\"\ncommand = \"x\"\n{more}\n");
    let cases = [
        (rule("marks = \"force\""), "`marks`", "`with`"),
        (rule("any = \"force\""), "`any`", "`with_any`"),
        (rule("without = \"force\""), "`without`", "`unless`"),
        (rule("matches = \"git push\""), "`matches`", "`match`"),
        (rule("free = \"ls\""), "`free`", "`not_match`"),
        (rule("instead = \"y\""), "`instead`", "`suggestion`"),
        (rule("person = \"y\""), "`person`", "`summary`"),
        (rule("names = \"main\""), "`names`", "`target`"),
        (rule("not-tag = \"log\""), "`not-tag`", "`not_tag`"),
        (rule("").replace("effect", "does"), "`does`", "`effect`"),
        (rule("unless = \"rehearsal\""), "`rehearsal`", "`not_environment = \"test\"`"),
        (rule("unless = [\"dry-run\", \"elsewhere\"]"), "`elsewhere`", "`not_environment = \"elsewhere\"`"),
        (rule("with = \"database\""), "`database`", "`domain = \"database\"`"),
        (rule("with_any = \"secret\""), "`secret`", "`data = \"secret\"`"),
        (rule("unless = \"unknown\""), "`unknown`", "`not_certainty = \"unknown\"`"),
        (hook("grants = true"), "`grants`", "`may_allow`"),
        (hook("loosenable = true"), "`loosenable`", "`overridable`"),
        ("[[grant]]\nprograms = \"ls\"\n".to_owned(), "`grant`", "`[[allow]]`"),
        ("[[allow]]\nprograms = \"ls\"\ndoes = \"read\"\n".to_owned(), "`does`", "`effect`"),
        ("[[allow]]\nprograms = \"ls\"\nnames = \"a\"\n".to_owned(), "`names`", "`target`"),
        ("[[allow]]\nprograms = \"ls\"\nuntil = \"never\"\n".to_owned(), "`until`", "`[[exception]]`"),
        (
            "[[exception]]\nrules = \"git.*\"\nnames = \"a\"\nreason = \"x\"\nuntil = \"never\"\n".to_owned(),
            "`names`",
            "`target`",
        ),
    ];
    for (text, old, new) in cases {
        let said = Config::parse_as(Layer::User, &text, "config.toml".as_ref()).unwrap_err().to_string();
        assert_eq!(said.matches("config.toml:").count(), 1, "{said}");
        assert!(
            said.contains(&format!("unknown key {old}")) || said.contains(&format!("unknown modifier {old}")),
            "{said}"
        );
        let (_, hint) = said.split_once("hint: ").unwrap_or_else(|| panic!("{said}"));
        assert!(hint.contains(new) && !hint.starts_with("expected"), "{said}");
    }
}
