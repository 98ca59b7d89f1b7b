//! The host's tools as the pipeline sees them.

use crate::Cancel;
use checkrein_core::{Agent, Map, Output, Session, ToolCall, ToolKind};
#[cfg(feature = "schema")]
use jsonschema::Validator;
use serde_json::Value;
use std::{fmt, future::Future, sync::Arc, time::Duration};
use tokio::time::Instant;

/// The host's own tools: a registry, a match over names, a connection to a server.
///
/// The pipeline needs two methods: look up a tool and run a call. When [`run`](Self::run) is called, the input is
/// valid, every judge has seen it, and every required approval was given. [`Toolbox`](crate::Toolbox) is a
/// ready-made implementation for tools that are separate values.
///
/// ```
/// use checkrein_harness::{Output, Running, ToolError, ToolSpec, Tools, checkrein::ToolCall};
/// use serde_json::json;
/// use std::sync::Arc;
///
/// struct Clock(Arc<ToolSpec>);
///
/// impl Tools for Clock {
///     fn tool(&self, name: &str) -> Option<Arc<ToolSpec>> {
///         (name == self.0.name()).then(|| Arc::clone(&self.0))
///     }
///
///     async fn run(&self, call: &ToolCall, _: &Running) -> Result<Output, ToolError> {
///         match call.text("zone") {
///             Some("UTC") => Ok("12:00".into()),
///             _ => Err("only UTC is known".into()),
///         }
///     }
/// }
///
/// let schema = json!({"type": "object", "required": ["zone"], "properties": {"zone": {"type": "string"}}});
/// let clock = Clock(Arc::new(ToolSpec::new("clock", schema)?));
/// # Ok::<(), checkrein_harness::SchemaError>(())
/// ```
pub trait Tools: Send + Sync + 'static {
    /// Returns the tool of this name, if it exists. Tools may come and go while the pipeline runs. A call is judged
    /// again if another description has the name by the time it starts.
    fn tool(&self, name: &str) -> Option<Arc<ToolSpec>>;

    /// Runs a call. When the future is dropped, everything it started must stop with it: timeouts and cancellation
    /// rely on that.
    fn run(
        &self,
        call: &ToolCall,
        running: &Running,
    ) -> impl Future<Output = Result<Output, ToolError>> + Send;
}

impl<T: Tools> Tools for Arc<T> {
    fn tool(&self, name: &str) -> Option<Arc<ToolSpec>> {
        (**self).tool(name)
    }

    async fn run(&self, call: &ToolCall, running: &Running) -> Result<Output, ToolError> {
        (**self).run(call, running).await
    }
}

/// The description of a tool.
#[derive(Clone)]
pub struct ToolSpec {
    name: String,
    kind: ToolKind,
    /// True if the author said what kind it is.
    given_kind: bool,
    read_only: bool,
    description: String,
    schema: Value,
    #[cfg(feature = "schema")]
    validator: Option<Arc<Validator>>,
    approval: Needs,
    timeout: Option<Duration>,
}

/// Tells if the host itself requires approval, in addition to hooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Needs {
    Nothing,
    Approval,
}

/// The error for an invalid schema.
#[cfg(feature = "schema")]
#[derive(Debug, thiserror::Error)]
#[error("invalid schema of tool `{tool}`: {why}")]
pub struct SchemaError {
    tool: String,
    why: String,
}

impl ToolSpec {
    /// Creates a tool whose input must fit `schema`, a self-contained JSON Schema. Needs the feature `schema`.
    #[cfg(feature = "schema")]
    pub fn new(name: impl Into<String>, schema: Value) -> Result<Self, SchemaError> {
        let mut spec = Self::unchecked(name);
        let validator = jsonschema::validator_for(&schema)
            .map_err(|error| SchemaError { tool: spec.name.clone(), why: error.to_string() })?;
        spec.validator = Some(Arc::new(validator));
        spec.schema = schema;
        Ok(spec)
    }

    /// Creates a tool that accepts any object and checks its input itself.
    pub fn unchecked(name: impl Into<String>) -> Self {
        let name = name.into();
        Self {
            kind: ToolKind::of(&name),
            given_kind: false,
            read_only: false,
            name,
            description: String::new(),
            schema: serde_json::json!({"type": "object"}),
            #[cfg(feature = "schema")]
            validator: None,
            approval: Needs::Nothing,
            timeout: None,
        }
    }

    /// Sets the description for the model.
    #[must_use]
    pub fn with_description(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// Sets the schema for the model of a tool that checks its input itself.
    #[must_use]
    pub fn with_schema(mut self, schema: Value) -> Self {
        self.schema = schema;
        self
    }

    /// Sets the kind, if the name does not imply it: policies refer to kinds, and the guard judges the input by it.
    ///
    /// ```
    /// use checkrein_harness::{ToolKind, ToolSpec};
    /// let ops = ToolSpec::unchecked("ops").with_kind(ToolKind::Shell);
    /// assert_eq!(ops.kind(), ToolKind::Shell);
    /// assert_eq!(ToolSpec::unchecked("execute_command").kind(), ToolKind::Shell); // a well-known name
    /// ```
    #[must_use]
    pub const fn with_kind(mut self, kind: ToolKind) -> Self {
        self.kind = kind;
        self.given_kind = true;
        self
    }

    /// Says that a call changes nothing that a judge of another call could look at: no file, no setting, no process.
    /// The calls of such tools run next to any other. The kind implies it for tools that read, search or fetch.
    #[must_use]
    pub const fn read_only(mut self) -> Self {
        self.read_only = true;
        self
    }

    /// Requires approval of every call, unless a hook that may allow allows it.
    ///
    /// ```
    /// # use checkrein_harness::*;
    /// # use serde_json::{Value, json};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # async fn ping(_: Value, _: Running) -> Result<String, ToolError> { Ok("pong".into()) }
    /// let tools = Toolbox::new().with(tool_fn(ToolSpec::unchecked("ping").needs_approval(), ping));
    /// // Without an approver, nobody can say yes.
    /// let agent = Pipeline::builder(tools).build()?.handle(Session::default());
    /// assert_eq!(agent.call(call("ping", json!({}))).await.ending, Ending::NotApproved);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub const fn needs_approval(mut self) -> Self {
        self.approval = Needs::Approval;
        self
    }

