//! What became of a call: exactly one report for each.

use crate::tool::Cause;
use checkrein::{Decision, Outcome, Output, Role, Said, Stop, ToolCall};

/// What became of one call.
#[derive(Clone, Debug)]
#[must_use]
pub struct Report {
    /// The call as it ran, or as it would have run. [`ToolCall::original_input`] is what the model sent.
    pub call: ToolCall,
    /// How often it was tried.
    pub attempt: u32,
    /// How it ended.
    pub ending: Ending,
    /// What the model is to see: the tool's answer with every edit in it, the text of its failure, or why it was not run.
    pub output: Output,
    /// Whether the tool's answer was kept from the model, and `output` says why.
    pub withheld: bool,
    /// The first wish to end the turn.
    pub stop: Option<Stop>,
    /// What hooks said about it, in the order in which they were heard.
    pub notes: Vec<Note>,
}

/// How a call ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The tool ran and answered.
    Ran,
    /// The tool did not run: the hook of this name answered in its place.
    AnsweredBy(String),
    /// The tool ran and failed.
    Failed(Cause),
    /// There is no such tool.
    UnknownTool,
    /// The input does not fit the tool, as the model sent it or as hooks changed it.
    InvalidInput,
    /// A hook denied it.
    Denied,
    /// Somebody was asked, or would have had to be asked, and did not say yes.
    NotApproved,
    /// A hook ended the turn before it started.
    NotStarted,
    /// It was given up.
    Cancelled,
}

/// A text that a hook left with a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The hook.
    pub hook: String,
    /// For whom it is.
    pub kind: NoteKind,
    /// The text.
    pub text: String,
}

/// For whom a note is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoteKind {
    /// Why the hook decided as it did.
    Reason(Decision),
    /// For the model.
    Context,
    /// For the user.
    Notice,
    /// The hook failed. What that became is in the decision.
    Failure,
}

impl Report {
    /// Whether the model should take the output for an error.
    pub const fn is_error(&self) -> bool {
        match self.ending {
            Ending::Ran | Ending::AnsweredBy(_) => self.withheld,
            Ending::Failed(_)
            | Ending::UnknownTool
            | Ending::InvalidInput
            | Ending::Denied
            | Ending::NotApproved
            | Ending::NotStarted
            | Ending::Cancelled => true,
        }
    }

    /// Whether the tool ran.
    pub const fn has_run(&self) -> bool {
        matches!(self.ending, Ending::Ran | Ending::Failed(_))
    }

    /// The notes of one kind.
    pub fn notes_of(&self, kind: NoteKind) -> impl Iterator<Item = &Note> {
        self.notes.iter().filter(move |note| note.kind == kind)
    }

    /// The output, and below it what hooks want the model to know, each with the name of its hook: what goes into the
    /// conversation where a host has one place for all of it.
    pub fn for_model(&self) -> String {
        let mut text = self.output.text().to_owned();
        for note in self.notes_of(NoteKind::Context) {
            text.push_str(&format!("\n[{}: {}]", note.hook, note.text));
        }
        text
    }
}

/// What became of the calls of one message, in their order.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Batch {
    /// One for each call.
    pub reports: Vec<Report>,
    /// The first wish to end the turn.
    pub stop: Option<Stop>,
    /// What hooks said about the batch as a whole.
    pub notes: Vec<Note>,
}

/// What hooks said, in the order of configuration; failures last.
pub(crate) fn notes_of(outcome: &Outcome) -> Vec<Note> {
    if outcome.trail.is_empty() {
        return Vec::new();
    }
    let note = |said: &Said<'_>, kind| Note { hook: said.hook.to_owned(), kind, text: said.text.to_owned() };
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

/// Why something was blocked, with the name of each hook that wanted it so.
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
