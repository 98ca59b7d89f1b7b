//! The JSON outputs about the trail and about history are what `schema/` describes.

use crate::Place;
use serde_json::{Value, json};
use std::{fs, path::Path};

/// Checks that every line of an output is as a schema says, and that the schema can be broken: without any of its fields it is not.
fn check(schema: &str, lines: &[Value]) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schema").join(schema);
    let text: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&text).unwrap();
    assert!(!lines.is_empty(), "{schema}");
    for line in lines {
        let errors: Vec<String> = validator.iter_errors(line).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{schema}: {errors:?}: {line}");
    }
    let first = lines[0].as_object().unwrap();
    let required = text["required"].as_array().or(text["oneOf"][0]["required"].as_array()).unwrap();
    for name in required {
        let mut less = first.clone();
        less.shift_remove(name.as_str().unwrap())
            .unwrap_or_else(|| panic!("{schema}: {name} is not in {first:?}"));
        assert!(!validator.is_valid(&Value::Object(less)), "{schema}: {name} is not required");
    }
}

fn lines(place: &Place, arguments: &[&str]) -> Vec<Value> {
    let output = place.output(arguments, b"");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn outputs_are_what_their_schemas_say() {
    let place = Place::new();
    fs::create_dir_all(place.path("shop/.git")).unwrap();
    let shop = place.path("shop");
    for (name, call, command) in [
        ("PreToolUse", "c1", "git push --force origin main"),
        ("PreToolUse", "c2", "git log"),
        ("PostToolUse", "c2", "git log"),
        ("SessionStart", "c3", ""),
    ] {
        let event = json!({
            "hook_event_name": name, "session_id": "s1", "cwd": shop, "tool_name": "Bash", "tool_use_id": call,
            "tool_input": {"command": command}, "tool_response": {"stdout": ""}, "source": "startup",
        });
        place.output(&["hook", "--host", "claude"], event.to_string().as_bytes());
    }
    let records = lines(&place, &["log", "--json", "--limit", "0"]);
    assert!(records.len() >= 3, "{records:?}");
    check("trail.schema.json", &records);
    assert!(
        records.iter().all(|record| ["yes", "no", "unknown"].contains(&record["honored"].as_str().unwrap()))
    );
    check("outputs/verify.schema.json", &lines(&place, &["log", "--verify", "--json"]));
    for record in &records {
        let id = record["id"].as_str().unwrap();
        check("outputs/why.schema.json", &lines(&place, &["why", id, "--json"]));
    }
    for day in 1..=3 {
        let text: String = ["git log", "rm -rf ~", "cat notes.txt"]
            .iter()
            .enumerate()
            .map(|(number, command)| {
                let call = json!({"type": "tool_use", "id": format!("{day}-{number}"), "name": "Bash", "input": {"command": command}});
                let record = json!({
                    "type": "assistant", "sessionId": format!("s{day}"), "cwd": shop,
                    "timestamp": format!("2026-11-{day:02}T10:00:00.000Z"), "message": {"content": [call]},
                });
                format!("{record}\n")
            })
            .collect();
        fs::create_dir_all(place.path(".claude/projects/-shop")).unwrap();
        fs::write(place.path(format!(".claude/projects/-shop/s{day}.jsonl")), text).unwrap();
    }
    fs::write(
        place.path("other.toml"),
        "[[rule]]\nid = \"x\"\neffect = \"read\"\ndecision = \"deny\"\nreason = \"x\"\n",
    )
    .unwrap();
    check("outputs/replay.schema.json", &lines(&place, &["replay", "--json", "--since", "all"]));
    let compared = lines(&place, &["replay", "--json", "--since", "all", "--policy", "other.toml"]);
    check("outputs/replay.schema.json", &compared);
    assert!(compared.iter().any(|line| line["before"] == "abstain" && line["decision"] == "deny"));
    check("outputs/suggest.schema.json", &lines(&place, &["suggest", "--json", "--since", "all"]));
}

#[test]
fn a_broken_trail_is_described_too() {
    let place = Place::new();
    let event =
        json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}});
    place.output(&["hook", "--host", "claude"], event.to_string().as_bytes());
    let file = place.path(".local/state/checkrein/trail/current.jsonl");
    let text = fs::read_to_string(&file).unwrap().replacen("\"ls\"", "\"la\"", 1);
    fs::write(&file, text).unwrap();
    let report = lines(&place, &["log", "--verify", "--json"]);
    check("outputs/verify.schema.json", &report);
    assert_eq!(report[0]["break"]["kind"], "changed");
}

/// The fields that a line of `log --json` has at least, whatever the event, and however much of it is kept.
const RECORD: &[&str] = &[
    "id", "time", "host", "session", "agent", "event", "tool", "call", "summary", "effects", "decision",
    "rules", "reason", "hooks", "edited", "cwd", "policy", "monitor", "undo", "honored", "prev",
];

/// The fields of a call in `replay --json`.
const CALL: &[&str] = &[
    "agent",
    "session",
    "time",
    "file",
    "line",
    "tool",
    "call",
    "input",
    "decision",
    "rules",
    "without_files",
];

