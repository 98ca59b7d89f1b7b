//! Runs a call: within its timeout, until it is cancelled, and never longer than its caller waits.

use crate::{
    Handle, Running, ToolError, ToolSpec, Tools, catch_panic::catch_panic, tool::Cause, toolbox::called,
};
use checkrein::{Output, ToolCall};
use std::sync::Arc;
use tokio::time::{Instant, timeout_at};

/// The result of running a call.
pub(crate) enum Ran {
    Answered(Output),
    AnsweredBy(String, Output),
    Failed(ToolError),
    Cancelled,
    /// The turn ended before the call could start.
    NotStarted,
}

/// Runs an approved call, within its timeout, until it is cancelled.
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
        for (name, scope, answer) in &shared.overrides {
            if scope.covers(Some(call)) {
                match catch_panic(async { answer(call).await }).await {
                    Ok(Ok(Some(output))) => return Ran::AnsweredBy(name.clone(), output),
                    Ok(Ok(None)) => {}
                    Ok(Err(error)) => return Ran::Failed(error),
                    Err(panic) => {
                        let text = format!("the override `{name}` panicked: {panic}");
                        return Ran::Failed(ToolError { text: text.into(), cause: Cause::Panicked });
                    }
                }
            }
        }
        match catch_panic(async { shared.tools.run(call, &running).await }).await {
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
