//! The messages of the Model Context Protocol: JSON-RPC 2.0, one message per line.

use checkrein::{Map, json};
use serde_json::{Value, json};

/// An error code of JSON-RPC: the text is not JSON.
pub(super) const PARSE_ERROR: i64 = -32_700;
/// The message is not a request.
pub(super) const INVALID_REQUEST: i64 = -32_600;
/// The method is not known, or is not passed on.
pub(super) const NO_METHOD: i64 = -32_601;
/// The parameters are wrong.
pub(super) const INVALID_PARAMS: i64 = -32_602;
/// The server failed, or the proxy did not let a request pass.
pub(super) const FAILED: i64 = -32_000;

/// A message.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Message {
    Request { id: Value, method: String, params: Map },
    Notification { method: String, params: Map },
    Response { id: Value, outcome: Outcome },
}

/// A result, or the error object of a response.
pub(super) type Outcome = Result<Value, Value>;

/// A line that is not a message.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Unreadable {
    pub(super) code: i64,
    pub(super) why: String,
    /// The ids of requests in it, which wait for an answer.
    pub(super) ids: Vec<Value>,
}

/// Reads a line.
pub(super) fn read(line: &[u8]) -> Result<Message, Unreadable> {
    match json::parse(line) {
        Ok(Value::Object(object)) => of_object(object),
        Ok(Value::Array(batch)) => {
            let ids = batch.iter().filter(|one| one.get("method").is_some()).filter_map(id_of).collect();
            Err(Unreadable {
                code: INVALID_REQUEST,
                why: "batches of messages are not supported".into(),
                ids,
            })
        }
        Ok(other) => Err(unreadable(
            INVALID_REQUEST,
            &format!("expected an object, found {}", json::type_name(&other)),
        )),
        Err(error) => Err(unreadable(PARSE_ERROR, &format!("not JSON: {error}"))),
    }
}

fn of_object(mut object: Map) -> Result<Message, Unreadable> {
    let id = object.get("id").cloned();
    let invalid = |why: &str| Unreadable {
        code: INVALID_REQUEST,
        why: why.to_owned(),
        ids: id.clone().filter(is_id).into_iter().collect(),
    };
    if object.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Err(invalid("`jsonrpc` is not \"2.0\""));
    }
    if id.as_ref().is_some_and(|id| !is_id(id)) {
        return Err(invalid("`id` is neither a string nor a whole number"));
    }
    let result = object.remove("result");
    let error = object.remove("error");
    let Some(method) = object.remove("method") else {
        return match (id.clone(), result, error) {
            (Some(id), Some(result), None) => Ok(Message::Response { id, outcome: Ok(result) }),
            (Some(id), None, Some(error)) => Ok(Message::Response { id, outcome: Err(error) }),
            _ => Err(invalid("neither a request nor a response")),
        };
    };
    let Value::String(method) = method else { return Err(invalid("`method` is not a string")) };
    if result.is_some() || error.is_some() {
        return Err(invalid("a request and a response at once"));
    }
    let params = match object.remove("params") {
        None => Map::new(),
        Some(Value::Object(params)) => params,
        Some(_) => return Err(invalid("`params` is not an object")),
    };
    Ok(match id {
        Some(id) => Message::Request { id, method, params },
        None => Message::Notification { method, params },
    })
}

fn unreadable(code: i64, why: &str) -> Unreadable {
    Unreadable { code, why: why.to_owned(), ids: Vec::new() }
}

fn id_of(message: &Value) -> Option<Value> {
    message.get("id").filter(|id| is_id(id)).cloned()
}

/// Returns whether a value can be an id. Fractions are not, because not every reader writes them alike.
fn is_id(id: &Value) -> bool {
    id.is_string() || id.is_i64() || id.is_u64()
}

pub(super) fn request(id: u64, method: &str, params: &Map) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

pub(super) fn notification(method: &str, params: &Map) -> Value {
    json!({"jsonrpc": "2.0", "method": method, "params": params})
}

pub(super) fn response(id: &Value, outcome: Outcome) -> Value {
    match outcome {
        Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
        Err(error) => json!({"jsonrpc": "2.0", "id": id, "error": error}),
    }
}

/// Makes the error object of a response. The text says who speaks.
pub(super) fn error(code: i64, why: &str) -> Value {
    json!({"code": code, "message": format!("checkrein: {why}")})
}

/// Makes the result of a tool that did not run, or whose result is withheld.
pub(super) fn tool_error(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}], "isError": true})
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(line: &str) -> (i64, Vec<Value>) {
        let unreadable = read(line.as_bytes()).unwrap_err();
        (unreadable.code, unreadable.ids)
    }

    #[test]
    fn messages_are_told_apart() {
        let read = |line: &str| read(line.as_bytes()).unwrap();
        assert!(matches!(
            read(r#"{"jsonrpc":"2.0","id":"a","method":"ping"}"#),
            Message::Request { id, method, params } if id == "a" && method == "ping" && params.is_empty()
        ));
        assert!(matches!(
            read(r#"{"jsonrpc":"2.0","method":"n","params":{}}"#),
            Message::Notification { .. }
        ));
        assert!(matches!(
            read(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#),
            Message::Response { outcome: Ok(_), .. }
        ));
        assert!(matches!(
            read(r#"{"jsonrpc":"2.0","id":1,"error":{}}"#),
            Message::Response { outcome: Err(_), .. }
        ));
    }

    #[test]
    fn everything_else_is_refused_with_the_ids_that_wait() {
        assert_eq!(why("nonsense"), (PARSE_ERROR, vec![]));
        assert_eq!(why(r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"x"}"#), (PARSE_ERROR, vec![]));
        assert_eq!(why("3"), (INVALID_REQUEST, vec![]));
        for (line, ids) in [
            (r#"{"id":1,"method":"x"}"#, vec![json!(1)]),
            (r#"{"jsonrpc":"2.0","id":1,"method":"x","result":{}}"#, vec![json!(1)]),
            (r#"{"jsonrpc":"2.0","id":1,"method":"x","params":[1]}"#, vec![json!(1)]),
            (r#"{"jsonrpc":"2.0","id":1,"method":7}"#, vec![json!(1)]),
            (r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{}}"#, vec![json!(1)]),
            (r#"{"jsonrpc":"2.0","id":null,"method":"x"}"#, vec![]),
            (r#"{"jsonrpc":"2.0","id":1.5,"method":"x"}"#, vec![]),
            (r#"{"jsonrpc":"2.0","id":[1],"method":"x"}"#, vec![]),
            (
                r#"[{"jsonrpc":"2.0","id":1,"method":"x"},{"jsonrpc":"2.0","method":"n"},{"id":2,"result":{}}]"#,
                vec![json!(1)],
            ),
        ] {
            assert_eq!(why(line), (INVALID_REQUEST, ids), "{line}");
        }
    }
}
