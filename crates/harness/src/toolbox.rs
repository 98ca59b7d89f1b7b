//! Tools that are values of their own, and a box to keep them in.

use crate::{Running, ToolError, ToolSpec, Tools};
use checkrein::{Output, ToolCall};
use serde::de::DeserializeOwned;
use std::{collections::BTreeMap, fmt, future::Future, marker::PhantomData, pin::Pin, sync::Arc};

/// One tool: what it is, and how it runs.
pub trait Tool: Send + Sync + 'static {
    /// What is known about it before it runs.
    fn spec(&self) -> &ToolSpec;

    /// Runs a call of it, see [`Tools::run`].
    fn run(
        &self,
        call: &ToolCall,
        running: &Running,
    ) -> impl Future<Output = Result<Output, ToolError>> + Send;
}

/// A tool from a function that takes its input as a type of its own.
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

/// What [`tool_fn`] makes.
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
        // A schema and a type that do not agree are a mistake of the tool's author, said to whoever can see it.
        let input = I::deserialize(&call.input)
            .map_err(|error| ToolError::new(format!("the input cannot be used: {error}")))?;
        (self.run)(input, running.clone()).await.map(Into::into)
    }
}

/// A box of tools. Of two with one name the later counts.
#[derive(Clone, Default)]
pub struct Toolbox {
    tools: BTreeMap<String, Arc<dyn AnyTool>>,
}

impl Toolbox {
    /// No tools.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with one more tool.
    #[must_use]
    pub fn with(mut self, tool: impl Tool) -> Self {
        self.add(tool);
        self
    }

    /// Adds a tool.
    pub fn add(&mut self, tool: impl Tool) {
        self.tools.insert(tool.spec().name().to_owned(), Arc::new(tool));
    }

    /// What is known about each tool, by name: what a model is told.
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

/// The name under which the host knows the tool: its own one, where a canonical name stands beside it.
pub(crate) fn called(call: &ToolCall) -> &str {
    call.host_name.as_deref().unwrap_or(&call.name)
}

type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A [`Tool`] that can stand among others.
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
