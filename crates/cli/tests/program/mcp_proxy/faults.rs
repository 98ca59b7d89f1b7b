//! Messages that no client and no server should send, and ends that come too early.

use super::{session, session::Session, text};
use crate::Place;
use serde_json::{Value, json};

/// Checks that the session still works.
fn works(session: &mut Session) {
    session.call("works", "echo", &json!({"text": "x"}));
    let request = session.at_server();
    assert_eq!(request["params"]["name"], "echo", "{request}");
    session.answer(&request, &json!({"content": []}));
    let answer = session.at_client();
    assert_eq!((&answer["id"], &answer["result"]), (&json!("works"), &json!({"content": []})), "{answer}");
}

#[test]
fn what_the_client_sends_wrong_is_answered_and_does_not_pass() {
    let place = Place::new();
    let mut session = session(&place);
    let call = |id: Value| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "echo", "arguments": {}}});
    for (line, id, code) in [
        ("nonsense".to_owned(), Value::Null, -32700),
        ("{\"jsonrpc\":\"2.0\"".to_owned(), Value::Null, -32700),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","method":"tools/call"}"#.to_owned(), Value::Null, -32700),
        (r#"{"jsonrpc":"2.0","id":null,"method":"tools/call"}"#.to_owned(), Value::Null, -32600),
        (r#"{"id":9,"method":"tools/call"}"#.to_owned(), json!(9), -32600),
        (json!([call(json!(11))]).to_string(), json!(11), -32600),
        (json!({"jsonrpc": "2.0", "id": 3, "method": "tasks/result", "params": {}}).to_string(), json!(3), -32601),
        (json!({"jsonrpc": "2.0", "id": 3, "method": "tools/Call", "params": {}}).to_string(), json!(3), -32601),
        (json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": 1}}).to_string(), json!(3), -32602),
        (json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "echo", "arguments": []}}).to_string(), json!(3), -32602),
        (json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "echo", "task": {}}}).to_string(), json!(3), -32602),
        (json!({"jsonrpc": "2.0", "id": 3, "method": "tools/list", "params": {"cursor": "x"}}).to_string(), json!(3), -32602),
        (json!({"jsonrpc": "2.0", "id": 3, "method": "resources/read", "params": {}}).to_string(), json!(3), -32602),
        (format!("{{\"pad\":\"{}\"}}", "x".repeat(17 * 1024 * 1024)), Value::Null, -32600),
    ] {
        session.client_line(&line);
        let answer = session.at_client();
        let shown: String = line.chars().take(100).collect();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&id, &json!(code)), "{shown}: {answer}");
        session.nothing_reached_the_server();
    }
    // A call that wants no answer, and notifications that are not known.
    for method in ["tools/call", "notifications/unheard_of", "resources/read"] {
        session.client(
            &json!({"jsonrpc": "2.0", "method": method, "params": {"name": "echo", "arguments": {}}}),
        );
        session.nothing_reached_the_server();
    }
    // An answer to nothing.
    session.client(&json!({"jsonrpc": "2.0", "id": 99, "result": {"action": "accept"}}));
    session.nothing_reached_the_server();
    works(&mut session);
}

#[test]
fn an_id_is_not_used_twice_at_once_and_ids_of_two_types_differ() {
    let place = Place::new();
    let mut session = session(&place);
    session.call(1, "echo", &json!({"text": "first"}));
    let first = session.at_server();
    session.call(1, "run_command", &json!({"command": "ls"}));
    assert_eq!(session.at_client()["error"]["code"], -32600);
    session.client(&json!({"jsonrpc": "2.0", "id": "1", "method": "prompts/list"}));
    let other = session.at_server();
    assert_eq!(other["method"], "prompts/list");
    session.answer(&first, &json!({"content": [], "first": true}));
    let answer = session.at_client();
    assert!(answer["id"] == 1 && answer["result"]["first"] == true, "{answer}");
    // The second answer to a request is none.
    session.answer(&first, &json!({"content": [{"type": "text", "text": "again"}]}));
    session.answer(&other, &json!({"prompts": []}));
    assert_eq!(session.at_client()["id"], "1");
    works(&mut session);
}

