//! The kinds of tools: those that the author names, and the notice about those without a name.

use crate::{context::Context, errors};
use checkrein::{Event, EventName, Payload, ToolKind};
use pyo3::prelude::*;
use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, PoisonError},
};

/// The kinds that the author of an application gave its tools.
#[derive(Clone, Default)]
pub(crate) struct Kinds {
    named: Arc<HashMap<String, ToolKind>>,
    /// True if the guard judges calls by their kinds.
    guards: bool,
    /// The tools that a notice was given about.
    told: Arc<Mutex<HashSet<String>>>,
}

impl Kinds {
    pub(crate) fn new(words: HashMap<String, String>, guards: bool) -> PyResult<Self> {
        let kind = |(name, word): (String, String)| Ok((name, word.parse().map_err(errors::value)?));
        let named = words.into_iter().map(kind).collect::<PyResult<_>>()?;
        Ok(Self { named: Arc::new(named), guards, told: Arc::default() })
    }

    /// Sets the kind of a call. If the author did not name it and the guard will judge an argument by its name, the user is told
    /// once.
    pub(crate) fn apply(&self, payload: &mut Payload, context: &mut Context) {
        let (Event::PreToolUse { call }
        | Event::PermissionRequest { call }
        | Event::PermissionDenied { call }
        | Event::PostToolUse { call, .. }
        | Event::PostToolUseFailure { call, .. }) = &mut payload.event
        else {
            return;
        };
        let given = [call.host_name.as_ref(), Some(&call.name)];
        if let Some(kind) = given.into_iter().flatten().find_map(|name| self.named.get(name)) {
            call.kind = *kind;
            return;
        }
        let Some((argument, kind)) = call.assumed_kind().filter(|_| self.guards) else { return };
        let name = call.host_name.as_ref().unwrap_or(&call.name);
        if self.told.lock().unwrap_or_else(PoisonError::into_inner).insert(name.clone()) {
            let text = format!(
                "the kind of the tool `{name}` is not known; its `{argument}` is judged as that of a {kind} tool \
                 (`kinds={{\"{name}\": \"{kind}\"}}` sets the kind)"
            );
            context.notices.push(("checkrein".to_owned(), text));
        }
    }
}

/// Returns the kinds of tools.
#[pyfunction]
pub(crate) fn tool_kinds() -> Vec<&'static str> {
    ToolKind::ALL.iter().map(|kind| kind.as_str()).collect()
}

/// Returns the names of all events.
#[pyfunction]
pub(crate) fn events() -> Vec<&'static str> {
    EventName::ALL.iter().map(|name| name.as_str()).collect()
}
