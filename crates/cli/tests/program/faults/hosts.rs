//! Faults under every host, in its own words: what one host takes for a denial, another ignores.

use super::{CANARY, Fixtures, fixtures::STATES, output, signals::send, through_shell};
use crate::{calls::calls, crash::prepared, ended};
use serde_json::Value;
use std::{io::Write, process::Output, thread::sleep, time::Duration};

const RUN: &str = r#"exec "$0" "$@""#;

/// Hosts that hear only JSON. The others take exit code 2 for a denial; a bridge takes everything but an answer for one.
const ONLY_JSON: &[&str] = &["hermes"];

/// Returns true if this host would stop the call.
fn stops(host: &str, output: &Output) -> bool {
    let said: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let is = |value: &Value| matches!(value.as_str(), Some("deny" | "block"));
    let denied = is(&said["hookSpecificOutput"]["permissionDecision"])
        || is(&said["permissionDecision"])
        || is(&said["decision"])
        || is(&said["permission"])
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
fn every_host_with_a_damaged_event() {
    let fixtures = Fixtures::get();
    for (host, call) in calls(CANARY) {
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
    for (host, call) in calls(CANARY) {
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
    let mut dice = super::Dice::new();
    for (host, call) in calls(CANARY) {
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
