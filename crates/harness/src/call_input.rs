//! A call as a model sends it: a name, an id, and arguments that may not even be an object.

use checkrein_core::{Map, ToolCall, json};
use serde_json::Value;

/// A call for [`Handle::call`](crate::Handle::call) and [`Handle::batch`](crate::Handle::batch), which also take a
/// plain [`ToolCall`].
///
/// Models send arguments that are no object, or no JSON at all. Such a call is reported like any other one that does
/// not fit its tool, so that a loop needs no case for it.
#[derive(Clone, Debug)]
#[must_use]
pub struct Call {
    pub(crate) call: ToolCall,
    /// The reason why the input is not an object.
    pub(crate) misfit: Option<String>,
}

/// Creates a call of the tool `name`.
///
/// ```
/// use checkrein_harness::call;
/// use serde_json::json;
/// let read = call("read_file", json!({"path": "README.md"})).id("toolu_1");
/// ```
pub fn call(name: impl Into<String>, input: impl Into<Value>) -> Call {
    let (input, misfit) = match input.into() {
        Value::Object(input) => (input, None),
        other => (Map::new(), Some(format!("expected an object, found {}", json::type_name(&other)))),
    };
    Call { call: ToolCall::new(name, input), misfit }
}

impl Call {
    /// Creates a call whose arguments are a JSON text, as in OpenAI's APIs.
    ///
    /// ```
    /// use checkrein_harness::Call;
    /// let read = Call::from_json("read_file", r#"{"path": "README.md"}"#).id("call_1");
    /// ```
    pub fn from_json(name: impl Into<String>, arguments: &str) -> Self {
        match arguments.trim() {
            // A tool without arguments.
            "" => call(name, Map::new()),
            text => match serde_json::from_str::<Value>(text) {
                Ok(input) => call(name, input),
                Err(error) => {
                    let misfit = Some(format!("the arguments are not JSON: {error}"));
                    Self { call: ToolCall::new(name, Map::new()), misfit }
                }
            },
        }
    }

    /// Sets the model's id of the call. The report has it in `report.call.id`.
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.call.id = Some(id.into());
        self
    }
}

impl From<ToolCall> for Call {
    fn from(call: ToolCall) -> Self {
        Self { call, misfit: None }
    }
}
