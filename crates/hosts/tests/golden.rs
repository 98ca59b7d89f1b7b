//! Recorded events in both directions: what a hook gets that the agent did not send under the same name, and the bytes that the
//! agent gets for every answer. `corpus/golden/<host>.txt` has them; `UPDATE_EXPECTED=1 cargo test -p checkrein-hosts --test golden`
//! writes it.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use checkrein_core::{
    Dispatcher, Edit, Entry, Event, EventName, Map, Payload, Role, Verdict, flat::Flat, hook_fn, json,
};
use checkrein_hosts::{Dialect, Reply, answer};
use serde_json::Value;
use std::{
    collections::BTreeSet,
    env,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

fn corpus(directory: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus").join(directory)
}

/// Returns a change of whatever can be changed in an event.
fn edit(payload: &Payload) -> Option<Edit> {
    match &payload.event {
        Event::PreToolUse { call } | Event::PermissionRequest { call } => {
            let key = call.input.iter().find(|(_, value)| value.is_string()).map(|(key, _)| key.clone());
            let mut input = Map::new();
            input.insert(key.unwrap_or_else(|| "added".to_owned()), "edited".into());
            Some(Edit::MergeInput(input))
        }
        Event::UserPromptSubmit { .. } => Some(Edit::Prompt("edited".to_owned())),
        Event::PostToolUse { .. } => Some(Edit::Output("edited".into())),
        _ => None,
    }
}

/// Returns every answer that a hook may give to an event, by name.
fn verdicts(payload: &Payload) -> Vec<(&'static str, Verdict)> {
    let mut verdicts = vec![
        ("none", Verdict::default()),
        ("deny", Verdict::deny("no")),
        ("ask", Verdict::ask("sure?")),
        ("allow", Verdict::allow()),
        ("context", Verdict { context: vec!["know".to_owned()], ..Verdict::default() }),
        ("stop", Verdict { stop: Some("enough".to_owned()), ..Verdict::default() }),
    ];
    if let Some(edit) = edit(payload) {
        verdicts.push(("edit", Verdict { edit: Some(edit), ..Verdict::default() }));
    }
    verdicts
}

fn replied(reply: &Reply) -> String {
    let mut text = String::from_utf8(reply.stdout.clone()).unwrap().trim_end().to_owned();
    if text.is_empty() {
        text.push_str("nothing");
    }
    if (reply.exit, reply.stderr.as_str()) != (0, "") {
        write!(text, ", exit {}: {}", reply.exit, reply.stderr.trim_end()).unwrap();
    }
    text
}

/// Returns what a hook gets that the agent did not send in this place.
fn added(bytes: &[u8], payload: &Payload) -> Value {
    let original = json::parse_object(bytes).unwrap();
    let shown = json::parse_object(&Flat(payload).to_bytes().unwrap()).unwrap();
    shown.into_iter().filter(|(key, value)| original.get(key) != Some(value)).collect()
}

fn both_directions(dialect: &dyn Dialect, name: &str, bytes: &[u8], payload: &Payload) -> String {
    let mut text = format!("{name}\n  read    {}\n", added(bytes, payload));
    for (word, verdict) in verdicts(payload) {
        let mut hooks = Dispatcher::new();
        let hook = hook_fn("h", move |_: &Payload| verdict.clone());
        hooks.add(Entry::new(payload.name(), hook).with_role(Role::Plain).with_may_allow(true));
        let (outcome, reply) = answer(dialect, hooks.dispatch(payload.clone()));
        let lost = outcome.downgraded.join("; ");
        let lost = if lost.is_empty() { lost } else { format!(" | {lost}") };
        writeln!(text, "  {word:<7} {}{lost}", replied(&reply)).unwrap();
    }
    let refused = dialect.refuse(Some(payload.name()), "broken");
    writeln!(text, "  refused {}\n", replied(&refused)).unwrap();
    text
}

/// Two recordings of the same event and tool show the same.
fn shape(payload: &Payload) -> (EventName, Option<String>, Option<String>, Vec<String>) {
    let call = payload.event.call();
    let fields = json::parse_object(&payload.raw).unwrap();
    (
        payload.name(),
        payload.host.event.clone(),
        call.map(|call| call.name.clone()),
        fields.keys().cloned().collect(),
    )
}

#[test]
fn recorded_events_are_read_and_answered_as_before() {
    let mut different = Vec::new();
    for host in checkrein_hosts::ALL.iter().filter(|host| !matches!(host.name(), "checkrein" | "example")) {
        let directory = corpus("payloads").join(host.name());
        let mut files: Vec<PathBuf> = fs::read_dir(&directory)
            .unwrap_or_else(|error| panic!("{}: {error}", directory.display()))
            .map(|file| file.unwrap().path())
            .collect();
        files.sort();
        let (mut text, mut shapes) = (String::new(), BTreeSet::new());
        for path in files {
            let bytes = fs::read(&path).unwrap();
            let name = path.file_stem().unwrap().to_str().unwrap();
            let event = host.recipe.unwrap().event(name.rsplit_once('-').unwrap().0);
            let payload = host.dialect.decode(bytes.clone(), event).unwrap();
            if shapes.insert(format!("{:?}", shape(&payload))) {
                text += &both_directions(host.dialect, name, &bytes, &payload);
            }
        }
        let golden = corpus("golden").join(host.name()).with_extension("txt");
        if env::var_os("UPDATE_EXPECTED").is_some() {
            fs::create_dir_all(golden.parent().unwrap()).unwrap();
            fs::write(&golden, &text).unwrap();
        }
        if fs::read_to_string(&golden).unwrap_or_default() != text {
            different.push(host.name());
        }
    }
    assert_eq!(
        different, [""; 0],
        "`UPDATE_EXPECTED=1 cargo test -p checkrein-hosts --test golden` accepts what is new"
    );
}
