//! Tags that a call writes, in the words of every agent: the values come back, or the call is denied because nothing would bring them.

use crate::{Place, ended_with};
use serde_json::{Value, json};
use std::fs;

const ENV: &str = "PORT=5432\nAPI_TOKEN=kR4vT9xQ2mWz7LpB\n";

/// An agent, its names of the two events and of its shell, and whether it tells when a command is over.
struct Agent {
    name: &'static str,
    before: &'static str,
    after: &'static str,
    shell: &'static str,
    tells: bool,
}

const fn agent(name: &'static str, [before, after, shell]: [&'static str; 3], tells: bool) -> Agent {
    Agent { name, before, after, shell, tells }
}

const CLAUDE: [&str; 3] = ["PreToolUse", "PostToolUse", "Bash"];
const OPENCODE: [&str; 3] = ["tool.execute.before", "tool.execute.after", "bash"];

const AGENTS: &[Agent] = &[
    agent("checkrein", CLAUDE, false),
    agent("claude", CLAUDE, true),
    agent("codex", CLAUDE, false),
    agent("gemini", ["BeforeTool", "AfterTool", "run_shell_command"], true),
    agent("qwen", ["PreToolUse", "PostToolUse", "run_shell_command"], true),
    agent("copilot", ["", "", "bash"], true),
    agent("cline", ["tool_call", "tool_result", "run_commands"], true),
    agent("pi", ["tool_call", "tool_result", "bash"], true),
    agent("opencode", OPENCODE, true),
    agent("kilo", OPENCODE, true),
    agent("kimi", CLAUDE, false),
    agent("grok", ["pre_tool_use", "post_tool_use", "run_terminal_command"], false),
    agent("openclaw", ["before_tool_call", "after_tool_call", "exec"], false),
    agent("hermes", ["pre_tool_call", "post_tool_call", "terminal"], false),
    agent("cursor", ["preToolUse", "postToolUse", "Shell"], true),
    agent("vscode", ["PreToolUse", "PostToolUse", "run_in_terminal"], true),
];

/// The arguments with which agents start a command in the background.
const IN_BACKGROUND: &[&str] = &["run_in_background", "is_background", "isBackground"];

impl Agent {
    /// An event of a command, as this agent writes it.
    fn event(&self, place: &Place, is_after: bool, input: &Value) -> Value {
        let name = if is_after { self.after } else { self.before };
        let project = place.path("project");
        let result = json!("done");
        match self.name {
            "copilot" => json!({
                "sessionId": "s", "cwd": project, "toolName": self.shell, "toolArgs": input,
                "toolResult": is_after.then_some(json!({"resultType": "success", "textResultForLlm": result})),
            }),
            "cline" => {
                let mut input = input.clone();
                input["commands"] = json!([input["command"]]);
                input.as_object_mut().unwrap().shift_remove("command");
                json!({
                    "taskId": "s", "workspaceRoots": [project], "hookName": name,
                    (name): {"id": "1", "name": self.shell, "input": input, "output": is_after.then_some([result])},
                })
            }
            "grok" => json!({
                "session_id": "s", "cwd": project, "hook_event_name": CLAUDE[usize::from(is_after)], "hookEventName": name,
                "tool_name": self.shell, "toolName": self.shell, "tool_input": input, "toolInput": input, "toolInputTruncated": false,
            }),
            _ => {
                let key = if matches!(self.name, "pi" | "opencode" | "kilo" | "openclaw") {
                    "host_event_name"
                } else {
                    "hook_event_name"
                };
                json!({
                    "session_id": "s", "conversation_id": "s", "cwd": project, (key): name, "tool_name": self.shell, "tool_use_id": "1",
                    "tool_call_id": "1", "extra": {"tool_call_id": "1"}, "tool_input": input, "tool_response": is_after.then_some(result),
                })
            }
        }
    }

    /// Sends an event and returns the answer.
    fn hear(&self, place: &Place, is_after: bool, input: &Value) -> String {
        let arguments = ["hook", "--host", self.name, "--event", CLAUDE[usize::from(is_after)]];
        let child = place.command(&arguments).current_dir(place.path("project")).spawn().unwrap();
        let event = self.event(place, is_after, input);
        let output = ended_with(child, event.to_string().as_bytes());
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
    }
}

/// Returns a project with a file of secrets, and the line of a secret as a model sees it.
fn project() -> (Place, String) {
    let place = Place::new();
    fs::create_dir_all(place.path("project/.git")).unwrap();
    fs::write(place.path("project/.env"), ENV).unwrap();
    let output = place.command(&["cat", ".env"]).current_dir(place.path("project")).output().unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    let line = shown.lines().find(|line| line.starts_with("API_TOKEN=secret_")).unwrap().to_owned();
    (place, line)
}

#[test]
fn every_agent_is_tried() {
    let tried: Vec<&str> = AGENTS.iter().map(|agent| agent.name).collect();
    let known: Vec<&str> =
        checkrein_hosts::ALL.iter().map(|host| host.name()).filter(|name| *name != "example").collect();
    assert_eq!(tried, known);
}

#[test]
fn a_tag_that_a_command_writes_becomes_its_value_or_the_command_is_denied() {
    for agent in AGENTS {
        let (place, line) = project();
        let input = json!({"command": format!("echo '{line}' >> .env")});
        let answer = agent.hear(&place, false, &input);
        assert_eq!(answer.contains("does not report when"), !agent.tells, "{}: {answer}", agent.name);
        if !agent.tells {
            continue;
        }
        fs::write(place.path("project/.env"), format!("{ENV}{line}\n")).unwrap();
        let answer = agent.hear(&place, true, &input);
        assert!(!answer.contains("kR4vT9xQ2mWz7LpB"), "{}: {answer}", agent.name);
        let text = fs::read_to_string(place.path("project/.env")).unwrap();
        assert_eq!(text, format!("{ENV}API_TOKEN=kR4vT9xQ2mWz7LpB\n"), "{}: {answer}", agent.name);
    }
}

#[test]
fn a_tag_is_not_written_in_the_background() {
    for agent in AGENTS {
        let (place, line) = project();
        let mut inputs: Vec<Value> = IN_BACKGROUND
            .iter()
            .map(|key| json!({"command": format!("echo '{line}' >> .env"), (*key): true}))
            .collect();
        for command in [
            format!("(sleep 1; echo '{line}' >> .env) &"),
            format!("{{ sleep 1; echo '{line}' >> .env; }} & echo started"),
            format!("bash -c \"echo '{line}' >> .env &\""),
        ] {
            inputs.push(json!({"command": command}));
        }
        for input in inputs {
            // Several commands or other arguments are another tool for Cline, which it does not have.
            if agent.name == "cline" && input.as_object().unwrap().len() > 1 {
                continue;
            }
            let answer = agent.hear(&place, false, &input);
            assert!(answer.contains("does not report when"), "{}: {input}: {answer}", agent.name);
        }
    }
}
