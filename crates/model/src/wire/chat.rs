//! OpenAI Chat Completions, which most other agents and local models speak.

use super::{Conversation, Event, Speech, flat, list_at, message, pieces, text_at, written};
use crate::ToolResult;
use serde_json::{Value, json};

pub(super) fn read(body: &Value) -> Conversation {
    let mut conversation = Conversation {
        tools: list_at(body, "tools")
            .iter()
            .filter_map(|tool| tool.get("function"))
            .map(|function| text_at(function, "name").to_owned())
            .collect(),
        ..Conversation::default()
    };
    for said in list_at(body, "messages") {
        let text = flat(said.get("content").unwrap_or(&Value::Null));
        match text_at(said, "role") {
            "tool" => conversation.results.push(ToolResult {
                id: text_at(said, "tool_call_id").to_owned(),
                text,
                is_error: false,
            }),
            role => conversation.messages.push(message(role, text)),
        }
    }
    conversation
}

fn finish(speech: &Speech<'_>) -> &'static str {
    if speech.calls.is_empty() { "stop" } else { "tool_calls" }
}

fn usage() -> Value {
    json!({"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15})
}

pub(super) fn whole(speech: &Speech<'_>) -> Value {
    let calls: Vec<Value> = speech
        .calls
        .iter()
        .enumerate()
        .map(|(number, call)| {
            json!({
                "id": speech.part("call", number),
                "type": "function",
                "function": {"name": call.tool, "arguments": written(&call.input)},
            })
        })
        .collect();
    let content = if speech.text.is_empty() && !calls.is_empty() { Value::Null } else { speech.text.into() };
    let mut answer = json!({"role": "assistant", "content": content});
    if let (Some(object), false) = (answer.as_object_mut(), calls.is_empty()) {
        object.insert("tool_calls".to_owned(), calls.into());
    }
    json!({
        "id": speech.name("chatcmpl"),
        "object": "chat.completion",
        "created": 0,
        "model": speech.model(),
        "choices": [{"index": 0, "message": answer, "finish_reason": finish(speech), "logprobs": null}],
        "usage": usage(),
    })
}

pub(super) fn stream(speech: &Speech<'_>) -> Vec<Event> {
    let chunk = |choices: Value, usage: Value| {
        let chunk = json!({
            "id": speech.name("chatcmpl"),
            "object": "chat.completion.chunk",
            "created": 0,
            "model": speech.model(),
            "choices": choices,
            "usage": usage,
        });
        Event::plain(chunk.to_string())
    };
    let delta =
        |delta: Value| chunk(json!([{"index": 0, "delta": delta, "finish_reason": null}]), Value::Null);
    let mut events = vec![delta(json!({"role": "assistant", "content": ""}))];
    events.extend(pieces(speech.text).into_iter().map(|piece| delta(json!({"content": piece}))));
    for (index, call) in speech.calls.iter().enumerate() {
        events.push(delta(json!({"tool_calls": [{
            "index": index,
            "id": speech.part("call", index),
            "type": "function",
            "function": {"name": call.tool, "arguments": ""},
        }]})));
        events.extend(
            pieces(&written(&call.input)).into_iter().map(|piece| {
                delta(json!({"tool_calls": [{"index": index, "function": {"arguments": piece}}]}))
            }),
        );
    }
    events.push(chunk(json!([{"index": 0, "delta": {}, "finish_reason": finish(speech)}]), Value::Null));
    if speech.request.pointer("/stream_options/include_usage").and_then(Value::as_bool) == Some(true) {
        events.push(chunk(json!([]), usage()));
    }
    events.push(Event::plain("[DONE]".to_owned()));
    events
}
