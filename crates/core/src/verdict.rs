//! The answer of one hook.

use crate::{Decision, Event, Map, Output};

/// The answer of one hook. `Verdict::default()` has no opinion.
///
/// ```
/// use checkrein_core::{Decision, Verdict};
/// let verdict = Verdict::deny("the build directory is shared").with_context("use `make clean` instead");
/// assert_eq!(verdict.decision, Decision::Deny);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[must_use]
pub struct Verdict {
    /// The decision.
    pub decision: Decision,
    /// The reason, for the model and the user.
    pub reason: Option<String>,
    /// The requested change.
    pub edit: Option<Edit>,
    /// Texts for the model.
    pub context: Vec<String>,
    /// A text for the user.
    pub notice: Option<String>,
    /// The reason to end the agent's turn, if it should end.
    pub stop: Option<String>,
    /// A request to retry the failed call.
    pub retry: Option<Retry>,
}

impl Verdict {
    /// Creates a verdict without an opinion.
    pub fn abstain() -> Self {
        Self::default()
    }

    /// Creates an `allow` (see [`Decision::Allow`]).
    pub fn allow() -> Self {
        Self { decision: Decision::Allow, ..Self::default() }
    }

    /// Creates a verdict that asks the user.
    pub fn ask(reason: impl Into<String>) -> Self {
        Self { decision: Decision::Ask, reason: Some(reason.into()), ..Self::default() }
    }

    /// Creates a denial: the call must not run, or the model must not see its result.
    pub fn deny(reason: impl Into<String>) -> Self {
        Self { decision: Decision::Deny, reason: Some(reason.into()), ..Self::default() }
    }

    /// Creates a verdict with a change and no objection.
    pub fn edit(edit: Edit) -> Self {
        Self { edit: Some(edit), ..Self::default() }
    }

    /// Sets the reason.
    pub fn with_reason(mut self, reason: impl Into<String>) -> Self {
        self.reason = Some(reason.into());
        self
    }

    /// Adds a text for the model.
    pub fn with_context(mut self, context: impl Into<String>) -> Self {
        self.context.push(context.into());
        self
    }

    /// Ends the agent's turn.
    pub fn with_stop(mut self, reason: impl Into<String>) -> Self {
        self.stop = Some(reason.into());
        self
    }
}

/// A change to the payload.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// Replaces the whole input of the call.
    Input(Map),
    /// Sets these keys of the input and keeps the others.
    MergeInput(Map),
    /// Replaces the result of the tool, or the error text of a failed call. Empty is a valid replacement.
    Output(Output),
    /// Replaces the prompt.
    Prompt(String),
}

impl Edit {
    /// Returns true if `event` carries what this edit would change. An edit that does not fit is a failure of the
    /// hook, since running the unedited call would defeat the edit.
    pub const fn fits(&self, event: &Event) -> bool {
        match self {
            Self::Input(_) | Self::MergeInput(_) => {
                matches!(event, Event::PreToolUse { .. } | Event::PermissionRequest { .. })
            }
            Self::Output(_) => event.output().is_some(),
            Self::Prompt(_) => matches!(event, Event::UserPromptSubmit { .. }),
        }
    }
}

/// A record of what an edit changed, for the trail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// These top-level keys of the input changed.
    Input(Vec<String>),
    /// The output, or the error text, changed.
    Output,
    /// The prompt changed.
    Prompt,
}

impl Edit {
    /// Applies an edit that [`fits`](Self::fits) and returns what it changed. An edit that does not fit changes
    /// nothing.
    pub(crate) fn apply(self, event: &mut Event) -> Option<Change> {
        match (self, event) {
            (Self::Input(input), Event::PreToolUse { call } | Event::PermissionRequest { call }) => {
                Some(call.replace_input(input)).filter(|keys| !keys.is_empty()).map(Change::Input)
            }
            (Self::MergeInput(changes), Event::PreToolUse { call } | Event::PermissionRequest { call }) => {
                Some(call.merge_input(changes)).filter(|keys| !keys.is_empty()).map(Change::Input)
            }
            (
                Self::Output(edited),
                Event::PostToolUse { output, .. } | Event::PostToolUseFailure { error: output, .. },
            ) => output.replace(edited).then_some(Change::Output),
            (Self::Prompt(edited), Event::UserPromptSubmit { prompt }) => {
                let changed = *prompt != edited;
                *prompt = edited;
                changed.then_some(Change::Prompt)
            }
            _ => None,
        }
    }
}

/// A request of a failure hook to run the call again. The retried call is dispatched from the start.
#[derive(Clone, Debug, PartialEq)]
pub enum Retry {
    /// Retry with the same input.
    Same,
    /// Retry with these keys of the input changed.
    With(Map),
}
