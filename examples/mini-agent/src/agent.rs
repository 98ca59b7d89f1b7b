//! The agent loop: ask the model, run its calls, report the results, until it is done.

use crate::{
    model::{Message, Model, ModelCall, ToolResult},
    view,
};
use checkrein_harness::{
    Cancel, EventDecision, Handle, Note, NoteKind, PromptDecision, Report, StopRetry, Toolbox,
    checkrein::ToolCall,
};
use serde_json::{Value, json};
use std::sync::Arc;

/// One agent with its conversation.
pub(crate) struct Agent {
    handle: Handle<Toolbox>,
    model: Arc<Model>,
    max_steps: u32,
    messages: Vec<Message>,
    /// A record of each call: what the model sent, what ran, how it ended.
    records: Vec<Value>,
    /// Context from hooks for the model, for the next prompt.
    context: Vec<String>,
}

/// The end of a turn.
pub(crate) enum Ended {
    /// The model is done; its last message was shown.
    Done,
    /// A hook, or a user, refused the prompt.
    Refused(String),
    /// A hook ended the turn.
    Stopped(String),
    /// The model could not be reached.
    ModelFailed(String),
    /// The model exceeded the maximum number of steps.
    TooManySteps,
    /// The user cancelled.
    Cancelled,
}

impl Agent {
    pub(crate) fn new(
        handle: Handle<Toolbox>,
        model: Arc<Model>,
        max_steps: u32,
        messages: Vec<Message>,
    ) -> Self {
        Self { handle, model, max_steps, messages, records: Vec::new(), context: Vec::new() }
    }

    pub(crate) fn messages(&self) -> &[Message] {
        &self.messages
    }

    pub(crate) fn records(&self) -> &[Value] {
        &self.records
    }

    /// Returns the model's last message.
    pub(crate) fn last_words(&self) -> Option<&str> {
        self.messages.iter().rev().find_map(|message| match message {
            Message::Assistant(answer) if !answer.text.is_empty() => Some(answer.text.as_str()),
            Message::Assistant(_) | Message::User(_) | Message::Results(_) => None,
        })
    }

    /// Keeps context from hooks for the model until the next prompt.
    pub(crate) fn tell(&mut self, notes: &[Note]) {
        let contexts = notes.iter().filter(|note| note.kind == NoteKind::Context);
        self.context.extend(contexts.map(|note| format!("[{}: {}]", note.hook, note.text)));
    }

    /// Runs one turn: from a prompt until the model is done.
    pub(crate) async fn turn(&mut self, prompt: String, cancel: &Cancel) -> Ended {
        self.handle = self.handle.with_cancel(cancel);
        let prompt = match self.handle.prompt(prompt).await {
            PromptDecision::Refused { reason, hooks } => {
                view::notes(&hooks.notes);
                self.records.push(json!({"refused": reason}));
                return Ended::Refused(reason);
            }
            PromptDecision::Accepted { prompt, hooks } => {
                view::notes(&hooks.notes);
                self.tell(&hooks.notes);
                prompt
            }
        };
        self.messages.push(Message::User(with_context(prompt, &mut self.context)));
        let pipeline = self.handle.pipeline();
        let mut retry = StopRetry::No;
        for _ in 0..self.max_steps {
            let answer = tokio::select! {
                biased;
                () = cancel.cancelled() => return Ended::Cancelled,
                answer = self.model.ask(&self.messages, pipeline.tools(), view::say) => answer,
            };
            let answer = match answer {
                Ok(answer) => answer,
                Err(why) => return Ended::ModelFailed(why),
            };
            view::end_of_words(&answer.text);
            let calls = answer.calls.clone();
            self.messages.push(Message::Assistant(answer));
            if calls.is_empty() {
                match self.may_end(retry).await {
                    EventDecision::Proceed(hooks) => {
                        view::notes(&hooks.notes);
                        return hooks.stop.map_or(Ended::Done, |stop| Ended::Stopped(stop.reason));
                    }
                    EventDecision::Blocked { reason, hooks } => {
                        view::notes(&hooks.notes);
                        retry = StopRetry::Yes;
                        self.messages.push(Message::User(reason));
                        continue;
                    }
                }
            }
            if let Some(ended) = self.run(calls, cancel).await {
                return ended;
            }
        }
        Ended::TooManySteps
    }

    /// Runs the model's calls, and reports the results to it.
    async fn run(&mut self, calls: Vec<ModelCall>, cancel: &Cancel) -> Option<Ended> {
        // Arguments that are not an object cannot be a call; the others keep their order.
        let understood: Vec<ToolCall> = calls.iter().filter_map(ModelCall::to_call).collect();
        let batch = self.handle.batch(understood).await;
        let mut reports = batch.reports.into_iter();
        let mut results = Vec::new();
        for call in calls {
            results.push(match &call.input {
                Ok(_) => match reports.next() {
                    Some(report) => self.result(call.id, &report),
                    None => ToolResult::error(call.id, "the call was lost"),
                },
                Err(why) => {
                    let text = format!("the arguments are not a JSON object: {why}");
                    view::not_a_call(&call.name, &text);
                    ToolResult::error(call.id, &text)
                }
            });
        }
        view::notes(&batch.notes);
        self.tell(&batch.notes);
        self.messages.push(Message::Results(results));
        match batch.stop {
            _ if cancel.is_cancelled() => Some(Ended::Cancelled),
            Some(stop) => Some(Ended::Stopped(format!("{}: {}", stop.hook, stop.reason))),
            None => None,
        }
    }

    fn result(&mut self, id: String, report: &Report) -> ToolResult {
        view::call(report);
        self.records.push(json!({
            "tool": report.call.name,
            "sent": report.call.original_input(),
            "final": report.call.input,
            "attempt": report.attempt,
            "ending": format!("{:?}", report.ending),
        }));
        let text = report.for_model();
        if report.is_error() {
            ToolResult::error(id, &text)
        } else {
            ToolResult { id, text, is_error: false }
        }
    }

    /// Asks the hooks whether the agent may stop, either the main agent or a subagent.
    async fn may_end(&self, retry: StopRetry) -> EventDecision {
        if self.handle.agent().id.is_some() {
            self.handle.subagent_stopping(self.last_words(), retry).await
        } else {
            self.handle.stopping(self.last_words(), retry).await
        }
    }
}

impl ModelCall {
    fn to_call(&self) -> Option<ToolCall> {
        let input = self.input.as_ref().ok()?.clone();
        Some(ToolCall { id: Some(self.id.clone()), ..ToolCall::new(self.name.clone(), input) })
    }
}

fn with_context(prompt: String, context: &mut Vec<String>) -> String {
    let mut lines = vec![prompt];
    lines.append(context);
    lines.join("\n")
}