    /// Sets the timeout.
    #[must_use]
    pub const fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the kind.
    pub const fn kind(&self) -> ToolKind {
        self.kind
    }

    /// Returns the description for the model.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Returns the schema, for the model.
    pub const fn schema(&self) -> &Value {
        &self.schema
    }

    pub(crate) const fn is_read_only(&self) -> bool {
        self.read_only
    }

    pub(crate) const fn is_of_given_kind(&self) -> bool {
        self.given_kind
    }

    pub(crate) const fn needs(&self) -> Needs {
        self.approval
    }

    pub(crate) const fn timeout(&self) -> Option<Duration> {
        self.timeout
    }

    /// Validates an input. The error is a text for the model.
    #[cfg(not(feature = "schema"))]
    pub const fn check(&self, _: &Map) -> Result<(), String> {
        Ok(())
    }

    #[cfg(not(feature = "schema"))]
    #[expect(
        clippy::unused_self,
        clippy::unnecessary_wraps,
        reason = "with the feature `schema` it validates"
    )]
    pub(crate) const fn check_in_place(&self, _: &mut Map) -> Result<(), String> {
        Ok(())
    }
}

#[cfg(feature = "schema")]
impl ToolSpec {
    /// Validates an input. The error is a text for the model.
    pub fn check(&self, input: &Map) -> Result<(), String> {
        self.validator.as_ref().map_or(Ok(()), |_| self.check_value(&Value::Object(input.clone())))
    }

    /// Validates an input without copying it: the validator needs a value, so the object is moved into one and back.
    pub(crate) fn check_in_place(&self, input: &mut Map) -> Result<(), String> {
        if self.validator.is_none() {
            return Ok(());
        }
        let value = Value::Object(std::mem::take(input));
        let checked = self.check_value(&value);
        if let Value::Object(object) = value {
            *input = object;
        }
        checked
    }

    fn check_value(&self, input: &Value) -> Result<(), String> {
        let Some(validator) = self.validator.as_ref().filter(|validator| !validator.is_valid(input)) else {
            return Ok(());
        };
        let errors: Vec<String> = validator
            .iter_errors(input)
            .take(MOST_ERRORS)
            .map(|error| {
                let place = error.instance_path().to_string();
                let text = clipped(&error.to_string());
                if place.is_empty() { text } else { format!("`{}`: {text}", place.trim_start_matches('/')) }
            })
            .collect();
        Err(errors.join("; "))
    }
}

/// The maximum number of errors reported for an input.
#[cfg(feature = "schema")]
const MOST_ERRORS: usize = 5;

/// Shortens an error: the validator quotes the invalid value, which may be a whole file.
#[cfg(feature = "schema")]
fn clipped(text: &str) -> String {
    const MOST: usize = 200;
    let mut clipped: String = text.chars().take(MOST).collect();
    if text.chars().nth(MOST).is_some() {
        clipped.push('…');
    }
    clipped
}

impl fmt::Debug for ToolSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolSpec")
            .field("name", &self.name)
            .field("kind", &self.kind)
            .field("schema", &self.schema)
            .finish_non_exhaustive()
    }
}

/// The context of a running call.
#[derive(Clone, Debug)]
pub struct Running {
    /// The session of the call.
    pub session: Arc<Session>,
    /// The agent that makes the call.
    pub agent: Arc<Agent>,
    /// The number of this attempt.
    pub attempt: u32,
    /// The deadline of the call.
    pub deadline: Instant,
    /// The cancellation of the call. The future is dropped then, so only what it started elsewhere, such as a
    /// thread, needs to check it.
    pub cancel: Cancel,
}

/// The error of a tool.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}", text.text())]
pub struct ToolError {
    pub(crate) text: Output,
    pub(crate) cause: Cause,
}

/// The way in which a tool failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// The tool returned an error.
    Error,
    /// The tool timed out.
    TimedOut,
    /// The tool panicked.
    Panicked,
}

impl ToolError {
    /// Creates an error with this text for the model.
    pub fn new(text: impl Into<Output>) -> Self {
        Self { text: text.into(), cause: Cause::Error }
    }

    pub(crate) fn timed_out(after: Duration) -> Self {
        let text = format!("the tool timed out after {} s", after.as_secs_f64());
        Self { text: text.into(), cause: Cause::TimedOut }
    }

    pub(crate) fn panicked(text: &str) -> Self {
        Self { text: format!("the tool panicked: {text}").into(), cause: Cause::Panicked }
    }

    /// Returns the way in which the tool failed.
    pub const fn cause(&self) -> Cause {
        self.cause
    }
}

impl From<String> for ToolError {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

impl From<&str> for ToolError {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl From<std::io::Error> for ToolError {
    fn from(error: std::io::Error) -> Self {
        Self::new(error.to_string())
    }
}
