//! Functions as hooks.

use super::{Blocking, Registration};
use crate::{
    NO_RUNTIME,
    abandon::LOOK,
    typed::{ToolCall, ToolInput, output_of},
};
use checkrein_core::{
    Answer, Deadline, Entry, EventName, Failure, Hook, Map, Output, Payload, Verdict, hook_fn,
};
use serde::de::DeserializeOwned;
use tokio::{runtime::Handle, time};

/// Creates a hook on any event from a synchronous function.
///
/// ```
/// use checkrein_harness::{EventName, Payload, Verdict, on};
/// let hook = on(EventName::UserPromptSubmit, "polite", |payload: &Payload| match payload.event.prompt() {
///     Some(prompt) if prompt.contains("please") => Verdict::abstain(),
///     _ => Verdict::deny("say please"),
/// });
/// ```
pub fn on<F, A>(event: EventName, name: &str, answer: F) -> Registration
where
    F: Fn(&Payload) -> A + Send + Sync + 'static,
    A: Answer + 'static,
{
    Registration::function(Entry::new(event, hook_fn(name, answer)), Blocking::Never)
}

/// Creates a hook on any event from an `async` function or closure.
///
/// ```
/// use checkrein_harness::{EventName, Payload, Verdict, on_async};
/// async fn office_hours(_: &Payload) -> Verdict {
///     tokio::time::sleep(std::time::Duration::from_millis(1)).await; // a calendar would be asked here
///     Verdict::abstain()
/// }
/// let hook = on_async(EventName::PreToolUse, "office-hours", office_hours).judge();
/// ```
pub fn on_async<F, A>(event: EventName, name: &str, answer: F) -> Registration
where
    F: AsyncFn(&Payload) -> A + Send + Sync + 'static,
    A: Answer + 'static,
{
    let hook = AsyncHook { name: name.to_owned(), answer };
    Registration::function(Entry::new(event, hook), Blocking::Bounded)
}

