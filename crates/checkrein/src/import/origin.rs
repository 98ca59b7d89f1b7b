//! Whose file it is, seen from what stands in it.

use super::{
    read::Reading,
    rules::{CLAUDE_EVENTS, CODEX_EVENTS},
};
use crate::{
    notation::Notation,
    tree::{Field, Node, Value},
};
use checkrein_core::{EventName, nearest::nearest};
use std::{fmt, str::FromStr};

/// A program whose hooks can be imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// Claude Code: `hooks` in a `settings.json`, or a plugin's `hooks.json`.
    Claude,
    /// OpenAI's Codex: `hooks.json`, or `[hooks]` in a `config.toml`.
    Codex,
    /// The Codex fork whose hooks are `[[hooks.pre_tool_use]]` tables.
    CodexFork,
    /// mini-coding-agent's JSON list.
    List,
}

impl Origin {
    /// Every origin.
    pub const ALL: [Self; 4] = [Self::Claude, Self::Codex, Self::CodexFork, Self::List];

    /// The word for it on the command line and in reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::CodexFork => "codex-fork",
            Self::List => "list",
        }
    }

    /// What it is called in sentences.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Claude => "Claude Code",
            Self::Codex => "Codex",
            Self::CodexFork => "the Codex fork",
            Self::List => "mini-coding-agent",
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A word that is no origin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected `claude`, `codex`, `codex-fork` or `list`, found `{0}`{hint}", hint = hint(.0))]
pub struct UnknownOrigin(String);

fn hint(word: &str) -> String {
    nearest(word, Origin::ALL.map(Origin::as_str))
        .map(|near| format!(", did you mean `{near}`?"))
        .unwrap_or_default()
}

impl FromStr for Origin {
    type Err = UnknownOrigin;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let known = Self::ALL.into_iter().find(|origin| origin.as_str() == text);
        known.ok_or_else(|| UnknownOrigin(text.to_owned()))
    }
}

/// An origin, and what speaks against it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub(super) origin: Origin,
    pub(super) doubt: Option<&'static str>,
}

const DOUBT_CLAUDE: &str = "Claude Code and Codex write such a file alike, and this one could be either's. It was read \
                            as Claude Code's; `--from codex` reads it as Codex's";
const DOUBT_CODEX: &str = "Claude Code and Codex write such a file alike, and this one has signs of both. It was read as \
                           Codex's; `--from claude` reads it as Claude Code's";

/// The origin of a file; `None` if it is nobody's, which is then in the report.
pub(super) fn recognise(
    root: &Node<'_>,
    notation: Notation,
    said: Option<Origin>,
    reading: &mut Reading<'_, '_>,
) -> Option<Known> {
    if let Some(origin) = said {
        return fits(origin, root, notation, reading).then_some(Known { origin, doubt: None });
    }
    let sure = |origin| Some(Known { origin, doubt: None });
    match (notation, &root.value) {
        (Notation::Json, Value::List(_)) => sure(Origin::List),
        (_, Value::Table(fields)) => {
            let Some(hooks) = fields.iter().find(|field| field.key == "hooks") else {
                nothing(root, fields, reading);
                return None;
            };
            match notation {
                Notation::Json => Some(claude_or_codex(fields, hooks)),
                Notation::Toml if is_fork(hooks) => sure(Origin::CodexFork),
                Notation::Toml => sure(Origin::Codex),
            }
        }
        (_, _) => {
            nothing(root, &[], reading);
            None
        }
    }
}

/// Whether a file that is said to be of `origin` can be.
fn fits(origin: Origin, root: &Node<'_>, notation: Notation, reading: &mut Reading<'_, '_>) -> bool {
    let expected = match (origin, notation, &root.value) {
        (Origin::Claude, Notation::Json, Value::Table(_))
        | (Origin::Codex, _, Value::Table(_))
        | (Origin::CodexFork, Notation::Toml, Value::Table(_))
        | (Origin::List, Notation::Json, Value::List(_)) => return true,
        (Origin::Claude, _, _) => "Claude Code's settings are a JSON object",
        (Origin::Codex, _, _) => "Codex's hooks are a JSON object, or stand in TOML below `[hooks]`",
        (Origin::CodexFork, _, _) => "the fork's hooks stand in TOML, as `[[hooks.pre_tool_use]]`",
        (Origin::List, _, _) => "expected a JSON list of hooks",
    };
    reading.problem("", &root.span, expected, None);
    false
}

