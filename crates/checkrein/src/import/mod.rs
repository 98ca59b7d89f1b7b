//! Converts hooks of other programs into our configuration.
//!
//! Users already have hooks. An importer that is right nine times in ten is worse than none, since the tenth hook is
//! a guard that never runs again; so everything is either translated exactly, or it is *refused*: it is in the result
//! as a comment with the reason, and the user decides. What is translated but means something else here (a time that
//! is shared, a variable that is not passed on) is explained in a comment next to it, and the origin's rule for
//! failing hooks is kept and shown, because a change there opens or closes a gate.
//!
//! The way: the text becomes the tree that our own configuration is read through (so an error has its place), each
//! origin has a reader that turns its entries into drafts, and one writer makes TOML of them. What
//! it writes is read again before it is shown: a hook that our own reader would not take is refused too.

mod draft;
mod fork;
mod handler;
mod host;
mod list;
mod matcher;
mod origin;
mod permissions;
mod prefix_rules;
mod read;
mod regex;
mod rules;
mod shell;
#[cfg(test)]
mod tests;
mod text;
mod write;

pub use origin::{Origin, UnknownOrigin};

use crate::{
    Config,
    config::{
        format::Notation,
        json_list,
        problem::{ConfigError, Problem, ProblemCollector},
        read_file, toml_file,
    },
};
use checkrein_core::{EventName, Role};
use draft::Draft;
use read::Reading;
use serde_json::{Value, json};
use std::path::Path;

/// The result of importing one hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It means the same here.
    Imported,
    /// It was imported, and something about it is different here.
    Changed,
    /// It is only a comment in the result.
    Refused,
}

impl Status {
    /// The word for it in reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Imported => "imported",
            Self::Changed => "changed",
            Self::Refused => "refused",
        }
    }
}

/// The hooks of another program's file, translated.
///
/// ```
/// use checkrein::{Config, import::Import};
/// let settings = r#"{"hooks": {"PreToolUse": [
///     {"matcher": "Bash", "hooks": [{"type": "command", "command": "./guard.sh", "timeout": 10}]}
/// ]}}"#;
/// let import = Import::parse(settings, "settings.json".as_ref(), None)?;
/// let config = Config::parse(import.toml(), "hooks.toml".as_ref())?;
/// assert!(import.toml().contains("on_failure = \"ignore\""));
/// # Ok::<(), checkrein::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Import {
    origin: Origin,
    file: String,
    toml: String,
    remarks: Vec<String>,
    hooks: Vec<Draft>,
}

/// One hook of an import.
#[derive(Clone, Copy, Debug)]
pub struct Imported<'a>(&'a Draft);

/// The content of a file.
#[derive(Debug, Default)]
struct Found {
    hooks: Vec<Draft>,
    /// The commands that the origin lets an agent run without a question.
    allowed: Vec<String>,
    /// Remarks about the file as a whole.
    remarks: Vec<String>,
    /// Differences that apply to all of its hooks.
    rules: Vec<String>,
}

impl Import {
    /// Reads the file at `path`, whose kind is seen from its content unless `origin` says it.
    pub fn load(path: &Path, origin: Option<Origin>) -> Result<Self, ConfigError> {
        let bytes = read_file::read(path).map_err(|error| Problem::of_file(path, error))?;
        match std::str::from_utf8(&bytes) {
            Ok(text) => Self::parse(text, path, origin),
            Err(error) => {
                let line = bytes.iter().take(error.valid_up_to()).filter(|byte| **byte == b'\n').count() + 1;
                Err(Problem::of_file(path, format_args!("the text is not UTF-8 in line {line}")).into())
            }
        }
    }

