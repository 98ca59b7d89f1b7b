//! The table of all configuration keys.
//!
//! The schemas are made from it, the commented default configuration is held against it, the reader of test files
//! takes its keys from it, and tests hold the reader of configurations against it word by word. So a new key is
//! documented, or a test fails.
//!
//! Which layers may set a key is not repeated here: [`Layer::refuses`](crate::Layer) is asked.

use crate::config::layer::{ExceptionPolicy, Untrusted};
use checkrein_core::{Decision, Entry, EventName, OnFailure, Role};
use checkrein_exec::Callable;
use checkrein_guard::{Action, Certainty, Domain, Environment, Modifier, Tag, Taint, Zone};
use serde_json::{Map, Value, json};

/// A table of a file.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) keys: &'static [Key],
    /// What a schema must say about several keys together.
    pub(crate) rules: fn() -> Map<String, Value>,
}

/// One key.
#[derive(Debug)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) holds: Holds,
    pub(crate) absent: Absent,
    /// One sentence.
    pub(crate) doc: &'static str,
}

/// What a key may be set to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Holds {
    /// A text with something in it.
    Text,
    /// One of these words.
    Word(fn() -> Vec<&'static str>),
    /// `true` or `false`.
    Flag,
    /// Seconds, more than 0 and at most this.
    Seconds(u32),
    /// A text for the shell, or a program and its arguments.
    Command,
    /// A Python function.
    Callable,
    /// A pattern for tools, or a list of at least so many.
    Patterns(usize),
    /// Names of hooks.
    Names,
    /// Names of variables.
    Variables,
    /// Files next to this one.
    Files,
    /// A text with something in it, or a list of such texts.
    Texts,
    /// One of these words, or a list of them.
    Words(fn() -> Vec<&'static str>),
    /// Small letters, digits and `-`.
    Id,
    /// A day, or `never`.
    Day,
    /// Patterns of the ids of rules, or one.
    RuleIds,
    /// Whole paths of directories, or one.
    Directories,
    /// Patterns of whole commands, or one.
    Commands,
    /// A text with something in it, in one line, and at most so many characters.
    Line(usize),
    /// Any table.
    Object,
    /// Any table, or any text.
    ObjectOrText,
    /// `true`, `false`, or any table.
    FlagOrObject,
    /// A table with these keys.
    Table(&'static Table),
    /// A list of tables with these keys.
    Tables(&'static Table),
}

/// What it means that a key is not there.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Absent {
    /// A mistake.
    Mistake,
    /// A mistake, if this other key is not there either.
    Unless(&'static str),
    /// It means this value.
    Value(fn() -> Value),
    /// Something that no value says.
    Means(&'static str),
}

impl Table {
    /// The names of all keys.
    pub(crate) fn names(&self) -> Vec<&'static str> {
        self.keys.iter().map(|key| key.name).collect()
    }
}

const fn key(name: &'static str, holds: Holds, absent: Absent, doc: &'static str) -> Key {
    Key { name, holds, absent, doc }
}

fn no_rules() -> Map<String, Value> {
    Map::new()
}

fn rules(of: Value) -> Map<String, Value> {
    if let Value::Object(rules) = of { rules } else { Map::new() }
}

fn none() -> Value {
    json!([])
}

fn no() -> Value {
    json!(false)
}

/// A configuration.
pub(crate) static CONFIG: Table = Table {
    keys: &[
        key(
            "disable",
            Holds::Names,
            Absent::Value(none),
            "Names of hooks of a higher layer that are not to be asked; it must have marked them as `overridable`.",
        ),
        key(
            "untrusted",
            Holds::Word(|| [Untrusted::Skip, Untrusted::Deny].map(Untrusted::as_str).to_vec()),
            Absent::Value(|| json!(Untrusted::default().as_str())),
            "What becomes of a project's hooks that nobody has trusted: they are skipped, or what they would have judged is denied.",
        ),
        key(
            "python",
            Holds::Text,
            Absent::Value(|| json!(Callable::PYTHON)),
            "The interpreter that calls the Python functions among the hooks: a path from the directory of this file, or a name that is looked up in `PATH`.",
        ),
        key(
            "hook",
            Holds::Tables(&HOOK),
            Absent::Value(none),
            "The hooks, in the order in which they are asked.",
        ),
        key(
            "rule",
            Holds::Tables(&RULE),
            Absent::Value(none),
            "What the guard asks about or denies besides what it does by itself; a project's rules count without trust.",
        ),
        key(
            "exception",
            Holds::Tables(&EXCEPTION),
            Absent::Value(none),
            "Exceptions: what rules are not to object to, where, why, and until when. They allow nothing.",
        ),
        key(
            "allow",
            Holds::Tables(&ALLOW),
            Absent::Value(none),
            "Commands that agents may run without the user being asked, if everything that a call runs and does is allowed.",
        ),
        key(
            "exceptions",
            Holds::Word(|| {
                [ExceptionPolicy::Accept, ExceptionPolicy::Refuse].map(ExceptionPolicy::as_str).to_vec()
            }),
            Absent::Value(|| json!(ExceptionPolicy::default().as_str())),
            "Whether exceptions and allow rules of the layers below count, and those of `checkrein allow`.",
        ),
    ],
    rules: no_rules,
};

/// A `[[hook]]`.
pub(crate) static HOOK: Table = Table {
    keys: &[
        key(
            "event",
            Holds::Word(|| EventName::ALL.iter().map(|event| event.as_str()).collect()),
            Absent::Mistake,
            "The event that the hook is asked about, by its canonical name.",
        ),
        key(
            "name",
            Holds::Text,
            Absent::Means("the hook is called by its command"),
            "What the hook is called in reasons and listings; each hook of an event needs its own.",
        ),
        key(
            "match",
            Holds::Table(&MATCH),
            Absent::Means("every tool"),
            "The tools that the hook is asked about.",
        ),
        key(
            "command",
            Holds::Command,
            Absent::Unless("callable"),
            "What to run: a string runs through `sh -c`, a list runs as it is; `./` means next to this file.",
        ),
        key(
            "callable",
            Holds::Callable,
            Absent::Unless("command"),
            "A Python function, in place of a command: `module:function`, imported from the directory of this file or from where the interpreter finds it.",
        ),
        key(
            "role",
            Holds::Word(|| [Role::Edit, Role::Judge, Role::Observe].map(Role::as_str).to_vec()),
            Absent::Means("it is asked among the editors, and once more if the input changed after it"),
            "An editor may rewrite and decide, a judge decides on what will run, an observer only watches.",
        ),
        key(
            "timeout",
            Holds::Seconds(600),
            Absent::Value(|| json!(Entry::TIMEOUT.as_secs_f64())),
            "Timeout of the hook, in seconds.",
        ),
        key(
            "on_failure",
            Holds::Word(|| {
                [OnFailure::Deny, OnFailure::Ask, OnFailure::Ignore].map(OnFailure::as_str).to_vec()
            }),
            Absent::Means(
                "`deny` before the fact, and on `PostToolUse` for a hook with a role; `ignore` elsewhere and for observers",
            ),
            "What it means that the hook crashes, is late or answers nonsense.",
        ),
        key(
            "may_allow",
            Holds::Flag,
            Absent::Value(no),
            "Whether its `allow` is a permission, and not just no objection.",
        ),
        key(
            "cwd",
            Holds::Word(|| vec!["session", "config"]),
            Absent::Value(|| json!("session")),
            "Where the hook runs: in the session's working directory, or in the directory of this file.",
        ),
        key(
            "env",
            Holds::Variables,
            Absent::Value(none),
            "Variables that the hook gets besides the usual ones; the API keys of an agent are not among those.",
        ),
        key(
            "files",
            Holds::Files,
            Absent::Value(none),
            "Files next to this one that the hook reads or runs without naming them in its command, so that trust covers them.",
        ),
        key(
            "required",
            Holds::Flag,
            Absent::Value(no),
            "Whether every failure of the hook is a denial, whatever `on_failure` says.",
        ),
        key(
            "overridable",
            Holds::Flag,
            Absent::Value(no),
            "Whether a lower layer may take the hook away with `disable`.",
        ),
    ],
    rules: || {
        rules(json!({
            "oneOf": [{"required": ["command"]}, {"required": ["callable"]}],
            "if": {"required": ["role"], "properties": {"role": {"const": Role::Observe.as_str()}}},
            "then": {"properties": {
                "on_failure": {"const": OnFailure::Ignore.as_str()},
                "may_allow": {"const": false},
                "required": {"const": false},
            }},
        }))
    },
};

fn tags() -> Vec<&'static str> {
    Tag::ALL.iter().map(|tag| tag.as_str()).collect()
}

fn modifiers() -> Vec<&'static str> {
    Modifier::ALL.iter().map(|word| word.as_str()).collect()
}

fn taints() -> Vec<&'static str> {
    Taint::ALL.iter().map(|word| word.as_str()).collect()
}

