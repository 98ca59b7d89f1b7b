//! Other people's middleware: a tower `Layer` around the tools.
//!
//! A layer stands where the tool would run: after the judges and the approval, before the after-hooks. It can time,
//! limit, cache, repeat or refuse. What it cannot do is change the call: a [`Invocation`] shows the input and does not
//! hand it out, so what was judged and approved stays what runs.

use crate::{Running, ToolError, ToolSpec, Tools, tool::Cause};
use checkrein::{Output, ToolCall};
use std::{
    error::Error,
    fmt,
    future::{Future, poll_fn},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};
use tower_service::Service;

/// A call that is about to run, as a request of a tower service.
#[derive(Clone, Debug)]
pub struct Invocation {
    call: Arc<ToolCall>,
    running: Running,
}

impl Invocation {
    /// The call, as it was judged and approved.
    pub fn call(&self) -> &ToolCall {
        &self.call
    }

    /// Its surroundings.
    pub const fn running(&self) -> &Running {
        &self.running
    }
}

/// The host's tools as a tower service: the innermost one, which layers stand around.
pub struct ToolService<T>(pub(crate) Arc<T>);

impl<T> Clone for ToolService<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: Tools> Service<Invocation> for ToolService<T> {
    type Response = Output;
    type Error = ToolError;
    type Future = Pin<Box<dyn Future<Output = Result<Output, ToolError>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), ToolError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, invocation: Invocation) -> Self::Future {
        let tools = Arc::clone(&self.0);
        Box::pin(async move { tools.run(&invocation.call, &invocation.running).await })
    }
}

/// What an error of a layer may be: our own, or any other, whose text then goes to the model.
pub type LayerError = Box<dyn Error + Send + Sync>;

/// Tools with a tower service around them.
pub struct Layered<T, S> {
    pub(crate) tools: Arc<T>,
    pub(crate) service: S,
}

impl<T, S> Tools for Layered<T, S>
where
    T: Tools,
    S: Service<Invocation, Response = Output> + Clone + Send + Sync + 'static,
    S::Error: Into<LayerError>,
    S::Future: Send,
{
    fn tool(&self, name: &str) -> Option<&ToolSpec> {
        self.tools.tool(name)
    }

    async fn run(&self, call: &ToolCall, running: &Running) -> Result<Output, ToolError> {
        let invocation = Invocation { call: Arc::new(call.clone()), running: running.clone() };
        let mut service = self.service.clone();
        poll_fn(|cx| service.poll_ready(cx)).await.map_err(|error| own(error.into()))?;
        service.call(invocation).await.map_err(|error| own(error.into()))
    }
}

/// The tool's own error, if the layers have let it through.
fn own(error: LayerError) -> ToolError {
    match error.downcast::<ToolError>() {
        Ok(own) => *own,
        Err(other) => ToolError { text: other.to_string().into(), cause: Cause::Error },
    }
}

impl<T, S> fmt::Debug for Layered<T, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Layered").finish_non_exhaustive()
    }
}
