//! The keys of a `[[hook]]`, and of its `match`.

use super::{Absent, DefaultValue, Key, KeyType, Table, words};
use crate::config::layer::Layer;
use checkrein_core::{Entry, EventName, OnFailure, Role};
use checkrein_exec::Cwd;
use serde_json::{Map, Value, json};

const NO: Absent = Absent::Default(DefaultValue::Flag(false));
const EMPTY: Absent = Absent::Default(DefaultValue::EmptyList);

const REQUIRED: &str = "only the managed layer can require a hook";
const OVERRIDABLE: &str = "only the user's own hooks can be overridable";

/// The longest timeout of a hook, in seconds. Hosts do not wait longer for anything.
pub(crate) const MOST_SECONDS: u32 = 600;

/// A `[[hook]]`.
pub(crate) static HOOK: Table =
    Table { schema_rules, examples: EXAMPLES, ..Table::new("hook", "a hook", KEYS) };

const KEYS: &[Key] = &[
        Key::new(
            "event",
            KeyType::Word(words::<EventName>),
            Absent::Required,
            "The event that the hook handles, by its canonical name.",
        )
        .note("The usual ones are `PreToolUse`, `PostToolUse`, `UserPromptSubmit`, `SessionStart` and `Stop`.")
        .example("\"PreToolUse\"")
        .in_json_list(),
        Key::new(
            "name",
            KeyType::Text,
            Absent::Means("the command is the name"),
            "The name of the hook in reasons and listings. Hooks of one event need different names.",
        )
        .example("\"no-force-push\"")
        .in_json_list(),
        Key::new(
            "match",
            KeyType::Table(&MATCH),
            Absent::Means("every tool"),
            "The tools that the hook is called for.",
        )
        .example("{ tool = [\"kind:shell\"], except = [] }")
        .in_json_list(),
        Key::new(
            "command",
            KeyType::Command,
            Absent::RequiredUnless("callable"),
            "The command to run: a string runs through `sh -c`, a list runs as it is. `./` is the directory of this file.",
        )
        .example("\"./hooks/no-force-push.sh\"")
        .in_json_list(),
        Key::new(
            "callable",
            KeyType::Callable,
            Absent::RequiredUnless("command"),
            "A Python function instead of a command: `module:function`, imported from the directory of this file or from where the interpreter finds it.",
        )
        .note("It gets the event as a dict, and returns None, a decision, or a dict with the fields of an answer.")
        .in_json_list(),
        Key::new(
            "written_for",
            KeyType::Text,
            Absent::Means("the hook reads our fields, which are Claude Code's and some more"),
            "The agent that the hook was written for, or the agent and its event: it gets that agent's payload under every agent, and gives that agent's answers.",
        )
        .note("The names in `match` are then those of that agent's tools. The event has the agent's own name, for example `cursor:beforeShellExecution`; without it, it is the first one that means the same as `event`.")
        .example("\"claude\""),
        Key::new(
            "role",
            KeyType::Word(words::<Role>),
            Absent::Means("the hook runs among the editors, and again if the input changed after it"),
            "What the hook may do: an editor may rewrite and decide, a judge decides on the final input, an observer only watches.",
        )
        .example("\"judge\""),
        Key::new(
            "timeout",
            KeyType::Seconds(MOST_SECONDS),
            Absent::Default(DefaultValue::Number(Entry::TIMEOUT.as_secs_f64())),
            "The time limit of the hook, in seconds.",
        )
        .note("All hooks of an event that can prevent something have 20 seconds together.")
        .in_json_list(),
        Key::new(
            "on_failure",
            KeyType::Word(words::<OnFailure>),
            Absent::Means(
                "`deny` before the fact, and on `PostToolUse` for a hook with a role; `ignore` elsewhere and for observers",
            ),
            "What happens if the hook crashes, times out or gives an unusable answer.",
        )
        .example("\"deny\""),
        Key::new(
            "may_allow",
            KeyType::Flag,
            NO,
            "Whether the hook's `allow` is a permission. Otherwise it only means that the hook does not object.",
        )
        .refused(&[(Layer::Project, "a project cannot grant permissions")])
        .formerly(&["grants"]),
        Key::new(
            "cwd",
            KeyType::Word(words::<Cwd>),
            Absent::Default(DefaultValue::Text("session")),
            "Where the hook runs: in the session's working directory, or in the directory of this file.",
        ),
        Key::new(
            "env",
            KeyType::Variables,
            EMPTY,
            "Environment variables that the hook gets in addition to the usual ones. API keys of agents are not among the usual ones.",
        ),
        Key::new(
            "files",
            KeyType::Files,
            EMPTY,
            "Files next to this one that the hook uses without naming them in its command, so that trust covers them.",
        ),
        Key::new(
            "required",
            KeyType::Flag,
            NO,
            "Whether every failure of the hook is a denial, on every event and whatever `on_failure` says.",
        )
        .note(
            "An observer cannot be required, because nothing waits for it. To audit every event, use a `judge` that answers nothing.",
        )
        .refused(&[(Layer::User, REQUIRED), (Layer::Project, REQUIRED), (Layer::Flag, REQUIRED)]),
        Key::new(
            "overridable",
            KeyType::Flag,
            NO,
            "Whether a lower layer may disable the hook with `disable`.",
        )
        .refused(&[
            (Layer::Managed, "a hook of the managed layer cannot be taken away"),
            (Layer::Project, OVERRIDABLE),
            (Layer::Flag, OVERRIDABLE),
        ])
        .formerly(&["loosenable"]),
    ];

const EXAMPLES: &[(&str, &str)] = &[
    (
        "A formatter: without a role, because its failure must not withhold the result of an edit.",
        r#"event = "PostToolUse"
name = "format"
match = { tool = ["kind:write", "kind:edit"] }
command = ["./hooks/format.sh"]
timeout = 10"#,
    ),
    (
        "A Python function.",
        r#"event = "PreToolUse"
name = "tickets"
callable = "hooks.tickets:check""#,
    ),
    (
        "A notifier: nothing waits for it.",
        r#"event = "Stop"
name = "notify"
command = "notify-send 'the agent has finished'"
role = "observe"
env = ["DISPLAY", "DBUS_SESSION_BUS_ADDRESS"]"#,
    ),
];

/// A hook has a command or a function, and an observer decides nothing.
fn schema_rules() -> Map<String, Value> {
    let rules = json!({
        "oneOf": [{"required": ["command"]}, {"required": ["callable"]}],
        "if": {"required": ["role"], "properties": {"role": {"const": Role::Observe.as_str()}}},
        "then": {"properties": {
            "on_failure": {"const": OnFailure::Ignore.as_str()},
            "may_allow": {"const": false},
            "required": {"const": false},
        }},
    });
    if let Value::Object(rules) = rules { rules } else { Map::new() }
}

/// The `match` of a hook.
pub(crate) static MATCH: Table = Table::new(
    "match",
    "a match",
    &[
        Key::new(
            "tool",
            KeyType::Patterns(1),
            Absent::Means("every tool, and also events that are about no tool"),
            "Tools that the hook is called for: a name, `prefix*`, `*`, `kind:shell` or `/regex/`, one or a list.",
        )
        .in_json_list(),
        Key::new(
            "except",
            KeyType::Patterns(0),
            EMPTY,
            "Tools among those that the hook is not called for.",
        ),
    ],
);