fn has_all(line: &Value, names: &[&str]) {
    for name in names {
        assert!(line.get(name).is_some(), "{name} is missing: {line}");
    }
}

#[test]
fn every_record_has_the_fields_of_the_contract() {
    let place = Place::new();
    let record = |level: &str, run: &dyn Fn(&[u8])| {
        fs::create_dir_all(place.path(".config/checkrein")).unwrap();
        fs::write(place.path(".config/checkrein/config.toml"), format!("trail = \"{level}\"\n")).unwrap();
        for (event, tool, input) in [
            ("SessionStart", "", json!({})),
            ("UserPromptSubmit", "", json!({})),
            ("PreToolUse", "Bash", json!({"command": "git push --force origin main"})),
            ("PreToolUse", "Write", json!({"file_path": "a", "content": "b"})),
            ("PostToolUse", "Bash", json!({"command": "ls"})),
            ("SessionEnd", "", json!({})),
        ] {
            let event = json!({
                "hook_event_name": event, "tool_name": tool, "tool_input": input, "prompt": "p", "source": "startup", "reason": "clear",
            });
            run(event.to_string().as_bytes());
        }
    };
    let hook = |event: &[u8]| drop(place.output(&["hook", "--host", "claude"], event));
    for level in ["structure", "summary", "full"] {
        record(level, &hook);
    }
    // A record that had to wait for a lock, and is in no segment yet, is a line like the others.
    let before = lines(&place, &["log", "--json", "--limit", "0"]).len();
    let current = fs::File::open(place.path(".local/state/checkrein/trail/current.jsonl")).unwrap();
    current.lock().unwrap();
    record("summary", &hook);
    let records = lines(&place, &["log", "--json", "--limit", "0"]);
    assert!(
        records.len() > before && records.iter().any(|record| record["prev"].is_null()),
        "{before}: {records:?}"
    );
    records.iter().for_each(|record| has_all(record, RECORD));
}

#[test]
fn why_has_all_that_explain_has_and_what_differs() {
    let place = Place::new();
    let event = json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "git push --force origin main"}});
    place.output(&["hook", "--host", "claude"], event.to_string().as_bytes());
    let id = lines(&place, &["log", "--json"])[0]["id"].as_str().unwrap().to_owned();
    let why = &lines(&place, &["why", &id, "--json"])[0];
    let explain = &lines(&place, &["explain", "--json", "git push --force origin main"])[0];
    for name in explain.as_object().unwrap().keys() {
        assert!(why.get(name).is_some(), "{name} is missing: {why}");
    }
    assert_eq!((&why["differs"], &why["record"]["id"]), (&json!([]), &json!(id)));
    assert_eq!(why["effects"], explain["effects"]);
}

#[test]
fn a_replay_ends_with_its_summary_and_verify_names_the_first_break() {
    let place = Place::new();
    let nothing = lines(&place, &["replay", "--json"]);
    assert!(nothing.len() == 1 && nothing[0]["summary"].is_object(), "{nothing:?}");
    let call = json!({"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "git push --force origin main"}});
    let record = json!({
        "type": "assistant", "sessionId": "s", "timestamp": "2026-11-01T10:00:00.000Z", "message": {"content": [call]},
    });
    fs::create_dir_all(place.path(".claude/projects/-p")).unwrap();
    fs::write(place.path(".claude/projects/-p/s.jsonl"), format!("{record}\n")).unwrap();
    let lines_of = lines(&place, &["replay", "--json", "--since", "all"]);
    let (summary, calls) = lines_of.split_last().unwrap();
    assert_eq!(summary.as_object().unwrap().keys().collect::<Vec<_>>(), ["summary"]);
    assert_eq!((calls.len(), &summary["summary"]["calls"]), (1, &json!(1)));
    has_all(&calls[0], CALL);
    assert_eq!(
        (&calls[0]["line"], &calls[0]["decision"], &calls[0]["without_files"]),
        (&json!(1), &json!("deny"), &json!(true))
    );

    for _ in 0..2 {
        let event =
            json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}});
        place.output(&["hook", "--host", "claude"], event.to_string().as_bytes());
    }
    let said = place.output(&["log", "--verify"], b"");
    let text = String::from_utf8(said.stdout).unwrap();
    assert!(said.status.success() && text.starts_with("whole: 2 records in 1 segment"), "{text}");
    let file = place.path(".local/state/checkrein/trail/current.jsonl");
    let kept = fs::read_to_string(&file).unwrap();
    let last = kept.lines().last().unwrap().to_owned();
    fs::write(&file, kept.replace(&last, &last.replacen("\"ls\"", "\"la\"", 1))).unwrap();
    let said = place.output(&["log", "--verify"], b"");
    let text = String::from_utf8(said.stdout).unwrap();
    assert_eq!(said.status.code(), Some(1));
    assert!(text.lines().next().unwrap().contains("current.jsonl:2: "), "{text}");
}
