//! Tests the server as a client sees it: over a socket, in every protocol.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "tests"
)]

use checkrein_model::{Answered, Call, Message, Script, Server, ToolResult, Turn, Wire};
use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    time::Duration,
};

const WIRES: [(Wire, &str); 4] = [
    (Wire::Anthropic, "/v1/messages"),
    (Wire::Responses, "/v1/responses"),
    (Wire::Chat, "/v1/chat/completions"),
    (Wire::Gemini, "/v1beta/models/m:streamGenerateContent"),
];

/// The path for a stream or for one object, where the path says which.
fn path_for(path: &str, stream: bool) -> String {
    if stream { path.to_owned() } else { path.replace(":streamGenerate", ":generate") }
}

/// A text that is longer than one piece, with multi-byte characters at the boundaries.
const TEXT: &str = "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich.";

struct Client {
    reader: BufReader<TcpStream>,
}

struct Reply {
    status: u16,
    /// The chunks as they arrived, or the whole body as one.
    pieces: Vec<String>,
    /// True if the end of the answer arrived.
    ended: bool,
}

impl Reply {
    fn text(&self) -> String {
        self.pieces.concat()
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.text()).unwrap()
    }

    /// Returns the data of all events that are JSON.
    fn data(&self) -> Vec<Value> {
        let text = self.text();
        let data = text.lines().filter_map(|line| line.strip_prefix("data: "));
        data.filter(|data| *data != "[DONE]").map(|data| serde_json::from_str(data).unwrap()).collect()
    }
}

impl Client {
    fn new(server: &Server) -> Self {
        let stream = TcpStream::connect(server.address()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        Self { reader: BufReader::new(stream) }
    }

    fn send(&mut self, text: &str) -> Reply {
        self.reader.get_mut().write_all(text.as_bytes()).unwrap();
        let status = self.line().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let mut length = None;
        while let Some(header) = self.line().filter(|line| !line.is_empty()) {
            if let Some(value) = header.strip_prefix("Content-Length: ") {
                length = Some(value.parse::<usize>().unwrap());
            }
        }
        if let Some(length) = length {
            let mut body = vec![0; length];
            self.reader.read_exact(&mut body).unwrap();
            return Reply { status, pieces: vec![String::from_utf8(body).unwrap()], ended: true };
        }
        let mut pieces = Vec::new();
        loop {
            let Some(size) = self.line() else { return Reply { status, pieces, ended: false } };
            let size = usize::from_str_radix(&size, 16).unwrap();
            let mut piece = vec![0; size + 2];
            self.reader.read_exact(&mut piece).unwrap();
            if size == 0 {
                return Reply { status, pieces, ended: true };
            }
            pieces.push(String::from_utf8(piece[..size].to_vec()).unwrap());
        }
    }

    fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let read = self.reader.read_line(&mut line).unwrap();
        (read > 0).then(|| line.trim_end().to_owned())
    }

    fn post(&mut self, path: &str, body: &Value) -> Reply {
        let body = body.to_string();
        self.send(&format!(
            "POST {path}?beta=true HTTP/1.1\r\nHost: x\r\nX-Api-Key: k\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        ))
    }
}

/// Returns a request that offers the tool `shell`.
fn request(wire: Wire, stream: bool) -> Value {
    match wire {
        Wire::Anthropic => json!({
            "model": "m", "stream": stream, "system": [{"type": "text", "text": "be good"}],
            "tools": [{"name": "shell"}],
            "messages": [
                {"role": "user", "content": "do it"},
                {"role": "user", "content": [
                    {"type": "tool_result", "tool_use_id": "c1", "is_error": true,
                     "content": [{"type": "text", "text": "no"}]},
                ]},
            ],
        }),
        Wire::Responses => json!({
            "model": "m", "stream": stream, "instructions": "be good",
            "tools": [{"type": "function", "name": "shell"}, {"type": "web_search"}],
            "input": [
                {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "do it"}]},
                {"type": "function_call_output", "call_id": "c1", "output": "no"},
                {"type": "additional_tools", "tools": [{"name": "space", "tools": [{"name": "inner"}]}]},
            ],
        }),
        Wire::Chat => json!({
            "model": "m", "stream": stream,
            "tools": [{"type": "function", "function": {"name": "shell"}}],
            "messages": [
                {"role": "system", "content": "be good"},
                {"role": "user", "content": [{"type": "text", "text": "do it"}]},
                {"role": "tool", "tool_call_id": "c1", "content": "no"},
            ],
        }),
        Wire::Gemini => json!({
            "systemInstruction": {"role": "user", "parts": [{"text": "be good"}]},
            "tools": [{"functionDeclarations": [{"name": "shell"}]}],
            "contents": [
                {"role": "user", "parts": [{"text": "do it"}]},
                {"role": "user", "parts": [
                    {"functionResponse": {"id": "c1", "name": "shell", "response": {"error": "no"}}},
                ]},
            ],
        }),
    }
}

