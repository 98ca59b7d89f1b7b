//! Anthropic Messages, which Claude Code speaks.

use super::{Conversation, Event, Speech, flat, list_at, message, pieces, text_at, written};
use crate::ToolResult;
use serde_json::{Value, json};

pub(super) fn read(body: &Value) -> Conversation {
    let mut conversation = Conversation {
        tools: list_at(body, "tools").iter().map(|tool| text_at(tool, "name").to_owned()).collect(),
        ..Conversation::default()
    };
    if let Some(system) = body.get("system") {
        conversation.messages.push(message("system", flat(system)));
    }
    for said in list_at(body, "messages") {
        let role = text_at(said, "role");
        let Some(blocks) = said.get("content").and_then(Value::as_array) else {
            conversation.messages.push(message(role, flat(said.get("content").unwrap_or(&Value::Null))));
            continue;
        };
        for block in blocks {
            match text_at(block, "type") {
                "tool_result" => conversation.results.push(ToolResult {
                    id: text_at(block, "tool_use_id").to_owned(),
                    text: flat(block.get("content").unwrap_or(&Value::Null)),
                    is_error: block.get("is_error").and_then(Value::as_bool).unwrap_or(false),
                }),
                "text" => conversation.messages.push(message(role, text_at(block, "text").to_owned())),
                _ => {}
            }
        }
    }
    conversation
}

fn blocks(speech: &Speech<'_>) -> Vec<Value> {
    let text = (!speech.text.is_empty() || speech.calls.is_empty())
        .then(|| json!({"type": "text", "text": speech.text}));
    let calls = speech.calls.iter().enumerate().map(|(number, call)| {
        json!({"type": "tool_use", "id": speech.part("toolu", number), "name": call.tool, "input": call.input})
    });
    text.into_iter().chain(calls).collect()
}

fn stop_reason(speech: &Speech<'_>) -> &'static str {
    if speech.calls.is_empty() { "end_turn" } else { "tool_use" }
}

fn envelope(speech: &Speech<'_>, content: &[Value], stop: Option<&str>) -> Value {
    json!({
        "id": speech.name("msg"),
        "type": "message",
        "role": "assistant",
        "model": speech.model(),
        "content": content,
        "stop_reason": stop,
        "stop_sequence": null,
        "usage": {
            "input_tokens": 10,
            "output_tokens": 5,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
        },
    })
}

pub(super) fn whole(speech: &Speech<'_>) -> Value {
    envelope(speech, &blocks(speech), Some(stop_reason(speech)))
}

pub(super) fn stream(speech: &Speech<'_>) -> Vec<Event> {
    let opening = json!({"message": envelope(speech, &[], None)});
    let mut events = vec![Event::named("message_start", opening)];
    for (index, block) in blocks(speech).into_iter().enumerate() {
        let is_text = text_at(&block, "type") == "text";
        let (empty, deltas): (Value, Vec<Value>) = if is_text {
            let deltas = pieces(text_at(&block, "text"))
                .into_iter()
                .map(|piece| json!({"type": "text_delta", "text": piece}))
                .collect();
            (json!({"type": "text", "text": ""}), deltas)
        } else {
            let input = block.get("input").map(written).unwrap_or_default();
            let deltas = pieces(&input)
                .into_iter()
                .map(|piece| json!({"type": "input_json_delta", "partial_json": piece}))
                .collect();
            let mut empty = block;
            if let Some(object) = empty.as_object_mut() {
                object.insert("input".to_owned(), json!({}));
            }
            (empty, deltas)
        };
        events.push(Event::named("content_block_start", json!({"index": index, "content_block": empty})));
        events.extend(
            deltas
                .into_iter()
                .map(|delta| Event::named("content_block_delta", json!({"index": index, "delta": delta}))),
        );
        events.push(Event::named("content_block_stop", json!({"index": index})));
    }
    let end = json!({
        "delta": {"stop_reason": stop_reason(speech), "stop_sequence": null},
        "usage": {"output_tokens": 5},
    });
    events.push(Event::named("message_delta", end));
    events.push(Event::named("message_stop", json!({})));
    events
}
