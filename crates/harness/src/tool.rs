//! What the pipeline needs to know about the host's tools, and how it runs one.

use crate::Cancel;
use checkrein::{Agent, Map, Output, Session, ToolCall, ToolKind};
use jsonschema::Validator;
use serde_json::Value;
use std::{fmt, future::Future, sync::Arc, time::Duration};
use tokio::time::Instant;

/// The host's own tools, whatever they are: a registry, a match over names, a connection to a server.
///
/// Two methods, because that is all the pipeline asks: what is this tool, and run this call. By the time that
/// [`run`](Self::run) is called the input is valid, every judge has seen it, and whoever had to be asked has said yes.
/// [`Toolbox`](crate::Toolbox) is a ready one for tools that are values of their own.
///
/// ```
/// use checkrein_harness::{Output, Running, ToolError, ToolSpec, Tools, checkrein::ToolCall};
/// use serde_json::json;
///
/// struct Clock(ToolSpec);
///
/// impl Tools for Clock {
///     fn tool(&self, name: &str) -> Option<&ToolSpec> {
///         (name == self.0.name()).then_some(&self.0)
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
/// let clock = Clock(ToolSpec::new("clock", schema)?);
/// # Ok::<(), checkrein_harness::SchemaError>(())
/// ```
pub trait Tools: Send + Sync + 'static {
    /// The tool of this name, if there is one.
    fn tool(&self, name: &str) -> Option<&ToolSpec>;

    /// Runs a call. When the future is dropped, whatever it started must end with it: that is what a deadline and a
    /// cancellation do.
    fn run(
        &self,
        call: &ToolCall,
        running: &Running,
    ) -> impl Future<Output = Result<Output, ToolError>> + Send;
}

impl<T: Tools> Tools for Arc<T> {
    fn tool(&self, name: &str) -> Option<&ToolSpec> {
        (**self).tool(name)
    }

    async fn run(&self, call: &ToolCall, running: &Running) -> Result<Output, ToolError> {
        (**self).run(call, running).await
    }
}

/// What is known about a tool before it runs.
#[derive(Clone)]
pub struct ToolSpec {
    name: String,
    kind: ToolKind,
    description: String,
    schema: Value,
    validator: Option<Arc<Validator>>,
    approval: Needs,
    timeout: Option<Duration>,
}

/// Whether the host itself wants somebody to be asked, beside what hooks want.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Needs {
    Nothing,
    Approval,
}

/// A tool's schema that is none.
#[derive(Debug, thiserror::Error)]
#[error("the schema of the tool `{tool}` cannot be used: {why}")]
pub struct SchemaError {
    tool: String,
    why: String,
}

impl ToolSpec {
    /// A tool whose input must fit `schema`, a JSON Schema that refers to nothing outside of itself.
    pub fn new(name: impl Into<String>, schema: Value) -> Result<Self, SchemaError> {
        let mut spec = Self::unchecked(name);
        let validator = jsonschema::validator_for(&schema)
            .map_err(|error| SchemaError { tool: spec.name.clone(), why: error.to_string() })?;
        spec.validator = Some(Arc::new(validator));
        spec.schema = schema;
        Ok(spec)
    }

    /// A tool whose input may be any object, which it checks itself.
    pub fn unchecked(name: impl Into<String>) -> Self {
        let name = name.into();
        Self {
            kind: ToolKind::of(&name),
            name,
            description: String::new(),
            schema: serde_json::json!({"type": "object"}),
            validator: None,
            approval: Needs::Nothing,
            timeout: None,
        }
    }

    /// With a text for the model.
    #[must_use]
    pub fn with_description(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// Of this kind, if the name does not tell: policies speak about kinds.
    #[must_use]
    pub const fn with_kind(mut self, kind: ToolKind) -> Self {
        self.kind = kind;
        self
    }

    /// The approver is asked before every call, unless a hook that may allow allows it.
    #[must_use]
    pub const fn needs_approval(mut self) -> Self {
        self.approval = Needs::Approval;
        self
    }

    /// With a time limit of its own.
    #[must_use]
    pub const fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the tool is for.
    pub const fn kind(&self) -> ToolKind {
        self.kind
    }

    /// The text for the model.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The schema, for the model.
    pub const fn schema(&self) -> &Value {
        &self.schema
    }

    pub(crate) const fn needs(&self) -> Needs {
        self.approval
    }

    pub(crate) const fn timeout(&self) -> Option<Duration> {
        self.timeout
    }

    /// What is wrong with an input, in a text for the model; nothing, if it fits.
    pub fn check(&self, input: &Map) -> Result<(), String> {
        self.validator.as_ref().map_or(Ok(()), |_| self.check_value(&Value::Object(input.clone())))
    }

    /// The same without a copy: the validator wants a value, so the object is one for a moment.
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

/// How many defects of an input are named.
const MOST_ERRORS: usize = 5;

/// The validator quotes the value that does not fit, which may be a whole file.
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

/// What a running call knows about its surroundings.
#[derive(Clone, Debug)]
pub struct Running {
    /// The session that it belongs to.
    pub session: Arc<Session>,
    /// The agent that it belongs to.
    pub agent: Arc<Agent>,
    /// How often the call was tried, this time included.
    pub attempt: u32,
    /// When it is given up.
    pub deadline: Instant,
    /// Set when it is given up earlier. The future is dropped then, so only what the future has started elsewhere, such
    /// as a thread, needs to look at it.
    pub cancel: Cancel,
}

/// Why a tool did not do what it was asked to do.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}", text.text())]
pub struct ToolError {
    pub(crate) text: Output,
    pub(crate) cause: Cause,
}

/// In which way a tool failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// It said so itself.
    Error,
    /// Its time was up.
    TimedOut,
    /// It panicked.
    Panicked,
}

impl ToolError {
    /// A failure with this text for the model.
    pub fn new(text: impl Into<Output>) -> Self {
        Self { text: text.into(), cause: Cause::Error }
    }

    pub(crate) fn timed_out(after: Duration) -> Self {
        let text = format!("the tool was ended: it took longer than {} s", after.as_secs_f64());
        Self { text: text.into(), cause: Cause::TimedOut }
    }

    pub(crate) fn panicked(text: &str) -> Self {
        Self { text: format!("the tool panicked: {text}").into(), cause: Cause::Panicked }
    }

    /// In which way.
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
