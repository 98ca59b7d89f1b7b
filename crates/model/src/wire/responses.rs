//! OpenAI Responses, which Codex speaks.

use super::{Conversation, Event, Speech, flat, list_at, message, pieces, text_at, written};
use crate::ToolResult;
use serde_json::{Value, json};

pub(super) fn read(body: &Value) -> Conversation {
    let mut conversation = Conversation::default();
    add_tools(&mut conversation.tools, list_at(body, "tools"));
    let instructions = text_at(body, "instructions");
    if !instructions.is_empty() {
        conversation.messages.push(message("system", instructions.to_owned()));
    }
    if let Some(Value::String(prompt)) = body.get("input") {
        conversation.messages.push(message("user", prompt.clone()));
    }
    for item in list_at(body, "input") {
        match text_at(item, "type") {
            kind if kind.ends_with("call_output") => conversation.results.push(ToolResult {
                id: text_at(item, "call_id").to_owned(),
                text: flat(item.get("output").unwrap_or(&Value::Null)),
                is_error: false,
            }),
            "" | "message" => {
                let text = flat(item.get("content").unwrap_or(&Value::Null));
                conversation.messages.push(message(text_at(item, "role"), text));
            }
            // A message between an agent and a subagent.
            "agent_message" => {
                let parts = list_at(item, "content").iter();
                let text: Vec<&str> = parts
                    .flat_map(|part| [text_at(part, "text"), text_at(part, "encrypted_content")])
                    .collect();
                conversation.messages.push(message(text_at(item, "author"), text.concat()));
            }
            // Codex offers the tools of some models in the middle of the conversation.
            "additional_tools" => add_tools(&mut conversation.tools, list_at(item, "tools")),
            _ => {}
        }
    }
    conversation
}

/// Adds the names of the tools. A tool has a name, or only a type; a namespace has its own tools.
fn add_tools(names: &mut Vec<String>, tools: &[Value]) {
    for tool in tools {
        let name = text_at(tool, "name");
        names.push(if name.is_empty() { text_at(tool, "type") } else { name }.to_owned());
        names.extend(list_at(tool, "tools").iter().map(|tool| text_at(tool, "name").to_owned()));
    }
}

fn items(speech: &Speech<'_>) -> Vec<Value> {
    let text = (!speech.text.is_empty() || speech.calls.is_empty()).then(|| {
        json!({
            "type": "message",
            "id": speech.name("msg"),
            "role": "assistant",
            "status": "completed",
            "content": [part(speech.text)],
        })
    });
    let calls = speech.calls.iter().enumerate().map(|(number, call)| {
        let id = speech.part("call", number);
        // A string as input belongs to a free-form tool.
        if let Value::String(input) = &call.input {
            let own = speech.part("ctc", number);
            json!({"type": "custom_tool_call", "id": own, "call_id": id, "name": call.tool, "input": input, "status": "completed"})
        } else {
            let own = speech.part("fc", number);
            let arguments = written(&call.input);
            let mut item = json!({"type": "function_call", "id": own, "call_id": id, "name": call.tool, "arguments": arguments, "status": "completed"});
            if let (Some(fields), Some(namespace)) = (item.as_object_mut(), &call.namespace) {
                fields.insert("namespace".to_owned(), namespace.as_str().into());
            }
            item
        }
    });
    text.into_iter().chain(calls).collect()
}

fn part(text: &str) -> Value {
    json!({"type": "output_text", "text": text, "annotations": []})
}

fn envelope(speech: &Speech<'_>, status: &str, output: &[Value], usage: &Value) -> Value {
    json!({
        "id": speech.name("resp"),
        "object": "response",
        "created_at": 0,
        "status": status,
        "model": speech.model(),
        "output": output,
        "error": null,
        "incomplete_details": null,
        "usage": usage,
    })
}

pub(super) fn whole(speech: &Speech<'_>) -> Value {
    let usage = json!({
        "input_tokens": 10,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 5,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 15,
    });
    envelope(speech, "completed", &items(speech), &usage)
}

pub(super) fn stream(speech: &Speech<'_>) -> Vec<Event> {
    let mut stream = Stream { events: Vec::new() };
    let opening = envelope(speech, "in_progress", &[], &Value::Null);
    stream.add("response.created", json!({"response": opening}));
    for (index, item) in items(speech).iter().enumerate() {
        let mut begun = item.clone();
        if let Some(object) = begun.as_object_mut() {
            object.insert("status".to_owned(), "in_progress".into());
            for (key, empty) in [("content", json!([])), ("arguments", json!("")), ("input", json!(""))] {
                object.entry(key).and_modify(|value| *value = empty);
            }
        }
        stream.add("response.output_item.added", json!({"output_index": index, "item": begun}));
        let id = text_at(item, "id");
        let place = json!({"item_id": id, "output_index": index});
        match text_at(item, "type") {
            "message" => stream.message(speech.text, &place),
            "function_call" => {
                let names =
                    ["response.function_call_arguments.delta", "response.function_call_arguments.done"];
                stream.input(names, "arguments", text_at(item, "arguments"), &place);
            }
            _ => {
                let names = ["response.custom_tool_call_input.delta", "response.custom_tool_call_input.done"];
                stream.input(names, "input", text_at(item, "input"), &place);
            }
        }
        stream.add("response.output_item.done", json!({"output_index": index, "item": item}));
    }
    stream.add("response.completed", json!({"response": whole(speech)}));
    stream.events
}

/// A stream of numbered events.
struct Stream {
    events: Vec<Event>,
}

impl Stream {
    fn add(&mut self, name: &'static str, data: Value) {
        let number = self.events.len();
        self.events.push(Event::named(name, with(data, [("sequence_number", number.into())])));
    }

    fn message(&mut self, text: &str, place: &Value) {
        let place = with(place.clone(), [("content_index", 0.into())]);
        let at = |key: &'static str, value: Value| with(place.clone(), [(key, value)]);
        self.add("response.content_part.added", at("part", part("")));
        for piece in pieces(text) {
            self.add("response.output_text.delta", at("delta", piece.into()));
        }
        self.add("response.output_text.done", at("text", text.into()));
        self.add("response.content_part.done", at("part", part(text)));
    }

    fn input(&mut self, [delta, done]: [&'static str; 2], key: &'static str, text: &str, place: &Value) {
        for piece in pieces(text) {
            self.add(delta, with(place.clone(), [("delta", piece.into())]));
        }
        self.add(done, with(place.clone(), [(key, text.into())]));
    }
}

/// Returns an object with more keys.
fn with<const N: usize>(mut object: Value, more: [(&'static str, Value); N]) -> Value {
    if let Some(keys) = object.as_object_mut() {
        keys.extend(more.map(|(key, value)| (key.to_owned(), value)));
    }
    object
}
