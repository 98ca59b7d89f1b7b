//! Messages of the client.

use super::*;

impl Proxy {
    pub(super) fn client_message(&mut self, message: Message) {
        match message {
            Message::Response { id, outcome } => self.client_answered(&id, outcome),
            Message::Notification { method, params } if method == CANCELLED => {
                self.cancelled_by_client(&params);
            }
            Message::Notification { method, params } if CLIENT_NOTIFICATIONS.contains(&method.as_str()) => {
                self.tell_server(&rpc::notification(&method, &params));
            }
            Message::Notification { method, .. } => dropped("the client", &method),
            Message::Request { id, method, params } => {
                if self.state.open.values().any(|open| open.id == id) {
                    let error = rpc::error(
                        INVALID_REQUEST,
                        "this id belongs to a request that has not been answered yet",
                    );
                    self.tell_client(&rpc::response(&id, Err(error)));
                } else if self.state.open.len() >= MOST_OPEN {
                    let error = rpc::error(FAILED, "too many requests are open");
                    self.tell_client(&rpc::response(&id, Err(error)));
                } else {
                    self.client_request(id, &method, params);
                }
            }
        }
    }

    pub(super) fn client_request(&mut self, id: Value, method: &str, params: Map) {
        let what = match method {
            "initialize" => What::Initialize,
            "tools/list" => What::ListTools,
            "tools/call" | "resources/read" => match self.call(method, params.clone()) {
                Ok(call) => What::Call(Box::new(call)),
                Err(why) => {
                    let error = rpc::error(INVALID_PARAMS, why);
                    return self.tell_client(&rpc::response(&id, Err(error)));
                }
            },
            _ if PASSED.contains(&method) => What::Passed,
            _ => {
                let why = format!("the method `{}` is not passed on", sanitize::one_line(method, 100));
                return self.tell_client(&rpc::response(&id, Err(rpc::error(NO_METHOD, &why))));
            }
        };
        let number = self.number();
        let is_call = matches!(what, What::Call(_));
        self.state.open.insert(number, Open { id, what, since: Instant::now() });
        match method {
            "initialize" => {
                let params = self.client_capabilities(params);
                self.tell_server(&rpc::request(number, method, &params));
            }
            // The client gets all pages at once, so that a tool that is on a later page does not look like one that was added.
            "tools/list" if params.get("cursor").is_some_and(|cursor| !cursor.is_null()) => {
                self.reply(number, Err(rpc::error(INVALID_PARAMS, "there is only one page")));
            }
            "tools/list" => self.list(),
            _ if is_call => {
                self.state.queue.push_back(number);
                self.advance();
            }
            _ => self.tell_server(&rpc::request(number, method, &params)),
        }
    }

    /// Reads a call from the parameters of a request.
    pub(super) fn call(&self, method: &str, params: Map) -> Result<Call, &'static str> {
        if params.contains_key("task") {
            return Err("tasks are not supported");
        }
        let (method, call) = if method == "tools/call" {
            let name = params.get("name").and_then(Value::as_str).ok_or("`name` is not a string")?;
            let input = match params.get("arguments") {
                None | Some(Value::Null) => Map::new(),
                Some(Value::Object(input)) => input.clone(),
                Some(_) => return Err("`arguments` is not an object"),
            };
            ("tools/call", ToolCall::new(format!("mcp__{}__{name}", self.name), input))
        } else {
            let uri = params.get("uri").and_then(Value::as_str).ok_or("`uri` is not a string")?;
            let plain = resource::path(uri).map_or_else(|| uri.to_owned(), |path| format!("file://{path}"));
            let input = Map::from_iter([("uri".to_owned(), plain.into())]);
            ("resources/read", ToolCall::new(format!("mcp__{}__read_resource", self.name), input))
        };
        Ok(Call { method, params, call, stage: Stage::Waiting, context: Vec::new() })
    }

    /// Removes what a server may not use from the client's capabilities.
    pub(super) fn client_capabilities(&mut self, mut params: Map) -> Map {
        let mut passed = Map::new();
        if let Some(Value::Object(capabilities)) = params.get("capabilities") {
            self.state.client_asks = capabilities.get("elicitation").is_some_and(Value::is_object);
            for (name, capability) in capabilities {
                let passes = match name.as_str() {
                    "roots" => true,
                    "sampling" => self.settings.sampling == ServerRequests::Pass,
                    "elicitation" => self.settings.elicitation == ServerRequests::Pass,
                    _ => false,
                };
                if passes {
                    passed.insert(name.clone(), capability.clone());
                }
            }
        }
        params.insert("capabilities".to_owned(), passed.into());
        params
    }

    pub(super) fn cancelled_by_client(&mut self, params: &Map) {
        let Some(id) = params.get("requestId") else { return };
        let found = self.state.open.iter().find(|(_, open)| open.id == *id).map(|(number, _)| *number);
        let Some(number) = found else { return };
        let Some(open) = self.state.open.remove(&number) else { return };
        match open.what {
            What::Passed => self.cancel_at_server(number, params),
            What::Call(call) if call.stage == Stage::Sent => self.cancel_at_server(number, params),
            What::Call(call) if let Stage::Asked(question) = call.stage => {
                self.state.to_client.remove(&question);
                let params = Map::from_iter([("requestId".to_owned(), question.into())]);
                self.tell_client(&rpc::notification(CANCELLED, &params));
            }
            What::Call(_) | What::ListTools | What::Initialize => {}
        }
        self.leave(number);
    }

    pub(super) fn cancel_at_server(&mut self, number: u64, params: &Map) {
        let mut params = params.clone();
        params.insert("requestId".to_owned(), number.into());
        self.tell_server(&rpc::notification(CANCELLED, &params));
    }

    pub(super) fn client_answered(&mut self, id: &Value, outcome: Outcome) {
        let Some(question) = id.as_u64().and_then(|number| self.state.to_client.remove(&number)) else {
            return remark("the client answered a request that was not made; the answer was dropped");
        };
        let answer = outcome.as_ref().ok();
        let approved = answer.is_some_and(|answer| {
            answer.get("action").and_then(Value::as_str) == Some("accept")
                && answer.pointer("/content/allow") == Some(&Value::Bool(true))
        });
        match question {
            ToClient::Server(id) => self.tell_server(&rpc::response(&id, outcome)),
            ToClient::Call(number) if approved => self.send_call(number),
            ToClient::Call(number) => self.refuse(number, "the user did not approve this call"),
            ToClient::Tools(digests) => self.tools_answered(&digests, approved),
        }
    }
}