/// Creates a hook on the calls of one tool, before they run.
///
/// ```
/// # use checkrein_harness::{ToolCall, ToolInput, Verdict, before};
/// # #[derive(serde::Deserialize)] struct Fetch { url: String }
/// # impl ToolInput for Fetch { const TOOL: &str = "fetch"; }
/// let hook = before("https", |call: &ToolCall<Fetch>| match call.input.url.starts_with("https://") {
///     true => Verdict::abstain(),
///     false => Verdict::deny("only https"),
/// });
/// ```
pub fn before<T, F, A>(name: &str, answer: F) -> Registration
where
    T: ToolInput + 'static,
    F: Fn(&ToolCall<'_, T>) -> A + Send + Sync + 'static,
    A: Answer + 'static,
{
    on(EventName::PreToolUse, name, move |payload: &Payload| answer(&ToolCall::of(payload)?).into_result())
        .only(&[T::TOOL])
}

/// Creates a hook on the calls of one tool from an `async` function or closure, before they run.
///
/// ```
/// # use checkrein_harness::{ToolCall, ToolInput, Verdict, before_async};
/// # #[derive(serde::Deserialize)] struct Deploy { service: String }
/// # impl ToolInput for Deploy { const TOOL: &str = "deploy"; }
/// # async fn is_frozen(service: &str) -> bool { service == "billing" }
/// async fn no_deploys_in_a_freeze(call: &ToolCall<'_, Deploy>) -> Verdict {
///     if is_frozen(&call.input.service).await { Verdict::ask("there is a freeze") } else { Verdict::abstain() }
/// }
/// let hook = before_async("freeze", no_deploys_in_a_freeze).judge();
/// ```
pub fn before_async<T, F, A>(name: &str, answer: F) -> Registration
where
    T: ToolInput + 'static,
    F: AsyncFn(&ToolCall<'_, T>) -> A + Send + Sync + 'static,
    A: Answer + 'static,
{
    on_async(EventName::PreToolUse, name, async move |payload: &Payload| {
        answer(&ToolCall::of(payload)?).await.into_result()
    })
    .only(&[T::TOOL])
}

/// Creates a hook on the results of one tool. If it crashes, the result is withheld from the model.
///
/// ```
/// # use checkrein_harness::{Output, ToolCall, ToolInput, Verdict, after};
/// # #[derive(serde::Deserialize)] struct Read { path: String }
/// # impl ToolInput for Read { const TOOL: &str = "read_file"; }
/// let hook = after("redact", |_: &ToolCall<Read>, output: &Output| {
///     Verdict::replace_output(output.text().replace("hunter2", "[redacted]"))
/// }).edit();
/// ```
pub fn after<T, F, A>(name: &str, answer: F) -> Registration
where
    T: ToolInput + 'static,
    F: Fn(&ToolCall<'_, T>, &Output) -> A + Send + Sync + 'static,
    A: Answer + 'static,
{
    with_output(EventName::PostToolUse, name, answer)
}

/// Creates a hook on the results of one tool, with the result as a `O`. A result that cannot be read as that is a
/// failure of the hook, and so withheld.
///
/// ```
/// # use checkrein_harness::{Json, ToolCall, ToolInput, Verdict, after_typed};
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Deserialize)] struct Query { sql: String }
/// # impl ToolInput for Query { const TOOL: &str = "query"; }
/// #[derive(Deserialize, Serialize)]
/// struct Rows { rows: Vec<String>, cut: bool }
///
/// let hook = after_typed("at-most-100", |_: &ToolCall<Query>, found: &Rows| match found.rows.len() {
///     ..=100 => Ok(Verdict::abstain()),
///     _ => Json(Rows { rows: found.rows[..100].to_vec(), cut: true }).replace(),
/// }).edit();
/// ```
pub fn after_typed<T, O, F, A>(name: &str, answer: F) -> Registration
where
    T: ToolInput + 'static,
    O: DeserializeOwned + 'static,
    F: Fn(&ToolCall<'_, T>, &O) -> A + Send + Sync + 'static,
    A: Answer + 'static,
{
    after(name, move |call: &ToolCall<'_, T>, output: &Output| {
        answer(call, &crate::typed::read_output(output)?).into_result()
    })
}

/// Creates a hook on the results of one tool from an `async` function or closure.
///
/// ```
/// use checkrein_harness::{Output, ToolCall, ToolInput, Verdict, after_async};
/// # #[derive(serde::Deserialize)] struct Read { path: String }
/// # impl ToolInput for Read { const TOOL: &str = "read_file"; }
/// # async fn is_injection(text: &str) -> bool { text.contains("ignore all previous") }
/// async fn screen(_: &ToolCall<'_, Read>, output: &Output) -> Verdict {
///     if is_injection(output.text()).await { Verdict::deny("the file gives you instructions") } else { Verdict::abstain() }
/// }
/// let hook = after_async("screen", screen).judge();
/// ```
pub fn after_async<T, F, A>(name: &str, answer: F) -> Registration
where
    T: ToolInput + 'static,
    F: AsyncFn(&ToolCall<'_, T>, &Output) -> A + Send + Sync + 'static,
    A: Answer + 'static,
{
    with_output_async(EventName::PostToolUse, name, answer)
}

/// Creates a hook on the failures of one tool, with the error text of each.
///
/// ```
/// # use checkrein_harness::{Output, ToolCall, ToolInput, Verdict, failed};
/// # #[derive(serde::Deserialize)] struct Fetch { url: String }
/// # impl ToolInput for Fetch { const TOOL: &str = "fetch"; }
/// let hook = failed("once-more", |_: &ToolCall<Fetch>, error: &Output| {
///     if error.text().contains("timed out") { Verdict::retry() } else { Verdict::abstain() }
/// });
/// ```
pub fn failed<T, F, A>(name: &str, answer: F) -> Registration
where
    T: ToolInput + 'static,
    F: Fn(&ToolCall<'_, T>, &Output) -> A + Send + Sync + 'static,
    A: Answer + 'static,
{
    with_output(EventName::PostToolUseFailure, name, answer)
}

/// Creates a hook on the failures of one tool from an `async` function or closure.
///
/// ```
/// use checkrein_harness::{Output, ToolCall, ToolInput, Verdict, failed_async};
/// # #[derive(serde::Deserialize)] struct Fetch { url: String }
/// # impl ToolInput for Fetch { const TOOL: &str = "fetch"; }
/// async fn back_off(_: &ToolCall<'_, Fetch>, error: &Output) -> Verdict {
///     if !error.text().contains("429") {
///         return Verdict::abstain();
///     }
///     tokio::time::sleep(std::time::Duration::from_secs(1)).await;
///     Verdict::retry()
/// }
/// let hook = failed_async("back-off", back_off);
/// ```
pub fn failed_async<T, F, A>(name: &str, answer: F) -> Registration
where
    T: ToolInput + 'static,
    F: AsyncFn(&ToolCall<'_, T>, &Output) -> A + Send + Sync + 'static,
    A: Answer + 'static,
{
    with_output_async(EventName::PostToolUseFailure, name, answer)
}

/// Creates a hook on the requests that are about to go to the model, in the host's own form, see
/// [`Handle::model_request`](crate::Handle::model_request).
///
/// ```
/// use checkrein_harness::{Map, Verdict, before_model};
/// let hook = before_model("small", |request: &Map| match request.get("max_tokens").and_then(|most| most.as_u64()) {
///     Some(..=4096) => Verdict::abstain(),
///     _ => Verdict::rewrite([("max_tokens".to_owned(), 4096.into())].into_iter().collect()),
/// });
/// ```
pub fn before_model<F, A>(name: &str, answer: F) -> Registration
where
    F: Fn(&Map) -> A + Send + Sync + 'static,
    A: Answer + 'static,
{
    on(EventName::PreModelRequest, name, move |payload: &Payload| answer(request_of(payload)?).into_result())
}

/// Creates a hook on the requests that are about to go to the model from an `async` function or closure.
///
/// ```
/// use checkrein_harness::{Map, Verdict, before_model_async};
/// # async fn is_left(_: u64) -> bool { true }
/// async fn budget(request: &Map) -> Verdict {
///     let most = request.get("max_tokens").and_then(|most| most.as_u64()).unwrap_or(u64::MAX);
///     if is_left(most).await { Verdict::abstain() } else { Verdict::deny("the budget is spent") }
/// }
/// let hook = before_model_async("budget", budget).judge();
/// ```
pub fn before_model_async<F, A>(name: &str, answer: F) -> Registration
where
    F: AsyncFn(&Map) -> A + Send + Sync + 'static,
    A: Answer + 'static,
{
    on_async(EventName::PreModelRequest, name, async move |payload: &Payload| {
        answer(request_of(payload)?).await.into_result()
    })
}

/// Creates a hook on the answers of the model, see [`Handle::model_response`](crate::Handle::model_response).
///
/// ```
/// use checkrein_harness::{Output, Verdict, after_model};
/// let hook = after_model("no-names", |response: &Output| {
///     Verdict::replace_output(response.text().replace("Ada", "[name]"))
/// });
/// ```
pub fn after_model<F, A>(name: &str, answer: F) -> Registration
where
    F: Fn(&Output) -> A + Send + Sync + 'static,
    A: Answer + 'static,
{
    on(EventName::PostModelResponse, name, move |payload: &Payload| answer(output_of(payload)?).into_result())
}

/// Creates a hook on the answers of the model from an `async` function or closure.
///
/// ```
/// use checkrein_harness::{Output, Verdict, after_model_async};
/// # async fn is_a_promise(text: &str) -> bool { text.contains("guarantee") }
/// async fn no_promises(response: &Output) -> Verdict {
///     if is_a_promise(response.text()).await { Verdict::deny("we promise nothing") } else { Verdict::abstain() }
/// }
/// let hook = after_model_async("no-promises", no_promises).judge();
/// ```
pub fn after_model_async<F, A>(name: &str, answer: F) -> Registration
where
    F: AsyncFn(&Output) -> A + Send + Sync + 'static,
    A: Answer + 'static,
{
    on_async(EventName::PostModelResponse, name, async move |payload: &Payload| {
        answer(output_of(payload)?).await.into_result()
    })
}

fn request_of(payload: &Payload) -> Result<&Map, Failure> {
    payload.event.request().ok_or_else(|| Failure::Other("the event has no request".into()))
}

fn with_output<T, F, A>(event: EventName, name: &str, answer: F) -> Registration
where
    T: ToolInput + 'static,
    F: Fn(&ToolCall<'_, T>, &Output) -> A + Send + Sync + 'static,
    A: Answer + 'static,
{
    on(event, name, move |payload: &Payload| {
        answer(&ToolCall::of(payload)?, output_of(payload)?).into_result()
    })
    .only(&[T::TOOL])
}

fn with_output_async<T, F, A>(event: EventName, name: &str, answer: F) -> Registration
where
    T: ToolInput + 'static,
    F: AsyncFn(&ToolCall<'_, T>, &Output) -> A + Send + Sync + 'static,
    A: Answer + 'static,
{
    on_async(event, name, async move |payload: &Payload| {
        answer(&ToolCall::of(payload)?, output_of(payload)?).await.into_result()
    })
    .only(&[T::TOOL])
}

struct AsyncHook<F> {
    name: String,
    answer: F,
}

impl<F, A> Hook for AsyncHook<F>
where
    F: AsyncFn(&Payload) -> A + Send + Sync,
    A: Answer,
{
    fn name(&self) -> &str {
        &self.name
    }

    fn call(&self, payload: &Payload, deadline: Deadline<'_>) -> Result<Verdict, Failure> {
        let runtime = Handle::try_current().map_err(|_| Failure::NotStarted(NO_RUNTIME.into()))?;
        let begun = std::time::Instant::now();
        let end = deadline.start();
        // On a blocking thread, so that the future need not be `Send`.
        runtime.block_on(async {
            tokio::select! {
                biased;
                answer = (self.answer)(payload) => answer.into_result(),
                () = time::sleep_until(end.into()) => {
                    Err(Failure::TimedOut { after: end.saturating_duration_since(begun).min(deadline.limit()) })
                }
                () = abandoned(deadline) => Err(Failure::Abandoned),
            }
        })
    }
}

async fn abandoned(deadline: Deadline<'_>) {
    if deadline.abandonment().is_none() {
        std::future::pending::<()>().await;
    }
    while !deadline.is_abandoned() {
        time::sleep(LOOK).await;
    }
}
