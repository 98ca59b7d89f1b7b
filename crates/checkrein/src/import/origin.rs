//! Detects which program a hooks file belongs to, by its content.

use super::read::Reading;
use crate::config::{
    format::Notation,
    tree::{Field, Node, NodeValue},
};
use checkrein_core::nearest::nearest;
use checkrein_hosts::{choice, import::Format};
use std::{fmt, str::FromStr};

/// A program whose hooks can be imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// An agent whose files have Claude Code's form: `hooks` in a `settings.json`, a `hooks.json`, or `[hooks]` in TOML.
    Host(&'static Format),
    /// The Codex fork whose hooks are `[[hooks.pre_tool_use]]` tables.
    CodexFork,
    /// mini-coding-agent's JSON list.
    List,
}

impl Origin {
    /// Every origin.
    pub fn all() -> impl Iterator<Item = Self> {
        formats().map(Self::Host).chain([Self::CodexFork, Self::List])
    }

    /// The word for it on the command line and in reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Host(format) => format.name(),
            Self::CodexFork => "codex-fork",
            Self::List => "list",
        }
    }

    /// Returns its name in sentences.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Host(format) => format.title(),
            Self::CodexFork => "the Codex fork",
            Self::List => "mini-coding-agent",
        }
    }
}

/// The formats of every host whose files can be imported.
fn formats() -> impl Iterator<Item = &'static Format> {
    checkrein_hosts::ALL.iter().filter_map(|host| host.import)
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A word that is not an origin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {known}, found `{0}`{hint}", known = choice(Origin::all().map(Origin::as_str)), hint = hint(.0))]
pub struct UnknownOrigin(String);

fn hint(word: &str) -> String {
    nearest(word, Origin::all().map(Origin::as_str))
        .map(|near| format!(", did you mean `{near}`?"))
        .unwrap_or_default()
}

impl FromStr for Origin {
    type Err = UnknownOrigin;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let known = Self::all().find(|origin| origin.as_str() == text);
        known.ok_or_else(|| UnknownOrigin(text.to_owned()))
    }
}

/// An origin, and what speaks against it.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) origin: Origin,
    pub(super) doubt: Option<String>,
}

/// Returns the remark about a file that could belong to several.
fn doubt(chosen: &'static Format, all: &[&'static Format], why: &str) -> String {
    let titles: Vec<&str> = all.iter().map(|format| format.title()).collect();
    let others = all.iter().filter(|format| **format != chosen);
    let others: Vec<String> =
        others.map(|other| format!("`--from {}` reads it as {}'s", other.name(), other.title())).collect();
    format!(
        "{} write such a file alike, and this one {why}. It was read as {}'s; {}",
        and_list(&titles),
        chosen.title(),
        others.join(", ")
    )
}

/// Returns names as a list in a sentence.
fn and_list(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Returns the origin of a file; `None` if it has none, which is then in the report.
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
        (Notation::Json, NodeValue::List(_)) => sure(Origin::List),
        (_, NodeValue::Table(fields)) => {
            let Some(hooks) = fields.iter().find(|field| field.key == "hooks") else {
                nothing(root, fields, reading);
                return None;
            };
            match notation {
                Notation::Json => host_of(fields, hooks),
                Notation::Toml if is_fork(hooks) => sure(Origin::CodexFork),
                Notation::Toml => formats().find(|format| format.toml).map(Origin::Host).and_then(sure),
            }
        }
        (_, _) => {
            nothing(root, &[], reading);
            None
        }
    }
}

