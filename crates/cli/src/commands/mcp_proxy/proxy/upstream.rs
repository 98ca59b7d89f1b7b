//! Messages of the server.

use super::*;

impl Proxy {
    pub(super) fn server_message(&mut self, message: Message) {
        match message {
            Message::Response { id, outcome } => match id.as_u64() {
                Some(number)
                    if self.state.listing.as_ref().is_some_and(|listing| listing.number == number) =>
                {
                    self.listed(outcome);
                }
                Some(number) => self.server_answered(number, outcome),
                None => remark("the server answered a request that was not made; the answer was dropped"),
            },
            Message::Notification { method, .. } if method == TOOLS_CHANGED => {
                // The next call or list reads the tools again.
                self.state.catalogue = None;
                if let Some(listing) = &mut self.state.listing {
                    listing.is_stale = true;
                }
                self.tell_client(&rpc::notification(TOOLS_CHANGED, &Map::new()));
            }
            Message::Notification { method, params } if method == CANCELLED => {
                self.cancelled_by_server(&params);
            }
            Message::Notification { method, params } if SERVER_NOTIFICATIONS.contains(&method.as_str()) => {
                self.ask_judge(Job::Text { text: Text::Notification(method), value: params.into() });
            }
            Message::Notification { method, .. } => dropped("the server", &method),
            Message::Request { id, method, params } => self.server_request(&id, &method, params),
        }
    }

    pub(super) fn server_request(&mut self, id: &Value, method: &str, mut params: Map) {
        let passes = match method {
            "ping" => return self.tell_server(&rpc::response(id, Ok(json!({})))),
            "roots/list" => true,
            "sampling/createMessage" => self.settings.sampling == ServerRequests::Pass,
            "elicitation/create" => self.settings.elicitation == ServerRequests::Pass,
            _ => false,
        };
        if !passes || self.state.to_client.len() >= MOST_OPEN {
            remark(&format!("the server's request `{}` was refused", sanitize::one_line(method, 100)));
            let why = format!("`{}` is not passed on", sanitize::one_line(method, 100));
            return self.tell_server(&rpc::response(id, Err(rpc::error(NO_METHOD, &why))));
        }
        let mut texts = Value::Object(std::mem::take(&mut params));
        plain(&mut texts);
        let Value::Object(params) = texts else { return };
        let number = self.number();
        self.state.to_client.insert(number, ToClient::Server(id.clone()));
        self.tell_client(&rpc::request(number, method, &params));
    }

    pub(super) fn cancelled_by_server(&mut self, params: &Map) {
        let Some(id) = params.get("requestId") else { return };
        let is_it = |request: &ToClient| matches!(request, ToClient::Server(known) if known == id);
        let found =
            self.state.to_client.iter().find(|(_, request)| is_it(request)).map(|(number, _)| *number);
        let Some(number) = found else { return };
        self.state.to_client.remove(&number);
        let params = Map::from_iter([("requestId".to_owned(), number.into())]);
        self.tell_client(&rpc::notification(CANCELLED, &params));
    }

    pub(super) fn server_answered(&mut self, number: u64, outcome: Outcome) {
        let Some(open) = self.state.open.get_mut(&number) else {
            return remark("the server answered a request that is not open; the answer was dropped");
        };
        let is_error = outcome.is_err();
        let value = outcome.unwrap_or_else(|error| error);
        match &mut open.what {
            What::Initialize if !is_error => self.reply(number, Ok(initialized(value))),
            What::Initialize | What::Passed => {
                self.ask_judge(Job::Text { text: Text::Result { number, is_error }, value });
            }
            What::Call(call) if call.stage == Stage::Sent => {
                call.stage = Stage::Reviewed;
                let failed = is_error || value.get("isError") == Some(&Value::Bool(true));
                let call = call.call.clone();
                let job = Job::After { number, call, result: value, is_error: is_error || failed };
                self.ask_judge(job);
            }
            What::Call(_) | What::ListTools => {
                remark("the server answered a request that it was not sent; the answer was dropped");
            }
        }
    }
}
