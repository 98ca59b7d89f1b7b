//! The proxy between a client and a server, as a state machine: a message comes in, messages go out.
//!
//! Both sides see ids that the proxy made, so that an id that is used twice, is answered twice or was never given cannot be
//! taken for another. Unknown messages do not pass: methods, notifications, capabilities and responses are on a list, or they
//! are dropped and reported.
//!
//! Calls run one after another. A judge looks at the files as they are, and an earlier call that has not ended may change them.

mod calls;
mod client;
mod tools;
mod upstream;

use super::{
    catalogue::{Catalogue, MOST_PAGES, MOST_TOOLS},
    judge::{Answer, Job, Text, plain},
    lines::{Line, Outbox},
    resource,
    rpc::{self, FAILED, INVALID_PARAMS, INVALID_REQUEST, Message, NO_METHOD, Outcome},
};
use crate::term::{err, style};
use checkrein::{ChangedTools, Map, McpSettings, ServerRequests, ToolCall, mcp_pins::PinStore, sanitize};
use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, VecDeque},
    sync::mpsc::Sender,
    time::{Duration, Instant},
};

/// The time for which a call waits for an earlier one.
const PATIENCE: Duration = Duration::from_secs(30);
/// The most requests that a client can have open.
const MOST_OPEN: usize = 256;

/// Requests of a client that pass as they are. Their results are redacted.
const PASSED: &[&str] = &[
    "ping",
    "resources/list",
    "resources/templates/list",
    "resources/subscribe",
    "resources/unsubscribe",
    "prompts/list",
    "prompts/get",
    "completion/complete",
    "logging/setLevel",
];
/// Notifications of a client that pass.
const CLIENT_NOTIFICATIONS: &[&str] =
    &["notifications/initialized", "notifications/progress", "notifications/roots/list_changed"];
/// Notifications of a server that pass. Their texts are redacted.
const SERVER_NOTIFICATIONS: &[&str] = &[
    "notifications/message",
    "notifications/progress",
    "notifications/resources/list_changed",
    "notifications/resources/updated",
    "notifications/prompts/list_changed",
];
const TOOLS_CHANGED: &str = "notifications/tools/list_changed";
const CANCELLED: &str = "notifications/cancelled";
/// Capabilities that a server may declare.
const SERVER_CAPABILITIES: &[&str] = &["tools", "resources", "prompts", "logging", "completions"];

/// The two sides, the policy, and the state of the session.
pub(super) struct Proxy {
    pub(super) client: Outbox,
    pub(super) server: Outbox,
    pub(super) judge: Sender<Job>,
    pub(super) pins: PinStore,
    /// The name of the server in the names of its tools.
    pub(super) name: String,
    /// The name under which its tools are pinned.
    pub(super) identity: String,
    pub(super) settings: McpSettings,
    pub(super) state: State,
}

/// The requests that are open, and the tools that are known.
#[derive(Default)]
pub(super) struct State {
    last_number: u64,
    /// Requests of the client that are not answered, by our number.
    open: BTreeMap<u64, Open>,
    /// Calls that wait for the one that runs.
    queue: VecDeque<u64>,
    running: Option<u64>,
    /// Requests to the client that are not answered, by our number.
    to_client: BTreeMap<u64, ToClient>,
    catalogue: Option<Catalogue>,
    listing: Option<Listing>,
    /// The client can ask its user.
    client_asks: bool,
    /// A message could not be written, so the session cannot go on.
    pub(super) broken: bool,
}

/// A request of the client.
struct Open {
    id: Value,
    what: What,
    since: Instant,
}

enum What {
    Initialize,
    ListTools,
    Passed,
    Call(Box<Call>),
}

/// A call of a tool, or a read of a resource.
struct Call {
    method: &'static str,
    params: Map,
    call: ToolCall,
    stage: Stage,
    /// Texts for the model.
    context: Vec<String>,
}

#[derive(PartialEq, Eq)]
enum Stage {
    Waiting,
    Judged,
    /// The user is asked by this request.
    Asked(u64),
    Sent,
    Reviewed,
}

/// A request to the client.
enum ToClient {
    /// Of the server, with its id.
    Server(Value),
    /// Our own, which asks whether a call may run.
    Call(u64),
    /// Our own, which asks whether tools that changed are accepted: their digests.
    Tools(BTreeMap<String, String>),
}

/// A list of tools that is being read, page by page.
#[derive(Default)]
struct Listing {
    number: u64,
    pages: usize,
    tools: Vec<Value>,
    /// The server said in the meantime that the list changed.
    is_stale: bool,
}

impl Proxy {
    /// Handles a line of the client. Returns false at the end.
    pub(super) fn handle_client(&mut self, line: Line) -> bool {
        match line {
            Line::End => return false,
            Line::TooLong => {
                let error = rpc::error(INVALID_REQUEST, "a line of more than 16 MiB was not passed on");
                self.tell_client(&rpc::response(&Value::Null, Err(error)));
            }
            Line::Whole(line) => match rpc::read(&line) {
                Ok(message) => self.client_message(message),
                Err(unreadable) => {
                    let error = || Err(rpc::error(unreadable.code, &unreadable.why));
                    if unreadable.ids.is_empty() {
                        self.tell_client(&rpc::response(&Value::Null, error()));
                    }
                    for id in &unreadable.ids {
                        self.tell_client(&rpc::response(id, error()));
                    }
                }
            },
        }
        !self.state.broken
    }