/// Returns true if a file can belong to the given origin.
fn fits(origin: Origin, root: &Node<'_>, notation: Notation, reading: &mut Reading<'_, '_>) -> bool {
    let expected = match (origin, notation, &root.value) {
        (Origin::Host(_), Notation::Json, NodeValue::Table(_)) => return true,
        (Origin::Host(format), Notation::Toml, NodeValue::Table(_)) if format.toml => return true,
        (Origin::CodexFork, Notation::Toml, NodeValue::Table(_))
        | (Origin::List, Notation::Json, NodeValue::List(_)) => return true,
        (Origin::Host(format), _, _) => format.shape,
        (Origin::CodexFork, _, _) => "the fork's hooks are TOML, as `[[hooks.pre_tool_use]]`",
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
    let NodeValue::Table(events) = &hooks.node.value else { return false };
    events.iter().any(|event| match &event.node.value {
        NodeValue::List(entries) => {
            event.key.starts_with(|c: char| c.is_ascii_lowercase())
                || entries.iter().any(|entry| has(entry, "command") || has(entry, "commands"))
        }
        _ => event.key == "disable_all_hooks",
    })
}

fn has(node: &Node<'_>, key: &str) -> bool {
    matches!(&node.value, NodeValue::Table(fields) if fields.iter().any(|field| field.key == key))
}

/// Several write the same file; small things give one away.
fn host_of(root: &[Field<'_>], hooks: &Field<'_>) -> Option<Known> {
    let sure = |format| Some(Known { origin: Origin::Host(format), doubt: None });
    // Some reject a file that has any other key.
    let reads = |format: &&'static Format| root.iter().all(|field| format.accepts(&field.key));
    let flat = is_flat(hooks);
    let fits = |format: &&'static Format| flat.is_none_or(|flat| format.entries.flat == flat);
    let mut candidates: Vec<&'static Format> = formats().filter(reads).filter(fits).collect();
    // A host that knows none of the events did not write the file, unless a key is certainly its own.
    let knows = |format: &&'static Format| match &hooks.node.value {
        NodeValue::Table(events) => events.iter().any(|event| format.event(&event.key).is_some()),
        _ => true,
    };
    let all = candidates.clone();
    if candidates.iter().any(knows) {
        candidates.retain(|format| knows(format) || sign_of(format, &all, hooks) == Sign::Certain);
    }
    let all = candidates.clone();
    candidates.retain(|format| !format.needs_sign || sign_of(format, &all, hooks) > Sign::None);
    if let [only] = candidates.as_slice() {
        return sure(*only);
    }
    let mut signs: Vec<(&'static Format, Sign)> =
        candidates.iter().map(|format| (*format, sign_of(format, &candidates, hooks))).collect();
    signs.retain(|(_, sign)| *sign > Sign::None);
    if let [(only, _)] = signs.as_slice() {
        return sure(*only);
    }
    let certain = signs.iter().find(|(_, sign)| *sign == Sign::Certain).map(|(format, _)| *format);
    let chosen = certain.or_else(|| candidates.first().copied())?;
    let why = if certain.is_some() { "has signs of several" } else { "could be from any of them" };
    Some(Known { origin: Origin::Host(chosen), doubt: Some(doubt(chosen, &candidates, why)) })
}

/// Returns whether the entries of events are handlers and not groups; `None` if there is none.
fn is_flat(hooks: &Field<'_>) -> Option<bool> {
    let NodeValue::Table(events) = &hooks.node.value else { return None };
    let mut entries = events.iter().flat_map(|event| match &event.node.value {
        NodeValue::List(entries) => entries.as_slice(),
        _ => &[],
    });
    entries.next().map(|entry| !has(entry, "hooks") && ["command", "bash"].iter().any(|key| has(entry, key)))
}

/// A sign of a host.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sign {
    None,
    Some,
    /// A key that means nothing to any other.
    Certain,
}

/// Returns the sign in a file of one of the hosts that could have written it.
fn sign_of(format: &Format, all: &[&Format], hooks: &Field<'_>) -> Sign {
    let NodeValue::Table(events) = &hooks.node.value else { return Sign::None };
    let mut found = Sign::None;
    for event in events {
        let fires = |format: &Format| format.event(&event.key).is_some();
        if fires(format) && !all.iter().any(|other| *other != format && fires(other)) {
            found = found.max(Sign::Some);
        }
        let NodeValue::List(groups) = &event.node.value else { continue };
        if format.entries.flat {
            found = groups
                .iter()
                .map(|entry| sign_of_handler(format, entry))
                .max()
                .unwrap_or(Sign::None)
                .max(found);
        }
        for Node { value, .. } in groups {
            let NodeValue::Table(fields) = value else { continue };
            for field in fields {
                match (&*field.key, &field.node.value) {
                    ("matcher", NodeValue::Text(text))
                        if format.signs.matcher.iter().any(|word| text.contains(word)) =>
                    {
                        found = found.max(Sign::Some);
                    }
                    ("hooks", NodeValue::List(handlers)) => {
                        let signs = handlers.iter().map(|handler| sign_of_handler(format, handler));
                        found = signs.max().unwrap_or(Sign::None).max(found);
                    }
                    _ => {}
                }
            }
        }
    }
    found
}

fn sign_of_handler(format: &Format, handler: &Node<'_>) -> Sign {
    let any = |keys: &[&str]| keys.iter().any(|key| has(handler, key));
    let NodeValue::Table(fields) = &handler.value else { return Sign::None };
    let names = |word: &&str| {
        fields.iter().any(|field| {
            matches!(&field.node.value, NodeValue::Text(text) if field.key == "command" && text.contains(*word))
        })
    };
    if any(format.signs.certain) {
        Sign::Certain
    } else if any(format.signs.handler) || format.signs.command.iter().any(names) {
        Sign::Some
    } else {
        Sign::None
    }
}
