//! A host's own names of events, tools and arguments, and ours for them.

use crate::install::Recipe;
use checkrein_core::{Map, ToolKind};
use serde_json::Value;

/// Pairs of a host's name and ours.
pub(crate) type Names = &'static [(&'static str, &'static str)];

/// A tool of a host. The decoders, the readers of transcripts and the conversion for hooks of other hosts all use it.
#[derive(Clone, Copy, Debug)]
pub struct Tool {
    /// The host's name.
    pub theirs: &'static str,
    /// Our name; the host's if nothing of ours is like it.
    pub ours: &'static str,
    /// Its arguments that have another name in ours.
    pub(crate) arguments: Names,
    sense: Sense,
}

/// The extent to which hooks may take a tool for ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sense {
    /// It takes the arguments of ours, so every hook gets it under our name.
    Same,
    /// Its arguments have other names. Hooks get it under its own name, except those that were written for another host.
    Alike,
    /// Nothing but its kind is known.
    Kind(ToolKind),
}

impl Tool {
    /// A tool that takes the arguments of ours.
    pub(crate) const fn same(theirs: &'static str, ours: &'static str) -> Self {
        Self { theirs, ours, arguments: &[], sense: Sense::Same }
    }

    /// A tool like ours whose arguments have other names.
    pub(crate) const fn alike(theirs: &'static str, ours: &'static str, arguments: Names) -> Self {
        Self { theirs, ours, arguments, sense: Sense::Alike }
    }

    /// A tool with a known kind and unknown arguments.
    pub(crate) const fn of_kind(theirs: &'static str, kind: ToolKind) -> Self {
        Self { theirs, ours: theirs, arguments: &[], sense: Sense::Kind(kind) }
    }

    /// Sets the few arguments of the same tool that have another name.
    pub(crate) const fn with(self, arguments: Names) -> Self {
        Self { arguments, ..self }
    }

    /// Returns true if hooks get it under our name.
    pub const fn is_ours(&self) -> bool {
        matches!(self.sense, Sense::Same)
    }

    /// Returns true if its arguments can be written as those of ours.
    pub(crate) const fn converts(&self) -> bool {
        !matches!(self.sense, Sense::Kind(_))
    }

    /// Returns its kind.
    pub fn kind(&self) -> ToolKind {
        match self.sense {
            Sense::Same | Sense::Alike => ToolKind::of(self.ours),
            Sense::Kind(kind) => kind,
        }
    }

    /// Returns our name of an argument.
    pub(crate) fn argument<'n>(&self, theirs: &'n str) -> &'n str {
        self.arguments.iter().find(|(known, _)| *known == theirs).map_or(theirs, |(_, ours)| ours)
    }

    /// Returns the host's name of an argument of ours.
    pub(crate) fn their_argument<'n>(&self, ours: &'n str) -> &'n str {
        self.arguments.iter().find(|(_, known)| *known == ours).map_or(ours, |(theirs, _)| theirs)
    }
}

/// Returns the tool of this name.
pub(crate) fn tool<'t>(tools: &'t [Tool], theirs: &str) -> Option<&'t Tool> {
    tools.iter().find(|tool| tool.theirs == theirs)
}

/// Replaces the host's name of an event with ours, and keeps the host's.
pub(crate) fn rename_event(fields: &mut Map, recipe: &Recipe) {
    rename(fields, "hook_event_name", "host_event_name", |theirs| {
        recipe.event(theirs).map(|event| event.as_str()).filter(|ours| *ours != theirs)
    });
}

/// Replaces the host's name of a tool with ours where it takes the arguments of ours, and keeps the host's. Of any other tool it
/// adds the kind, where the name does not tell it.
pub(crate) fn rename_tool(fields: &mut Map, tools: &[Tool]) {
    let known = fields.get("tool_name").and_then(Value::as_str).and_then(|name| tool(tools, name));
    let Some(known) = known else { return };
    if known.is_ours() {
        rename(fields, "tool_name", "host_tool_name", |_| {
            Some(known.ours).filter(|ours| *ours != known.theirs)
        });
    } else if known.kind() != ToolKind::of(known.theirs) {
        fields.insert("tool_kind".to_owned(), known.kind().as_str().into());
    }
}

fn rename(fields: &mut Map, field: &str, kept: &str, ours: impl Fn(&str) -> Option<&'static str>) {
    let Some(Value::String(name)) = fields.get_mut(field) else { return };
    let Some(ours) = ours(name) else { return };
    let theirs = std::mem::replace(name, ours.to_owned());
    fields.insert(kept.to_owned(), theirs.into());
}
