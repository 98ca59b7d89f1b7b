//! Calls the after-hooks on a result or an error text, before the model sees it.

use super::{CallRun, End};
use crate::{Approval, Asker, Ending, Subject, ToolError, Tools, hooks::Cancelled};
use checkrein::{Decision, Event, EventName, Outcome, Output, Retry};

impl<T: Tools> CallRun<T> {
    pub(super) async fn succeeded(&mut self, ending: Ending, output: Output) -> End {
        if !self.handle.shared.hooks.concerns(EventName::PostToolUse, Some(&self.call)) {
            return End::new(ending, output);
        }
        let asked = self.ask(|call| Event::PostToolUse { call, output }, EventName::PostToolUse).await;
        // Without the after-hooks nothing was redacted, so the result is not shown.
        let Ok(Some(outcome)) = asked else { return End::cancelled() };
        self.as_left_by(outcome, ending).await
    }

    pub(super) async fn failed(&mut self, error: ToolError) -> (End, Option<Retry>) {
        let ToolError { text, cause } = error;
        let ending = Ending::Failed(cause);
        if !self.handle.shared.hooks.concerns(EventName::PostToolUseFailure, Some(&self.call)) {
            return (End::new(ending, text), None);
        }
        let event = |call| Event::PostToolUseFailure { call, error: text };
        let Ok(Some(mut outcome)) = self.ask(event, EventName::PostToolUseFailure).await else {
            return (End::cancelled(), None);
        };
        let retry = outcome.retry.take();
        (self.as_left_by(outcome, ending).await, retry)
    }

    /// Returns the text as edited by the after-hooks, or the reason if they withhold it from the model.
    async fn as_left_by(&self, mut outcome: Outcome, ending: Ending) -> End {
        if outcome.decision == Decision::Ask {
            let empty = Output::default();
            let output = outcome.payload.event.output().unwrap_or(&empty);
            let subject = Subject::Output(&self.call, output);
            match self.question(subject, Asker::Hook, outcome.deciders()).await {
                Ok(Approval::Yes) => {}
                Ok(Approval::No(_)) | Err(Cancelled) => outcome.decision = Decision::Deny,
            }
        }
        let withheld = outcome.decision == Decision::Deny;
        let why = if withheld { why_withheld(&outcome) } else { String::new() };
        let output = match outcome.payload.event {
            Event::PostToolUse { output, .. } | Event::PostToolUseFailure { error: output, .. } => output,
            // No other event gets here.
            _ => Output::default(),
        };
        let output = if withheld {
            // If the shape of the result has no place for the reason, the shape is dropped as well.
            let withheld = output.withheld(why.clone());
            if withheld.native().is_some() { withheld } else { why.into() }
        } else {
            output
        };
        End { ending, output, withheld }
    }
}

fn why_withheld(outcome: &Outcome) -> String {
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
