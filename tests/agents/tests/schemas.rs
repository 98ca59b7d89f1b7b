//! The schemas that an agent publishes, compared with what we read and write. Codex carries one for each event in its program.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein_agents::installed::{chosen, packages};
use checkrein_core::{Dispatcher, Edit, Entry, Event, EventName, Map, Payload, Verdict, hook_fn};
use checkrein_hosts::{answer, find, install::CODEX};
use jsonschema::Validator;
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

/// The start of a schema.
const START: &[u8] = b"{\n  \"$schema\"";

/// Returns the only entry of a directory whose name starts like this.
fn only(directory: &Path, start: &str) -> PathBuf {
    let mut names = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let starts =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(start));
    names.find(starts).unwrap_or_else(|| panic!("no {start}* in {}", directory.display()))
}

/// The schemas in Codex, by title; none if Codex is not among the agents that are tried.
static SCHEMAS: LazyLock<BTreeMap<String, Value>> = LazyLock::new(schemas);

fn schemas() -> BTreeMap<String, Value> {
    if !chosen().iter().any(|agent| agent.name() == "codex") {
        eprintln!("skipped: codex is not among the agents that are tried");
        return BTreeMap::new();
    }
    let package = only(&packages("agents").unwrap().join("@openai"), "codex-linux-");
    let bytes = fs::read(only(&package.join("vendor"), "").join("bin/codex")).unwrap();
    let mut found = BTreeMap::new();
    let mut from = 0;
    while let Some(at) = bytes[from..].windows(START.len()).position(|window| window == START) {
        from += at;
        let mut documents = serde_json::Deserializer::from_slice(&bytes[from..]).into_iter::<Value>();
        if let Some(Ok(schema)) = documents.next()
            && let Some(title) = schema["title"].as_str()
        {
            found.insert(title.to_owned(), schema.clone());
        }
        from += START.len();
    }
    assert!(found.len() >= 23, "only {:?}", found.keys());
    found
}

/// Returns the event that a title is about: `pre-tool-use.command.output`.
fn event(title: &str) -> EventName {
    let words = title.split('.').next().unwrap().split('-');
    let name: String =
        words.map(|word| word.split_at(1)).map(|(first, rest)| first.to_uppercase() + rest).collect();
    name.parse().unwrap_or_else(|_| panic!("{title}: an event that we do not know"))
}

/// Returns the smallest value that a schema accepts.
fn smallest(schema: &Value, whole: &Value) -> Value {
    if let Some(name) = schema["$ref"].as_str() {
        return smallest(whole.pointer(name.trim_start_matches('#')).unwrap(), whole);
    }
    if let Some(only) = schema.get("const").or(schema.pointer("/enum/0")) {
        return only.clone();
    }
    let kind = schema["type"].as_str().or(schema["type"][0].as_str());
    match kind {
        Some("object") => {
            let required = schema["required"].as_array().into_iter().flatten();
            let one = |name: &Value| {
                let name = name.as_str().unwrap();
                (name.to_owned(), smallest(&schema["properties"][name], whole))
            };
            required.map(one).collect::<Map>().into()
        }
        Some("boolean") => true.into(),
        Some("array") => json!([]),
        Some("integer" | "number") => 1.into(),
        Some("null") => Value::Null,
        Some(_) => "text".into(),
        // Any value: arguments or a result.
        None => json!({"command": "true"}),
    }
}

/// Returns the recorded events, and the smallest one that each schema of an input accepts.
fn events(schemas: &BTreeMap<String, Value>) -> Vec<Value> {
    let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/payloads/codex");
    let files = fs::read_dir(recorded).unwrap().map(|file| file.unwrap().path());
    let recorded = files.map(|file| serde_json::from_slice(&fs::read(file).unwrap()).unwrap());
    let inputs = schemas.iter().filter(|(title, _)| title.ends_with(".input"));
    recorded.chain(inputs.map(|(_, schema)| smallest(schema, schema))).collect()
}

fn validator(schemas: &BTreeMap<String, Value>, event: EventName, what: &str) -> Option<Validator> {
    let (_, schema) =
        schemas.iter().find(|(title, _)| title.ends_with(what) && self::event(title) == event)?;
    Some(jsonschema::validator_for(schema).unwrap())
}

fn verdicts(event: &Event) -> Vec<Verdict> {
    let edit = match event {
        Event::PostToolUse { .. } => Some(Edit::Output("edited".into())),
        Event::UserPromptSubmit { .. } => Some(Edit::Prompt("edited".into())),
        event if event.call().is_some() => {
            Some(Edit::MergeInput(json!({"command": "edited"}).as_object().unwrap().clone()))
        }
        _ => None,
    };
    vec![
        Verdict::default(),
        Verdict::deny("no"),
        Verdict::ask("sure?"),
        Verdict::allow(),
        Verdict { context: vec!["know".to_owned()], ..Verdict::default() },
        Verdict { stop: Some("enough".to_owned()), ..Verdict::deny("no") },
        Verdict { edit, ..Verdict::default() },
    ]
}

#[test]
fn codex_accepts_every_answer_and_we_read_every_event() {
    let schemas = &*SCHEMAS;
    let codex = find("codex").unwrap();
    let mut tried = 0;
    for sent in if schemas.is_empty() { Vec::new() } else { events(schemas) } {
        let name: EventName = sent["hook_event_name"].as_str().unwrap().parse().unwrap();
        let input = validator(schemas, name, ".input").unwrap();
        assert!(
            input.is_valid(&sent),
            "{name}: {:?}",
            input.iter_errors(&sent).next().map(|error| error.to_string())
        );
        let payload = codex.decode(sent.to_string().into_bytes(), Some(name)).unwrap();
        for verdict in verdicts(&payload.event) {
            let mut hooks = Dispatcher::new();
            let said = verdict.clone();
            hooks
                .add(Entry::new(name, hook_fn("h", move |_: &Payload| verdict.clone())).with_may_allow(true));
            let (_, reply) = answer(codex, hooks.dispatch(payload.clone()));
            let written: Value = serde_json::from_slice(&reply.stdout).unwrap();
            match validator(schemas, name, ".output") {
                Some(output) => {
                    let error = output.iter_errors(&written).next().map(|error| error.to_string());
                    assert_eq!(error, None, "{name}: {written} for {said:?}");
                    // The schema can be broken.
                    let mut more = written.clone();
                    more["xUnknown"] = 1.into();
                    assert!(!output.is_valid(&more), "{name}");
                }
                None => assert_eq!(written, json!({}), "{name} takes no answer"),
            }
            tried += 1;
        }
    }
    assert!(schemas.is_empty() || tried > 200, "only {tried}");
}

/// An event that a new version has, or that one has no more, is seen here.
#[test]
fn we_know_every_event_of_codex() {
    let schemas = &*SCHEMAS;
    if schemas.is_empty() {
        return;
    }
    let mut published: Vec<EventName> =
        schemas.keys().filter(|title| title.ends_with(".input")).map(|title| event(title)).collect();
    let mut known: Vec<EventName> = CODEX.events.iter().map(|fired| fired.event).collect();
    published.sort_by_key(|event| event.as_str());
    known.sort_by_key(|event| event.as_str());
    assert_eq!(known, published);
}
