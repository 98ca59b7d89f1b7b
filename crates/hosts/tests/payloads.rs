//! Recorded payloads of real agents: each decodes without loss, and without hooks the answer is the neutral one.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein_core::{Dispatcher, EventName, flat::Flat, json};
use serde_json::Value;
use std::{fs, path::Path};

/// Fields that have our name for something, and where the host's own is kept.
const RENAMED: &[(&str, &str)] = &[
    ("hook_event_name", "host_event_name"),
    ("tool_name", "host_tool_name"),
    ("toolName", "host_tool_name"),
    ("toolName", "tool_name"),
    ("sessionId", "session_id"),
    ("transcriptPath", "transcript_path"),
    ("toolArgs", "tool_input"),
    ("toolInput", "tool_input"),
    ("toolResult", "tool_response"),
    ("tool_result", "tool_response"),
    ("tool_call_id", "tool_use_id"),
    ("tool_output", "tool_response"),
];

/// Returns the neutral answer. Kimi Code takes every text for a part of the prompt.
fn neutral(host: &str, event: EventName) -> &'static str {
    match (host, event) {
        ("kimi", EventName::UserPromptSubmit | EventName::Stop) => "",
        _ => "{}\n",
    }
}

/// Returns true if the flat form has a value that the host wrote as JSON in a string.
fn is_unpacked(value: &Value, shown: &Value) -> bool {
    value.as_str().is_some_and(|text| serde_json::from_str::<Value>(text).is_ok_and(|inner| inner == *shown))
}

/// Returns true if the flat form has a value that the host wrote as a list of parts.
fn is_joined(value: &Value, shown: &Value) -> bool {
    let parts = value.as_array().into_iter().flatten();
    let texts: Vec<&str> = parts.filter_map(|part| part.get("text")?.as_str()).collect();
    !texts.is_empty() && shown.as_str() == Some(&texts.join("\n"))
}

#[test]
fn recorded_payloads_are_read_and_answered_neutrally() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/payloads");
    let mut seen = 0;
    for host in checkrein_hosts::ALL {
        let dialect = host.dialect;
        let Ok(files) = fs::read_dir(corpus.join(dialect.name())) else { continue };
        for file in files {
            let path = file.unwrap().path();
            let bytes = fs::read(&path).unwrap();
            // A file has the host's name of its event, which not every payload has.
            let name = path.file_stem().unwrap().to_str().unwrap().split('-').next().unwrap();
            let event = host.recipe.unwrap().event(name);
            assert!(event.is_some(), "{}: an event that the host is not known to have", path.display());
            let payload =
                dialect.decode(bytes.clone(), event).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            assert_eq!(payload.raw, bytes);

            // No field of the host is lost on the way to a hook.
            let original = json::parse_object(&bytes).unwrap();
            let shown = json::parse_object(&Flat(&payload).to_bytes().unwrap()).unwrap();
            // A field without a value has none to lose.
            for (key, value) in original.iter().filter(|(_, value)| !value.is_null()) {
                let kept = RENAMED.iter().filter(|(renamed, _)| renamed == key).map(|(_, kept)| *kept);
                let mut places = kept.chain([key.as_str()]).filter_map(|place| shown.get(place));
                assert!(
                    places
                        .any(|shown| shown == value || is_joined(value, shown) || is_unpacked(value, shown)),
                    "{}: {key}",
                    path.display()
                );
            }

            let (outcome, reply) = checkrein_hosts::answer(dialect, Dispatcher::new().dispatch(payload));
            assert!(outcome.is_neutral());
            assert_eq!(
                (reply.stdout.as_slice(), reply.exit),
                (neutral(host.name(), outcome.payload.name()).as_bytes(), 0),
                "{}",
                path.display()
            );
            seen += 1;
        }
    }
    assert!(seen >= 187, "only {seen} payloads were found");
}
