//! Tools as separate values, and a collection of them.

use crate::{Running, ToolError, ToolSpec, Tools};
use checkrein::{Output, ToolCall};
use serde::de::DeserializeOwned;
use std::{collections::BTreeMap, fmt, future::Future, marker::PhantomData, pin::Pin, sync::Arc};

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
#[derive(Clone, Default)]
pub struct Toolbox {
    tools: BTreeMap<String, Arc<dyn AnyTool>>,
}

impl Toolbox {
    /// Creates an empty collection.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a tool, for chaining.
    #[must_use]
    pub fn with(mut self, tool: impl Tool) -> Self {
        self.add(tool);
        self
    }

    /// Adds a tool.
    pub fn add(&mut self, tool: impl Tool) {
        self.tools.insert(tool.spec().name().to_owned(), Arc::new(tool));
    }

    /// Returns the description of each tool, by name, for the model.
    pub fn specs(&self) -> impl Iterator<Item = &ToolSpec> {
        self.tools.values().map(|tool| tool.spec())
    }
}

impl Tools for Toolbox {
    fn tool(&self, name: &str) -> Option<&ToolSpec> {
        self.tools.get(name).map(|tool| tool.spec())
    }

    async fn run(&self, call: &ToolCall, running: &Running) -> Result<Output, ToolError> {
        match self.tools.get(called(call)) {
            Some(tool) => tool.run(call, running).await,
            None => Err(ToolError::new(format!("there is no tool `{}`", called(call)))),
        }
    }
}

impl fmt::Debug for Toolbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.tools.keys()).finish()
    }
}

/// Returns the host's own name of the tool, where it differs from the canonical one.
pub(crate) fn called(call: &ToolCall) -> &str {
    call.host_name.as_deref().unwrap_or(&call.name)
}

type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// An object-safe [`Tool`].
trait AnyTool: Send + Sync {
    fn spec(&self) -> &ToolSpec;
    fn run<'a>(&'a self, call: &'a ToolCall, running: &'a Running) -> Boxed<'a, Result<Output, ToolError>>;
}

impl<T: Tool> AnyTool for T {
    fn spec(&self) -> &ToolSpec {
        Tool::spec(self)
    }

    fn run<'a>(&'a self, call: &'a ToolCall, running: &'a Running) -> Boxed<'a, Result<Output, ToolError>> {
        Box::pin(Tool::run(self, call, running))
    }
}
