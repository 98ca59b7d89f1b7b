//! OpenAI's chat completions.

use super::{
    Answer, Message, ModelCall, SYSTEM,
    http::{self, Request},
};
use checkrein_harness::{Toolbox, checkrein::variable};
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub(crate) fn request(host: &str, model: &str, messages: &[Message], tools: &Toolbox) -> Request {
    let mut all = vec![json!({"role": "system", "content": SYSTEM})];
    for message in messages {
        match message {
            Message::User(text) => all.push(json!({"role": "user", "content": text})),
            Message::Assistant(answer) => all.push(assistant(answer)),
            Message::Results(results) => all.extend(
                results
                    .iter()
                    .map(|result| json!({"role": "tool", "tool_call_id": result.id, "content": result.text})),
            ),
        }
    }
    let tools: Vec<Value> = tools
        .specs()
        .iter()
        .map(|spec| {
            let about =
                json!({"name": spec.name(), "description": spec.description(), "parameters": spec.schema()});
            json!({"type": "function", "function": about})
        })
        .collect();
    let key = variable("OPENAI_API_KEY").map(|key| key.to_string_lossy().into_owned());
    Request {
        url: format!("{host}/v1/chat/completions"),
        headers: key.map(|key| ("authorization", format!("Bearer {key}"))).into_iter().collect(),
        body: json!({"model": model, "stream": true, "messages": all, "tools": tools}),
    }
}

fn assistant(answer: &Answer) -> Value {
    let calls: Vec<Value> = answer
        .calls
        .iter()
        .map(|call| {
            let function = json!({"name": call.name, "arguments": call.arguments().to_string()});
            json!({"id": call.id, "type": "function", "function": function})
        })
        .collect();
    let mut message = json!({"role": "assistant", "content": answer.text});
    if let (Some(message), false) = (message.as_object_mut(), calls.is_empty()) {
        message.insert("tool_calls".into(), calls.into());
    }
    message
}

/// The pieces of an answer: text, and calls by their number, whose arguments arrive in pieces.
#[derive(Default)]
pub(crate) struct Reader {
    text: String,
    calls: BTreeMap<u64, (String, String, String)>,
    whole: bool,
}

impl http::Reader for Reader {
    fn event(&mut self, event: &Value) -> Result<Option<String>, String> {
        if let Some(error) = event.get("error") {
            return Err(format!("the host reports an error: {error}"));
        }
        let Some(choice) = event.pointer("/choices/0") else { return Ok(None) };
        self.whole |= choice.get("finish_reason").is_some_and(Value::is_string);
        let calls = choice.pointer("/delta/tool_calls").and_then(Value::as_array);
        for (place, call) in calls.into_iter().flatten().enumerate() {
            let number = call.get("index").and_then(Value::as_u64).unwrap_or(place as u64);
            let (id, name, arguments) = self.calls.entry(number).or_default();
            let add = |to: &mut String, at: &str| {
                to.push_str(call.pointer(at).and_then(Value::as_str).unwrap_or(""));
            };
            add(id, "/id");
            add(name, "/function/name");
            add(arguments, "/function/arguments");
        }
        let piece =
            choice.pointer("/delta/content").and_then(Value::as_str).filter(|piece| !piece.is_empty());
        self.text.push_str(piece.unwrap_or_default());
        Ok(piece.map(str::to_owned))
    }

    fn finish(self) -> Option<Answer> {
        let calls = self.calls.into_values();
        let calls = calls.map(|(id, name, arguments)| ModelCall::from_text(id, name, &arguments)).collect();
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
            |delta: Value, finish: Value| json!({"choices": [{"delta": delta, "finish_reason": finish}]});
        let bit = |index: u64, id: &str, name: &str, arguments: &str| json!({"tool_calls": [{"index": index, "id": id, "function": {"name": name, "arguments": arguments}}]});
        let events = [
            delta(json!({"content": "I "}), Value::Null),
            delta(json!({"content": "do."}), Value::Null),
            delta(bit(0, "a", "read_file", "{\"pa"), Value::Null),
            delta(bit(1, "b", "list_files", ""), Value::Null),
            delta(bit(0, "", "", "th\": \"x\"}"), Value::Null),
            delta(json!({}), "tool_calls".into()),
        ];
        let answer = read(&events).unwrap();
        let calls: Vec<_> = answer.calls.iter().map(|call| (call.id.as_str(), call.name.as_str())).collect();
        assert_eq!((answer.text.as_str(), calls), ("I do.", vec![("a", "read_file"), ("b", "list_files")]));
        assert_eq!(answer.calls.first().unwrap().arguments(), json!({"path": "x"}));
        for length in 0..events.len() {
            assert!(read(events.get(..length).unwrap()).is_none(), "{length}");
        }
    }
}
