//! The keys of a file of policy tests.

use super::{Absent, DefaultValue, Key, KeyType, Table};
use checkrein_core::Decision;
use serde_json::{Map, Value, json};

/// A file of policy tests.
pub(crate) static TESTS: Table = Table::new(
    "",
    "a test file",
    &[
        Key::new(
            "config",
            KeyType::Text,
            Absent::Means("the layers that are active in the directory of this file"),
            "The configuration to test, relative to this file. Nothing else is active then.",
        )
        .example("\"hooks.toml\""),
        Key::new("case", KeyType::Tables(&CASE), Absent::Required, "The cases."),
    ],
);

/// A `[[case]]`.
pub(crate) static CASE: Table = Table { schema_rules, ..Table::new("case", "a case", CASE_KEYS) };

const CASE_KEYS: &[Key] = &[
    Key::new(
        "name",
        KeyType::Text,
        Absent::Means("the command, the tool or the event is the name"),
        "What the case shows.",
    )
    .example("\"a forced push is denied\""),
    Key::new(
        "command",
        KeyType::Text,
        Absent::Means("the case has a `tool` or a `payload`"),
        "A command line.",
    )
    .example("\"git push --force\""),
    Key::new(
        "tool",
        KeyType::Text,
        Absent::Means("`Bash`, for a `command`"),
        "The tool of the call, with `command` or with `input`.",
    )
    .example("\"Read\""),
    Key::new("input", KeyType::Object, Absent::Means("no arguments"), "The arguments of the tool.")
        .example("{ file_path = \".env\" }"),
    Key::new(
        "payload",
        KeyType::Object,
        Absent::Means("the case has a `command` or a `tool`"),
        "A whole event, as hooks read it on stdin, instead of a command or a tool.",
    )
    .example("{ hook_event_name = \"Stop\" }"),
    Key::new(
        "cwd",
        KeyType::Text,
        Absent::Means("the directory of this file"),
        "The working directory of the call, relative to this file.",
    )
    .example("\"src\""),
    Key::new(
        "expect",
        KeyType::Word(|| Decision::ALL.map(Decision::as_str).to_vec()),
        Absent::Required,
        "The expected decision.",
    )
    .example("\"deny\""),
    Key::new(
        "reason",
        KeyType::Texts,
        Absent::Means("reasons are not compared"),
        "Texts that must each occur in a reason, which has the form `hook: reason`.",
    )
    .example("\"--force-with-lease\""),
    Key::new(
        "context",
        KeyType::Texts,
        Absent::Means("context is not compared"),
        "Texts that must each occur in the context for the model.",
    )
    .example("\"the tests failed\""),
    Key::new(
        "rewritten",
        KeyType::ObjectOrText,
        Absent::Means("nothing may be rewritten"),
        "The expected rewrite: the whole input, or the text of the output or of the prompt.",
    )
    .example("{ command = \"make -n\" }"),
    Key::new(
        "stop",
        KeyType::Text,
        Absent::Means("the turn may not be ended"),
        "A text that must occur in the reason for ending the turn.",
    )
    .example("\"enough\""),
    Key::new(
        "retry",
        KeyType::FlagOrObject,
        Absent::Default(DefaultValue::Flag(false)),
        "Whether the failed call must be retried, or the arguments to change for that.",
    ),
    Key::new(
        "failure",
        KeyType::Text,
        Absent::Means("no hook may fail, so that a missing script does not pass for a denial"),
        "A text that must occur in the failure of a hook, which has the form `hook: failure`.",
    )
    .example("\"timed out\""),
];

/// A case asks one question.
fn schema_rules() -> Map<String, Value> {
    let only = |key: &str, never: &[&str]| {
        let never: Vec<Value> = never.iter().map(|key| json!({"required": [key]})).collect();
        json!({"required": [key], "not": {"anyOf": never}})
    };
    let mut rules = Map::new();
    rules.insert(
        "oneOf".into(),
        json!([
            only("command", &["input", "payload"]),
            only("tool", &["command", "payload"]),
            only("payload", &["command", "tool", "input", "cwd"]),
        ]),
    );
    rules
}
