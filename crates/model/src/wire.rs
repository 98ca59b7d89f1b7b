//! The wire protocols: reading a request, and writing an answer, whole or as a stream.

mod anthropic;
mod chat;
mod gemini;
mod responses;

use crate::{Call, Message, ToolResult};
use serde_json::{Value, json};

/// A protocol between an agent and its model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    /// Anthropic Messages.
    Anthropic,
    /// OpenAI Responses.
    Responses,
    /// OpenAI Chat Completions.
    Chat,
    /// The Gemini API.
    Gemini,
}

/// The content of a request, independent of its protocol.
#[derive(Default)]
pub(crate) struct Conversation {
    pub(crate) tools: Vec<String>,
    pub(crate) results: Vec<ToolResult>,
    pub(crate) messages: Vec<Message>,
}

/// The answer, with the details of the request that the protocol repeats.
pub(crate) struct Speech<'a> {
    pub(crate) text: &'a str,
    pub(crate) calls: &'a [Call],
    pub(crate) request: &'a Value,
    /// A number that no other answer has, from which the ids of the answer and its calls are made.
    pub(crate) number: u64,
}

impl Speech<'_> {
    fn model(&self) -> &str {
        text_at(self.request, "model")
    }

    /// Returns the id of this answer.
    fn name(&self, prefix: &str) -> String {
        format!("{prefix}_{:06}", self.number)
    }

    /// Returns the id of the part with this number.
    fn part(&self, prefix: &str, part: usize) -> String {
        format!("{prefix}_{:06}_{part}", self.number)
    }
}

/// One event of a stream.
pub(crate) struct Event {
    name: Option<&'static str>,
    data: String,
}

impl Event {
    /// Creates an event whose data repeats its name, as most protocols do.
    fn named(name: &'static str, mut data: Value) -> Self {
        if let Some(object) = data.as_object_mut() {
            object.shift_insert(0, "type".to_owned(), name.into());
        }
        Self { name: Some(name), data: data.to_string() }
    }

    fn plain(data: String) -> Self {
        Self { name: None, data }
    }

    /// Returns the event as it is sent.
    pub(crate) fn text(&self) -> String {
        let name = self.name.map(|name| format!("event: {name}\n")).unwrap_or_default();
        format!("{name}data: {}\n\n", self.data)
    }
}

impl Wire {
    /// Returns the protocol for a path.
    pub(crate) fn at(path: &str) -> Option<Self> {
        let ends = |end: &str| path.trim_end_matches('/').ends_with(end);
        if ends("/messages") {
            Some(Self::Anthropic)
        } else if ends("/responses") {
            Some(Self::Responses)
        } else if ends("/chat/completions") {
            Some(Self::Chat)
        } else if gemini::is_at(path) {
            Some(Self::Gemini)
        } else {
            None
        }
    }

    /// Returns true if a request asks for a stream.
    pub(crate) fn streams(self, path: &str, body: &Value) -> bool {
        match self {
            Self::Gemini => gemini::streams(path),
            Self::Anthropic | Self::Responses | Self::Chat => {
                body.get("stream").and_then(Value::as_bool).unwrap_or(false)
            }
        }
    }

    /// Returns the model that a request asks for.
    pub(crate) fn model<'a>(self, path: &'a str, body: &'a Value) -> &'a str {
        match self {
            Self::Gemini => gemini::model(path),
            Self::Anthropic | Self::Responses | Self::Chat => text_at(body, "model"),
        }
    }

    pub(crate) fn read(self, body: &Value) -> Conversation {
        match self {
            Self::Anthropic => anthropic::read(body),
            Self::Responses => responses::read(body),
            Self::Chat => chat::read(body),
            Self::Gemini => gemini::read(body),
        }
    }

    /// Returns the answer as one object.
    pub(crate) fn whole(self, speech: &Speech<'_>) -> Value {
        match self {
            Self::Anthropic => anthropic::whole(speech),
            Self::Responses => responses::whole(speech),
            Self::Chat => chat::whole(speech),
            Self::Gemini => gemini::whole(speech),
        }
    }

    /// Returns the answer as a stream.
    pub(crate) fn stream(self, speech: &Speech<'_>) -> Vec<Event> {
        match self {
            Self::Anthropic => anthropic::stream(speech),
            Self::Responses => responses::stream(speech),
            Self::Chat => chat::stream(speech),
            Self::Gemini => gemini::stream(speech),
        }
    }

    /// Returns this protocol's error object.
    pub(crate) fn error(self, message: &str) -> Value {
        match self {
            Self::Anthropic => json!({"type": "error", "error": {"type": "api_error", "message": message}}),
            Self::Responses | Self::Chat => {
                json!({"error": {"message": message, "type": "server_error", "param": null, "code": null}})
            }
            Self::Gemini => json!({"error": {"code": 500, "message": message, "status": "INTERNAL"}}),
        }
    }
}

/// Returns the string at a key, or an empty one.
fn text_at<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// Returns the list at a key, or an empty one.
fn list_at<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Returns the text of a content, which is a string, a block, or a list of blocks.
fn flat(content: &Value) -> String {
    match content {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(blocks) => blocks.iter().map(flat).collect::<Vec<_>>().join("\n"),
        Value::Object(block) => {
            let inner = ["text", "content", "output"].iter().find_map(|key| block.get(*key));
            inner.map_or_else(|| content.to_string(), flat)
        }
        Value::Bool(_) | Value::Number(_) => content.to_string(),
    }
}

fn message(role: &str, text: String) -> Message {
    Message { role: role.to_owned(), text }
}

/// Returns the input of a call as the string that streams carry.
fn written(input: &Value) -> String {
    match input {
        Value::String(text) => text.clone(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            input.to_string()
        }
    }
}

/// The length of text in one event: short, so that a client has to join the pieces.
const PIECE: usize = 12;

fn pieces(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    characters.chunks(PIECE).map(|piece| piece.iter().collect()).collect()
}
