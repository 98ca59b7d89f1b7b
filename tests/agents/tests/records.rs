//! The records that real agents keep of their sessions, against what our hook saw of the same sessions.
//!
//! Each agent runs the calls of the live proof. Then its reader must find exactly the calls of the trail, in their order, with the
//! same names, ids and inputs. The trail has a keyed digest of every input, so that nothing about an input can differ unnoticed.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein::{TrailSettings, trail::Trail};
use checkrein_agents::installed::{checkrein, chosen, subjects};
use checkrein_live::{Sandbox, Scenario, Subject, record};
use serde_json::{Map, Value};
use std::{env, path::Path, process::Command, thread};

/// Agents that record the input that ran. All others record what the model asked for.
const RECORD_WHAT_RAN: &[&str] = &["gemini", "opencode", "kilo"];

/// Agents that record one or the other, whichever is there when they write: they do not wait for a hook that rewrites the call.
const RECORD_EITHER: &[&str] = &["kilo"];

/// Agents that give hooks no ids of calls, or other ones than they record.
const WITHOUT_IDS: &[&str] = &["gemini", "qwen", "copilot"];

/// Agents whose records of a subagent differ from what our hook saw, and how. This is an open defect of their readers.
const SUBAGENTS_DIFFER: &[(&str, &str)] = &[
    ("codex", "tools of a namespace are recorded without it: `spawn_agent` for `collaborationspawn_agent`"),
    ("gemini", "`complete_task` is recorded and sends no event, and a call has the time at which it ended"),
    ("qwen", "the calls of a subagent are not among its chats"),
];

/// A call, as both sides have it.
#[derive(Debug, PartialEq)]
struct Seen {
    tool: String,
    call: String,
    digest: String,
}

/// Runs our program with a home directory, and returns the JSON lines that it prints.
fn lines(home: &Path, arguments: &[&str]) -> Vec<Map<String, Value>> {
    let output = Command::new(checkrein().unwrap())
        .args(arguments)
        .env_clear()
        .env("HOME", home)
        .env("PATH", "/usr/bin:/bin")
        .current_dir(home)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!text.is_empty(), "{arguments:?} printed nothing: {said}");
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn text(fields: &Map<String, Value>, name: &str) -> String {
    fields.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// Returns the calls that our hook saw, the oldest first.
fn hooked(home: &Path, ran: bool) -> Vec<Seen> {
    let records = lines(home, &["log", "--json", "--limit", "0"]);
    let before = records.iter().filter(|record| record["event"] == "PreToolUse");
    let seen = before.map(|record| {
        let last = text(record, "final_digest");
        let digest = if ran && !last.is_empty() { last } else { text(record, "digest") };
        Seen { tool: text(record, "tool"), call: text(record, "call"), digest }
    });
    seen.collect()
}

/// Returns the calls that the agent recorded, in the order of their times.
fn recorded(home: &Path, agent: &str) -> Vec<Seen> {
    let trail = Trail::at(&home.join(".local/state/checkrein"), TrailSettings::default()).unwrap();
    let mut calls = lines(home, &["replay", "--json", "--since", "all", "--agent", agent]);
    let summary = calls.pop().unwrap();
    let summary = summary["summary"].as_object().unwrap();
    for count in ["unknown_records", "long_records", "failed_files"] {
        assert_eq!(summary[count], 0, "{agent}: {count}");
    }
    calls.sort_by_key(|call| (text(call, "time"), call["line"].as_u64()));
    let seen = calls.iter().map(|call| Seen {
        tool: text(call, "tool"),
        call: text(call, "call"),
        digest: trail.digest(call["input"].as_object().unwrap()).unwrap(),
    });
    seen.collect()
}

/// The variable that names a directory in which the home directories of the agents stay, to look at what they wrote.
const KEEP: &str = "CHECKREIN_KEEP_RECORDS";

/// Runs a scenario, and returns the calls of the agent's record and those that our hook saw.
fn run(sandbox: &Sandbox, subject: &Subject, scenario: Scenario, attempt: u8) -> (Vec<Seen>, Vec<Seen>) {
    let agent = subject.agent.name();
    let directory = tempfile::tempdir().unwrap();
    let kept = env::var_os(KEEP).map(|kept| Path::new(&kept).join(format!("{agent}-{scenario:?}-{attempt}")));
    let home = kept.unwrap_or_else(|| directory.path().join("home"));
    record(sandbox, subject, scenario, &home).unwrap_or_else(|error| panic!("{agent}: {error}"));
    let mut hooked = hooked(&home, RECORD_WHAT_RAN.contains(&agent));
    let mut recorded = recorded(&home, agent);
    if RECORD_EITHER.contains(&agent) {
        for ((seen, asked), found) in hooked.iter_mut().zip(self::hooked(&home, false)).zip(&recorded) {
            if found.digest == asked.digest {
                seen.digest = asked.digest;
            }
        }
    }
    if WITHOUT_IDS.contains(&agent) {
        assert!(recorded.iter().all(|seen| !seen.call.is_empty()), "{agent}");
        recorded.iter_mut().chain(&mut hooked).for_each(|seen| seen.call.clear());
    }
    (recorded, hooked)
}

/// Runs a scenario and compares. Returns the number of calls.
///
/// On a busy machine an agent may end before it has written its last call. So a record that lacks only its end is tried once more;
/// a reader that loses the end fails both times.
fn compare(sandbox: &Sandbox, subject: &Subject, scenario: Scenario) -> usize {
    let agent = subject.agent.name();
    let (mut recorded, mut hooked) = run(sandbox, subject, scenario, 1);
    if recorded.len() < hooked.len() && hooked.starts_with(&recorded) {
        eprintln!("{agent}, {scenario:?}: its record lacks the last call; once more");
        (recorded, hooked) = run(sandbox, subject, scenario, 2);
    }
    assert_eq!(recorded, hooked, "{agent}, {scenario:?}: the agent's record (left), our trail (right)");
    hooked.len()
}

#[test]
fn a_reader_finds_the_calls_that_our_hook_saw() {
    let sandbox = Sandbox::find().unwrap_or_else(|error| panic!("{error}"));
    let subjects = subjects(None).unwrap_or_else(|reason| panic!("{reason}"));
    assert_eq!(subjects.len(), chosen().len());
    let mut failed = Vec::new();
    for pair in subjects.chunks(2) {
        thread::scope(|scope| {
            let running: Vec<_> =
                pair.iter().map(|subject| scope.spawn(|| check(&sandbox, subject))).collect();
            for (subject, running) in pair.iter().zip(running) {
                if running.join().is_err() {
                    failed.push(subject.agent.name());
                }
            }
        });
    }
    assert_eq!(failed, [""; 0], "see the differences above");
}

fn check(sandbox: &Sandbox, subject: &Subject) {
    let agent = subject.agent.name();
    // Nine calls, one of which is a write.
    assert_eq!(compare(sandbox, subject, Scenario::Abilities), 9, "{agent}");
    if let Some((_, how)) = SUBAGENTS_DIFFER.iter().find(|(name, _)| *name == agent) {
        eprintln!("skipped: the subagent of {agent}: {how}");
        return;
    }
    if subject.agent.scenarios().contains(&Scenario::Subagent) {
        // The call of the subagent, and the one that starts it where that is an event.
        assert!(compare(sandbox, subject, Scenario::Subagent) >= 1, "{agent}");
    }
}
