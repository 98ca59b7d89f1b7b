//! Calls the after-hooks on a result or an error text, before the model sees it.

use super::{CallRun, End};
use crate::{Approval, Asker, Ending, Subject, ToolError, Tools, hooks::Cancelled};
use checkrein_core::{Decision, Event, EventName, Outcome, Output, ResultKind, Retry};

impl<T: Tools> CallRun<T> {
    pub(super) async fn succeeded(&mut self, ending: Ending, output: Output) -> End {
        if !self.hooks.concerns(EventName::PostToolUse, Some(&self.call)) {
            return End::new(ending, output);
        }
        let asked = self.ask_with(|call| Event::PostToolUse { call, output }, EventName::PostToolUse).await;
        // Without the after-hooks nothing was redacted, so the result is not shown.
        let Ok(Some(outcome)) = asked else { return End::cancelled() };
        self.as_left_by(outcome, ending).await
    }

    pub(super) async fn failed(&mut self, error: ToolError) -> (End, Option<Retry>) {
        let ToolError { text, cause } = error;
        let ending = Ending::Failed(cause);
        if !self.hooks.concerns(EventName::PostToolUseFailure, Some(&self.call)) {
            return (End::new(ending, text), None);
        }
        let event = |call| Event::PostToolUseFailure { call, error: text };
        let Ok(Some(mut outcome)) = self.ask_with(event, EventName::PostToolUseFailure).await else {
            return (End::cancelled(), None);
        };
        let retry = outcome.retry.take();
        (self.as_left_by(outcome, ending).await, retry)
    }

    /// Returns the text as edited by the after-hooks, or the reason if they withhold it from the model.
    async fn as_left_by(&mut self, mut outcome: Box<Outcome>, ending: Ending) -> End {
        if outcome.decision == Decision::Ask {
            let empty = Output::default();
            let output = outcome.payload.event.output().unwrap_or(&empty);
            let subject = Subject::Output(&self.call, output);
            let (answer, took) = self.question(subject, Asker::Hook, outcome.deciders()).await;
            self.spent_on_approval(took);
            match answer {
                Ok(Approval::Yes) => {}
                Ok(Approval::No(_)) | Err(Cancelled) => outcome.decision = Decision::Deny,
            }
        }
        let withheld = outcome.decision == Decision::Deny;
        let why = if withheld { why_withheld(&outcome) } else { String::new() };
        let turned = outcome.result;
        let output = match outcome.payload.event {
            Event::PostToolUse { output, .. } | Event::PostToolUseFailure { error: output, .. } => output,
            // No other event gets here.
            _ => Output::default(),
        };
        if withheld {
            return End { withheld, is_error: true, ..End::new(ending, withheld_by(output, why)) };
        }
        let end = End::new(ending, output);
        End { is_error: turned.map_or(end.is_error, |kind| kind == ResultKind::Error), ..end }
    }
}

/// Returns the reason in the shape of the result. If that has no place for it, the shape is dropped as well.
pub(crate) fn withheld_by(output: Output, why: String) -> Output {
    let withheld = output.withheld(why.clone());
    if withheld.native().is_some() { withheld } else { why.into() }
}

/// Returns why a text was withheld, with the name of each hook that withholds it.
pub(crate) fn why_withheld(outcome: &Outcome) -> String {
    let lines: Vec<String> = outcome
        .deciders()
        .iter()
        .map(|said| match said.text {
            "" => format!("withheld by {}", said.hook),
            text => format!("withheld by {}: {text}", said.hook),
        })
        .collect();
    if lines.is_empty() { "withheld: not approved".to_owned() } else { lines.join("\n") }
}
