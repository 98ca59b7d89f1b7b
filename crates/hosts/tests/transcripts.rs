//! The readers of the agents' own records, on records of real sessions (`corpus/transcripts`) and on broken ones.
#![allow(clippy::panic, clippy::expect_used, clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use checkrein_core::ToolKind;
use checkrein_hosts::{
    host,
    sqlite::Database,
    transcript::{Form, Reader, RecordedCall},
};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn sample(name: &str) -> Vec<u8> {
    let path = format!("{}/../../corpus/transcripts/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The samples: the host, and the file.
const SAMPLES: &[(&str, &str)] = &[
    ("claude", "claude.jsonl"),
    ("codex", "codex.jsonl"),
    ("gemini", "gemini.jsonl"),
    ("qwen", "qwen.jsonl"),
    ("copilot", "copilot.jsonl"),
    ("cline", "cline.json"),
    ("pi", "pi.jsonl"),
    ("opencode", "opencode.db"),
    ("kilo", "kilo.db"),
    ("kimi", "kimi.jsonl"),
    ("grok", "grok.jsonl"),
    ("openclaw", "openclaw.sqlite"),
    ("hermes", "hermes.db"),
    ("checkrein", "trail.jsonl"),
];

/// The calls in a text, and the number of records of an unknown kind.
fn read(name: &str, bytes: &[u8]) -> (Vec<RecordedCall>, usize) {
    let transcripts = host(name).and_then(|host| host.transcripts).expect("a host with records");
    let mut reader = (transcripts.reader)();
    let mut calls = Vec::new();
    let mut unknown = 0;
    let mut one = |reader: &mut dyn Reader, text: &[u8], line: u64, calls: &mut Vec<RecordedCall>| {
        match serde_json::from_slice::<Map<String, Value>>(text) {
            Ok(record) if reader.record(&record, line, calls) => {}
            Ok(_) | Err(_) => unknown += 1,
        }
    };
    match transcripts.form {
        Form::Lines => {
            let text = String::from_utf8_lossy(bytes);
            for (index, line) in text.lines().enumerate() {
                one(&mut *reader, line.as_bytes(), index as u64 + 1, &mut calls);
            }
        }
        Form::Document => {
            if name == "cline" {
                one(&mut *reader, br#"{"version": 1, "cwd": "/home/dev/proj"}"#, 0, &mut calls);
            }
            one(&mut *reader, bytes, 1, &mut calls);
        }
        Form::Database(tables) => {
            let file = bytes.to_vec();
            let mut see = |table: &'static str, row: checkrein_hosts::sqlite::Row| {
                let record = json!({"table": table, "row": row.values}).to_string();
                one(&mut *reader, record.as_bytes(), row.id.unsigned_abs(), &mut calls);
                Ok(())
            };
            let read =
                Database::open(&file, None).and_then(|database| database.rows(tables, 4 << 20, &mut see));
            unknown += usize::from(read.is_err());
        }
    }
    reader.finish(&mut calls);
    (calls, unknown)
}

/// Checks the three calls of a sample.
fn check(name: &str, file: &str, tool: &str, second: &str, cwd: Option<&str>) {
    let (calls, unknown) = read(name, &sample(file));
    assert_eq!(unknown, 0, "{name}");
    let texts: Vec<&str> = calls
        .iter()
        .map(|call| call.input.get("command").and_then(Value::as_str).unwrap_or_default())
        .collect();
    assert_eq!(texts, ["echo call-1 | tee ran-1.txt", second, "echo call-3 | tee ran-3.txt"], "{name}");
    for call in &calls {
        assert_eq!(call.tool, tool, "{name}");
        assert_eq!(call.cwd.as_deref(), cwd, "{name}");
        assert!(!call.call.is_empty() && !call.session.is_empty(), "{name}: {call:?}");
        assert!(call.time.starts_with("2026-11-16T10:"), "{name}: {call:?}");
    }
    assert!(calls.is_sorted_by_key(|call| call.line), "{name}");
}

const ASKED: &str = "echo call-2 | tee ran-2.txt";
const RAN: &str = "echo rewritten-by-hook | tee rewritten.txt";
const DIRECTORY: Option<&str> = Some("/home/dev/proj");

#[test]
fn every_reader_finds_the_calls_of_a_real_session() {
    check("claude", "claude.jsonl", "Bash", ASKED, DIRECTORY);
    check("codex", "codex.jsonl", "Bash", ASKED, DIRECTORY);
    check("qwen", "qwen.jsonl", "run_shell_command", ASKED, DIRECTORY);
    check("copilot", "copilot.jsonl", "bash", ASKED, DIRECTORY);
    check("gemini", "gemini.jsonl", "run_shell_command", RAN, None);
    check("cline", "cline.json", "Bash", ASKED, DIRECTORY);
    check("pi", "pi.jsonl", "bash", ASKED, DIRECTORY);
    check("opencode", "opencode.db", "bash", RAN, DIRECTORY);
    check("kilo", "kilo.db", "bash", ASKED, DIRECTORY);
    check("kimi", "kimi.jsonl", "Bash", ASKED, DIRECTORY);
    check("grok", "grok.jsonl", "run_terminal_command", ASKED, None);
    check("openclaw", "openclaw.sqlite", "exec", ASKED, DIRECTORY);
    check("hermes", "hermes.db", "terminal", ASKED, DIRECTORY);
    check("checkrein", "trail.jsonl", "Bash", ASKED, DIRECTORY);
}

/// Several commands in one call stay apart, and the call is one of a shell.
#[test]
fn cline_records_several_commands() {
    let text = r#"{"sessionId":"s","messages":[{"role":"assistant","ts":1,"content":[
        {"type":"tool_use","id":"1","name":"run_commands","input":{"commands":["ls","rm x"]}},
        {"type":"tool_use","id":"2","name":"editor","input":{"path":"a"}}]}]}"#;
    let (calls, _) = read("cline", text.as_bytes());
    let seen: Vec<(&str, Option<ToolKind>, u64)> =
        calls.iter().map(|call| (call.tool.as_str(), call.kind, call.line)).collect();
    assert_eq!(seen, [("run_commands", Some(ToolKind::Shell), 1), ("editor", Some(ToolKind::Edit), 2)]);
    assert_eq!(calls[0].input, *json!({"commands": ["ls", "rm x"]}).as_object().unwrap());
}

