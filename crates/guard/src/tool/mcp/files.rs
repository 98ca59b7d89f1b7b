//! The effects of a tool's arguments on files.

use super::{
    Tool, ToolAction,
    kinds::{self, RUNNERS},
};
use crate::{
    Action,
    tool::{
        arguments::{self, Argument, Meaning, words},
        call::FileAccess,
        patch,
    },
};
use checkrein_core::Map;
use serde_json::Value;
use std::borrow::Cow;

impl Tool {
    /// The files that an argument says would be touched.
    pub(super) fn touches<'a>(&self, argument: &Argument<'a>, deeds: &mut Vec<ToolAction<'a>>) {
        let Some(meaning) = argument.meaning() else { return };
        let about_files = self.has_any(kinds::FILES);
        let asked = arguments::of(argument.beside, Meaning::Action)
            .chain(arguments::of(argument.beside, Meaning::Command))
            .find_map(|word| kinds::action(&words(word)));
        let written = arguments::of(argument.beside, Meaning::Content).next().is_some();
        let named = flagged(argument.beside).or(asked).or_else(|| kinds::action(&self.own));
        let action = match meaning {
            Meaning::Patch => {
                let mut touches = Vec::new();
                let read =
                    argument.texts().into_iter().try_for_each(|text| patch::touches(text, &mut touches));
                if touches.is_empty() {
                    argument.texts().into_iter().for_each(|text| patch::diffed(text, &mut touches));
                }
                deeds.extend(touches.into_iter().map(ToolAction::FileAccess));
                deeds.extend(read.err().map(|_| ToolAction::TooMany));
                return;
            }
            Meaning::Output => Some(Action::Write),
            Meaning::Local if self.has_any(kinds::FILLING) => Some(Action::Write),
            Meaning::Local => Some(Action::Read),
            Meaning::Target if about_files || !self.of_server => Some(Action::Write),
            Meaning::Source if self.has_any(RUNNERS) => None,
            Meaning::Source if about_files || !self.of_server => named,
            // A name that only files of this machine have.
            Meaning::File => named.or(Some(if written { Action::Append } else { Action::Read })),
            Meaning::Path if about_files => {
                named.filter(|_| self.of_server).or_else(|| self.of_host(named, written))
            }
            Meaning::Path => self.of_host(named, written),
            // An address without its scheme is a file.
            Meaning::Address if argument.texts().iter().all(|text| text.starts_with(['/', '~', '.'])) => {
                self.of_host(named, written)
            }
            _ => None,
        };
        // What only lists names touches no content.
        let Some(action) = action.filter(|action| *action != Action::Run) else { return };
        let content = sibling_content(argument.beside);
        for path in argument.texts() {
            let path = path.strip_prefix("file://").unwrap_or(path);
            let content = content.clone().filter(|_| action != Action::Read);
            deeds.push(ToolAction::FileAccess(FileAccess { action, path: path.into(), content }));
        }
    }

    /// The paths of this machine that an argument names, whatever it is called.
    pub(super) fn given<'a>(&self, argument: &Argument<'a>) -> Vec<ToolAction<'a>> {
        let asked =
            arguments::of(argument.beside, Meaning::Action).find_map(|word| kinds::action(&words(word)));
        let action = match flagged(argument.beside).or(asked).or_else(|| kinds::action(&self.own)) {
            _ if self.has_any(kinds::OPENS) => Some(Action::Mode),
            // What is copied is read, and where it goes is written.
            Some(Action::Read) if argument.meaning() == Some(Meaning::Target) => Some(Action::Write),
            Some(action) => Some(action),
            None if self.has_any(kinds::FILLING) || self.has_any(kinds::FILLS) => Some(Action::Write),
            None => None,
        };
        let texts = argument.texts().into_iter().chain([argument.name]);
        let paths = texts.map(|text| text.strip_prefix("file://").unwrap_or(text));
        let is_path = |path: &&str| {
            (path.starts_with(['/', '~']) || path.starts_with("../"))
                && path.len() > 2
                && path.len() < 4096
                && !path.contains(char::is_whitespace)
        };
        paths.filter(is_path).map(|path| ToolAction::Given { action, path }).collect()
    }

    /// Returns the action of a host's tool on a path.
    fn of_host(&self, named: Option<Action>, written: bool) -> Option<Action> {
        let unnamed = if written { Action::Append } else { Action::Read };
        (!self.of_server).then(|| named.unwrap_or(unnamed))
    }
}

/// Returns what a switch says that also happens to the files: `"deleteAfter": true`.
fn flagged(map: &Map) -> Option<Action> {
    let on = map.iter().filter(|(_, value)| **value == Value::Bool(true));
    let mut actions = on.filter_map(|(name, _)| kinds::action(&words(name)));
    actions.find(|action| matches!(action, Action::Delete | Action::Move))
}

/// The files that an object names.
pub(super) fn files_in(map: &Map) -> Vec<&str> {
    arguments::of(map, Meaning::File).chain(arguments::of(map, Meaning::Path)).collect()
}

/// Returns the content that is written to a file in the same object.
fn sibling_content(map: &Map) -> Option<Cow<'_, str>> {
    if let Some(text) = arguments::of(map, Meaning::Content).next() {
        return Some(text.into());
    }
    let lists = map.values().filter_map(Value::as_array).flatten().filter_map(Value::as_object);
    let changed: Vec<&str> = lists
        .filter(|change| files_in(change).is_empty())
        .flat_map(|change| arguments::of(change, Meaning::Content).collect::<Vec<_>>())
        .collect();
    (!changed.is_empty()).then(|| changed.join("\n").into())
}
