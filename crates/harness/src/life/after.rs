//! After a tool: what hooks make of its answer or of the text of its failure, before the model sees either.

use super::{End, Life};
use crate::{Approval, Asker, Ending, Subject, ToolError, Tools, hooks::Cancelled};
use checkrein::{Decision, Event, EventName, Outcome, Output, Retry};

impl<T: Tools> Life<T> {
    pub(super) async fn succeeded(&mut self, ending: Ending, output: Output) -> End {
        if !self.handle.shared.hooks.concern(EventName::PostToolUse, Some(&self.call)) {
            return End::new(ending, output);
        }
        let asked = self.ask(|call| Event::PostToolUse { call, output }, EventName::PostToolUse).await;
        // Without the after-hooks nobody has redacted it, so it is not shown.
        let Ok(Some(outcome)) = asked else { return End::cancelled() };
        self.as_left_by(outcome, ending).await
    }

    pub(super) async fn failed(&mut self, error: ToolError) -> (End, Option<Retry>) {
        let ToolError { text, cause } = error;
        let ending = Ending::Failed(cause);
        if !self.handle.shared.hooks.concern(EventName::PostToolUseFailure, Some(&self.call)) {
            return (End::new(ending, text), None);
        }
        let event = |call| Event::PostToolUseFailure { call, error: text };
        let Ok(Some(mut outcome)) = self.ask(event, EventName::PostToolUseFailure).await else {
            return (End::cancelled(), None);
        };
        let retry = outcome.retry.take();
        (self.as_left_by(outcome, ending).await, retry)
    }

    /// The text as the after-hooks left it; the reason in its place where they deny it to the model.
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
            // Nothing else is handed to this.
            _ => Output::default(),
        };
        let output = if withheld {
            // Where the shape of the answer has no place for the reason, the shape goes as well.
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
    if lines.is_empty() { "withheld: nobody approved it".to_owned() } else { lines.join("\n") }
}
