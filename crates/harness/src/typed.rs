//! Tool calls with typed inputs.

use checkrein_core::{Agent, Edit, Failure, Map, Output, Payload, Session, ToolCall as Call, Verdict};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

/// The input of one tool as a type.
///
/// ```
/// use checkrein_harness::{ToolCall, ToolInput, Verdict, before};
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct WriteFile { path: String }
///
/// impl ToolInput for WriteFile {
///     const TOOL: &str = "write_file";
/// }
///
/// fn keep_licence(call: &ToolCall<WriteFile>) -> Verdict {
///     if call.input.path.ends_with("LICENSE") { Verdict::deny("the licence stays as it is") } else { Verdict::abstain() }
/// }
///
/// let hook = before("keep-licence", keep_licence).judge();
/// ```
pub trait ToolInput: DeserializeOwned {
    /// The tool's name, or a pattern for names. [`Builder::remarks`](crate::Builder::remarks) is told about a name that no
    /// tool has.
    const TOOL: &'static str;
}

/// A call with its input as a `T`.
#[derive(Debug)]
pub struct ToolCall<'a, T> {
    /// The input.
    pub input: T,
    call: &'a Call,
    payload: &'a Payload,
}

impl<'a, T: ToolInput> ToolCall<'a, T> {
    /// Reads the call of `payload`. An input that is not a `T` is a failure of the hook, and so a denial: a hook
    /// that cannot read a call cannot judge it.
    pub(crate) fn of(payload: &'a Payload) -> Result<Self, Failure> {
        let call = payload.event.call().ok_or_else(|| Failure::Other("the event has no tool call".into()))?;
        let input = T::deserialize(&call.input)
            .map_err(|error| Failure::Other(format!("cannot read the input of `{}`: {error}", call.name)))?;
        Ok(Self { input, call, payload })
    }

    /// Returns the untyped call.
    pub const fn raw(&self) -> &'a Call {
        self.call
    }

    /// Returns the input as the model sent it, before any hook.
    pub fn original(&self) -> &'a Map {
        self.call.original_input()
    }

    /// Returns the number of this attempt.
    pub const fn attempt(&self) -> u32 {
        self.payload.attempt
    }

    /// Returns the session.
    pub fn session(&self) -> &'a Session {
        &self.payload.session
    }

    /// Returns the agent, with the agents that started it.
    pub const fn agent(&self) -> &'a Agent {
        &self.payload.agent
    }

    /// Returns a verdict that replaces the input with `input`. Fields that `T` does not know are kept.
    ///
    /// ```
    /// # use checkrein_harness::*;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Serialize, Deserialize)]
    /// struct WriteFile { path: String, content: String }
    ///
    /// impl ToolInput for WriteFile {
    ///     const TOOL: &'static str = "write_file";
    /// }
    ///
    /// /// Files end with a line break.
    /// fn ended(call: &ToolCall<WriteFile>) -> Result<Verdict, Failure> {
    ///     let WriteFile { path, content } = &call.input;
    ///     if content.ends_with('\n') {
    ///         return Ok(Verdict::abstain());
    ///     }
    ///     call.rewrite(&WriteFile { path: path.clone(), content: format!("{content}\n") })
    /// }
    /// # let hook = before("ended", ended).edit();
    /// ```
    pub fn rewrite(&self, input: &T) -> Result<Verdict, Failure>
    where
        T: Serialize,
    {
        match serde_json::to_value(input) {
            Ok(Value::Object(fields)) => Ok(Verdict::edit(Edit::MergeInput(fields))),
            Ok(_) => Err(Failure::EditNotAllowed("the new input is not an object".into())),
            Err(error) => {
                Err(Failure::EditNotAllowed(format!("the new input cannot be serialized: {error}")))
            }
        }
    }
}

/// Returns the result of the tool, or its error text.
pub(crate) fn output_of(payload: &Payload) -> Result<&Output, Failure> {
    payload.event.output().ok_or_else(|| Failure::Other("the event has no output".into()))
}

/// Reads a result as a `O`: from the value of the tool, or from its text if that is JSON.
pub(crate) fn read_output<O: DeserializeOwned>(output: &Output) -> Result<O, Failure> {
    let native = output.native();
    let read = match native.as_deref() {
        Some(native) if !native.is_string() => O::deserialize(native),
        _ => serde_json::from_str(output.text()),
    };
    read.map_err(|error| Failure::Other(format!("cannot read the result: {error}")))
}

/// A value as the result of a tool, in JSON. Hooks and the model see every field. A result in a shape of its own, such
/// as that of an MCP server, is [`Output::from_native`].
///
/// ```
/// use checkrein_harness::{Json, Running, ToolError, ToolSpec, tool_fn};
/// use serde::Serialize;
/// use serde_json::Value;
///
/// #[derive(Serialize)]
/// struct Weather { degrees: f64 }
///
/// async fn weather(_: Value, _: Running) -> Result<Json<Weather>, ToolError> {
///     Ok(Json(Weather { degrees: 21.5 }))
/// }
/// let tool = tool_fn(ToolSpec::unchecked("weather"), weather);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Json<T>(
    /// The value.
    pub T,
);

impl<T: Serialize> Json<T> {
    /// Returns a verdict that replaces the result of a tool with the value.
    pub fn replace(&self) -> Result<Verdict, Failure> {
        match serde_json::to_value(&self.0) {
            Ok(value) => Ok(Verdict::replace_output(Output::from_json(value))),
            Err(error) => {
                Err(Failure::EditNotAllowed(format!("the new result cannot be serialized: {error}")))
            }
        }
    }
}

impl<T: Serialize> From<Json<T>> for Output {
    fn from(json: Json<T>) -> Self {
        match serde_json::to_value(&json.0) {
            Ok(value) => Self::from_json(value),
            // A map with keys that are no strings, for example.
            Err(error) => Self::from(format!("the result cannot be serialized: {error}")),
        }
    }
}
