//! Tools as separate values, and a collection of them.

use crate::{Running, ToolError, ToolSpec, Tools};
use checkrein_core::{Output, ToolCall};
use serde::de::DeserializeOwned;
use std::{
    collections::BTreeMap,
    fmt,
    future::Future,
    marker::PhantomData,
    pin::Pin,
    sync::{Arc, PoisonError, RwLock},
};

/// One tool: its description and its code.
pub trait Tool: Send + Sync + 'static {
    /// Returns the description.
    fn spec(&self) -> &ToolSpec;

    /// Runs a call, see [`Tools::run`].
    fn run(
        &self,
        call: &ToolCall,
        running: &Running,
    ) -> impl Future<Output = Result<Output, ToolError>> + Send;
}

/// Creates a tool from a function with a typed input.
///
/// ```
/// use checkrein_harness::{Running, ToolError, ToolSpec, Toolbox, tool_fn};
/// use serde::Deserialize;
/// use serde_json::json;
///
/// #[derive(Deserialize)]
/// struct Add { a: i64, b: i64 }
///
/// async fn add(input: Add, _: Running) -> Result<String, ToolError> {
///     let sum = input.a.checked_add(input.b).ok_or("the sum is too large")?;
///     Ok(sum.to_string())
/// }
///
/// let number = json!({"type": "integer"});
/// let schema = json!({"type": "object", "required": ["a", "b"], "properties": {"a": number, "b": number}});
/// let tools = Toolbox::new().with(tool_fn(ToolSpec::new("add", schema)?, add));
/// # Ok::<(), checkrein_harness::SchemaError>(())
/// ```
pub fn tool_fn<I, F, R, O>(spec: ToolSpec, run: F) -> ToolFn<I, F>
where
    I: DeserializeOwned + Send + 'static,
    F: Fn(I, Running) -> R + Send + Sync + 'static,
    R: Future<Output = Result<O, ToolError>> + Send,
    O: Into<Output>,
{
    ToolFn { spec, run, input: PhantomData }
}

/// A tool made by [`tool_fn`].
pub struct ToolFn<I, F> {
    spec: ToolSpec,
    run: F,
    input: PhantomData<fn(I)>,
}

impl<I, F, R, O> Tool for ToolFn<I, F>
where
    I: DeserializeOwned + Send + 'static,
    F: Fn(I, Running) -> R + Send + Sync + 'static,
    R: Future<Output = Result<O, ToolError>> + Send,
    O: Into<Output>,
{
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn run(&self, call: &ToolCall, running: &Running) -> Result<Output, ToolError> {
        // If the schema and the type disagree, the tool's author made a mistake; the error says so.
        let input =
            I::deserialize(&call.input).map_err(|error| ToolError::new(format!("invalid input: {error}")))?;
        (self.run)(input, running.clone()).await.map(Into::into)
    }
}

/// A collection of tools. A later tool replaces an earlier one of the same name.
///
/// Clones share one collection, so tools can be added and removed while a pipeline runs, for example when an MCP server
/// connects. A call that was judged before its tool was replaced is judged again, before it starts.
///
/// ```
/// use checkrein_harness::{Pipeline, Running, Session, ToolError, ToolSpec, Toolbox, call, tool_fn};
/// use serde_json::{Value, json};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// async fn ping(_: Value, _: Running) -> Result<String, ToolError> { Ok("pong".into()) }
///
/// let tools = Toolbox::new();
/// let agent = Pipeline::builder(tools.clone()).build()?.handle(Session::default());
/// assert_eq!(agent.call(call("ping", json!({}))).await.output.text(), "there is no tool `ping`");
/// tools.add(tool_fn(ToolSpec::unchecked("ping"), ping));
/// assert_eq!(agent.call(call("ping", json!({}))).await.output.text(), "pong");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Default)]
pub struct Toolbox {
    tools: Arc<RwLock<BTreeMap<String, Named>>>,
}

/// A tool with its description, which is the identity of the tool: another tool has another one.
#[derive(Clone)]
struct Named {
    spec: Arc<ToolSpec>,
    tool: Arc<dyn AnyTool>,
}

impl Toolbox {
    /// Creates an empty collection.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a tool, for chaining.
    #[must_use]
    pub fn with(self, tool: impl Tool) -> Self {
        self.add(tool);
        self
    }

    /// Adds a tool, also to the clones.
    pub fn add(&self, tool: impl Tool) {
        let spec = Arc::new(tool.spec().clone());
        let name = spec.name().to_owned();
        let named = Named { spec, tool: Arc::new(tool) };
        self.tools.write().unwrap_or_else(PoisonError::into_inner).insert(name, named);
    }

    /// Removes the tool of this name, also from the clones, and returns true if there was one. A running call of it
    /// continues.
    pub fn remove(&self, name: &str) -> bool {
        self.tools.write().unwrap_or_else(PoisonError::into_inner).remove(name).is_some()
    }

    /// Returns the description of each tool, by name, for the model.
    pub fn specs(&self) -> Vec<Arc<ToolSpec>> {
        let tools = self.tools.read().unwrap_or_else(PoisonError::into_inner);
        tools.values().map(|named| Arc::clone(&named.spec)).collect()
    }

    fn named(&self, name: &str) -> Option<Named> {
        self.tools.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }
}

impl Tools for Toolbox {
    fn tool(&self, name: &str) -> Option<Arc<ToolSpec>> {
        self.named(name).map(|named| named.spec)
    }

    async fn run(&self, call: &ToolCall, running: &Running) -> Result<Output, ToolError> {
        match self.named(called(call)) {
            Some(named) => named.tool.run(call, running).await,
            None => Err(ToolError::new(format!("there is no tool `{}`", called(call)))),
        }
    }
}

impl fmt::Debug for Toolbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.specs().iter().map(|spec| spec.name())).finish()
    }
}

/// Returns the host's own name of the tool, where it differs from the canonical one.
pub(crate) fn called(call: &ToolCall) -> &str {
    call.host_name.as_deref().unwrap_or(&call.name)
}

type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// An object-safe [`Tool`].
trait AnyTool: Send + Sync {
    fn run<'a>(&'a self, call: &'a ToolCall, running: &'a Running) -> Boxed<'a, Result<Output, ToolError>>;
}

impl<T: Tool> AnyTool for T {
    fn run<'a>(&'a self, call: &'a ToolCall, running: &'a Running) -> Boxed<'a, Result<Output, ToolError>> {
        Box::pin(Tool::run(self, call, running))
    }
}
