//! A session in which the test is the client and the server, and the real proxy is between the two.

use crate::Place;
use serde_json::{Value, json};
use std::{
    fs::{File, OpenOptions},
    io::{BufRead, BufReader, Read, Write},
    process::{Child, Command},
    sync::mpsc::{self, Receiver},
    thread,
    time::Duration,
};

/// The server's program: it passes its stdin to one pipe and reads its stdout from another. The test holds the other ends.
const SERVER: &str = r#"exec 3<&0; cat <&3 >"$2" & exec 3<&-; exec cat "$1""#;
/// The longest time that a message can take.
const PATIENCE: Duration = Duration::from_secs(60);

pub(super) struct Session {
    proxy: Child,
    to_client: Receiver<Value>,
    to_server: Receiver<Value>,
    server: Option<File>,
}

impl Session {
    /// Starts the proxy in a place, with these options.
    pub(super) fn start(place: &Place, options: &[&str]) -> Self {
        let (from_server, from_proxy) = (place.path("from-server"), place.path("from-proxy"));
        for pipe in [&from_server, &from_proxy] {
            let _ = std::fs::remove_file(pipe);
            assert!(Command::new("mkfifo").arg(pipe).status().unwrap().success());
        }
        let mut arguments = vec!["mcp-proxy", "--name", "fake"];
        arguments.extend(options);
        let (from, to) = (from_server.to_str().unwrap(), from_proxy.to_str().unwrap());
        arguments.extend(["--", "sh", "-c", SERVER, "sh", from, to]);
        let mut proxy = place.command(&arguments).spawn().unwrap();
        let to_client = messages(proxy.stdout.take().unwrap());
        drain(proxy.stderr.take().unwrap());
        let to_server = messages(File::open(&from_proxy).unwrap());
        let server = Some(OpenOptions::new().write(true).open(&from_server).unwrap());
        Self { proxy, to_client, to_server, server }
    }

    /// Starts a session that is initialized, with a server that has these tools. The client can ask its user if `asks`.
    pub(super) fn with_tools(place: &Place, options: &[&str], tools: &Value, asks: bool) -> Self {
        let mut session = Self::start(place, options);
        session.initialize(&if asks { json!({"elicitation": {}}) } else { json!({}) });
        session.client(&json!({"jsonrpc": "2.0", "id": "list", "method": "tools/list"}));
        session.list(tools);
        session
    }

    /// Makes the client and the server agree. Returns the capabilities that each of them saw.
    pub(super) fn initialize(&mut self, capabilities: &Value) -> (Value, Value) {
        self.client(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": capabilities, "clientInfo": {"name": "test", "version": "1"}}}));
        let request = self.at_server();
        assert_eq!(request["method"], "initialize");
        self.server(&json!({"jsonrpc": "2.0", "id": request["id"], "result": {
            "protocolVersion": "2025-06-18", "serverInfo": {"name": "fake", "version": "1"},
            "instructions": "Be\u{e0041} kind.",
            "capabilities": {"tools": {"listChanged": true}, "resources": {}, "prompts": {}, "logging": {}, "tasks": {}, "experimental": {}}}}));
        let answer = self.at_client();
        assert_eq!(answer["id"], 0);
        self.client(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        assert_eq!(self.at_server()["method"], "notifications/initialized");
        (request["params"]["capabilities"].clone(), answer["result"].clone())
    }

    /// Answers a request for the list of tools.
    pub(super) fn list(&mut self, tools: &Value) {
        let request = self.at_server();
        assert_eq!(request["method"], "tools/list", "{request}");
        self.server(&json!({"jsonrpc": "2.0", "id": request["id"], "result": {"tools": tools}}));
    }

    /// Reads the client's list of tools, by name.
    pub(super) fn listed(&mut self) -> Vec<String> {
        let answer = self.at_client();
        let tools = answer["result"]["tools"].as_array().unwrap_or_else(|| panic!("{answer}"));
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    }

    /// Sends a message of the client.
    pub(super) fn client(&mut self, message: &Value) {
        self.client_line(&message.to_string());
    }

    pub(super) fn client_line(&mut self, line: &str) {
        writeln!(self.proxy.stdin.as_mut().unwrap(), "{line}").unwrap();
    }

    /// Sends a call of the client.
    pub(super) fn call(&mut self, id: impl Into<Value>, tool: &str, arguments: &Value) {
        let params = json!({"name": tool, "arguments": arguments});
        self.client(&json!({"jsonrpc": "2.0", "id": id.into(), "method": "tools/call", "params": params}));
    }

    /// Sends a message of the server.
    pub(super) fn server(&mut self, message: &Value) {
        self.server_line(&message.to_string());
    }

    pub(super) fn server_line(&mut self, line: &str) {
        writeln!(self.server.as_mut().unwrap(), "{line}").unwrap();
    }

    /// Answers a request that the server got.
    pub(super) fn answer(&mut self, request: &Value, result: &Value) {
        self.server(&json!({"jsonrpc": "2.0", "id": request["id"], "result": result}));
    }

    /// Returns the next message that the client gets.
    pub(super) fn at_client(&mut self) -> Value {
        self.to_client.recv_timeout(PATIENCE).expect("the client got nothing")
    }

    /// Returns the next message that the server gets.
    pub(super) fn at_server(&mut self) -> Value {
        self.to_server.recv_timeout(PATIENCE).expect("the server got nothing")
    }

    /// Checks that the server got nothing that the client has not been told about: the next message is the ping that this sends.
    pub(super) fn nothing_reached_the_server(&mut self) {
        self.client(&json!({"jsonrpc": "2.0", "id": "ping", "method": "ping"}));
        let request = self.at_server();
        assert_eq!(request["method"], "ping", "{request}");
        self.answer(&request, &json!({}));
        let answer = self.at_client();
        assert_eq!(answer["id"], "ping", "{answer}");
    }

    /// Checks that the client got nothing: the next message is the answer to the ping that this sends.
    pub(super) fn nothing_reached_the_client(&mut self) {
        self.nothing_reached_the_server();
    }

    /// Ends the server.
    pub(super) fn end_server(&mut self) {
        self.server = None;
    }

    /// Ends the client, and returns the exit code.
    pub(super) fn end(mut self) -> Option<i32> {
        drop(self.proxy.stdin.take());
        let code = self.exit_code();
        self.server = None;
        code
    }

    pub(super) fn exit_code(&mut self) -> Option<i32> {
        for _ in 0..PATIENCE.as_millis() / 10 {
            if let Some(status) = self.proxy.try_wait().unwrap() {
                return status.code();
            }
            thread::sleep(Duration::from_millis(10));
        }
        panic!("the proxy does not end");
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.proxy.kill();
        let _ = self.proxy.wait();
    }
}

fn messages(from: impl Read + Send + 'static) -> Receiver<Value> {
    let (found, messages) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(from).lines().map_while(Result::ok) {
            let message = serde_json::from_str(&line).unwrap_or_else(|_| panic!("not a message: {line}"));
            if found.send(message).is_err() {
                return;
            }
        }
    });
    messages
}

/// Reads what the proxy reports, so that it never waits for a reader.
fn drain(mut from: impl Read + Send + 'static) {
    thread::spawn(move || std::io::copy(&mut from, &mut std::io::sink()));
}
