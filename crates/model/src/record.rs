//! What an agent sent, read the same way from every wire.

use crate::Wire;
use serde_json::Value;

/// What a request was answered with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answered {
    /// The turn of the script with this number.
    Turn(usize),
    /// A question on the side, which took no turn.
    Aside,
    /// The script was over.
    AfterTheEnd,
}

/// What a tool said, as the agent tells the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolResult {
    /// The call that it belongs to.
    pub id: String,
    /// The text.
    pub text: String,
    /// Whether the agent calls it an error, where the wire has a word for that.
    pub is_error: bool,
}

/// A text in the conversation that is not a tool's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// `system`, `developer`, `user`, `assistant`.
    pub role: String,
    /// The text.
    pub text: String,
}

/// One request to the model.
#[derive(Clone, Debug)]
pub struct Request {
    /// The wire that it came in.
    pub wire: Wire,
    /// Whether it wanted a stream.
    pub stream: bool,
    /// The model that it asks for.
    pub model: String,
    /// The tools that it offers.
    pub tools: Vec<String>,
    /// The results of all tools so far.
    pub results: Vec<ToolResult>,
    /// All other texts of the conversation.
    pub messages: Vec<Message>,
    /// What it was answered with.
    pub answered: Answered,
    /// The headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The whole of it.
    pub body: Value,
}

impl Request {
    /// The first header with this name, in lower case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// What the tool said that was called under `id`.
    #[must_use]
    pub fn result(&self, id: &str) -> Option<&ToolResult> {
        self.results.iter().find(|result| result.id == id)
    }
}
