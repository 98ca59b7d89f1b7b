//! The answer of one hook.

use crate::{Decision, Event, Map, Output, tool::changed_keys};

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
    /// The kind of result to tell the model, if the hook turns an error into a success or back.
    pub result: Option<ResultKind>,
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

    /// Creates a verdict that sets these keys of the input and keeps the others.
    ///
    /// ```
    /// use checkrein_core::{Edit, Map, Verdict};
    /// let changes: Map = [("command".to_owned(), "ls -l".into())].into_iter().collect();
    /// assert_eq!(Verdict::rewrite(changes.clone()).edit, Some(Edit::MergeInput(changes)));
    /// ```
    pub fn rewrite(changes: Map) -> Self {
        Self::edit(Edit::MergeInput(changes))
    }

    /// Creates a verdict that replaces the result of the tool, or the error text of a failed call.
    ///
    /// ```
    /// use checkrein_core::{Edit, Verdict};
    /// assert_eq!(Verdict::replace_output("[redacted]").edit, Some(Edit::Output("[redacted]".into())));
    /// ```
    pub fn replace_output(output: impl Into<Output>) -> Self {
        Self::edit(Edit::Output(output.into()))
    }

    /// Creates a request to run a failed call again with the same input.
    ///
    /// ```
    /// use checkrein_core::{Retry, Verdict};
    /// assert_eq!(Verdict::retry().retry, Some(Retry::Same));
    /// ```
    pub fn retry() -> Self {
        Self { retry: Some(Retry::Same), ..Self::default() }
    }

    /// Creates a request to run a failed call again with these keys of the input changed.
    pub fn retry_with(changes: Map) -> Self {
        Self { retry: Some(Retry::With(changes)), ..Self::default() }
    }

    /// Sets the kind of result that the model is told.
    ///
    /// ```
    /// use checkrein_core::{ResultKind, Verdict};
    /// let harmless = Verdict::replace_output("nothing found").with_result(ResultKind::Success);
    /// assert_eq!(harmless.result, Some(ResultKind::Success));
    /// ```
    pub const fn with_result(mut self, result: ResultKind) -> Self {
        self.result = Some(result);
        self
    }

    /// Sets the text for the user.
    ///
    /// ```
    /// use checkrein_core::Verdict;
    /// let verdict = Verdict::abstain().with_notice("formatted 2 files");
    /// assert_eq!(verdict.notice.as_deref(), Some("formatted 2 files"));
    /// ```
    pub fn with_notice(mut self, notice: impl Into<String>) -> Self {
        self.notice = Some(notice.into());
        self
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

/// The kind of a tool's result, as a model is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResultKind {
    /// The tool did what it was asked to do.
    Success,
    /// The tool failed.
    Error,
}

/// A change to the payload.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// Replaces the whole input of the call, or the whole request to a model.
    Input(Map),
    /// Sets these keys of the input, or of the request to a model, and keeps the others.
    MergeInput(Map),
    /// Replaces the result of the tool, the error text of a failed call, or the answer of a model. Empty is a valid
    /// replacement.
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
                matches!(
                    event,
                    Event::PreToolUse { .. } | Event::PermissionRequest { .. } | Event::ModelRequest { .. }
                )
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

fn keys(changed: Vec<String>) -> Option<Change> {
    Some(changed).filter(|keys| !keys.is_empty()).map(Change::Input)
}

impl Edit {
    /// Applies an edit that [`fits`](Self::fits) and returns what it changed. An edit that does not fit changes
    /// nothing.
    pub(crate) fn apply(self, event: &mut Event) -> Option<Change> {
        match (self, event) {
            (Self::Input(input), Event::PreToolUse { call } | Event::PermissionRequest { call }) => {
                keys(call.replace_input(input))
            }
            (Self::Input(input), Event::ModelRequest { request }) => {
                let changed = changed_keys(request, &input);
                *request = input;
                keys(changed)
            }
            (Self::MergeInput(changes), Event::ModelRequest { request }) => {
                let mut input = request.clone();
                input.extend(changes);
                let changed = changed_keys(request, &input);
                *request = input;
                keys(changed)
            }
            (Self::MergeInput(changes), Event::PreToolUse { call } | Event::PermissionRequest { call }) => {
                keys(call.merge_input(changes))
            }
            (
                Self::Output(edited),
                Event::PostToolUse { output, .. }
                | Event::PostToolUseFailure { error: output, .. }
                | Event::ModelResponse { response: output },
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
