//! Reads from a tool call what it would run, and which files it would touch.
//!
//! Hosts name the same thing differently, so there is a list of names for each. A call may also have several of them:
//! all are judged, since it is not known here which one the host would use.

use super::patch;
use crate::Action;
use checkrein_core::{Map, ToolCall, ToolKind, json::type_name};
use serde_json::Value;
use std::borrow::Cow;

const COMMANDS: &[&str] = &["command", "cmd", "script"];
const DIRECTORIES: &[&str] = &["cwd", "workdir", "working_directory", "dir_path", "directory"];
const PATHS: &[&str] = &[
    "file_path",
    "path",
    "notebook_path",
    "filename",
    "filePath",
    "filepath",
    "absolute_path",
    "target_file",
    "file",
];
const CONTENTS: &[&str] = &["content", "new_string", "file_text", "new_source", "newString", "new_str"];
const PATCHES: &[&str] = &["patch", "input", "patchText", "diff", "command"];
/// Lists of changes, each of which may name a file of its own.
const CHANGES: &[&str] = &["edits", "replacements"];

/// The command that a call of a shell tool would run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolCommand<'a> {
    /// A text for a shell.
    Shell(&'a str),
    /// A text for PowerShell.
    PowerShell(&'a str),
    /// A program with its arguments, which no shell looks at.
    Arguments(Vec<String>),
    /// Nothing that can be understood, and why.
    NotUnderstood(String),
}

impl<'a> ToolCommand<'a> {
    /// Returns the command that a call of a shell tool would run; `None` if it is a call of another tool.
    pub fn of(call: &'a ToolCall) -> Option<Self> {
        command(call)
    }
}

/// A file that a call would touch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileAccess<'a> {
    /// The action on it.
    pub action: Action,
    /// Its path, as the call names it.
    pub path: Cow<'a, str>,
    /// The content that is written, if that is known.
    pub content: Option<Cow<'a, str>>,
}

impl<'a> FileAccess<'a> {
    /// Returns the files that a call of a file tool would touch; none if it is a call of another tool, or if it cannot be understood.
    pub fn of(call: &'a ToolCall) -> Vec<Self> {
        touches(call).unwrap_or_default()
    }
}

/// The reason why the files of a call are unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Unreadable {
    /// It says something else than what such a call says.
    Wrong(String),
    /// It says nothing that is known here.
    Missing(String),
}

/// Returns the command that a call of a shell tool would run; `None` if it is a call of another tool.
pub(super) fn command(call: &ToolCall) -> Option<ToolCommand<'_>> {
    if call.kind != ToolKind::Shell {
        return None;
    }
    let mut said = said(&call.input, COMMANDS);
    let Some((key, value)) = said.next() else {
        // It watches a socket instead, and runs nothing.
        if is_called(call, &["Monitor"]) && call.input.get("ws").is_some_and(Value::is_object) {
            return None;
        }
        return Some(ToolCommand::NotUnderstood("`command` is missing".to_owned()));
    };
    if let Some((other, _)) = said.find(|(_, other)| *other != value) {
        let why =
            format!("`{key}` and `{other}` are two commands, and only the tool knows which of them runs");
        return Some(ToolCommand::NotUnderstood(why));
    }
    let wrong = |value: &Value| {
        let found = type_name(value);
        ToolCommand::NotUnderstood(format!("`{key}` should be a text or a list of texts, found {found}"))
    };
    Some(match value {
        Value::String(text) if is_called(call, &["powershell", "pwsh"]) => ToolCommand::PowerShell(text),
        Value::String(text) => ToolCommand::Shell(text),
        Value::Array(words) if words.is_empty() => {
            ToolCommand::NotUnderstood(format!("`{key}` is a list without a program"))
        }
        Value::Array(words) => match words.iter().find(|word| !word.is_string()) {
            Some(other) => ToolCommand::NotUnderstood(format!(
                "`{key}` should be a list of texts, found {} in it",
                type_name(other)
            )),
            None => {
                ToolCommand::Arguments(words.iter().filter_map(Value::as_str).map(str::to_owned).collect())
            }
        },
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => wrong(value),
    })
}

/// Returns true if the tool has one of these names, ours or the host's.
fn is_called(call: &ToolCall, names: &[&str]) -> bool {
    let mut called = call.host_name.iter().chain([&call.name]);
    called.any(|called| names.iter().any(|name| called.eq_ignore_ascii_case(name)))
}

