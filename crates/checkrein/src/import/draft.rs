//! An imported hook before it is written as configuration.

use super::{Status, write};
use crate::Config;
use checkrein_core::{EventName, OnFailure, Role, ToolCall, ToolKind};
use checkrein_exec::{Cwd, Program};
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// The tools that a hook is for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Tools {
    /// All, and events without a tool.
    #[default]
    All,
    /// Those that one of our patterns matches.
    Only(Vec<String>),
    /// Not expressible in our language: the origin's text.
    Untold(String),
}

impl Tools {
    pub(super) fn as_json(&self) -> Value {
        match self {
            Self::All | Self::Untold(_) => Value::Null,
            Self::Only(patterns) => patterns.clone().into(),
        }
    }
}

/// The place of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Hook,
    Match,
    Command,
    Role,
    Timeout,
    OnFailure,
    Cwd,
    Env,
}

/// Tells if a note is about a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weight {
    /// It only explains.
    Same,
    /// The hook means something else here.
    Changed,
}

/// Something to be said at a key.
#[derive(Clone, Debug)]
pub(super) struct Note {
    pub(super) at: Key,
    pub(super) weight: Weight,
    pub(super) text: String,
}

/// One hook.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) place: String,
    pub(super) line: usize,
    pub(super) was: Value,
    pub(super) event: Option<EventName>,
    pub(super) name: Option<String>,
    pub(super) tools: Tools,
    pub(super) program: Option<Program>,
    pub(super) role: Role,
    pub(super) timeout: Option<f64>,
    pub(super) on_failure: Option<OnFailure>,
    pub(super) cwd: Cwd,
    pub(super) env: Vec<String>,
    /// The host whose payload and answers it knows.
    pub(super) written_for: Option<String>,
    pub(super) notes: Vec<Note>,
    pub(super) refusals: Vec<String>,
}

impl Draft {
    pub(super) fn new(place: String, line: usize, was: Value) -> Self {
        Self {
            place,
            line,
            was,
            event: None,
            name: None,
            tools: Tools::All,
            program: None,
            role: Role::Plain,
            timeout: None,
            on_failure: None,
            cwd: Cwd::Session,
            env: Vec::new(),
            written_for: None,
            notes: Vec::new(),
            refusals: Vec::new(),
        }
    }

    /// Says something that changes nothing.
    pub(super) fn explain(&mut self, at: Key, text: impl Into<String>) {
        self.notes.push(Note { at, weight: Weight::Same, text: text.into() });
    }

    /// Adds a note about a difference.
    pub(super) fn change(&mut self, at: Key, text: impl Into<String>) {
        self.notes.push(Note { at, weight: Weight::Changed, text: text.into() });
    }

    /// Leaves it to the user.
    pub(super) fn refuse(&mut self, reason: impl Into<String>) {
        let reason = reason.into();
        if !self.refusals.contains(&reason) {
            self.refusals.push(reason);
        }
    }

    pub(super) fn status(&self) -> Status {
        if !self.refusals.is_empty() {
            Status::Refused
        } else if self.changes().next().is_some() {
            Status::Changed
        } else {
            Status::Imported
        }
    }

    pub(super) fn changes(&self) -> impl Iterator<Item = &str> {
        self.notes.iter().filter(|note| note.weight == Weight::Changed).map(|note| note.text.as_str())
    }

    pub(super) fn program_json(&self) -> Value {
        match &self.program {
            None => Value::Null,
            Some(Program::Shell(text)) => text.clone().into(),
            Some(Program::List(words)) => words.clone().into(),
            Some(Program::Callable(_)) => Value::Null,
        }
    }

    pub(super) fn callable_json(&self) -> Value {
        match &self.program {
            Some(Program::Callable(callable)) => callable.path.clone().into(),
            Some(Program::Shell(_) | Program::List(_)) | None => Value::Null,
        }
    }

    /// Names that only the origin's own tools have: under another agent the hook would silently never run.
    pub(super) fn warn_of_foreign_names(&mut self) {
        let Tools::Only(patterns) = &self.tools else { return };
        let foreign: Vec<(String, ToolKind)> = patterns
            .iter()
            .filter(|name| name.starts_with(|c: char| c.is_ascii_lowercase()))
            .map(|name| (name.clone(), ToolKind::of(name)))
            .filter(|(_, kind)| !matches!(kind, ToolKind::Other | ToolKind::Mcp))
            .collect();
        for (name, kind) in foreign {
            let text =
                format!("`{name}` is a name of this origin; `kind:{kind}` means such tools of every agent");
            self.explain(Key::Match, text);
        }
    }

    /// Adds `twin` wherever `name` is matched: the origin knows one tool under both names.
    pub(super) fn also_known_as(&mut self, name: &str, twin: &str, why: &str) {
        let Tools::Only(patterns) = &mut self.tools else { return };
        let hits = |patterns: &[String], name: &str| {
            let call = ToolCall::new(name, checkrein_core::Map::new());
            patterns.iter().any(|text| {
                text.parse::<checkrein_core::Pattern>().is_ok_and(|pattern| pattern.matches(&call))
            })
        };
        if hits(patterns, name) && !hits(patterns, twin) {
            patterns.push(twin.to_owned());
            self.explain(Key::Match, why);
        }
    }

    /// The last check: a hook that our own reader rejects is refused, with the reader's message.
    pub(super) fn settle(&mut self) {
        if !self.refusals.is_empty() {
            return;
        }
        if let Err(problems) = Config::parse(&write::hook(self), "import".as_ref()) {
            for problem in problems.iter() {
                self.refuse(problem.message());
            }
        }
    }
}

/// Gives a second name to hooks of one event that share one: our configuration wants each for itself.
pub(super) fn unique_names(hooks: &mut [Draft]) {
    let mut taken: HashSet<(EventName, String)> =
        hooks.iter().filter_map(|hook| Some((hook.event?, hook.name.clone()?))).collect();
    let mut last: HashMap<(EventName, String), usize> = HashMap::new();
    for hook in hooks {
        let (Some(event), Some(name)) = (hook.event, hook.name.clone()) else { continue };
        let last = last.entry((event, name.clone())).or_default();
        *last += 1;
        if *last == 1 {
            continue;
        }
        loop {
            let free = format!("{name}-{last}");
            if taken.insert((event, free.clone())) {
                hook.name = Some(free);
                break;
            }
            *last += 1;
        }
        hook.explain(
            Key::Hook,
            format!("another hook of `{event}` is named `{name}` too, so this one has a number"),
        );
    }
}