fn domains() -> Vec<&'static str> {
    Domain::ALL.iter().map(|word| word.as_str()).collect()
}

fn environments() -> Vec<&'static str> {
    Environment::ALL.iter().map(|word| word.as_str()).collect()
}

fn certainties() -> Vec<&'static str> {
    Certainty::ALL.iter().map(|word| word.as_str()).collect()
}

/// A `[[rule]]`.
pub(crate) static RULE: Table = Table {
    keys: &[
        key(
            "id",
            Holds::Id,
            Absent::Mistake,
            "What the rule is called in reasons and listings, after the name of its layer; each rule of a file needs its own.",
        ),
        key(
            "effect",
            Holds::Words(|| Action::ALL.iter().map(|action| action.as_str()).collect()),
            Absent::Mistake,
            "What is done: one of these effects.",
        ),
        key(
            "zone",
            Holds::Words(|| Zone::ALL.iter().map(|zone| zone.as_str()).collect()),
            Absent::Means("anywhere"),
            "Where the path lies to which it is done.",
        ),
        key("tag", Holds::Words(tags), Absent::Means("to anything"), "What that path is: one of these."),
        key("not_tag", Holds::Words(tags), Absent::Means("whatever it is"), "What that path is not."),
        key(
            "with",
            Holds::Words(modifiers),
            Absent::Means("in any way"),
            "How it is done: all of these hold.",
        ),
        key(
            "with_any",
            Holds::Words(modifiers),
            Absent::Means("in any way"),
            "How it is done: one of these holds.",
        ),
        key(
            "unless",
            Holds::Words(modifiers),
            Absent::Means("in any way"),
            "How it is not done: none of these holds.",
        ),
        key(
            "data",
            Holds::Words(taints),
            Absent::Means("with any data"),
            "Where its data comes from, and what that contains: one of these.",
        ),
        key(
            "not_data",
            Holds::Words(taints),
            Absent::Means("with any data"),
            "Where its data does not come from: none of these.",
        ),
        key(
            "domain",
            Holds::Words(domains),
            Absent::Means("in any system"),
            "Which kind of system it is in: one of these.",
        ),
        key(
            "not_domain",
            Holds::Words(domains),
            Absent::Means("in any system"),
            "Which kind of system it is not in: none of these.",
        ),
        key(
            "environment",
            Holds::Words(environments),
            Absent::Means("in any environment"),
            "In which environment it happens: one of these.",
        ),
        key(
            "not_environment",
            Holds::Words(environments),
            Absent::Means("in any environment"),
            "In which environment it does not happen: none of these.",
        ),
        key(
            "certainty",
            Holds::Words(certainties),
            Absent::Means("certain or not"),
            "What is not certain about it: one of these.",
        ),
        key(
            "not_certainty",
            Holds::Words(certainties),
            Absent::Means("certain or not"),
            "What is certain about it: none of these holds.",
        ),
        key(
            "programs",
            Holds::Texts,
            Absent::Means("by any program, and by tools that run none"),
            "Patterns of the program that does it, with its subcommand where it has one.",
        ),
        key(
            "target",
            Holds::Texts,
            Absent::Means("whatever its name is"),
            "Patterns of what it is done to: a path, a machine, a branch, a context.",
        ),
        key(
            "decision",
            Holds::Word(|| [Decision::Ask, Decision::Deny].map(Decision::as_str).to_vec()),
            Absent::Mistake,
            "What is decided: a rule can only make answers stricter.",
        ),
        key("reason", Holds::Line(300), Absent::Mistake, "Why, for the model."),
        key("summary", Holds::Line(300), Absent::Means("the user reads the reason"), "Why, for the user."),
        key("suggestion", Holds::Line(300), Absent::Means("nothing is proposed"), "What to do instead."),
        key(
            "match",
            Holds::Texts,
            Absent::Means("nothing is checked"),
            "Commands that the rule must be about.",
        ),
        key(
            "not_match",
            Holds::Texts,
            Absent::Means("nothing is checked"),
            "Commands that the rule must not be about.",
        ),
    ],
    rules: no_rules,
};

