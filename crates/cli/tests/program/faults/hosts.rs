//! The same in the words of every host: what one host takes for a denial, another ignores.

use super::{CANARY, Fixtures, fixtures::STATES, output, signals::send, through_shell};
use crate::{crash::prepared, ended};
use serde_json::{Value, json};
use std::{io::Write, process::Output, thread::sleep, time::Duration};

const RUN: &str = r#"exec "$0" "$@""#;

/// Hosts that hear only JSON. The others take exit code 2 for a denial; a bridge takes everything but an answer for one.
const ONLY_JSON: &[&str] = &["hermes"];

/// Returns a dangerous call as each host writes it.
fn calls(cwd: &str) -> Vec<(&'static str, Value)> {
    let with = |fields: Value| {
        let mut all = json!({"session_id": "s", "cwd": cwd, "tool_input": {"command": CANARY}});
        all.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        all
    };
    let claude = with(json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_use_id": "t"}));
    let bridged = |event: &str, tool: &str| with(json!({"host_event_name": event, "tool_name": tool}));
    let own = |event: &str| with(json!({"hook_event_name": event, "tool_name": "run_shell_command"}));
    let cline = json!({
        "taskId": "s", "workspaceRoots": [cwd], "hookName": "tool_call",
        "tool_call": {"id": "1", "name": "run_commands", "input": {"commands": [CANARY]}},
    });
    let grok = json!({
        "hook_event_name": "PreToolUse", "hookEventName": "pre_tool_use", "tool_name": "run_terminal_command",
        "toolName": "run_terminal_command", "toolInput": {"command": CANARY}, "toolInputTruncated": false,
    });
    let copilot = json!({"sessionId": "s", "cwd": cwd, "toolName": "bash", "toolArgs": {"command": CANARY}});
    vec![
        ("checkrein", claude.clone()),
        ("claude", claude.clone()),
        ("codex", claude),
        ("gemini", own("BeforeTool")),
        ("qwen", own("PreToolUse")),
        ("copilot", copilot),
        ("cline", cline),
        ("pi", bridged("tool_call", "bash")),
        ("opencode", bridged("tool.execute.before", "bash")),
        ("kilo", bridged("tool.execute.before", "bash")),
        ("kimi", with(json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_call_id": "1"}))),
        ("grok", with(grok)),
        ("openclaw", bridged("before_tool_call", "exec")),
        ("hermes", with(json!({"hook_event_name": "pre_tool_call", "tool_name": "terminal", "extra": {}}))),
    ]
}

/// Returns true if this host would stop the call.
fn stops(host: &str, output: &Output) -> bool {
    let said: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let is = |value: &Value| matches!(value.as_str(), Some("deny" | "block"));
    let denied = is(&said["hookSpecificOutput"]["permissionDecision"])
        || is(&said["permissionDecision"])
        || is(&said["decision"])
        || said["cancel"] == true;
    let by_code = output.status.code() == Some(2)
        && !ONLY_JSON.contains(&host)
        && String::from_utf8_lossy(&output.stderr).contains("checkrein");
    denied && output.status.code().is_some() || by_code
}

fn arguments(host: &'static str) -> [&'static str; 5] {
    ["hook", "--host", host, "--event", "PreToolUse"]
}

fn assert_stops(host: &str, output: &Output, cell: impl std::fmt::Display) {
    assert!(stops(host, output), "{host}, {cell}: {output:?}");
}

#[test]
fn every_host_is_tried() {
    let tried: Vec<&str> = calls("/").iter().map(|(host, _)| *host).collect();
    let known: Vec<&str> =
        checkrein_hosts::ALL.iter().map(|host| host.name()).filter(|name| *name != "example").collect();
    assert_eq!(tried, known);
}

#[test]
fn every_host_with_a_damaged_event() {
    let fixtures = Fixtures::get();
    let cwd = fixtures.path("project/usual");
    for (host, call) in calls(cwd.to_str().unwrap()) {
        let whole = call.to_string().into_bytes();
        let damaged = [
            ("whole", whole.clone()),
            ("cut", whole[..40].to_vec()),
            ("without its end", whole[..whole.len() - 1].to_vec()),
            ("with more behind it", [whole.as_slice(), b"{}"].concat()),
            ("empty", Vec::new()),
            ("no JSON", CANARY.as_bytes().to_vec()),
            ("a list", [b"[", whole.as_slice(), b"]"].concat()),
            ("with a byte that is no text", [&whole[..9], b"\xff", &whole[9..]].concat()),
        ];
        for (cell, event) in damaged {
            assert_stops(host, &output(&mut through_shell(RUN, &arguments(host), fixtures), &event), cell);
        }
    }
}

#[test]
fn every_host_with_any_state() {
    let fixtures = Fixtures::get();
    let cwd = fixtures.path("project/usual");
    for (host, call) in calls(cwd.to_str().unwrap()) {
        for state in STATES {
            let mut command = through_shell(RUN, &arguments(host), fixtures);
            command.env("XDG_STATE_HOME", fixtures.path("state").join(state));
            assert_stops(host, &output(&mut command, call.to_string().as_bytes()), format!("state: {state}"));
        }
    }
}

/// Ended, crashed and aborted while the event arrives.
#[test]
fn every_host_with_a_signal() {
    let fixtures = Fixtures::get();
    let cwd = fixtures.path("project/usual");
    let mut dice = super::Dice::new();
    for (host, call) in calls(cwd.to_str().unwrap()) {
        let event = call.to_string().into_bytes();
        for signal in [15, 11, 6] {
            let mut child = through_shell(RUN, &arguments(host), fixtures).spawn().unwrap();
            let mut stdin = child.stdin.take().unwrap();
            prepared(&child);
            let (before, after) = event.split_at(dice.below(event.len()));
            stdin.write_all(before).unwrap();
            sleep(Duration::from_micros(dice.below(2000) as u64));
            send(signal, &child);
            // It may have exited.
            let _ = stdin.write_all(after);
            drop(stdin);
            assert_stops(host, &ended(child), format!("signal {signal}, after {} bytes", before.len()));
        }
    }
}
