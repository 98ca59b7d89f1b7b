//! Running a call: within its time, until it is cancelled, and never longer than whoever waits for it.

use crate::{Handle, Running, ToolError, ToolSpec, Tools, caught::caught, tool::Cause, toolbox::called};
use checkrein::{Output, ToolCall};
use std::sync::Arc;
use tokio::time::{Instant, timeout_at};

/// What came of running a call.
pub(crate) enum Ran {
    Answered(Output),
    AnsweredBy(String, Output),
    Failed(ToolError),
    Cancelled,
    /// The turn was ended before it could start.
    NotStarted,
}

/// Runs a call that was approved, within its time, until it is cancelled.
pub(crate) async fn run<T: Tools>(handle: &Handle<T>, call: &ToolCall, attempt: u32) -> Ran {
    let shared = &handle.shared;
    let timeout = shared.tools.tool(called(call)).and_then(ToolSpec::timeout).unwrap_or(shared.timeout);
    let running = Running {
        session: Arc::clone(&handle.session),
        agent: Arc::clone(&handle.agent),
        attempt,
        deadline: Instant::now() + timeout,
        cancel: handle.cancel.clone(),
    };
    let work = async {
        for (name, scope, answer) in &shared.answerers {
            if scope.covers(Some(call)) {
                match caught(async { answer(call).await }).await {
                    Ok(Ok(Some(output))) => return Ran::AnsweredBy(name.clone(), output),
                    Ok(Ok(None)) => {}
                    Ok(Err(error)) => return Ran::Failed(error),
                    Err(panic) => {
                        let text = format!("`{name}`, which answers in the tool's place, panicked: {panic}");
                        return Ran::Failed(ToolError { text: text.into(), cause: Cause::Panicked });
                    }
                }
            }
        }
        match caught(async { shared.tools.run(call, &running).await }).await {
            Ok(Ok(output)) => Ran::Answered(output),
            Ok(Err(error)) => Ran::Failed(error),
            Err(panic) => Ran::Failed(ToolError::panicked(&panic)),
        }
    };
    tokio::select! {
        biased;
        () = handle.cancel.cancelled() => Ran::Cancelled,
        ran = timeout_at(running.deadline, work) => {
            ran.unwrap_or_else(|_| Ran::Failed(ToolError::timed_out(timeout)))
        }
    }
}
