//! The corpus of semantics: `corpus/semantics/*.toml`, cases as data.
//!
//! A case is an event, a list of hooks with what each would *print*, and what must come of it. Because a hook's answer
//! is what a process says, the same case runs through every door: [`library`] scripts the hooks in process,
//! [`program`] writes real scripts and a configuration and starts the program. What only a process can show (its
//! environment, its children) is checked by the doors that start one.
//!
//! The format is described in `corpus/semantics/README.md`.

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
    /// The line that it shows, and what of it: `M33`, `M33-ask-then-deny`.
    pub name: String,
    /// The rule in one sentence.
    pub about: String,
    /// The event, as flat JSON.
    pub payload: Map,
    /// How the hooks are configured.
    pub form: Form,
    /// The hooks, in order.
    pub hooks: Vec<HookCase>,
    /// What must come of it.
    pub expect: Expect,
}

/// How the hooks of a case are configured where a configuration is needed.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// As `[[hook]]` tables.
    Toml,
    /// As the ancestors' JSON list.
    JsonList,
    /// This very text, which is not a valid configuration.
    Broken(String),
}

/// One hook of a case.
#[derive(Clone, Debug)]
pub struct HookCase {
    /// Its name.
    pub name: String,
    /// Its event; that of the payload unless it is written.
    pub event: EventName,
    /// Its role; `Plain` if none is written.
    pub role: Role,
    /// The patterns of its scope, if it has any.
    pub only: Option<Vec<String>>,
    /// The patterns that its scope leaves out.
    pub except: Vec<String>,
    /// What its failure becomes, if that is written.
    pub on_failure: Option<OnFailure>,
    /// Whether its `allow` counts.
    pub may_allow: bool,
    /// Its time limit in seconds, if one is written.
    pub timeout: Option<f64>,
    /// The arguments of its program, which is then configured as a list.
    pub args: Option<Vec<String>>,
    /// Its working directory (`session` or `config`), if that is written.
    pub cwd: Option<String>,
    /// Its program is not there.
    pub missing: bool,
    /// What it does with its stdin.
    pub stdin: Stdin,
    /// It leaves a child that goes on running and holds its pipes.
    pub child: bool,
    /// What it does if its stdin holds a text; the first that fits.
    pub when: Vec<(String, Saying)>,
    /// What it does otherwise.
    pub otherwise: Saying,
}

/// What a hook does with its stdin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stdin {
    /// Reads it to the end.
    Read,
    /// Never looks at it.
    Ignore,
    /// Closes it at once.
    Close,
}

/// What a process does before it ends.
#[derive(Clone, Debug)]
pub struct Saying {
    /// What it prints.
    pub stdout: String,
    /// What it prints on stderr.
    pub stderr: String,
    /// How it ends.
    pub exit: Exit,
    /// How many seconds it waits first.
    pub sleep: f64,
    /// How many bytes of noise it writes on stderr first.
    pub noise: usize,
    /// The stream that it writes more on than we keep: `stdout` or `stderr`.
    pub flood: Option<&'static str>,
}

/// What must come of a case. What is not named must not be there.
#[derive(Clone, Debug, Default)]
pub struct Expect {
    /// The payload is refused with a message that holds this.
    pub rejected: Option<String>,
    /// The configuration is refused with a message that holds these.
    pub refused: Vec<String>,
    /// The decision of the whole.
    pub decision: String,
    /// Who was asked, in this order, observers left out; every hook once unless it is written.
    pub asked: Vec<String>,
    /// Which observers were shown the event.
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
    /// The wish to end the turn, as `hook: text`.
    pub stop: Option<String>,
    /// The wish to try again: `true`, or the changed keys.
    pub retry: Option<Value>,
    /// Every failure, as `hook: text`.
    pub failures: Vec<String>,
    /// What each hook was shown, each time: these fields, and others.
    pub saw: BTreeMap<String, Vec<Map>>,
    /// What the environment of each hook holds.
    pub env: BTreeMap<String, Map>,
    /// What the environment of no hook holds.
    pub no_env: Vec<String>,
    /// The directory in which each hook ran.
    pub ran_in: BTreeMap<String, String>,
    /// What becomes of the children that hooks left behind.
    pub children: Option<Children>,
}

/// What becomes of a child that a hook left behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Children {
    /// It is killed together with its hook.
    Killed,
    /// It goes on.
    Alive,
}

/// The directory `corpus/semantics`.
pub fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/semantics")
}

/// Every case of the directory, in the order of files and lines. A duplicate name is an error.
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
    /// The case with its placeholders filled in: `{dir}` is a directory of the run, `{x*1000}` a thousand letters.
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
