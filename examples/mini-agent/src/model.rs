//! The model: a conversation in, text and calls out, over whichever API the host speaks.

mod anthropic;
mod http;
mod openai;

use checkrein_harness::{Map, Toolbox};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The API of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Backend {
    /// Chat completions, as OpenAI defines them and most servers copy
    Openai,
    /// Messages, as Anthropic defines them
    Anthropic,
}

/// One message of the conversation, independent of the API.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) enum Message {
    /// A message from the user, or from a hook on their behalf.
    User(String),
    /// An answer of the model.
    Assistant(Answer),
    /// The results of tools, in the order of the calls.
    Results(Vec<ToolResult>),
}

/// The text and the calls of the model.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(crate) struct Answer {
    pub(crate) text: String,
    pub(crate) calls: Vec<ModelCall>,
}

/// A call that the model requests.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct ModelCall {
    pub(crate) id: String,
    pub(crate) name: String,
    /// The arguments, or why they are invalid.
    pub(crate) input: Result<Map, String>,
}

impl ModelCall {
    /// Creates a call whose arguments came as a string.
    pub(crate) fn from_text(id: String, name: String, arguments: &str) -> Self {
        let arguments = if arguments.trim().is_empty() { "{}" } else { arguments };
        let input = match serde_json::from_str::<Value>(arguments) {
            Ok(Value::Object(input)) => Ok(input),
            Ok(other) => Err(format!("found `{other}`")),
            Err(error) => Err(error.to_string()),
        };
        Self { id, name, input }
    }

    /// Returns the arguments as they go back to the model.
    pub(crate) fn arguments(&self) -> Value {
        Value::Object(self.input.clone().unwrap_or_default())
    }
}

/// The result of a tool.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct ToolResult {
    pub(crate) id: String,
    pub(crate) text: String,
    pub(crate) is_error: bool,
}

impl ToolResult {
    pub(crate) fn error(id: String, text: &str) -> Self {
        Self { id, text: format!("error: {text}"), is_error: true }
    }
}

/// The system prompt.
const SYSTEM: &str = "You are a coding agent. Work with the tools, in small steps. A call may be denied, rewritten or \
    its result withheld by the user's hooks: that is their decision, so do not look for a way round it.";

/// The number of attempts to get a complete answer.
const ATTEMPTS: u32 = 3;

/// A model on a host.
pub(crate) struct Model {
    backend: Backend,
    host: String,
    name: String,
}

impl Model {
    pub(crate) fn new(backend: Backend, host: Option<String>, name: String) -> Self {
        let known = match backend {
            Backend::Openai => "https://api.openai.com",
            Backend::Anthropic => "https://api.anthropic.com",
        };
        let host = host.unwrap_or_else(|| known.to_owned());
        Self { backend, host: host.trim_end_matches('/').to_owned(), name }
    }

    /// Asks the model, and passes on its text as it arrives. An answer counts only when it is complete:
    /// calls of an incomplete one do not run.
    pub(crate) async fn ask(
        &self,
        messages: &[Message],
        tools: &Toolbox,
        say: fn(&str),
    ) -> Result<Answer, String> {
        let mut broken = String::new();
        for attempt in 1..=ATTEMPTS {
            if attempt > 1 {
                crate::view::remark(&format!("{broken}; asking again"));
            }
            let answer = match self.backend {
                Backend::Openai => {
                    let request = openai::request(&self.host, &self.name, messages, tools);
                    http::stream(request, openai::Reader::default(), say).await
                }
                Backend::Anthropic => {
                    let request = anthropic::request(&self.host, &self.name, messages, tools);
                    http::stream(request, anthropic::Reader::default(), say).await
                }
            };
            match answer {
                Ok(answer) => return Ok(answer),
                Err(http::Failed::ForGood(why)) => return Err(why),
                Err(http::Failed::ForNow(why)) => broken = why,
            }
        }
        Err(broken)
    }
}
