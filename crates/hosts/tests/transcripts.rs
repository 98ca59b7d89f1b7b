//! The readers of the agents' own records, on records of real sessions (`corpus/transcripts`) and on broken ones.
#![allow(clippy::panic, clippy::expect_used, reason = "tests")]

use checkrein_hosts::{
    host,
    transcript::{Form, RecordedCall},
};
use proptest::prelude::*;
use serde_json::{Map, Value};

fn sample(name: &str) -> String {
    let path = format!("{}/../../corpus/transcripts/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The calls in a text, and the number of records of an unknown kind.
fn read(name: &str, text: &str) -> (Vec<RecordedCall>, usize) {
    let transcripts = host(name).and_then(|host| host.transcripts).expect("a host with records");
    let mut reader = (transcripts.reader)();
    let mut calls = Vec::new();
    let mut unknown = 0;
    let texts: Vec<&str> = match transcripts.form {
        Form::Lines => text.lines().collect(),
        Form::Document => vec![text],
    };
    for (index, text) in texts.into_iter().enumerate() {
        match serde_json::from_str::<Map<String, Value>>(text) {
            Ok(record) if reader.record(&record, index as u64 + 1, &mut calls) => {}
            Ok(_) | Err(_) => unknown += 1,
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
        assert!(call.time.starts_with("2026-11-16T10:2"), "{name}: {call:?}");
    }
    assert!(calls.is_sorted_by_key(|call| call.line), "{name}");
}

const ASKED: &str = "echo call-2 | tee ran-2.txt";
const DIRECTORY: Option<&str> = Some("/home/dev/proj");

#[test]
fn every_reader_finds_the_calls_of_a_real_session() {
    check("claude", "claude.jsonl", "Bash", ASKED, DIRECTORY);
    check("codex", "codex.jsonl", "Bash", ASKED, DIRECTORY);
    check("qwen", "qwen.jsonl", "run_shell_command", ASKED, DIRECTORY);
    check("copilot", "copilot.jsonl", "bash", ASKED, DIRECTORY);
    check("gemini", "gemini.jsonl", "run_shell_command", "echo rewritten-by-hook | tee rewritten.txt", None);
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
    let (calls, unknown) = read("codex", &lines.join("\n"));
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
    for name in ["claude", "codex", "gemini", "qwen", "copilot"] {
        let (calls, unknown) = read(name, "{\"a\":1}\nnot json\n[]\n");
        assert_eq!((calls.len(), unknown), (0, 3), "{name}");
    }
}

proptest! {
    #[test]
    fn a_cut_or_changed_record_is_no_panic(at in 0usize..30_000, byte in any::<u8>(), cut in any::<bool>()) {
        for (name, file) in
            [("claude", "claude.jsonl"), ("codex", "codex.jsonl"), ("gemini", "gemini.jsonl"), ("qwen", "qwen.jsonl"), ("copilot", "copilot.jsonl")]
        {
            let mut bytes = sample(file).into_bytes();
            let at = at % bytes.len();
            if cut { bytes.truncate(at) } else if let Some(place) = bytes.get_mut(at) { *place = byte }
            let (calls, _) = read(name, &String::from_utf8_lossy(&bytes));
            prop_assert!(calls.len() <= 4, "{}", name);
        }
    }
}
