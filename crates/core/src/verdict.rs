//! What one hook says.

use crate::{Decision, Event, Map, Output};

/// The answer of one hook. `Verdict::default()` is silence.
///
/// ```
/// use checkrein_core::{Decision, Verdict};
/// let verdict = Verdict::deny("the build directory is shared").with_context("use `make clean` instead");
/// assert_eq!(verdict.decision, Decision::Deny);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[must_use]
pub struct Verdict {
    /// How strict.
    pub decision: Decision,
    /// Why, for the model and the user.
    pub reason: Option<String>,
    /// What to change.
    pub edit: Option<Edit>,
    /// What the model should know.
    pub context: Vec<String>,
    /// What the user should know.
    pub notice: Option<String>,
    /// End the agent's turn, for this reason.
    pub stop: Option<String>,
    /// Try the failed call once more.
    pub retry: Option<Retry>,
}

impl Verdict {
    /// Nothing to say.
    pub fn abstain() -> Self {
        Self::default()
    }

    /// An `allow` (see [`Decision::Allow`]).
    pub fn allow() -> Self {
        Self { decision: Decision::Allow, ..Self::default() }
    }

    /// The user should be asked.
    pub fn ask(reason: impl Into<String>) -> Self {
        Self { decision: Decision::Ask, reason: Some(reason.into()), ..Self::default() }
    }

    /// It should not happen, or not be shown to the model.
    pub fn deny(reason: impl Into<String>) -> Self {
        Self { decision: Decision::Deny, reason: Some(reason.into()), ..Self::default() }
    }

    /// A change, and no objection.
    pub fn edit(edit: Edit) -> Self {
        Self { edit: Some(edit), ..Self::default() }
    }

    /// The same with a reason.
    pub fn with_reason(mut self, reason: impl Into<String>) -> Self {
        self.reason = Some(reason.into());
        self
    }

    /// The same with one more text for the model.
    pub fn with_context(mut self, context: impl Into<String>) -> Self {
        self.context.push(context.into());
        self
    }

    /// The same, and the agent's turn ends.
    pub fn with_stop(mut self, reason: impl Into<String>) -> Self {
        self.stop = Some(reason.into());
        self
    }
}

/// A change to what the hook was shown.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// Replace the whole input of the call.
    Input(Map),
    /// Set these keys of the input and leave the others.
    MergeInput(Map),
    /// Replace what the tool answered, or the text of its failure. Empty is a valid replacement.
    Output(Output),
    /// Replace the prompt.
    Prompt(String),
}

impl Edit {
    /// Whether `event` has what this would change. An edit that does not fit is a failure of the hook, since running
    /// the unedited call would defeat it.
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

/// What an edit changed, for the trail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// These top-level keys of the input.
    Input(Vec<String>),
    /// The output, or the text of the failure.
    Output,
    /// The prompt.
    Prompt,
}

impl Edit {
    /// Applies an edit that [`fits`](Self::fits), and says what it changed. An edit that does not fit changes nothing.
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

/// A failure hook's wish to run the call once more. The retried call goes through the whole pass again.
#[derive(Clone, Debug, PartialEq)]
pub enum Retry {
    /// With the same input.
    Same,
    /// With these keys of the input changed.
    With(Map),
}
