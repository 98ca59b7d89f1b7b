//! Third-party middleware: a tower `Layer` around the tools.
//!
//! A layer runs where the tool would run: after the judges and the approval, before the after-hooks. It can time,
//! limit, cache, repeat or refuse. It cannot change the call: an [`Invocation`] gives read access to the input only,
//! so what was judged and approved stays what runs.

use crate::{Running, ToolError, ToolSpec, Tools, tool::Cause};
use checkrein_core::{Output, ToolCall};
use std::{
    error::Error,
    fmt,
    future::{Future, poll_fn},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};
use tower_service::Service;

/// A call that is about to run, as a request to a tower service.
#[derive(Clone, Debug)]
pub struct Invocation {
    call: Arc<ToolCall>,
    running: Running,
}

impl Invocation {
    /// Returns the call, as it was judged and approved.
    pub fn call(&self) -> &ToolCall {
        &self.call
    }

    /// Returns the context of the call.
    pub const fn running(&self) -> &Running {
        &self.running
    }
}

/// The host's tools as a tower service: the innermost one, inside all layers.
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

/// The error of a layer: our own, or any other, whose text then goes to the model.
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
    fn tool(&self, name: &str) -> Option<Arc<ToolSpec>> {
        self.tools.tool(name)
    }

    async fn run(&self, call: &ToolCall, running: &Running) -> Result<Output, ToolError> {
        let invocation = Invocation { call: Arc::new(call.clone()), running: running.clone() };
        let mut service = self.service.clone();
        poll_fn(|cx| service.poll_ready(cx)).await.map_err(|error| own(error.into()))?;
        service.call(invocation).await.map_err(|error| own(error.into()))
    }
}

/// Returns the tool's own error, if the layers passed it through.
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
