//! Runs a call: within its timeout, until it is cancelled, and never longer than its caller waits.

use crate::{
    Handle, Running, ToolError, Tools, catch_panic::catch_panic, spans, tool::Cause, toolbox::called,
};
use checkrein_core::{Output, ToolCall};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    time::Duration,
};
use tokio::time::{Instant, timeout_at};

/// The result of running a call.
pub(crate) enum Ran {
    Answered(Output),
    AnsweredBy(String, Output),
    Failed(ToolError),
    Cancelled,
    /// There is no runtime, or one without a timer.
    NoRuntime,
}

/// The result of running a call, and how long that took.
pub(crate) struct RanFor {
    pub(crate) ran: Ran,
    pub(crate) took: Duration,
}

impl RanFor {
    /// A call that did not run.
    pub(crate) const fn no_time(ran: Ran) -> Self {
        Self { ran, took: Duration::ZERO }
    }
}

/// Runs an approved call, within its timeout, until it is cancelled.
pub(crate) async fn run<T: Tools>(handle: &Handle<T>, call: &ToolCall, attempt: u32) -> RanFor {
    let shared = &handle.shared;
    let spec = shared.tools.tool(called(call));
    let timeout = spec.and_then(|spec| spec.timeout()).unwrap_or(shared.timeout);
    let started = Instant::now();
    let running = Running {
        session: Arc::clone(&handle.session),
        agent: Arc::clone(&handle.agent),
        attempt,
        deadline: started + timeout,
        cancel: handle.cancel.clone(),
    };
    let work = spans::tool(call, attempt, async {
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
    });
    // A timer cannot be made without a runtime that has one, and says so with a panic.
    let Ok(limited) = catch_unwind(AssertUnwindSafe(|| timeout_at(running.deadline, work))) else {
        return RanFor::no_time(Ran::NoRuntime);
    };
    let ran = tokio::select! {
        biased;
        () = handle.cancel.cancelled() => Ran::Cancelled,
        ran = limited => ran.unwrap_or_else(|_| Ran::Failed(ToolError::timed_out(timeout))),
    };
    let took = if shared.timed { started.elapsed() } else { Duration::ZERO };
    RanFor { ran, took }
}
