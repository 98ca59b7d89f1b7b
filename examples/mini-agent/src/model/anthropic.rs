//! Anthropic's messages.

use super::{
    Answer, Message, ModelCall, SYSTEM,
    http::{self, Request},
};
use checkrein_harness::{Toolbox, checkrein::variable};
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub(crate) fn request(host: &str, model: &str, messages: &[Message], tools: &Toolbox) -> Request {
    let all: Vec<Value> = messages
        .iter()
        .map(|message| match message {
            Message::User(text) => json!({"role": "user", "content": text}),
            Message::Assistant(answer) => json!({"role": "assistant", "content": assistant(answer)}),
            Message::Results(results) => {
                let blocks: Vec<Value> = results
                    .iter()
                    .map(|result| {
                        json!({"type": "tool_result", "tool_use_id": result.id, "content": result.text,
                               "is_error": result.is_error})
                    })
                    .collect();
                json!({"role": "user", "content": blocks})
            }
        })
        .collect();
    let tools: Vec<Value> = tools
        .specs()
        .iter()
        .map(|spec| {
            json!({"name": spec.name(), "description": spec.description(), "input_schema": spec.schema()})
        })
        .collect();
    let key = variable("ANTHROPIC_API_KEY").map(|key| key.to_string_lossy().into_owned());
    let mut headers = vec![("anthropic-version", "2023-06-01".to_owned())];
    headers.extend(key.map(|key| ("x-api-key", key)));
    Request {
        url: format!("{host}/v1/messages"),
        headers,
        body: json!({"model": model, "max_tokens": 8192, "stream": true, "system": SYSTEM, "messages": all,
                     "tools": tools}),
    }
}

fn assistant(answer: &Answer) -> Vec<Value> {
    let text = (!answer.text.is_empty()).then(|| json!({"type": "text", "text": answer.text}));
    let calls = answer
        .calls
        .iter()
        .map(|call| json!({"type": "tool_use", "id": call.id, "name": call.name, "input": call.arguments()}));
    let blocks: Vec<Value> = text.into_iter().chain(calls).collect();
    // An answer without text is still an answer, but an empty list is not valid.
    if blocks.is_empty() { vec![json!({"type": "text", "text": "(nothing)"})] } else { blocks }
}

/// The pieces of an answer: text, and calls by the number of their block, whose input arrives in pieces.
#[derive(Default)]
pub(crate) struct Reader {
    text: String,
    calls: BTreeMap<u64, (String, String, String)>,
    whole: bool,
}

impl http::Reader for Reader {
    fn event(&mut self, event: &Value) -> Result<Option<String>, String> {
        let text_at = |at: &str| event.pointer(at).and_then(Value::as_str).unwrap_or_default();
        let number = event.get("index").and_then(Value::as_u64).unwrap_or_default();
        match text_at("/type") {
            "error" => return Err(format!("the host reports an error: {}", text_at("/error/message"))),
            "content_block_start" if text_at("/content_block/type") == "tool_use" => {
                let call = (text_at("/content_block/id"), text_at("/content_block/name"));
                self.calls.insert(number, (call.0.to_owned(), call.1.to_owned(), String::new()));
            }
            "content_block_delta" if text_at("/delta/type") == "text_delta" => {
                self.text.push_str(text_at("/delta/text"));
                return Ok(Some(text_at("/delta/text").to_owned()));
            }
            "content_block_delta" if text_at("/delta/type") == "input_json_delta" => {
                if let Some((_, _, input)) = self.calls.get_mut(&number) {
                    input.push_str(text_at("/delta/partial_json"));
                }
            }
            "message_stop" => self.whole = true,
            _ => {}
        }
        Ok(None)
    }

    fn finish(self) -> Option<Answer> {
        let calls = self.calls.into_values();
        let calls = calls.map(|(id, name, input)| ModelCall::from_text(id, name, &input)).collect();
        self.whole.then_some(Answer { text: self.text, calls })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::{http::Reader as _, *};

    fn read(events: &[Value]) -> Option<Answer> {
        let mut reader = Reader::default();
        for event in events {
            reader.event(event).unwrap();
        }
        reader.finish()
    }

    #[test]
    fn calls_arrive_in_pieces_and_count_only_when_the_answer_is_complete() {
        let delta =
            |delta: Value, index: u64| json!({"type": "content_block_delta", "index": index, "delta": delta});
        let events = [
            json!({"type": "message_start", "message": {}}),
            json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
            delta(json!({"type": "text_delta", "text": "I do."}), 0),
            json!({"type": "content_block_start", "index": 1,
                   "content_block": {"type": "tool_use", "id": "a", "name": "read_file", "input": {}}}),
            delta(json!({"type": "input_json_delta", "partial_json": "{\"path\": "}), 1),
            delta(json!({"type": "input_json_delta", "partial_json": "\"x\"}"}), 1),
            json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}}),
            json!({"type": "message_stop"}),
        ];
        let answer = read(&events).unwrap();
        let call = answer.calls.first().unwrap();
        assert_eq!(
            (answer.text.as_str(), call.id.as_str(), call.arguments()),
            ("I do.", "a", json!({"path": "x"}))
        );
        for length in 0..events.len() {
            assert!(read(events.get(..length).unwrap()).is_none(), "{length}");
        }
        assert!(Reader::default().event(&json!({"type": "error", "error": {"message": "busy"}})).is_err());
    }
}