fn shell() -> Call {
    Call::new("shell", json!({"command": "echo hello world"}))
}

/// Assembles the text and calls of a stream, as a client does.
fn assembled(wire: Wire, data: &[Value]) -> (String, Vec<(String, Value)>) {
    let (mut text, mut calls) = (String::new(), Vec::<(String, String)>::new());
    for event in data {
        match wire {
            Wire::Anthropic => {
                if let Some(name) = event.pointer("/content_block/name") {
                    calls.push((name.as_str().unwrap().to_owned(), String::new()));
                }
                text += event.pointer("/delta/text").and_then(Value::as_str).unwrap_or_default();
                if let Some(piece) = event.pointer("/delta/partial_json").and_then(Value::as_str) {
                    calls.last_mut().unwrap().1 += piece;
                }
            }
            Wire::Responses => match event["type"].as_str().unwrap() {
                "response.output_item.added" if event["item"]["type"] == "function_call" => {
                    calls.push((event["item"]["name"].as_str().unwrap().to_owned(), String::new()));
                }
                "response.output_text.delta" => text += event["delta"].as_str().unwrap(),
                "response.function_call_arguments.delta" => {
                    calls.last_mut().unwrap().1 += event["delta"].as_str().unwrap();
                }
                _ => {}
            },
            Wire::Chat => {
                text += event.pointer("/choices/0/delta/content").and_then(Value::as_str).unwrap_or_default();
                if let Some(call) = event.pointer("/choices/0/delta/tool_calls/0") {
                    if let Some(name) = call.pointer("/function/name") {
                        calls.push((name.as_str().unwrap().to_owned(), String::new()));
                    }
                    let index = usize::try_from(call["index"].as_u64().unwrap()).unwrap();
                    calls[index].1 += call.pointer("/function/arguments").and_then(Value::as_str).unwrap();
                }
            }
            Wire::Gemini => {
                for part in event.pointer("/candidates/0/content/parts").unwrap().as_array().unwrap() {
                    text += part["text"].as_str().unwrap_or_default();
                    if let Some(call) = part.get("functionCall") {
                        calls.push((call["name"].as_str().unwrap().to_owned(), call["args"].to_string()));
                    }
                }
            }
        }
    }
    let read = |(name, text): (String, String)| (name, serde_json::from_str(&text).unwrap());
    (text, calls.into_iter().map(read).collect())
}

#[test]
fn a_stream_carries_text_and_calls_in_pieces() {
    for (wire, path) in WIRES {
        let server = Server::start(Script::new([Turn::say(TEXT, [shell(), shell()])])).unwrap();
        let reply = Client::new(&server).post(path, &request(wire, true));
        assert_eq!((reply.status, reply.ended), (200, true), "{wire:?}");
        assert!(reply.pieces.len() > 6, "{wire:?}: {:?}", reply.pieces);
        let (text, calls) = assembled(wire, &reply.data());
        assert_eq!(text, TEXT, "{wire:?}");
        let call = (shell().tool, shell().input);
        assert_eq!(calls, [call.clone(), call], "{wire:?}");
        let last = reply.text();
        let end = match wire {
            Wire::Anthropic => "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
            Wire::Responses => "\"total_tokens\":15}},\"sequence_number\":24}\n\n",
            Wire::Chat => "data: [DONE]\n\n",
            Wire::Gemini => "\"responseId\":\"resp_000001\"}\n\n",
        };
        assert!(last.ends_with(end), "{wire:?}: {last}");
    }
}