fn nothing(root: &Node<'_>, fields: &[Field<'_>], reading: &mut Reading<'_, '_>) {
    let (message, hint) = if fields.iter().any(|field| field.key == "hook") {
        ("this is a configuration of Checkrein already", "there is nothing to import; it loads as it is")
    } else {
        (
            "there are no hooks in it",
            "known are `hooks` of Claude Code and Codex, the Codex fork's `[[hooks.<event>]]`, and a JSON list of hooks",
        )
    };
    let start = root.span.start;
    reading.problem("", &(start..start), message, Some(hint));
}

/// The fork names events in lower case, and puts the command straight into the entry.
fn is_fork(hooks: &Field<'_>) -> bool {
    let Value::Table(events) = &hooks.node.value else { return false };
    events.iter().any(|event| match &event.node.value {
        Value::List(entries) => {
            event.key.starts_with(|c: char| c.is_ascii_lowercase())
                || entries.iter().any(|entry| has(entry, "command") || has(entry, "commands"))
        }
        _ => event.key == "disable_all_hooks",
    })
}

fn has(node: &Node<'_>, key: &str) -> bool {
    matches!(&node.value, Value::Table(fields) if fields.iter().any(|field| field.key == key))
}

/// Both write the same file; small things give one away.
fn claude_or_codex(root: &[Field<'_>], hooks: &Field<'_>) -> Known {
    let sure = |origin| Known { origin, doubt: None };
    // Codex rejects a file that has any other key.
    if root.iter().any(|field| !matches!(&*field.key, "hooks" | "description")) {
        return sure(Origin::Claude);
    }
    let mut signs = Signs::default();
    if let Value::Table(events) = &hooks.node.value {
        events.iter().for_each(|event| signs.look_at(event));
    }
    match signs {
        Signs { codex_key: true, claude: false, .. } | Signs { codex: true, claude: false, .. } => {
            sure(Origin::Codex)
        }
        Signs { codex_key: true, .. } => Known { origin: Origin::Codex, doubt: Some(DOUBT_CODEX) },
        Signs { claude: true, codex: false, .. } => sure(Origin::Claude),
        Signs { .. } => Known { origin: Origin::Claude, doubt: Some(DOUBT_CLAUDE) },
    }
}

/// What points to one of the two.
#[derive(Default)]
struct Signs {
    claude: bool,
    codex: bool,
    /// A key that means nothing to Claude Code.
    codex_key: bool,
}

impl Signs {
    fn look_at(&mut self, event: &Field<'_>) {
        let is_one_of = |events: &[EventName]| events.iter().any(|known| known.as_str() == event.key);
        self.codex |= is_one_of(CODEX_EVENTS) && !is_one_of(CLAUDE_EVENTS);
        self.claude |= is_one_of(CLAUDE_EVENTS) && !is_one_of(CODEX_EVENTS);
        let Value::List(groups) = &event.node.value else { return };
        for Node { value, .. } in groups {
            let Value::Table(fields) = value else { continue };
            for field in fields {
                match (&*field.key, &field.node.value) {
                    ("matcher", Value::Text(text)) => {
                        self.codex |= text.contains("apply_patch") || text.contains("spawn_agent");
                    }
                    ("hooks", Value::List(handlers)) => {
                        let any = |keys: &[&str]| {
                            handlers.iter().any(|handler| keys.iter().any(|key| has(handler, key)))
                        };
                        self.codex_key |=
                            any(&["commandWindows", "command_windows", "additionalContextLimit"]);
                        self.claude |=
                            any(&["args", "shell", "asyncRewake", "onFailure", "if", "once", "url"]);
                        self.claude |= handlers.iter().any(names_claude);
                    }
                    _ => {}
                }
            }
        }
    }
}

/// Codex does not set this variable.
fn names_claude(handler: &Node<'_>) -> bool {
    let Value::Table(fields) = &handler.value else { return false };
    fields.iter().any(|field| {
        matches!(&field.node.value, Value::Text(text) if field.key == "command" && text.contains("CLAUDE_PROJECT_DIR"))
    })
}
