//! The requests of an agent, in one format for all protocols.

use crate::Wire;
use serde_json::Value;

/// The answer to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answered {
    /// The turn of the script with this number.
    Turn(usize),
    /// A side request, which took no turn.
    Aside,
    /// The fallback after the last turn of the script.
    AfterTheEnd,
}

/// The result of a tool, as the agent sends it to the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolResult {
    /// The call that it belongs to.
    pub id: String,
    /// The text.
    pub text: String,
    /// True if the agent marks it as an error, where the protocol allows that.
    pub is_error: bool,
}

/// A message of the conversation that is not a tool result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The role: `system`, `developer`, `user` or `assistant`.
    pub role: String,
    /// The text.
    pub text: String,
}

/// One request to the model.
#[derive(Clone, Debug)]
pub struct Request {
    /// The wire protocol.
    pub wire: Wire,
    /// True if it asks for a stream.
    pub stream: bool,
    /// The model that it asks for.
    pub model: String,
    /// The tools that it offers.
    pub tools: Vec<String>,
    /// The results of all tools so far.
    pub results: Vec<ToolResult>,
    /// All other messages of the conversation.
    pub messages: Vec<Message>,
    /// The answer.
    pub answered: Answered,
    /// The headers, with names in lower case.
    pub headers: Vec<(String, String)>,
    /// The whole body.
    pub body: Value,
}

impl Request {
    /// Returns the first header with this name, in lower case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Returns the result of the call with this `id`.
    #[must_use]
    pub fn result(&self, id: &str) -> Option<&ToolResult> {
        self.results.iter().find(|result| result.id == id)
    }
}