#[test]
fn an_answer_in_one_object_has_the_same_text_and_calls() {
    for (wire, path) in WIRES {
        let server = Server::start(Script::new([Turn::say(TEXT, [shell()]), Turn::text("done")])).unwrap();
        let mut client = Client::new(&server);
        let path = &path_for(path, false);
        let first = client.post(path, &request(wire, false)).json();
        let second = client.post(path, &request(wire, false)).json();
        let places = match wire {
            Wire::Anthropic => ["/content/0/text", "/content/1/name", "/content/1/input", "/content/0/text"],
            Wire::Responses => [
                "/output/0/content/0/text",
                "/output/1/name",
                "/output/1/arguments",
                "/output/0/content/0/text",
            ],
            Wire::Chat => [
                "/choices/0/message/content",
                "/choices/0/message/tool_calls/0/function/name",
                "/choices/0/message/tool_calls/0/function/arguments",
                "/choices/0/message/content",
            ],
            Wire::Gemini => [
                "/candidates/0/content/parts/0/text",
                "/candidates/0/content/parts/1/functionCall/name",
                "/candidates/0/content/parts/1/functionCall/args",
                "/candidates/0/content/parts/0/text",
            ],
        };
        assert_eq!(first.pointer(places[0]), Some(&TEXT.into()), "{wire:?}: {first}");
        assert_eq!(first.pointer(places[1]), Some(&"shell".into()), "{wire:?}: {first}");
        let input = first.pointer(places[2]).unwrap();
        let input = input.as_str().map_or_else(|| input.clone(), |text| serde_json::from_str(text).unwrap());
        assert_eq!(input, shell().input, "{wire:?}: {first}");
        assert_eq!(second.pointer(places[3]), Some(&"done".into()), "{wire:?}: {second}");
    }
}

#[test]
fn requests_of_all_protocols_read_the_same() {
    for (wire, path) in WIRES {
        let server = Server::start(Script::new([Turn::text("ok")])).unwrap();
        Client::new(&server).post(path, &request(wire, true));
        let requests = server.requests();
        let [seen] = requests.as_slice() else { panic!("{wire:?}: {requests:?}") };
        assert_eq!((seen.wire, seen.stream, seen.model.as_str()), (wire, true, "m"));
        assert_eq!(seen.answered, Answered::Turn(0));
        assert_eq!(seen.header("x-api-key"), Some("k"));
        let said = |role: &str, text: &str| Message { role: role.into(), text: text.into() };
        assert_eq!(seen.messages, [said("system", "be good"), said("user", "do it")], "{wire:?}");
        let is_error = matches!(wire, Wire::Anthropic | Wire::Gemini);
        let result = ToolResult { id: "c1".into(), text: "no".into(), is_error };
        assert_eq!(seen.result("c1"), Some(&result), "{wire:?}");
        let tools: &[&str] = match wire {
            Wire::Anthropic | Wire::Chat | Wire::Gemini => &["shell"],
            Wire::Responses => &["shell", "web_search", "space", "inner"],
        };
        assert_eq!(seen.tools, tools, "{wire:?}");
        assert_eq!(seen.body, request(wire, true));
    }
}

#[test]
fn a_free_form_tool_gets_a_string() {
    let call = Call::new("apply_patch", "*** Begin Patch\n*** End Patch\n".into());
    let server = Server::start(Script::new([Turn::call(call)])).unwrap();
    let body = json!({"stream": true, "tools": [{"type": "custom", "name": "apply_patch"}]});
    let data = Client::new(&server).post("/v1/responses", &body).data();
    let done = data.iter().find(|event| event["type"] == "response.output_item.done").unwrap();
    assert_eq!(done["item"]["type"], "custom_tool_call");
    assert_eq!(done["item"]["input"], "*** Begin Patch\n*** End Patch\n");
}

#[test]
fn a_cut_stream_is_incomplete() {
    for (wire, path) in WIRES {
        for stream in [true, false] {
            let server = Server::start(Script::new([Turn::cut(TEXT), Turn::text("again")])).unwrap();
            let path = &path_for(path, stream);
            let reply = Client::new(&server).post(path, &request(wire, stream));
            assert!(!reply.ended, "{wire:?} {stream}");
            assert!(!reply.pieces.is_empty() && !reply.text().contains("Deich"), "{wire:?} {stream}");
            // A retry gets the next turn.
            let reply = Client::new(&server).post(path, &request(wire, stream));
            assert!(reply.ended && reply.text().contains("again"), "{wire:?} {stream}");
        }
    }
}

#[test]
fn an_error_has_its_status_and_the_protocols_shape() {
    for (wire, path) in WIRES {
        let server = Server::start(Script::new([Turn::fail(529, "overloaded")])).unwrap();
        let reply = Client::new(&server).post(path, &request(wire, true));
        assert_eq!(
            (reply.status, &reply.json()["error"]["message"]),
            (529, &"overloaded".into()),
            "{wire:?}"
        );
    }
}

