//! The other events of a session, as each host writes them.

use crate::calls::call;
use checkrein_core::EventName;
use checkrein_hosts::ALL;
use serde_json::{Map, Value, json};

/// An event that several hosts have.
#[derive(Clone, Debug)]
pub(crate) enum Moment {
    /// A shell command printed this.
    Result(String),
    /// The user wrote this.
    Prompt(String),
    /// A session starts.
    Start,
    /// A turn is about to end.
    Stop,
}

impl Moment {
    pub(crate) fn event(&self) -> EventName {
        match self {
            Self::Result(_) => EventName::PostToolUse,
            Self::Prompt(_) => EventName::UserPromptSubmit,
            Self::Start => EventName::SessionStart,
            Self::Stop => EventName::Stop,
        }
    }

    /// Returns the event as each host that has it writes it.
    pub(crate) fn sent(&self) -> Vec<(&'static str, Value)> {
        let has = |host: &&&checkrein_hosts::Host| {
            host.recipe.is_none_or(|recipe| recipe.fired(self.event()).is_some())
        };
        let hosts = ALL.iter().filter(|host| host.name() != "example").filter(has);
        hosts.map(|host| (host.name(), self.by(host.name()))).collect()
    }

    /// Returns the event as one host writes it.
    fn by(&self, host: &str) -> Value {
        let recipe = checkrein_hosts::host(host).and_then(|host| host.recipe);
        let key = recipe.map_or(self.event().as_str(), |recipe| recipe.key(self.event()));
        let mut fields = match (self, host) {
            (Self::Result(_), "hermes") => {
                json!({"tool_name": "terminal", "tool_input": {"command": "make"}})
            }
            (Self::Result(_), _) => call(host, "make"),
            _ => json!({}),
        };
        let fields = fields.as_object_mut().unwrap();
        let mut set = |key: &str, value: Value| drop(fields.insert(key.to_owned(), value));
        match host {
            "copilot" => {
                set("sessionId", "s".into());
                set("cwd", "/home/dev/shop".into());
            }
            "cline" => {
                set("taskId", "s".into());
                set("workspaceRoots", json!(["/home/dev/shop"]));
            }
            "pi" | "opencode" | "kilo" | "openclaw" => set("host_event_name", key.into()),
            "cursor" => {
                set("conversation_id", "s".into());
                set("workspace_roots", json!(["/home/dev/shop"]));
                set("hook_event_name", key.into());
            }
            _ => set("hook_event_name", key.into()),
        }
        if !matches!(host, "copilot" | "cline" | "cursor") {
            set("session_id", "s".into());
            set("cwd", "/home/dev/shop".into());
        }
        let fields = std::mem::take(fields);
        Value::Object(match self {
            Self::Result(text) => with_result(host, fields, text),
            Self::Prompt(text) => with_prompt(host, fields, text),
            Self::Start | Self::Stop => fields,
        })
    }
}

fn with_result(host: &str, mut fields: Map<String, Value>, text: &str) -> Map<String, Value> {
    let mut set = |key: &str, value: Value| drop(fields.insert(key.to_owned(), value));
    match host {
        "checkrein" | "claude" => {
            set("tool_response", json!({"stdout": text, "stderr": "", "interrupted": false}));
        }
        "gemini" | "qwen" => set("tool_response", json!({"llmContent": text, "returnDisplay": text})),
        "copilot" => set("toolResult", json!({"resultType": "success", "textResultForLlm": text})),
        "cline" => {
            let result = json!([{"query": "make", "result": text, "success": true}]);
            let call =
                json!({"id": "1", "name": "run_commands", "input": {"commands": ["make"]}, "output": result});
            set("hookName", "tool_result".into());
            set("tool_result", call);
        }
        "hermes" => set("extra", json!({"result": json!({"output": text, "exit_code": 0}).to_string()})),
        "cursor" => set("tool_output", json!({"exitCode": 0, "stdout": text}).to_string().into()),
        "pi" => set("tool_response", json!([{"type": "text", "text": text}])),
        "grok" => set("tool_response", json!({"type": "Bash", "output_for_prompt": text})),
        _ => set("tool_response", text.into()),
    }
    if host == "cline" {
        fields.remove("tool_call");
    }
    fields
}

fn with_prompt(host: &str, mut fields: Map<String, Value>, text: &str) -> Map<String, Value> {
    let mut set = |key: &str, value: Value| drop(fields.insert(key.to_owned(), value));
    match host {
        "kimi" => set("prompt", json!([{"type": "text", "text": text}])),
        "cline" => set("userPromptSubmit", json!({"prompt": text})),
        "hermes" => set("extra", json!({"user_message": text})),
        _ => set("prompt", text.into()),
    }
    fields
}