#[test]
fn what_the_server_sends_wrong_does_not_pass_and_no_request_waits_for_it() {
    let place = Place::new();
    let mut session = session(&place);
    for line in ["server started on stdio", "", "42"] {
        session.server_line(line);
        session.nothing_reached_the_client();
    }
    for message in [
        json!({"jsonrpc": "2.0", "id": 1234, "result": {}}),
        json!({"jsonrpc": "2.0", "id": "x", "result": {}}),
        json!({"jsonrpc": "2.0", "method": "notifications/unheard_of", "params": {}}),
        json!({"jsonrpc": "2.0", "method": "tools/call", "params": {}}),
    ] {
        session.server(&message);
        session.nothing_reached_the_client();
    }
    // These may be the answer to the call, so the call is over.
    for line in [
        "{\"jsonrpc\":\"2.0\",\"id\":".to_owned(),
        "{\"id\":1,\"result\":{}}".to_owned(),
        "[]".to_owned(),
        json!([{"jsonrpc": "2.0", "id": 1, "result": {}}]).to_string(),
        format!("{{\"pad\":\"{}\"}}", "x".repeat(17 * 1024 * 1024)),
    ] {
        session.call(1, "echo", &json!({"text": "x"}));
        let request = session.at_server();
        session.server_line(&line);
        let answer = session.at_client();
        assert!(
            answer["id"] == 1 && answer["error"]["message"].as_str().unwrap().starts_with("checkrein: "),
            "{answer}"
        );
        session.answer(&request, &json!({"content": [{"type": "text", "text": "late"}]}));
        session.nothing_reached_the_client();
        works(&mut session);
    }
}

#[test]
fn a_server_that_ends_leaves_no_request_open() {
    let place = Place::new();
    let mut session = session(&place);
    session.call(1, "echo", &json!({"text": "x"}));
    session.call(2, "echo", &json!({"text": "y"}));
    session.client(&json!({"jsonrpc": "2.0", "id": 3, "method": "prompts/list"}));
    session.at_server();
    session.at_server();
    session.end_server();
    for id in [1, 2, 3] {
        let answer = session.at_client();
        assert_eq!(answer["id"], id, "{answer}");
        assert!(answer["error"]["message"].as_str().unwrap().contains("the server ended"), "{answer}");
    }
    assert_eq!(session.exit_code(), Some(1));
}

#[test]
fn a_server_that_cannot_be_started_is_an_error() {
    let place = Place::new();
    let output = place.output(&["mcp-proxy", "--", "./no-such-server"], b"");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.code() == Some(3) && told.contains("cannot start the server `./no-such-server`"),
        "{told}"
    );
    let output = place.output(&["mcp-proxy"], b"");
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn a_cancelled_call_does_not_run_or_is_cancelled_at_the_server() {
    let place = Place::new();
    let mut session = session(&place);
    session.call(1, "echo", &json!({"text": "runs"}));
    let first = session.at_server();
    session.call(2, "echo", &json!({"text": "waits"}));
    let cancel = |id: i32| json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id, "reason": "bored"}});
    session.client(&cancel(2));
    session.client(&cancel(1));
    let cancelled = session.at_server();
    assert_eq!(cancelled["params"], json!({"requestId": first["id"], "reason": "bored"}));
    // Whatever the server still says about it is too late.
    session.answer(&first, &json!({"content": [{"type": "text", "text": "late"}]}));
    session.nothing_reached_the_client();
    session.client(&cancel(77));
    session.nothing_reached_the_server();
    works(&mut session);
}

#[test]
fn a_call_does_not_wait_for_ever_for_an_earlier_one() {
    let place = Place::new();
    let mut session = session(&place);
    session.call(1, "run_command", &json!({"command": "sleep 1000"}));
    session.at_server();
    session.call(2, "echo", &json!({"text": "x"}));
    let answer = session.at_client();
    assert!(answer["id"] == 2 && text(&answer).contains("has not ended"), "{answer}");
}

#[test]
fn the_server_ends_with_the_client() {
    let place = Place::new();
    let pid = place.path("pid");
    let script = format!("echo $$ > {}; trap '' TERM; while :; do sleep 1; done", pid.display());
    let mut child = place.command(&["mcp-proxy", "--", "sh", "-c", &script]).spawn().unwrap();
    let started = std::time::Instant::now();
    while !pid.exists() && started.elapsed().as_secs() < 30 {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
    let pid = std::fs::read_to_string(pid).unwrap();
    assert!(!std::path::Path::new(&format!("/proc/{}", pid.trim())).exists(), "the server still runs");
}