/// The trail does not hold every call as a whole. Half a command is not judged.
#[test]
fn the_trail_counts_what_it_does_not_hold() {
    let transcripts = host("checkrein").and_then(|host| host.transcripts).expect("our own trail");
    let mut reader = (transcripts.reader)();
    let mut calls = Vec::new();
    for record in [
        json!({"event": "PreToolUse", "tool": "Bash", "summary": "rm -rf", "whole": false}),
        json!({"event": "PreToolUse", "tool": "Write", "summary": "/a", "whole": true}),
        json!({"event": "PostToolUse", "tool": "Bash", "summary": "ls", "whole": true}),
        json!({"event": "PreToolUse", "tool": "Read", "summary": "/b", "whole": true, "host": "codex"}),
        json!({"event": "PreToolUse", "tool": "Write", "summary": "/a", "whole": false, "input": {"file_path": "/a", "content": "x"}}),
    ] {
        assert!(reader.record(record.as_object().unwrap(), 1, &mut calls));
    }
    assert_eq!(reader.incomplete(), 2);
    let seen: Vec<Value> = calls.iter().map(|call| Value::Object(call.input.clone())).collect();
    assert_eq!(seen, [json!({"file_path": "/b"}), json!({"file_path": "/a", "content": "x"})]);
    assert_eq!(calls[0].host.as_deref(), Some("codex"));
}

#[test]
fn codex_records_patches_lists_and_scripts() {
    let lines = [
        r#"{"timestamp":"t","type":"session_meta","payload":{"id":"s","cwd":"/a"}}"#,
        r#"{"timestamp":"t","type":"response_item","payload":{"type":"custom_tool_call","name":"apply_patch","input":"*** Begin Patch","call_id":"1"}}"#,
        r#"{"timestamp":"t","type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{\"command\":[\"bash\",\"-lc\",\"rm x\"],\"workdir\":\"/b\"}","call_id":"2"}}"#,
        r#"{"timestamp":"t","type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{\"command\":[\"rm\",\"a b\"]}","call_id":"3"}}"#,
        r#"{"timestamp":"t","type":"response_item","payload":{"type":"custom_tool_call","name":"exec","input":"await tools.exec_command({})","call_id":"4"}}"#,
        r#"{"timestamp":"t","type":"event_msg","payload":{"type":"item_completed","item":{"type":"CommandExecution","id":"exec-5","command":["/bin/bash","-lc","make"],"cwd":"file:///c"}}}"#,
        r#"{"timestamp":"t","type":"event_msg","payload":{"type":"item_completed","item":{"type":"CommandExecution","id":"2","command":["/bin/bash","-lc","rm x"],"cwd":"file:///b"}}}"#,
    ];
    let (calls, unknown) = read("codex", lines.join("\n").as_bytes());
    let seen: Vec<(&str, &str, Option<&str>)> = calls
        .iter()
        .map(|call| {
            let command = call.input.get("command").and_then(Value::as_str).unwrap_or_default();
            (call.tool.as_str(), command, call.cwd.as_deref())
        })
        .collect();
    assert_eq!(unknown, 0);
    assert_eq!(
        seen,
        [
            ("apply_patch", "*** Begin Patch", Some("/a")),
            ("Bash", "rm x", Some("/b")),
            ("Bash", "rm 'a b'", Some("/a")),
            ("Bash", "make", Some("/c")),
        ]
    );
}

#[test]
fn what_is_not_known_is_counted() {
    for (name, file) in SAMPLES {
        let (calls, unknown) = read(name, b"{\"a\":1}\nnot json\n[]\n");
        let expected = if file.ends_with(".jsonl") { 3 } else { 1 };
        assert_eq!((calls.len(), unknown), (0, expected), "{name}");
    }
}

proptest! {
    #[test]
    fn a_cut_or_changed_record_is_no_panic(at in 0usize..30_000, byte in any::<u8>(), cut in any::<bool>()) {
        for (name, file) in SAMPLES {
            let mut bytes = sample(file);
            let at = at % bytes.len();
            if cut { bytes.truncate(at) } else if let Some(place) = bytes.get_mut(at) { *place = byte }
            let (calls, _) = read(name, &bytes);
            prop_assert!(calls.len() <= 4, "{}", name);
        }
    }
}
