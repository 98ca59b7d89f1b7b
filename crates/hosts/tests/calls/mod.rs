//! One shell call in the words of every host.
#![allow(
    dead_code,
    clippy::unwrap_used,
    reason = "each test uses a part of it, and all values stand in this file"
)]

use serde_json::{Value, json};

/// Returns a shell call as one host writes it.
pub(crate) fn call(host: &str, command: &str) -> Value {
    calls(command).into_iter().find(|(name, _)| *name == host).unwrap().1
}

/// Returns a shell call as each host writes it.
pub(crate) fn calls(command: &str) -> Vec<(&'static str, Value)> {
    let common = json!({"session_id": "s", "cwd": "/home/dev/shop", "tool_input": {"command": command}});
    let with = |fields: Value| {
        let mut all = common.as_object().unwrap().clone();
        all.extend(fields.as_object().unwrap().clone());
        Value::Object(all)
    };
    let claude = with(json!({"hook_event_name": "PreToolUse", "tool_name": "Bash"}));
    let bridged = |event: &str| with(json!({"host_event_name": event, "tool_name": "bash"}));
    let cline = json!({
        "taskId": "s", "workspaceRoots": ["/home/dev/shop"], "hookName": "tool_call",
        "tool_call": {"id": "1", "name": "run_commands", "input": {"commands": [command]}},
    });
    let grok = with(json!({
        "hook_event_name": "PreToolUse", "hookEventName": "pre_tool_use", "tool_name": "run_terminal_command",
        "toolName": "run_terminal_command", "toolInput": {"command": command}, "toolInputTruncated": false,
    }));
    let copilot = json!({"sessionId": "s", "cwd": "/home/dev/shop", "toolName": "bash", "toolArgs": {"command": command}});
    let own = |event: &str| with(json!({"hook_event_name": event, "tool_name": "run_shell_command"}));
    vec![
        ("checkrein", claude.clone()),
        ("claude", claude.clone()),
        ("codex", claude),
        ("gemini", own("BeforeTool")),
        ("qwen", own("PreToolUse")),
        ("copilot", copilot),
        ("cline", cline),
        ("pi", bridged("tool_call")),
        ("opencode", bridged("tool.execute.before")),
        ("kilo", bridged("tool.execute.before")),
        ("kimi", with(json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_call_id": "1"}))),
        ("grok", grok),
        ("openclaw", with(json!({"host_event_name": "before_tool_call", "tool_name": "exec"}))),
        (
            "hermes",
            with(
                json!({"hook_event_name": "pre_tool_call", "tool_name": "terminal", "extra": {"tool_call_id": "1"}}),
            ),
        ),
        (
            "cursor",
            with(
                json!({"hook_event_name": "preToolUse", "conversation_id": "s", "tool_name": "Shell", "tool_use_id": "1"}),
            ),
        ),
        ("vscode", with(json!({"hook_event_name": "PreToolUse", "tool_name": "run_in_terminal"}))),
    ]
}