/// An `[[exception]]`.
pub(crate) static EXCEPTION: Table = Table {
    keys: &[
        key(
            "rules",
            Holds::RuleIds,
            Absent::Mistake,
            "The rules that are not to object, by their ids; `*` may stand for the names of a pack, but not for packs.",
        ),
        key(
            "programs",
            Holds::Texts,
            Absent::Means("whatever does it"),
            "Patterns of the program that it is about, with its subcommand where it has one.",
        ),
        key(
            "target",
            Holds::Texts,
            Absent::Means("whatever it is done to"),
            "Patterns of what it is about: a path, a machine, a branch; `~/` is the home directory.",
        ),
        key(
            "directory",
            Holds::Directories,
            Absent::Means("everywhere"),
            "The directory, or directories, in which the call must be made, and in which the paths must lie that it touches.",
        ),
        key("reason", Holds::Line(300), Absent::Mistake, "Why the exception is made."),
        key("until", Holds::Day, Absent::Mistake, "The last day on which it holds, in UTC, or `never`."),
    ],
    rules: no_rules,
};

/// An `[[allow]]`.
pub(crate) static ALLOW: Table = Table {
    keys: &[
        key(
            "programs",
            Holds::Commands,
            Absent::Mistake,
            "Whole commands, word by word; a word but the first may be a pattern, and a last `*` stands for any further words.",
        ),
        key(
            "effect",
            Holds::Words(|| {
                let known = Action::ALL.iter().filter(|action| **action != Action::Opaque);
                known.map(|action| action.as_str()).collect()
            }),
            Absent::Means("they may only read"),
            "What these commands may do, their redirections included.",
        ),
        key(
            "zone",
            Holds::Words(|| {
                let known = Zone::ALL.iter().filter(|zone| **zone != Zone::Unknown);
                known.map(|zone| zone.as_str()).collect()
            }),
            Absent::Means("in the project, with what is made in it and its repository"),
            "Where the paths may lie to which they do it.",
        ),
        key(
            "target",
            Holds::Texts,
            Absent::Means("whatever it is called"),
            "Patterns of what they may do it to: a path, a machine, a branch.",
        ),
    ],
    rules: no_rules,
};

