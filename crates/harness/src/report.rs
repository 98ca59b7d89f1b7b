//! Reports: exactly one for each call.

use crate::tool::Cause;
use checkrein_core::{
    Decision, Dispatcher, Entry, EventName, HookText, Outcome, Output, Role, Step, Stop, ToolCall,
};
use std::time::Duration;

/// The report of one call.
#[derive(Clone, Debug)]
#[must_use]
pub struct Report {
    /// The call as it ran, or as it would have run. [`ToolCall::original_input`] is what the model sent.
    pub call: ToolCall,
    /// The number of attempts.
    pub attempt: u32,
    /// The way in which the call ended.
    pub ending: Ending,
    /// The text for the model: the tool's result with every edit, its error text, or the reason why it did not run.
    pub output: Output,
    /// True if the tool's result was withheld from the model; `output` says why.
    pub withheld: bool,
    pub(crate) is_error: bool,
    /// The first request to end the turn.
    pub stop: Option<Stop>,
    /// The notes of hooks, in the order of the calls.
    pub notes: Vec<Note>,
    /// The time that each part took, if the pipeline is [timed](crate::Builder::timed).
    pub times: Option<Times>,
    /// The answers of all hooks, event by event, if the pipeline is [timed](crate::Builder::timed).
    pub trail: Vec<Dispatched>,
}

/// The time that each part of a call took, over all attempts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// The time in which a call of a batch was ready to run, and others ran.
    pub waited: Duration,
    /// The time in hooks.
    pub hooks: Duration,
    /// The time in which an approval was pending.
    pub approval: Duration,
    /// The time in the tool.
    pub tool: Duration,
}

/// The answers of all hooks to one event of a call.
#[derive(Clone, Debug)]
pub struct Dispatched {
    /// The event.
    pub event: EventName,
    /// The number of the attempt.
    pub attempt: u32,
    steps: Vec<Step>,
    hooks: Dispatcher,
}

impl Dispatched {
    pub(crate) const fn new(event: EventName, attempt: u32, steps: Vec<Step>, hooks: Dispatcher) -> Self {
        Self { event, attempt, steps, hooks }
    }

    /// Returns each answer with the name of its hook, in the order of the calls.
    pub fn steps(&self) -> impl Iterator<Item = (&str, &Step)> {
        self.steps.iter().map(|step| {
            let entry = self.hooks.entries().get(step.index);
            (entry.map_or(crate::OURS, Entry::name), step)
        })
    }
}

/// The way in which a call ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The tool ran and succeeded.
    Ran,
    /// The tool did not run: the override of this name answered instead.
    AnsweredBy(String),
    /// The tool ran and failed.
    Failed(Cause),
    /// The tool does not exist.
    UnknownTool,
    /// The input does not fit the tool, as the model sent it or as hooks changed it.
    InvalidInput,
    /// A hook denied the call.
    Denied,
    /// The call needed approval and did not get it.
    NotApproved,
    /// The call did not start, because a hook ended the turn before, or because there is no runtime to run it.
    NotStarted,
    /// The call was cancelled.
    Cancelled,
}

/// A text of a hook about a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The hook.
    pub hook: String,
    /// The kind, which says who the note is for.
    pub kind: NoteKind,
    /// The text.
    pub text: String,
}

/// The kind of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoteKind {
    /// The reason for the hook's decision.
    Reason(Decision),
    /// A text for the model.
    Context,
    /// A text for the user.
    Notice,
    /// The failure of the hook. The decision shows what the failure became.
    Failure,
}

impl Report {
    /// Returns true if the model should treat the output as an error. An after-hook can turn an error into a success
    /// and back; `ending` still says what the tool did.
    pub const fn is_error(&self) -> bool {
        self.is_error
    }

    /// Returns true if the tool ran.
    pub const fn has_run(&self) -> bool {
        matches!(self.ending, Ending::Ran | Ending::Failed(_))
    }

    /// Returns the notes of one kind.
    pub fn notes_of(&self, kind: NoteKind) -> impl Iterator<Item = &Note> {
        self.notes.iter().filter(move |note| note.kind == kind)
    }

    /// Returns the output followed by the texts of hooks for the model, each with the name of its hook, for hosts
    /// with one text per call.
    pub fn for_model(&self) -> String {
        let mut text = self.output.text().to_owned();
        for note in self.notes_of(NoteKind::Context) {
            text.push_str(&format!("\n[{}: {}]", note.hook, note.text));
        }
        text
    }
}

/// The reports of the calls of one message, in their order.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Batch {
    /// One report for each call.
    pub reports: Vec<Report>,
    /// The first request to end the turn.
    pub stop: Option<Stop>,
    /// The notes of hooks about the batch as a whole.
    pub notes: Vec<Note>,
}

/// Returns the notes of an outcome, in the order of configuration, failures last.
pub(crate) fn notes_of(outcome: &Outcome) -> Vec<Note> {
    let is_silent = |step: &Step| {
        step.reason.is_none() && step.context.is_empty() && step.notice.is_none() && step.failure.is_none()
    };
    // Most hooks have nothing to say about most calls.
    if outcome.trail.iter().all(is_silent) {
        return Vec::new();
    }
    let note =
        |said: &HookText<'_>, kind| Note { hook: said.hook.to_owned(), kind, text: said.text.to_owned() };
    let reasons = outcome.reasons();
    let reasons = reasons.iter().map(|said| note(said, NoteKind::Reason(said.decision)));
    let contexts = outcome.contexts();
    let contexts = contexts.iter().map(|said| note(said, NoteKind::Context));
    let notices = outcome.notices();
    let notices = notices.iter().map(|said| note(said, NoteKind::Notice));
    let failed = outcome.trail.iter().filter(|step| step.role != Role::Observe).filter_map(|step| {
        let text = step.failure.as_ref()?.to_string();
        Some(Note { hook: outcome.hook(step).to_owned(), kind: NoteKind::Failure, text })
    });
    reasons.chain(contexts).chain(notices).chain(failed).collect()
}

/// Returns why something was blocked, with the name of each hook that denied it.
pub(crate) fn blocked(outcome: &Outcome) -> String {
    let lines: Vec<String> = outcome
        .deciders()
        .iter()
        .map(|said| match said.text {
            "" => format!("blocked by {}", said.hook),
            text => format!("blocked by {}: {text}", said.hook),
        })
        .collect();
    lines.join("\n")
}
