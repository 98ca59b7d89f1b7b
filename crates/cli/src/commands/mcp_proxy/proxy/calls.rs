//! Calls, one after another: judged, asked about, sent, reviewed, answered.

use super::*;

impl Proxy {
    /// Starts the next call, if none runs.
    pub(super) fn advance(&mut self) {
        if self.state.running.is_some() || self.state.queue.is_empty() {
            return;
        }
        let is_tool = |open: &Open| matches!(&open.what, What::Call(call) if call.method == "tools/call");
        let needs_list =
            self.state.queue.front().and_then(|number| self.state.open.get(number)).is_some_and(is_tool);
        if needs_list && self.state.catalogue.is_none() {
            return self.list();
        }
        let Some(number) = self.state.queue.pop_front() else { return };
        self.state.running = Some(number);
        let Some(Open { what: What::Call(call), .. }) = self.state.open.get_mut(&number) else {
            return self.leave(number);
        };
        let name = call.params.get("name").and_then(Value::as_str).unwrap_or_default();
        let objection = match (&self.state.catalogue, call.method) {
            (Some(catalogue), "tools/call") => catalogue.objection(name, &self.identity),
            _ => None,
        };
        if let Some(objection) = objection {
            return self.refuse(number, &objection);
        }
        call.stage = Stage::Judged;
        let call = call.call.clone().with_id(format!("mcp-{number}"));
        self.ask_judge(Job::Before { number, call, asks: self.state.client_asks });
    }

    /// Sends a call to the server, with the input that the hooks left.
    pub(super) fn run(&mut self, number: u64, input: Map, context: Vec<String>) {
        if self.edit(number, input, context) {
            self.send_call(number);
        }
    }

    pub(super) fn ask(&mut self, number: u64, question: &str, input: Map, context: Vec<String>) {
        if !self.edit(number, input, context) {
            return;
        }
        let request = self.number();
        if let Some(Open { what: What::Call(call), .. }) = self.state.open.get_mut(&number) {
            call.stage = Stage::Asked(request);
        }
        self.state.to_client.insert(request, ToClient::Call(number));
        self.tell_client(&rpc::request(
            request,
            "elicitation/create",
            &elicitation(question, "Run this call"),
        ));
    }

    /// Puts the input that the hooks left into a call. Returns false if the client has cancelled it.
    pub(super) fn edit(&mut self, number: u64, input: Map, context: Vec<String>) -> bool {
        let Some(Open { what: What::Call(call), .. }) = self.state.open.get_mut(&number) else {
            return false;
        };
        call.context = context;
        if call.call.input != input {
            if call.method != "tools/call" {
                self.refuse(number, "a hook changed this call, and a resource has no input to change");
                return false;
            }
            call.params.insert("arguments".to_owned(), input.clone().into());
            call.call.input = input;
        }
        true
    }

    pub(super) fn send_call(&mut self, number: u64) {
        let Some(Open { what: What::Call(call), .. }) = self.state.open.get_mut(&number) else { return };
        call.stage = Stage::Sent;
        let message = rpc::request(number, call.method, &call.params);
        self.tell_server(&message);
    }

    /// Answers a call that does not run.
    pub(super) fn refuse(&mut self, number: u64, reason: &str) {
        let outcome = match self.state.open.get(&number).map(|open| &open.what) {
            Some(What::Call(call)) if call.method == "tools/call" => Ok(rpc::tool_error(reason)),
            _ => Err(rpc::error(FAILED, reason)),
        };
        self.reply(number, outcome);
    }

    /// Answers a call that ran.
    pub(super) fn finish_call(
        &mut self,
        number: u64,
        result: Option<Value>,
        mut context: Vec<String>,
        is_error: bool,
    ) {
        let Some(Open { what: What::Call(call), .. }) = self.state.open.get_mut(&number) else { return };
        let mut all = std::mem::take(&mut call.context);
        all.append(&mut context);
        let is_tool = call.method == "tools/call";
        let Some(mut result) = result else {
            return self.refuse(number, &format!("[output withheld]\n{}", all.join("\n")));
        };
        // A tool that failed answers with a result; only an error of the protocol is an object with a code.
        if is_error && result.get("code").is_some_and(Value::is_i64) && result.get("content").is_none() {
            return self.reply(number, Err(result));
        }
        if let (true, Some(content)) = (is_tool, result.get_mut("content").and_then(Value::as_array_mut)) {
            content.extend(all.iter().map(|text| json!({"type": "text", "text": text})));
        }
        self.reply(number, Ok(result));
    }
}