/// The `match` of a hook.
pub(crate) static MATCH: Table = Table {
    keys: &[
        key(
            "tool",
            Holds::Patterns(1),
            Absent::Means("every tool, and also events that are about no tool"),
            "Tools that it is asked about: a name, `prefix*`, `*`, `kind:shell` or `/regex/`, one or a list.",
        ),
        key(
            "except",
            Holds::Patterns(0),
            Absent::Value(none),
            "Tools among those that it is not asked about.",
        ),
    ],
    rules: no_rules,
};

/// A file of policy tests.
pub(crate) static TESTS: Table = Table {
    keys: &[
        key(
            "config",
            Holds::Text,
            Absent::Means("the layers that are active in the directory of this file"),
            "The configuration that is tested, relative to this file; nothing else is then active.",
        ),
        key("case", Holds::Tables(&CASE), Absent::Mistake, "The cases."),
    ],
    rules: no_rules,
};

/// A `[[case]]`.
pub(crate) static CASE: Table = Table {
    keys: &[
        key("name", Holds::Text, Absent::Means("the case is called by its question"), "What the case shows."),
        key(
            "command",
            Holds::Text,
            Absent::Means("`tool` or `payload` is asked about"),
            "A command line to be asked about.",
        ),
        key(
            "tool",
            Holds::Text,
            Absent::Means("`Bash`, for a `command`"),
            "The tool that is called, with `command` or with `input`.",
        ),
        key("input", Holds::Object, Absent::Means("no arguments"), "The arguments of the tool."),
        key(
            "payload",
            Holds::Object,
            Absent::Means("`command` or `tool` is asked about"),
            "A whole event, as hooks read it on stdin, instead of a command or a tool.",
        ),
        key(
            "cwd",
            Holds::Text,
            Absent::Means("the directory of this file"),
            "The working directory of the call, relative to this file.",
        ),
        key(
            "expect",
            Holds::Word(|| Decision::ALL.map(Decision::as_str).to_vec()),
            Absent::Mistake,
            "What must be decided.",
        ),
        key(
            "reason",
            Holds::Texts,
            Absent::Means("any reason will do, or none"),
            "Texts that must each occur in a reason, which is written `hook: reason`.",
        ),
        key(
            "context",
            Holds::Texts,
            Absent::Means("the model may be told anything, or nothing"),
            "Texts that must each occur in what the model is told.",
        ),
        key(
            "rewritten",
            Holds::ObjectOrText,
            Absent::Means("nothing may be rewritten"),
            "What the hooks must make of it: the whole input, or the text of the output or of the prompt.",
        ),
        key(
            "stop",
            Holds::Text,
            Absent::Means("the turn may not be ended"),
            "A text that must occur in the reason for which the turn is ended.",
        ),
        key(
            "retry",
            Holds::FlagOrObject,
            Absent::Value(no),
            "Whether the failed call must be tried again, or the arguments to change for that.",
        ),
        key(
            "failure",
            Holds::Text,
            Absent::Means("no hook may fail"),
            "A text that must occur in the failure of a hook, which is written `hook: failure`.",
        ),
    ],
    rules: || {
        let only = |key: &str, never: &[&str]| {
            let never: Vec<Value> = never.iter().map(|key| json!({"required": [key]})).collect();
            json!({"required": [key], "not": {"anyOf": never}})
        };
        rules(json!({"oneOf": [
            only("command", &["input", "payload"]),
            only("tool", &["command", "payload"]),
            only("payload", &["command", "tool", "input", "cwd"]),
        ]}))
    },
};
