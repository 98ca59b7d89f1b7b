//! The Gemini API, which Gemini CLI speaks: the path says which model is asked, and whether for a stream.

use super::{Conversation, Event, Speech, flat, list_at, message, pieces, text_at};
use crate::ToolResult;
use serde_json::{Value, json};

/// The end of a path that asks for one object, and for a stream.
const WHOLE: &str = ":generateContent";
const STREAM: &str = ":streamGenerateContent";

/// Returns true if a path is of this wire.
pub(super) fn is_at(path: &str) -> bool {
    let path = without_query(path);
    path.ends_with(WHOLE) || path.ends_with(STREAM)
}

/// Returns true if a path asks for a stream.
pub(super) fn streams(path: &str) -> bool {
    without_query(path).ends_with(STREAM)
}

/// Returns the model that a path names.
pub(super) fn model(path: &str) -> &str {
    let last = without_query(path).rsplit('/').next().unwrap_or_default();
    last.split(':').next().unwrap_or_default()
}

fn without_query(path: &str) -> &str {
    path.split('?').next().unwrap_or_default()
}

pub(super) fn read(body: &Value) -> Conversation {
    let mut conversation = Conversation {
        tools: list_at(body, "tools")
            .iter()
            .flat_map(|tool| list_at(tool, "functionDeclarations"))
            .map(|function| text_at(function, "name").to_owned())
            .collect(),
        ..Conversation::default()
    };
    if let Some(system) = body.pointer("/systemInstruction/parts") {
        conversation.messages.push(message("system", flat(system)));
    }
    for said in list_at(body, "contents") {
        let role = text_at(said, "role");
        for part in list_at(said, "parts") {
            if let Some(result) = part.get("functionResponse") {
                let response = result.get("response").unwrap_or(&Value::Null);
                conversation.results.push(ToolResult {
                    id: text_at(result, "id").to_owned(),
                    text: flat(response.get("error").unwrap_or(response)),
                    is_error: response.get("error").is_some(),
                });
            } else if part.get("text").is_some() {
                conversation.messages.push(message(role, text_at(part, "text").to_owned()));
            }
        }
    }
    conversation
}

fn calls(speech: &Speech<'_>) -> Vec<Value> {
    let call = |(number, call): (usize, &crate::Call)| json!({"functionCall": {"id": speech.part("call", number), "name": call.tool, "args": call.input}});
    speech.calls.iter().enumerate().map(call).collect()
}

fn answer(speech: &Speech<'_>, parts: &[Value], finish: Option<&str>) -> Value {
    json!({
        "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15},
        "modelVersion": "scripted",
        "candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": finish, "index": 0}],
        "responseId": speech.name("resp"),
    })
}

pub(super) fn whole(speech: &Speech<'_>) -> Value {
    let text = (!speech.text.is_empty() || speech.calls.is_empty()).then(|| json!({"text": speech.text}));
    let parts: Vec<Value> = text.into_iter().chain(calls(speech)).collect();
    answer(speech, &parts, Some("STOP"))
}

pub(super) fn stream(speech: &Speech<'_>) -> Vec<Event> {
    let event = |parts: &[Value], finish| Event::plain(answer(speech, parts, finish).to_string());
    let mut events: Vec<Event> =
        pieces(speech.text).into_iter().map(|piece| event(&[json!({"text": piece})], None)).collect();
    // A call is never sent in pieces.
    events.push(event(&calls(speech), Some("STOP")));
    events
}
