//! The semantics corpus: `corpus/semantics/*.toml`, cases as data.
//!
//! A case is an event, a list of hooks with what each would *print*, and the expected result. Because a
//! hook's answer is the output of a process, the same case runs through every door: [`library`] scripts the
//! hooks in process, [`program`] writes real scripts and a configuration and starts the program. The doors
//! that start processes also check what only a process has (its environment, its children).
//!
//! `corpus/semantics/README.md` describes the format.

mod compare;
pub mod library;
mod lines;
pub mod program;
mod read;
mod script;

pub use compare::Seen;
pub use lines::{Lines, read_lines};
pub use program::{check_answer, run_program};
pub use script::write_config;

use checkrein_core::{EventName, Map, OnFailure, Role};
use checkrein_exec::answer::Exit;
use serde_json::Value;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// One case.
#[derive(Clone, Debug)]
pub struct Case {
    /// The line of the predecessors' specification that it shows, with a suffix: `M33`,
    /// `M33-ask-then-deny`.
    pub name: String,
    /// The rule in one sentence.
    pub about: String,
    /// The event, as flat JSON.
    pub payload: Map,
    /// The form of the configuration.
    pub form: Form,
    /// The hooks, in order.
    pub hooks: Vec<HookCase>,
    /// The expected result.
    pub expect: Expect,
}

/// The form of the configuration, where a door needs one.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// `[[hook]]` tables.
    Toml,
    /// The predecessors' JSON list.
    JsonList,
    /// This text, which is not a valid configuration.
    Broken(String),
}

/// One hook of a case.
#[derive(Clone, Debug)]
pub struct HookCase {
    /// Its name.
    pub name: String,
    /// Its event; by default that of the payload.
    pub event: EventName,
    /// Its role; `Plain` by default.
    pub role: Role,
    /// The patterns of its scope, if it has any.
    pub only: Option<Vec<String>>,
    /// The patterns that its scope excludes.
    pub except: Vec<String>,
    /// Its `on_failure`, if set.
    pub on_failure: Option<OnFailure>,
    /// True if its `allow` counts.
    pub may_allow: bool,
    /// Its timeout in seconds, if set.
    pub timeout: Option<f64>,
    /// The arguments of its program, which is then configured as a list.
    pub args: Option<Vec<String>>,
    /// Its working directory (`session` or `config`), if set.
    pub cwd: Option<String>,
    /// True if its program is missing.
    pub missing: bool,
    /// Its treatment of stdin.
    pub stdin: Stdin,
    /// True if it leaves a running child that holds its pipes.
    pub child: bool,
    /// Its behaviour if its stdin contains a string; the first match counts.
    pub when: Vec<(String, Saying)>,
    /// Its behaviour otherwise.
    pub otherwise: Saying,
}

/// A hook's treatment of its stdin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stdin {
    /// Reads it to the end.
    Read,
    /// Never reads it.
    Ignore,
    /// Closes it immediately.
    Close,
}

/// The behaviour of a process.
#[derive(Clone, Debug)]
pub struct Saying {
    /// Its stdout.
    pub stdout: String,
    /// Its stderr.
    pub stderr: String,
    /// Its exit status.
    pub exit: Exit,
    /// The seconds that it waits first.
    pub sleep: f64,
    /// The bytes of noise that it writes to stderr first.
    pub noise: usize,
    /// The stream to which it writes more than we keep: `stdout` or `stderr`.
    pub flood: Option<&'static str>,
}

/// The expected result of a case. Fields that are not set must be empty.
#[derive(Clone, Debug, Default)]
pub struct Expect {
    /// Part of the message with which the payload is refused.
    pub rejected: Option<String>,
    /// Parts of the message with which the configuration is refused.
    pub refused: Vec<String>,
    /// The overall decision.
    pub decision: String,
    /// The hooks that were called, in order, without observers; by default every hook once.
    pub asked: Vec<String>,
    /// The observers that were shown the event.
    pub observers: Vec<String>,
    /// Every reason, as `hook: text`.
    pub reasons: Vec<String>,
    /// The whole input, if it was edited.
    pub input: Option<Map>,
    /// The output, if it was edited.
    pub output: Option<String>,
    /// The prompt, if it was edited.
    pub prompt: Option<String>,
    /// Every text for the model, as `hook: text`.
    pub context: Vec<String>,
    /// Every text for the user, as `hook: text`.
    pub notices: Vec<String>,
    /// The request to end the turn, as `hook: text`.
    pub stop: Option<String>,
    /// The request to retry: `true`, or the changed keys.
    pub retry: Option<Value>,
    /// Every failure, as `hook: text`.
    pub failures: Vec<String>,
    /// Fields of each payload that each hook was shown.
    pub saw: BTreeMap<String, Vec<Map>>,
    /// Variables in the environment of each hook.
    pub env: BTreeMap<String, Map>,
    /// Variables that are in no hook's environment.
    pub no_env: Vec<String>,
    /// The directory in which each hook ran.
    pub ran_in: BTreeMap<String, String>,
    /// The fate of the children that hooks left behind.
    pub children: Option<Children>,
}

/// The fate of a child that a hook left behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Children {
    /// Killed together with its hook.
    Killed,
    /// Still running.
    Alive,
}

/// Returns the directory `corpus/semantics`.
pub fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/semantics")
}

/// Returns every case of the directory, in the order of files and lines. A duplicate name is an error.
pub fn load(directory: &Path) -> Result<Vec<Case>, String> {
    let entries = fs::read_dir(directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.retain(|file| file.file_name().is_some_and(|name| name != lines::FILE));
    files.sort();
    let mut cases: Vec<Case> = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        for case in read::cases(&text).map_err(|error| format!("{}: {error}", file.display()))? {
            if cases.iter().any(|other| other.name == case.name) {
                return Err(format!("{}: duplicate case `{}`", file.display(), case.name));
            }
            cases.push(case);
        }
    }
    Ok(cases)
}

impl Case {
    /// Returns the case with its placeholders filled in: `{dir}` is a directory of the run, `{x*1000}` a
    /// thousand letters.
    #[must_use]
    pub fn filled(&self, dir: &str) -> Self {
        let mut case = self.clone();
        let Expect { input, saw, env, ran_in, .. } = &mut case.expect;
        for fields in [&mut case.payload]
            .into_iter()
            .chain(input)
            .chain(saw.values_mut().flatten())
            .chain(env.values_mut())
        {
            *fields = fields.iter().map(|(key, value)| (key.clone(), filled_value(value, dir))).collect();
        }
        for text in ran_in.values_mut() {
            *text = filled(text, dir);
        }
        if let Form::Broken(text) = &mut case.form {
            *text = filled(text, dir);
        }
        case
    }
}

fn filled(text: &str, dir: &str) -> String {
    let text = text.replace("{dir}", dir);
    let Some((before, rest)) = text.split_once("{x*") else { return text };
    match rest.split_once('}').map(|(count, after)| (count.parse::<usize>(), after)) {
        Some((Ok(count), after)) => format!("{before}{}{}", "x".repeat(count), filled(after, dir)),
        _ => text,
    }
}

fn filled_value(value: &Value, dir: &str) -> Value {
    match value {
        Value::String(text) => filled(text, dir).into(),
        Value::Array(values) => values.iter().map(|value| filled_value(value, dir)).collect(),
        Value::Object(fields) => {
            fields.iter().map(|(key, value)| (key.clone(), filled_value(value, dir))).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}