#[test]
fn a_side_request_takes_no_turn() {
    let server = Server::start(Script::new([Turn::call(shell()), Turn::text("done")])).unwrap();
    let mut client = Client::new(&server);
    let without_tools = json!({"model": "m", "messages": []});
    let other_tool = json!({"model": "m", "messages": [], "tools": [{"name": "title"}]});
    for body in [&without_tools, &other_tool, &request(Wire::Anthropic, false), &without_tools] {
        assert_eq!(client.post("/v1/messages", body).status, 200);
    }
    client.post("/v1/messages", &request(Wire::Anthropic, false));
    let last = client.post("/v1/messages", &request(Wire::Anthropic, false));
    assert_eq!(last.json()["content"][0]["text"], "The script is over.");
    let answered: Vec<_> = server.requests().iter().map(|request| request.answered).collect();
    use Answered::{AfterTheEnd, Aside, Turn as Took};
    assert_eq!(answered, [Aside, Aside, Took(0), Aside, Took(1), AfterTheEnd]);
    assert_eq!(server.turns().len(), 2);
}

#[test]
fn a_script_without_calls_answers_requests_without_tools() {
    let server = Server::start(Script::new([Turn::text("one"), Turn::text("two")])).unwrap();
    let mut client = Client::new(&server);
    for expected in ["one", "two"] {
        let reply = client.post("/v1/messages", &json!({"model": "m", "messages": []}));
        assert_eq!(reply.json()["content"][0]["text"], expected);
    }
}

#[test]
fn a_chunked_body_is_joined() {
    let server = Server::start(Script::new([Turn::text("ok")])).unwrap();
    let body = json!({"messages": [{"role": "user", "content": "in pieces"}]}).to_string();
    let (head, tail) = body.split_at(9);
    let text = format!(
        "POST /v1/messages HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n{head}\r\n{:x};x=y\r\n{tail}\r\n0\r\n\r\n",
        head.len(),
        tail.len()
    );
    assert_eq!(Client::new(&server).send(&text).status, 200);
    assert_eq!(server.requests()[0].messages[0].text, "in pieces");
}

#[test]
fn other_requests_are_answered_and_recorded() {
    let server = Server::start(Script::new([Turn::text("ok")])).unwrap();
    let mut client = Client::new(&server);
    assert_eq!(client.send("GET /v1/models HTTP/1.1\r\n\r\n").json()["data"][0]["id"], "scripted");
    assert_eq!(client.post("/v1/messages/count_tokens", &json!({})).json()["input_tokens"], 10);
    assert_eq!(client.send("GET /v1/messages HTTP/1.1\r\n\r\n").status, 404);
    assert_eq!(client.send("POST /v1/messages HTTP/1.1\r\nContent-Length: 1\r\n\r\n{").status, 400);
    let packed = "POST /v1/messages HTTP/1.1\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}";
    assert_eq!(client.send(packed).status, 415);
    assert_eq!(server.others(), ["GET /v1/models", "POST /v1/messages/count_tokens", "GET /v1/messages"]);
    assert!(server.requests().is_empty());
}

#[test]
fn invalid_requests_end_the_connection_and_not_the_server() {
    let server = Server::start(Script::new([Turn::text("ok")])).unwrap();
    let long = format!("POST {} HTTP/1.1\r\n", "x".repeat(80_000));
    for nonsense in ["\r\n", "GET\r\n\r\n", "GET / HTTP/1.1\r\nnone\r\n\r\n", &long] {
        let mut client = Client::new(&server);
        // The server may be gone before all of it is written.
        let _ = client.reader.get_mut().write_all(nonsense.as_bytes());
        let mut rest = Vec::new();
        let read = client.reader.read_to_end(&mut rest);
        assert!(matches!(read, Ok(0) | Err(_)), "{nonsense:?} was answered with {rest:?}");
    }
    assert_eq!(Client::new(&server).post("/v1/messages", &json!({})).status, 200);
}

#[test]
fn a_dropped_server_leaves_no_client_waiting() {
    let server = Server::start(Script::new([])).unwrap();
    let address = server.address();
    let mut client = Client::new(&server);
    assert_eq!(client.post("/v1/messages", &json!({})).status, 200);
    drop(server);
    assert_eq!(client.line(), None);
    assert!(TcpStream::connect(address).is_err());
}

/// An agent that has started another continues in the meantime: each of the two has its own turns.
#[test]
fn parallel_conversations_do_not_take_each_others_turns() {
    let script =
        Script::new([Turn::text("one"), Turn::text("two")]).branch("their task", [Turn::text("theirs")]);
    let server = Server::start(script).unwrap();
    let say = |text: &str| {
        let body = json!({"model": "m", "messages": [{"role": "user", "content": text}]});
        Client::new(&server).post("/v1/messages", &body).text()
    };
    assert!(say("hello").contains("one"));
    assert!(say("this is their task").contains("theirs"));
    assert!(say("hello").contains("two"));
    assert!(say("this is their task").contains("over"));
}