    /// Reads `text` as if it were in the file at `path`, which need not exist.
    pub fn parse(text: &str, path: &Path, origin: Option<Origin>) -> Result<Self, ConfigError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if prefix_rules::is_known(text)
            && let Ok(codex) = "codex".parse()
            && origin.is_none_or(|origin| origin == codex)
        {
            return Self::of(codex, path, prefix_rules::read(text));
        }
        let mut report = ProblemCollector::new(path, text);
        let notation = if json_list::is_json(text) { Notation::Json } else { Notation::Toml };
        let root = match notation {
            Notation::Toml => toml_file::parse(text, &mut report),
            Notation::Json => json_list::parse(text, &mut report),
        };
        let Some(root) = root else {
            report.finish()?;
            return Err(Problem::of_file(path, "the text cannot be read").into());
        };
        let mut reading = Reading::new(&mut report, notation, text);
        let known = origin::recognise(&root, notation, origin, &mut reading);
        let found = known.as_ref().map(|known| match known.origin {
            Origin::Host(format) => host::read(root, format, &mut reading),
            Origin::CodexFork => fork::read(root, &mut reading),
            Origin::List => list::read(root, &mut reading),
        });
        report.finish()?;
        let (Some(known), Some(mut found)) = (known, found) else {
            return Err(Problem::of_file(path, "nothing in it is known").into());
        };
        // TOML tables come in alphabetical order, and users expect the order of the file.
        found.hooks.sort_by_key(|hook| hook.line);
        draft::unique_names(&mut found.hooks);
        found.hooks.iter_mut().for_each(Draft::settle);
        found.remarks.extend(known.doubt);
        Self::of(known.origin, path, found)
    }

    /// Writes what was found as a configuration.
    fn of(origin: Origin, path: &Path, found: Found) -> Result<Self, ConfigError> {
        let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let toml = write::file(origin, &file, &found);
        // The result is read with our own limits.
        if toml.len() as u64 > read_file::LIMIT {
            return Err(Problem::of_file(path, "its hooks do not fit into one configuration file").into());
        }
        Config::parse(&toml, path)?;
        let Found { hooks, remarks, .. } = found;
        Ok(Self { origin, file, toml, remarks, hooks })
    }

    /// Whose file it is.
    pub const fn origin(&self) -> Origin {
        self.origin
    }

    /// Our configuration, with comments. It loads without a problem.
    pub fn toml(&self) -> &str {
        &self.toml
    }

    /// Returns the remarks about the file as a whole.
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// Each hook, in the order of the file.
    pub fn hooks(&self) -> impl Iterator<Item = Imported<'_>> {
        self.hooks.iter().map(Imported)
    }

    /// Returns the number of hooks with this status.
    pub fn count(&self, status: Status) -> usize {
        self.hooks().filter(|hook| hook.status() == status).count()
    }

    /// All of it but the configuration.
    pub fn as_json(&self) -> Value {
        let hooks: Vec<Value> = self.hooks().map(Imported::as_json).collect();
        json!({
            "origin": self.origin.as_str(),
            "file": self.file,
            "imported": self.count(Status::Imported) + self.count(Status::Changed),
            "changed": self.count(Status::Changed),
            "refused": self.count(Status::Refused),
            "remarks": self.remarks,
            "hooks": hooks,
        })
    }
}

impl<'a> Imported<'a> {
    /// Returns its position in its file, such as `hooks.PreToolUse[0].hooks[1]`.
    pub fn place(self) -> &'a str {
        &self.0.place
    }

    /// The line of it, counted from 1.
    pub const fn line(self) -> usize {
        self.0.line
    }

    /// Returns its status.
    pub fn status(self) -> Status {
        self.0.status()
    }

    /// Our event, if it has one.
    pub const fn event(self) -> Option<EventName> {
        self.0.event
    }

    /// Returns why it was refused.
    pub fn reasons(self) -> &'a [String] {
        &self.0.refusals
    }

    /// Returns the differences.
    pub fn changes(self) -> impl Iterator<Item = &'a str> {
        self.0.changes()
    }

    fn as_json(self) -> Value {
        let draft = self.0;
        let mut hook = json!({
            "place": draft.place,
            "line": draft.line,
            "status": self.status().as_str(),
            "event": draft.event.map(EventName::as_str),
        });
        let mut set = |key: &str, value: Value| {
            if let (Some(hook), false) = (hook.as_object_mut(), value.is_null()) {
                hook.insert(key.to_owned(), value);
            }
        };
        set("name", draft.name.clone().into());
        set("tools", draft.tools.as_json());
        set("command", draft.program_json());
        set("callable", draft.callable_json());
        set("written_for", draft.written_for.clone().into());
        set("role", (draft.role != Role::Plain).then(|| draft.role.as_str()).into());
        set("timeout", draft.timeout.into());
        set("on_failure", draft.on_failure.map(|rule| rule.as_str()).into());
        set("env", if draft.env.is_empty() { Value::Null } else { draft.env.clone().into() });
        set("changes", self.changes().collect::<Vec<_>>().into());
        set("reasons", draft.refusals.clone().into());
        set("was", draft.was.clone());
        hook
    }
}