/// The working directory that a call names itself.
pub(super) fn directory(call: &ToolCall) -> Option<&str> {
    DIRECTORIES.iter().find_map(|key| call.text(key))
}

/// The files that a call of a file tool would touch. A call of another tool touches none.
pub(super) fn touches(call: &ToolCall) -> Result<Vec<FileAccess<'_>>, Unreadable> {
    match call.kind {
        ToolKind::Edit | ToolKind::Write if is_called(call, &["apply_patch", "ApplyPatch"]) => patched(call),
        ToolKind::Read => named(Action::Read, &call.input),
        ToolKind::Write => named(Action::Write, &call.input),
        ToolKind::Edit => named(Action::Append, &call.input),
        ToolKind::Delete => named(Action::Delete, &call.input),
        ToolKind::Search if is_called(call, &["grep"]) => searched(&call.input),
        _ => Ok(Vec::new()),
    }
}

/// The files that the arguments name, and what is written there.
fn named(action: Action, input: &Map) -> Result<Vec<FileAccess<'_>>, Unreadable> {
    let mut touches = of_fields(action, input)?;
    let here = touches.last().map(|touch| touch.path.clone());
    for (key, value) in said(input, CHANGES) {
        let Value::Array(changes) = value else { return Err(wrong(key, "a list", value)) };
        for change in changes {
            let Value::Object(change) = change else { return Err(wrong(key, "a list of objects", change)) };
            let own = of_fields(action, change)?;
            if own.is_empty()
                && let (Some(path), Some(content)) = (&here, content(change))
            {
                touches.push(FileAccess { action, path: path.clone(), content: Some(content.into()) });
            }
            touches.extend(own);
        }
    }
    if touches.is_empty() {
        Err(Unreadable::Missing("`file_path` is missing".to_owned()))
    } else {
        Ok(touches)
    }
}

fn of_fields(action: Action, input: &Map) -> Result<Vec<FileAccess<'_>>, Unreadable> {
    let mut touches: Vec<FileAccess<'_>> = Vec::new();
    for (key, value) in said(input, PATHS) {
        let Value::String(path) = value else { return Err(wrong(key, "a path", value)) };
        if touches.iter().all(|touch| touch.path != *path) {
            touches.push(FileAccess { action, path: path.into(), content: content(input).map(Cow::from) });
        }
    }
    Ok(touches)
}

/// A search prints what it finds, so it reads. Without a path it is about the project.
fn searched(input: &Map) -> Result<Vec<FileAccess<'_>>, Unreadable> {
    let mut touches = of_fields(Action::Read, input)?;
    if let Some(pattern) = input.get("glob").and_then(Value::as_str) {
        let directory = touches.first().map_or(Cow::from("."), |touch| touch.path.clone());
        touches.push(FileAccess {
            action: Action::Read,
            path: format!("{directory}/{pattern}").into(),
            content: None,
        });
    }
    Ok(touches)
}

fn patched(call: &ToolCall) -> Result<Vec<FileAccess<'_>>, Unreadable> {
    let mut touches = of_fields(Action::Append, &call.input)?;
    for (key, value) in said(&call.input, PATCHES) {
        match value {
            Value::String(text) => patch::touches(text, &mut touches)?,
            // As a list the patch is the last argument, and the words before it name no file.
            Value::Array(words) => {
                for word in words.iter().filter_map(Value::as_str) {
                    patch::touches(word, &mut touches)?;
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => {
                return Err(wrong(key, "a patch", value));
            }
        }
    }
    if touches.is_empty() {
        return Err(Unreadable::Missing("the patch names no file (`*** Update File: x`)".to_owned()));
    }
    Ok(touches)
}

fn content(input: &Map) -> Option<&str> {
    CONTENTS.iter().find_map(|key| input.get(*key)?.as_str())
}

/// The arguments of these names. One that is null is not there.
fn said<'a>(
    input: &'a Map,
    keys: &'static [&'static str],
) -> impl Iterator<Item = (&'static str, &'a Value)> {
    keys.iter().filter_map(|key| Some((*key, input.get(*key).filter(|value| !value.is_null())?)))
}

fn wrong(key: &str, expected: &str, found: &Value) -> Unreadable {
    Unreadable::Wrong(format!("`{key}` should be {expected}, found {}", type_name(found)))
}
