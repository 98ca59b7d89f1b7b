//! The keys of a `[[rule]]`.

use super::{Absent, Key, KeyType, Table, words};
use checkrein_core::Decision;
use checkrein_guard::{Action, Certainty, Domain, Environment, Modifier, Tag, Taint, Zone};

/// The longest text that is shown, in characters.
pub(crate) const LONGEST_TEXT: usize = 300;

/// A `[[rule]]`.
pub(crate) static RULE: Table = Table { examples: EXAMPLES, ..Table::new("rule", "a rule", KEYS) };

const KEYS: &[Key] = &[
        Key::new(
            "id",
            KeyType::Id,
            Absent::Required,
            "The name of the rule in reasons and listings, where it follows the name of its layer. Each rule of a file needs its own.",
        )
        .example("\"keep-keys\""),
        Key::new(
            "effect",
            KeyType::Words(words::<Action>),
            Absent::Required,
            "What the call does: one of these effects.",
        )
        .note("For example `delete`, `write`, `send`, `overwrite`, `connect`, `destroy`, `publish`, `run`.")
        .example("[\"delete\", \"move\"]")
        .formerly(&["does"]),
        Key::new(
            "zone",
            KeyType::Words(words::<Zone>),
            Absent::Means("anywhere"),
            "Where the affected path is.",
        )
        .note("For example `project`, `home`, `system`, `temporary`.")
        .example("[\"project\"]"),
        Key::new(
            "tag",
            KeyType::Words(words::<Tag>),
            Absent::Means("any path, and targets that are not paths"),
            "What the affected path is: one of these.",
        )
        .note("For example `secret`, `profile`, `agent`, `log`.")
        .example("[\"secret\"]"),
        Key::new(
            "not_tag",
            KeyType::Words(words::<Tag>),
            Absent::Means("no path is excluded"),
            "What the affected path is not: none of these.",
        )
        .example("[\"log\"]")
        .formerly(&["not-tag"]),
        Key::new(
            "with",
            KeyType::Words(words::<Modifier>),
            Absent::Means("in any way"),
            "How it is done: all of these modifiers apply.",
        )
        .example("[\"force\"]")
        .formerly(&["marks"]),
        Key::new(
            "with_any",
            KeyType::Words(words::<Modifier>),
            Absent::Means("in any way"),
            "How it is done: at least one of these modifiers applies.",
        )
        .example("[\"force\", \"recursive\"]")
        .formerly(&["any"]),
        Key::new(
            "unless",
            KeyType::Words(words::<Modifier>),
            Absent::Means("in any way"),
            "How it is not done: none of these modifiers applies.",
        )
        .example("[\"dry-run\"]")
        .formerly(&["without"]),
        Key::new(
            "data",
            KeyType::Words(words::<Taint>),
            Absent::Means("any data"),
            "Where its data comes from, and what that contains: one of these.",
        ),
        Key::new(
            "not_data",
            KeyType::Words(words::<Taint>),
            Absent::Means("any data"),
            "Where its data does not come from: none of these.",
        )
        .example("[\"file\"]"),
        Key::new(
            "domain",
            KeyType::Words(words::<Domain>),
            Absent::Means("any kind of system"),
            "The kind of system: one of these.",
        ),
        Key::new(
            "not_domain",
            KeyType::Words(words::<Domain>),
            Absent::Means("any kind of system"),
            "The kind of system that it is not: none of these.",
        )
        .example("[\"container\"]"),
        Key::new(
            "environment",
            KeyType::Words(words::<Environment>),
            Absent::Means("any environment"),
            "The environment in which it happens: one of these.",
        ),
        Key::new(
            "not_environment",
            KeyType::Words(words::<Environment>),
            Absent::Means("any environment"),
            "The environment in which it does not happen: none of these.",
        )
        .example("[\"test\", \"throwaway\"]"),
        Key::new(
            "certainty",
            KeyType::Words(words::<Certainty>),
            Absent::Means("certain or not"),
            "What is not certain about it: one of these.",
        ),
        Key::new(
            "not_certainty",
            KeyType::Words(words::<Certainty>),
            Absent::Means("certain or not"),
            "None of these uncertainties applies.",
        )
        .example("[\"perhaps-ours\"]"),
        Key::new(
            "programs",
            KeyType::Texts,
            Absent::Means("any program, and tools that run none"),
            "Patterns for the program, with its subcommand if it has one.",
        )
        .note("`*`, `?` and `[…]` match other characters.")
        .example("[\"rm*\"]"),
        Key::new(
            "target",
            KeyType::Texts,
            Absent::Means("any target"),
            "Patterns for what is affected: a path, a machine, a branch, a context.",
        )
        .example("[\"*.pem\"]")
        .formerly(&["names"]),
        Key::new(
            "decision",
            KeyType::Word(words::<Decision>),
            Absent::Required,
            "The decision. A rule can only make answers stricter.",
        )
        .example("\"deny\""),
        Key::new("reason", KeyType::Line(LONGEST_TEXT), Absent::Required, "The reason, for the model.")
            .note("Only `checkrein hooks` and `checkrein explain` show the texts of a project's rule.")
            .example("\"the keys of this project are nowhere else\""),
        Key::new(
            "summary",
            KeyType::Line(LONGEST_TEXT),
            Absent::Means("the user reads `reason`"),
            "The reason, for the user.",
        )
        .example("\"It deletes a key that is nowhere else.\"")
        .formerly(&["person"]),
        Key::new(
            "suggestion",
            KeyType::Line(LONGEST_TEXT),
            Absent::Means("no suggestion"),
            "What to do instead.",
        )
        .example("\"copy it away first\"")
        .formerly(&["instead"]),
        Key::new(
            "match",
            KeyType::Texts,
            Absent::Means("nothing is checked"),
            "Commands that the rule must match.",
        )
        .note("An example that fails is an error in the configuration. `hooks`, `check`, `explain` and `test` check them.")
        .example("[\"rm -rf deploy-key.pem\"]")
        .formerly(&["matches"]),
        Key::new(
            "not_match",
            KeyType::Texts,
            Absent::Means("nothing is checked"),
            "Commands that the rule must not match.",
        )
        .example("[\"rm -rf target\", \"ls deploy-key.pem\"]")
        .formerly(&["free"]),
];

const EXAMPLES: &[(&str, &str)] = &[
    (
        "No pushes to the main branch.",
        r#"id = "no-push-to-main"
effect = ["send", "overwrite", "forget"]
programs = "git*"
with = "main"
decision = "deny"
reason = "changes of main go through a review; push a branch and name it""#,
    ),
    (
        "No push that may go to the main branch, because it names no branch.",
        r#"id = "name-the-branch"
effect = ["send", "overwrite"]
programs = "git*"
certainty = "unknown"
decision = "ask"
reason = "name the branch, so that it is clear where the push goes""#,
    ),
    (
        "No change of a production database.",
        r#"id = "no-production-data"
effect = ["destroy", "change"]
domain = "database"
environment = "production"
decision = "deny"
reason = "production data is not for agents; use a copy""#,
    ),
    (
        "Nothing that was downloaded a moment ago runs.",
        r#"id = "no-downloads"
effect = ["opaque", "run"]
data = "downloaded"
decision = "deny"
reason = "read what was downloaded before it runs""#,
    ),
    (
        "Nothing in production.",
        r#"id = "no-prod"
effect = "connect"
target = ["prod", "prod-*", "*-prod", "production"]
decision = "deny"
reason = "production is not for agents; use the context of staging""#,
    ),
];