    /// Handles a line of the server. Returns false at the end.
    pub(super) fn handle_server(&mut self, line: Line) -> bool {
        match line {
            Line::End => return false,
            Line::TooLong => self.fail_sent("the server answered with a line of more than 16 MiB"),
            Line::Whole(line) => match rpc::read(&line) {
                Ok(message) => self.server_message(message),
                // Servers print all kinds of things, but what looks like a message may be the answer that the client waits for.
                Err(unreadable) if line.starts_with(b"{") || line.starts_with(b"[") => {
                    self.fail_sent(&format!(
                        "the server sent a message that cannot be read: {}",
                        unreadable.why
                    ));
                }
                Err(_) => remark("the server printed a line that is not a message; it was dropped"),
            },
        }
        !self.state.broken
    }

    /// Handles an answer of the policy.
    pub(super) fn handle_judge(&mut self, answer: Answer) -> bool {
        match answer {
            Answer::Deny { number, reason } => self.refuse(number, &reason),
            Answer::Run { number, input, context } => self.run(number, input, context),
            Answer::Ask { number, question, input, context } => self.ask(number, &question, input, context),
            Answer::Result { number, result, context, is_error } => {
                self.finish_call(number, result, context, is_error);
            }
            Answer::Text { text: Text::Notification(method), value } => match value {
                Some(Value::Object(params)) => self.tell_client(&rpc::notification(&method, &params)),
                _ => remark(
                    "a notification of the server was dropped, because it could not be searched for secrets",
                ),
            },
            Answer::Text { text: Text::Result { number, is_error }, value } => {
                let failed = || rpc::error(FAILED, "this result could not be searched for secrets");
                let outcome = match (value, is_error) {
                    (Some(value), false) => Ok(value),
                    (Some(value), true) => Err(value),
                    (None, _) => Err(failed()),
                };
                self.reply(number, outcome);
            }
        }
        !self.state.broken
    }

    /// Denies calls that waited too long, and returns when to look again.
    pub(super) fn tick(&mut self) -> Option<Duration> {
        let waited = |state: &State, number: &u64| state.open.get(number).map(|open| open.since.elapsed());
        while let Some(number) = self.state.queue.front().copied() {
            match waited(&self.state, &number) {
                Some(waited) if waited < PATIENCE => return Some(PATIENCE.saturating_sub(waited)),
                Some(_) => {
                    let earlier = self.state.running.and_then(|running| self.state.open.get(&running));
                    let earlier = match earlier.map(|open| &open.what) {
                        Some(What::Call(call)) => format!("`{}`", sanitize::one_line(&call.call.name, 100)),
                        _ => "another one".to_owned(),
                    };
                    let why = format!(
                        "this call did not run, because an earlier call of {earlier} has not ended; try again later"
                    );
                    self.refuse(number, &why);
                }
                None => drop(self.state.queue.pop_front()),
            }
        }
        None
    }

    /// Answers everything that is open when the server is gone.
    pub(super) fn server_ended(&mut self, how: &str) {
        let open: Vec<u64> = self.state.open.keys().copied().collect();
        self.state.queue.clear();
        for number in open {
            self.reply(number, Err(rpc::error(FAILED, how)));
        }
    }

    /// Answers every request that the server has, because one of its answers cannot be read.
    fn fail_sent(&mut self, why: &str) {
        remark(why);
        let is_sent = |open: &Open| match &open.what {
            What::Call(call) => call.stage == Stage::Sent,
            What::Initialize | What::Passed => true,
            What::ListTools => false,
        };
        let sent: Vec<u64> =
            self.state.open.iter().filter(|(_, open)| is_sent(open)).map(|(number, _)| *number).collect();
        if self.state.listing.take().is_some() {
            self.listing_failed(&rpc::error(FAILED, why));
        }
        for number in sent {
            self.reply(number, Err(rpc::error(FAILED, why)));
        }
    }

    /// Answers a request of the client, if it has not been cancelled.
    fn reply(&mut self, number: u64, outcome: Outcome) {
        if let Some(open) = self.state.open.remove(&number) {
            self.tell_client(&rpc::response(&open.id, outcome));
        }
        self.leave(number);
    }

    /// Removes a finished request from the queue, and continues.
    fn leave(&mut self, number: u64) {
        self.state.queue.retain(|waiting| *waiting != number);
        if self.state.running == Some(number) {
            self.state.running = None;
            self.advance();
        }
    }

    fn ask_judge(&mut self, job: Job) {
        // Without a judge nothing can go on.
        self.state.broken |= self.judge.send(job).is_err();
    }

    fn tell_client(&mut self, message: &Value) {
        self.state.broken |= !self.client.send(message);
    }

    fn tell_server(&mut self, message: &Value) {
        self.state.broken |= !self.server.send(message);
    }

    fn number(&mut self) -> u64 {
        self.state.last_number += 1;
        self.state.last_number
    }
}

/// Returns what the client sees of the server's answer to `initialize`.
fn initialized(mut result: Value) -> Value {
    plain(&mut result);
    if let Some(Value::Object(capabilities)) = result.get_mut("capabilities") {
        capabilities.retain(|name, _| SERVER_CAPABILITIES.contains(&name.as_str()));
    }
    result
}

/// Returns the parameters of a question to the user with yes or no.
fn elicitation(message: &str, title: &str) -> Map {
    let schema = json!({
        "type": "object",
        "properties": {"allow": {"type": "boolean", "title": title}},
        "required": ["allow"],
    });
    Map::from_iter([("message".to_owned(), message.into()), ("requestedSchema".to_owned(), schema)])
}

fn dropped(side: &str, method: &str) {
    remark(&format!(
        "a notification `{}` of {side} is not known and was dropped",
        sanitize::one_line(method, 100)
    ));
}

fn remark(text: &str) {
    err!("checkrein: {}", style::lines(text));
}
